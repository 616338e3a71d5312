import { describe, expect, it } from 'vitest';
import { readCreditorReference, referenceFault } from '../../../../src/standard/xs2a/creditor-reference.ts';

const qrIban = 'CH44 3199 9123 0008 8901 2';
const iban = 'CH9300762011623852957';
const read = (text: string, account?: string) => {
  const result = readCreditorReference(text, account);
  return result.ok ? result.value : result.why;
};

describe('a reference of ISO 11649', () => {
  // Published examples, computed once more by hand.
  it.each([
    'RF18539007547034',
    'RF18 5390 0754 7034',
    'rf18539007547034',
    'RF471234567890',
    'RF712348231',
    'RF332348236',
    'RF45G72UUR',
    'RF6518K5',
  ])('is right: %s', (text) => {
    expect(read(text)).toEqual({
      reference: text.replaceAll(' ', '').toUpperCase(),
      referenceType: 'SCOR',
      referenceIssuer: 'ISO',
    });
  });

  it.each([
    ['RF81539007547034', 'its check digits are 81, and 18 would be right'],
    ['RF18539007547035', 'its check digits are 18, and 88 would be right'],
    ['RF00C4', 'its check digits are 00, and 51 would be right'],
    ['RF18', '1 to 21'],
    [`RF18${'1'.repeat(22)}`, '1 to 21'],
    ['RF18-539007547034', '1 to 21'],
  ])('is wrong: %s', (text, why) => {
    expect(read(text)).toContain(why);
  });

  it('shows each digit that is mistyped', () => {
    const right = 'RF18539007547034';
    for (let at = 2; at < right.length; at += 1) {
      const other = (Number(right[at]) + 1) % 10;
      const text = right.slice(0, at) + String(other) + right.slice(at + 1);
      expect(referenceFault({ reference: text })).toBeDefined();
    }
  });
});

describe('a QR reference', () => {
  // Published examples: SIX, the QR-bill.
  it.each(['21 00000 00003 13947 14300 09017', '000000000000000000000000000', '000000000000000000001234565'])(
    'is right: %s',
    (text) => {
      expect(read(text, qrIban)).toEqual({ reference: text.replaceAll(' ', ''), referenceType: 'QRR' });
    },
  );

  it.each([
    ['21 00000 00003 13947 14300 09016', qrIban, 'its check digit is 6, and 7 would be right'],
    ['21 00000 00003 13947 14300 0901', qrIban, 'has 27 digits, and this has 26'],
    ['Invoice 4711', qrIban, 'has 27 digits'],
    ['RF18539007547034', qrIban, 'this begins with RF'],
    ['21 00000 00003 13947 14300 09017', iban, 'goes to a QR-IBAN'],
  ])('is wrong: %s to %s', (text, account, why) => {
    expect(read(text, account)).toContain(why);
  });

  it('is any reference for an account elsewhere', () => {
    expect(read('1'.repeat(27), 'DE89370400440532013000')).toEqual({ reference: '1'.repeat(27) });
    expect(read('+++090/9337/55493+++', 'BE68539007547034')).toEqual({ reference: '+++090/9337/55493+++' });
    expect(read('x'.repeat(36))).toContain('at most 35');
  });
});
