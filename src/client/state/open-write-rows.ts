import { defined } from '../../base/defined.ts';
import type { JournalRecord, OpenWrite } from '../../settings/records/journal.ts';
import type { Header } from '../../settings/records/wire.ts';
import type { Codec, Row } from '../ports/engine.ts';
import type { Part } from './commit.ts';
import { openIn, sealIn } from './sealed-rows.ts';
import { openWrites, read } from './tables.ts';
import type { RowOf } from './tables.ts';

export type OpenWriteRow = RowOf<typeof openWrites>;

/** What is kept of a write until its end is known. */
export type Mark = Omit<OpenWrite, 'run' | 'exchange' | 'alive' | 'host'> & {
  exact: { headers: readonly Header[]; body: string } | null;
};

/** The mark of a write that is about to be sent. */
export function markOf(record: Extract<JournalRecord, { type: 'prepared' }>, profile: string): Mark {
  const { operation, at, requestId, bodySha256, intent, resource, exact = null } = record;
  return {
    ...{ operation, at, requestId, bodySha256, exact, profile },
    ...defined({ intent, resource }),
  };
}

/** The mark of a row; undefined where a bit of it is not as it was written. */
export function opened(codec: Codec, found: Row): { row: OpenWriteRow; mark: Mark } | undefined {
  const row = read(openWrites, found);
  const mark = row && (openIn(codec, openWrites, 'mark', row) as Mark | undefined);
  return row === undefined || mark === undefined ? undefined : { row, mark };
}

/** What becomes of the open write of an exchange. */
export function ofExchange(run: string, exchange: string, next: Part['next']): Part {
  return { of: openWrites, where: 'run = ?1 AND exchange = ?2', values: [run, exchange], next };
}

/** The row of a write with its mark. */
export function rowOf(codec: Codec, key: Omit<OpenWriteRow, 'mark'>, mark: Mark): OpenWriteRow {
  return { ...key, mark: sealIn(codec, openWrites, 'mark', key, mark) };
}
