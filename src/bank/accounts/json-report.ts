import type { TransactionsResponse } from '../../standard/xs2a/wire-accounts.ts';
import type { Reply } from '../trust/call.ts';
import type { EntryRow } from '../statements/entries.ts';

const chunkLength = 64 * 1024;

/** A list of all entries in one answer, generated while it is sent, so that memory stays constant. */
export function jsonReport(
  head: TransactionsResponse,
  report: object,
  rows: Iterable<EntryRow>,
  detailsOf: (row: EntryRow) => object,
): Reply {
  return {
    status: 200,
    content: { type: 'application/json', chunks: chunks(head, report, rows, detailsOf) },
  };
}

function* chunks(
  head: object,
  report: object,
  rows: Iterable<EntryRow>,
  detailsOf: (row: EntryRow) => object,
): Generator<Uint8Array> {
  let text = `${JSON.stringify(head).slice(0, -1)},"transactions":{"booked":[`;
  let comma = '';
  for (const row of rows) {
    text += comma + JSON.stringify(detailsOf(row));
    comma = ',';
    if (text.length < chunkLength) continue;
    yield Buffer.from(text);
    text = '';
  }
  yield Buffer.from(`${text}],${JSON.stringify(report).slice(1)}}`);
}
