import { describe, expect, it } from 'vitest';
import { refusalExit } from '../../../../src/client/exchange/judge.ts';

const error = (code: string) => ({ category: 'ERROR', code });

describe('the exit of a refusal', () => {
  it.each([
    [401, ['SIGNATURE_INVALID'], 3],
    [401, ['PSU_CREDENTIALS_INVALID'], 9],
    [401, ['CONSENT_EXPIRED'], 4],
    [400, ['CONSENT_UNKNOWN'], 4],
    [401, [], 4],
    [401, ['SOMETHING_NEW'], 4],
    [403, [], 5],
    [404, ['RESOURCE_UNKNOWN'], 5],
    [405, ['CANCELLATION_INVALID'], 9],
    [405, [], 5],
    [429, [], 11],
    [429, ['ACCESS_EXCEEDED'], 11],
    [500, [], 6],
    [503, ['SERVICE_UNAVAILABLE'], 6],
    [302, [], 6],
    [400, ['SOMETHING_NEW', 'TOKEN_EXPIRED'], 4],
    [400, ['FORMAT_ERROR', 'TOKEN_EXPIRED'], 5],
  ])('is for %i with %j: %i', (status, codes, exit) => {
    expect(
      refusalExit(
        status,
        codes.map((code) => error(code)),
      ),
    ).toBe(exit);
  });

  it('does not depend on a warning', () => {
    expect(refusalExit(404, [{ category: 'WARNING', code: 'CONSENT_EXPIRED' }])).toBe(5);
  });
});
