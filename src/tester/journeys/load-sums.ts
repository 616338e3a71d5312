import { createHistogram } from 'node:perf_hooks';
import type { RecordableHistogram } from 'node:perf_hooks';
import type { Latencies, LoadMoment, LoadRow } from '../../settings/records/load-report.ts';

/** A code of a bank may be any text: beyond so many of them the rest counts as one. */
const mostCodes = 40;
const restOfCodes = 'others';

/** Latencies in microseconds, up to an hour, with three significant digits: the same memory however many there are. */
const histogram = (): RecordableHistogram =>
  createHistogram({ lowest: 1, highest: 3_600_000_000, figures: 3 });

const microseconds = (ms: number): number => Math.min(3_600_000_000, Math.max(1, Math.round(ms * 1000)));

/** Counts what ended by name, with latencies and codes of errors. */
export class LoadSums {
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
export class LoadMoments {
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
