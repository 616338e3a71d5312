import { absence } from '../../standard/xs2a/variants.ts';
import type { Variant } from '../../standard/xs2a/variants.ts';
import type { Case } from './case.ts';
import { writes, createdPayment, initiated } from './write-cases.ts';
import type { OperationId } from '../../standard/xs2a/operations.ts';
import type { SavedResource } from '../../settings/records/resources.ts';
import type { Target } from '../../client/exchange/target.ts';
import { usualStatus } from '../../client/resources/parent-status.ts';
import { usualPayment } from '../../client/resources/read-payment.ts';
import { accountOf, lastDays } from './case.ts';
import {
  consentOf,
  firstAuthorisation,
  foundId,
  keepFirst,
  needed,
  paymentParams,
  read,
  tried,
  cleaning,
  misread,
} from './course.ts';
import type { Course } from './course.ts';
import type { RefusalRuleId } from '../../referee/answers/refusals.ts';
import { breakRequest } from './break-request.ts';
import type { Breakage } from './break-request.ts';

const noPayment = 'no payment is saved: obk payment init';

/** What only reads. */
const reads: readonly Case[] = [
  ofConsent('consent status', 'getConsentStatus', 'The status of the consent in use.'),
  ofConsent('consent', 'getConsentInformation', 'The consent in use.'),
  {
    name: 'consent authorisations',
    about: 'The authorisations of the consent, and the status of the first.',
    operation: 'getConsentAuthorisation',
    kind: 'read',
    async run(course) {
      const params = { consentId: consentOf(course).id };
      const id = firstAuthorisation(await tried(course, { operation: 'getConsentAuthorisation', params }));
      if (id !== undefined && tellsScaStatus(course))
        await tried(course, { operation: 'getConsentScaStatus', params: { ...params, authorisationId: id } });
    },
  },
  ofList('accounts', 'getAccountList', 'The list of accounts.', 'account'),
  ofAccount('account', 'readAccountDetails', 'One account.'),
  ofAccount('balances', 'getBalances', 'The balances of an account.'),
  {
    name: 'transactions',
    about: 'The booked transactions of thirty days.',
    operation: 'getTransactionList',
    kind: 'read',
    needs: ['accounts'],
    uses: 1,
    async run(course) {
      const params = { 'account-id': accountOf(course) };
      const answer = await read(course, 'getTransactionList', params, await lastDays(course));
      keepFirst(course, 'transaction', answer, ['transactions', 'booked']);
    },
  },
  {
    name: 'transaction',
    about: 'One transaction.',
    operation: 'getTransactionDetails',
    kind: 'read',
    needs: ['accounts', 'transactions'],
    uses: 1,
    async run(course) {
      const transactionId = foundId(course, 'transaction');
      await read(course, 'getTransactionDetails', { 'account-id': accountOf(course), transactionId });
    },
  },
  ofList('card accounts', 'getCardAccount', 'The list of card accounts.', 'card'),
  ofCard('card account', 'ReadCardAccount', 'One card account.'),
  ofCard('card balances', 'getCardAccountBalances', 'The balances of a card account.'),
  ofCard('card transactions', 'getCardAccountTransactionList', 'The booked transactions of a card.', true),
  ofPayment('payment status', 'getPaymentInitiationStatus', 'The status of the newest payment.', usualStatus),
  ofPayment('payment', 'getPaymentInformation', 'The newest payment as it is read.', (_, payment) =>
    usualPayment(payment),
  ),
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
      Promise.resolve().then(() => tried(course, { operation, params: { consentId: consentOf(course).id } })),
  };
}

/** The member of the list that has the accounts. */
const members = { account: 'accounts', card: 'cardAccounts' };

/** A list of accounts, the first of which is read afterwards. */
function ofList(name: string, operation: OperationId, about: string, first: keyof typeof members): Case {
  return {
    ...{ name, operation, about, kind: 'read', uses: 1 },
    async run(course) {
      keepFirst(course, first, await read(course, operation), [members[first]]);
    },
  };
}

function ofAccount(name: string, operation: OperationId, about: string): Case {
  return {
    ...{ name, operation, about, kind: 'read', uses: 1, needs: ['accounts'] },
    run: async (course) => read(course, operation, { 'account-id': accountOf(course) }),
  };
}

function ofCard(name: string, operation: OperationId, about: string, isList = false): Case {
  return {
    ...{ name, operation, about, kind: 'read', uses: 1, needs: ['card accounts'] },
    async run(course) {
      const params = { 'account-id': foundId(course, 'card') };
      await read(course, operation, params, isList ? await lastDays(course) : {});
    },
  };
}

function ofPayment(
  name: string,
  operation: OperationId,
  about: string,
  usualAccept: (target: Target, payment: SavedResource) => string,
): Case {
  return {
    ...{ name, operation, about, kind: 'read' },
    async run(course) {
      const payment = needed(course.payment, noPayment);
      return tried(course, {
        ...{ operation, params: paymentParams(payment) },
        usualAccept: usualAccept(course.target, payment),
      });
    },
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
const wrong: readonly Case[] = requests.map((one) => {
  const right = rightCalls[one.operation];
  return right === undefined ? one : { ...one, needs: [...(one.needs ?? []), right] };
});

/** Every case, in the order in which they are tried. */
export const cases: readonly Case[] = [...reads, ...writes, ...wrong];

/** Cases together with those that they need, as far as `may` allows them; in the order in which they are tried. */
export function withNeeded(
  wished: readonly Case[],
  variant: Variant,
  may: (one: Case) => boolean,
): readonly Case[] {
  const due = new Set(wished);
  // One that is added brings what it needs itself.
  for (const { operation, needs = [] } of due) {
    if (absence(variant, operation) !== undefined) continue;
    for (const other of cases) if (needs.includes(other.name) && may(other)) due.add(other);
  }
  return cases.filter((one) => due.has(one));
}
