import type { Flags, OptionsOf, Register, Run } from '../../command.ts';
import type { Context, CallJudge } from '../../context.ts';
import { exitCodes } from '../../../base/errors.ts';
import type { ExitCode } from '../../../base/errors.ts';
import { daysOf } from '../../../client/evidence/retention.ts';
import { maskAccounts } from '../../../client/redaction/masking.ts';
import { inStreams } from '../../../tester/journeys/command-end.ts';
import { keptFolder, mostKept, pruneKept } from '../../../tester/journeys/kept-runs.ts';
import { runJourney } from '../../../tester/journeys/run-journey.ts';
import type { World, CallsJudged } from '../../../tester/journeys/run-step.ts';
import { worst } from '../../../tester/journeys/verdict.ts';
import type { JourneyResult } from '../../../settings/records/journey-run.ts';
import { needHarmlessFile } from '../../../tester/journeys/trust.ts';
import type { Outcome } from '../../outcome.ts';
import { journeyHtml } from '../../render/journey-page.ts';
import { journeyJunit } from '../../render/journey-junit.ts';
import { annotationFormats, annotations, journeyLine, journeyLines } from '../../render/journey-lines.ts';
import { plainStyle } from '../../render/style.ts';
import { oneOf, duration, integer, usageError } from '../flags/flag-values.ts';
import { exitName } from '../output/exit-meanings.ts';
import { banksInside } from './bank-inside.ts';
import { commandsOf, readJourneys } from './journey-files.ts';
import type { FoundJourney } from './journey-files.ts';
import { boundSecrets, needTakenValues, passageFlags, passagesOf } from './passages.ts';
import type { Due } from './passages.ts';
import { planOutcome } from './plan.ts';
import type { LoadPlan, MaxErrors } from '../../../tester/journeys/load.ts';
import type { RunJudge } from '../../../tester/check/run-judge.ts';
import type { CaseFinding } from '../../../settings/records/check-run.ts';
import { harOfViews } from '../../../client/evidence/har.ts';
import type { ExchangeView } from '../../../settings/records/exchange.ts';

const flags = (command: Flags) =>
  loadFlags(
    passageFlags(command)
      .option('--bail', 'begin no further one after the first that fails')
      .option('--plan', 'show what would run; nothing is sent')
      .option('--junit <FILE>', 'write a JUnit file')
      .option('--html <FILE>', 'write a page to send; of a load one with curves')
      .option(
        '--annotations <FORMAT>',
        `tell a CI server of failures: ${annotationFormats.join(', ')}`,
        oneOf('--annotations', annotationFormats),
      ),
  );

type Options = OptionsOf<typeof flags>;

export const register: Register = (command, start) =>
  start(
    flags(command),
    {
      about: 'Run journeys: steps in the words of obk, and what each must come to',
      examples: [
        'obk journey run pay.yaml',
        'obk journey run pay-redirect --profile sandbox',
        'obk journey run journeys --tag embedded --parallel 4 --junit junit.xml',
        'obk journey run pay.yaml --profiles bank-a,bank-b --secret otp=env:OTP --json',
        'obk journey run pay.yaml --plan',
        'obk journey run pay.yaml --arrivals 5/s --for 2s --users 10 --html load.html',
      ],
      exits: [2, 3, 10, 12],
      more: ['obk help journey list', 'obk help references'],
    },
    run,
  );

const run: Run<Options> = async (context, options) => {
  const { ports } = context;
  const commands = await commandsOf(context);
  const found = await readJourneys(context, options.file, commands);
  const plan = loadPlan(options);
  const due = await passagesOf(context, found, options);
  await needTakenValues(context, due);
  if (options.plan === true) return planOutcome(due);
  const bound = boundSecrets(found, options.secret);
  const { trustedJourneys = {} } = await ports.settings.read();
  const isTrusted = ({ path, sha256 }: FoundJourney) =>
    Object.hasOwn(trustedJourneys, path) && trustedJourneys[path] === sha256;
  for (const { found: one } of due)
    if (!isTrusted(one)) needHarmlessFile(one.file, one.journey, commands, new Set(bound.keys()));
  const bankInside = banksInside(context);
  const traced = tracedCalls(context);
  const world = (one: Due, signal: AbortSignal): World => {
    const judge = traced(callsJudged(context));
    return {
      run: inStreams((words, how) => context.runCommand(words, { ...how, signal, judge })),
      judged: judge,
      commands,
      bankInside,
      clock: ports.clock,
      secrets: ports.secrets,
      human: ports.person.present ? ports.person : undefined,
      say: (text) => {
        ports.notices.say(text);
      },
      bound,
      trusted: isTrusted(one.found),
      file: one.found.file,
      folder: one.found.folder,
      isWithin: (...paths) => ports.files.isWithin(...paths),
      exitName,
      signal,
    };
  };
  if (plan !== undefined) {
    const { runLoad } = await import('./run-load.ts');
    return runLoad(context, { due, plan, page: options.html }, world);
  }
  const begun = ports.clock.now();
  const results = await runAll(context, due, options, world);
  return finish(context, options, { run: ports.journal.run, at: begun.toISOString(), due, results });
};

/** Runs them, some at once, in the order in which they are due; each is told of as it ends. Undefined is what did not begin any more. */
async function runAll(
  context: Context,
  due: readonly Due[],
  { parallel, bail = false }: Options,
  world: (due: Due, signal: AbortSignal) => World,
): Promise<readonly (JourneyResult | undefined)[]> {
  const { notices } = context.ports;
  const results = new Array<JourneyResult | undefined>(due.length).fill(undefined);
  const progress = notices.progress(due.length === 1 ? '1 journey' : `${String(due.length)} journeys`);
  let [next, ended, stopped] = [0, 0, false];
  // What looks at the ledger of the bank inside, or at its findings, must be alone there.
  const isAlone = ({ journey }: Due) =>
    journey.steps.some(({ expect }) => expect.ledger !== undefined || expect.findings !== undefined);
  const order = [...due.keys()];
  const together = order.filter((at) => !isAlone(due[at] as Due));
  const alone = order.filter((at) => isAlone(due[at] as Due));
  const work = async (queue: readonly number[]) => {
    for (;;) {
      const at = stopped || context.signal.aborted ? undefined : queue[next];
      if (at === undefined) return;
      const one = due[at] as Due;
      next += 1;
      const tell = () => {
        progress.update(`${String(ended)} of ${String(due.length)} journeys: ${one.journey.name}`);
      };
      tell();
      // What cleans up runs on where the run was interrupted.
      const cleaning = world(one, new AbortController().signal);
      const result = await runJourney(world(one, context.signal), one, tell, cleaning);
      results[at] = result;
      ended += 1;
      // What is told is cleaned on its way, so it has no colours of its own.
      notices.say(journeyLine(result, plainStyle));
      // One that is left out has not failed.
      if (bail && (result.verdict === 'failed' || result.verdict === 'unknown')) stopped = true;
    }
  };
  try {
    if (parallel === 1) await work(order);
    else {
      await Promise.all(Array.from({ length: parallel }, () => work(together)));
      next = 0;
      await work(alone);
    }
  } finally {
    progress.stop();
  }
  return results;
}

interface Ended {
  run: string;
  at: string;
  due: readonly Due[];
  /** Of each that was due; undefined where it did not begin any more. */
  results: readonly (JourneyResult | undefined)[];
}

async function finish(context: Context, options: Options, ended: Ended): Promise<Outcome> {
  const { files, notices } = context.ports;
  const { run: id, at, due } = ended;
  const results = ended.results.filter((one) => one !== undefined);
  const left = due.length - results.length;
  // A report for others has every journey that was due.
  const whole = due.map((one, place) => ended.results[place] ?? notBegun(one, at));
  const count = (verdict: JourneyResult['verdict']) =>
    results.filter((one) => one.verdict === verdict).length;
  const data = {
    run: id,
    at,
    passed: count('passed'),
    failed: count('failed'),
    unknown: count('unknown'),
    notRun: left + count('skipped'),
    journeys: results.map(documentOf),
  };
  const made = { at, version: context.process.version, run: id };
  // What is kept to be compared has no exchange and no account number: the journal has them, and forgets them in time.
  const kept = maskAccounts(JSON.stringify({ ...data, journeys: results.map(withoutCalls) }));
  await files.write(`${keptFolder(context.directories.state)}/${id}.json`, Buffer.from(`${kept}\n`), {
    force: true,
    folder: true,
  });
  const { retention } = await context.ports.settings.read();
  const age = retention === undefined ? undefined : daysOf(retention) * 86_400_000;
  await pruneKept(files, context.directories.state, {
    ...(age !== undefined && { before: new Date(context.ports.clock.now().getTime() - age) }),
    allBut: mostKept,
  });
  if (options.junit !== undefined)
    await files.write(options.junit, Buffer.from(journeyJunit(whole, made)), { force: true });
  if (options.html !== undefined)
    await files.write(options.html, Buffer.from(maskAccounts(journeyHtml(whole, made))), { force: true });
  if (options.annotations !== undefined)
    for (const text of annotations(results, options.annotations)) notices.say(text);
  return {
    kind: 'data',
    data,
    text: (style) => journeyLines(results, left, style),
    exit: exitOf(results, left, context.signal),
    name: id,
  };
}

const notBegun = ({ journey, found, profile }: Due, at: string): JourneyResult => ({
  ...{ journey: journey.name, file: found.file, profile, tags: journey.tags, at },
  ...{ verdict: 'skipped', why: 'it did not begin any more', durationMs: 0, steps: [] },
});

/**
 * A write of unknown outcome goes before everything else, and a bug of obk before a step that failed; a run in which nothing
 * passed is no success.
 */
function exitOf(results: readonly JourneyResult[], left: number, signal: AbortSignal): ExitCode {
  const verdict = worst(results.map((one) => one.verdict));
  if (verdict === 'unknown') return exitCodes.unknown;
  if (signal.aborted) return (signal.reason as { exit?: ExitCode }).exit ?? exitCodes.interrupted;
  const isBug = ({ steps }: JourneyResult) =>
    steps.some((step) => step.verdict === 'failed' && step.error?.code === 'INTERNAL');
  if (results.some(isBug)) return exitCodes.internal;
  return verdict === 'passed' && left === 0 ? exitCodes.ok : exitCodes.expectation;
}

const withoutCalls = (result: JourneyResult): object => ({
  ...result,
  steps: result.steps.map((step) => ({ ...step, calls: [] })),
});

/** The exchanges stand with the steps that did not pass. */
function documentOf(result: JourneyResult): object {
  return {
    ...result,
    steps: result.steps.map(({ calls, ...step }) => ({
      ...step,
      calls: calls.map(({ facts, ...call }) =>
        step.verdict === 'passed' ? call : { ...call, exchange: facts },
      ),
    })),
  };
}

/** Adds the flags of a load. */
const loadFlags = <Own>(command: Flags<Own>) =>
  command
    .optionsGroup('LOAD FLAGS')
    .option(
      '--arrivals <N/s>',
      'so many begin a second (or minute), whatever became of those before',
      arrivals,
    )
    .option('--for <DURATION>', 'for so long', duration('--for'))
    .option(
      '--users <N>',
      'at most so many at once (200); $user.number is one of them',
      integer('--users', 1, 10_000),
    )
    .option('--max-errors <N>', 'stop when more have failed: a number, or a share such as 1%', maxErrors);

type LoadOptions = OptionsOf<typeof loadFlags>;

/** Reads how many journeys arrive: 50/s, 90/m. */
function arrivals(text: string): number {
  const [, count = '', unit = ''] = /^([0-9]{1,6}(?:\.[0-9]{1,3})?)\/(s|m)$/.exec(text) ?? [];
  const perSecond = Number(count) / (unit === 'm' ? 60 : 1);
  if (unit !== '' && perSecond > 0 && perSecond <= 100_000) return perSecond;
  throw usageError(
    `--arrivals takes a number a second or minute, such as 50/s or 90/m; not ${JSON.stringify(text)}.`,
  );
}

/** Reads a bound on errors: a number, or a share. */
function maxErrors(text: string): MaxErrors {
  const [, number = '', percent = ''] = /^([0-9]{1,9}(?:\.[0-9]{1,3})?)(%?)$/.exec(text) ?? [];
  if (percent !== '' && Number(number) <= 100) return { percent: Number(number) };
  if (percent === '' && /^[0-9]+$/.test(number)) return { most: Number(number) };
  throw usageError(`--max-errors takes a number or a share, such as 10 or 1%; not ${JSON.stringify(text)}.`);
}

/** Flags that a load has no use for, by the member that says whether they were given. */
const withoutUse = {
  parallel: '--parallel',
  repeat: '--repeat',
  bail: '--bail',
  junit: '--junit',
  annotations: '--annotations',
} as const;

/** The plan of a load; undefined where none is wanted. Throws USAGE for flags that do not go together. */
function loadPlan(
  options: LoadOptions & Partial<Record<keyof typeof withoutUse, unknown>>,
): LoadPlan | undefined {
  const { arrivals: perSecond, for: forMs, users = 200, maxErrors: most = { percent: 1 } } = options;
  if (perSecond === undefined) {
    for (const name of ['for', 'users', 'maxErrors'] as const)
      if (options[name] !== undefined)
        throw usageError(
          `${name === 'maxErrors' ? '--max-errors' : `--${name}`} belongs to a load.`,
          '--arrivals 50/s',
        );
    return undefined;
  }
  if (forMs === undefined) throw usageError('A load needs its time.', '--for 60s');
  if (forMs < 100) throw usageError('A load takes at least 100 ms.', '--for 60s');
  for (const [name, flag] of Object.entries(withoutUse)) {
    const given = options[name as keyof typeof withoutUse];
    if (given !== undefined && given !== 1 && given !== false)
      throw usageError(`${flag} has no use beside --arrivals.`);
  }
  return { perSecond, forMs, users, maxErrors: most };
}

type Heard = Parameters<CallJudge['heard']>;

/** Hears the calls of a journey and judges them where a step asks for it, so that one that passes costs nothing. */
function callsJudged({ ports, judge }: Pick<Context, 'ports' | 'judge'>): CallJudge & CallsJudged {
  let heard: Heard[] = [];
  let judged: Promise<RunJudge> | undefined;
  const found = async (calls: readonly Heard[]): Promise<CaseFinding[]> => {
    judged ??= import('../../../tester/check/run-judge.ts').then((own) => new own.RunJudge(ports.clock));
    const own = await judged;
    for (const call of calls) own.heard(...call);
    return (await own.told()).found.flatMap(({ findings }) => findings);
  };
  return {
    heard(...call) {
      heard.push(call);
      judge?.heard(...call);
    },
    count: () => heard.length,
    async since(count) {
      // What came before says what the order of the later ones must be.
      const [before, own] = [heard.slice(0, count), heard.slice(count)];
      heard = [];
      await found(before);
      return found(own);
    },
  };
}

/** Keeps what a judge of calls hears for the file of --trace, which is written when the run has ended. */
function tracedCalls(context: Context): <Judge extends CallJudge>(judge: Judge) => Judge {
  const { trace } = context.globals;
  if (trace === undefined) return (judge) => judge;
  const views: ExchangeView[] = [];
  context.atEnd(async () => {
    const document = harOfViews(views, { name: 'obk', version: context.process.version });
    await context.ports.files.write(trace, Buffer.from(`${JSON.stringify(document, undefined, 2)}\n`), {
      force: true,
    });
  });
  return (judge) => ({
    ...judge,
    heard(view, bank) {
      views.push(view);
      judge.heard(view, bank);
    },
  });
}
