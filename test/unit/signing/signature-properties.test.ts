import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import type { SigningMaterial } from '../../../src/signing/material.ts';
import { localMaterial } from '../../../src/signing/material.ts';
import { signingOptions } from '../../../src/signing/options.ts';
import { guidelines } from '../../../src/signing/presets.ts';
import { signRequest } from '../../../src/signing/sign-request.ts';
import { bankAccepts } from './bank-verifier.ts';
import { now, sealCertificate, vectorCa } from './fixtures.ts';

let rsa: SigningMaterial;
let ec: SigningMaterial;

beforeAll(async () => {
  const ca = await vectorCa();
  rsa = localMaterial({ ...(await sealCertificate(ca, { keyType: 'rsa' })), now });
  ec = localMaterial({ ...(await sealCertificate(ca, { keyType: 'ec' })), now });
});

describe('the signature of any request', () => {
  const value = fc
    .string({ unit: 'binary-ascii', maxLength: 40 })
    .map((text) => text.replace(/[^ -~]/g, '~'));
  const request = fc.record({
    method: fc.constantFrom('GET', 'POST', 'PUT', 'DELETE'),
    path: fc.webPath().map((path) => `/v1${path}`),
    id: fc.uuid(),
    psuId: fc.option(value, { nil: undefined }),
    corporateId: fc.option(value, { nil: undefined }),
    redirect: fc.option(fc.webUrl(), { nil: undefined }),
    body: fc.uint8Array({ maxLength: 300 }),
    key: fc.constantFrom<'rsa' | 'ec'>('rsa', 'ec'),
    order: fc.constantFrom<'listed' | 'sorted'>('listed', 'sorted'),
    requestTarget: fc.boolean(),
  });

  async function send(given: typeof request extends fc.Arbitrary<infer T> ? T : never) {
    const optional = [
      ['PSU-ID', given.psuId],
      ['PSU-Corporate-ID', given.corporateId],
      ['TPP-Redirect-URI', given.redirect],
    ].filter((pair): pair is [string, string] => pair[1] !== undefined);
    const headers: [string, string][] = [['X-Request-ID', given.id], ...optional];
    const { order, requestTarget, body, method, path } = given;
    const options = signingOptions({ order, requestTarget });
    const signed = (await signRequest(
      { method, path, headers, body },
      options,
      given.key === 'rsa' ? rsa : ec,
    ))!;
    return { sent: [...headers, ...signed.headers], target: `${method.toLowerCase()} ${path}`, optional };
  }

  test('is accepted by the bank', async () => {
    await fc.assert(
      fc.asyncProperty(request, async (given) => {
        const { sent, target } = await send(given);
        return bankAccepts(sent, given.body, target);
      }),
    );
  });

  test('is not accepted with anything changed on the way', async () => {
    await fc.assert(
      fc.asyncProperty(request, fc.nat(), async (given, at) => {
        const { sent, target, optional } = await send(given);
        const signedNames = ['X-Request-ID', ...optional.map(([name]) => name)];
        const victim = signedNames[at % signedNames.length]!;
        const changed = sent.map(([name, text]): [string, string] => {
          if (name !== victim) return [name, text];
          const trimmed = text.trim();
          const place = at % (trimmed.length + 1);
          return [name, `${trimmed.slice(0, place)}!${trimmed.slice(place)}`];
        });
        expect(bankAccepts(changed, given.body, target)).toBe(false);
        expect(bankAccepts(sent, Buffer.concat([given.body, Buffer.of(at % 256)]), target)).toBe(false);
        expect(bankAccepts(sent, given.body, `${target}x`)).toBe(!given.requestTarget);
        if (given.body.length === 0) return;
        const body = Uint8Array.from(given.body);
        body[at % body.length]! ^= 1 + (at % 255);
        expect(bankAccepts(sent, body, target)).toBe(false);
      }),
    );
  });

  test('is made for itself, also with many at once', async () => {
    const plain = { method: 'GET', path: '/v1/accounts', headers: [['X-Request-ID', '7']] as const };
    const inputs = Array.from({ length: 50 }, (_, index) => ({
      ...plain,
      body: Buffer.from(String(index)),
    }));
    const all = await Promise.all(inputs.map((input) => signRequest(input, guidelines, rsa)));
    for (const [index, signed] of all.entries()) {
      expect(bankAccepts([...plain.headers, ...signed!.headers], Buffer.from(String(index)))).toBe(true);
    }
    expect(new Set(all.map((signed) => signed!.signature)).size).toBe(50);
  });
});
