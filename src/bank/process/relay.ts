import type { IncomingMessage, ServerResponse } from 'node:http';
import { readDoors } from '../../settings/doors/read-doors.ts';
import type { RelayAddress, RelayOptions } from '../door.ts';
import { TppCertificates } from '../../referee/signature/tpp-certificate.ts';
import type { BankHome } from '../home/bank-home.ts';
import { ensureKeys, trustedAuthorities } from '../home/keys.ts';
import { send } from '../interface/answer.ts';
import { openHar } from '../recording/har-file.ts';
import { peerOf } from '../trust/caller.ts';
import { addressOf } from '../trust/site.ts';
import { exchangeOf, refuseEntry } from './entrance.ts';
import { openListeners } from './listeners.ts';
import { aborted, tlsOf } from './standalone.ts';

const maxBody = 64 * 1024 * 1024;
const closeMs = 2000;
const methods = new Set(['GET', 'POST', 'PUT', 'DELETE']);

/** Hands calls on and writes them down until the signal aborts. Throws SANDBOX_UNAVAILABLE, INPUT_INVALID. */
export async function serveRelay(
  { shared, clock }: BankHome,
  options: RelayOptions,
  ready: (address: RelayAddress) => void,
  signal: AbortSignal,
): Promise<void> {
  const doors = readDoors([...options.doors]);
  const keys = await ensureKeys(shared, clock.now());
  const trusted = trustedAuthorities(shared, keys, doors.trust);
  const certificates = new TppCertificates(trusted);
  const har = await openHar(options.file, options.version, options.force);
  const needsCertificate = doors.clientCertificate === 'required';
  const answer = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    const exchange = exchangeOf({ ...doors, accessKey: undefined }, incoming, outgoing);
    const refused =
      exchange === undefined
        ? { status: 400, headers: {} }
        : refuseEntry({ ...doors, accessKey: undefined }, exchange);
    if (exchange === undefined || refused !== undefined) {
      send(outgoing, refused ?? { status: 400, headers: {} });
      return;
    }
    const { method, url } = exchange;
    const peer = peerOf(incoming);
    const isTrusted = peer !== undefined && certificates.readPeer(peer, clock.now()).mistake === undefined;
    if (needsCertificate && !isTrusted) {
      refuse(outgoing, 401, 'CERTIFICATE_INVALID', 'A client certificate that is trusted here is missing.');
      return;
    }
    if (!methods.has(method)) {
      refuse(outgoing, 405, 'SERVICE_INVALID', `${method} is not handed on.`);
      return;
    }
    const body = await bodyOf(incoming);
    if (body === undefined) {
      refuse(outgoing, 413, 'FORMAT_ERROR', 'The body is longer than 64 MiB.');
      return;
    }
    const headers = incoming.rawHeaders.flatMap((name, at): [string, string][] =>
      at % 2 === 0 ? [[name, incoming.rawHeaders[at + 1] ?? '']] : [],
    );
    const target = url.pathname + url.search;
    const { answer: came, entry } = await options.forward(
      { method, target, headers, body },
      addressOf(exchange),
    );
    await har.append(entry);
    // What became of it the client must find out as it would at the bank.
    if (came === undefined) incoming.socket.destroy();
    else {
      outgoing.statusCode = came.status;
      for (const [name, value] of came.headers)
        if (!/^(?:connection|keep-alive|transfer-encoding|content-length|content-encoding)$/i.test(name))
          outgoing.appendHeader(name, value);
      outgoing.end(came.body);
    }
  };
  const listeners = await openListeners(
    doors,
    () => tlsOf(doors, keys, trusted, clock.now()),
    (incoming, outgoing) => {
      answer(incoming, outgoing).catch((error: unknown) => {
        options.failed(error instanceof Error ? error.message : String(error));
        outgoing.destroy();
      });
    },
  );
  try {
    const { port, httpsPort } = listeners;
    ready({
      baseUrl: `http://127.0.0.1:${String(port)}`,
      ...(httpsPort !== undefined && {
        httpsBaseUrl: `https://127.0.0.1:${String(httpsPort)}`,
        caPath: keys.ca,
      }),
    });
    await aborted(signal);
  } finally {
    await listeners.close(closeMs);
    await har.close();
  }
}

function refuse(outgoing: ServerResponse, status: number, code: string, text: string): void {
  const content = JSON.stringify({ tppMessages: [{ category: 'ERROR', code, text }] });
  send(outgoing, { status, headers: { 'Content-Type': 'application/json' }, content });
}

async function bodyOf(incoming: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxBody) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
