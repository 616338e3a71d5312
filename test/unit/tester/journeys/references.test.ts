// What a journey says of a reference behind which there is nothing.
import { expect, it } from 'vitest';
import { resolveText } from '../../../../src/tester/journeys/references.ts';

const scope = new Map<string, unknown>([
  ['payment', { paymentId: 'p-1', payment: null }],
  ['payee', 'DE89370400440532013000'],
  ['other', { paymentId: 'p-2', sca: { scaStatus: 'received' } }],
  ['accounts', [{ iban: 'DE' }, { iban: 'NL' }]],
  ['none', []],
]);
const told = (text: string): unknown => {
  try {
    return resolveText({ text, path: '', line: 3, column: 5 }, scope);
  } catch (error) {
    return error;
  }
};

it.each([
  [
    'a misspelt name',
    '$paymet.paymentId',
    'paymet',
    ['$payment.paymentId'],
    'there are $payment, $payee, $other, $accounts, $none.',
  ],
  // The name is right: another one would be no help.
  [
    'a member that is not there',
    '$payment.status',
    'payment',
    [],
    '$payment has no status; there are paymentId, payment.',
  ],
  [
    'a member that stands elsewhere',
    '$other.scaStatus',
    'other',
    [],
    '$other has no scaStatus; did you mean $other.sca.scaStatus?',
  ],
  [
    'a member that no element has',
    '$accounts.*.ibna',
    'accounts',
    [],
    '$accounts has no *.ibna; did you mean $accounts.*.iban?',
  ],
  ['a member that is null', '$payment.payment', 'payment', [], '$payment has no payment'],
  ['a member of a text', '$payee.iban', 'payee', [], '$payee has no iban; it has no members.'],
] as const)('a reference is refused: %s', (_, text, of, hint, detail) => {
  expect(told(text)).toMatchObject({
    of,
    code: 'INPUT_INVALID',
    hint,
    detail: expect.stringContaining(`line 3, column 5: ${detail}`),
  });
});

it('a reference gives what exists', () => {
  expect(told('$payment.paymentId')).toBe('p-1');
  expect(told('$accounts.*.iban')).toBe('["DE","NL"]');
  expect(told('$none.*.iban')).toBe('[]');
});
