import { line } from '../../../base/command-line.ts';
import type { Flags, OptionsOf } from '../../command.ts';
import type { Context } from '../../context.ts';
import { ObkError } from '../../../base/errors.ts';
import { NothingKnown } from '../../../tester/journeys/references.ts';
import type { Passage } from '../../../tester/journeys/run-journey.ts';
import { nearest } from '../../../base/nearest.ts';
import { isBuiltIn } from '../../../base/profile-name.ts';
import { withheldBy } from '../../../client/call/operation-of-bank.ts';
import { scaApproaches } from '../../../standard/xs2a/sca-approaches.ts';
import { operationsOf } from '../../../standard/xs2a/variants.ts';
import { neededSecrets } from '../../../tester/journeys/read-journey.ts';
import { demand, integer, names, reference, several, usageError } from '../flags/flag-values.ts';
import { chosenProfile } from '../run/with-target.ts';
import { refusedValues } from '../../../tester/journeys/written-values.ts';
import { needNone } from './journey-files.ts';
import type { FoundJourney, Misplaced } from './journey-files.ts';

/** A secret that a journey names, and the reference that the operator binds it to. */
interface Binding {
  name: string;
  reference: string;
}

/** Reads a value of --secret; what is no reference may be the secret itself, and is never repeated. */
function binding(text: string, before: readonly Binding[] = []): readonly Binding[] {
  const [, name = '', given = ''] = /^([A-Za-z_][\w-]*)=([^]*)$/.exec(text) ?? [];
  if (name === '') throw usageError('--secret takes NAME=REF.', 'obk help references');
  return [...before, { name, reference: reference('--secret')(given) }];
}

/** Adds the flags that say which journeys run, with what. */
export const passageFlags = (command: Flags) =>
  command
    .argument('<file...>', 'journeys: YAML or JSON, folders of them, or names of those that obk ships')
    .optionsGroup('JOURNEY FLAGS')
    .option('--only <TEXT>', 'only those with this in their name or path (several)', several)
    .option('--tag <TAG>', 'only those with this tag (several: with all of them)', several)
    .option('--profiles <LIST>', 'each of them with these profiles: A,B', names('--profiles'))
    .option('--set <NAME=VALUE>', 'another value of a variable (several)', several)
    .option('--secret <NAME=REF>', 'bind a secret that they name (several; obk help references)', binding)
    .option('--repeat <N>', 'run each so many times', integer('--repeat', 1, 10_000), 1)
    .option('--parallel <N>', 'so many at once', integer('--parallel', 1, 64), 1)
    .option('--seed <TEXT>', 'in an order that this text decides');

type PassageOptions = OptionsOf<typeof passageFlags>;

/** A journey that is to run once with one profile. */
export interface Due extends Passage {
  found: FoundJourney;
  /** Counts from 1 where it runs several times. */
  round: number;
}

/** Whether a text has another one in it, in whichever case. */
const isIn = (part: string, text: string): boolean => text.toLowerCase().includes(part.toLowerCase());

/** Which journeys run with which profiles, in their order or in that of a seed. Throws USAGE, PROFILE_UNKNOWN. */
export async function passagesOf(
  context: Context,
  all: readonly FoundJourney[],
  options: PassageOptions,
): Promise<Due[]> {
  const { repeat, seed } = options;
  const chosen = chosenOf(all, options);
  const set = new Map((options.set ?? []).map((one) => pair('--set', one)));
  const variables = [...new Set(chosen.flatMap(({ journey }) => journey.variables.map(({ name }) => name)))];
  for (const name of set.keys())
    if (!variables.includes(name))
      throw usageError(
        `No journey that runs has a variable ${name}${variables.length === 0 ? '' : `; there are ${variables.join(', ')}`}.`,
        ...nearest(name, variables).map((one) => line`--set ${`${one}=${set.get(name) ?? ''}`}`),
      );
  const due: Due[] = [];
  const { run } = context.ports.journal;
  let payments = 0;
  const nextKey = () => `${run}-${String((payments += 1))}`;
  const known = new Map<string, Pick<Passage, 'about' | 'offers'>>();
  for (const found of chosen) {
    for (const wished of profilesOf(context, found, options)) {
      const facts = known.get(wished ?? '') ?? (await aboutProfile(context, wished));
      known.set(wished ?? '', facts);
      const passage = { found, journey: found.journey, profile: String(facts.about['name']), set, ...facts };
      for (let round = 1; round <= repeat; round += 1) due.push({ ...passage, round, run, nextKey, user: 1 });
    }
  }
  return seed === undefined ? due : shuffled(due, seed);
}

/** The journeys that the flags name. Throws USAGE where there is none. */
function chosenOf(
  all: readonly FoundJourney[],
  { only = [], tag = [], file: files }: PassageOptions,
): readonly FoundJourney[] {
  const chosen = all.filter(
    ({ journey, file }) =>
      tag.every((one) => journey.tags.includes(one)) &&
      (only.length === 0 || only.some((one) => isIn(one, journey.name) || isIn(one, file))),
  );
  if (chosen.length > 0) return chosen;
  throw all.length === 0
    ? usageError(`There is no journey in ${files.join(', ')}.`, 'obk journey list')
    : usageError(
        `None of ${String(all.length)} journeys has this name and these tags.`,
        line`obk journey list ${files}`,
      );
}

/** Throws INPUT_INVALID for values that the command of their step would refuse once others have run. */
export async function needTakenValues(context: Context, due: readonly Due[]): Promise<void> {
  const wrong: Misplaced[] = [];
  const now = context.ports.clock.now();
  for (const one of due.filter(({ round }) => round === 1)) {
    const { file } = one.found;
    const faults = await refusedValues(one, now, (...value) => context.whyNotValue(...value)).catch(
      (error: unknown) => {
        throw error instanceof NothingKnown ? inFile(file, error) : error;
      },
    );
    const isNew = (fault: Misplaced) =>
      !wrong.some((told) => told.file === file && told.path === fault.path && told.why === fault.why);
    wrong.push(...faults.map((fault) => ({ ...fault, file })).filter(isNew));
  }
  needNone(wrong);
}

/** It is one of several files that are run. */
const inFile = (file: string, { code, title, detail, hint }: ObkError): ObkError =>
  new ObkError({ code, title, detail: `${file}: ${detail ?? ''}`, hint });

/** The profiles of the flags, else those of the file, else the usual one. */
function profilesOf(
  { globals }: Context,
  { journey }: FoundJourney,
  { profiles }: PassageOptions,
): readonly (string | undefined)[] {
  if (profiles !== undefined) return profiles;
  if (globals.profile !== undefined) return [globals.profile];
  return journey.profiles.length > 0 ? journey.profiles : [undefined];
}

async function aboutProfile(
  context: Context,
  wished: string | undefined,
): Promise<Pick<Passage, 'about' | 'offers'>> {
  const { globals } = context;
  // Each profile means its own bank inside, whatever the one before has meant.
  const isOfOneBank = wished !== undefined && isBuiltIn(wished);
  const ports = isOfOneBank ? { ...context.ports, bank: await context.ports.bank.at() } : context.ports;
  const own = {
    ...context,
    ports,
    globals: wished === undefined ? globals : { ...globals, profile: wished },
  };
  const { name, profile } = await chosenProfile(own);
  const { framework, prefix, surface } = profile;
  const operations = operationsOf({ framework, prefix, surface }).filter(
    (one) => withheldBy(profile, one) === undefined,
  );
  const offers = [...operations.map(({ id }) => id), ...(profile.sca?.approaches ?? scaApproaches)];
  const { environment } = profile;
  return { about: { name: isBuiltIn(name) ? (wished ?? name) : name, environment, framework }, offers };
}

/**
 * The references of --secret by the names of secrets. Throws USAGE for a name that no journey has, and for one that is not bound
 * although a step cannot do without it; a password or an OTP may also come from the profile or from the bank inside.
 */
export function boundSecrets(
  all: readonly FoundJourney[],
  given: readonly Binding[] = [],
): ReadonlyMap<string, string> {
  const bound = new Map<string, string>();
  for (const { name, reference: wished } of given) {
    if (!all.some(({ journey }) => journey.secrets.has(name)))
      throw usageError(`No journey names a secret ${name}.`);
    bound.set(name, wished);
  }
  const missing = all.flatMap(({ journey }) =>
    [...neededSecrets(journey)].filter((name) => !bound.has(name)),
  );
  demand(
    [...new Set(missing)].map((name) => `--secret ${name}=REF`),
    'obk help references',
  );
  return bound;
}

function pair(flag: string, text: string): [string, string] {
  const at = text.indexOf('=');
  if (at > 0) return [text.slice(0, at), text.slice(at + 1)];
  throw usageError(`${flag} takes NAME=VALUE, not ${JSON.stringify(text)}.`);
}

/** The same order for the same seed, whatever the machine (Fisher and Yates; mulberry32). */
function shuffled<One>(all: readonly One[], seed: string): One[] {
  let state = [...seed].reduce((sum, letter) => (Math.imul(sum, 31) + letter.charCodeAt(0)) | 0, 7);
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
  const list = [...all];
  for (let at = list.length - 1; at > 0; at -= 1) {
    const other = Math.floor(next() * (at + 1));
    [list[at], list[other]] = [list[other] as One, list[at] as One];
  }
  return list;
}
