import type { HttpAnswer } from '../ports/http.ts';
import { digestHeader, wrongDigest } from '../../signing/digest.ts';
import { headerOf } from '../../standard/xs2a/answer.ts';
import type { Answer } from '../../standard/xs2a/answer.ts';
import { reportEnd } from './report-end.ts';
import type { ReportEnd } from './report-end.ts';

/** Why the bytes of an answer are not those that its bank sent, as its own header says; undefined where they are. */
export function alteration(answer: HttpAnswer): string | undefined {
  const { headers, body } = answer;
  const sums = answer.sums ?? ((algorithm) => digestHeader(body, algorithm).slice(algorithm.length + 1));
  // A digest is of the representation, so it says nothing about an answer without content.
  const wrong = wrongDigest(headers, sums, body.length > 0 || answer.rest !== undefined);
  if (wrong === undefined) return undefined;
  const coding = headerOf(headers, 'content-encoding');
  const coded = coding === undefined ? '' : ` (as they came, with Content-Encoding ${coding.slice(0, 40)})`;
  return `${wrong} is not that of the bytes of the answer${coded}: it was changed on its way, or the bank is wrong`;
}

/** Why an answer is not known to be whole although it could be read; undefined where it is. */
export function missingEnd(
  { status, endedByClose, rest }: HttpAnswer,
  { kind, media, body }: Answer,
): string | undefined {
  if (status === 206) return 'it is only a part (206 Partial Content), which obk did not ask for';
  if (endedByClose !== true || rest !== undefined || media === 'json' || media === 'problem')
    return undefined;
  // A report is read to its end for that: see endOfReport.
  if (kind === 'transactions') return undefined;
  return isWhole(media, body) ? undefined : noEnd;
}

const noEnd = 'the connection ended before the text did';

/** The check whether a report that ends with its connection is whole; undefined for every other answer. */
export function endOfReport(
  { endedByClose, headers, rest }: HttpAnswer,
  { kind, json }: Answer,
): ReportEnd | undefined {
  if (endedByClose !== true || kind !== 'transactions') return undefined;
  if (json !== undefined && rest === undefined) return undefined;
  const contentType = headerOf(headers, 'content-type');
  const report = reportEnd(contentType === undefined ? {} : { contentType });
  return {
    take: (piece) => report.take(piece),
    async end() {
      const why = await report.end();
      return why === undefined ? undefined : `${noEnd}: ${why}`;
    },
  };
}

/** Whether a text has the end that its kind has; JSON is read anyway. */
function isWhole(media: Answer['media'], body: Uint8Array): boolean {
  const text = Buffer.from(body).toString('latin1').trim();
  switch (media) {
    case 'xml': {
      const root = rootOf(text);
      return root !== undefined && text.endsWith('>') && text.slice(0, -1).trimEnd().endsWith(`</${root}`);
    }
    case 'multipart':
      return /(?:^|\n)--[^\n]+--$/.test(text);
    // A format without an end of its own may have been cut anywhere.
    default:
      return false;
  }
}

/** The name of the first element, behind a declaration, instructions and comments; undefined where none follows. */
function rootOf(text: string): string | undefined {
  // A mark of the byte order may stand before it.
  let rest = text.slice(text.search(/<|$/));
  for (;;) {
    const end = rest.startsWith('<?') ? '?>' : rest.startsWith('<!--') ? '-->' : undefined;
    if (end === undefined) return /^<([A-Za-z_][\w.:-]*)[\s>]/.exec(rest)?.[1];
    const at = rest.indexOf(end, end === '?>' ? 2 : 4);
    if (at < 0) return undefined;
    rest = rest.slice(at + end.length).trimStart();
  }
}
