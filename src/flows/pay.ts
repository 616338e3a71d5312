import { line } from '../command-line.ts';
import { ObkError } from '../errors.ts';
import type { Intent, SavedRedirect, SavedResource } from '../ports.ts';
import type { Conversation } from '../sca/state.ts';
import type { Answer } from '../xs2a/answer.ts';
import { operation } from '../xs2a/operations.ts';
import { call, tryCall } from './call.ts';
import { psuHeaders, psuIpHeader, redirectHeaders } from './headers.ts';
import { claimIntent } from './intent.ts';
import type { IntentState, IntentWish } from './intent.ts';
import { judgeAnswer } from './judge.ts';
import type { PaymentOrder } from './payment-body.ts';
import { preferenceHeaders } from './preferences.ts';
import type { Preferences } from './preferences.ts';
import { newRedirect, savedRedirect } from './redirect.ts';
import { createdBy, keepCreated, latest, named, newResource } from './saved-resource.ts';
import type { Target } from './target.ts';

/** A payment as it stands after a call: what is saved of it, the conversation, the answer. */
export interface PaymentResult {
  resource: SavedResource;
  /** Undefined where nothing is left to be authorised, or where it was started elsewhere. */
  conversation: Conversation | undefined;
  /** Absent where an earlier run of the same intent had made the payment. */
  answer?: Answer;
  reused: boolean;
}

/** How a payment is started. */
export interface InitOptions {
  intent: IntentWish;
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
  const redirect = withNok(target, await newRedirect(target), options.nokRedirectUri);
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

  const profile = { name: target.name, production: target.environment === 'production' };
  const claimed = await claimIntent(ports, profile, order, options.intent);
  if (claimed.kind === 'earlier') return earlierResult(target, claimed.intent, claimed.state);
  const called = await tryCall(target, { ...input, intent: claimed.intent.hash });
  const { answer, doubt } = createdBy(called);
  const made = await saveCreated(target, claimed.intent, answer, redirect);
  if (doubt !== undefined) throw named(doubt, 'payment', made.resource.id);
  return made;
}

/** What an earlier run of the same intent led to; nothing is sent. */
async function earlierResult(target: Target, intent: Intent, state: IntentState): Promise<PaymentResult> {
  const { store, journal } = target.ports;
  // The run may have ended between the answer and the saving of it: the journal has the answer.
  const made = state.kind === 'answered' ? judgeAgain(target, intent, state) : undefined;
  const resolved = state.kind === 'resolved' ? state.paymentId : undefined;
  const id = resolved ?? intent.resourceId ?? made?.ids.paymentId;
  const resource = id === undefined ? undefined : await store.resource(target.name, 'payment', id);
  if (resource !== undefined) {
    if (intent.resourceId === undefined) await journal.noteResource(intent.hash, resource.id);
    const conversations = await store.conversations(target.name, 'payment', resource.id);
    return { resource, conversation: latest(conversations, 'payment'), reused: true };
  }
  if (made === undefined) {
    throw new ObkError({
      code: 'RESOURCE_NOT_SAVED',
      title: 'This payment was resolved by hand, and nothing more is known of it here.',
      hint:
        id === undefined
          ? []
          : [line`obk payment status ${id} --service ${intent.service} --product ${intent.product}`],
    });
  }
  return { ...(await saveCreated(target, intent, made, await redirectOf(target, intent))), reused: true };
}

/** Reads the answer that an earlier run got; throws the refusal if it was one. */
function judgeAgain(
  target: Target,
  intent: Intent,
  { record, requestId }: Extract<IntentState, { kind: 'answered' }>,
): Answer {
  const verdict = judgeAnswer(
    {
      operation: operation('initiatePayment'),
      path: `/${intent.service}/${intent.product}`,
      requestId,
      write: true,
      intent: intent.hash,
      aliases: target.profile.links?.aliases,
    },
    { status: record.status, headers: record.headers, body: Buffer.from(record.body, 'utf8') },
    target.variant,
  );
  if (verdict.outcome !== 'DONE') throw verdict.error;
  return verdict.answer;
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

async function saveCreated(
  target: Target,
  intent: Intent,
  answer: Answer,
  redirect: SavedRedirect | undefined,
): Promise<PaymentResult> {
  const { ports } = target;
  const id = answer.ids.paymentId;
  if (id === undefined) throw new Error('a payment answer without paymentId passed the reader');
  const resource: SavedResource = {
    ...newResource(target, 'payment', id),
    service: intent.service,
    product: intent.product,
    intent: intent.hash,
    links: answer.links,
    summary: intent.summary,
    ...(answer.requestId === undefined ? {} : { requestId: answer.requestId }),
    ...(answer.transactionStatus === undefined ? {} : { status: answer.transactionStatus }),
    ...(redirect === undefined ? {} : { redirect }),
  };
  const kept = await keepCreated(target, resource, answer, () => ports.journal.noteResource(intent.hash, id));
  return { ...kept, answer, reused: false };
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
