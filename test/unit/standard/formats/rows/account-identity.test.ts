import { describe, expect, it } from 'vitest';
import { accountIdentity } from '../../../../../src/standard/formats/rows/account-identity.ts';

describe('The identity of an account', () => {
  it('is the BBAN of an IBAN, however it is spelt', () => {
    for (const number of ['NO9386011117947', 'NO93 8601 1117 947', 'IBAN NO9386011117947', '86011117947'])
      expect(accountIdentity(number)).toBe('86011117947');
  });

  it('keeps the first letters of a number that is too short for an IBAN', () => {
    expect(accountIdentity('AC1234567890')).toBe('AC1234567890');
    expect(accountIdentity('BD9934567890')).not.toBe(accountIdentity('AC1234567890'));
  });
});
