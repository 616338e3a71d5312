import { afterEach, describe, expect, it } from 'vitest';
import {
  accountsIn,
  maskAccounts,
  maskWhere,
  maskedText,
  unmasked,
} from '../../../../src/client/redaction/masking.ts';

const [shop, anna] = ['DE89370400440532013000', 'NL76RABO0359400371'];
const text = `{"creditorAccount":{"iban":"${shop}"},"debtorAccount":{"iban":"${anna}"},"amount":"1234567890123456.00"}`;

describe('masked account numbers', () => {
  it('keep country, check digits and the last four, and the rest of the text is kept', () => {
    expect(maskAccounts(text)).toBe(
      '{"creditorAccount":{"iban":"DE89…3000"},"debtorAccount":{"iban":"NL76…0371"},"amount":"1234567890123456.00"}',
    );
  });

  it('are put back where they stood', () => {
    expect(unmasked(maskAccounts(text), accountsIn(text))).toBe(text);
  });

  it.each<[string, readonly string[], string]>([
    ['none is known', [], 'from DE89…3000 to NL76…0371'],
    ['the last is not known', [shop], `from ${shop} to NL76…0371`],
    ['another one would come first', [anna], `from DE89…3000 to ${anna}`],
    ['only the start fits', ['DE89370400440532013001'], 'from DE89…3000 to NL76…0371'],
    ['only the end fits', ['DE88370400440532013000'], 'from DE89…3000 to NL76…0371'],
  ])('stay masked where %s', (_, accounts, whole) => {
    expect(unmasked('from DE89…3000 to NL76…0371', accounts)).toBe(whole);
  });
});

describe('an account number that the administrator hides everywhere', () => {
  afterEach(() => {
    maskWhere(() => false);
  });

  it.each([
    [`to ${shop}`, 'to DE89…3000'],
    ['to DE89 3704 0044 0532 0130 00, please', 'to DE89…3000, please'],
    ['NL76 RABO 0359 4003 71', 'NL76…0371'],
    ['NO93 8601 1117 947', 'NO93…7947'],
    ['MT84 MALT 0110 0001 2345 MTLC AST0 01S', 'MT84…001S'],
    ['AB12 RENT FLAT NINE', 'AB12 RENT FLAT NINE'],
    ['{"pan": "5409050000000000"}', '{"pan": "…"}'],
    ['12.50 EUR on 2026-11-24', '12.50 EUR on 2026-11-24'],
  ])('is shown masked: %s as %s', (given, shown) => {
    maskWhere(() => true);
    expect(maskedText(given)).toBe(shown);
    maskWhere(() => false);
    expect(maskedText(given)).toBe(given);
  });
});
