/** The files of a zip archive, one after the other. Source: PKWARE APPNOTE 6.3, without ZIP64 and encryption. */
import { createInflateRaw } from 'node:zlib';

/** One file of an archive: its name, and its bytes as they are unpacked. */
export interface ZipFile {
  readonly name: string;
  /** Begins to unpack it, each time anew; calls `fail` of `zipFiles` where it cannot be unpacked. */
  open(): AsyncIterable<Uint8Array>;
}

const [endSize, entrySize, headerSize] = [22, 46, 30];

/** Lists the files of an archive, folders left out; calls `fail` for what is no archive. */
export function* zipFiles(archive: Buffer, fail: (why: string) => never): Generator<ZipFile> {
  const end = archive.lastIndexOf(Buffer.from('PK\u0005\u0006', 'latin1'));
  if (end < 0 || end + endSize > archive.length) fail('the zip is cut off');
  const count = archive.readUInt16LE(end + 10);
  let at = archive.readUInt32LE(end + 16);
  if (count === 0xffff || at === 0xffffffff) fail('the zip is ZIP64, which obk does not read');
  for (let entry = 0; entry < count; entry += 1) {
    if (at + entrySize > end || archive.readUInt32LE(at) !== 0x02014b50)
      fail('the directory of the zip is broken');
    const [flags, method] = [archive.readUInt16LE(at + 8), archive.readUInt16LE(at + 10)];
    const packed = archive.readUInt32LE(at + 20);
    const nameSize = archive.readUInt16LE(at + 28);
    const name = archive.toString('utf8', at + entrySize, at + entrySize + nameSize);
    const header = archive.readUInt32LE(at + 42);
    at += entrySize + nameSize + archive.readUInt16LE(at + 30) + archive.readUInt16LE(at + 32);
    if (name.endsWith('/')) continue;
    yield { name, open: () => opened(archive, { name, flags, method, packed, header }, fail) };
  }
}

/** What the directory of an archive says of a file. */
interface Entry {
  readonly name: string;
  readonly flags: number;
  readonly method: number;
  readonly packed: number;
  readonly header: number;
}

function opened(
  archive: Buffer,
  { name, flags, method, packed, header }: Entry,
  fail: (why: string) => never,
): AsyncIterable<Uint8Array> {
  const file = `${JSON.stringify(name.slice(0, 100))} in the zip`;
  if ((flags & 1) !== 0) fail(`${file} is encrypted`);
  if (method !== 0 && method !== 8)
    fail(`${file} is packed by a method that obk does not read (${String(method)})`);
  if (header + headerSize > archive.length || archive.readUInt32LE(header) !== 0x04034b50)
    fail(`${file} is not where its directory says`);
  const start = header + headerSize + archive.readUInt16LE(header + 26) + archive.readUInt16LE(header + 28);
  const body = archive.subarray(start, start + packed);
  if (body.length < packed) fail('the zip is cut off');
  return method === 0 ? stored(body) : inflated(body);
}

// eslint-disable-next-line @typescript-eslint/require-await -- an async iterable is wanted
async function* stored(body: Buffer): AsyncGenerator<Uint8Array> {
  yield body;
}

function inflated(body: Buffer): AsyncIterable<Uint8Array> {
  const inflate = createInflateRaw();
  inflate.end(body);
  return inflate;
}
