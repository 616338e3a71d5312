import type { OperationId } from '../../standard/xs2a/operations.ts';
import { products } from '../../standard/xs2a/products.ts';
import { authorisationHandlers } from '../payments/authorisations.ts';
import { createBasket, deleteBasket, getBasket, getBasketStatus } from '../payments/baskets.ts';
import type { Handler } from '../trust/call.ts';
import { createConsent, deleteConsent, getConsent, getConsentStatus } from '../payments/consents.ts';
import { getPayment, getPaymentStatus, cancelPayment, initiatePayment } from '../payments/payments.ts';

const payment = authorisationHandlers('payment');
const cancellation = authorisationHandlers('cancellation');
const basket = authorisationHandlers('basket');
const consent = authorisationHandlers('consent');

/** The handlers of all operations except those on accounts. */
const handlers: Readonly<Partial<Record<OperationId, Handler>>> = {
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
  createConsent,
  getConsentInformation: getConsent,
  getConsentStatus,
  deleteConsent,
  startConsentAuthorisation: consent.start,
  getConsentAuthorisation: consent.list,
  getConsentScaStatus: consent.status,
  updateConsentsPsuData: consent.update,
  createSigningBasket: createBasket,
  getSigningBasket: getBasket,
  getSigningBasketStatus: getBasketStatus,
  deleteSigningBasket: deleteBasket,
  startSigningBasketAuthorisation: basket.start,
  getSigningBasketAuthorisation: basket.list,
  getSigningBasketScaStatus: basket.status,
  updateSigningBasketPsuData: basket.update,
};

/** Returns the handler of an operation; those for accounts are loaded at the first use of one. */
export async function handlerOf(id: OperationId): Promise<Handler> {
  const handler = handlers[id] ?? (await import('../accounts/account-routes.ts')).accountHandlers[id];
  if (handler === undefined) throw new Error(`the bank does nothing for ${id}`);
  return handler;
}

/** The payment products of this bank, under each of the three services. */
export const offeredProducts: ReadonlySet<string> = new Set(products);
