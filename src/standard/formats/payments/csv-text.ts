/** The text of a CSV file: which characters it has, where its cells end, and which of its lines cannot be read. */
import { ObkError } from '../../../base/errors.ts';
import { charsetOf, decoderOf, markedCharset } from '../text/charset.ts';
import { piecesOf } from '../text/text-source.ts';
import type { ByteSource } from '../text/text-source.ts';

/** The characters of a file where a person names them, and its cap in bytes. */
export interface CsvBytes {
  readonly charset?: string;
  readonly maxBytes: number;
}

/**
 * Decodes a file in pieces, with `\n` for every line end and no byte order mark: by its first bytes, else by `charset`, else as
 * UTF-8. Throws ObkError INPUT_INVALID with the line where the bytes
 * are of another set, and where there are too many.
 */
export async function* csvTextOf(
  source: ByteSource,
  { charset, maxBytes }: CsvBytes,
): AsyncGenerator<string, void> {
  let decode: ((bytes: Uint8Array | undefined) => string) | undefined;
  let name = 'utf-8';
  let size = 0;
  let line = 1;
  let held = '';
  const read = (bytes: Uint8Array | undefined): string => {
    try {
      return decode?.(bytes) ?? '';
    } catch (cause) {
      const [before = ''] = new TextDecoder(name).decode(bytes).split('\ufffd', 1);
      const at = line + linesIn(before.replace(/\r\n?/g, '\n'));
      throw notReadable(
        `Line ${String(at)}: its bytes are not ${name.toUpperCase()}.`,
        cause,
        charset === undefined,
      );
    }
  };
  for await (const piece of piecesOf(source)) {
    size += piece.length;
    if (size > maxBytes) throw notReadable(`It is longer than ${String(maxBytes)} bytes.`);
    if (decode === undefined) {
      if (Buffer.from(piece.subarray(0, 4)).equals(archive))
        throw notReadable('It is an archive, as files of Excel and LibreOffice are: save the sheet as CSV.');
      name = markedCharset(piece) ?? (charset === undefined ? undefined : charsetOf(charset)) ?? 'utf-8';
      decode = decoderOf(name);
    }
    const whole = held + read(piece);
    held = whole.endsWith('\r') ? '\r' : '';
    const text = whole.slice(0, whole.length - held.length).replace(/\r\n?/g, '\n');
    line += linesIn(text);
    yield text.replace(/^\ufeff/, '');
  }
  const rest = held + read(undefined);
  if (rest !== '') yield rest.replace(/\r\n?/g, '\n');
}

/** How a zip archive begins, which .xlsx and .ods are. */
const archive = Buffer.from('PK\u0003\u0004');

const linesIn = (text: string): number => text.split('\n').length - 1;

function notReadable(detail: string, cause?: unknown, mayBeOther = false): ObkError {
  return new ObkError({
    code: 'INPUT_INVALID',
    title: 'The CSV file cannot be read.',
    detail,
    cause,
    ...(mayBeOther && { hint: ['--charset windows-1252   # as Excel writes CSV on Windows'] }),
  });
}

/** How a file divides its cells, and how many lines stand before its header. */
export interface CsvLayout {
  readonly delimiter: string;
  readonly skipped: number;
}

/** Reads the delimiter from a line `sep=;` of Excel, else from the header: the sign that stands most often in it. */
export function csvLayout(start: string): CsvLayout {
  const told = /^\s*"?sep=(.)"?[ \t]*(?:\n|$)/i.exec(start);
  if (told !== null) return { delimiter: told[1] ?? ',', skipped: linesIn(told[0]) };
  const header = /\S.*/.exec(start)?.[0] ?? '';
  const often = (sign: string) => header.split(sign).length;
  const [delimiter = ','] = [',', ';', '\t'].sort((one, other) => often(other) - often(one));
  return { delimiter, skipped: 0 };
}
