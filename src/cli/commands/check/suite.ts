import type { Flags, OptionsOf } from '../../command.ts';
import type { Context } from '../../context.ts';
import { line } from '../../../base/command-line.ts';
import { exitCodes, isFailure } from '../../../base/errors.ts';
import type { ExitCode } from '../../../base/errors.ts';
import { cases, withNeeded } from '../../../tester/check/cases.ts';
import type { Case } from '../../../tester/check/case.ts';
import { cleaning, tried } from '../../../tester/check/course.ts';
import type { Course } from '../../../tester/check/course.ts';
import { needKnownRules } from '../../../client/profile/waived-rules.ts';
import { areaOf } from '../../../tester/check/areas.ts';
import { Suite } from '../../../tester/check/suite.ts';
import { usesLeft } from '../../../client/consents/budget.ts';
import { isoDate } from '../../../client/consents/consent-body.ts';
import { usualConsent } from '../../../client/consents/usual-consent.ts';
import { bankTime } from '../../../client/exchange/bank-time.ts';
import type { Target } from '../../../client/exchange/target.ts';
import type { Outcome } from '../../outcome.ts';
import type { CaseResult, CheckRun } from '../../../settings/records/check-run.ts';
import type { SavedResource } from '../../../settings/records/resources.ts';
import { isFinalConsent } from '../../../standard/xs2a/codes.ts';
import { caseLine, checkLines } from '../../render/check-lines.ts';
import { plainStyle } from '../../render/style.ts';
import { several, usageError } from '../flags/flag-values.ts';
import type { WireOptions } from '../flags/global-options.ts';
import { openBank } from '../run/with-target.ts';
import { keepCheck, keptCheck } from './kept-checks.ts';
import { writeReports } from './reports.ts';

/** Adds the flags of a check of a bank. */
export const suiteFlags = <Own>(command: Flags<Own>) =>
  command
    .optionsGroup('BANK FLAGS')
    .option('--writes', 'also make and remove a consent and a payment; sandbox and test systems only')
    .option('--wrong-requests', 'also send requests that must be refused; sandbox and test systems only')
    .option('--debtor <IBAN>', 'account that would pay, for --writes')
    .option('--creditor <IBAN>', 'account that would be paid, for --writes')
    .option('--only <TEXT>', 'only cases with this in their name, or of this operation (several)', several)
    .option('--plan', 'list the cases, and try none')
    .option('--resume', 'go on with the last check where it stopped')
    .option('--print-waivers', 'print the waivers of the bank')
    .optionsGroup('REPORTS')
    .option('--junit <FILE>', 'write a JUnit file')
    .option('--html <FILE>', 'write a page to send');

type SuiteOptions = WireOptions & OptionsOf<typeof suiteFlags>;

/** Tries a bank by the suite and judges what it answers. */
export async function checkBank(context: Context, options: SuiteOptions): Promise<Outcome> {
  const trying: { suite?: Suite; keep?: () => void } = {};
  const opened = await openBank(context, options);
  needKnownRules(opened.profile, line`obk bank lint ${opened.name}`);
  if (options.printWaivers === true) return waiversOf(opened);
  const onExchange: Target['run']['onExchange'] = (seen) => {
    if (trying.suite?.seen(seen) === true) trying.keep?.();
    opened.run.onExchange?.(seen);
  };
  const target: Target = { ...opened, run: { ...opened.run, onExchange } };
  const asked = askedCases(target, options);
  const due = withNeeded(asked, target.variant, (one) => isTaken(one, options));
  if (options.plan === true) return planOf(target, due);
  const today = isoDate(await bankTime(target));
  const { consent, noConsent, why } = await consentOf(target);
  const course = await courseOf(target, { consent, noConsent }, options);
  tellNeeded(target, asked, due);
  await announce(target, due, consent);
  if (why !== undefined) target.ports.notices.warn(why);
  const suite = new Suite(target, today, (name) => asked.some((one) => one.name === name));
  trying.suite = suite;
  const { open: left = [], cases: before = [] } = (await earlierCheck(context, target, options)) ?? {};
  const done = before.filter(({ verdict }) => /^(pass|fail|waived|not applicable)$/.test(verdict));
  for (const { operation, params } of left) await tried(cleaning(course), { operation, params });
  if (left.length > 0)
    target.ports.notices.say(`Removed what the last check had left: ${String(left.length)}.`);
  const keeping = (work: () => void) => {
    trying.keep = work;
  };
  return runCases(context, { target, suite, course, due, done, options, keeping });
}

/** The check that goes on; undefined where a new one begins. Throws USAGE for one that cannot go on at this bank. */
async function earlierCheck(context: Context, { name }: Target, { resume }: SuiteOptions) {
  if (resume !== true) return undefined;
  const earlier = await keptCheck(context, '@last');
  const { profile, complete, open = [] } = earlier;
  if (profile !== name)
    throw usageError(`The last check was of ${profile}.`, line`obk check --profile ${profile} --resume`);
  if (complete && open.length === 0)
    throw usageError('The last check came to its end.', line`obk check --profile ${name}`);
  return earlier;
}

interface Running {
  target: Target;
  suite: Suite;
  course: Course;
  due: readonly Case[];
  /** Cases of the check that goes on. */
  done: readonly CaseResult[];
  options: SuiteOptions;
  /** Has the work done whenever something was created or removed at the bank. */
  keeping: (work: () => void) => void;
}

async function runCases(context: Context, running: Running): Promise<Outcome> {
  const { target, suite, course, due, done, options, keeping } = running;
  const { notices, clock, journal } = context.ports;
  const at = clock.now().toISOString();
  const results: CaseResult[] = [];
  const whole = (complete: boolean): CheckRun => ({
    run: journal.run,
    profile: target.name,
    environment: target.environment,
    framework: target.variant.framework,
    ...{ at, complete },
    ...suite.summary(results),
    cases: results,
  });
  let kept: Promise<void> = Promise.resolve();
  const keep = (complete: boolean) =>
    (kept = kept.then(() => keepCheck(context, { ...whole(complete), open: suite.open })));
  keeping(() => {
    // The end of the case waits for it, and has its error.
    keep(false).catch(() => undefined);
  });
  const progress = notices.progress(`${String(due.length)} cases`);
  try {
    for (const one of due) {
      // A later case needs what an earlier one found, so that lists are read again.
      const before = done.find((result) => result.case === one.name);
      if (before !== undefined && !finds.has(one.name)) {
        results.push(suite.take(before));
        continue;
      }
      progress.update(`${String(results.length)} of ${String(due.length)}: ${one.name}`);
      const result = await suite.run(one, course);
      results.push(result);
      notices.say(caseLine(result, plainStyle));
      await keep(false);
      target.run.signal?.throwIfAborted();
    }
  } catch (error) {
    if (target.run.signal?.aborted === true)
      notices.say(
        `It stopped after ${String(results.length)} cases. It goes on: ${goingOn(target, options)}`,
      );
    // A report that cannot be written must not hide why the check stopped.
    await writeReports(context, stopped(whole(false), suite, due), options).catch(() => undefined);
    throw error;
  } finally {
    progress.stop();
  }
  await keep(true);
  const data = whole(true);
  await writeReports(context, data, options);
  return {
    kind: 'data',
    data: documentOf(data),
    text: (style) => checkLines(data, style),
    exit: exitOf(data),
    name: data.run,
  };
}

/** A check that did not come to its end, as its reports show it: it says nothing good of the bank. */
function stopped(run: CheckRun, suite: Suite, due: readonly Case[]): CheckRun {
  const why = 'the check stopped before';
  const left = due.slice(run.cases.length).map(({ name, about, operation }): CaseResult => {
    return {
      ...{ case: name, about, operation, why },
      area: areaOf(operation),
      verdict: 'not tested',
      findings: [],
      calls: [],
    };
  });
  const cases = [...run.cases, ...left];
  const { verdict, warnings, ...summary } = suite.summary(cases);
  const told = `The check stopped after ${String(run.cases.length)} of ${String(due.length)} cases.`;
  return {
    ...{ ...run, ...summary, cases },
    verdict: verdict === 'pass' ? 'inconclusive' : verdict,
    warnings: [told, ...warnings],
  };
}

/** The command that goes on with a check of these flags. */
const goingOn = (
  { name }: Target,
  { writes, wrongRequests, debtor, creditor, only = [] }: SuiteOptions,
): string =>
  [
    line`obk check --profile ${name} --resume`,
    ...(writes === true ? ['--writes'] : []),
    ...(wrongRequests === true ? ['--wrong-requests'] : []),
    ...(debtor === undefined ? [] : [line`--debtor ${debtor}`]),
    ...(creditor === undefined ? [] : [line`--creditor ${creditor}`]),
    ...only.map((one) => line`--only ${one}`),
  ].join(' ');

/** Cases whose answers name what later ones read. */
const finds = new Set(['accounts', 'transactions', 'card accounts']);

const exitOf = ({ verdict }: CheckRun): ExitCode =>
  verdict === 'pass' ? exitCodes.ok : exitCodes.expectation;

/** The exchanges stand with the cases that did not pass. */
function documentOf(run: CheckRun): object {
  return {
    ...run,
    cases: run.cases.map(({ calls, ...one }) => ({
      ...one,
      calls: calls.map(({ facts, ...call }) =>
        one.verdict === 'fail' ? { ...call, exchange: facts } : call,
      ),
    })),
  };
}

/** The cases that were asked for. Throws USAGE where a wrong request or a write is for production. */
function askedCases(target: Target, options: SuiteOptions): readonly Case[] {
  const { writes, wrongRequests, only = [] } = options;
  const more = writes === true ? '--writes' : wrongRequests === true ? '--wrong-requests' : undefined;
  if (more !== undefined && target.environment === 'production')
    throw usageError(
      `${more} is for sandbox and test systems, and ${target.name} is of production.`,
      line`obk check --profile ${target.name}`,
    );
  const isNamed = ({ name, operation }: Case) =>
    only.length === 0 ||
    only.some((one) => name.toLowerCase().includes(one.toLowerCase()) || operation === one);
  const named = cases.filter(isNamed);
  const asked = named.filter((one) => isTaken(one, options));
  if (asked.length > 0) return asked;
  const [first] = named;
  if (first === undefined) throw usageError('No case has this name.', 'obk check --plan');
  const flag = first.kind === 'write' ? '--writes' : '--wrong-requests';
  throw usageError(
    `${first.name} requires ${flag}.`,
    line`obk check --profile ${target.name} ${[flag, ...only.flatMap((one) => ['--only', one])]}`,
  );
}

/** Whether the flags let cases of this kind be tried. */
const isTaken = ({ kind }: Case, { writes, wrongRequests }: SuiteOptions): boolean =>
  kind === 'read' || (kind === 'write' ? writes : wrongRequests) === true;

/** Says which cases run first because those that were asked for need them. */
function tellNeeded({ ports }: Target, asked: readonly Case[], due: readonly Case[]): void {
  const added = due.filter((one) => !asked.includes(one)).map(({ name }) => name);
  if (added.length > 0)
    ports.notices.say(
      `Needed by ${asked.map(({ name }) => name).join(', ')}, and run first: ${added.join(', ')}.`,
    );
}

async function courseOf(
  target: Target,
  under: Pick<Course, 'consent' | 'noConsent'>,
  { debtor, creditor }: SuiteOptions,
): Promise<Course> {
  const newest = async (noun: 'payment' | 'basket') =>
    (await target.ports.resources.list(target.name, noun, 1))[0];
  return {
    target,
    ...under,
    ended: await endedConsent(target),
    payment: await newest('payment'),
    basket: await newest('basket'),
    known: { missing: {} },
    debtor,
    creditor,
  };
}

/** The consent that is used where none is named; without one, what needs it is not tested because of `noConsent`. */
async function consentOf(target: Target): Promise<Pick<Course, 'consent' | 'noConsent'> & { why?: string }> {
  const noConsent = 'no valid consent is saved: obk consent create';
  try {
    return { consent: await usualConsent(target), noConsent };
  } catch (error) {
    if (!isFailure(error) || (error.code !== 'CONSENT_NEEDED' && error.code !== 'ID_AMBIGUOUS')) throw error;
    const several = 'several consents are valid: obk consent use ID';
    const isAmbiguous = error.code === 'ID_AMBIGUOUS';
    return { consent: undefined, noConsent: isAmbiguous ? several : noConsent, why: error.title };
  }
}

/** The newest of the saved consents that has ended. */
async function endedConsent(target: Target): Promise<SavedResource | undefined> {
  const today = isoDate(await bankTime(target));
  const saved = await target.ports.resources.list(target.name, 'consent', 100);
  return saved.find(
    ({ status = '', consent }) =>
      isFinalConsent(status) || (consent !== undefined && consent.validUntil < today),
  );
}

/** Says before anything is read how much of which consent it will use. */
async function announce(
  target: Target,
  due: readonly Case[],
  consent: SavedResource | undefined,
): Promise<void> {
  const uses = due.reduce((sum, { uses: own = 0 }) => sum + own, 0);
  const { notices } = target.ports;
  const tries = `${String(due.length)} cases`;
  if (consent === undefined || uses === 0) {
    notices.say(`${tries}; no access of a consent is used.`);
    return;
  }
  const left = await usesLeft(target, consent, await bankTime(target));
  const most = consent.consent?.frequency;
  notices.say(
    `${tries}; up to ${String(uses)} accesses of consent ${consent.id}, one for each endpoint` +
      `${most === undefined ? '' : ` (${String(most)} a day each, ${String(left)} left of the most used)`}.`,
  );
}

function planOf(target: Target, due: readonly Case[]): Outcome {
  return {
    kind: 'rows',
    columns: [
      { key: 'case', title: 'CASE' },
      { key: 'kind', title: 'KIND' },
      { key: 'operation', title: 'OPERATION' },
      { key: 'uses', title: 'ACCESSES', align: 'right' },
      { key: 'needs', title: 'NEEDS' },
      { key: 'about', title: 'WHAT' },
    ],
    rows: due.map(({ name, kind, operation, uses = 0, needs = [], about }) => ({
      case: name,
      kind,
      operation,
      uses,
      needs: needs.length === 0 ? null : needs.join('; '),
      about,
    })),
    nameKey: 'case',
    empty: `Nothing would be tried at ${target.name}.`,
  };
}

function waiversOf({ profile, name }: Target): Outcome {
  const { waivers = [] } = profile;
  return {
    kind: 'rows',
    columns: [
      { key: 'rule', title: 'RULE' },
      { key: 'operation', title: 'OPERATION' },
      { key: 'pointer', title: 'POINTER' },
      { key: 'status', title: 'STATUS', align: 'right' },
      { key: 'reason', title: 'REASON' },
      { key: 'issue', title: 'ISSUE' },
      { key: 'owner', title: 'OWNER' },
      { key: 'since', title: 'SINCE' },
      { key: 'until', title: 'UNTIL' },
    ],
    rows: waivers.map((waiver) => ({ ...waiver })),
    nameKey: 'rule',
    empty: `The description of ${name} has no waivers.`,
  };
}
