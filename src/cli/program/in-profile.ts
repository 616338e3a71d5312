import { forProfile } from '../../base/command-line.ts';
import type { ProfileInUse } from '../../base/command-line.ts';
import type { Context } from '../context.ts';
import type { DataOutcome, Outcome, RowsOutcome, WatchOutcome } from '../outcome.ts';
import { batchOf } from '../render/table.ts';

/** The outcome whose next steps are meant for the profile of the run, wherever they stand. */
export function inProfile(outcome: Outcome, context: Pick<Context, 'inUse'>): Outcome {
  if (outcome.kind === 'watch') return { kind: 'watch', results: each(outcome.results, context) };
  const { inUse } = context;
  if (inUse === undefined) return outcome;
  return outcome.kind === 'data' ? ofData(outcome, inUse) : ofRows(outcome, inUse);
}

async function* each(
  results: WatchOutcome['results'],
  { inUse }: Pick<Context, 'inUse'>,
): WatchOutcome['results'] {
  for (;;) {
    const { done, value } = await results.next();
    if (done === true) return value;
    yield inUse === undefined ? value : ofData(value, inUse);
  }
}

function ofData(outcome: DataOutcome, inUse: ProfileInUse): DataOutcome {
  const { data, next } = outcome;
  return {
    ...outcome,
    data: typeof data === 'object' && data !== null && !Array.isArray(data) ? ofRow(data, inUse) : data,
    ...(next === undefined ? {} : { next: next.map((one) => forProfile(one, inUse)) }),
  };
}

function ofRows(outcome: RowsOutcome, inUse: ProfileInUse): RowsOutcome {
  async function* rows() {
    for await (const some of outcome.rows) yield batchOf(some).map((row) => ofRow(row, inUse));
  }
  const own = outcome.columns.some(({ key }) => key === 'next');
  return Object.defineProperty({ ...outcome, ...(own ? { rows: rows() } : {}) }, 'next', {
    // Looked at after the last row, which may have changed it.
    get: () => outcome.next?.map((one) => forProfile(one, inUse)),
    enumerable: true,
  });
}

function ofRow<T extends object>(row: T, inUse: ProfileInUse): T {
  const { next } = row as { next?: unknown };
  return typeof next === 'string' ? { ...row, next: forProfile(next, inUse) } : row;
}
