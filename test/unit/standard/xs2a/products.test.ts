import { describe, expect, it } from 'vitest';
import {
  allowsEndToEndIdentification,
  fieldsOf,
  isJsonProduct,
  isPaymentService,
  isXmlProduct,
  jsonProducts,
  paymentMedia,
  products,
  xmlProducts,
} from '../../../../src/standard/xs2a/products.ts';

describe('the payment products', () => {
  it('are four in JSON and the same four as pain.001', () => {
    expect(products).toHaveLength(8);
    expect(xmlProducts).toEqual(jsonProducts.map((product) => `pain.001-${product}`));
    expect(isJsonProduct('sepa-credit-transfers')).toBe(true);
    expect(isJsonProduct('pain.001-sepa-credit-transfers')).toBe(false);
    expect(isXmlProduct('pain.001-community-scheme')).toBe(true);
    expect(isPaymentService('bulk-payments')).toBe(true);
    expect(isPaymentService('consents')).toBe(false);
  });

  it.each([
    ['payments', 'sepa-credit-transfers', 'application/json'],
    ['payments', 'pain.001-sepa-credit-transfers', 'application/xml'],
    ['bulk-payments', 'pain.001-sepa-credit-transfers', 'application/xml'],
    ['periodic-payments', 'pain.001-sepa-credit-transfers', 'multipart/form-data'],
    ['periodic-payments', 'sepa-credit-transfers', 'application/json'],
  ] as const)('send %s of %s as %s', (service, product, media) => {
    expect(paymentMedia(service, product)).toBe(media);
  });

  it.each([
    ['sepa-credit-transfers', 'endToEndIdentification', 'o'],
    ['cross-border-credit-transfers', 'endToEndIdentification', 'n'],
    ['cross-border-credit-transfers', 'creditorAgent', 'c'],
    ['cross-border-credit-transfers', 'chargeBearer', 'c'],
    ['target-2-payments', 'chargeBearer', 'o'],
    ['instant-sepa-credit-transfers', 'chargeBearer', 'n'],
    ['instant-sepa-credit-transfers', 'creditorAddress', 'o'],
    ['sepa-credit-transfers', 'requestedExecutionDate', 'n'],
    ['sepa-credit-transfers', 'purposeCode', 'n'],
    ['sepa-credit-transfers', 'remittanceInformationUnstructured', 'o'],
  ] as const)('have for %s the member %s as %s', (product, field, need) => {
    expect(fieldsOf(product)[field]).toBe(need);
  });

  it('have four mandatory members each', () => {
    for (const product of jsonProducts) {
      const mandatory = Object.entries(fieldsOf(product)).filter(([, need]) => need === 'm');
      expect(mandatory.map(([field]) => field).sort()).toEqual([
        'creditorAccount',
        'creditorName',
        'debtorAccount',
        'instructedAmount',
      ]);
    }
  });

  it.each([
    ['sepa-credit-transfers', true],
    ['instant-sepa-credit-transfers', true],
    ['target-2-payments', true],
    ['cross-border-credit-transfers', false],
    ['pain.001-sepa-credit-transfers', false],
    ['something-else', false],
  ])('allow for %s endToEndIdentification: %s', (product, allowed) => {
    expect(allowsEndToEndIdentification(product)).toBe(allowed);
  });
});
