import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import type { ClientRequest, IncomingMessage, RequestOptions } from 'node:http';
import { ObkError } from '../../base/errors.ts';

/** A request to what steers a bank; `ca` is the file with the authorities of an https address besides those of the machine. */
export interface Asking {
  headers?: Readonly<Record<string, string>>;
  body?: string;
  ca?: string;
}

const silentMs = 30_000;
const longest = 256 * 1024 * 1024;

/** Sends one request below the URL of a bank and returns the whole answer. Throws SANDBOX_UNAVAILABLE where none comes. */
export async function askBank(
  bank: string,
  method: string,
  path: string,
  { headers = {}, body, ca }: Asking,
): Promise<{ status: number; text: string }> {
  const options: RequestOptions = { method, agent: false, timeout: silentMs, headers };
  const url = new URL(bank + path);
  const send = url.protocol === 'http:' ? request : await secureRequest(ca);
  return new Promise((resolve, reject) => {
    const failed = (cause: Error) => {
      reject(unreachable(bank, cause));
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

/** As `request` of http; trusts the authorities of the file besides those of Node. Throws CERTIFICATE_FILE. */
async function secureRequest(
  file: string | undefined,
): Promise<(to: URL, how: RequestOptions, done: (incoming: IncomingMessage) => void) => ClientRequest> {
  const [{ request: secure }, { rootCertificates }] = await Promise.all([
    import('node:https'),
    import('node:tls'),
  ]);
  if (file === undefined) return secure;
  try {
    const given = readFileSync(file, 'utf8');
    // TLS passes over in silence what it cannot read.
    new X509Certificate(given);
    return (to, how, done) => secure(to, { ...how, ca: [...rootCertificates, given] }, done);
  } catch (cause) {
    throw new ObkError({
      code: 'CERTIFICATE_FILE',
      title: 'The CA certificates of the bank elsewhere cannot be read.',
      detail: `${file}: ${(cause as Error).message}.`,
      hint: ['--ca FILE or OBK_SANDBOX_CA=FILE   # `caPath` of its `sandbox start --json`'],
      cause,
    });
  }
}

/** What OpenSSL and Node say of a certificate that they do not trust. */
const untrusted = /CERT|SELF_SIGNED|UNABLE_TO|ISSUER|ALTNAME/;

function unreachable(bank: string, cause: NodeJS.ErrnoException): ObkError {
  return new ObkError({
    code: 'SANDBOX_UNAVAILABLE',
    title: `The bank at ${bank} does not answer.`,
    detail: `${cause.message}.`,
    hint: [
      ...(untrusted.test(cause.code ?? '')
        ? ['--ca FILE or OBK_SANDBOX_CA=FILE   # `caPath` of its `sandbox start --json`']
        : []),
      'obk sandbox status',
    ],
    cause,
  });
}
