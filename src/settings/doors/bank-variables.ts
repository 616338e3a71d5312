import { nearest } from '../../base/nearest.ts';
import { doorKeys, doorVariable } from './table.ts';

/** The variables of those flags of `sandbox start` that are no doors: which bank it is, and where its ledger is. */
export const bankVariables = {
  database: 'OBK_SANDBOX_DATABASE',
  config: 'OBK_SANDBOX_CONFIG',
  bank: 'OBK_SANDBOX_BANK',
  without: 'OBK_SANDBOX_WITHOUT',
} as const;

/** Those that say which bank is meant and how it is reached. */
const further = [
  'OBK_SANDBOX_TENANT',
  'OBK_SANDBOX_TOKEN_FROM',
  'OBK_SANDBOX_CA',
  'OBK_SANDBOX_IDLE',
] as const;

/** What is probably meant by names that are spelt otherwise; the name of a bank and its address are one variable. */
const otherwise: Readonly<Record<string, string>> = {
  OBK_SANDBOX_NAME: 'OBK_SANDBOX',
  OBK_SANDBOX_AT: 'OBK_SANDBOX',
  OBK_SANDBOX_URL: 'OBK_SANDBOX',
  OBK_SANDBOX_TOKEN: 'OBK_SANDBOX_TOKEN_FROM',
  OBK_SANDBOX_ACCESS_KEY: 'OBK_SANDBOX_ACCESS_KEY_FROM',
};
const prefix = 'OBK_SANDBOX_';

type Environment = Readonly<Record<string, string | undefined>>;

/** The flags that the environment sets in place of the command line; an empty variable sets none. */
export function bankFromEnvironment(env: Environment): {
  database?: string;
  config?: string;
  bank?: string;
  without?: readonly string[];
} {
  const { without, ...single } = bankVariables;
  const said = Object.entries(single).flatMap(([key, name]) => {
    const text = env[name]?.trim() ?? '';
    return text === '' ? [] : [[key, text] as const];
  });
  const left = (env[without] ?? '').split(/[\s,]+/).filter((name) => name !== '');
  return { ...Object.fromEntries(said), ...(left.length > 0 && { without: left }) };
}

/** Says which variables of the bank inside nobody reads, and which were probably meant: a misspelt one would open or close no door. */
export function unreadVariables(env: Environment): string[] {
  const known: readonly string[] = [
    ...doorKeys.map(doorVariable),
    ...Object.values(bankVariables),
    ...further,
  ];
  return Object.keys(env)
    .filter((name) => name.startsWith(prefix) && !known.includes(name))
    .map((name) => {
      const [end] = nearest(
        name.slice(prefix.length),
        known.map((one) => one.slice(prefix.length)),
      );
      const meant = otherwise[name] ?? (end === undefined ? undefined : prefix + end);
      return `${name} is no variable of obk${meant === undefined ? '.' : `; did you mean ${meant}?`}`;
    });
}
