import { describe, expect, it } from 'vitest';
import {
  accountStatuses,
  allAccountsValues,
  authenticationTypes,
  balanceTypes,
  basketStatuses,
  bookingStatuses,
  chargeBearers,
  consentMoves,
  consentStatuses,
  executionRules,
  frequencies,
  isAcceptedTransaction,
  isFinalConsent,
  isFinalSca,
  isFinalTransaction,
  isSuccessfulSca,
  isUsableConsent,
  messageCode,
  messageCodes,
  scaStatus,
  scaStatuses,
  transactionMoves,
  transactionStatus,
  transactionStatuses,
  valuesIn,
} from '../../../../src/standard/xs2a/codes.ts';
import { isLegalMove, scaMoves } from '../../../helpers/legal-moves.ts';

describe('transactionStatus', () => {
  it.each([
    ['RCVD', false, false],
    ['PDNG', false, false],
    ['PATC', false, false],
    ['ACTC', false, true],
    ['ACWC', false, true],
    ['ACCP', false, true],
    ['ACFC', false, true],
    ['ACSP', false, true],
    ['ACWP', false, true],
    ['ACSC', true, true],
    ['ACCC', true, true],
    ['RJCT', true, false],
    ['CANC', true, false],
    ['PART', true, false],
    ['ACCT', false, false],
    ['', false, false],
    ['acsc', false, false],
    ['toString', false, false],
  ])('has %s: final %s, accepted %s', (code, final, accepted) => {
    expect(isFinalTransaction(code)).toBe(final);
    expect(isAcceptedTransaction(code)).toBe(accepted);
  });

  it('has 14 codes, each with a meaning and moves to known codes only', () => {
    expect(transactionStatuses).toHaveLength(14);
    expect(Object.keys(transactionMoves).sort()).toEqual(transactionStatuses.map(({ code }) => code).sort());
    for (const { code, meaning, final } of transactionStatuses) {
      expect(meaning).not.toBe('');
      expect(transactionMoves[code].every((to) => transactionStatus(to) !== undefined)).toBe(true);
      if (final && code !== 'ACSC') expect(transactionMoves[code]).toEqual([]);
    }
  });

  it.each([
    ['RCVD', 'ACSC', true],
    ['RCVD', 'RCVD', true],
    ['RCVD', 'PATC', true],
    ['PATC', 'ACTC', true],
    ['ACTC', 'PDNG', true],
    ['PDNG', 'ACSP', true],
    ['ACSP', 'RJCT', true],
    ['ACSC', 'ACCC', true],
    ['ACFC', 'CANC', true],
    ['ACSP', 'CANC', false],
    ['ACSC', 'RJCT', false],
    ['ACSP', 'ACTC', false],
    ['ACTC', 'RCVD', false],
    ['CANC', 'ACTC', false],
    ['RJCT', 'RCVD', false],
    ['WHAT', 'RJCT', false],
    ['RCVD', 'WHAT', false],
  ])('may move from %s to %s: %s', (from, to, legal) => {
    expect(isLegalMove(from, to)).toBe(legal);
  });

  it('has no way back', () => {
    const reachable = (from: string, seen = new Set<string>()): Set<string> => {
      for (const to of transactionMoves[from as 'RCVD'])
        if (to !== 'PDNG' && !seen.has(to)) {
          seen.add(to);
          reachable(to, seen);
        }
      return seen;
    };
    for (const { code } of transactionStatuses) {
      if (code !== 'PDNG') expect(reachable(code).has(code), code).toBe(false);
    }
  });

  it('lists what a signing basket may have', () => {
    expect(basketStatuses.accepted).toEqual(expect.arrayContaining([...basketStatuses.emitted]));
    expect(basketStatuses.emitted).not.toContain('ACSC');
  });
});

describe('scaStatus', () => {
  it.each([
    ['received', false, false],
    ['psuIdentified', false, false],
    ['psuAuthenticated', false, false],
    ['scaMethodSelected', false, false],
    ['started', false, false],
    ['unconfirmed', false, false],
    ['finalised', true, true],
    ['exempted', true, true],
    ['failed', true, false],
    ['finalized', false, false],
    ['constructor', false, false],
  ])('has %s: final %s, success %s', (code, final, success) => {
    expect(isFinalSca(code)).toBe(final);
    expect(isSuccessfulSca(code)).toBe(success);
  });

  it('has 9 codes; final ones do not move, the others may fail', () => {
    expect(scaStatuses).toHaveLength(9);
    for (const { code, final } of scaStatuses) {
      expect(scaMoves[code].length === 0).toBe(final);
      if (!final) expect(scaMoves[code]).toContain('failed');
    }
    expect(scaStatus('unconfirmed')?.since).toBe('1.3.6');
    expect(scaStatus('started')?.since).toBe('1.3.2');
  });
});

describe('consentStatus', () => {
  it.each([
    ['received', false, false],
    ['partiallyAuthorised', false, false],
    ['valid', false, true],
    ['rejected', true, false],
    ['revokedByPsu', true, false],
    ['expired', true, false],
    ['terminatedByTpp', true, false],
    ['suspended', false, false],
  ])('has %s: final %s, usable %s', (code, final, usable) => {
    expect(isFinalConsent(code)).toBe(final);
    expect(isUsableConsent(code)).toBe(usable);
  });

  it('has 7 codes, of which the final ones do not move', () => {
    expect(consentStatuses).toHaveLength(7);
    for (const { code, final } of consentStatuses) expect(consentMoves[code].length === 0).toBe(final);
  });
});

describe('the tppMessage codes', () => {
  it.each([
    ['CERTIFICATE_INVALID', 3],
    ['CERTIFICATE_EXPIRED', 3],
    ['CERTIFICATE_BLOCKED', 3],
    ['CERTIFICATE_REVOKED', 3],
    ['CERTIFICATE_MISSING', 3],
    ['ROLE_INVALID', 3],
    ['SIGNATURE_INVALID', 3],
    ['SIGNATURE_MISSING', 3],
    ['REQUIRED_KID_MISSING', 3],
    ['TIMESTAMP_INVALID', 3],
    ['CONSENT_UNKNOWN', 4],
    ['CONSENT_INVALID', 4],
    ['CONSENT_EXPIRED', 4],
    ['TOKEN_UNKNOWN', 4],
    ['TOKEN_INVALID', 4],
    ['TOKEN_EXPIRED', 4],
    ['FORMAT_ERROR', 5],
    ['PARAMETER_NOT_CONSISTENT', 5],
    ['PARAMETER_NOT_SUPPORTED', 5],
    ['SERVICE_INVALID', 5],
    ['RESOURCE_UNKNOWN', 5],
    ['RESOURCE_EXPIRED', 5],
    ['RESOURCE_BLOCKED', 5],
    ['PERIOD_INVALID', 5],
    ['SCA_METHOD_UNKNOWN', 5],
    ['STATUS_INVALID', 5],
    ['PRODUCT_INVALID', 5],
    ['PRODUCT_UNKNOWN', 5],
    ['PAYMENT_FAILED', 5],
    ['EXECUTION_DATE_INVALID', 5],
    ['SESSIONS_NOT_SUPPORTED', 5],
    ['REQUESTED_FORMATS_INVALID', 5],
    ['CARD_INVALID', 5],
    ['NO_PIIS_ACTIVATION', 5],
    ['REFERENCE_MIX_INVALID', 5],
    ['REFERENCE_STATUS_INVALID', 5],
    ['PSU_CREDENTIALS_INVALID', 9],
    ['CORPORATE_ID_INVALID', 9],
    ['SERVICE_BLOCKED', 9],
    ['SCA_INVALID', 9],
    ['CANCELLATION_INVALID', 9],
    ['ACCESS_EXCEEDED', 11],
    ['WARNING', 0],
  ])('end with %s a command with %i', (code, exit) => {
    expect(messageCode(code)?.exit).toBe(exit);
  });

  it('are listed once each, with statuses and a meaning', () => {
    expect(new Set(messageCodes.map(({ code }) => code)).size).toBe(messageCodes.length);
    for (const { http, meaning } of messageCodes) {
      expect(http.length).toBeGreaterThan(0);
      expect(meaning).toMatch(/\.$/);
    }
    expect(messageCode('NO_SUCH_CODE')).toBeUndefined();
    expect(messageCode('hasOwnProperty')).toBeUndefined();
    expect(messageCode('CANCELLATION_INVALID')).toMatchObject({ http: [405], services: ['PIS'] });
  });
});

describe('the value sets', () => {
  it.each([
    [bookingStatuses, ['booked', 'pending', 'both'], ['booked', 'pending', 'both', 'information']],
    [allAccountsValues, ['allAccounts'], ['allAccounts', 'allAccountsWithOwnerName']],
    [
      authenticationTypes,
      ['SMS_OTP', 'CHIP_OTP', 'PHOTO_OTP', 'PUSH_OTP'],
      ['SMS_OTP', 'CHIP_OTP', 'PHOTO_OTP', 'PUSH_OTP'],
    ],
    [executionRules, ['following', 'preceding'], ['following', 'preceding']],
    [chargeBearers, ['DEBT', 'CRED', 'SHAR', 'SLEV'], ['DEBT', 'CRED', 'SHAR', 'SLEV']],
    [accountStatuses, ['enabled', 'deleted', 'blocked'], ['enabled', 'deleted', 'blocked']],
  ])('list %# by framework', (list, in132, in136) => {
    expect(valuesIn('1.3.2', list)).toEqual(in132);
    expect(valuesIn('1.3.6', list)).toEqual(in136);
  });

  it('lose `authorised` and gain MonthlyVariable in 1.3.6', () => {
    expect(valuesIn('1.3.2', balanceTypes)).toHaveLength(8);
    expect(valuesIn('1.3.6', balanceTypes)).toHaveLength(7);
    expect(valuesIn('1.3.6', balanceTypes)).not.toContain('authorised');
    expect(valuesIn('1.3.2', frequencies)).toHaveLength(8);
    expect(valuesIn('1.3.6', frequencies)).toContain('MonthlyVariable');
  });
});
