import type { RefusalRuleId } from '../../referee/answers/refusals.ts';
import { breakRequest } from './break-request.ts';
import type { Breakage } from './break-request.ts';
import type { OperationId } from '../../standard/xs2a/operations.ts';
import { accountOf, lastDays } from './case.ts';
import type { Case } from './case.ts';
import { cleaning, consentOf, misread, needed, tried } from './course.ts';
import { createdPayment, initiated } from './write-cases.ts';

const strange = '0f0e0d0c-1111-4222-8333-444455556666';

/** A read of a resource that is known, made wrong on its way. */
function broken(name: string, refusal: RefusalRuleId, breakage: Breakage, about: string): Case {
  return {
    ...{ name, about, refusal, operation: 'getConsentStatus', kind: 'wrong' },
    run: async (course) =>
      tried(
        course,
        { operation: 'getConsentStatus', params: { consentId: consentOf(course).id } },
        (request) => breakRequest(request, [breakage]),
      ),
  };
}

/** The right call of an operation: a refusal of a wrong one says something only once it has succeeded. */
const rightCalls: Readonly<Partial<Record<OperationId, string>>> = {
  getConsentStatus: 'consent status',
  getPaymentInitiationStatus: 'payment status',
  getAccountList: 'accounts',
  readAccountDetails: 'account',
  getTransactionList: 'transactions',
  getSigningBasketStatus: 'basket status',
  initiatePayment: 'a payment, made and cancelled',
};

const requests: readonly Case[] = [
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
    uses: 1,
    refusal: 'refuse-foreign-account',
    run: async (course) =>
      misread(course, { operation: 'readAccountDetails', params: { 'account-id': strange } }),
  },
  {
    name: 'a strange bookingStatus',
    about: 'A report with a bookingStatus that is none.',
    operation: 'getTransactionList',
    kind: 'wrong',
    uses: 1,
    refusal: 'refuse-query',
    run: async (course) =>
      misread(course, {
        operation: 'getTransactionList',
        params: { 'account-id': accountOf(course) },
        query: { ...(await lastDays(course)), bookingStatus: 'some' },
      }),
  },
  {
    name: 'accounts under a consent that has ended',
    about: 'The list of accounts with a consent that has expired, or was revoked or deleted.',
    operation: 'getAccountList',
    kind: 'wrong',
    refusal: 'refuse-ended-consent',
    needs: ['a consent, made and deleted'],
    run: async (course) => {
      const id = needed(
        course.ended?.id ?? course.known.endedConsent,
        'no consent that has ended is saved: --writes makes one, and so does obk consent delete',
      );
      return tried(course, { operation: 'getAccountList', headers: [['Consent-ID', id]] });
    },
  },
  {
    name: 'a strange basket',
    about: 'The status of a basket that was never made.',
    operation: 'getSigningBasketStatus',
    kind: 'wrong',
    refusal: 'refuse-unknown-basket',
    run: (course) => tried(course, { operation: 'getSigningBasketStatus', params: { basketId: strange } }),
  },
  {
    name: 'a strange character',
    about: 'A payment of 0.01 EUR with a control character in a name; cancelled where it is taken.',
    operation: 'initiatePayment',
    kind: 'wrong',
    refusal: 'refuse-characters',
    run: async (course) => {
      const params = createdPayment(await initiated(course, 'obk \u0007 check'));
      if (params !== undefined) await tried(cleaning(course), { operation: 'cancelPayment', params });
    },
  },
];

/** What must be refused. */
export const wrong: readonly Case[] = requests.map((one) => {
  const right = rightCalls[one.operation];
  return right === undefined ? one : { ...one, needs: [...(one.needs ?? []), right] };
});
