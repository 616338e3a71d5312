import { TransportFailure } from '../../base/errors.ts';
import type { Ports } from '../../client/ports.ts';
import type { RelayedAnswer, RelayedRequest } from '../../bank/door.ts';
import type { HttpConnection, HttpRequest } from '../../client/ports/http.ts';
import type { NamedValue } from '../../settings/records/exchange.ts';
import { sha256Hex } from '../../signing/digest.ts';
import { harOfViews } from '../../client/evidence/har.ts';
import type { HarCreator } from '../../client/evidence/har.ts';
import { revealsBody } from '../../client/redaction/made-by-signing.ts';
import { redactHeaders, redactText, redactUrl } from '../../client/redaction/redact.ts';
import type { ExchangeJudge } from './exchanges.ts';

/** Where calls of another client go, and how. */
export interface RelayTarget {
  /** The address of the bank without a slash at its end. */
  to: string;
  connection: HttpConnection;
  /** Judges one call after the other, so that it sees what goes back. */
  judge: ExchangeJudge;
  creator: HarCreator;
}

const limits = { connectMs: 10_000, firstByteMs: 120_000, deadlineMs: 180_000, maxBytes: 64 * 1024 * 1024 };

/** Headers of one connection (RFC 9110 7.6.1), and of a coding that is undone on the way. */
const ofConnection =
  /^(?:host|connection|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade|expect|content-length|accept-encoding)$/i;

/** Sends a call of another client to the bank, and gives back the answer with its entry for a HAR, without any secret. */
export async function relayedExchange(
  ports: Pick<Ports, 'http' | 'clock'>,
  target: RelayTarget,
  request: RelayedRequest,
  own: string,
): Promise<{ answer: RelayedAnswer | undefined; entry: object }> {
  const { clock } = ports;
  const [at, begun] = [clock.now().toISOString(), clock.monotonic()];
  const url = target.to + request.target;
  const { answer, failure } = await sentOn(ports, target, request);
  const durationMs = clock.monotonic() - begun;
  const checked = await target.judge.next(
    {
      source: 'har',
      method: request.method,
      path: request.target,
      origin: new URL(target.to).origin,
      headers: [...request.headers].map(([name, value]): [string, string] => [name, value]),
      body: Buffer.from(request.body),
      notes: [],
      at,
      ...(answer && {
        answer: {
          status: answer.status,
          headers: answer.headers.map(([n, v]) => [n, v]),
          body: answer.body,
        },
      }),
    },
    'by its path',
  );
  const body = Buffer.from(request.body).toString('utf8');
  const shown = redactText(body);
  const hidden = (name: string) => shown !== body && revealsBody.test(name);
  const view = {
    at,
    operation: checked.operation ?? 'unknown',
    method: request.method,
    url: redactUrl(url),
    requestId: request.headers.find(([name]) => /^x-request-id$/i.test(name))?.[1] ?? '',
    request: {
      headers: named(redactHeaders(request.headers)).map(({ name, value }) =>
        hidden(name) ? { name, value: '[secret]' } : { name, value },
      ),
      body: shown,
      bodySha256: sha256Hex(Buffer.from(request.body)),
      digest: null,
      signingString: null,
      signature: null,
    },
    outcome: answer === undefined ? ('UNKNOWN' as const) : ('DONE' as const),
    durationMs,
    ...(answer && {
      answer: {
        status: answer.status,
        headers: named(redactHeaders(answer.headers)),
        body: redactText(Buffer.from(answer.body).toString('utf8')),
        messages: [],
      },
    }),
    ...(failure && { failure }),
  };
  const { log } = harOfViews([view], target.creator) as { log: { entries: object[] } };
  const findings: unknown = JSON.parse(redactText(JSON.stringify(checked.findings)));
  const entry = { ...log.entries[0], _findings: findings };
  return { answer: answer && withOwnLinks(answer, target.to, own), entry };
}

interface SentOn {
  answer?: RelayedAnswer;
  failure?: { left: boolean; why: string };
}

async function sentOn(
  { http }: Pick<Ports, 'http'>,
  { to, connection }: RelayTarget,
  { method, target, headers: received, body: content }: RelayedRequest,
): Promise<SentOn> {
  const sent: HttpRequest = {
    method: method as HttpRequest['method'],
    url: to + target,
    headers: received.filter(([name]) => !ofConnection.test(name)),
    body: content,
  };
  try {
    const { status, headers, body } = await http.send(sent, { limits, connection, fresh: true });
    return { answer: { status, headers, body } };
  } catch (error) {
    if (!(error instanceof TransportFailure)) throw error;
    return { failure: { left: error.sent, why: `${error.reason}: ${redactText(error.message)}` } };
  }
}

const named = (headers: readonly (readonly [string, string])[]): NamedValue[] =>
  headers.map(([name, value]) => ({ name, value }));

/** Links to the interface lead through here again; those to pages for the PSU and to an OAuth server lead where they did. */
function withOwnLinks(answer: RelayedAnswer, to: string, own: string): RelayedAnswer {
  const origin = new URL(to).origin;
  const ours = (address: string) => (address.startsWith(`${to}/`) ? own + address.slice(to.length) : address);
  const headers = answer.headers.map(([name, value]): [string, string] => [
    name,
    /^location$/i.test(name) ? ours(value) : value,
  ]);
  const text = Buffer.from(answer.body).toString('utf8');
  if (!text.includes(origin) || !/^\s*\{/.test(text)) return { ...answer, headers };
  const led = text.replace(
    /"(\w+)"(\s*:\s*\{\s*"href"\s*:\s*)"([^"\\]+)"/g,
    (whole, name: string, between: string, address: string) =>
      /^sca(?:Redirect|OAuth)$/.test(name) ? whole : `"${name}"${between}${JSON.stringify(ours(address))}`,
  );
  return { ...answer, headers, body: Buffer.from(led) };
}
