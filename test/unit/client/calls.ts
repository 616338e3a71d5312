import type { CallInput } from '../../../src/client/exchange/prepared.ts';

const payment = { 'payment-service': 'payments', 'payment-product': 'sepa-credit-transfers' } as const;
export const post: CallInput = {
  operation: 'initiatePayment',
  params: payment,
  body: { json: { a: 1 } },
};
export const get: CallInput = {
  operation: 'getPaymentInitiationStatus',
  params: { ...payment, paymentId: 'p1' },
};
export const put: CallInput = {
  operation: 'updatePaymentPsuData',
  params: { ...payment, paymentId: 'p1', authorisationId: 'a1' },
  body: { json: {} },
};
export const postPath = '/v1/payments/sepa-credit-transfers';
export const getPath = `${postPath}/p1/status`;
export const putPath = `${postPath}/p1/authorisations/a1`;
export const created = { status: 201, body: { transactionStatus: 'RCVD', paymentId: 'p1' } };
export const read = { status: 200, body: { transactionStatus: 'RCVD' } };
