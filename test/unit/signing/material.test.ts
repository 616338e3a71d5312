import { createPrivateKey, createPublicKey, generateKeyPairSync } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { Secret } from '../../../src/base/secret.ts';
import type { IssuedCertificate } from '../../../src/signing/certificate.ts';
import {
  checkSigningCertificate,
  localMaterial,
  readSigningCertificate,
} from '../../../src/signing/material.ts';
import { references } from '../../helpers/architecture/source.ts';
import { readFileSync } from 'node:fs';
import { notAfter, notBefore, now, sealCertificate, vectorCa } from './fixtures.ts';

let ca: IssuedCertificate;
let seal: IssuedCertificate;
let other: IssuedCertificate;
beforeAll(async () => {
  ca = await vectorCa();
  seal = await sealCertificate(ca);
  other = await sealCertificate(ca);
});

const bytes = Buffer.from('x');
const algorithm = { hash: 'SHA-256', encoding: 'der' } as const;

function encrypted(passphrase: string, format: 'pkcs8' | 'sec1' = 'pkcs8'): Secret {
  const key = createPrivateKey(seal.keyPem.reveal());
  return new Secret(
    key.export({ format: 'pem', type: format, cipher: 'aes-256-cbc', passphrase }).toString(),
  );
}

describe('localMaterial', () => {
  test('signs with the key and gives its certificate', async () => {
    const material = localMaterial({ ...seal, now });
    expect(material.certificate).toMatchObject({ keyType: 'ec', notBefore, notAfter });
    expect((await material.sign(algorithm, bytes)).length).toBeGreaterThan(60);
  });

  test.each([
    ['leaf first', () => seal.certificatePem + ca.certificatePem],
    ['authority first', () => ca.certificatePem + seal.certificatePem],
    ['with text between', () => `Bag Attributes\n${ca.certificatePem}subject=CN = x\n${seal.certificatePem}`],
    ['with CRLF and a byte order mark', () => `\ufeff${seal.certificatePem.replaceAll('\n', '\r\n')}`],
  ])('uses the leaf of a chain, %s', (_, chain) => {
    const { certificate } = localMaterial({ ...seal, certificatePem: chain(), now });
    expect(Buffer.from(certificate.der)).toEqual(
      Buffer.from(readSigningCertificate(seal.certificatePem).der),
    );
  });

  test.each(['pkcs8', 'sec1'] as const)('opens an encrypted %s key', async (format) => {
    const material = localMaterial({
      ...seal,
      keyPem: encrypted('geheim', format),
      passphrase: new Secret('geheim'),
      now,
    });
    expect((await material.sign(algorithm, bytes)).length).toBeGreaterThan(60);
  });

  test('accepts a passphrase for a key in the clear', () => {
    expect(() => localMaterial({ ...seal, passphrase: new Secret('x'), now })).not.toThrow();
  });

  const refused: [string, () => Partial<Parameters<typeof localMaterial>[0]>, string, RegExp][] = [
    ['another key', () => ({ keyPem: other.keyPem }), 'KEY_MISMATCH', /does not belong to the certificate/],
    ['a missing passphrase', () => ({ keyPem: encrypted('a') }), 'KEY_PASSPHRASE', /needs a passphrase/],
    [
      'a wrong passphrase',
      () => ({ keyPem: encrypted('a'), passphrase: new Secret('b') }),
      'KEY_PASSPHRASE',
      /cannot be decrypted/,
    ],
    [
      'a wrong passphrase of an old form',
      () => ({ keyPem: encrypted('a', 'sec1'), passphrase: new Secret('b') }),
      'KEY_PASSPHRASE',
      /cannot be decrypted/,
    ],
    ['no key', () => ({ keyPem: new Secret('') }), 'KEY_FILE', /not a private key/],
    [
      'a certificate as key',
      () => ({ keyPem: new Secret(seal.certificatePem) }),
      'KEY_FILE',
      /not a private key/,
    ],
    [
      'a cut key',
      () => ({ keyPem: new Secret(seal.keyPem.reveal().replace(/\n.{20}/, '\n')) }),
      'KEY_FILE',
      /cannot be read/,
    ],
    ['no certificate', () => ({ certificatePem: ' \n' }), 'CERTIFICATE_FILE', /not a certificate/],
    [
      'a key as certificate',
      () => ({ certificatePem: seal.keyPem.reveal() }),
      'CERTIFICATE_FILE',
      /not a certificate/,
    ],
    [
      'a cut certificate',
      () => ({ certificatePem: seal.certificatePem.replace(/\n.{20}/, '\n') }),
      'CERTIFICATE_FILE',
      /cannot be read/,
    ],
    [
      'an expired certificate',
      () => ({ now: new Date('2028-01-01T00:00:01Z') }),
      'CERTIFICATE_EXPIRED',
      /has expired/,
    ],
    [
      'one of the future',
      () => ({ now: new Date('2025-12-31T23:59:59Z') }),
      'CERTIFICATE_EXPIRED',
      /not valid yet/,
    ],
  ];
  test.each(refused)('refuses %s', (_, changes, code, title) => {
    const run = () => localMaterial({ ...seal, now, ...changes() });
    expect(run).toThrow(expect.objectContaining({ code, exit: 3, title: expect.stringMatching(title) }));
  });

  test('reports a wrong passphrase as such even where it decrypts into rubbish, 1 of 200', () => {
    const keyPem = encrypted('a', 'sec1');
    for (let index = 0; index < 600; index += 1) {
      const run = () => localMaterial({ ...seal, keyPem, passphrase: new Secret(`b${index}`), now });
      expect(run).toThrow(expect.objectContaining({ code: 'KEY_PASSPHRASE' }));
    }
  });

  test('names the files and the dates, and what to do', () => {
    const names = { certificate: 'seal.pem', key: 'seal.key' };
    const run = () => localMaterial({ ...seal, now: new Date('2030-05-01T00:00:00Z'), names });
    expect(run).toThrow(
      expect.objectContaining({
        detail:
          'seal.pem is valid from 2026-01-01T00:00:00.000Z to 2028-01-01T00:00:00.000Z; now it is 2030-05-01T00:00:00.000Z.',
        hint: [expect.stringContaining('obk profile edit')],
      }),
    );
  });

  test('accepts the first and the last second of the validity', () => {
    expect(() => localMaterial({ ...seal, now: notBefore })).not.toThrow();
    expect(() => localMaterial({ ...seal, now: notAfter })).not.toThrow();
  });

  test('refuses an RSA key of 1024 bits', async () => {
    const weak = await sealCertificate(ca, { keyType: 'rsa', rsaBits: 1024 });
    expect(() => localMaterial({ ...weak, now })).toThrow(
      expect.objectContaining({
        code: 'CERTIFICATE_WEAK',
        exit: 3,
        detail: expect.stringContaining('1024 bits'),
      }),
    );
  });

  test.each([
    ['secp224r1', false],
    ['secp256k1', false],
    ['prime256v1', true],
    ['secp384r1', true],
    ['secp521r1', true],
    ['brainpoolP256r1', true],
  ])('accepts or refuses a key on %s: %s', (namedCurve, taken) => {
    const { publicKey } = generateKeyPairSync('ec', { namedCurve });
    const certificate = {
      ...readSigningCertificate(seal.certificatePem),
      publicKey: createPublicKey(publicKey.export({ format: 'pem', type: 'spki' })),
    };
    const run = () => {
      checkSigningCertificate(certificate, now);
    };
    if (taken) expect(run).not.toThrow();
    else
      expect(run).toThrow(
        expect.objectContaining({ code: 'CERTIFICATE_WEAK', detail: expect.stringContaining(namedCurve) }),
      );
  });

  test('puts no part of the key or the passphrase into an error', () => {
    const keyPem = encrypted('hunter2');
    const lines = keyPem
      .reveal()
      .split('\n')
      .filter((line) => line.length > 20 && !line.startsWith('-'));
    for (const passphrase of [undefined, new Secret('hunter3')]) {
      try {
        localMaterial({ ...seal, keyPem, ...(passphrase ? { passphrase } : {}), now });
        expect.unreachable();
      } catch (error) {
        const { detail, hint, cause, message, stack } = error as Record<string, unknown>;
        const said = [detail, hint, message, stack, cause, (cause as Error | undefined)?.stack]
          .map(String)
          .join('\n');
        expect(said).not.toContain('hunter');
        for (const line of lines) expect(said).not.toContain(line);
      }
    }
  });
});

test('signing loads no package: only node:crypto and files of its own', () => {
  const seen = new Set<string>();
  const outside = new Set<string>();
  const follow = (path: string) => {
    if (seen.has(path)) return;
    seen.add(path);
    const text = readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8');
    for (const { specifier, typesOnly } of references({ path, text })) {
      if (typesOnly) continue;
      if (specifier.startsWith('.')) follow(new URL(specifier, `file:///${path}`).pathname.slice(1));
      else outside.add(specifier);
    }
  };
  for (const file of ['sign-request', 'material', 'options']) follow(`src/signing/${file}.ts`);
  expect([...outside].sort()).toEqual(['node:crypto', 'node:util']);
  expect([...seen]).toContain('src/signing/key-id.ts');
});
