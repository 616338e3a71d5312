import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { runInside } from './inside.ts';
import { typedBank } from './typed-bank.ts';
import type { Answered, Asked, RunningBank, TypedBank } from './typed-bank.ts';

/** A bank of one oddity, and the setting by which obk works with it. */
export interface Oddity {
  /** The setting that is proved, by its dotted key. */
  setting: string;
  bank: TypedBank;
  /** What is said of the bank. */
  settings: object;
  /** Said of it in both runs. */
  always?: object;
  /** The command lines, one after the other; the last one is judged. `{port}` stands for the port of the bank. */
  run: readonly (readonly string[])[];
  flags?: readonly string[];
  /** The exit code, or what stands on stderr, without the setting; anything but 0 if not given. */
  without?: number | RegExp;
  /** What stands on stdout with it. */
  gives?: RegExp;
  /** What stdout must not hold with it. */
  never?: RegExp;
  /** The exit code with it; 0 if not given. */
  code?: number;
  /** What stands on stderr with it. */
  tells?: RegExp;
  env?: Readonly<Record<string, string>>;
}

const home = mkdtempSync(join(tmpdir(), 'obk-oddities-'));
const env = { ...process.env, OBK_CONFIG_DIR: join(home, 'config'), OBK_STATE_DIR: join(home, 'state') };
let made = 0;

const merged = (a: object, b: object): object => {
  const isObject = (value: unknown): value is object =>
    typeof value === 'object' && value !== null && !Array.isArray(value);
  return {
    ...a,
    ...Object.fromEntries(
      Object.entries(b).map(([key, value]: [string, unknown]) => {
        const under: unknown = Reflect.get(a, key);
        return [key, isObject(under) && isObject(value) ? merged(under, value) : value];
      }),
    ),
  };
};

/** Runs a command line with a profile of the bank; `settings` is its file. */
export async function atBank(
  bank: RunningBank,
  settings: object,
  lines: readonly (readonly string[])[],
  {
    flags = [],
    more = {},
    name: known,
  }: { flags?: readonly string[]; more?: Readonly<Record<string, string>>; name?: string } = {},
): Promise<{ code: number | null; stdout: string; stderr: string; name: string }> {
  made += 1;
  const name = known ?? `odd${String(made)}`;
  const file = join(home, `${name}.json`);
  const here = `http://127.0.0.1:${String(bank.port)}`;
  const text = JSON.stringify(merged({ baseUrl: here }, settings));
  writeFileSync(file, text.replaceAll('{port}', String(bank.port)));
  const signs = flags.includes('--certificate') || 'signing' in settings ? [] : ['--signing', 'none'];
  const run = (line: readonly string[]) =>
    runInside(
      line.map((word) => word.replaceAll('{port}', String(bank.port))),
      { env: { ...env, ...more }, cwd: home, input: '' },
    );
  if (known === undefined) {
    const create = await run([
      'profile',
      'create',
      name,
      '--bank',
      file,
      '--psu-ip',
      '192.0.2.7',
      ...signs,
      ...flags,
    ]);
    expect(create.code, create.stderr).toBe(0);
  }
  let last = { code: 0 as number | null, stdout: '', stderr: '' };
  for (const line of lines) last = await run([...line, '--profile', name, '--no-input']);
  return { ...last, name };
}

/** One test for each setting: without it the bank refuses or obk warns, with it all is well. */
export function oddities(title: string, table: readonly Oddity[]): void {
  describe(title, () => {
    const banks: RunningBank[] = [];
    afterAll(() => Promise.all(banks.map((bank) => bank.close())));
    it.each(table.map((oddity) => [oddity.setting, oddity] as const))('%s', async (_, oddity) => {
      const bank = await typedBank(oddity.bank);
      banks.push(bank);
      const { always = {}, settings, run, without, gives, never, tells, flags = [], env: more = {} } = oddity;
      const plain = await atBank(bank, always, run, { flags, more });
      if (typeof without === 'number' || without === undefined)
        expect(plain.code, plain.stdout + plain.stderr).toEqual(without ?? expect.not.closeTo(0));
      else expect(plain.stderr + plain.stdout).toMatch(without);
      const told = await atBank(bank, merged(always, settings), run, { flags, more });
      expect(told.code, told.stderr + told.stdout).toBe(oddity.code ?? 0);
      if (gives !== undefined) expect(told.stdout).toMatch(gives);
      if (never !== undefined) expect(told.stdout + told.stderr).not.toMatch(never);
      if (tells !== undefined) expect(told.stderr).toMatch(tells);
      if (without instanceof RegExp) expect(told.stderr + told.stdout).not.toMatch(without);
    });
  });
}

/** A refusal in the words of the interface. */
export const refused = (status: number, code: string, text = ''): Answered => [
  status,
  { tppMessages: [{ category: 'ERROR', code, text }] },
];

/** The path of a request without its query. */
export const pathOf = ({ path }: Asked): string => path.replace(/\?.*$/s, '');

/** The parameters of its query. */
export const queryOf = ({ path }: Asked): URLSearchParams => new URL(path, 'http://h').searchParams;
