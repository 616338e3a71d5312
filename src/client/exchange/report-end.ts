import { ObkError } from '../../base/errors.ts';
import type { ReportHints } from '../../standard/formats/rows/report-reader.ts';

/** Follows a report as it arrives; `end` returns why it is incomplete, or undefined if it is whole. */
export interface ReportEnd {
  take(piece: Uint8Array): Promise<void>;
  end(): Promise<string | undefined>;
}

/** Bytes that a complete text may end with: the end of a line or of a document, or the dash of SWIFT. */
const lastBytes = new Set(Buffer.from('\n\r\t }]>-').values());

/**
 * Checks a report of unannounced length by reading it to its end. A truncated list, document or message has no end, and
 * a text of unknown format counts as truncated.
 */
export function reportEnd(hints: ReportHints): ReportEnd {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const writer = writable.getWriter();
  const fault = faultOf(readable, hints);
  // A reader stops early only after a fault, which it reports at the end.
  const orFault = async (work: Promise<void>): Promise<void> => work.catch(() => undefined);
  let first: Uint8Array | undefined;
  let last: number | undefined;
  return {
    async take(piece) {
      first ??= piece.length > 0 ? piece.slice(0, 2) : undefined;
      last = piece.at(-1) ?? last;
      await orFault(writer.write(piece));
    },
    async end() {
      await orFault(writer.close());
      const found = await fault;
      if (found !== undefined) return found;
      const packed =
        first !== undefined && ['\u001f\u008b', 'PK'].includes(Buffer.from(first).toString('latin1'));
      return packed || (last !== undefined && lastBytes.has(last)) ? undefined : 'its last line has no end';
    },
  };
}

async function faultOf(bytes: AsyncIterable<Uint8Array>, hints: ReportHints): Promise<string | undefined> {
  // Nearly no answer needs it: every call would load the readers of all formats.
  const { readReport } = await import('../../standard/formats/reports/report.ts');
  try {
    for await (const items of readReport(bytes, hints))
      for (const item of items)
        if (item.kind === 'problem' && item.problem.code === 'cut-off') return item.problem.detail;
    return undefined;
  } catch (error) {
    if (!(error instanceof ObkError)) throw error;
    return (error.detail ?? error.title).replace(/\.$/, '');
  }
}
