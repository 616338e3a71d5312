import type { OperationId } from '../../standard/xs2a/operations.ts';
import type { SavedResource } from '../../settings/records/resources.ts';
import type { Target } from '../../client/exchange/target.ts';
import { usualStatus } from '../../client/resources/parent-status.ts';
import { usualPayment } from '../../client/resources/read-payment.ts';
import { accountOf, lastDays } from './case.ts';
import type { Case } from './case.ts';
import {
  consentOf,
  firstAuthorisation,
  foundId,
  keepFirst,
  needed,
  paymentParams,
  read,
  tried,
} from './course.ts';
import type { Course } from './course.ts';

const noPayment = 'no payment is saved: obk payment init';

/** What only reads. */
export const reads: readonly Case[] = [
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
