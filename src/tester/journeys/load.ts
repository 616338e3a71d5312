import type { Clock } from '../../client/ports/clock.ts';
import type { CallHeard, JourneyResult } from '../../settings/records/journey-run.ts';
import type { LoadReport, Latencies, LoadMoment, LoadRow } from '../../settings/records/load-report.ts';
import { createHistogram } from 'node:perf_hooks';
import type { RecordableHistogram } from 'node:perf_hooks';

/** How many journeys may fail: a number, or a share of those that have ended. */
export type MaxErrors = { most: number } | { percent: number };

/** How journeys arrive. */
export interface LoadPlan {
  perSecond: number;
  forMs: number;
  /** At most so many journeys run at once; one that is due waits for a free user, and its latency counts from when it was due. */
  users: number;
  maxErrors: MaxErrors;
}

/** A journey that ran. */
export interface Arrived {
  result: JourneyResult;
  calls: readonly CallHeard[];
}

/** How a load stands. */
export interface LoadState {
  atS: number;
  due: number;
  ended: number;
  failed: number;
  running: number;
}

/** What drives a load. */
export interface LoadWorld {
  clock: Clock;
  signal: AbortSignal;
  /** Runs a journey as one of the users, who count from 1; rejects where it was interrupted. */
  arrive: (arrival: number, user: number) => Promise<Arrived>;
  told: (state: LoadState) => void;
}

/** What a load came to, without what the command knows of it. */
export type LoadSummary = Omit<LoadReport, 'run' | 'at' | 'profiles' | 'arrivals'>;

/** A share of errors says something from so many journeys on. */
const enoughForShare = 100;

/** Milliseconds between two looks at a load for a person. */
const toldEveryMs = 250;

/** Whether more have failed than may. */
export const isBeyond = (maxErrors: MaxErrors, failed: number, ended: number): boolean =>
  'most' in maxErrors ? failed > maxErrors.most : failed * 100 > maxErrors.percent * ended;

/**
 * Begins journeys at their times, whatever has become of those before (an open model), and waits for the last one. Latencies
 * count from the time at which a journey was due, so that one that had to wait is not left out (coordinated omission).
 */
export async function drive(plan: LoadPlan, world: LoadWorld): Promise<LoadSummary> {
  const load = new Load(plan, world);
  return load.whole();
}

class Load {
  readonly #plan: LoadPlan;
  readonly #world: LoadWorld;
  readonly #journeys = new LoadSums();
  readonly #operations = new LoadSums();
  readonly #moments: LoadMoments;
  readonly #began: number;
  readonly #total: number;
  readonly #running = new Set<Promise<void>>();
  readonly #free: number[] = [];
  #users = 0;
  #due = 0;
  #begun = 0;
  #sum = { passed: 0, failed: 0, unknown: 0, interrupted: 0 };
  #stopped: LoadReport['stopped'] = null;
  #stopping = false;
  /** What no journey can end with: it ends the load. */
  #broken: { cause: unknown } | undefined;

  constructor(plan: LoadPlan, world: LoadWorld) {
    this.#plan = plan;
    this.#world = world;
    this.#moments = new LoadMoments(plan.forMs);
    this.#began = world.clock.monotonic();
    this.#total = Math.max(1, Math.round((plan.perSecond * plan.forMs) / 1000));
  }

  async whole(): Promise<LoadSummary> {
    const { clock, signal, told } = this.#world;
    const { forMs } = this.#plan;
    let toldAt = -toldEveryMs;
    for (;;) {
      const ms = this.#ms();
      if (signal.aborted) this.#stopped ??= 'interrupted';
      if (this.#stopped !== null || this.#broken !== undefined || ms >= forMs) break;
      this.#arriveUntil(ms);
      this.#moments.until(ms / 1000, this.#running.size);
      if (ms - toldAt >= toldEveryMs) {
        toldAt = ms;
        told(this.#state(ms));
      }
      const next = Math.min(this.#dueAt(this.#due), toldAt + toldEveryMs, forMs);
      // An interruption is seen at the next look.
      await clock.sleep(Math.max(1, next - this.#ms()));
    }
    if (this.#stopped === null) this.#arriveUntil(forMs);
    const forS = Math.min(this.#ms(), forMs) / 1000;
    const endedMeanwhile = { journeys: this.#journeys.ended, calls: this.#operations.ended };
    // What was due and had no free user by now does not begin any more.
    this.#stopping = true;
    const over = new AbortController();
    const all = Promise.all(this.#running).then(() => {
      over.abort();
    });
    while (this.#running.size > 0) {
      await clock.sleep(toldEveryMs, over.signal).catch(() => undefined);
      this.#moments.until(this.#ms() / 1000, this.#running.size);
      told(this.#state(this.#ms()));
    }
    await all;
    if (this.#broken !== undefined) throw this.#broken.cause;
    const ms = this.#ms();
    const each = (count: number) => Math.round((count / Math.max(forS, 0.001)) * 10) / 10;
    return {
      tookS: Math.round(ms) / 1000,
      due: this.#due,
      begun: this.#begun,
      notBegun: this.#due - this.#begun,
      ...this.#sum,
      stopped: this.#stopped,
      perSecond: { journeys: each(endedMeanwhile.journeys), calls: each(endedMeanwhile.calls) },
      journeys: this.#journeys.rows(),
      operations: this.#operations.rows(),
      moments: this.#moments.whole(ms / 1000),
    };
  }

  #ms(): number {
    return this.#world.clock.monotonic() - this.#began;
  }

  #dueAt(arrival: number): number {
    return (arrival * 1000) / this.#plan.perSecond;
  }

  #state(ms: number): LoadState {
    const { passed, failed, unknown } = this.#sum;
    return {
      atS: ms / 1000,
      due: this.#due,
      ended: passed + failed + unknown,
      failed: failed + unknown,
      running: this.#running.size,
    };
  }

  #arriveUntil(ms: number): void {
    while (this.#due < this.#total && this.#dueAt(this.#due) <= ms) {
      this.#moments.until(this.#dueAt(this.#due) / 1000, this.#running.size);
      this.#due += 1;
      this.#moments.due();
    }
    this.#begin();
  }

  /** Begins what is due, as far as users are free. */
  #begin(): void {
    while (
      !this.#stopping &&
      this.#stopped === null &&
      this.#broken === undefined &&
      this.#begun < this.#due
    ) {
      const user = this.#free.pop() ?? (this.#users < this.#plan.users ? (this.#users += 1) : undefined);
      if (user === undefined) return;
      const arrival = this.#begun;
      this.#begun += 1;
      const running = this.#run(arrival, user)
        .catch((cause: unknown) => {
          this.#broken ??= { cause };
        })
        .then(() => {
          this.#running.delete(running);
          this.#free.push(user);
          this.#begin();
        });
      this.#running.add(running);
    }
  }

  async #run(arrival: number, user: number): Promise<void> {
    const dueAt = this.#began + this.#dueAt(arrival);
    const { clock } = this.#world;
    const { result, calls } = await this.#world.arrive(arrival, user);
    // What may have been sent is no interruption alone.
    if (result.interrupted === true && result.verdict !== 'unknown') {
      this.#sum.interrupted += 1;
      return;
    }
    for (const [at, { operation, durationMs, endedAt, code }] of calls.entries())
      this.#operations.add(operation, at === 0 ? endedAt - dueAt : durationMs, code);
    const latency = clock.monotonic() - dueAt;
    const code = failureOf(result);
    this.#journeys.add(result.journey, latency, code);
    this.#moments.ended(latency, code !== null);
    this.#sum[result.verdict === 'unknown' ? 'unknown' : code === null ? 'passed' : 'failed'] += 1;
    const { failed, ended } = this.#state(0);
    const { maxErrors } = this.#plan;
    if (('most' in maxErrors || ended >= enoughForShare) && isBeyond(maxErrors, failed, ended))
      this.#stopped ??= 'errors';
  }
}

/** Where a journey failed and why: the step with the code of its error, or with the first expectation that did not hold. */
function failureOf({ verdict, steps }: JourneyResult): string | null {
  if (verdict !== 'failed' && verdict !== 'unknown') return null;
  const step = steps.find((one) => one.verdict === 'failed' || one.verdict === 'unknown');
  const wrong = step?.checks.find(({ ok, what }) => !ok && (what !== 'exit' || step.error === undefined));
  const why = step?.error?.code ?? (wrong === undefined ? step?.why : `expected ${wrong.what}`) ?? verdict;
  return `${step?.name ?? ''}: ${why}`.slice(0, 200);
}

/** A code of a bank may be any text: beyond so many of them the rest counts as one. */
const mostCodes = 40;
const restOfCodes = 'others';

/** Latencies in microseconds, up to an hour, with three significant digits: the same memory however many there are. */
const histogram = (): RecordableHistogram =>
  createHistogram({ lowest: 1, highest: 3_600_000_000, figures: 3 });

const microseconds = (ms: number): number => Math.min(3_600_000_000, Math.max(1, Math.round(ms * 1000)));

/** Counts what ended by name, with latencies and codes of errors. */
class LoadSums {
  readonly #rows = new Map<
    string,
    { ended: number; failed: number; all: RecordableHistogram; errors: Map<string, number> }
  >();

  /** `code` says why it failed; null where it did not. */
  add(name: string, latencyMs: number, code: string | null): void {
    const row = this.#rows.get(name) ?? {
      ended: 0,
      failed: 0,
      all: histogram(),
      errors: new Map<string, number>(),
    };
    this.#rows.set(name, row);
    row.ended += 1;
    row.all.record(microseconds(latencyMs));
    if (code === null) return;
    row.failed += 1;
    const known = row.errors.has(code) || row.errors.size < mostCodes ? code : restOfCodes;
    row.errors.set(known, (row.errors.get(known) ?? 0) + 1);
  }

  get ended(): number {
    return [...this.#rows.values()].reduce((sum, { ended }) => sum + ended, 0);
  }

  rows(): LoadRow[] {
    return [...this.#rows].map(([name, { ended, failed, all, errors }]) => ({
      name,
      ended,
      failed,
      latencyMs: latenciesOf(all),
      errors: Object.fromEntries([...errors].sort(([, one], [, other]) => other - one)),
    }));
  }
}

function latenciesOf(all: RecordableHistogram): Latencies | null {
  if (all.count === 0) return null;
  const ms = (value: number) => Math.round(value) / 1000;
  const at = (percent: number) => ms(all.percentile(percent));
  return {
    mean: ms(all.mean),
    min: ms(all.min),
    max: ms(all.max),
    p50: at(50),
    p75: at(75),
    p90: at(90),
    p95: at(95),
    p99: at(99),
    p999: at(99.9),
  };
}

/** At most about so many slices of time, each of a second or more. */
const mostMoments = 120;

/** Counts by slices of time. */
class LoadMoments {
  readonly #all = histogram();
  readonly #moments: LoadMoment[] = [];
  readonly #lengthS: number;
  #end: number;
  #now = { due: 0, ended: 0, failed: 0 };

  constructor(forMs: number) {
    this.#lengthS = Math.max(1, Math.ceil(forMs / 1000 / mostMoments));
    this.#end = this.#lengthS;
  }

  due(): void {
    this.#now.due += 1;
  }

  ended(latencyMs: number, failed: boolean): void {
    this.#now.ended += 1;
    if (failed) this.#now.failed += 1;
    this.#all.record(microseconds(latencyMs));
  }

  /** Closes the slices that have ended by then. */
  until(atS: number, running: number): void {
    while (atS >= this.#end) this.#close(this.#end, running);
  }

  /** All slices, the last one as far as it went. */
  whole(atS: number): readonly LoadMoment[] {
    this.until(atS, 0);
    const { due, ended } = this.#now;
    if (due > 0 || ended > 0) this.#close(atS, 0);
    return this.#moments;
  }

  #close(atS: number, running: number): void {
    const some = this.#all.count > 0;
    const at = (percent: number) => (some ? Math.round(this.#all.percentile(percent)) / 1000 : null);
    const { due, ended, failed } = this.#now;
    this.#moments.push({
      atS: Math.round(atS * 1000) / 1000,
      due,
      ended,
      failed,
      running,
      p50Ms: at(50),
      p99Ms: at(99),
    });
    this.#all.reset();
    this.#now = { due: 0, ended: 0, failed: 0 };
    this.#end += this.#lengthS;
  }
}
