/** What the answer to an operation is made of, in one framework. */
import { defined } from '../../base/defined.ts';
import { answerObjects, answerValues, guidelineMembers, guidelinesWant } from './answer-objects.ts';
import type { AnswerType, TypeFact } from './answer-objects.ts';
import type { Operation } from './operations.ts';
import { frameworkNames, wireForm } from './variants.ts';
import type { Framework } from './variants.ts';

/** A member of an object: its type without the star, and whether it must be there. */
export interface AnswerMember {
  readonly type: AnswerType;
  readonly required: boolean;
}

const place = (framework: Framework): number => frameworkNames.indexOf(framework);

function typeIn(framework: Framework, fact: TypeFact | undefined): AnswerType | undefined {
  if (fact === undefined || typeof fact === 'string') return fact;
  return fact.find(
    ({ since = framework, until = framework }) =>
      place(since) <= place(framework) && place(framework) <= place(until),
  )?.type;
}

const cache = new Map<string, ReadonlyMap<string, AnswerMember>>();

/** Returns the members of an object by the names of the OpenAPI files, with those of the guidelines; empty for no object. */
export function answerMembers(framework: Framework, object: string): ReadonlyMap<string, AnswerMember> {
  const key = `${framework} ${object}`;
  let known = cache.get(key);
  if (known === undefined) {
    const rows = { ...guidelineMembers[object], ...answerObjects[object] };
    known = new Map(
      Object.keys(rows).flatMap((name) => {
        const type =
          typeIn(framework, answerObjects[object]?.[name]) ??
          typeIn(framework, guidelineMembers[object]?.[name]);
        return type === undefined
          ? []
          : [[name, { type: type.replace(/\*$/, ''), required: type.endsWith('*') }] as const];
      }),
    );
    cache.set(key, known);
  }
  return known;
}

/** Tells whether a member must be there: by the file, or by the guidelines where the file has it optional. */
export function mustBeThere(object: string, name: string, { required }: AnswerMember): boolean {
  return required || guidelinesWant[object]?.includes(name) === true;
}

/** Returns every name that an object has had in some framework. */
export function everAnswerMember(object: string): ReadonlySet<string> {
  return new Set([
    ...Object.keys(answerObjects[object] ?? {}),
    ...Object.keys(guidelineMembers[object] ?? {}),
  ]);
}

/** Returns every type that a member of an object has had in some framework. */
export function everAnswerTypes(object: string, name: string): readonly AnswerType[] {
  const facts = [answerObjects[object]?.[name], guidelineMembers[object]?.[name]];
  return facts
    .flatMap((fact) => (typeof fact === 'object' ? fact.map(({ type }) => type) : (fact ?? [])))
    .map((type) => type.replace(/\*$/, ''));
}

/** Tells whether a type is the name of an object. */
export function isAnswerObject(type: AnswerType): boolean {
  return Object.hasOwn(answerObjects, type) || Object.hasOwn(guidelineMembers, type);
}

/** Returns the bounds of a text that has a name: `text:35`, `date`, `one of …`, `pattern …`; a type that is its own bounds stays. */
export function answerBounds(framework: Framework, type: AnswerType): AnswerType {
  return typeIn(framework, answerValues[type]) ?? type;
}

/** The object that the JSON of an answer is, perhaps as the only member of another one. */
export interface AnswerRoot {
  readonly object: string;
  readonly wrapper?: string;
  /** A second wrapper, which the file of the framework has within the first, and the guidelines have not. */
  readonly inner?: string;
  /** True where the file of the framework has it without the wrapper that the guidelines have. */
  readonly mayBeBare?: boolean;
}

const singleReads: Readonly<Partial<Record<string, readonly [wrapper: string, object: string]>>> = {
  account: ['account', 'accountDetails'],
  transaction: ['transactionsDetails', 'transactions'],
  'card-account': ['cardAccount', 'cardAccountDetails'],
};

const roots: Readonly<Partial<Record<string, string>>> = {
  'payment-initiation': 'paymentInitiationRequestResponse-201',
  'payment-status': 'paymentInitiationStatusResponse-200_json',
  cancel: 'paymentInitiationCancelResponse-202',
  'authorisation-start': 'startScaprocessResponse',
  'sca-status': 'scaStatusResponse',
  'account-list': 'accountList',
  transactions: 'transactionsResponse-200_json',
  'card-account-list': 'cardAccountList',
  'card-transactions': 'cardAccountsTransactionsResponse200',
  balances: 'readAccountBalanceResponse-200',
  'card-balances': 'readCardAccountBalanceResponse-200',
  'consent-creation': 'consentsResponse-201',
  consent: 'consentInformationResponse-200_json',
  'consent-status': 'consentStatusResponse-200',
  'basket-creation': 'signingBasketResponse-201',
  basket: 'signingBasketResponse-200',
  'basket-status': 'signingBasketStatusResponse-200',
  'funds-confirmation': 'fundsConfirmation',
};

const paymentReads: Readonly<Partial<Record<string, string>>> = {
  payments: 'paymentInitiationWithStatusResponse',
  'bulk-payments': 'bulkPaymentInitiationWithStatusResponse',
  'periodic-payments': 'periodicPaymentInitiationWithStatusResponse',
};

/** The answers to an update by the member that was sent. */
const updates: Readonly<Partial<Record<string, string>>> = {
  identification: 'updatePsuIdentificationResponse',
  psuData: 'updatePsuAuthenticationResponse',
  authenticationMethodId: 'selectPsuAuthenticationMethodResponse',
  scaAuthenticationData: 'scaStatusResponse',
  confirmationCode: 'authorisationConfirmationResponse',
};

/**
 * Returns the object of a success answer in JSON; undefined where the answer has none. `service` is the payment service of the path,
 * `sent` the member that an update of an authorisation has sent (`identification` for none): undefined where that is not known.
 */
export function answerRoot(
  framework: Framework,
  operation: Operation,
  status: number,
  { service, sent }: { service: string | undefined; sent: string | undefined },
): AnswerRoot | undefined {
  const kind = operation.success.find((row) => row.status === status)?.answer;
  if (kind === undefined || kind === 'none') return undefined;
  const single = singleReads[kind];
  if (single !== undefined) {
    const mayBeBare = wireForm(framework, 'singleReads').form === 'bare';
    const [, inner] = kind === 'transaction' ? wireForm(framework, 'transactionDetails').form.split('/') : [];
    return {
      ...{ wrapper: single[0], object: single[1] },
      ...(mayBeBare && { mayBeBare }),
      ...defined({ inner }),
    };
  }
  if (kind === 'payment') return { object: paymentReads[service ?? 'payments'] ?? '' };
  if (kind === 'authorisation-update') return { object: updates[sent ?? ''] ?? 'authorisationUpdate' };
  if (kind === 'authorisation-list')
    return {
      object:
        operation.parent === 'cancellation' &&
        wireForm(framework, 'cancellationList').form === 'cancellationIds'
          ? 'cancellationList'
          : 'authorisations',
    };
  const object = roots[kind];
  return object === undefined ? undefined : { object };
}
