import { DEFAULT_CIPHERS } from 'node:tls';
import { describe, expect, it } from 'vitest';
import { offeredCiphers } from '../../../../src/adapters/http/offered-ciphers.ts';
import { needSafeCiphers } from '../../../../src/client/profile/weak-ciphers.ts';
import { lintBank } from '../../../../src/client/profile/bank-lint.ts';

const http = { offeredCiphers } as never;

describe('a list of ciphers', () => {
  it.each([
    'eNULL',
    'NULL',
    'ALL:eNULL',
    'ALL',
    'HIGH',
    'COMPLEMENTOFALL',
    'kRSA+NULL',
    'kRSA+eNULL',
    'aNULL',
    'ADH',
    'AECDH',
    'NULL-SHA256',
    'ADH-AES128-SHA',
    'AES128+kDHE',
    'ECDHE-RSA-AES128-GCM-SHA256:@SECLEVEL=0',
    'ECDHE-RSA-AES128-GCM-SHA256@SECLEVEL=0',
    'DEFAULT:@SECLEVEL=00',
    'RC4-SHA',
    'ECDHE-RSA-AES128-GCM-SHA256:RC4-MD5',
    '3DES',
    'DES-CBC3-SHA',
    'EXPORT',
    'EXP-RC4-MD5',
    'LOW',
    'junk',
    '',
    'x'.repeat(10_000),
    'a\0b',
    'TLS_SHA256_SHA256',
  ])('is refused: %s', async (list) => {
    await expect(needSafeCiphers({ http }, list)).rejects.toMatchObject({
      code: 'CONNECTION_INSECURE',
      exit: 3,
    });
  });

  it.each([
    DEFAULT_CIPHERS,
    'ECDHE-RSA-AES128-GCM-SHA256',
    'ECDHE+AESGCM:!aNULL:!eNULL:!MD5:!RC4:!3DES',
    'HIGH:!aNULL:!eNULL',
    'DEFAULT:@SECLEVEL=1',
    'AES256-SHA',
    'DEFAULT:!aNULL:!eNULL:ALL',
  ])('is accepted: %s', async (list) => {
    await expect(needSafeCiphers({ http }, list)).resolves.toBeUndefined();
  });

  it('is a finding where it lowers the security level to 1', () => {
    const found = lintBank({ tls: { ciphers: 'DEFAULT:@SECLEVEL=1' } }, 'bank');
    expect(found).toMatchObject([{ setting: 'tls.ciphers', severity: 'warning' }]);
    expect(lintBank({ tls: { ciphers: 'ALL:eNULL' } }, 'bank')).toMatchObject([{ severity: 'error' }]);
    expect(lintBank({ tls: { ciphers: 'DEFAULT:@SECLEVEL=0' } }, 'bank')).toMatchObject([
      { severity: 'error' },
    ]);
  });
});
