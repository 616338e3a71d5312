import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  amountReading,
  checkPaymentAmount,
  currenciesOf,
  currencyFault,
  formatMinor,
  fractionDigits,
  parseAmount,
  payeeCurrenciesOf,
} from '../../../../../src/standard/formats/money/amount.ts';
import { runs } from '../../../../helpers/trials.ts';

describe('parseAmount', () => {
  it.each([
    ['12.50', 'EUR', 1250n, '12.50'],
    ['12.5', 'EUR', 1250n, '12.50'],
    ['12', 'EUR', 1200n, '12.00'],
    ['0', 'EUR', 0n, '0.00'],
    ['0.01', 'EUR', 1n, '0.01'],
    ['-100.03', 'EUR', -10003n, '-100.03'],
    ['-0.01', 'EUR', -1n, '-0.01'],
    ['-0', 'EUR', 0n, '0.00'],
    ['-0.00', 'EUR', 0n, '0.00'],
    ['007.50', 'EUR', 750n, '7.50'],
    ['99999999999999.99', 'EUR', 9999999999999999n, '99999999999999.99'],
    ['500', 'JPY', 500n, '500'],
    ['1.234', 'KWD', 1234n, '1.234'],
    ['1', 'KWD', 1000n, '1.000'],
    ['1.234', 'CLF', 12340n, '1.234'],
    ['1.23', 'UYW', 12300n, '1.230'],
    ['0.100', 'UYW', 1000n, '0.100'],
  ])('reads %s %s', (text, currency, minor, amount) => {
    expect(parseAmount(text, currency)).toEqual({ ok: true, value: { currency, amount, minor } });
  });

  it.each([
    ['1,00', 'EUR', /separator is a dot/],
    ['1.234,00', 'EUR', /separator is a dot/],
    ['1e3', 'EUR', /exponent/],
    ['1E3', 'EUR', /exponent/],
    ['1.005', 'EUR', /EUR has at most 2 decimals/],
    ['1.0005', 'EUR', /more than 3 decimals/],
    ['1.5', 'JPY', /JPY has no decimals/],
    ['123456789012345', 'EUR', /14 digits/],
    ['', 'EUR', /empty/],
    ['  ', 'EUR', /empty/],
    [' 1', 'EUR', /blanks/],
    ['1\n', 'EUR', /blanks/],
    ['1.', 'EUR', /decimal number/],
    ['.5', 'EUR', /decimal number/],
    ['+1', 'EUR', /decimal number/],
    ['--1', 'EUR', /decimal number/],
    ['abc-1.50xyz', 'EUR', /decimal number/],
    ['0x10', 'EUR', /decimal number/],
    ['١', 'EUR', /decimal number/],
    ['12.50', 'eur', /currency/],
    ['12.50', 'EURO', /currency/],
    ['12.50', '', /currency/],
  ])('refuses %j %s', (text, currency, why) => {
    const result = parseAmount(text, currency);
    expect(result.ok ? '' : result.why).toMatch(why);
  });

  it('is the inverse of formatMinor', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: -(10n ** 14n) + 1n, max: 10n ** 14n - 1n }),
        fc.constantFrom('EUR', 'JPY', 'KWD', 'USD', 'XXX'),
        (minor, currency) => {
          const text = formatMinor(minor, currency);
          expect(parseAmount(text, currency)).toEqual({
            ok: true,
            value: { currency, amount: text, minor },
          });
        },
      ),
      { numRuns: runs(2000) },
    );
  });

  it('accepts nothing but the pattern', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('0', '1', '5', '9', '.', ',', '-', '+', 'e', 'E', ' ', 'x', '\n'), {
          maxLength: 8,
        }),
        (characters) => {
          const text = characters.join('');
          if (parseAmount(text, 'KWD').ok) expect(text).toMatch(/^-?[0-9]{1,14}(\.[0-9]{1,3})?$/);
        },
      ),
      { numRuns: runs(2000) },
    );
  });
});

describe('checkPaymentAmount', () => {
  it.each([
    ['0.01', true, ''],
    ['0', false, 'it is zero'],
    ['0.00', false, 'it is zero'],
    ['-0', false, 'it is zero'],
    ['-5', false, 'it is negative'],
    ['1,00', false, 'the decimal separator is a dot, and there are no others'],
  ])('judges %s: %s', (text, ok, why) => {
    const result = checkPaymentAmount(text, 'EUR');
    expect(result.ok).toBe(ok);
    expect(result.ok ? '' : result.why).toBe(why);
  });
});

describe('fractionDigits', () => {
  it.each([
    ['EUR', 2],
    ['JPY', 0],
    ['ISK', 0],
    ['BHD', 3],
    ['CLF', 4],
    ['XYZ', 2],
    ['toString', 2],
  ])('counts for %s %i', (currency, digits) => {
    expect(fractionDigits(currency)).toBe(digits);
  });
});

it('an amount is refused for its first mistake first', () => {
  expect(parseAmount('1.2345x', 'EUR')).toMatchObject({
    why: expect.stringContaining('not a decimal') as string,
  });
  expect(parseAmount('1.2345', 'EUR')).toMatchObject({
    why: expect.stringContaining('3 decimals') as string,
  });
});

describe('an amount with other separators', () => {
  it.each([
    ['12,50', 'EUR', '12.50'],
    ['7,5', 'EUR', '7.5'],
    ['0,99', 'EUR', '0.99'],
    ['1.234,50', 'EUR', '1234.50'],
    ['1,234.50', 'EUR', '1234.50'],
    ['1.234.567,5', 'EUR', '1234567.5'],
    ['1,234,567', 'EUR', '1234567'],
    ['1 234,50', 'EUR', '1234.50'],
    ['1\u00a0234,50', 'EUR', '1234.50'],
    ["1'234.50", 'CHF', '1234.50'],
    ['1,234,567', 'JPY', '1234567'],
    ['1.234,567', 'KWD', '1234.567'],
  ])('is read: %j %s can only mean %s', (text, currency, amount) => {
    expect(amountReading(text, currency)).toBe(amount);
  });

  it.each([
    // One thousand or one: two readings, whatever the currency.
    ['1,234', 'EUR'],
    ['1.234', 'EUR'],
    ['1,234', 'KWD'],
    ['1,234', 'JPY'],
    // Written as the interface has it.
    ['12.50', 'EUR'],
    ['1.234', 'KWD'],
    // None at all.
    ['12,50', 'JPY'],
    ['0,00', 'EUR'],
    ['-12,50', 'EUR'],
    ['12,', 'EUR'],
    [',50', 'EUR'],
    ['1,2345', 'EUR'],
    ['12.50,00', 'EUR'],
    ['1,23,50', 'EUR'],
    ['1,234,50', 'EUR'],
    ['1.234 567,50', 'EUR'],
    ['0,123,456', 'EUR'],
    ['12,50 EUR', 'EUR'],
    ['', 'EUR'],
  ])('is left to whoever typed it: %j %s', (text, currency) => {
    expect(amountReading(text, currency)).toBeUndefined();
  });
});

describe('the currency of a product', () => {
  it.each([
    ['sepa-credit-transfers', ['EUR'], ['EUR']],
    ['instant-sepa-credit-transfers', ['EUR'], ['EUR']],
    ['pain.001-sepa-credit-transfers', ['EUR'], ['EUR']],
    ['target-2-payments', ['EUR'], undefined],
    ['cross-border-credit-transfers', undefined, undefined],
    ['', undefined, undefined],
  ])('is in %s one of %j, into accounts in %j (undefined: in any)', (product, paid, kept) => {
    expect([currenciesOf(product), payeeCurrenciesOf(product)]).toEqual([paid, kept]);
  });

  it('is in euro no other currency', () => {
    expect(currencyFault('target-2-payments', 'USD')).toBe('target-2-payments are in EUR, not USD');
    expect(currencyFault('target-2-payments', 'EUR')).toBeUndefined();
    expect(currencyFault('cross-border-credit-transfers', 'USD')).toBeUndefined();
  });
});
