// Every character of the minimum set (guidelines 14.1) in every text of a payment, from the flags of obk to the books of the
// bank inside, in JSON and in pain.001; each exchange is held against the official files.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasOfficialFiles } from '../helpers/contract.ts';
import { startTpp } from '../helpers/tpp.ts';
import type { Tpp } from '../helpers/tpp.ts';

const letters = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ';
const minimum = `${letters}0123456789/-?:().,'+ `;

/** A piece of the set for a text of so many characters; a blank stands inside, where nobody takes it away. */
const piece = (size: number, at: number): string => {
  const step = size - 4;
  const from = (at * step) % (Math.ceil(minimum.length / step) * step);
  return `a${minimum.slice(from, from + step)}z z`;
};

/** Each class of text in a payment: its flag, and how long it may be. */
const texts = [
  ['--creditor-name', 70],
  ['--remittance', 140],
  ['--end-to-end-id', 35],
  ['--creditor-address', 70, 'street'],
  ['--creditor-address', 35, 'city'],
  ['--creditor-address', 16, 'postcode'],
  ['--creditor-address', 16, 'number'],
] as const;
const payments = Math.ceil(minimum.length / (16 - 4));

describe.each(['v1', 'v136'] as const)('the minimum set in %s', (variant) => {
  let tpp: Tpp;
  beforeAll(async () => {
    tpp = await startTpp(variant);
  });
  afterAll(() => tpp.close());

  const products = ['sepa-credit-transfers', 'pain.001-sepa-credit-transfers'];
  it.each(products)('is accepted in every text of %s', async (product) => {
    for (let at = 0; at < payments; at += 1) {
      const flags = texts.flatMap(([flag, size, part]) => [
        flag,
        part === undefined ? piece(size, at) : `${part}=${piece(size, at)}`,
      ]);
      const rest = ['--product', product, '--creditor-account', 'DE89370400440532013000', '--amount', '1.00'];
      const { code, document } = await tpp.pay(
        'redirect',
        ...rest,
        ...flags,
        '--creditor-address',
        'country=DE',
      );
      expect({ code, status: document.transactionStatus }).toEqual({ code: 0, status: 'RCVD' });
      const { body } = tpp.bank.payments().find((one) => one.paymentId === document.paymentId) ?? {
        body: '',
      };
      const plain = body.replaceAll('&apos;', "'").replaceAll('&#39;', "'");
      for (const [flag, size, part] of texts)
        expect(plain, `${flag} ${part ?? ''}`).toContain(piece(size, at));
    }
  });

  it.skipIf(!hasOfficialFiles())('was accepted as the official files say', () => {
    expect(tpp.findings()).toEqual([]);
  });
});
