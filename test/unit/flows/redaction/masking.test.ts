import { describe, expect, it } from 'vitest';
import { accountsIn, maskAccounts, unmasked } from '../../../../src/flows/redaction/masking.ts';

const [shop, anna] = ['DE89370400440532013000', 'NL76RABO0359400371'];
const text = `{"creditorAccount":{"iban":"${shop}"},"debtorAccount":{"iban":"${anna}"},"amount":"1234567890123456.00"}`;

describe('masked account numbers', () => {
  it('keep country, check digits and the last four, and nothing else is cut', () => {
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
