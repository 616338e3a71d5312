import { afterAll, beforeAll, expect, it } from 'vitest';
import { painOf } from '../../../../helpers/pain.ts';
import { startTpp } from '../../../../helpers/tpp.ts';
import type { Tpp } from '../../../../helpers/tpp.ts';

let tpp: Tpp;
let iban: string;
beforeAll(async () => {
  tpp = await startTpp('v1');
  iban = tpp.bank.person('embedded-one').accounts[0]?.iban ?? '';
});
afterAll(() => tpp.close());

const creditor = { creditorAccount: { iban: 'DE89370400440532013000' }, creditorName: 'Shop' };
const amount = { instructedAmount: { amount: '1.25', currency: 'EUR' } };
const debtor = () => ({ debtorAccount: { iban } });
const bodies: readonly (readonly [path: string, () => string, shown: string | undefined])[] = [
  ['payments/sepa-credit-transfers', () => JSON.stringify({ ...debtor(), ...creditor, ...amount }), '1.25'],
  ['payments/pain.001-sepa-credit-transfers', () => painOf(iban), undefined],
  [
    'periodic-payments/sepa-credit-transfers',
    () =>
      JSON.stringify({ ...debtor(), ...creditor, ...amount, startDate: '2099-01-01', frequency: 'Monthly' }),
    '1.25',
  ],
  [
    'bulk-payments/sepa-credit-transfers',
    () =>
      JSON.stringify({
        ...debtor(),
        payments: [
          { ...creditor, ...amount },
          { ...creditor, ...amount },
        ],
      }),
    undefined,
  ],
];

it.each(bodies)('a payment that %s has made is one of here', async (path, body, shown) => {
  tpp.file('body', body());
  const made = await tpp.run(['api', 'POST', `v1/${path}`, '--input', 'body', '-H', 'PSU-ID: embedded-one']);
  expect(made.code, made.stderr).toBe(0);
  const { paymentId } = made.document as { paymentId: string };
  const [, product] = path.split('/');
  const list = await tpp.run(['payment', 'list']);
  const rows = list.document as {
    paymentId: string;
    product: string;
    transactionStatus: string;
    amount: string | null;
  }[];
  expect(rows[0]).toMatchObject({ paymentId, product, transactionStatus: 'RCVD' });
  if (shown !== undefined) expect(rows[0]?.amount).toBe(shown);
  for (const words of [
    ['get', paymentId],
    ['status', paymentId.slice(0, 8)],
    ['status', '@last'],
  ]) {
    const read = await tpp.run(['payment', ...words]);
    expect(read.code, read.stderr).toBe(0);
    // A pain.001 comes back as it was sent.
    if (typeof read.document !== 'string') expect(read.document).toMatchObject({ transactionStatus: 'RCVD' });
  }
  const { password, otp } = tpp.bank.person('embedded-one');
  Object.assign(tpp.env, { PSU_PW: password, PSU_OTP: otp });
  // The PSU of the header is the one who goes on.
  const references = ['--psu-password-from', 'env:PSU_PW', '--otp-from', 'env:PSU_OTP'];
  const ended = await tpp.run(['payment', 'authorise', paymentId, ...references, '--no-input']);
  expect(ended.code, ended.stderr).toBe(0);
  expect(ended.document).toMatchObject({ paymentId });
});

it('a payment that the bank refused is none', async () => {
  const before = await tpp.run(['payment', 'list']);
  tpp.file('body', '{}');
  const refused = await tpp.run(['api', 'POST', 'v1/payments/sepa-credit-transfers', '--input', 'body']);
  expect(refused.code).toBe(5);
  expect((await tpp.run(['payment', 'list'])).document).toEqual(before.document);
});

it('a payment whose answer was lost is not sent again by the same bytes, unless that is wished for', async () => {
  const send = async (amount: string, ...flags: readonly string[]) => {
    const body = { ...debtor(), ...creditor, instructedAmount: { amount, currency: 'EUR' } };
    tpp.file('body', JSON.stringify(body));
    const line = ['api', 'POST', 'v1/payments/sepa-credit-transfers', '--input', 'body', ...flags];
    const { code, stderr } = await tpp.run([...line, '-H', 'PSU-ID: embedded-one']);
    return { code, stderr };
  };
  tpp.bank.fault({ operation: 'initiatePayment', kind: 'drop-after-commit' });
  expect((await send('6.10')).code).toBe(12);
  const again = await send('6.10');
  expect(again.code, again.stderr).toBe(2);
  expect(again.stderr).toContain('DUPLICATE_PAYMENT');
  expect(again.stderr).toContain('obk pending show');
  expect((await send('6.10', '--dry-run')).code).toBe(0);
  expect((await send('6.11')).code).toBe(0);
  expect((await send('6.10', '--allow-duplicate')).code).toBe(0);
});
