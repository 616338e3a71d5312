import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { nameSpellings } from '../../../src/signing/distinguished-name.ts';
import { serialSpellings } from '../../../src/signing/key-id.ts';
import type { SigningMaterial } from '../../../src/signing/material.ts';
import { localMaterial } from '../../../src/signing/material.ts';
import { signingOptions } from '../../../src/signing/options.ts';
import { signingPresetNames } from '../../../src/signing/presets.ts';
import { signRequest } from '../../../src/signing/sign-request.ts';
import { checkSignature, readSignature } from '../../../src/signing/signature-check.ts';
import { now, sealCertificate, vectorCa } from './fixtures.ts';
import { runs } from '../../helpers/trials.ts';

let keys: Record<'rsa' | 'ec', SigningMaterial>;
beforeAll(async () => {
  const ca = await vectorCa();
  keys = {
    rsa: localMaterial({ ...(await sealCertificate(ca, { keyType: 'rsa' })), now }),
    ec: localMaterial({ ...(await sealCertificate(ca)), now }),
  };
});

const wish = fc.record({
  key: fc.constantFrom<'rsa' | 'ec'>('rsa', 'ec'),
  body: fc.uint8Array({ minLength: 1, maxLength: 50 }),
  preset: fc.constantFrom(...signingPresetNames),
  date: fc.boolean(),
  requestTarget: fc.boolean(),
  order: fc.constantFrom('listed', 'sorted'),
  algorithm: fc.constantFrom('SHA-256', 'SHA-512'),
  hash: fc.constantFrom('SHA-256', 'SHA-512'),
  serial: fc.constantFrom(...serialSpellings.filter((spelling) => spelling !== 'dec')),
  issuer: fc.constantFrom(...nameSpellings),
  signatureEncoding: fc.constantFrom('der', 'ieee-p1363'),
});

async function signed(given: typeof wish extends fc.Arbitrary<infer T> ? T : never) {
  const { key, body, preset, date, algorithm, serial, issuer, ...rest } = given;
  const { requestTarget, order, hash, signatureEncoding } = rest;
  const options = signingOptions({
    ...{ preset, requestTarget, order, hash, signatureEncoding },
    ...{ date: { sign: date }, digest: { algorithm }, keyId: { serial, issuer } },
  });
  const headers: [string, string][] = [
    ['X-Request-ID', '99391c7e-ad88-49ec-a2ad-99ddcb1f7721'],
    ['Date', 'Sun, 11 Aug 2019 15:02:37 GMT'],
    ['PSU-ID', 'PSU-1234'],
  ];
  const request = { method: 'POST', path: '/v1/consents?a=b', headers, body };
  const made = (await signRequest(request, options, keys[key]))!;
  const received = { ...request, headers: [...headers, ...made.headers] };
  return { received, key, given, header: made.headers.find(([name]) => name === 'Signature')![1] };
}

describe('a signature with any options', () => {
  test('verifies where it was signed, and the spelling of the keyId is shown', async () => {
    await fc.assert(
      fc.asyncProperty(wish, async (one) => {
        const { received, key, header } = await signed(one);
        const checks = checkSignature(received, readSignature(header), {
          certificate: keys[key].certificate,
          now,
        });
        for (const { name, ok, text } of checks) {
          if (name === 'headers')
            expect(ok).toBe(!/\(request-target\)|date/.test(readSignature(header).headers.join()));
          else expect({ name, ok, text }).toEqual({ name, ok: true, text });
        }
      }),
      { numRuns: runs(150) },
    );
  });

  test('does not verify any more with a changed body, header or target', async () => {
    await fc.assert(
      fc.asyncProperty(wish, fc.constantFrom('body', 'header', 'target'), async (one, what) => {
        const { received, key, header } = await signed({ ...one, requestTarget: true });
        if (what === 'body') received.body = Uint8Array.of(...received.body, 1);
        else if (what === 'target') received.path = '/v1/consents?a=c';
        else
          received.headers = received.headers.map(([name, value]) => [
            name,
            name === 'PSU-ID' ? 'PSU-2' : value,
          ]);
        const checks = checkSignature(received, readSignature(header), {
          certificate: keys[key].certificate,
          now,
        });
        const failed = checks.filter(({ ok, needed }) => !ok && needed).map(({ name }) => name);
        expect(failed).toContain(what === 'body' ? 'digest' : 'signature');
      }),
      { numRuns: 60 },
    );
  });
});
