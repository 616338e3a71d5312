import { createSign, X509Certificate } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import type { IssuedCertificate } from '../../../../../src/signing/certificate.ts';
import { presets } from '../../../../../src/standard/xs2a/variants.ts';
import { fakeClock, memoryFiles, memoryStore } from '../../../../helpers/fakes/index.ts';
import { program } from '../../../../helpers/program.ts';
import { now, sealCertificate, vectorCa } from '../../../signing/fixtures.ts';
import { make } from '../../../signing/shaped.ts';

let seal: IssuedCertificate;
let good: string;
beforeAll(async () => {
  seal = await sealCertificate(await vectorCa());
  const digest = 'SHA-256=47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=';
  const text = `digest: ${digest}\nx-request-id: 99391c7e-ad88-49ec-a2ad-99ddcb1f7721`;
  const signature = createSign('sha256').update(text).sign(seal.keyPem.reveal(), 'base64');
  good = [
    'GET /v1/accounts HTTP/1.1',
    'X-Request-ID: 99391c7e-ad88-49ec-a2ad-99ddcb1f7721',
    `Digest: ${digest}`,
    `Signature: keyId="SN=a1b2c3d4e,CA=CN=Test QTSP CA 1,2.5.4.97=VATDE-123456789,O=Test Bank Trust GmbH,C=DE",algorithm="ecdsa-sha256",headers="digest x-request-id",signature="${signature}"`,
    '\r\n',
  ].join('\r\n');
});

const sign = (line: string, request: string, ports: object = {}) =>
  program(`sign ${line} --certificate seal.pem`, {
    ports: {
      ...ports,
      files: memoryFiles({ 'r.http': request, 'seal.pem': seal.certificatePem }),
      clock: fakeClock({ at: now.toISOString() }),
    },
  });

describe('obk sign', () => {
  it('verify ends with 0 or 10, its document on stdout', async () => {
    const right = await sign('verify r.http --json', good);
    expect({
      code: right.code,
      verified: (JSON.parse(right.stdout) as { verified: boolean }).verified,
    }).toEqual({
      code: 0,
      verified: true,
    });
    const wrong = await sign('verify r.http', good.replace('7721', '7722'));
    expect(wrong.code).toBe(10);
    expect(wrong.stdout).toContain('does not verify');
    expect(wrong.stdout).toContain('No known variant fits');
  });

  it('explain shows line ends, and ends with 0 either way', async () => {
    const hostile = good.replace('7721', '7722').replace('O=Test', 'O=\u001b[31mTest');
    const seen = await sign('explain r.http', hostile);
    expect(seen.code).toBe(0);
    expect(seen.stdout).toContain(
      '  digest: SHA-256=47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=␊\n  x-request-id: ',
    );
    expect(seen.stdout).toContain('Digest input: 0 bytes');
    expect(seen.stdout).not.toContain('\u001b[31m');
  });

  it.each([
    ['named, its own', 'client-1', 'active', 'verify r.http --profile own', 0],
    ['active, its own', 'client-1', 'own', 'verify r.http', 0],
    ['active, that of the guidelines', undefined, 'own', 'verify r.http', 0],
    ['named, that of the guidelines', undefined, 'active', 'verify r.http --profile own', 10],
    ['another one, that of nobody', 'client-1', 'active', 'verify r.http', 10],
  ])('knows the keyId of a profile: %s', async (_, keyId, activeProfile, line, code) => {
    const store = memoryStore();
    const profile = { environment: 'test', baseUrl: 'https://bank.example', ...presets.v1 } as const;
    await store.settings.update((before) => ({
      ...before,
      activeProfile,
      profiles: { active: profile, own: { ...profile, signing: { keyId: { template: 'client-1' } } } },
    }));
    const request = keyId === undefined ? good : good.replace(/keyId="[^"]*"/, `keyId="${keyId}"`);
    const seen = await sign(line, request, store);
    expect(seen.code, seen.stdout + seen.stderr).toBe(code);
  });

  it.each([
    ['a QWAC in place of a QSealC', 'qwac', 'bare', 'one for TLS (QWAC)'],
    [
      'PEM on one line',
      'qsealc',
      'pem',
      'TPP-Signature-Certificate is PEM, and the guidelines want its base64 alone',
    ],
    ['the QSealC in base64', 'qsealc', 'bare', undefined],
  ] as const)(
    'a certificate that verifies is judged by what it is for and how it is sent: %s',
    async (_, as, form, told) => {
      const { pem, keyPem } = make(as);
      const digest = 'SHA-256=47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=';
      const id = '99391c7e-ad88-49ec-a2ad-99ddcb1f7721';
      const text = `digest: ${digest}\nx-request-id: ${id}`;
      const signature = createSign('sha256').update(text).sign(keyPem, 'base64');
      const { serialNumber, raw } = new X509Certificate(pem);
      const base64 = raw.toString('base64');
      const request = [
        'GET /v1/accounts HTTP/1.1',
        `X-Request-ID: ${id}`,
        `Digest: ${digest}`,
        `TPP-Signature-Certificate: ${form === 'pem' ? `-----BEGIN CERTIFICATE-----${base64}-----END CERTIFICATE-----` : base64}`,
        `Signature: keyId="SN=${serialNumber},CA=CN=Issuing CA",algorithm="ecdsa-sha256",headers="digest x-request-id",signature="${signature}"`,
        '\r\n',
      ].join('\r\n');
      const files = memoryFiles({ 'r.http': request });
      const { stdout } = await program('sign verify r.http --json', {
        ports: { files, clock: fakeClock({ at: now.toISOString() }) },
      });
      const { checks } = JSON.parse(stdout) as { checks: { name: string; ok: boolean; text: string }[] };
      const warned = checks
        .filter(({ name, ok }) => name === 'certificate' && !ok)
        .map((check) => check.text);
      expect(warned.join(' ')).toEqual(told === undefined ? '' : expect.stringContaining(told));
    },
  );

  it('what is neither file nor in the journal is told so', async () => {
    for (const source of ['nowhere.http', 'abcdef12', '@last']) {
      const seen = await program(`sign verify ${source}`);
      expect({ source, code: seen.code }).toEqual({ source, code: 2 });
    }
  });
});
