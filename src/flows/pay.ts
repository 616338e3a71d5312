import { BankRefusal, ObkError, OutcomeUnknown } from '../errors.ts';
import type { Header, Intent, SavedRedirect, SavedResource } from '../ports.ts';
import { begin } from '../sca/state.ts';
import type { Conversation, Parent } from '../sca/state.ts';
import type { Answer } from '../xs2a/answer.ts';
import { operation } from '../xs2a/operations.ts';
import { call, tryCall } from './call.ts';
import { psuHeaders, psuIpHeader, redirectHeaders } from './headers.ts';
import { claimIntent } from './intent.ts';
import type { IntentState, IntentWish } from './intent.ts';
import { judgeAnswer } from './judge.ts';
import type { PaymentOrder } from './payment-body.ts';
import { newRedirect, savedRedirect } from './redirect.ts';
import { scaAnswer } from './sca-answer.ts';
import { resourceOf } from './sca-operations.ts';
import type { Target } from './target.ts';
import { settleWrites } from './unknown-writes.ts';

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
  /** TPP-Redirect-Preferred, TPP-Explicit-Authorisation-Preferred, TPP-Rejection-NoFunds-Preferred. */
  prefer?: { redirect?: boolean; explicit?: boolean; rejectNoFunds?: boolean };
}

/** Starts a payment at most once per intent: claims it, sends it, saves what came back. */
export async function initiatePayment(
  target: Target,
  order: PaymentOrder,
  options: InitOptions,
): Promise<PaymentResult> {
  const { ports } = target;
  const redirect = await newRedirect(target);
  const input = {
    operation: 'initiatePayment',
    params: { 'payment-service': order.service, 'payment-product': order.product },
    headers: [
      ...psuHeaders(target.psu),
      psuIpHeader(target),
      ...redirectHeaders(redirect),
      ...preferences(options.prefer),
    ],
    body: { bytes: order.bytes, contentType: order.contentType },
  } as const;
  if (target.run.dryRun) await call(target, input);

  const profile = { name: target.name, production: target.environment === 'production' };
  const claimed = await claimIntent(ports, profile, order, options.intent);
  if (claimed.kind === 'earlier') return earlierResult(target, claimed.intent, claimed.state);
  const answer = await call(target, { ...input, intent: claimed.intent.hash });
  return saveCreated(target, claimed.intent, answer, redirect);
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
          : [`obk payment status ${id} --service ${intent.service} --product ${intent.product}`],
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
  const now = ports.clock.now().toISOString();
  const resource: SavedResource = {
    schemaVersion: 1,
    profile: target.name,
    environment: target.environment,
    noun: 'payment',
    id,
    createdAt: now,
    updatedAt: now,
    framework: target.variant.framework,
    prefix: target.variant.prefix,
    baseUrl: target.links.base,
    service: intent.service,
    product: intent.product,
    intent: intent.hash,
    links: answer.links,
    summary: intent.summary,
    ...(answer.requestId === undefined ? {} : { requestId: answer.requestId }),
    ...(answer.transactionStatus === undefined ? {} : { status: answer.transactionStatus }),
    ...(redirect === undefined ? {} : { redirect }),
  };
  const conversation = {
    ...begin(parentOf(resource, 'payment'), scaAnswer('POST', answer), now),
    ...knownPsu(target),
  };
  try {
    await ports.store.saveResource(resource);
    await ports.store.saveConversation(target.name, conversation);
    await ports.journal.noteResource(intent.hash, id);
  } catch (error) {
    // The payment exists, whatever the disk says.
    if (error instanceof ObkError) error.resource = { ...error.resource, ...resourceOf(conversation) };
    throw error;
  }
  return { resource, conversation, answer, reused: false };
}

/** Reads the status of a payment and saves it. */
export async function readPaymentStatus(target: Target, resource: SavedResource): Promise<Answer> {
  return (await refreshPayment(target, resource)).answer;
}

/** As `readPaymentStatus`, with the payment as it is saved then. */
export async function refreshPayment(
  target: Target,
  resource: SavedResource,
): Promise<{ answer: Answer; resource: SavedResource }> {
  const answer = await call(target, {
    operation: 'getPaymentInitiationStatus',
    params: paymentParams(resource),
    resource: { paymentId: resource.id },
  });
  return { answer, resource: await saveStatus(target, resource, answer.transactionStatus) };
}

/** Reads the payment itself. */
export async function readPayment(target: Target, resource: SavedResource): Promise<Answer> {
  return call(target, {
    operation: 'getPaymentInformation',
    params: paymentParams(resource),
    resource: { paymentId: resource.id },
  });
}

/** How a cancellation began: done at once, to be authorised, or impossible as a business answer. */
export type CancelResult =
  | { kind: 'cancelled'; resource: SavedResource }
  | { kind: 'authorise'; resource: SavedResource; conversation: Conversation }
  | { kind: 'impossible'; error: BankRefusal };

/** Cancels a payment: 204 is done, 202 opens the conversation of the cancellation, CANCELLATION_INVALID is a result. */
export async function cancelPayment(target: Target, resource: SavedResource): Promise<CancelResult> {
  const called = await tryCall(target, {
    operation: 'cancelPayment',
    params: paymentParams(resource),
    headers: [...psuIpOf(target), ...redirectHeaders(resource.redirect)],
    resource: { paymentId: resource.id },
  });
  if (!called.ok) {
    if (called.error instanceof BankRefusal && called.error.bankCode === 'CANCELLATION_INVALID') {
      return { kind: 'impossible', error: called.error };
    }
    if (called.error instanceof OutcomeUnknown) return afterLostCancel(target, resource, called.error);
    throw called.error;
  }
  const { answer } = called;
  if (answer.kind === 'none' || answer.transactionStatus === 'CANC') {
    return { kind: 'cancelled', resource: await saveStatus(target, resource, 'CANC') };
  }
  const saved = await saveStatus(target, resource, answer.transactionStatus);
  const now = target.ports.clock.now().toISOString();
  const conversation = {
    ...begin(parentOf(saved, 'cancellation'), scaAnswer('DELETE', answer), now),
    ...knownPsu(target),
  };
  await target.ports.store.saveConversation(target.name, conversation);
  return { kind: 'authorise', resource: saved, conversation };
}

/** The answer to a cancellation was lost: only a status that says so makes it done; nothing is sent again. */
async function afterLostCancel(
  target: Target,
  resource: SavedResource,
  error: OutcomeUnknown,
): Promise<CancelResult> {
  const read = await refreshPayment(target, resource).catch((failure: unknown) => {
    if (failure instanceof ObkError) return undefined;
    throw failure;
  });
  const status = read?.answer.transactionStatus;
  if (read === undefined || status !== 'CANC') {
    if (status !== undefined) error.resource = { ...error.resource, transactionStatus: status };
    throw error;
  }
  await settleWrites(
    target.ports,
    target.name,
    'cancelPayment',
    { paymentId: resource.id },
    { acted: true, reason: 'read CANC' },
  );
  return { kind: 'cancelled', resource: read.resource };
}

/** The path parameters of a payment; throws where service or product are not known. */
export function paymentParams(
  resource: SavedResource,
): Record<'payment-service' | 'payment-product' | 'paymentId', string> {
  const { service, product, id } = resource;
  if (service === undefined || product === undefined) {
    throw new ObkError({
      code: 'USAGE',
      title: `Payment ${id} is not saved here, so its service and product must be given.`,
      hint: ['--service payments --product sepa-credit-transfers'],
      resource: { paymentId: id },
    });
  }
  return { 'payment-service': service, 'payment-product': product, paymentId: id };
}

/** Saves a transactionStatus that was read; resources from elsewhere are saved too, so that `@last` finds them. */
export async function saveStatus(
  target: Target,
  resource: SavedResource,
  status: string | undefined,
): Promise<SavedResource> {
  if (status === undefined || status === resource.status) return resource;
  const saved = { ...resource, status, updatedAt: target.ports.clock.now().toISOString() };
  await target.ports.store.saveResource(saved);
  return saved;
}

/** A later process goes on as the same PSU, and knows the secrets that the bank refused this one. */
function knownPsu({ psu }: Target): Pick<Conversation, 'psuId'> {
  return psu.id === undefined ? {} : { psuId: psu.id };
}

/** The newest conversation of a kind. */
export function latest(
  conversations: readonly Conversation[],
  kind: Parent['kind'],
): Conversation | undefined {
  return conversations
    .filter((conversation) => conversation.parent.kind === kind)
    .reduce<Conversation | undefined>(
      (newest, one) => (newest === undefined || one.startedAt > newest.startedAt ? one : newest),
      undefined,
    );
}

/** The parent of a conversation about a payment. */
export function parentOf(resource: SavedResource, kind: 'payment' | 'cancellation'): Parent {
  return {
    kind,
    id: resource.id,
    ...(resource.service === undefined ? {} : { service: resource.service }),
    ...(resource.product === undefined ? {} : { product: resource.product }),
  };
}

function preferences(prefer: InitOptions['prefer']): Header[] {
  const pairs = [
    ['TPP-Redirect-Preferred', prefer?.redirect],
    ['TPP-Explicit-Authorisation-Preferred', prefer?.explicit],
    ['TPP-Rejection-NoFunds-Preferred', prefer?.rejectNoFunds],
  ] as const;
  return pairs.flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)] as const]));
}

function psuIpOf(target: Target): Header[] {
  return target.psu.ipAddress === undefined ? [] : [psuIpHeader(target)];
}
