/** Account reports of every kind as one stream of rows, accounts, balances and links, in constant memory. */
import { ObkError } from '../../../base/errors.ts';
import { camtReport } from '../camt/camt.ts';
import { mtReport } from '../mt940/mt940.ts';
import { jsonEntries, jsonReport } from '../json/report-json.ts';
import type { ReportItem, ReportHints, ReportReader } from '../rows/report-reader.ts';
import { inZip, reportFiles } from './report-files.ts';
import type { ReportFile } from './report-source.ts';

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
  for await (const part of reportFiles(chunks, hints, (file, enough) => probe(file, hints, enough))) {
    if ('aside' in part) {
      yield [{ kind: 'problem', problem: { code: 'file-left-aside', detail: part.aside } }];
      continue;
    }
    try {
      yield* itemsIn(part.file, hints);
    } catch (error) {
      throw inZip(part.name, error);
    }
  }
}

async function* itemsIn(file: ReportFile, hints: ReportHints): AsyncGenerator<readonly ReportItem[]> {
  if (file.kind === 'json') yield* itemsOf(file.bytes, hints, jsonReport);
  else {
    yield* itemsOf(file.text, hints, textReport(file.kind));
    const { charset } = file.guess ?? {};
    const detail = `nothing says which characters it has; they were read as ${charset ?? ''}`;
    if (charset !== undefined) yield [{ kind: 'problem', problem: { code: 'charset-guessed', detail } }];
  }
}

const textReport = (kind: 'xml' | 'mt') => (kind === 'xml' ? camtReport : mtReport);

/** Reads a file until it is enough, for nothing but its faults. */
function probe(file: ReportFile, hints: ReportHints, enough: () => boolean): Promise<void> {
  const ignore = () => undefined;
  return file.kind === 'json'
    ? begun(file.bytes, jsonReport(hints, ignore), enough)
    : begun(file.text, textReport(file.kind)(hints, ignore), enough);
}

async function begun<Piece>(
  pieces: AsyncIterable<Piece>,
  reader: ReportReader<Piece>,
  enough: () => boolean,
): Promise<void> {
  for await (const piece of pieces) {
    reader.write(piece);
    if (enough()) return;
  }
  reader.end();
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
  const known = (file: ReportFile, enough: () => boolean) => probe(file, hints, enough);
  for await (const part of reportFiles(chunks, hints, known)) {
    if ('aside' in part) continue;
    const { file } = part;
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
