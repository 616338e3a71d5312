import type { OperationId } from '../xs2a/operations.ts';
import { products } from '../xs2a/products.ts';
import {
  getAccount,
  getAccounts,
  getBalances,
  getCardAccount,
  getCardAccounts,
  getCardBalances,
} from './accounts.ts';
import { authorisationHandlers } from './authorisations.ts';
import { createBasket, deleteBasket, getBasket, getBasketStatus } from './baskets.ts';
import type { Handler } from './call.ts';
import { createConsent, deleteConsent, getConsent, getConsentStatus } from './consents.ts';
import { confirmFunds } from './funds.ts';
import { getPayment, getPaymentStatus } from './payment-reads.ts';
import { cancelPayment, initiatePayment } from './payments.ts';
import { getCardTransactions, getTransaction, getTransactions } from './transactions.ts';

const payment = authorisationHandlers('payment');
const cancellation = authorisationHandlers('cancellation');
const basket = authorisationHandlers('basket');
const consent = authorisationHandlers('consent');

/** What the bank does for each operation. */
export const handlers: Readonly<Record<OperationId, Handler>> = {
  initiatePayment,
  getPaymentInformation: getPayment,
  getPaymentInitiationStatus: getPaymentStatus,
  cancelPayment,
  startPaymentAuthorisation: payment.start,
  getPaymentInitiationAuthorisation: payment.list,
  getPaymentInitiationScaStatus: payment.status,
  updatePaymentPsuData: payment.update,
  startPaymentInitiationCancellationAuthorisation: cancellation.start,
  getPaymentInitiationCancellationAuthorisationInformation: cancellation.list,
  getPaymentCancellationScaStatus: cancellation.status,
  updatePaymentCancellationPsuData: cancellation.update,
  getAccountList: getAccounts,
  readAccountDetails: getAccount,
  getBalances,
  getTransactionList: getTransactions,
  getTransactionDetails: getTransaction,
  getCardAccount: getCardAccounts,
  ReadCardAccount: getCardAccount,
  getCardAccountBalances: getCardBalances,
  getCardAccountTransactionList: getCardTransactions,
  createConsent,
  getConsentInformation: getConsent,
  getConsentStatus,
  deleteConsent,
  startConsentAuthorisation: consent.start,
  getConsentAuthorisation: consent.list,
  getConsentScaStatus: consent.status,
  updateConsentsPsuData: consent.update,
  checkAvailabilityOfFunds: confirmFunds,
  createSigningBasket: createBasket,
  getSigningBasket: getBasket,
  getSigningBasketStatus: getBasketStatus,
  deleteSigningBasket: deleteBasket,
  startSigningBasketAuthorisation: basket.start,
  getSigningBasketAuthorisation: basket.list,
  getSigningBasketScaStatus: basket.status,
  updateSigningBasketPsuData: basket.update,
};

/** The payment products of this bank, under each of the three services. */
export const offeredProducts: ReadonlySet<string> = new Set(products);
