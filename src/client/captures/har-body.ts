import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib';
import { headerOf } from '../../standard/xs2a/answer.ts';

/** An answer of more than this is not opened: no bank sends it, and a few bytes can stand for gigabytes. */
const maxOutputLength = 64 * 1024 * 1024;

/**
 * The bytes of a body (`content` or `postData`). HAR wants it as it is without the coding of the wire (HAR 1.2, content), yet some
 * tools write the bytes of that: they are opened. Undefined where they cannot be, and where a size says that a body is not there.
 */
export function bodyOfHar(
  content: unknown,
  sizes: readonly unknown[],
  headers: readonly (readonly [string, string])[],
): Uint8Array | undefined {
  const { text, encoding } = (content ?? {}) as { text?: unknown; encoding?: unknown };
  if (typeof text !== 'string')
    return sizes.some((size) => typeof size === 'number' && size > 0) ? undefined : Buffer.alloc(0);
  if (typeof encoding !== 'string' || encoding.toLowerCase() !== 'base64') return Buffer.from(text, 'utf8');
  const bytes = Buffer.from(text, 'base64');
  const coding = (headerOf(headers, 'content-encoding') ?? '').trim().toLowerCase();
  if (coding === '' || coding === 'identity' || isContent(bytes)) return bytes;
  try {
    if (coding === 'br') return brotliDecompressSync(bytes, { maxOutputLength });
    return coding === 'deflate'
      ? inflateSync(bytes, { maxOutputLength })
      : // Any other coding, and several of them, cannot be opened either.
        gunzipSync(bytes, { maxOutputLength });
  } catch {
    return undefined;
  }
}

/**
 * The bytes of an answer's body. Tools leave bodies out, without a size or with that of nothing: where no text is there, a body is
 * known to be empty only by its status, by Content-Length, or by a size that says so. Undefined where it is not known.
 */
export function answerBodyOfHar(
  status: number,
  content: unknown,
  sizes: readonly unknown[],
  headers: readonly (readonly [string, string])[],
): Uint8Array | undefined {
  const bytes = bodyOfHar(content, sizes, headers);
  const isText = typeof (content as { text?: unknown } | undefined)?.text === 'string';
  if (bytes === undefined || isText || [204, 205, 304].includes(status)) return bytes;
  const length = headerOf(headers, 'content-length')?.trim();
  const isEmpty = length === undefined ? sizes.includes(0) : length === '0';
  return isEmpty ? bytes : undefined;
}

/** Whether bytes are a text already: what is coded is none. */
function isContent(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}

/** The lines of a header; a browser writes those of one name as one, with line ends between them. */
export const linesOfHar = (headers: readonly { name: string; value: string }[]): [string, string][] =>
  headers
    .filter(({ name }) => !name.startsWith(':'))
    .flatMap(({ name, value }) => value.split(/\r?\n/).map((line): [string, string] => [name, line]));
