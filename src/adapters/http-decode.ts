import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate } from 'node:zlib';
import { TransportFailure } from '../errors.ts';
import type { Header } from '../ports.ts';

const codings = new Map([
  ['gzip', promisify(gunzip)],
  ['x-gzip', promisify(gunzip)],
  ['deflate', promisify(inflate)],
  ['br', promisify(brotliDecompress)],
]);

/** Undoes the one content coding that a bank may have applied although we ask for none. Source: RFC 9110, section 8.4. */
export async function decodeBody(
  status: number,
  headers: readonly Header[],
  body: Buffer,
  maxBytes: number,
): Promise<Buffer> {
  const named = headers
    .filter(([name]) => name.toLowerCase() === 'content-encoding')
    .flatMap(([, value]) => value.toLowerCase().split(','))
    .map((coding) => coding.trim())
    .filter((coding) => coding !== '' && coding !== 'identity');
  if (named.length === 0 || body.length === 0) return body;
  const [coding = ''] = named;
  const decompress = named.length === 1 ? codings.get(coding) : undefined;
  const partial = { status, headers };
  if (!decompress) {
    const message = `the answer has a content coding that obk does not read (${named.join(', ').slice(0, 100)})`;
    throw new TransportFailure({ sent: true, reason: 'malformed', message, partial });
  }
  try {
    return await decompress(body, { maxOutputLength: maxBytes });
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') {
      const message = `the answer is larger than ${maxBytes} bytes when decompressed`;
      throw new TransportFailure({ sent: true, reason: 'too-large', message, cause, partial });
    }
    const message = `the answer cannot be decompressed (${coding})`;
    throw new TransportFailure({ sent: true, reason: 'malformed', message, cause, partial });
  }
}
