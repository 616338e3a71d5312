import { describe, expect, test } from 'vitest';
import { ObkError } from '../../../src/base/errors.ts';
import { signingOptions } from '../../../src/signing/options.ts';
import { guidelines, signingPresets } from '../../../src/signing/presets.ts';

describe('signing options', () => {
  test.each([[undefined], [{}]])('are the guidelines for %o', (value) => {
    expect(signingOptions(value)).toEqual(guidelines);
  });

  test('keep the settings of the profile and fill in the rest', () => {
    const options = signingOptions({
      headers: ['(request-target)', 'Digest', 'Date'],
      keyId: { issuer: 'openssl' },
      digest: { emptyBody: '{}' },
      algorithmLabel: 'SHA256withRSA',
    });
    expect(options).toEqual({
      ...guidelines,
      headers: ['(request-target)', 'digest', 'date'],
      keyId: { ...guidelines.keyId, issuer: 'openssl' },
      digest: { algorithm: 'SHA-256', emptyBody: '{}' },
      algorithmLabel: 'SHA256withRSA',
    });
  });

  test('accept a preset, and changes to it', () => {
    expect(signingOptions({ preset: 'guidelines' })).toEqual(guidelines);
    expect(signingOptions({ preset: 'adorsys' })).toEqual({
      ...guidelines,
      date: { sign: true },
      certificateHeader: 'pemOneLine',
    });
    expect(signingOptions({ preset: 'wso2', keyId: { serial: 'HEX' } })).toEqual({
      ...guidelines,
      digest: { algorithm: 'SHA-256', emptyBody: '{}' },
      keyId: { ...guidelines.keyId, issuer: 'rfc2253', serial: 'HEX' },
    });
  });

  test('state the source of each preset, and claim none as tried', () => {
    for (const { about, source, asOf, verified } of Object.values(signingPresets)) {
      expect({ about, source }).toEqual({
        about: expect.stringMatching(/\w/),
        source: expect.stringMatching(/\w/),
      });
      expect(asOf).toMatch(/^\d{4}-\d{2}$/);
      expect(verified).toBe(false);
    }
  });

  test.each([
    [{ preset: 'acme' }, 'signing.preset'],
    [[], 'signing'],
    ['cavage', 'signing'],
    [{ mod: 'none' }, 'signing.mod'],
    [{ mode: 'xades' }, 'signing.mode'],
    [{ headers: [] }, 'signing.headers'],
    [{ headers: ['digest', 'Digest?'] }, 'signing.headers'],
    [{ headers: ['a b'] }, 'signing.headers'],
    [{ headers: [7] }, 'signing.headers'],
    [{ order: 'random' }, 'signing.order'],
    [{ date: { sign: 'yes' } }, 'signing.date.sign'],
    [{ date: true }, 'signing.date'],
    [{ requestTarget: 1 }, 'signing.requestTarget'],
    [{ digest: { algorithm: 'SHA-1' } }, 'signing.digest.algorithm'],
    [{ digest: { alg: 'SHA-256' } }, 'signing.digest.alg'],
    [{ hash: 'MD5' }, 'signing.hash'],
    [{ algorithmLabel: 'a"b' }, 'signing.algorithmLabel'],
    [{ keyId: { template: 'SN={sn}' } }, 'signing.keyId.template'],
    [{ keyId: { template: 'a\nb' } }, 'signing.keyId.template'],
    [{ keyId: { serial: 'octal' } }, 'signing.keyId.serial'],
    [{ keyId: { issuer: null } }, 'signing.keyId.issuer'],
    [{ certificateHeader: 'der' }, 'signing.certificateHeader'],
    [{ signatureEncoding: 'raw' }, 'signing.signatureEncoding'],
  ])('refuse %j, naming %s', (value, path) => {
    const run = () => signingOptions(value);
    expect(run).toThrow(ObkError);
    expect(run).toThrow(expect.objectContaining({ code: 'PROFILE_INVALID', exit: 3 }));
    expect(run).toThrow(`The setting ${path} of the profile is not valid.`);
  });
});
