/** Account reports of every kind as one stream of rows, accounts, balances and links, in constant memory. */
import { ObkError } from '../../errors.ts';
import { camtReport } from '../camt/camt.ts';
import { mtReport } from '../mt940/mt940.ts';
import { jsonEntries, jsonReport } from '../json/report-json.ts';
import type { ReportItem, ReportHints, ReportReader } from '../rows/report-reader.ts';
import { reportFiles } from './report-source.ts';

type Make<Piece, Item> = (hints: ReportHints, give: (item: Item) => void) => ReportReader<Piece>;

/**
 * Reads an account report from its bytes, in pieces of any size, each looked at before the next is asked for: JSON lists of accounts and card accounts (1.3.2 to
 * 1.3.12), camt.052, .053 and .054, MT940 and MT942, one of them or several in gzip or zip. Returns what each piece makes
 * whole, since a list of a million items would wait a million times. Throws ObkError with `hints.code` and the place where
 * it cannot be read on; what was given before stays true.
 */
export async function* readReport(
  chunks: AsyncIterable<Uint8Array>,
  hints: ReportHints = {},
): AsyncGenerator<readonly ReportItem[]> {
  for await (const file of reportFiles(chunks, hints)) {
    if (file.kind === 'json') yield* itemsOf(file.bytes, hints, jsonReport);
    else {
      yield* itemsOf(file.text, hints, file.kind === 'xml' ? camtReport : mtReport);
      const { charset } = file.guess ?? {};
      const detail = `nothing says which characters it has; they were read as ${charset ?? ''}`;
      if (charset !== undefined) yield [{ kind: 'problem', problem: { code: 'charset-guessed', detail } }];
    }
  }
}

/**
 * Returns the entries of a JSON list as they were written, each on a line of its own (NDJSON), in blocks of whole lines; of the
 * list's further lists (pending, information) too. A block is true until the next is asked for. Throws as `readReport`, and INPUT_INVALID where the report is not JSON.
 */
export async function* readEntries(
  chunks: AsyncIterable<Uint8Array>,
  limit: number,
  hints: ReportHints = {},
): AsyncGenerator<Uint8Array> {
  let left = limit;
  for await (const file of reportFiles(chunks, hints)) {
    if (file.kind !== 'json') throw notJson(file.kind);
    for await (const blocks of itemsOf(file.bytes, hints, jsonEntries))
      for (const { bytes, ends } of blocks) {
        yield bytes.subarray(0, ends[left - 1]);
        left -= ends.length;
        if (left <= 0) return;
      }
  }
}

function notJson(kind: 'xml' | 'mt'): ObkError {
  return new ObkError({
    code: 'INPUT_INVALID',
    title: 'Only a report in JSON has entries in JSON.',
    detail: `This one is ${kind === 'xml' ? 'camt' : 'MT940 or MT942'}.`,
    hint: ['-o ndjson   # without --raw: a row for each transaction'],
  });
}

async function* itemsOf<Piece, Item>(
  pieces: AsyncIterable<Piece>,
  hints: ReportHints,
  make: Make<Piece, Item>,
): AsyncGenerator<readonly Item[]> {
  let items: Item[] = [];
  const reader = make(hints, (item) => {
    items.push(item);
  });
  for await (const piece of withEnd(pieces)) {
    let failure: { readonly thrown: unknown } | undefined;
    try {
      if (piece === undefined) reader.end();
      else reader.write(piece);
    } catch (thrown) {
      failure = { thrown };
    }
    // Items read before a fault are returned before it is thrown.
    if (items.length > 0) yield items;
    items = [];
    if (failure !== undefined) throw failure.thrown;
  }
}

async function* withEnd<Piece>(pieces: AsyncIterable<Piece>): AsyncGenerator<Piece | undefined> {
  yield* pieces;
  yield undefined;
}
