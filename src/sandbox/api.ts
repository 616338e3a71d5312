import { randomUUID } from 'node:crypto';
import type { HttpBindings } from '@hono/node-server';
import { Hono } from 'hono';
import type { Context } from 'hono';
import { checkHeaderValue } from '../xs2a/headers.ts';
import { matchRequest } from '../xs2a/request.ts';
import { presets } from '../xs2a/variants.ts';
import type { Variant } from '../xs2a/variants.ts';
import { arrive } from './arrivals.ts';
import type { Verdict } from './arrivals.ts';
import { refusalReply } from './authorisations.ts';
import type { Call, Handler, Reply, RunningBank } from './call.ts';
import { deviate } from './deviations.ts';
import { takeFault } from './faults.ts';
import { pass, TooManyCalls } from './gate.ts';
import { readOrder } from './order-body.ts';
import type { Incoming } from './gate.ts';
import { peerOf } from './peer.ts';
import { formatError, Refusal } from './refusal.ts';
import { handlerOf } from './routes.ts';
import { oncePerRequest, scenarioOf } from './scenario.ts';
import { signatureRules } from './signature-rules.ts';
import { strikeAfter, strikeBefore, strikesFirst } from './strike.ts';
import { expectedOf } from './verify.ts';

const maxBody = 128 * 1024 * 1024;
type Env = { Bindings: HttpBindings };

/** The interface itself, under each prefix; the operations table decides what a method and a path are. */
export function apiRoutes(bank: RunningBank): Hono<Env> {
  const app = new Hono<Env>();
  for (const variant of Object.values(presets)) {
    app.all(`${variant.prefix}/*`, (c) => receive(bank, variant, c));
  }
  return app;
}

async function receive(bank: RunningBank, preset: Variant, c: Context<Env>): Promise<Response> {
  const scenario = scenarioOf(bank.ledger.main);
  const variant = { ...preset, surface: scenario.surface };
  const match = matchRequest(variant, c.req.method, c.req.path);
  if ('operation' in match && !bank.without.has(match.operation.id)) {
    return serve(bank, c, { variant, scenario, operation: match.operation, params: match.params });
  }
  const refusal = notOffered(match);
  const about = { operation: '', method: c.req.method, path: c.req.path, requestId: null, tpp: null };
  arrive(bank.ledger.log, { ...about, status: refusal.status }, verdictOf(refusal), bank.wallClock.now());
  return send(c, refusalReply(refusal));
}

function notOffered(match: ReturnType<typeof matchRequest>): Refusal {
  if ('absent' in match) return new Refusal(404, 'RESOURCE_UNKNOWN', `Not offered: ${match.absent}.`);
  if ('wrongMethod' in match)
    return new Refusal(405, 'SERVICE_INVALID', `Only ${match.wrongMethod.join(', ')} here.`);
  if ('operation' in match)
    return new Refusal(405, 'SERVICE_INVALID', `${match.operation.id} is not offered.`);
  return new Refusal(404, 'RESOURCE_UNKNOWN', 'There is no such path.');
}

async function serve(
  bank: RunningBank,
  c: Context<Env>,
  matched: Pick<Incoming, 'variant' | 'scenario' | 'operation' | 'params'>,
): Promise<Response> {
  const { log } = bank.ledger;
  const { operation } = matched;
  const at = bank.wallClock.now();
  const requestId = c.req.header('x-request-id') ?? null;
  const about = { operation: operation.id, method: c.req.method, path: c.req.path, requestId };
  const fault = takeFault(log, operation.id);
  if (fault !== undefined && strikesFirst(fault)) {
    const struck: Verdict = { ...verdictOf(undefined), verdict: 'fault', rule: fault.kind };
    arrive(log, { ...about, tpp: null, status: null }, struck, at);
    return strikeBefore(fault, c.req.url, c.env);
  }
  const body = await readBytes(c.req.raw);
  const { origin, searchParams } = new URL(c.req.url);
  const incoming: Incoming = {
    ...matched,
    headers: c.req.raw.headers,
    query: searchParams,
    body: body ?? new Uint8Array(),
    origin,
    tpp: null,
    peer: peerOf(c),
  };
  let decided: Decided = { reply: { status: 500 } };
  try {
    decided = body === undefined ? refused(tooLong) : await decide(bank, incoming);
  } finally {
    const { status } = decided.reply;
    arrive(log, { ...about, tpp: incoming.tpp, status }, verdictOf(decided.refusal, incoming), at);
  }
  const { reply } = decided;
  const whole = send(c, reply);
  return fault === undefined ? whole : strikeAfter(fault, reply, whole, c.env);
}

const tooLong = formatError(`The body is longer than ${maxBody} bytes.`);

/** What the bank answers, and why where it refuses. */
interface Decided {
  reply: Reply;
  refusal?: Refusal | TooManyCalls;
}

const refused = (refusal: Refusal): Decided => ({ reply: refusalReply(refusal), refusal });

/** What the log tells of a request; what was expected of the signature wherever the request was read. */
function verdictOf(refusal: Refusal | TooManyCalls | undefined, incoming?: Incoming): Verdict {
  const expected =
    incoming &&
    expectedOf(
      incoming.headers,
      // A digest that was verified is not made again: bodies may be long.
      incoming.caller?.signed === true ? undefined : incoming.body,
      signatureRules(incoming.scenario, incoming.operation),
    );
  return {
    caller: incoming?.caller?.tpp ?? null,
    verdict: refusal === undefined ? 'accepted' : refusal instanceof Refusal ? 'refused' : 'limited',
    code: refusal instanceof Refusal && refusal.code !== '' ? refusal.code : null,
    rule: refusal?.message ?? null,
    digest: expected?.digest ?? null,
    signingString: expected?.signingString ?? null,
  };
}

/** Judges a request and acts on it, in one transaction that is on the disk before the answer leaves. */
async function decide(bank: RunningBank, incoming: Incoming): Promise<Decided> {
  try {
    // Before the gate: what it counts must be noted before the next request is counted.
    const handler = await handlerOf(incoming.operation.id);
    const call = pass(bank, incoming);
    const whole = call.operation.body === 'payment' ? { ...call, order: await readOrder(call) } : call;
    return { reply: deviate(act(bank, whole, handler), call) };
  } catch (error) {
    if (error instanceof Refusal) return refused(inVariant(error, incoming.variant));
    if (error instanceof TooManyCalls)
      return { reply: { status: 429, headers: { 'Retry-After': String(error.seconds) } }, refusal: error };
    throw error;
  }
}

function act(bank: RunningBank, call: Call, handler: Handler): Reply {
  if (call.operation.method === 'GET') return handler(bank, call);
  const { main } = bank.ledger;
  return main.atomically(() => oncePerRequest(main, call, () => handler(bank, call)));
}

/** SCA_INVALID came with 1.3.6; before, the state of the resource forbids. */
function inVariant(refusal: Refusal, variant: Variant): Refusal {
  if (refusal.code !== 'SCA_INVALID' || variant.framework === '1.3.6') return refusal;
  return new Refusal(409, 'STATUS_INVALID', refusal.message);
}

/** The exact bytes of the body, or undefined where they are too many. */
async function readBytes(request: Request): Promise<Uint8Array | undefined> {
  // That of a GET is never read here, and to ask for it would make a whole Request of what came.
  if (request.method === 'GET' || request.body === null) return new Uint8Array();
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request.body as unknown as AsyncIterable<Uint8Array>) {
    size += chunk.length;
    if (size > maxBody) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function send(c: Context, reply: Reply): Response {
  const headers = new Headers(reply.headers);
  const requestId = c.req.header('x-request-id') ?? '';
  // Every answer has one: where that of the request is none, the bank's own.
  headers.set('X-Request-ID', checkHeaderValue('X-Request-ID', requestId).ok ? requestId : randomUUID());
  headers.set('Cache-Control', 'no-store');
  if (reply.content !== undefined) {
    headers.set('Content-Type', reply.content.type);
    const body = 'bytes' in reply.content ? reply.content.bytes : streamOf(reply.content.chunks);
    return new Response(body as Uint8Array<ArrayBuffer>, { status: reply.status, headers });
  }
  if (reply.body === undefined) return new Response(null, { status: reply.status, headers });
  headers.set('Content-Type', 'application/json');
  return new Response(JSON.stringify(reply.body), { status: reply.status, headers });
}

/** Each chunk is made when there is room for it. */
function streamOf(chunks: Iterable<Uint8Array>): ReadableStream<Uint8Array> {
  const iterator = chunks[Symbol.iterator]();
  return new ReadableStream({
    pull(controller) {
      const next = iterator.next();
      if (next.done === true) controller.close();
      else controller.enqueue(next.value);
    },
  });
}
