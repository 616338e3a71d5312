import { expect, it } from 'vitest';
import { kindOfOperation, scaOperations } from '../../../../src/standard/sca/operations.ts';

it.each([
  ['initiatePayment', 'payment'],
  ['cancelPayment', 'cancellation'],
  ['createConsent', 'consent'],
  ['deleteConsent', 'deletion'],
  ['createSigningBasket', 'basket'],
  ['deleteSigningBasket', 'basket'],
  [scaOperations.payment.start, 'payment'],
  [scaOperations.cancellation.start, 'cancellation'],
  [scaOperations.cancellation.update, 'cancellation'],
  // A deletion shares its operations with the consent.
  [scaOperations.deletion.update, 'consent'],
  [scaOperations.basket.update, 'basket'],
  ['getAccountList', undefined],
])('an operation has a subject: %s is about %s', (operation, kind) => {
  expect(kindOfOperation(operation)).toBe(kind);
});
