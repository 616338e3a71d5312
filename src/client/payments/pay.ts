import { defined } from '../../base/defined.ts';
import { line } from '../../base/command-line.ts';
import { IntentHeld, ObkError, exitCodes, isFailure } from '../../base/errors.ts';
import type { Intent, Made } from '../../settings/records/journal.ts';
import type { Preferences, SavedRedirect, SavedResource } from '../../settings/records/resources.ts';
import type { Conversation } from '../../standard/sca/state.ts';
import type { Answer } from '../../standard/xs2a/answer.ts';
import { operation } from '../../standard/xs2a/operations.ts';
import { urlOf } from '../../base/url.ts';
import { savedRedirect } from '../browser/return-address.ts';
import { redirectOfNew } from '../browser/usable-redirect.ts';
import { dialectOf } from '../call/bank-answers.ts';
import { call, tryCall } from '../call/call.ts';
import type { Called } from '../call/call.ts';
import { psuHeaders, psuIpHeader, redirectHeaders } from '../call/psu-headers.ts';
import { preferenceHeaders } from '../call/tpp-preferences.ts';
import { judgeAnswer } from '../exchange/judge.ts';
import type { Target } from '../exchange/target.ts';
import { beforeSending } from '../exchange/unwritable.ts';
import type { PaymentOrder } from '../orders/read-order.ts';
import { claimIntent } from '../resources/intent.ts';
import type { ClaimOptions } from '../resources/intent.ts';
import { unknownOutcome } from '../resources/intent-state.ts';
import type { IntentState } from '../resources/intent-state.ts';
import { endOf } from '../resources/parent-status.ts';
import {
  createdBy,
  keepCreated,
  latest,
  madeOf,
  named,
  newResource,
  refreshResource,
} from '../resources/saved-resource.ts';
import { noteResolution } from '../resources/unknown-writes.ts';

/** A payment as it stands after a call: what is saved of it, the conversation, the answer. */
export interface PaymentResult {
  resource: SavedResource;
  /** Undefined where nothing is left to be authorised, or where its authorisation is not saved here. */
  conversation: Conversation | undefined;
  /** Absent where an earlier run of the same intent had made the payment. */
  answer?: Answer;
  reused: boolean;
}

/** How a payment is started. */
export interface InitOptions {
  intent: ClaimOptions;
  prefer?: Preferences;
  /** TPP-Nok-Redirect-URI in place of the usual one. */
  nokRedirectUri?: string;
  /** Consent-ID: the payment is part of a session that began with this consent. */
  consentId?: string;
}

/** Starts a payment at most once per intent: claims it, sends it, saves what came back. */
export async function initiatePayment(
  target: Target,
  order: PaymentOrder,
  options: InitOptions,
): Promise<PaymentResult> {
  const { ports } = target;
  const redirect = withNok(target, await redirectOfNew(target, 'initiatePayment'), options.nokRedirectUri);
  const input = {
    operation: 'initiatePayment',
    params: { 'payment-service': order.service, 'payment-product': order.product },
    headers: [
      ...psuHeaders(target),
      psuIpHeader(target),
      ...redirectHeaders(redirect),
      ...preferenceHeaders(target, 'initiatePayment', options.prefer),
      ...(options.consentId === undefined ? [] : [['Consent-ID', options.consentId] as const]),
    ],
    body: { bytes: order.bytes, contentType: order.contentType },
  } as const;
  if (target.run.dryRun) await call(target, input);

  const profile = {
    name: target.name,
    production: target.environment === 'production',
    ledger: target.ownBank?.ledger,
    readStatus: (intent: Intent, id: string) => readStatus(target, intent, id),
  };
  for (let tries = 1; ; tries += 1) {
    const claimed = await beforeSending(() => claimIntent(ports, profile, order, options.intent));
    const { intent } = claimed;
    if (claimed.kind === 'earlier') return earlierResult(target, intent, claimed.state);
    const called = await tryCall(target, { ...input, intent: intent.hash }).finally(() =>
      claimed.wish.drop(),
    );
    // Another run was first: what it did is looked at as if it had been so before.
    if (!called.ok && called.error instanceof IntentHeld && tries < mostTries) continue;
    return initiated(target, intent, called, redirect);
  }
}

/** How often a run looks again at what others do with the same payment. */
const mostTries = 5;

/** The payment that an answer has made, saved. */
async function initiated(
  target: Target,
  intent: Intent,
  called: Called,
  redirect: SavedRedirect | undefined,
): Promise<PaymentResult> {
  const { answer, doubt } = createdBy(called);
  const created = madeBy(target, intent, answer, redirect);
  await keepCreated(target, created);
  if (doubt !== undefined) throw named(doubt, 'payment', created.resource.id);
  return { ...created, answer, reused: false };
}

/** Where the payment of an earlier intent stands at the bank. */
async function readStatus(target: Target, intent: Intent, id: string): Promise<string | undefined> {
  const saved = await target.ports.resources.find(target.name, 'payment', id);
  return (await refreshResource(target, saved ?? bareResource(target, intent, id))).resource.status;
}

/** A payment with only the facts that its intent has. */
function bareResource(target: Target, intent: Intent, id: string): SavedResource {
  return {
    ...newResource(target, 'payment', id),
    createdAt: intent.createdAt,
    service: intent.service,
    product: intent.product,
    intent: intent.hash,
    summary: intent.summary,
  };
}

/** The result of an earlier run of the same intent; nothing is sent. */
async function earlierResult(target: Target, intent: Intent, state: IntentState): Promise<PaymentResult> {
  // The run may have ended between the answer and the saving of it: the journal has the answer.
  const answer = state.kind === 'answered' ? judgeAgain(target, intent, state) : undefined;
  const resolved = state.kind === 'resolved' ? state : undefined;
  const id = resolved?.paymentId ?? intent.resourceId ?? answer?.ids.paymentId;
  const kept = id === undefined ? undefined : await keptPayment(target, intent, id, resolved?.doubt);
  if (kept !== undefined) return kept;
  if (answer !== undefined) return fromAnswer(target, intent, answer);
  if (id === undefined) throw unknownOutcome(intent, { detail: 'it was resolved by hand, without an id' });
  return fromBank(target, (await savedPayment(target, id)) ?? bareResource(target, intent, id));
}

const savedPayment = ({ ports, name }: Target, id: string) => ports.resources.find(name, 'payment', id);

/** A payment that is saved here with its authorisation, or is over; undefined where the answer or the bank must be asked. */
async function keptPayment(
  target: Target,
  intent: Intent,
  id: string,
  doubt: Doubt | undefined,
): Promise<PaymentResult | undefined> {
  const { resources, intents } = target.ports;
  const known = await savedPayment(target, id);
  const resource =
    doubt === undefined
      ? known
      : await confirmedByBank(target, intent, known ?? bareResource(target, intent, id), doubt);
  if (resource === undefined) return undefined;
  const conversation = latest(await resources.conversations(target.name, 'payment', id), 'payment');
  const isOver = endOf('payment', resource.status) !== undefined;
  // Whatever became of its authorisation, it is over.
  if (isOver && (conversation === undefined || doubt !== undefined))
    return { resource, conversation: undefined, reused: true };
  if (conversation === undefined) return undefined;
  if (intent.resourceId === undefined) await intents.noteResource(intent.hash, id);
  return { resource, conversation, reused: true };
}

/** The payment that the answer to an earlier run has made, which that run did not save, or not whole. */
async function fromAnswer(target: Target, intent: Intent, answer: Answer): Promise<PaymentResult> {
  const made = madeBy(target, intent, answer, await redirectOf(target, intent));
  const saved = await savedPayment(target, made.resource.id);
  const whole = { ...made, resource: saved ?? made.resource };
  await keepCreated(target, whole);
  if (intent.resourceId === undefined) return { ...whole, answer, reused: true };
  // It was saved before, and may have changed since.
  const resource = await refreshed(target, whole.resource);
  const ended = endOf('payment', resource.status) !== undefined;
  return { resource, conversation: ended ? undefined : whole.conversation, answer, reused: true };
}

/** Why the answer to a write could not be believed. */
type Doubt = Extract<IntentState, { kind: 'unknown' }>;

/** Reads the payment named by an answer that could not be believed; once the bank shows it, the outcome is known. */
async function confirmedByBank(
  target: Target,
  intent: Intent,
  resource: SavedResource,
  doubt: Doubt,
): Promise<SavedResource> {
  const { id } = resource;
  let now: SavedResource;
  try {
    now = (await refreshResource(target, resource)).resource;
  } catch (error) {
    if (!isFailure(error)) throw error;
    throw named(unknownOutcome(intent, doubt), 'payment', id);
  }
  const { status } = now;
  if (status === undefined) throw named(unknownOutcome(intent, doubt), 'payment', id);
  target.ports.notices.warn(
    `The answer to this payment could not be believed (${doubt.detail}); the bank knows payment ${id}, and says ${status}.`,
  );
  await noteResolution(
    target.ports.journal,
    { run: intent.run, exchange: doubt.exchange ?? '' },
    {
      type: 'resolved',
      at: target.ports.clock.now().toISOString(),
      exchange: doubt.exchange ?? '',
      resolution: 'created',
      by: 'bank',
      reason: `read ${status}`,
      resource: { paymentId: id },
    },
  );
  return now;
}

async function refreshed(target: Target, resource: SavedResource): Promise<SavedResource> {
  try {
    return (await refreshResource(target, resource)).resource;
  } catch (error) {
    if (!isFailure(error)) throw error;
    return resource;
  }
}

/** Reads a payment of which only the id is known here; only the bank can tell what is left to do. */
async function fromBank(target: Target, known: SavedResource): Promise<PaymentResult> {
  const { id, service = '', product = '' } = known;
  const { resource } = await refreshResource(target, known).catch((error: unknown) => {
    if (!isFailure(error)) throw error;
    throw new ObkError({
      code: 'RESOURCE_NOT_SAVED',
      exit: exitCodes.pending,
      title: `Payment ${id} was made before with this intent, and nothing more is known of it here.`,
      detail: `The bank does not tell its status: ${error.title}`,
      hint: [line`obk payment status ${id} --service ${service} --product ${product}`],
      resource: { paymentId: id },
    });
  });
  return { resource, conversation: undefined, reused: true };
}

/** Reads the answer that an earlier run got; throws the refusal if it was one. */
function judgeAgain(
  target: Target,
  intent: Intent,
  { record, requestId, url }: Extract<IntentState, { kind: 'answered' }>,
): Answer {
  const { pathname, search } = urlOf(url);
  const verdict = judgeAnswer(
    {
      operation: operation('initiatePayment'),
      path: pathname + search,
      requestId,
      write: true,
      intent: intent.hash,
      dialect: dialectOf(target, operation('initiatePayment'), {}),
    },
    { status: record.status, headers: record.headers, body: Buffer.from(record.body, 'utf8') },
    target.variant,
  );
  if (verdict.outcome === 'DONE') return verdict.answer;
  target.ports.notices.say(
    `The bank refused this payment on ${record.at}, and nothing was sent again: obk log show ${intent.run}`,
  );
  throw verdict.error;
}

/** The redirect addresses that the earlier run sent, as its journal has them. */
async function redirectOf(target: Target, intent: Intent): Promise<SavedRedirect | undefined> {
  const records = await target.ports.journal.read(intent.run);
  const sent = records.findLast((record) => record.type === 'prepared' && record.intent === intent.hash);
  if (sent?.type !== 'prepared') return undefined;
  const valueOf = (name: string): string | undefined => sent.headers.find(([key]) => key === name)?.[1];
  const uri = valueOf('TPP-Redirect-URI');
  return uri === undefined ? undefined : savedRedirect(uri, valueOf('TPP-Nok-Redirect-URI'));
}

function madeBy(target: Target, intent: Intent, answer: Answer, redirect: SavedRedirect | undefined): Made {
  const id = answer.ids.paymentId;
  if (id === undefined) throw new Error('a payment answer without paymentId passed the reader');
  const resource: SavedResource = {
    ...newResource(target, 'payment', id),
    service: intent.service,
    product: intent.product,
    intent: intent.hash,
    links: answer.links,
    summary: intent.summary,
    ...defined({ requestId: answer.requestId, status: answer.transactionStatus, redirect }),
  };
  return madeOf(target, resource, answer);
}

/** The nok address alone says nothing to a bank. */
function withNok(
  target: Target,
  redirect: SavedRedirect | undefined,
  nokUri: string | undefined,
): SavedRedirect | undefined {
  if (nokUri === undefined) return redirect;
  if (redirect !== undefined) return { ...redirect, nokUri };
  throw new ObkError({
    code: 'USAGE',
    title: '--nok-redirect-uri goes with a TPP-Redirect-URI, and the profile has none.',
    hint: [line`obk profile edit ${target.name} --redirect-uri URL`],
  });
}
