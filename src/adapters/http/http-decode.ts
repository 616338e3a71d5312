import { Readable, pipeline } from 'node:stream';
import type { Transform } from 'node:stream';
import { promisify } from 'node:util';
import { TransportFailure } from '../../base/errors.ts';
import type { Header } from '../../settings/records/wire.ts';

interface Coding {
  name: string;
  whole: (body: Buffer, options: { maxOutputLength: number }) => Promise<Buffer>;
  stream: () => Transform;
}

/** Few banks code anything, so zlib waits for one that does. */
async function codings(): Promise<Map<string, Omit<Coding, 'name'>>> {
  const zlib = await import('node:zlib');
  const gzip = { whole: promisify(zlib.gunzip), stream: zlib.createGunzip };
  return new Map([
    ['gzip', gzip],
    ['x-gzip', gzip],
    ['deflate', { whole: promisify(zlib.inflate), stream: zlib.createInflate }],
    ['br', { whole: promisify(zlib.brotliDecompress), stream: zlib.createBrotliDecompress }],
  ]);
}

/** The head of the answer that is decoded. */
interface Head {
  status: number;
  headers: readonly Header[];
}

/** Undoes the one content coding that a bank may have applied although we ask for none. Source: RFC 9110, section 8.4. */
export async function decodeBody(head: Head, body: Buffer, maxBytes: number): Promise<Buffer> {
  const coding = await codingOf(head);
  if (coding === undefined || body.length === 0) return body;
  try {
    return await coding.whole(body, { maxOutputLength: maxBytes });
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') {
      const message = `the answer is larger than ${maxBytes} bytes when decompressed`;
      throw new TransportFailure({
        sent: true,
        reason: 'too-large',
        message,
        cause,
        partial: partialOf(head),
      });
    }
    throw broken(head, coding, cause);
  }
}

/** The same of bytes as they arrive. */
export async function* decodedStream(
  head: Head,
  bytes: AsyncGenerator<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  const coding = await codingOf(head);
  if (coding === undefined) {
    yield* bytes;
    return;
  }
  const unpacked = coding.stream();
  pipeline(Readable.from(bytes), unpacked, () => undefined);
  try {
    yield* unpacked as AsyncIterable<Uint8Array>;
  } catch (cause) {
    throw cause instanceof TransportFailure ? cause : broken(head, coding, cause);
  }
}

const isCoding = ([name]: Header): boolean => name.toLowerCase() === 'content-encoding';

/** Throws TransportFailure for a coding that obk does not read. */
async function codingOf(head: Head): Promise<Coding | undefined> {
  if (!head.headers.some(isCoding)) return undefined;
  const named = head.headers
    .filter(isCoding)
    .flatMap(([, value]) => value.toLowerCase().split(','))
    .map((coding) => coding.trim())
    .filter((coding) => coding !== '' && coding !== 'identity');
  const [name] = named;
  if (name === undefined) return undefined;
  const coding = named.length === 1 ? (await codings()).get(name) : undefined;
  if (coding !== undefined) return { name, ...coding };
  const message = `the answer has a content coding that obk does not read (${named.join(', ').slice(0, 100)})`;
  throw new TransportFailure({ sent: true, reason: 'malformed', message, partial: partialOf(head) });
}

function broken(head: Head, { name }: Coding, cause: unknown): TransportFailure {
  const message = `the answer cannot be decompressed (${name})`;
  return new TransportFailure({ sent: true, reason: 'malformed', message, cause, partial: partialOf(head) });
}

const partialOf = ({ status, headers }: Head) => ({ status, headers });
