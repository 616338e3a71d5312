import { send } from '../interface/answer.ts';
import type { Answer } from '../interface/answer.ts';
import { judged } from '../interface/referee.ts';
import { arrive, noVerdict } from '../rules/arrivals.ts';
import { keptBytes, noteResponse } from '../rules/messages.ts';
import type { HeaderLine } from '../rules/messages.ts';
import { scenarioOf } from '../rules/scenario.ts';
import { isLoopbackAddress, parseUrl } from '../../base/url.ts';
import { interfaceAt } from '../trust/interfaces.ts';
import { addressOf } from '../trust/site.ts';
import { peerOf } from '../trust/caller.ts';
import type { RecordedBank, RecordedExchange as Exchange, RunningBank } from '../trust/call.ts';
import { matchRequest } from '../../standard/xs2a/request.ts';
import type { RecordedCall } from '../door.ts';
import { Recording } from './recording.ts';

const maxBody = 16 * 1024 * 1024;

/** Calls that were recorded, as a bank. */
export function recordedBank(calls: readonly RecordedCall[], now: () => Date): RecordedBank {
  const recording = new Recording(calls, now);
  return {
    serve: (bank, exchange) => serveRecorded(bank, recording, exchange),
    decided: (target, decision) => recording.decided(target, decision),
  };
}

/** Answers a request from a recording, and notes it with what the referee says of it, as the bank does. */
async function serveRecorded(bank: RunningBank, recording: Recording, exchange: Exchange): Promise<void> {
  const { incoming, outgoing, method, path, url } = exchange;
  const began = performance.now();
  const body = await bodyOf(incoming);
  const base = addressOf(exchange);
  const header = (name: string) => {
    const value = incoming.headers[name];
    return typeof value === 'string' ? value : null;
  };
  const page = method === 'GET' ? pageOf(recording, exchange) : undefined;
  if (page !== undefined) {
    send(outgoing, page);
    return;
  }
  const isKept = bank.doors.clientCertificate === 'required' && peerOf(incoming) === undefined;
  const told = isKept
    ? refusal(
        401,
        'CERTIFICATE_MISSING',
        'This server asks for a client certificate.',
        header('x-request-id'),
      )
    : recording.tell({ method, path, query: url.searchParams, header, base });
  const answer =
    told === 'unknown'
      ? refusal(404, 'RESOURCE_UNKNOWN', `The recording has no ${method} ${path}.`, header('x-request-id'))
      : told;
  const number = await note(bank, exchange, body, answer === 'cut' ? null : answer.status);
  if (answer === 'cut') {
    incoming.socket.destroy();
    return;
  }
  const { status, headers, content } = answer;
  const ms = performance.now() - began;
  const kept = { headers, body: content.subarray(0, keptBytes), bytes: content.length, ms };
  noteResponse(bank.ledger.log, number, kept);
  outgoing.statusCode = status;
  for (const [name, value] of headers) outgoing.appendHeader(name, value);
  outgoing.end(content);
}

/** A browser that opens a page of the bank goes on at once: what the PSU decided stands in the recording. */
function pageOf(recording: Recording, { url }: Exchange): Answer | undefined {
  const to = recording.decided(url.href, 'approve')?.redirectedTo;
  if (to === undefined) return undefined;
  // Whoever makes a link must not lead people elsewhere by it.
  const host = parseUrl(to)?.hostname ?? '';
  if (!isLoopbackAddress(host))
    return {
      status: 200,
      headers: { 'Content-Type': 'text/plain; charset=utf-8' },
      content: `Go on at ${to}\n`,
    };
  return { status: 302, headers: { Location: to } };
}

const refusal = (status: number, code: string, text: string, requestId: string | null) => ({
  status,
  headers: [
    ['Content-Type', 'application/json'],
    ...(requestId === null ? [] : [['X-Request-ID', requestId] as const]),
  ] as readonly HeaderLine[],
  content: Buffer.from(JSON.stringify({ tppMessages: [{ category: 'ERROR', code, text }] })),
});

async function note(
  bank: RunningBank,
  exchange: Exchange,
  body: Uint8Array,
  status: number | null,
): Promise<number> {
  const { incoming, method, path, url, base } = exchange;
  const headers = incoming.rawHeaders.flatMap((name, at): [string, string][] =>
    at % 2 === 0 ? [[name, incoming.rawHeaders[at + 1] ?? '']] : [],
  );
  const preset = interfaceAt(bank.doors, path);
  const scenario = scenarioOf(bank.ledger.main);
  const variant = preset && { ...preset, prefix: base + preset.prefix, surface: 'framework' as const };
  const request = { method, target: base + path + url.search, headers, body, peer: peerOf(incoming) };
  const findings =
    variant === undefined ? [] : await judged(bank, request, { variant, scenario, signed: false });
  const match = variant && matchRequest({ ...variant, prefix: preset.prefix }, method, path);
  const operation = match !== undefined && 'operation' in match ? match.operation.id : '';
  const requestId =
    typeof incoming.headers['x-request-id'] === 'string' ? incoming.headers['x-request-id'] : null;
  const about = { operation, method, path, requestId, status, tpp: null };
  const verdict = (status ?? 500) < 400 ? 'accepted' : 'refused';
  const received = { query: url.search.slice(1), headers, body };
  return arrive(
    bank.ledger.log,
    { ...noVerdict, ...about, verdict, findings },
    bank.wallClock.now(),
    received,
  );
}

async function bodyOf(incoming: Exchange['incoming']): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size <= maxBody) chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
