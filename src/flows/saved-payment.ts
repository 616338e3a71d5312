import { ObkError } from '../errors.ts';
import type { SavedResource } from '../ports.ts';
import { begin } from '../sca/state.ts';
import type { Conversation, Parent } from '../sca/state.ts';
import type { Answer } from '../xs2a/answer.ts';
import { isXmlProduct } from '../xs2a/products.ts';
import { call } from './call.ts';
import { stateOf } from './payment-state.ts';
import { scaAnswer } from './sca-answer.ts';
import type { Target } from './target.ts';

/** Reads the status of a payment and saves it. */
export async function readPaymentStatus(target: Target, resource: SavedResource): Promise<Answer> {
  return (await refreshPayment(target, resource)).answer;
}

/** As `readPaymentStatus`, with the payment as it is saved then. */
export async function refreshPayment(
  target: Target,
  resource: SavedResource,
  how: { pain002?: boolean } = {},
): Promise<{ answer: Answer; resource: SavedResource }> {
  const answer = await call(target, {
    operation: 'getPaymentInitiationStatus',
    params: paymentParams(resource),
    accept: acceptedStatus(resource, how.pain002 === true),
    resource: { paymentId: resource.id },
  });
  return { answer, resource: await saveStatus(target, resource, stateOf(answer).transactionStatus) };
}

/** JSON says most to a person, pain.002 which payments of a pain.001 were rejected. */
function acceptedStatus({ product = '' }: SavedResource, pain002: boolean): string {
  if (pain002) return 'application/xml, application/json;q=0.5';
  return isXmlProduct(product) ? 'application/json, application/xml;q=0.5' : 'application/json';
}

/** Reads the payment itself. */
export async function readPayment(target: Target, resource: SavedResource): Promise<Answer> {
  return call(target, {
    operation: 'getPaymentInformation',
    params: paymentParams(resource),
    accept: acceptedPayment(resource),
    resource: { paymentId: resource.id },
  });
}

function acceptedPayment({ service, product = '' }: SavedResource): string {
  if (!isXmlProduct(product)) return 'application/json';
  const own = service === 'periodic-payments' ? 'multipart/form-data' : 'application/xml';
  return `${own}, application/json;q=0.5`;
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

/** The conversation that the answer to a POST or DELETE opens, as the PSU of this run. */
export function beginConversation(
  target: Target,
  resource: SavedResource,
  answer: Answer,
  kind: 'payment' | 'cancellation',
): Conversation {
  const method = kind === 'payment' ? 'POST' : 'DELETE';
  const now = target.ports.clock.now().toISOString();
  return {
    ...begin(parentOf(resource, kind), scaAnswer(method, answer), now),
    // A later process goes on as the same PSU, and knows the secrets that the bank refused this one.
    ...(target.psu.id === undefined ? {} : { psuId: target.psu.id }),
  };
}
