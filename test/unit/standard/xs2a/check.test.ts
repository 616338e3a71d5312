import { describe, expect, it } from 'vitest';
import {
  checkBic,
  checkCharset,
  checkCreditorName,
  checkCurrency,
  checkIban,
  checkIsoDate,
  checkMax140,
  checkMax35,
  checkMax70,
  checkPsuIp,
  ibanDoubt,
} from '../../../../src/standard/xs2a/check.ts';
import type { Checked } from '../../../../src/standard/xs2a/check.ts';

const why = (result: Checked): string => (result.ok ? 'ok' : result.why);

describe('checkIban', () => {
  it.each([
    ['DE40100100103307118608', 'DE40100100103307118608'],
    ['de40 1001 0010 3307 1186 08', 'DE40100100103307118608'],
    ['GB82 WEST 1234 5698 7654 32', 'GB82WEST12345698765432'],
    ['FR14 2004 1010 0505 0001 3M02 606', 'FR1420041010050500013M02606'],
    ['NL91ABNA0417164300', 'NL91ABNA0417164300'],
    // As pages of banks have them: blanks that do not break, thin ones, and those without width.
    ['DE40\u00a01001\u00a00010\u00a03307\u00a01186\u00a008', 'DE40100100103307118608'],
    ['DE40\u202f1001\u202f0010\u202f3307\u202f1186\u202f08', 'DE40100100103307118608'],
    ['\u200bDE40\u20091001\u20070010 3307\u200b1186 08\ufeff', 'DE40100100103307118608'],
    [' DE40-1001-0010-3307-1186-08\n', 'DE40100100103307118608'],
  ])('accepts %s', (text, value) => {
    expect(checkIban(text)).toEqual({ ok: true, value });
  });

  it('accepts an IBAN that fails only the check of its country, and reports it on demand', () => {
    // The sandbox IBAN of a bank.
    const iban = 'FR8230066631856742938741993';
    expect(checkIban(iban)).toEqual({ ok: true, value: iban });
    expect(ibanDoubt(iban)).toContain('FR has within its account numbers');
    expect(ibanDoubt('FR1420041010050500013M02606')).toBeUndefined();
    expect(ibanDoubt('FR8330066631856742938741993')).toBeUndefined();
    expect(checkIban('FR8330066631856742938741993').ok).toBe(false);
  });

  it.each([
    ['DE41100100103307118608', /check digits/],
    ['DE40100100103307118609', /check digits/],
    ['DE4010010010330711860', /21 characters/],
    ['DE401001001033071186088', /23 characters/],
    ['GB82123412345698765432', /structure/],
    ['XX40100100103307118608', /not a country/],
    ['!!DE40100100103307118608##', /letters and digits/],
    ['12345', /begins with a country/],
    ['', /empty/],
    ['   ', /empty/],
    ['DE40１00100103307118608', /letters and digits/],
  ])('refuses %s', (text, reason) => {
    expect(why(checkIban(text))).toMatch(reason);
  });
});

describe('a check of a single value', () => {
  it.each([
    [checkBic, 'MARKDEF1100', 'MARKDEF1100'],
    [checkBic, 'deutdeff', 'DEUTDEFF'],
    [checkCurrency, 'eur', 'EUR'],
    [checkIsoDate, '2026-11-21', '2026-11-21'],
    [checkIsoDate, '2024-02-29', '2024-02-29'],
    [checkIsoDate, '2000-02-29', '2000-02-29'],
    [checkIsoDate, '9999-12-31', '9999-12-31'],
    [checkMax35, 'x'.repeat(35), 'x'.repeat(35)],
    [checkMax70, '😀'.repeat(70), '😀'.repeat(70)],
    [checkMax140, 'x'.repeat(140), 'x'.repeat(140)],
    [checkCreditorName, 'Zoë & Söhne', 'Zoë & Söhne'],
    [checkPsuIp, '192.168.8.78', '192.168.8.78'],
    [checkPsuIp, '::1', '::1'],
    [checkPsuIp, '::ffff:192.0.2.1', '::ffff:192.0.2.1'],
    [checkPsuIp, '2001:DB8::1', '2001:DB8::1'],
  ])('accepts with %o %s', (check, text, value) => {
    expect(check(text)).toEqual({ ok: true, value });
  });

  it.each([
    [checkBic, 'MARKDE', /BIC/],
    [checkBic, 'MARKDEF110', /BIC/],
    [checkCurrency, 'EU', /three letters/],
    [checkCurrency, 'EUR\n', /three letters/],
    [checkIsoDate, '2026-02-30', /no such day/],
    [checkIsoDate, '2025-02-29', /no such day/],
    [checkIsoDate, '1900-02-29', /no such day/],
    [checkIsoDate, '2026-13-01', /no such day/],
    [checkIsoDate, '2026-00-01', /no such day/],
    [checkIsoDate, '21.11.2026', /YYYY-MM-DD/],
    [checkIsoDate, '2026-1-1', /YYYY-MM-DD/],
    [checkMax35, 'x'.repeat(36), /36 characters, at most 35 are allowed/],
    [checkMax70, '', /empty/],
    [checkMax70, ' \t ', /empty/],
    [checkMax140, 'a\u0007b', /control/],
    [checkCreditorName, 'x'.repeat(71), /71 characters, at most 70 are allowed/],
    [checkPsuIp, '1.2.3.4.5', /IPv4/],
    [checkPsuIp, '01.2.3.4', /IPv4/],
    [checkPsuIp, '1.2.3.4:80', /IPv4/],
    [checkPsuIp, '[::1]', /IPv4/],
    [checkPsuIp, ':::', /IPv4/],
    [checkPsuIp, 'localhost', /IPv4/],
    [checkPsuIp, '', /IPv4/],
  ])('refuses with %o %j', (check, text, reason) => {
    expect(why(check(text))).toMatch(reason);
  });

  it.each([
    ["abc XYZ 019 /-?:().,'+", undefined],
    ['', undefined],
    ['Zoë', { at: 2, character: 'ë' }],
    ['😀a_b', { at: 0, character: '😀' }],
    ['a😀', { at: 1, character: '😀' }],
    ['a&b', { at: 1, character: '&' }],
    ['a\nb', { at: 1, character: '\n' }],
  ])('finds the first character of %j outside the minimum set', (text, found) => {
    expect(checkCharset(text)).toEqual(found);
  });
});
