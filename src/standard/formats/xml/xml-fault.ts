/** The fault of every reader of XML, apart from them: who scans a large message needs no parser of small ones. */
import { ObkError } from '../../../base/errors.ts';
import type { FaultCode } from '../text/text-source.ts';

/** XML that cannot be read: the reason, and the place (from 1) where it is known. */
export class XmlFault extends ObkError {
  override readonly name = 'XmlFault';
  readonly why: string;
  readonly line: number | undefined;
  readonly column: number | undefined;

  constructor(code: FaultCode, why: string, place: { line?: number; column?: number } = {}, cause?: unknown) {
    const at = place.line === undefined ? '' : `line ${place.line}, column ${place.column ?? 1}: `;
    super({ code, title: 'The XML cannot be read.', detail: `${at}${why}`, cause });
    this.why = why;
    this.line = place.line;
    this.column = place.column;
  }
}
