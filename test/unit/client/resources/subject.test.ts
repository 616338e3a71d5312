import { expect, it } from 'vitest';
import { confirmsText, subjectOf } from '../../../../src/client/resources/subject.ts';
import type { SavedResource } from '../../../../src/settings/records/resources.ts';
import type { Parent } from '../../../../src/standard/sca/state.ts';
import { payment } from '../payer.ts';

const summary = { amount: '7.00', currency: 'EUR', creditorName: 'G' };
const bulk = {
  count: 3,
  sums: [{ currency: 'EUR', amount: '9.00', count: 3 }],
  amount: '9.00',
  currency: 'EUR',
};
const consent = {
  ...{ access: {}, recurring: true, frequency: 4, combined: false },
  validUntil: '2027-02-01',
};
const basket = { paymentIds: ['p-1', 'p-2'], consentIds: ['c-1'] };

it.each<[Parent['kind'], Partial<SavedResource>, string]>([
  ['payment', { summary }, 'payment of 7.00 EUR to G'],
  ['payment', { summary: bulk }, 'payment of 9.00 EUR to 3 payees of a bulk'],
  ['payment', {}, 'payment pay-1'],
  ['cancellation', { summary }, 'cancellation of 7.00 EUR to G'],
  ['cancellation', {}, 'cancellation of payment pay-1'],
  [
    'cancellation',
    { summary: { ...summary, creditorName: 'G\u001b[2K\nH' } },
    'cancellation of 7.00 EUR to G\\x1b[2K⏎H',
  ],
  ['consent', { noun: 'consent', id: 'c-1', consent }, 'access to accounts until 2027-02-01 (consent c-1)'],
  ['consent', { noun: 'consent', id: 'c-1' }, 'access to accounts (consent c-1)'],
  ['deletion', { noun: 'consent', id: 'c-1', consent }, 'deletion of consent c-1'],
  ['basket', { noun: 'basket', id: 'b-1', basket }, 'signing basket b-1 of 2 payments and 1 consent'],
  ['basket', { noun: 'basket', id: 'b-1' }, 'signing basket b-1'],
])('the subject of a %s of %j is "%s"', (kind, part, text) => {
  expect(subjectOf({ ...payment, ...part }, kind)).toBe(text);
  expect(confirmsText('acme', { ...payment, ...part }, kind)).toBe(`Confirms: ${text} at acme`);
});
