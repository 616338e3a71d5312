import { request } from 'node:http';
import type { IncomingMessage, RequestOptions } from 'node:http';
import { ObkError } from '../../errors.ts';

/** A request to what steers a bank; `ca` are the authorities of an https address besides those of the machine. */
export interface Asking {
  headers?: Readonly<Record<string, string>>;
  body?: string;
  ca?: readonly string[];
}

const silentMs = 30_000;
const longest = 256 * 1024 * 1024;

/** Sends one request and returns the whole answer. Throws SANDBOX_UNAVAILABLE where none comes. */
export async function askBank(
  origin: string,
  method: string,
  path: string,
  { headers = {}, body, ca }: Asking,
): Promise<{ status: number; text: string }> {
  const options: RequestOptions = { method, agent: false, timeout: silentMs, headers };
  const url = new URL(path, origin);
  const send =
    url.protocol === 'http:'
      ? request
      : await import('node:https').then(
          ({ request: secure }) =>
            (to: URL, how: RequestOptions, done: (incoming: IncomingMessage) => void) =>
              secure(to, { ...how, ...(ca !== undefined && { ca: [...ca] }) }, done),
        );
  return new Promise((resolve, reject) => {
    const failed = (cause: Error) => {
      reject(unreachable(origin, cause));
    };
    const outgoing = send(url, options, (incoming) => {
      const chunks: Buffer[] = [];
      let size = 0;
      incoming.on('data', (chunk: Buffer) => {
        chunks.push(chunk);
        size += chunk.length;
        if (size > longest) outgoing.destroy(new Error('the answer is too long'));
      });
      incoming.on('error', failed);
      incoming.on('end', () => {
        resolve({ status: incoming.statusCode ?? 0, text: Buffer.concat(chunks).toString('utf8') });
      });
    });
    outgoing.on('timeout', () => outgoing.destroy(new Error('it says nothing')));
    outgoing.on('error', failed);
    outgoing.end(body);
  });
}

function unreachable(origin: string, cause: Error): ObkError {
  return new ObkError({
    code: 'SANDBOX_UNAVAILABLE',
    title: `The bank at ${origin} does not answer.`,
    detail: `${cause.message}.`,
    hint: ['obk sandbox status'],
    cause,
  });
}
