import { defined } from '../../base/defined.ts';
import type { Parent, Conversation } from './state.ts';
import type { OperationId, ParamName } from '../xs2a/operations.ts';
import type { ErrorResource } from '../../base/errors.ts';
import { ObkError } from '../../base/errors.ts';

/** Kinds of resources that are kept after a run. */
export const nouns = ['payment', 'consent', 'basket'] as const;

/** One of `nouns`. */
export type Noun = (typeof nouns)[number];

/** The four operations of an authorisation, for each kind of parent. */
export const scaOperations = {
  payment: {
    start: 'startPaymentAuthorisation',
    update: 'updatePaymentPsuData',
    read: 'getPaymentInitiationScaStatus',
    list: 'getPaymentInitiationAuthorisation',
  },
  cancellation: {
    start: 'startPaymentInitiationCancellationAuthorisation',
    update: 'updatePaymentCancellationPsuData',
    read: 'getPaymentCancellationScaStatus',
    list: 'getPaymentInitiationCancellationAuthorisationInformation',
  },
  consent: {
    start: 'startConsentAuthorisation',
    update: 'updateConsentsPsuData',
    read: 'getConsentScaStatus',
    list: 'getConsentAuthorisation',
  },
  // A bank that wants the PSU for the end of a consent has the authorisation of that among those of the consent.
  deletion: {
    start: 'startConsentAuthorisation',
    update: 'updateConsentsPsuData',
    read: 'getConsentScaStatus',
    list: 'getConsentAuthorisation',
  },
  basket: {
    start: 'startSigningBasketAuthorisation',
    update: 'updateSigningBasketPsuData',
    read: 'getSigningBasketScaStatus',
    list: 'getSigningBasketAuthorisation',
  },
} as const satisfies Record<Parent['kind'], Record<'start' | 'update' | 'read' | 'list', OperationId>>;

/** What a write is about, by its operation: what it makes or ends, or whose authorisation it leads. */
export function kindOfOperation(operation: string): Parent['kind'] | undefined {
  const kinds = Object.keys(scaOperations) as Parent['kind'][];
  // A deletion shares its operations with the consent, which comes first.
  return (
    ends[operation] ??
    kinds.find((kind) => Object.values(scaOperations[kind]).some((one) => one === operation))
  );
}

const ends: Readonly<Record<string, Parent['kind']>> = {
  initiatePayment: 'payment',
  cancelPayment: 'cancellation',
  createConsent: 'consent',
  deleteConsent: 'deletion',
  createSigningBasket: 'basket',
  deleteSigningBasket: 'basket',
};

/** The operation that reads the state of the parent itself. */
export const parentStatus = {
  payment: 'getPaymentInitiationStatus',
  cancellation: 'getPaymentInitiationStatus',
  consent: 'getConsentStatus',
  deletion: 'getConsentStatus',
  basket: 'getSigningBasketStatus',
} as const satisfies Record<Parent['kind'], OperationId>;

/** The noun under which the parent is saved. */
export const nounOf = {
  payment: 'payment',
  cancellation: 'payment',
  consent: 'consent',
  deletion: 'consent',
  basket: 'basket',
} as const satisfies Record<Parent['kind'], Noun>;

/** What the PSU authorises where a resource is to end, in place of its beginning. */
export const endingOf = {
  payment: 'cancellation',
  consent: 'deletion',
  basket: undefined,
} as const satisfies Record<Noun, Parent['kind'] | undefined>;

/** Whether a conversation is about the end of its resource. */
export const isEnding = (kind: Parent['kind']): kind is 'cancellation' | 'deletion' =>
  kind === endingOf[nounOf[kind]];

/** Whether the interface lists the authorisations of both in one collection. */
export const isListedWith = (kind: Parent['kind'], other: Parent['kind']): boolean =>
  scaOperations[kind].list === scaOperations[other].list;

/** The name of a noun's id, on the wire and in errors. */
export const idNames = {
  payment: 'paymentId',
  consent: 'consentId',
  basket: 'basketId',
} as const satisfies Record<Noun, keyof ErrorResource>;

/** The path parameters of a parent and, where it is known, of the authorisation; throws where a payment lacks its place. */
export function scaParams(parent: Parent, authorisationId?: string): Partial<Record<ParamName, string>> {
  const own = authorisationId === undefined ? {} : { authorisationId };
  if (nounOf[parent.kind] === 'consent') return { consentId: parent.id, ...own };
  if (parent.kind === 'basket') return { basketId: parent.id, ...own };
  const { service, product, id } = parent;
  if (service === undefined || product === undefined) {
    throw new ObkError({
      code: 'USAGE',
      title: `Payment ${id} is not saved here, so its service and product must be given.`,
      hint: ['--service payments --product sepa-credit-transfers'],
      resource: { paymentId: id },
    });
  }
  return { 'payment-service': service, 'payment-product': product, paymentId: id, ...own };
}

/** The resource that every error of this conversation must name. */
export function resourceOf(conversation: Conversation): ErrorResource {
  const { parent, authorisationId, scaStatus } = conversation;
  return {
    [idNames[nounOf[parent.kind]]]: parent.id,
    ...defined({ authorisationId, scaStatus }),
  };
}
