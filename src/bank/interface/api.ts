import type { IncomingMessage } from 'node:http';
import { isKnown, messageCode } from '../../standard/xs2a/codes.ts';
import type { JsonValue } from '../../standard/xs2a/json.ts';
import type { Method, Operation } from '../../standard/xs2a/operations.ts';
import { matchRequest } from '../../standard/xs2a/request.ts';
import type { PathParams, RequestMatch } from '../../standard/xs2a/request.ts';
import type { Variant } from '../../standard/xs2a/variants.ts';
import { answerOf, send, kept, linesOf, received, withErrorForm } from './answer.ts';
import type { Answer } from './answer.ts';
import { arrive, callsLeft } from '../rules/arrivals.ts';
import type { Verdict } from '../rules/arrivals.ts';
import { noteRequest } from '../rules/messages.ts';
import { refusalReply } from '../payments/authorisations.ts';
import type { Call, Handler, Reply, RunningBank } from '../trust/call.ts';
import { inOwnWords } from '../dialect/answers.ts';
import { checkDemands, checkBody } from '../dialect/demands.ts';
import { leftHeader } from '../dialect/limits.ts';
import { ownProduct, standardPlace } from '../dialect/paths.ts';
import {
  jsonIn,
  standardBody,
  standardHeaders,
  standardReferences,
  standardRequest,
} from '../dialect/requests.ts';
import { deviate } from './deviations.ts';
import type { Exchange } from './exchange.ts';
import { bodyWithin } from '../rules/body.ts';
import { takeFault } from '../rules/faults.ts';
import { admitRequest, limitAt, TooManyCalls } from './gate.ts';
import type { Incoming } from './gate.ts';
import { oncePerRequest } from './once-per-request.ts';
import { readOrder } from '../payments/order-body.ts';
import { withDebtor, resourceIn, withOwnAuthorisation } from './own-requests.ts';
import { peerOf } from '../trust/caller.ts';
import { addressOf, siteOf } from '../trust/site.ts';
import { bankFailed, formatError, Refusal } from '../rules/refusal.ts';
import { headersOf } from '../../referee/request-headers.ts';
import type { RefereeFinding } from '../../referee/finding.ts';
import type { JudgedRequest } from '../../referee/request.ts';
import { judged, refusalFor, withRefusal } from './referee.ts';
import { handlerOf } from './routes.ts';
import { scenarioOf } from '../rules/scenario.ts';
import { signatureRules } from '../../referee/signature/signature-rules.ts';
import { applyAfter, applyBefore, appliesFirst, statusAnswer } from './apply-fault.ts';
import { expectedOf } from '../../referee/signature/verify.ts';

const maxBody = 128 * 1024 * 1024;
/** Only a bulk may be longer. */
const maxOther = 1024 * 1024;
const methods: readonly Method[] = ['GET', 'POST', 'PUT', 'DELETE'];

/** The interface itself: the table of operations decides on methods and paths. */
export async function receive(bank: RunningBank, preset: Variant, asked: Exchange): Promise<void> {
  const exchange = bank.dialect ? { ...asked, ...standardPlace(bank.dialect, asked) } : asked;
  const { method, path } = exchange;
  const described = bank.dialect?.signature;
  const ofLedger = scenarioOf(bank.ledger.main);
  const scenario = described === undefined ? ofLedger : { ...ofLedger, described };
  const variant = { ...preset, surface: scenario.surface };
  const match = matchRequest(variant, method, path);
  // Links carry the path in front of the interface; requests have lost it.
  const whole = { ...variant, prefix: exchange.base + variant.prefix };
  if (!('operation' in match) || bank.without.has(match.operation.id))
    return refuse(bank, exchange, {
      ...{ variant: whole, scenario, answering: answering(bank, asked) },
      refusal: notOffered(bank, variant, path, match),
    });
  return serve(bank, exchange, {
    variant: whole,
    scenario,
    operation: match.operation,
    params: withOwnAuthorisation(bank, match.operation, match.params),
    answering: answering(bank, asked, match),
  });
}

/** Answers a request that is for no operation of this bank. */
async function refuse(
  bank: RunningBank,
  exchange: Exchange,
  {
    refusal,
    answering: inOwn,
    ...matched
  }: Pick<Incoming, 'variant' | 'scenario'> & { refusal: Refusal; answering: Answering },
): Promise<void> {
  const { method, path, incoming, outgoing } = exchange;
  const began = performance.now();
  const about = { operation: '', method, path, requestId: null, tpp: null, status: refusal.status };
  const findings = await judged(bank, judgedOf(exchange, undefined, bank), { ...matched, signed: false });
  const verdict = { ...verdictOf(refusal), findings: withRefusal(findings, refusal) };
  const request = received(exchange, new Uint8Array());
  const { log } = bank.ledger;
  const now = bank.wallClock.now();
  const reply = inOwn(withErrorForm(refusalReply(refusal), matched.scenario));
  const answer = answerOf(reply, headersOf(incoming).get('x-request-id'));
  const noted = await log.together(() => {
    const number = arrive(log, { ...about, ...verdict }, now);
    return kept({ log, number, request, began }, answer);
  });
  send(outgoing, noted);
}

/** How replies become the answers of this bank. */
type Answering = (reply: Reply) => Reply;

function answering(
  { dialect }: RunningBank,
  asked: Exchange,
  about?: { operation: Operation; params: PathParams },
): Answering {
  if (dialect === undefined) return (reply) => reply;
  const requestId = headersOf(asked.incoming).get('x-request-id');
  const product = ownProduct(dialect, asked.path);
  const operation = about?.operation.id;
  const resourceId = about && resourceIn(about.params);
  return (reply) =>
    inOwnWords(reply, { dialect, operation, resourceId, requestId, base: asked.base, product });
}

/** The answer to a call that no ledger takes. */
export function refusedUnread(refusal: Refusal, incoming: IncomingMessage): Answer {
  return answerOf(refusalReply(refusal), headersOf(incoming).get('x-request-id'));
}

/** The switch of the scenario by which the bank offers what its framework has. */
const elsewhere = ({ surface }: Variant): string =>
  surface === 'service' ? '; the switch surface of the scenario offers it (framework)' : '';

function notOffered(bank: RunningBank, variant: Variant, path: string, match: RequestMatch): Refusal {
  if ('absent' in match)
    return new Refusal(404, 'RESOURCE_UNKNOWN', `Not offered: ${match.absent}${elsewhere(variant)}.`);
  if ('known' in match) return new Refusal(404, 'RESOURCE_UNKNOWN', 'The path does not exist.');
  const allow = methods.filter((method) => {
    const other = matchRequest(variant, method, path);
    return 'operation' in other && !bank.without.has(other.operation.id);
  });
  const text =
    'operation' in match ? `${match.operation.id} is not offered.` : `Only ${allow.join(', ')} here.`;
  return new Refusal(405, 'SERVICE_INVALID', text, { allow });
}

async function serve(
  bank: RunningBank,
  exchange: Exchange,
  {
    answering: inOwn,
    ...matched
  }: Pick<Incoming, 'variant' | 'scenario' | 'operation' | 'params'> & {
    answering: Answering;
  },
): Promise<void> {
  const { method, path, url, incoming: message, outgoing } = exchange;
  const began = performance.now();
  const { log } = bank.ledger;
  const { operation } = matched;
  const at = bank.wallClock.now();
  const headers = bank.dialect
    ? standardHeaders(bank.dialect, message.rawHeaders, message)
    : headersOf(message);
  const requestId = headers.get('x-request-id');
  const about = { operation: operation.id, method, path, requestId };
  const fault = takeFault(log, operation.id);
  if (fault !== undefined && appliesFirst(fault)) {
    const findings = await judged(bank, judgedOf(exchange, undefined, bank), { ...matched, signed: false });
    const struck: Verdict = { ...verdictOf(undefined), verdict: 'fault', rule: fault.kind, findings };
    const request = received(exchange, new Uint8Array());
    arrive(log, { ...about, tpp: null, status: null, ...struck }, at, request);
    applyBefore(fault, url, statusAnswer(fault, { ...matched, requestId }), outgoing);
    return;
  }
  const most = operation.body === 'payment' ? maxBody : maxOther;
  // The body of a GET is never read.
  const body = message.method === 'GET' ? new Uint8Array() : await bodyWithin(message, most);
  const incoming = {
    ...{ ...matched, ...incomingOn(bank, exchange), headers },
    body: body ?? new Uint8Array(),
  };
  const asked = judgedOf(exchange, body, bank, operation.body === 'payment');
  const decided = body === undefined ? refused(tooLong) : await decide(bank, incoming, asked);
  const { status } = decided.reply;
  const request = received(exchange, incoming.body);
  const found = decided.findings ?? (await findingsOf(bank, incoming, asked));
  const verdict = {
    ...verdictOf(decided.refusal, incoming),
    findings: withRefusal(found, decided.refusal),
  };
  const made = await log.together(() => {
    const number = arrive(log, { ...about, tpp: incoming.tpp, status, ...verdict }, at);
    try {
      const reply = withLeft(bank, incoming, inOwn(withErrorForm(decided.reply, matched.scenario)));
      const answer =
        fault?.kind === 'status'
          ? statusAnswer(fault, { ...matched, requestId })
          : answerOf(reply, requestId);
      return { reply, whole: kept({ log, number, request, began }, answer) };
    } catch (error) {
      // The call is noted all the same.
      noteRequest(log, number, request);
      return { error };
    }
  });
  if ('error' in made) throw made.error;
  if (fault === undefined) send(outgoing, made.whole);
  else await applyAfter(fault, made.reply, made.whole, outgoing);
}

/** A request as far as its connection tells. */
function incomingOn(
  { doors }: RunningBank,
  { incoming, method, path, url, origin }: Exchange,
): Omit<Incoming, 'variant' | 'scenario' | 'operation' | 'params' | 'headers' | 'body'> {
  return {
    query: url.searchParams,
    origin,
    // A tenant's pages have a path of their own; its interface has not.
    address: addressOf(siteOf(doors, origin)),
    tpp: null,
    peer: peerOf(incoming),
    path,
    method: incoming.method ?? method,
    target: incoming.url ?? '',
  };
}

/** A bank may say with each answer how many calls are left. */
function withLeft(bank: RunningBank, incoming: Incoming, reply: Reply): Reply {
  const { dialect, ledger, wallClock } = bank;
  const limit = limitAt(bank, incoming);
  const { tpp, variant, operation } = incoming;
  if (dialect?.settings.limits?.header === undefined || limit === undefined || tpp === null) return reply;
  const asked = { tpp, prefix: variant.prefix, operation: operation.id };
  const left = callsLeft(ledger.log, asked, limit, wallClock.now());
  return { ...reply, headers: { ...reply.headers, ...leftHeader(dialect, limit.calls, left) } };
}

const tooLong = formatError('The body is longer than this bank accepts.');

/** The bank's reply, and the reason if it is a refusal. */
interface Decided {
  reply: Reply;
  refusal?: Refusal | TooManyCalls;
  /** Those of the referee, where they were asked for ahead. */
  findings?: readonly RefereeFinding[];
}

const refused = (refusal: Refusal): Decided => ({ reply: refusalReply(refusal), refusal });

/** The log's view of a request, with the signature that was expected if the request could be read. */
function verdictOf(refusal: Refusal | TooManyCalls | undefined, incoming?: Incoming): Verdict {
  const expected =
    incoming &&
    expectedOf(
      incoming.headers,
      // A verified digest is not computed again: bodies may be long.
      incoming.caller?.signed === true ? undefined : incoming.body,
      signatureRules(incoming.scenario, incoming.operation, incoming.variant.framework),
    );
  return {
    caller: incoming?.caller?.tpp ?? null,
    ...outcomeOf(refusal),
    digest: expected?.digest ?? null,
    signingString: expected?.signingString ?? null,
    findings: [],
  };
}

function outcomeOf(refusal: Refusal | TooManyCalls | undefined): Pick<Verdict, 'verdict' | 'code' | 'rule'> {
  if (refusal === undefined) return { verdict: 'accepted', code: null, rule: null };
  const rule = refusal.message;
  if (!(refusal instanceof Refusal)) return { verdict: 'limited', code: null, rule };
  return { verdict: 'refused', code: refusal.code === '' ? null : refusal.code, rule };
}

/** A request as the referee gets it; the body of a GET is never read. */
function judgedOf(
  { method, base, path, url, incoming }: Exchange,
  body: Uint8Array | undefined,
  { dialect }: RunningBank,
  isPayment = false,
): JudgedRequest {
  const target = base + path + url.search;
  const request = { method, target, headers: linesOf(incoming), body, peer: peerOf(incoming) };
  return dialect === undefined ? request : standardRequest(dialect, request, isPayment);
}

/** The referee's findings; they decide nothing, so a fault of it never harms a call. */
async function findingsOf(
  bank: RunningBank,
  { variant, scenario, known, caller, operation }: Incoming,
  request: JudgedRequest,
): Promise<readonly RefereeFinding[]> {
  try {
    const signed = caller?.signed === true;
    return await judged(bank, request, { variant, scenario, known, operation, signed });
  } catch {
    return [];
  }
}

/** Judges a request and acts on it, in one transaction that is on the disk before the answer leaves. */
async function decide(bank: RunningBank, incoming: Incoming, request: JudgedRequest): Promise<Decided> {
  try {
    // Before the gate: its count must be saved before the next request is counted.
    const handler = await handlerOf(incoming.operation.id);
    const call = admitted(bank, incoming);
    if (call.scenario.findings === 'refused') {
      const findings = await findingsOf(bank, incoming, request);
      const refusal = refusalFor(findings);
      if (refusal !== undefined) return { ...refused(refusal), findings };
    }
    const whole = call.operation.body === 'payment' ? { ...call, order: await readOrder(bank, call) } : call;
    return { reply: deviate(act(bank, whole, handler), call) };
  } catch (error) {
    if (error instanceof Refusal) return refused(inVariant(error, incoming.variant));
    if (error instanceof TooManyCalls)
      return { reply: { status: 429, headers: { 'Retry-After': String(error.seconds) } }, refusal: error };
    return refused(bankFailed(error));
  }
}

/** The call that the gate lets in; a bank with a dialect demands more, and gets a payment in the words of the standard. */
function admitted(bank: RunningBank, incoming: Incoming): Call {
  const { dialect } = bank;
  if (dialect === undefined) return admitRequest(bank, incoming);
  checkDemands(dialect, { ...incoming, now: bank.clock.now() });
  const call = admitRequest(bank, incoming);
  const isPayment = call.operation.body === 'payment';
  const body = isPayment ? withDebtor(bank, call, standardBody(dialect, call.body)) : call.body;
  checkBody(dialect, call, isPayment ? (jsonIn(body) ?? null) : ((call.json ?? null) as JsonValue));
  return { ...call, body: isPayment ? standardReferences(dialect, body) : body };
}

function act(bank: RunningBank, call: Call, handler: Handler): Reply {
  if (call.operation.method === 'GET') return handler(bank, call);
  const { main } = bank.ledger;
  return main.atomically(() => oncePerRequest(main, call, () => handler(bank, call)));
}

/** The code to send if the framework of the call does not have the usual one yet. */
const earlier: Readonly<Record<string, readonly [status: number, code: string]>> = {
  SCA_INVALID: [409, 'STATUS_INVALID'],
  ROLE_INVALID: [401, 'CERTIFICATE_INVALID'],
};

function inVariant(refusal: Refusal, { framework }: Variant): Refusal {
  const [status, code] = earlier[refusal.code] ?? [];
  if (status === undefined || code === undefined || isKnown(framework, messageCode(refusal.code)))
    return refusal;
  return new Refusal(status, code, refusal.message, refusal.detail);
}
