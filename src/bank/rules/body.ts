import type { IncomingMessage } from 'node:http';

/**
 * Returns the bytes of a body, or undefined if there are more than `most`: then it is read to its end but not kept, otherwise the
 * sender would not hear why.
 */
export async function bodyWithin(incoming: IncomingMessage, most: number): Promise<Buffer | undefined> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of incoming as AsyncIterable<Uint8Array>) {
    size += chunk.length;
    if (size <= most) chunks.push(chunk);
    else chunks.length = 0;
  }
  return size > most ? undefined : Buffer.concat(chunks);
}
