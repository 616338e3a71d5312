import type { Context, LoadRuns } from '../../context.ts';
import { exitCodes } from '../../../base/errors.ts';
import type { ExitCode } from '../../../base/errors.ts';
import { needLoadAllowed } from '../../../client/profile/load-allowed.ts';
import type { JourneyStep } from '../../../tester/journeys/journey.ts';
import { drive, isBeyond } from '../../../tester/journeys/load.ts';
import type { Arrived, LoadPlan, LoadState, LoadSummary } from '../../../tester/journeys/load.ts';
import { runJourney } from '../../../tester/journeys/run-journey.ts';
import type { BankInside, World } from '../../../tester/journeys/run-step.ts';
import { banksInside } from './bank-inside.ts';
import { isOfBank } from '../../../tester/journeys/trust.ts';
import type { Outcome } from '../../outcome.ts';
import type { BankPerson } from '../../../bank/door.ts';
import type { CallHeard } from '../../../settings/records/journey-run.ts';
import type { LoadReport } from '../../../settings/records/load-report.ts';
import { loadLines } from '../../render/load-lines.ts';
import { usageError } from '../flags/flag-values.ts';
import { chosenProfile } from '../run/with-target.ts';
import type { Due } from './passages.ts';

/** The load that was asked for; `page` is the file of the page about it. */
interface WantedLoad {
  due: readonly Due[];
  plan: LoadPlan;
  page: string | undefined;
}

/** Puts load on banks by journeys. Throws POLICY, USAGE. */
export async function runLoad(
  context: Context,
  { due, plan, page }: WantedLoad,
  world: (due: Due, signal: AbortSignal) => World,
): Promise<Outcome> {
  const { ports } = context;
  const profiles = [...new Set(due.map(({ profile }) => profile))];
  for (const one of due) needLoadable(one);
  for (const name of profiles) needLoadAllowed(await ofProfile(context, name));
  const fit = due.filter(({ journey, offers }) => journey.needs.every((one) => offers.includes(one)));
  if (fit.length === 0) throw usageError('The profile offers none of the journeys what it needs.');
  const runs = await context.openLoad();
  const bankInside = withKnownPeople(banksInside(context));
  const never = new AbortController().signal;
  const at = ports.clock.now().toISOString();
  const isWatched = context.process.stderr.isTTY === true;
  const progress = isWatched ? ports.notices.progress('load') : undefined;
  let summary: LoadSummary;
  try {
    summary = await drive(plan, {
      clock: ports.clock,
      signal: context.signal,
      arrive: (arrival, user) => arriveOnce(fit[arrival % fit.length] as Due, user),
      told: (state) => progress?.update(liveLine(state, plan)),
    });
  } finally {
    progress?.stop();
  }

  async function arriveOnce(one: Due, user: number): Promise<Arrived> {
    const calls: CallHeard[] = [];
    const place = heard(runs, calls);
    const own = (signal: AbortSignal): World => ({
      ...world(one, signal),
      judged: undefined,
      run: (words, how) => place(words, { ...how, signal }),
      bankInside,
      human: undefined,
    });
    const passage = { ...one, user, journey: judgedAlone(one.journey) };
    const result = await runJourney(own(context.signal), passage, () => undefined, own(never));
    return { result, calls };
  }

  const report: LoadReport = {
    run: ports.journal.run,
    at,
    profiles,
    arrivals: {
      perSecond: plan.perSecond,
      forS: plan.forMs / 1000,
      users: plan.users,
      maxErrors:
        'most' in plan.maxErrors ? String(plan.maxErrors.most) : `${String(plan.maxErrors.percent)}%`,
    },
    ...summary,
  };
  if (page !== undefined) {
    const { loadHtml } = await import('../../render/load-page.ts');
    const text = loadHtml(report, { version: context.process.version });
    await ports.files.write(page, Buffer.from(text), { force: true });
  }
  const exit = exitOf(report, plan, context.signal);
  return { kind: 'data', data: report, text: (style) => loadLines(report, style), exit, name: report.run };
}

/** Runs the command lines of one journey, and gathers their calls. */
function heard(runs: LoadRuns, calls: CallHeard[]): ReturnType<LoadRuns['place']> {
  const place = runs.place();
  return async (words, how) => {
    const ended = await place(words, how);
    calls.push(...ended.calls);
    return ended;
  };
}

async function ofProfile(context: Context, name: string) {
  const own = { ...context, globals: { ...context.globals, profile: name } };
  const { profile } = await chosenProfile(own);
  return { name, environment: profile.environment, profile };
}

/** The PSUs of the bank inside with their secrets, which are the same for all users. */
function withKnownPeople(find: World['bankInside']): World['bankInside'] {
  const known = new Map<BankInside, Promise<readonly BankPerson[]>>();
  return async (profile) => {
    const bank = await find(profile);
    if (bank === undefined) return undefined;
    const people = () => {
      const found = known.get(bank) ?? bank.people();
      known.set(bank, found);
      return found;
    };
    return { ...bank, people };
  };
}

/** The ledger and the findings of the bank inside belong to all users at once. */
function judgedAlone(journey: Due['journey']): Due['journey'] {
  const without = (step: JourneyStep): JourneyStep => {
    const { ledger: _, findings: __, ...expect } = step.expect;
    return { ...step, expect };
  };
  return { ...journey, steps: journey.steps.map(without), always: journey.always.map(without) };
}

/** Under load nothing of this machine is changed, and nobody is asked. */
function needLoadable({ found, journey }: Due): void {
  const changing = [...journey.steps, ...journey.always].find(({ command }) => !isOfBank(command));
  if (changing !== undefined)
    throw usageError(
      `${found.file}:${String(changing.line)}: obk ${changing.command} changes this machine, and is no step of a load.`,
    );
}

/** A write of unknown outcome goes before everything else; what did not begin was not the load that was asked for. */
function exitOf(report: LoadReport, plan: LoadPlan, signal: AbortSignal): ExitCode {
  const { unknown, failed, passed, notBegun, stopped } = report;
  if (unknown > 0) return exitCodes.unknown;
  if (stopped === 'interrupted') {
    const { exit } = signal.reason as { exit?: ExitCode };
    return exit ?? exitCodes.interrupted;
  }
  const isRight =
    !isBeyond(plan.maxErrors, failed, passed + failed) && notBegun === 0 && stopped === null && passed > 0;
  return isRight ? exitCodes.ok : exitCodes.expectation;
}

const liveLine = ({ atS, due, ended, failed, running }: LoadState, { forMs }: LoadPlan): string =>
  `${atS.toFixed(0)} of ${String(forMs / 1000)} s: ${String(due)} due, ${String(ended)} ended ` +
  `(${(ended / Math.max(atS, 0.1)).toFixed(1)}/s), ${String(running)} running, ${String(failed)} failed`;
