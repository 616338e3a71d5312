/**
 * The bytes of a report: unpacked, their format recognised by the first bytes, and decoded into text unless that is
 * JSON.
 */
import { Readable, pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { ObkError } from '../errors.ts';
import { parseMediaType } from '../xs2a/media.ts';
import type { ReportHints } from './report-reader.ts';
import { piecesOf } from './text-source.ts';
import type { FaultCode } from './text-source.ts';
import { zipFiles } from './zip.ts';

/** One file of a report: its kind by content, and what it holds in pieces. */
export type ReportFile =
  | { readonly kind: 'json'; readonly bytes: AsyncIterable<Uint8Array> }
  | { readonly kind: 'xml' | 'mt'; readonly text: AsyncIterable<string> };

type Bytes = AsyncIterable<Uint8Array>;
type Next = IteratorResult<Uint8Array, unknown>;

const headSize = 2048;
const longestLine = 64 * 1024;
// A field of MT940 or a block of SWIFT, which lines and control characters of the transport may stand before.
const mtStart = /(?:^|[\r\n])[\0-\x20-]*(?::[0-9]{2}[A-Z]?:|\{[1-5]:)/;
const maxArchive = 256 * 1024 * 1024;

function refuse(code: FaultCode, why: string, cause?: unknown): never {
  throw new ObkError({ code, title: 'The report cannot be read.', detail: `${why}.`, cause });
}

/** Returns the files of a report. All of them together may have `maxBytes` (2 GiB). Throws ObkError with `hints.code`. */
export async function* reportFiles(chunks: Bytes, hints: ReportHints): AsyncGenerator<ReportFile> {
  const { code = 'ANSWER_UNREADABLE', maxBytes = 2 ** 31 } = hints;
  const budget = { left: maxBytes };
  const { head, bytes } = await beginningOf(chunks);
  if (head[0] === 0x1f && head[1] === 0x8b) {
    const unpacked = await beginningOf(gunzipped(bytes, code));
    yield fileOf(unpacked.head, capped(unpacked.bytes, budget, code), hints);
  } else if (head.subarray(0, 4).toString('latin1') === 'PK\u0003\u0004') {
    const archive = await whole(bytes, code);
    for (const file of zipFiles(archive, (why) => refuse(code, why))) {
      const unpacked = await beginningOf(
        described(capped(file.bytes, budget, code), 'the zip cannot be unpacked', code),
      );
      yield fileOf(unpacked.head, unpacked.bytes, hints);
    }
  } else yield fileOf(head, capped(bytes, budget, code), hints);
}

/** The first bytes, and all of them. */
async function beginningOf(chunks: Bytes): Promise<{ head: Buffer; bytes: Bytes }> {
  const iterator = chunks[Symbol.asyncIterator]();
  const first: Uint8Array[] = [];
  let size = 0;
  while (size < headSize) {
    const next: Next = await iterator.next();
    if (next.done === true) break;
    first.push(next.value);
    size += next.value.length;
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
  return { head: Buffer.concat(first).subarray(0, headSize), bytes: all() };
}

async function* capped(bytes: Bytes, budget: { left: number }, code: FaultCode): AsyncGenerator<Uint8Array> {
  for await (const chunk of bytes) {
    budget.left -= chunk.length;
    if (budget.left < 0) refuse(code, 'it is longer than allowed');
    yield chunk;
  }
}

async function whole(bytes: Bytes, code: FaultCode): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of capped(bytes, { left: maxArchive }, code)) chunks.push(chunk);
  return Buffer.concat(chunks);
}

function gunzipped(bytes: Bytes, code: FaultCode): Bytes {
  const gunzip = createGunzip();
  pipeline(Readable.from(bytes), gunzip, () => undefined);
  return described(gunzip, 'the gzip cannot be unpacked', code);
}

async function* described(bytes: Bytes, why: string, code: FaultCode): AsyncGenerator<Uint8Array> {
  try {
    yield* bytes;
  } catch (cause) {
    if (cause instanceof ObkError) throw cause;
    refuse(code, why, cause);
  }
}

function fileOf(
  head: Buffer,
  bytes: Bytes,
  { contentType = '', code = 'ANSWER_UNREADABLE' }: ReportHints,
): ReportFile {
  const utf16 =
    head[0] === 0xff && head[1] === 0xfe
      ? 'utf-16le'
      : head[0] === 0xfe && head[1] === 0xff
        ? 'utf-16be'
        : undefined;
  const begin = head
    .toString('latin1')
    .replace(/^\u00ef\u00bb\u00bf/, '')
    .trimStart();
  if (utf16 !== undefined) return { kind: 'xml', text: decoded(bytes, utf16, code) };
  if (begin.startsWith('<') && !/^<!doctype html|^<html/i.test(begin)) {
    const encoding = /^<\?xml\s[^>]*?\sencoding\s*=\s*["']([^"']*)/.exec(begin)?.[1];
    return {
      kind: 'xml',
      text: decoded(bytes, head[0] === 0xef ? 'utf-8' : labelOf(encoding ?? 'utf-8', code), code),
    };
  }
  const json = /^(?:\[|\{(?![1-5]:))/.test(begin);
  if (!json && !begin.startsWith('<') && mtStart.test(begin)) {
    const charset = parseMediaType(contentType).params.get('charset');
    return {
      kind: 'mt',
      text: charset === undefined ? lineByLine(bytes) : decoded(bytes, labelOf(charset, code), code),
    };
  }
  if (json) return { kind: 'json', bytes: piecesOf(bytes) };
  const type = contentType === '' ? '' : ` (Content-Type ${contentType.slice(0, 100)})`;
  return refuse(
    code,
    begin === '' ? `it is empty${type}` : `it is neither JSON nor camt nor MT940 or MT942${type}`,
  );
}

const encodings = new Map([
  ['utf-8', 'utf-8'],
  ['utf8', 'utf-8'],
  ['us-ascii', 'windows-1252'],
  ['iso-8859-1', 'windows-1252'],
  ['latin1', 'windows-1252'],
  ['windows-1252', 'windows-1252'],
  ['cp1252', 'windows-1252'],
  ['iso-8859-15', 'iso-8859-15'],
]);

function labelOf(encoding: string, code: FaultCode): string {
  const label = encodings.get(encoding.toLowerCase());
  return (
    label ??
    refuse(
      code,
      `its encoding is ${JSON.stringify(encoding.slice(0, 40))}; obk reads UTF-8, UTF-16 with a byte order mark, ISO-8859-1, ISO-8859-15 and windows-1252`,
    )
  );
}

/** Text with the line ends of XML (section 2.11), which are those of the other kinds too. */
async function* decoded(bytes: Bytes, label: string, code: FaultCode): AsyncGenerator<string> {
  const decoder = new TextDecoder(label, { fatal: true });
  let held = '';
  const decode = (chunk?: Uint8Array): string => {
    try {
      return held + decoder.decode(chunk, { stream: chunk !== undefined });
    } catch (cause) {
      return refuse(code, `its bytes are not ${label.toUpperCase()}`, cause);
    }
  };
  for await (const chunk of bytes) {
    const text = decode(chunk);
    held = text.endsWith('\r') ? '\r' : '';
    const settled = text.slice(0, text.length - held.length);
    if (settled !== '') yield settled.includes('\r') ? settled.replace(/\r\n?/g, '\n') : settled;
  }
  const rest = decode().replace('\r', '\n');
  if (rest !== '') yield rest;
}

/** Each line as UTF-8 where it is that, else as windows-1252: banks do not say what they write. */
async function* lineByLine(bytes: Bytes): AsyncGenerator<string> {
  const utf8 = new TextDecoder('utf-8', { fatal: true });
  const ansi = new TextDecoder('windows-1252');
  const decode = (line: Uint8Array): string => {
    try {
      return utf8.decode(line);
    } catch {
      return ansi.decode(line);
    }
  };
  let held: Buffer = Buffer.alloc(0);
  for await (const chunk of bytes) {
    const all = Buffer.concat([held, chunk]);
    const end = all.lastIndexOf(0x0a) + 1;
    held = all.subarray(end);
    let text = '';
    for (let at = 0; at < end;) {
      const next = all.indexOf(0x0a, at) + 1;
      text += decode(all.subarray(at, next));
      at = next;
    }
    if (text !== '') yield text;
    if (held.length > longestLine) {
      yield decode(held);
      held = Buffer.alloc(0);
    }
  }
  if (held.length > 0) yield decode(held);
}
