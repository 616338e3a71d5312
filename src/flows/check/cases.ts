import type { RefusalRuleId } from '../../referee/answers/refusals.ts';
import type { OperationId } from '../../xs2a/operations.ts';
import { breakRequest } from '../evidence/break-request.ts';
import type { Breakage } from '../evidence/break-request.ts';
import { addDays, buildConsent, isoDate } from '../consents/consent-body.ts';
import { createConsent, deleteConsent } from '../consents/consent.ts';
import { bankTime } from '../exchange/bank-time.ts';
import { preferenceHeaders } from '../call/tpp-preferences.ts';
import { psuHeaders } from '../call/psu-headers.ts';
import { firstAuthorisation, firstOf, needed, ofPsu, paymentParams, read, tried } from './course.ts';
import type { Course } from './course.ts';

/** One thing that is tried at a bank. */
export interface Case {
  readonly name: string;
  readonly about: string;
  readonly operation: OperationId;
  /** A read is always made; a write and a wrong request only where they are asked for. */
  readonly kind: 'read' | 'write' | 'wrong';
  /** How many accesses of the consent it may use. */
  readonly uses?: number;
  /** What the bank must do with the last call: without it the call is right. */
  readonly refusal?: RefusalRuleId;
  readonly run: (course: Course) => Promise<unknown>;
}

const noConsent = 'no valid consent is saved: obk consent create';
const noPayment = 'no payment is saved: obk payment init, or --writes with --debtor and --creditor';

const reads: readonly Case[] = [
  ofConsent('consent status', 'getConsentStatus', 'The status of the consent in use.'),
  ofConsent('consent', 'getConsentInformation', 'The consent in use.'),
  {
    name: 'consent authorisations',
    about: 'The authorisations of the consent, and the status of the first.',
    operation: 'getConsentAuthorisation',
    kind: 'read',
    async run(course) {
      const params = { consentId: needed(course.consent, noConsent).id };
      const id = firstAuthorisation(await tried(course, { operation: 'getConsentAuthorisation', params }));
      if (id !== undefined && tellsScaStatus(course))
        await tried(course, { operation: 'getConsentScaStatus', params: { ...params, authorisationId: id } });
    },
  },
  {
    name: 'accounts',
    about: 'The list of accounts.',
    operation: 'getAccountList',
    kind: 'read',
    uses: 1,
    async run(course) {
      const account = firstOf(await read(course, 'getAccountList'), ['accounts'], 'resourceId');
      if (account !== undefined) course.known.account = account;
    },
  },
  ofAccount('account', 'readAccountDetails', 'One account.'),
  ofAccount('balances', 'getBalances', 'The balances of an account.'),
  {
    name: 'transactions',
    about: 'The booked transactions of thirty days.',
    operation: 'getTransactionList',
    kind: 'read',
    uses: 1,
    async run(course) {
      const params = { 'account-id': accountOf(course) };
      const answer = await read(course, 'getTransactionList', params, await lastDays(course));
      const id = firstOf(answer, ['transactions', 'booked'], 'transactionId');
      if (id !== undefined) course.known.transaction = id;
    },
  },
  {
    name: 'transaction',
    about: 'One transaction.',
    operation: 'getTransactionDetails',
    kind: 'read',
    uses: 1,
    async run(course) {
      const transactionId = needed(course.known.transaction, 'no transaction has an id');
      await read(course, 'getTransactionDetails', { 'account-id': accountOf(course), transactionId });
    },
  },
  {
    name: 'card accounts',
    about: 'The list of card accounts.',
    operation: 'getCardAccount',
    kind: 'read',
    uses: 1,
    async run(course) {
      const card = firstOf(await read(course, 'getCardAccount'), ['cardAccounts'], 'resourceId');
      if (card !== undefined) course.known.card = card;
    },
  },
  ofCard('card account', 'ReadCardAccount', 'One card account.'),
  ofCard('card balances', 'getCardAccountBalances', 'The balances of a card account.'),
  ofCard('card transactions', 'getCardAccountTransactionList', 'The booked transactions of a card.', true),
  ofPayment('payment status', 'getPaymentInitiationStatus', 'The status of the newest payment.'),
  ofPayment('payment', 'getPaymentInformation', 'The newest payment as it is read.'),
  {
    name: 'payment authorisations',
    about: 'The authorisations of the payment, and the status of the first.',
    operation: 'getPaymentInitiationAuthorisation',
    kind: 'read',
    async run(course) {
      const params = paymentParams(needed(course.payment, noPayment));
      const listed = await tried(course, { operation: 'getPaymentInitiationAuthorisation', params });
      const id = firstAuthorisation(listed);
      if (id !== undefined && tellsScaStatus(course))
        await tried(course, {
          operation: 'getPaymentInitiationScaStatus',
          params: { ...params, authorisationId: id },
        });
    },
  },
  ofBasket('basket status', 'getSigningBasketStatus', 'The status of the newest basket.'),
  ofBasket('basket', 'getSigningBasket', 'The newest basket.'),
];

/** Some banks tell the status of an authorisation by that of its resource alone. */
const tellsScaStatus = ({ target }: Course): boolean => target.profile.sca?.statusFrom !== 'resource';

function ofConsent(name: string, operation: OperationId, about: string): Case {
  return {
    ...{ name, operation, about, kind: 'read' },
    run: (course) =>
      Promise.resolve().then(() =>
        tried(course, { operation, params: { consentId: needed(course.consent, noConsent).id } }),
      ),
  };
}

const accountOf = ({ known }: Course): string => needed(known.account, 'no account has a resourceId');

function ofAccount(name: string, operation: OperationId, about: string): Case {
  return {
    ...{ name, operation, about, kind: 'read', uses: 1 },
    run: async (course) => read(course, operation, { 'account-id': accountOf(course) }),
  };
}

function ofCard(name: string, operation: OperationId, about: string, isList = false): Case {
  return {
    ...{ name, operation, about, kind: 'read', uses: 1 },
    async run(course) {
      const params = { 'account-id': needed(course.known.card, 'no card account is there') };
      await read(course, operation, params, isList ? await lastDays(course) : {});
    },
  };
}

function ofPayment(name: string, operation: OperationId, about: string): Case {
  return {
    ...{ name, operation, about, kind: 'read' },
    run: async (course) =>
      tried(course, { operation, params: paymentParams(needed(course.payment, noPayment)) }),
  };
}

function ofBasket(name: string, operation: OperationId, about: string): Case {
  return {
    ...{ name, operation, about, kind: 'read' },
    run: async (course) =>
      tried(course, {
        operation,
        params: { basketId: needed(course.basket, 'no basket is saved: obk basket create').id },
      }),
  };
}

async function lastDays({ target }: Course): Promise<Record<string, string>> {
  const now = await bankTime(target);
  const { windowDays = 31 } = target.profile.ais?.history ?? {};
  return {
    bookingStatus: 'booked',
    dateFrom: isoDate(addDays(now, 1 - Math.min(30, windowDays))),
    dateTo: isoDate(now),
  };
}

const writes: readonly Case[] = [
  {
    name: 'a consent, made and deleted',
    about: 'A consent for one access is created, read, and deleted; it is never authorised.',
    operation: 'createConsent',
    kind: 'write',
    async run(course) {
      const { target } = course;
      const { framework } = target.variant;
      const { withBalances, validDays: days, ...takes } = target.profile.consent ?? {};
      const form = takes.types?.includes('global') === false ? { bankOffered: true } : { allPsd2: true };
      const body = buildConsent(form, framework, await bankTime(target), {
        ...(withBalances !== undefined && { withBalances }),
        ...(days !== undefined && { days }),
        takes,
      });
      const { resource } = await createConsent(target, body);
      try {
        const params = { consentId: resource.id };
        await tried(course, { operation: 'getConsentStatus', params });
        await tried(course, { operation: 'getConsentInformation', params });
      } finally {
        await deleteConsent(target, resource);
      }
      await tried(course, { operation: 'getConsentStatus', params: { consentId: resource.id } });
    },
  },
  {
    name: 'a payment, made and cancelled',
    about: 'A payment of 0.01 EUR is created, read, and cancelled; it is never authorised.',
    operation: 'initiatePayment',
    kind: 'write',
    async run(course) {
      const product = { 'payment-service': 'payments', 'payment-product': 'sepa-credit-transfers' } as const;
      const [iban, creditor] = [
        needed(course.debtor, 'without --debtor'),
        needed(course.creditor, 'without --creditor'),
      ];
      const called = await tried(course, {
        operation: 'initiatePayment',
        params: product,
        headers: [
          ...psuHeaders(course.target),
          ofPsu(course),
          ...preferenceHeaders(course.target, 'initiatePayment', { explicit: true }),
        ],
        body: {
          json: {
            debtorAccount: { iban },
            instructedAmount: { currency: 'EUR', amount: '0.01' },
            creditorAccount: { iban: creditor },
            creditorName: 'obk check',
          },
        },
      });
      const paymentId = called.ok ? called.answer.ids.paymentId : undefined;
      if (!called.ok || paymentId === undefined) return;
      const params = { ...product, paymentId };
      try {
        await tried(course, { operation: 'getPaymentInitiationStatus', params });
        await tried(course, { operation: 'getPaymentInformation', params });
      } finally {
        await tried(course, { operation: 'cancelPayment', params });
      }
      await tried(course, { operation: 'getPaymentInitiationStatus', params });
    },
  },
  {
    name: 'funds',
    about: 'Whether 0.01 EUR is there.',
    operation: 'checkAvailabilityOfFunds',
    kind: 'write',
    run: async (course) =>
      tried(course, {
        operation: 'checkAvailabilityOfFunds',
        body: {
          json: {
            account: { iban: needed(course.debtor, 'without --debtor') },
            instructedAmount: { currency: 'EUR', amount: '0.01' },
          },
        },
      }),
  },
];

const strange = '0f0e0d0c-1111-4222-8333-444455556666';

/** A read of a resource that is known, made wrong on its way. */
function broken(name: string, refusal: RefusalRuleId, breakage: Breakage, about: string): Case {
  return {
    ...{ name, about, refusal, operation: 'getConsentStatus', kind: 'wrong' },
    run: async (course) =>
      tried(
        course,
        { operation: 'getConsentStatus', params: { consentId: needed(course.consent, noConsent).id } },
        (request) => breakRequest(request, [breakage]),
      ),
  };
}

const wrong: readonly Case[] = [
  broken('another digest', 'refuse-digest', 'digest', 'A digest of other bytes.'),
  broken('another signature', 'refuse-signature', 'signature', 'A signature that does not verify.'),
  broken('no signature', 'refuse-unsigned', 'no-signature', 'A request without its signature.'),
  broken('no X-Request-ID', 'refuse-no-request-id', 'no-request-id', 'A request without X-Request-ID.'),
  {
    name: 'a strange consent',
    about: 'The status of a consent that was never made.',
    operation: 'getConsentStatus',
    kind: 'wrong',
    refusal: 'refuse-unknown-consent',
    run: (course) => tried(course, { operation: 'getConsentStatus', params: { consentId: strange } }),
  },
  {
    name: 'a strange payment',
    about: 'The status of a payment that was never made.',
    operation: 'getPaymentInitiationStatus',
    kind: 'wrong',
    refusal: 'refuse-unknown-payment',
    run: (course) =>
      tried(course, {
        operation: 'getPaymentInitiationStatus',
        params: {
          'payment-service': 'payments',
          'payment-product': 'sepa-credit-transfers',
          paymentId: strange,
        },
      }),
  },
  {
    name: 'a strange product',
    about: 'A payment of a product that no bank has.',
    operation: 'getPaymentInitiationStatus',
    kind: 'wrong',
    refusal: 'refuse-product',
    run: (course) =>
      tried(course, {
        operation: 'getPaymentInitiationStatus',
        params: { 'payment-service': 'payments', 'payment-product': 'no-such-product', paymentId: strange },
      }),
  },
  {
    name: 'accounts under a strange consent',
    about: 'The list of accounts with a consent that was never made.',
    operation: 'getAccountList',
    kind: 'wrong',
    refusal: 'refuse-foreign-access',
    run: (course) => tried(course, { operation: 'getAccountList', headers: [['Consent-ID', strange]] }),
  },
  {
    name: 'accounts without a consent',
    about: 'The list of accounts without Consent-ID.',
    operation: 'getAccountList',
    kind: 'wrong',
    refusal: 'refuse-no-consent',
    run: (course) =>
      tried(course, { operation: 'getAccountList', headers: [['Consent-ID', strange]] }, (request) =>
        breakRequest(request, [{ without: 'Consent-ID' }]),
      ),
  },
  {
    name: 'a strange account',
    about: 'An account that the consent does not open.',
    operation: 'readAccountDetails',
    kind: 'wrong',
    refusal: 'refuse-foreign-account',
    run: async (course) =>
      tried(course, {
        operation: 'readAccountDetails',
        params: { 'account-id': strange },
        headers: [['Consent-ID', needed(course.consent, noConsent).id]],
      }),
  },
  {
    name: 'a strange bookingStatus',
    about: 'A report with a bookingStatus that is none.',
    operation: 'getTransactionList',
    kind: 'wrong',
    refusal: 'refuse-query',
    run: async (course) =>
      tried(course, {
        operation: 'getTransactionList',
        params: { 'account-id': accountOf(course) },
        query: { ...(await lastDays(course)), bookingStatus: 'some' },
        headers: [['Consent-ID', needed(course.consent, noConsent).id]],
      }),
  },
];

/** Every case, in the order in which they are tried. */
export const cases: readonly Case[] = [...reads, ...writes, ...wrong];
