import { defined } from '../../base/defined.ts';
import { line } from '../../base/command-line.ts';
import { ObkError, exitCodes } from '../../base/errors.ts';
import type { Files } from '../../client/ports/files.ts';
import type { Clock } from '../../client/ports/clock.ts';
import type { Person } from '../../client/ports/person.ts';
import type { Secrets } from '../../client/ports/secrets.ts';
import { balanceChanges, checksOf, resolved, whyOf } from './checks.ts';
import type { Came } from './checks.ts';
import type { Commands } from './commands.ts';
import { failures } from './condition.ts';
import { inputText, pathText } from './http-step.ts';
import type { Journey, JourneyStep, Template } from './journey.ts';
import { NothingKnown, absentIn, namesIn, resolveText, resolveValue } from './references.ts';
import type { Scope } from './references.ts';
import type { CaseFinding } from '../../settings/records/check-run.ts';
import type { CallSeen, Check, CommandEnd, StepResult } from '../../settings/records/journey-run.ts';
import type { BankOfPsu } from './psu.ts';
import { needHarmless, needNoReference, needWithin } from './trust.ts';
import { standInOf } from './stand-in.ts';
import type { Argument } from './trust.ts';
import { textOf, valueAt } from './values.ts';

/** Runs a command line of obk in this process; `person` gets the one that answers from flags and profile. */
export type RunCommand = (
  words: readonly string[],
  how: {
    input: string | undefined;
    /** The folder in which the paths of the command begin. */
    cwd: string;
    person: ((scripted: Person) => Person) | undefined;
  },
) => Promise<CommandEnd>;

/** What a journey needs of the bank inside besides its interface. */
export interface BankInside extends BankOfPsu {
  /** The number of the last call in its log. */
  lastCall: () => Promise<number>;
  /** What its referee has against the calls after one. */
  findings: (after: number) => Promise<readonly CaseFinding[]>;
  /** The account that a PSU pays from, where neither step nor profile names one. */
  payer: (psuId: string | undefined) => Promise<string | undefined>;
}

/** Both sides of the calls of a journey as the referee sees them, wherever the bank is. */
export interface CallsJudged {
  /** How many calls it has heard and not judged. */
  count: () => number;
  /** Judges what it has heard, and returns the findings of the calls after the first `count`. */
  since: (count: number) => Promise<readonly CaseFinding[]>;
}

/** What a journey runs with. */
export interface World {
  run: RunCommand;
  commands: Commands;
  /** The bank inside that a profile is at, so that PSU, ledger and log can be played and read; undefined at another bank. */
  bankInside: (profile: string) => Promise<BankInside | undefined>;
  /** Undefined under load, where nothing is judged. */
  judged: CallsJudged | undefined;
  clock: Clock;
  secrets: Secrets;
  /** The person at the terminal, if there is one. */
  human: Person | undefined;
  /** Tells the person at the terminal what is to be done. */
  say: (line: string) => void;
  /** References by the names of the journey's secrets. */
  bound: ReadonlyMap<string, string>;
  trusted: boolean;
  /** The file as it is named, and its folder. */
  file: string;
  folder: string;
  /** Whether a path stays in a folder, its links followed. */
  isWithin: Files['isWithin'];
  exitName: (code: number) => string;
  signal: AbortSignal;
}

/** What the steps of a journey leave for each other. */
export interface Course {
  journey: Journey;
  profile: string;
  scope: Map<string, unknown>;
  /** The PSU whom a step named last. */
  psuId: string | undefined;
  /** A text that no other payment of any run has. */
  nextKey: () => string;
  /** A step failed or was interrupted: what it and those after it would have made may not be there to be cleaned up. */
  endedEarly: boolean;
}

/** Runs a step, once for each value of its list. */
export async function runStep(world: World, course: Course, step: JourneyStep): Promise<StepResult[]> {
  const { each } = step;
  if (each === undefined) return [await runOnce(world, course, step, { scope: course.scope, suffix: '' })];
  const results: StepResult[] = [];
  let values: readonly unknown[];
  try {
    values = valuesOf(each.of, course.scope);
  } catch (error) {
    return [{ ...notRun(step), ...endOf(world, course, error) }];
  }
  for (const value of values) {
    const scope = new Map(course.scope).set(each.name, value);
    results.push(await runOnce(world, course, step, { scope, suffix: ` (${each.name} ${textOf(value)})` }));
    if (world.signal.aborted) break;
  }
  return results;
}

/** One turn of a step: what is known in it, and what its name ends in where the step has several. */
interface Turn {
  scope: Map<string, unknown>;
  suffix: string;
}

function valuesOf(of: Template | readonly Template[], scope: Scope): readonly unknown[] {
  if (!('text' in of)) return of.map((one) => resolveValue(one, scope));
  const value = resolveValue(of, scope);
  return Array.isArray(value) ? value : [value];
}

/** A step without `retry` is not tried again, however little time has passed. */
const onlyOnce = { everyMs: 0, withinMs: -Infinity };

async function runOnce(
  world: World,
  course: Course,
  step: JourneyStep,
  { scope, suffix }: Turn,
): Promise<StepResult> {
  const begun = world.clock.monotonic();
  const nothing = notRun(step, suffix);
  try {
    const why = unmet(step, scope);
    if (why !== undefined) return { ...nothing, verdict: 'skipped', why };
    const prepared = await withPayer(world, course, await prepare(world, course, step, scope));
    const expect = resolved(step.expect, (text) => resolveText({ ...step, text }, scope));
    const { everyMs, withinMs } = step.retry ?? onlyOnce;
    for (let tries = 1; ; tries += 1) {
      const came = await once(world, course, step, prepared);
      const checks = checksOf(expect, came, world.exitName, step.http);
      if (checks.some(({ ok }) => !ok) && world.clock.monotonic() + everyMs < begun + withinMs) {
        await world.clock.sleep(everyMs, world.signal);
        continue;
      }
      const verdict = verdictOf(came.exit, expect.exit, checks);
      const judged = verdict === 'passed' ? undefined : world.judged;
      const findings = came.found ?? (await judged?.since(came.heard)) ?? [];
      if (step.save !== undefined) course.scope.set(step.save, came.document);
      return {
        name: nothing.name,
        line: step.line,
        commandLine: prepared.shown,
        verdict,
        exit: came.exit,
        durationMs: world.clock.monotonic() - begun,
        tries,
        checks,
        ...(came.error === undefined && isUnexpected(step, came.exit) && whyOf(step, came)),
        ...defined({ error: came.error }),
        ...(findings.length > 0 && { findings }),
        calls: came.calls,
      };
    }
  } catch (error) {
    return { ...nothing, ...endOf(world, course, error), durationMs: world.clock.monotonic() - begun };
  }
}

/** What is told of a step that sent nothing. */
const notRun = ({ name, command, line: at }: JourneyStep, suffix = '') => ({
  name: (name ?? command) + suffix,
  line: at,
  commandLine: '',
  exit: null,
  durationMs: 0,
  tries: 0,
  checks: [],
  calls: [],
});

/** How a step ended that could not be prepared. Throws what ends the run. */
function endOf(world: World, course: Course, error: unknown): Pick<StepResult, 'verdict' | 'why'> {
  if (!(error instanceof ObkError) || world.signal.aborted || error.code === 'JOURNEY_UNTRUSTED') throw error;
  const isNeverMade =
    course.endedEarly &&
    error instanceof NothingKnown &&
    course.journey.steps.some(({ save }) => save === error.of);
  if (isNeverMade)
    return { verdict: 'skipped', why: `${error.title} The journey ended before it was there.` };
  return { verdict: 'failed', why: [error.title, error.detail].filter(Boolean).join(' ') };
}

/** A write whose outcome is not known stays so, unless that is what the step is about. */
function verdictOf(
  exit: number,
  expected: number | undefined,
  checks: readonly Check[],
): StepResult['verdict'] {
  if (exit === exitCodes.unknown && expected !== exitCodes.unknown) return 'unknown';
  return checks.every(({ ok }) => ok) ? 'passed' : 'failed';
}

/** The condition that keeps a step from running. */
function unmet({ when = [] }: JourneyStep, scope: Scope): string | undefined {
  for (const one of when) {
    const [, name = '', path = ''] = /^\$\{?([\w-]+)\.?(.*?)\}?$/.exec(one.of.text) ?? [];
    const condition = one.condition.map(({ operator, wanted }) => ({
      operator,
      wanted: wanted.map((text) => resolveText({ ...one.of, text }, scope)),
    }));
    const value = valueAt(scope.get(name), path);
    if (failures(value, condition).length === 0) continue;
    // A misspelt pointer would leave the step out for ever, and nobody would know.
    return value === undefined && scope.has(name)
      ? absentIn(name, scope.get(name), path)
      : `${one.of.text} is not so`;
  }
  return undefined;
}

interface Prepared {
  words: readonly string[];
  shown: string;
  profile: string;
  input: string | undefined;
}

/** The command line of a step. Throws JOURNEY_UNTRUSTED, INPUT_INVALID. */
async function prepare(world: World, course: Course, step: JourneyStep, scope: Scope): Promise<Prepared> {
  const { commands, bound, trusted, file } = world;
  const facts = commands.find(step.command);
  const args: Argument[] = [];
  const saved: Argument[] = [];
  const given = new Set(course.journey.variables.map(({ name }) => name));
  const take = (template: Template, flag: Argument['flag'], read = resolveText): string => {
    const secret = boundSecret(template, course.journey, bound);
    const text = secret ?? read(template, scope);
    const one = { flag, text, bound: secret !== undefined };
    args.push(one);
    if (secret === undefined && namesIn(template.text).some((name) => !given.has(name))) saved.push(one);
    return text;
  };
  const positionals = step.positionals.map((one) =>
    take(one, undefined, step.http === true ? pathText : resolveText),
  );
  const dashed = positionals.find((one) => one.startsWith('-'));
  if (dashed !== undefined)
    throw new ObkError({
      code: 'INPUT_INVALID',
      title: `${step.command} cannot take ${JSON.stringify(dashed)}.`,
    });
  const flags = step.flags.flatMap(({ flag, values }) => {
    const known = facts?.flags.find(({ name }) => name === flag);
    if (values !== 'set') return values.map((one) => `${flag}=${take(one, known)}`);
    args.push({ flag: known, text: '', bound: false });
    return [flag];
  });
  if (!trusted) {
    needHarmless(file, step.command, args);
    await needWithin(world, step.command, args);
  }
  needNoReference(file, saved);
  const psuId = flags.find((one) => one.startsWith('--psu-id='))?.slice('--psu-id='.length);
  if (psuId !== undefined) course.psuId = psuId;
  const profile = step.profile === undefined ? course.profile : resolveText(step.profile, scope);
  const words = [...step.command.split(' '), ...positionals, ...flags, '--profile', profile];
  // Two journeys may pay the same to the same; a step pays once for each time that it runs.
  const isKeyed = step.command !== 'payment init' || flags.some((one) => one.startsWith('--intent-key='));
  const input = step.input === undefined ? undefined : inputText(step.input, scope);
  const alone = line`obk ${words}`;
  return {
    words: isKeyed ? words : [...words, `--intent-key=${course.nextKey()}`],
    shown: input === undefined ? alone : `${line`printf %s ${[input]}`} | ${alone}`,
    profile,
    input,
  };
}

/** A payment without an account to pay from is paid from that of the PSU, where that is known. */
async function withPayer({ bankInside }: World, { psuId }: Course, prepared: Prepared): Promise<Prepared> {
  const { words, profile } = prepared;
  const isPaid = words[0] === 'payment' && words[1] === 'init';
  if (!isPaid || words.some((word) => /^--(debtor|input|from-csv)\b(?!-)/.test(word))) return prepared;
  const iban = await (await bankInside(profile))?.payer(psuId);
  if (iban === undefined) return prepared;
  const whole = [...words, `--debtor=${iban}`];
  return { ...prepared, words: whole, shown: `${prepared.shown} ${line`--debtor=${iban}`}` };
}

/** The reference that the operator bound, where a template is the name of a secret and nothing else. */
function boundSecret(
  { text }: Template,
  { secrets }: Journey,
  bound: ReadonlyMap<string, string>,
): string | undefined {
  const [, name = ''] = /^\$\{?([\w-]+)\}?$/.exec(text) ?? [];
  if (!secrets.has(name)) return undefined;
  const reference = bound.get(name);
  if (reference !== undefined) return reference;
  throw new ObkError({
    code: 'INPUT_INVALID',
    title: `The secret ${name} of the journey is not bound.`,
    detail: secrets.get(name) ?? '',
    hint: [line`--secret ${`${name}=REF`}   # obk help references`],
  });
}

type CameOf = Came & {
  error?: StepResult['error'] & object;
  calls: readonly CallSeen[];
  /** The findings of its calls, where it expects any; else the number of calls before them. */
  found: readonly CaseFinding[] | undefined;
  heard: number;
  /** What the bank asked of the PSU and the journey could not give. */
  lacking: readonly string[];
};

/** Runs the command line once, and gathers what came of it. */
async function once(world: World, course: Course, step: JourneyStep, prepared: Prepared): Promise<CameOf> {
  const { clock, folder } = world;
  const { findings: judged, ledger: booked, body } = step.expect;
  const bank = needsBankInside(step) ? await world.bankInside(prepared.profile) : undefined;
  const findings = judged === undefined ? undefined : await findingsFromNow(world, bank);
  const heard = world.judged?.count() ?? 0;
  const changes = booked === undefined ? undefined : await changesFromNow(bank);
  const begun = clock.monotonic();
  const psu = standInOf(world, course, step, bank);
  const { exit, document, error, calls } = await world.run([...prepared.words, ...psu.words], {
    input: prepared.input,
    cwd: folder,
    person: psu.person,
  });
  const durationMs = clock.monotonic() - begun;
  const last = calls.at(-1);
  const found = await findings?.();
  const isRead = step.save !== undefined || body !== undefined || isUnexpected(step, exit);
  return {
    exit,
    document: isRead ? document() : undefined,
    durationMs,
    last: last && { status: last.status, headers: headersOf(last.facts) },
    findings: found?.filter(({ level, waived }) => level !== 'may' && waived === undefined).length,
    found,
    heard,
    ledger: await changes?.(),
    calls,
    lacking: psu.lacking,
    ...(error !== undefined && { error: shownError(error) }),
  };
}

const needsBankInside = ({ expect: { findings, ledger }, psu }: JourneyStep): boolean =>
  findings !== undefined || ledger !== undefined || psu !== undefined;

/** Notes which calls there were; the result gives the findings of those that came since. */
async function findingsFromNow({ judged }: World, bank: BankInside | undefined) {
  const logged = await bank?.lastCall();
  const heard = judged?.count() ?? 0;
  return async (): Promise<readonly CaseFinding[] | undefined> => {
    const sides = await judged?.since(heard);
    // The bank inside knows more of a request than can be seen from outside: who may call, and what came before.
    if (bank === undefined || logged === undefined) return sides;
    return [...(await bank.findings(logged)), ...(sides ?? []).filter(({ side }) => side === 'answer')];
  };
}

/** Notes the balances of all accounts; the result gives by how much each has changed. */
async function changesFromNow(bank: BankInside | undefined) {
  if (bank === undefined) return undefined;
  const before = await bank.people();
  return async () => balanceChanges(before, await bank.people());
}

const shownError = ({
  resource: _,
  ...error
}: NonNullable<CommandEnd['error']>): StepResult['error'] & object => error;

const isUnexpected = ({ expect }: JourneyStep, exit: number): boolean =>
  exit !== (expect.exit ?? exitCodes.ok);

function headersOf(facts: object): readonly (readonly [string, string])[] {
  const { answer } = facts as {
    answer?: { headers?: readonly (readonly [string, string] | { name: string; value: string })[] };
  };
  return (answer?.headers ?? []).map((one) => ('name' in one ? [one.name, one.value] : one));
}
