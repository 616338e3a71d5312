import { Command } from 'commander';
import type { Argument, Option } from 'commander';
import { explainedTerms } from '../commands/explain.ts';
import { globalOptions } from '../commands/flags/global-options.ts';
import { ownKeys } from '../commands/config/set.ts';
import { profileKeys } from '../commands/profile/setting-keys.ts';
import { tree } from '../commands/catalogue/tree.ts';
import type { CompletionFacts, FlagFact, Values } from '../completion/complete.ts';
import { bankTemplates } from '../../settings/banks/templates.ts';
import { shippedJourneys } from '../../tester/journeys/shipped.ts';
import { operations } from '../../standard/xs2a/operations.ts';
import { paymentServices, products } from '../../standard/xs2a/products.ts';

/** What the bank inside has as it is made; one with a file of its own has other people, who are written down beside its ledger. */
export interface BankWords {
  people: readonly string[];
  /** The fixed values of each switch. */
  switches: Readonly<Record<string, readonly string[]>>;
}

/** The words of commands of the bank inside, by command and the name of the flag or argument. */
const wordsOfBank = ({ people, switches }: BankWords): Readonly<Record<string, Values>> => ({
  'sandbox start --name': 'banks',
  'sandbox people id': { customers: people },
  'sandbox scenario get name': Object.keys(switches),
  'sandbox scenario set name': Object.keys(switches),
  'sandbox scenario set value': { after: switches },
  ...Object.fromEntries(
    ['seed', 'psu approve', 'psu refuse', 'psu revoke'].map((path) => [
      `sandbox ${path} --as`,
      { customers: people },
    ]),
  ),
});

const operationIds = operations.map(({ id }) => id);

/** Flags whose values are known where the parser itself has no closed list. */
const flagValues: Readonly<Record<string, Values>> = {
  '--profile': 'profiles',
  '--at': 'banks',
  '--extends': 'profiles',
  '--bank': { orFiles: bankTemplates.map(({ name }) => name) },
  '--product': { products },
  '--service': paymentServices,
  '--sca-method': 'methods',
  '--payment': 'payments',
  '--consent': 'consents',
};

const nounValues: Readonly<Record<string, Values>> = {
  payment: 'payments',
  consent: 'consents',
  basket: 'baskets',
  profile: 'profiles',
  sca: 'any',
  pending: 'any',
  'sandbox psu': 'any',
};

/** The same of positionals, by command and name. */
const positionalValues: Readonly<Record<string, Values>> = {
  'api what': ['GET', 'POST', 'PUT', 'DELETE', ...operationIds],
  'sandbox fault add operation': operationIds,
  'bank lint what': 'profiles',
  'bank show bank': { orFiles: bankTemplates.map(({ name }) => name) },
  'bank diff a': { orFiles: bankTemplates.map(({ name }) => name) },
  'bank diff b': { orFiles: bankTemplates.map(({ name }) => name) },
  'explain term': explainedTerms,
  'journey run file': { orFiles: [...shippedJourneys.keys()] },
  'config get key': [...ownKeys, 'requireEnvironment', ...profileKeys],
  'config set key': [...ownKeys, ...profileKeys],
  'config unset key': [...ownKeys, ...profileKeys],
};

/** The facts about every command that the shells need, from the commands themselves. */
export function completionFacts(
  commands: readonly { path: string; command: Command }[],
  bank: BankWords,
): CompletionFacts {
  const ofBank = wordsOfBank(bank);
  const shown = tree.filter(({ hidden }) => hidden !== true);
  const names = new Map<string, (readonly [string, string])[]>();
  for (const { path, summary } of shown) {
    const words = path.split(' ');
    const parent = words.slice(0, -1).join(' ');
    names.set(parent, [...(names.get(parent) ?? []), [words.at(-1) ?? '', summary]]);
  }
  const globals = globalOptions(new Command('obk')).options.map(flagFact);
  // A flag of a command's own may have the name of a global one, which that command has under another name.
  const isGlobal = ({ names: [first], about }: FlagFact) =>
    globals.some(({ names, about: global }) => names[0] === first && global === about);
  return {
    names: Object.fromEntries(names),
    globals,
    commands: Object.fromEntries(
      commands.map(({ path, command }) => [
        path,
        {
          flags: command.options
            .filter(isShown)
            .map(flagFact)
            .map((fact) => ({ ...fact, ...valued(ofBank[`${path} ${fact.names[0] ?? ''}`]) }))
            .filter((fact) => !isGlobal(fact)),
          args: command.registeredArguments.map(
            (argument) => ofBank[`${path} ${argument.name()}`] ?? argumentValues(path, argument),
          ),
        },
      ]),
    ),
  };
}

const isShown = ({ hidden }: Option): boolean => !hidden;

const valued = (values: Values | undefined) => (values === undefined ? {} : { values });

function flagFact(option: Option): FlagFact {
  const names = [option.long, option.short].filter((name) => name !== undefined);
  const fact = { names, about: option.description };
  return option.required || option.optional ? { ...fact, values: valuesOf(option) } : fact;
}

/** The values of a flag: a closed list, a kind of name, or null for anything. */
export function valuesOf(option: Option): Values {
  const closed = choicesOf(option.parseArg);
  if (closed !== undefined) return closed;
  if (/<(FILE|DIR|PATH)/.test(option.flags)) return 'files';
  return flagValues[option.long ?? ''] ?? null;
}

/** The same of a positional. */
export function argumentValues(path: string, argument: Argument): Values {
  const noun = path.split(' ').slice(0, -1).join(' ');
  const known = positionalValues[`${path} ${argument.name()}`];
  if (known === undefined && /^(file|path|dir)/i.test(argument.name())) return 'files';
  if (path === 'profile create') return null;
  return choicesOf(argument.parseArg) ?? known ?? nounValues[noun] ?? null;
}

/** The closed list of a parser made by `oneOf`. */
function choicesOf(parser: unknown): readonly string[] | undefined {
  return (parser as { choices?: readonly string[] } | undefined)?.choices;
}
