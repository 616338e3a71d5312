/**
 * The bytes of a report: unpacked, their format recognised by the first bytes, and decoded into text unless that is
 * JSON.
 */
import { isUtf8 } from 'node:buffer';
import { Readable, pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { ObkError } from '../../../base/errors.ts';
import { namedIn } from '../../xs2a/json-charset.ts';
import { parseMediaType } from '../../xs2a/media.ts';
import {
  charsetOf,
  declaredEncoding,
  decoderOf,
  german7,
  guessCharset,
  inGerman,
  isGerman7,
  markedCharset,
  needCharset,
} from '../text/charset.ts';
import type { ReportHints } from '../rows/report-reader.ts';
import { ByteWindow } from '../text/byte-window.ts';
import { piecesOf } from '../text/text-source.ts';
import type { FaultCode } from '../text/text-source.ts';

/** One file of a report: its kind by content, and what it holds in pieces. */
export type ReportFile =
  | { readonly kind: 'json'; readonly bytes: AsyncIterable<Uint8Array> }
  | { readonly kind: 'xml' | 'mt'; readonly text: AsyncIterable<string>; readonly guess?: Guess };

/** The set of characters that was guessed, once it was. */
export interface Guess {
  charset?: string;
}

export type Bytes = AsyncIterable<Uint8Array>;
type Next = IteratorResult<Uint8Array, unknown>;

const headSize = 2048;
/** What the transport may write before MT940. */
const longestHead = 64 * 1024;
const longestLine = 64 * 1024;
// A field of MT940 or a block of SWIFT, which lines and control characters of the transport may stand before, and a line end of HBCI.
const mtStart = /(?:^|[\r\n])[\0-\x20\x7f-]*(?:@@)?(?:\{4:?)?(?::[0-9]{2}[A-Z]?:|\{[1-5]:)/i;
/** Said of all files of a report together. */
export const tooLong = 'it is longer than allowed';
const maxArchive = 256 * 1024 * 1024;

export function refuse(code: FaultCode, why: string, cause?: unknown): never {
  throw new ObkError({ code, title: 'The report cannot be read.', detail: `${why}.`, cause });
}

/** The first bytes, and all of them. */
export async function beginningOf(chunks: Bytes): Promise<{ head: Buffer; bytes: Bytes }> {
  const iterator = chunks[Symbol.asyncIterator]();
  const first: Uint8Array[] = [];
  let size = 0;
  let most = headSize;
  while (size < most) {
    const next: Next = await iterator.next();
    if (next.done === true) break;
    // What gave it may use its memory again for the next one; so elsewhere.
    first.push(Buffer.from(next.value));
    size += next.value.length;
    if (size >= most && !isTold(Buffer.concat(first))) most = longestHead;
  }
  async function* all(): AsyncGenerator<Uint8Array> {
    try {
      yield* first;
      for (;;) {
        const next: Next = await iterator.next();
        if (next.done === true) return;
        yield next.value;
      }
    } finally {
      await iterator.return?.();
    }
  }
  return { head: Buffer.concat(first).subarray(0, longestHead), bytes: all() };
}

/** Whether the first bytes tell what it is. */
function isTold(head: Buffer): boolean {
  const begin = head.toString('latin1').trimStart();
  // A byte order mark, gzip, zip.
  if ([0xef, 0xfe, 0xff, 0x1f].includes(head[0] ?? 0) || begin.startsWith('PK')) return true;
  return /^[<[{]/.test(begin) || mtStart.test(begin);
}

export async function* capped(
  bytes: Bytes,
  budget: { left: number },
  code: FaultCode,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of bytes) {
    budget.left -= chunk.length;
    if (budget.left < 0) refuse(code, tooLong);
    yield chunk;
  }
}

export async function whole(bytes: Bytes, code: FaultCode): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of capped(bytes, { left: maxArchive }, code)) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks);
}

export function gunzipped(bytes: Bytes, code: FaultCode): Bytes {
  const gunzip = createGunzip();
  pipeline(Readable.from(copied(bytes)), gunzip, () => undefined);
  return described(gunzip, 'the gzip cannot be unpacked', code);
}

async function* copied(bytes: Bytes): AsyncGenerator<Uint8Array> {
  for await (const chunk of bytes) yield Buffer.from(chunk);
}

export async function* described(bytes: Bytes, why: string, code: FaultCode): AsyncGenerator<Uint8Array> {
  try {
    yield* bytes;
  } catch (cause) {
    if (cause instanceof ObkError) throw cause;
    refuse(code, why, cause);
  }
}

export function fileOf(head: Buffer, bytes: Bytes, hints: ReportHints): ReportFile {
  const { contentType = '', code = 'ANSWER_UNREADABLE' } = hints;
  const asked = hints.charset === undefined ? undefined : needCharset(hints.charset, code);
  const marked = markedCharset(head);
  // UTF-16 is told by its first bytes, or by a person where they do not.
  const utf16 = [marked, asked].find((told) => told?.startsWith('utf-16'));
  const begin = (utf16 === undefined ? head.toString('latin1') : new TextDecoder(utf16).decode(head))
    .replace(/^(?:\u00ef\u00bb\u00bf|\ufeff)/, '')
    .trimStart();
  const text = (kind: 'xml' | 'mt', told: string | undefined): ReportFile => {
    const named = utf16 ?? asked;
    const charset = named ?? (told === undefined ? undefined : needCharset(told, code));
    if (charset !== undefined && (charset !== 'utf-8' || named !== undefined))
      return { kind, text: decoded(bytes, charset, code) };
    const guess: Guess = {};
    return { kind, text: guessed(bytes, guess), guess };
  };
  if (begin.startsWith('<') && !/^<!doctype html|^<html/i.test(begin)) {
    // Without a declaration it is what the answer says of it (RFC 7303); UTF-16 in single bytes is a mistake.
    const encoding = declaredEncoding(begin) ?? parseMediaType(contentType).params.get('charset');
    return text('xml', marked !== undefined || /^utf-?16/i.test(encoding ?? '') ? 'utf-8' : encoding);
  }
  const json = /^(?:\[|\{(?![1-5]:))/.test(begin);
  if (!json && !begin.startsWith('<') && mtStart.test(begin)) {
    const told = charsetOf(parseMediaType(contentType).params.get('charset') ?? '');
    if (asked === german7) return { kind: 'mt', text: germanLines(decoded(bytes, 'windows-1252', code)) };
    if (asked === undefined && told === undefined && isGerman7(begin.replace(framed, '')))
      return {
        kind: 'mt',
        text: germanLines(decoded(bytes, 'windows-1252', code)),
        guess: { charset: german7 },
      };
    return text('mt', told);
  }
  if (json) {
    const named = namedIn(contentType);
    const charset = utf16 ?? asked ?? (named === undefined ? undefined : charsetOf(named));
    return { kind: 'json', bytes: charset === undefined ? piecesOf(bytes) : jsonOf(bytes, charset, code) };
  }
  const type = contentType === '' ? '' : ` (Content-Type ${contentType.slice(0, 100)})`;
  return refuse(
    code,
    begin === '' ? `it is empty${type}` : `it is neither JSON nor camt nor MT940 or MT942${type}`,
  );
}

/** Lines with frames of SWIFT, whose braces are braces in every set. */
const framed = /^.*(?:\{[1-5S]:|-\}).*$/gm;

/** Text of DIN 66003, line by line. */
async function* germanLines(texts: AsyncIterable<string>): AsyncGenerator<string> {
  let held = '';
  for await (const each of texts) {
    const text = held + each;
    const end = text.lastIndexOf('\n') + 1;
    held = text.slice(end);
    if (end > 0) yield german(text.slice(0, end));
    if (held.length > longestLine) {
      yield german(held);
      held = '';
    }
  }
  if (held !== '') yield german(held);
}

function german(lines: string): string {
  const frames = new Set<string>(lines.match(framed));
  if (frames.size === 0) return inGerman(lines);
  return lines
    .split('\n')
    .map((line) => (frames.has(line) ? line : inGerman(line)))
    .join('\n');
}

/** Text with the line ends of XML (section 2.11), which are those of the other kinds too. */
async function* decoded(bytes: Bytes, charset: string, code: FaultCode): AsyncGenerator<string> {
  const decoder = decoderOf(charset);
  const decode = (chunk?: Uint8Array): string => {
    try {
      return decoder(chunk);
    } catch (cause) {
      return refuse(code, `its bytes are not ${charset.toUpperCase()}`, cause);
    }
  };
  async function* texts(): AsyncGenerator<string> {
    for await (const chunk of bytes) yield decode(chunk);
    yield decode();
  }
  yield* withLineEnds(texts());
}

async function* withLineEnds(texts: AsyncIterable<string>): AsyncGenerator<string> {
  let held = '';
  for await (const each of texts) {
    const text = held + each;
    held = text.endsWith('\r') ? '\r' : '';
    const settled = text.slice(0, text.length - held.length);
    if (settled !== '') yield settled.includes('\r') ? settled.replace(/\r\n?/g, '\n') : settled;
  }
  if (held !== '') yield '\n';
}

/** JSON in UTF-8, whose bytes are of this set where they are not UTF-8. */
async function* jsonOf(bytes: Bytes, charset: string, code: FaultCode): AsyncGenerator<Uint8Array> {
  // A set of two bytes for each sign has no ends of words in ASCII.
  if (charset.startsWith('utf-16')) {
    for await (const text of decoded(bytes, charset, code)) yield Buffer.from(text);
    return;
  }
  const window = new ByteWindow(2 * longestLine);
  let isOther = false;
  const decoder = decoderOf(charset);
  const read = (part: Uint8Array): Uint8Array => {
    isOther ||= !isUtf8(part);
    if (!isOther) return part;
    try {
      return Buffer.from(decoder(part));
    } catch (cause) {
      return refuse(code, `its bytes are not ${charset.toUpperCase()}`, cause);
    }
  };
  for await (const piece of piecesOf(bytes)) {
    window.add(piece);
    const held = window.bytes;
    // What ends in ASCII cuts no sign in two.
    let end = held.length;
    while (end > 0 && (held[end - 1] ?? 0) >= 0x80) end -= 1;
    if (end > 0) yield read(held.subarray(0, end));
    window.drop(end);
  }
  if (window.bytes.length > 0) yield read(window.bytes);
}

/** Text that is UTF-8, or else of a set that is guessed from the first bytes that are not: banks do not say what they write. */
async function* guessed(bytes: Bytes, guess: Guess): AsyncGenerator<string> {
  yield* withLineEnds(guessedPieces(bytes, guess));
}

/** The bytes after the first wrong one that a guess is made from. */
const sampleSize = 64 * 1024;
const [lineEnd, tagEnd] = [0x0a, 0x3e];

async function* guessedPieces(bytes: Bytes, guess: Guess): AsyncGenerator<string> {
  let other: ((part: Uint8Array) => string) | undefined;
  const decode = (part: Uint8Array): string => utf8Text(part) ?? other?.(part) ?? '';
  const learn = (sample: Uint8Array): void => {
    guess.charset = guessCharset(sample);
    other = decoderOf(guess.charset);
  };
  // Lines of MT940, and what stands between the tags of XML, are of one set each; some banks mix them.
  const parts = (all: Uint8Array): string => {
    const whole = utf8Text(all);
    if (whole !== undefined) return whole;
    let text = '';
    for (let at = 0; at < all.length;) {
      const next = endOf(all, at);
      text += decode(all.subarray(at, next));
      at = next;
    }
    return text;
  };
  let first = true;
  const marked = (text: string): string => {
    const bare = first && text.startsWith('\ufeff') ? text.slice(1) : text;
    first &&= text === '';
    return bare;
  };
  const window = new ByteWindow(2 * longestLine);
  // Small pieces keep what a reader makes of one of them small.
  for await (const chunk of piecesOf(bytes)) {
    window.add(chunk);
    const held = window.bytes;
    if (other === undefined) {
      const wrong = firstWrong(held);
      if (wrong !== undefined && held.length < wrong + sampleSize) continue;
      if (wrong !== undefined) learn(held.subarray(wrong, wrong + sampleSize));
    }
    const end = Math.max(held.lastIndexOf(lineEnd), held.lastIndexOf(tagEnd)) + 1;
    const cut = end === 0 && held.length > longestLine ? held.length : end;
    const text = parts(held.subarray(0, cut));
    window.drop(cut);
    if (text !== '') yield marked(text);
  }
  const held = window.bytes;
  if (other === undefined) {
    const wrong = firstWrong(held, true);
    if (wrong !== undefined) learn(held.subarray(wrong, wrong + sampleSize));
  }
  if (held.length > 0) yield marked(parts(held));
}

/** Returns the text of bytes that are UTF-8: to look first is faster than a decoder that refuses the others. */
const utf8Text = (bytes: Uint8Array): string | undefined =>
  isUtf8(bytes) ? Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString() : undefined;

/** Returns where the next line or tag ends. */
function endOf(bytes: Uint8Array, from: number): number {
  for (let at = from; at < bytes.length; at += 1)
    if (bytes[at] === lineEnd || bytes[at] === tagEnd) return at + 1;
  return bytes.length;
}

/** Returns where the first line or tag begins that is not UTF-8; its last one may go on in the next piece. */
function firstWrong(bytes: Buffer, ended = false): number | undefined {
  const end = ended
    ? bytes.length
    : Math.max(bytes.lastIndexOf(lineEnd), bytes.lastIndexOf(tagEnd), bytes.length - longestLine - 1) + 1;
  if (isUtf8(bytes.subarray(0, end))) return undefined;
  for (let at = 0; at < end;) {
    const next = Math.min(endOf(bytes, at), end);
    if (!isUtf8(bytes.subarray(at, next))) return at;
    at = next;
  }
  return undefined;
}
