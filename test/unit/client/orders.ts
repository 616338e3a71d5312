import { intentHash } from '../../../src/client/resources/intent.ts';
import type { InitOptions } from '../../../src/client/payments/pay.ts';
import { buildPayment } from '../../../src/client/orders/single-body.ts';
import { payment } from './payer.ts';
import type { SavedResource } from '../../../src/settings/records/resources.ts';

export const hash = intentHash('acme', 'k');
export const order = buildPayment(
  { service: 'payments', product: 'sepa-credit-transfers' },
  {
    debtor: 'DE40100100103307118608',
    creditorAccount: 'DE02100100109307118603',
    creditorName: 'Shop',
    amount: '12.50',
  },
  { intentHash: hash },
);
export const once: InitOptions = { intent: { hash, key: 'k', chosen: true, allowDuplicate: false } };
export const path = '/v1/payments/sepa-credit-transfers';
export const one = `${path}/pay-1`;
export const created = {
  status: 201,
  headers: { 'ASPSP-SCA-Approach': 'EMBEDDED' },
  body: {
    transactionStatus: 'RCVD',
    paymentId: 'pay-1',
    _links: {
      startAuthorisationWithPsuAuthentication: { href: `${one}/authorisations` },
      self: { href: one },
    },
  },
};

export const saved: SavedResource = {
  ...payment,
  status: 'ACTC',
  redirect: { uri: 'https://tpp.example/cb', nokUri: 'https://tpp.example/nok' },
};
