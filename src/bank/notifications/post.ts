import { isLoopback } from '../../base/url.ts';
import { request as requestHttp } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { request as requestHttps } from 'node:https';
import { rootCertificates } from 'node:tls';

/** The bank as a TLS client: its own server certificate with the key, and the authorities it takes besides the public ones. */
export interface BankIdentity {
  cert: string;
  key: string;
  ca: readonly string[];
}

/** How a push ended: the status of the answer, or why there is none. */
export interface Pushed {
  status?: number;
  failure?: string;
}

/** For how long a push may take from the first packet to the end of the answer, and how much of the answer is read. */
export interface PushLimits {
  timeoutMs: number;
  answerBytes: number;
}

export const usualLimits: PushLimits = { timeoutMs: 5000, answerBytes: 4096 };

/**
 * POSTs a notification once (guide 1.0, 6.1.1): never again whatever the answer, and a redirect is not followed. By TLS the
 * bank shows its own server certificate; the certificate of a TPP on this machine is not judged.
 */
export function postOnce(
  { url, requestId, body }: { url: URL; requestId: string; body: string },
  identity: () => BankIdentity | Promise<BankIdentity>,
  { timeoutMs, answerBytes }: PushLimits,
  signal: AbortSignal,
): Promise<Pushed> {
  const send = async (): Promise<Pushed> => {
    const plain = url.protocol === 'http:';
    const tls = plain ? {} : await tlsOptions(url, identity);
    return new Promise((resolve) => {
      const end = (pushed: Pushed): void => {
        clearTimeout(deadline);
        resolve(pushed);
        outgoing.destroy();
      };
      const outgoing = (plain ? requestHttp : requestHttps)(url, {
        ...tls,
        method: 'POST',
        agent: false,
        signal,
        headers: {
          'Content-Type': 'application/json',
          'Content-Length': Buffer.byteLength(body),
          'X-Request-ID': requestId,
        },
      });
      const deadline = setTimeout(() => {
        end({ failure: `There was no whole answer within ${String(timeoutMs)} ms.` });
      }, timeoutMs);
      outgoing.on('error', ({ message }) => {
        end({ failure: message });
      });
      outgoing.on('response', (incoming) => {
        read(incoming, requestId, answerBytes, end);
      });
      outgoing.end(body);
    });
  };
  return send().catch((error: unknown) => ({
    failure: error instanceof Error ? error.message : String(error),
  }));
}

async function tlsOptions(url: URL, identity: () => BankIdentity | Promise<BankIdentity>) {
  const { cert, key, ca } = await identity();
  const here = isLoopback(url.hostname);
  return {
    cert,
    key,
    ca: [...rootCertificates, ...ca],
    rejectUnauthorized: !here,
    minVersion: 'TLSv1.2',
  } as const;
}

/** Reads an answer to its end, but not further than is good for it: an answer to a push has no body. */
function read(
  incoming: IncomingMessage,
  requestId: string,
  most: number,
  end: (pushed: Pushed) => void,
): void {
  const status = incoming.statusCode ?? 0;
  const wrong =
    status === 200 && incoming.headers['x-request-id'] !== requestId
      ? { failure: 'The answer does not repeat the X-Request-ID.' }
      : {};
  let size = 0;
  incoming.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size > most) end({ status, failure: 'The answer has a long body.' });
  });
  incoming.on('end', () => {
    end({ status, ...wrong });
  });
  incoming.on('error', ({ message }) => {
    end({ status, failure: message });
  });
}

let made: Promise<BankIdentity> | undefined;

const dayMs = 86_400_000;

/** A certificate of another authority in the bank's name, for the fault `push-foreign-certificate`. */
export function foreignIdentity(): Promise<BankIdentity> {
  made ??= make();
  return made;
}

async function make(): Promise<BankIdentity> {
  const { createServerCertificate, createTestCa } = await import('../../signing/certificate.ts');
  const issue = {
    keyType: 'ec',
    notBefore: new Date(Date.now() - dayMs),
    notAfter: new Date(Date.now() + dayMs),
  } as const;
  const server = await createServerCertificate({ ...issue, ca: await createTestCa(issue) });
  return { cert: server.certificatePem, key: server.keyPem.reveal(), ca: [] };
}
