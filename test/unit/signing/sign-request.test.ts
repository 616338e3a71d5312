import { constants, createHash, publicDecrypt, X509Certificate } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import type { IssuedCertificate } from '../../../src/signing/certificate.ts';
import { createTestCa } from '../../../src/signing/certificate.ts';
import type { SigningMaterial } from '../../../src/signing/material.ts';
import { localMaterial } from '../../../src/signing/material.ts';
import { signingOptions } from '../../../src/signing/options.ts';
import { guidelines } from '../../../src/signing/presets.ts';
import type { SigningInput } from '../../../src/signing/sign-request.ts';
import type { HeaderPairs } from '../../../src/signing/sign-request.ts';
import { signingString, signRequest } from '../../../src/signing/sign-request.ts';
import { bankAccepts } from './bank-verifier.ts';
import { hasOpenssl, notAfter, notBefore, now, openssl, sealCertificate, vectorCa } from './fixtures.ts';
import type { CertificateHeader } from '../../../src/signing/signing-options.ts';

let rsa: SigningMaterial;
let ec: SigningMaterial;
let rsaPem: string;
let ecPem: string;
let ca: IssuedCertificate;

beforeAll(async () => {
  ca = await vectorCa();
  const made = await sealCertificate(ca, { keyType: 'rsa' });
  const other = await sealCertificate(ca, { keyType: 'ec' });
  rsaPem = made.certificatePem;
  ecPem = other.certificatePem;
  rsa = localMaterial({ ...made, now });
  ec = localMaterial({ ...other, now });
});

const vectorBody = Buffer.from(
  '{"instructedAmount":{"currency":"EUR","amount":"123.50"},"debtorAccount":{"iban":"DE40100100103307118608"},' +
    '"creditorName":"Merchant123","creditorAccount":{"iban":"DE02100100109307118603"},' +
    '"remittanceInformationUnstructured":"Ref Number Merchant"}',
);

const vector: SigningInput = {
  method: 'POST',
  path: '/v1/payments/sepa-credit-transfers',
  headers: [
    ['X-Request-ID', '99391c7e-ad88-49ec-a2ad-99ddcb1f7721'],
    ['PSU-IP-Address', '192.168.8.78'],
    ['TPP-Redirect-URI', 'https://tpp.example.com/cb'],
    ['PSU-ID', 'PSU-1234'],
    ['Date', 'Sun, 11 Aug 2019 15:02:37 GMT'],
  ],
  body: vectorBody,
};

const vectorString = `digest: SHA-256=MBFI05bKI7Txt41Y2NKNLhqfV4oGpBjZUMQGS+ti/DA=
x-request-id: 99391c7e-ad88-49ec-a2ad-99ddcb1f7721
psu-id: PSU-1234
tpp-redirect-uri: https://tpp.example.com/cb`;

function failure(title: string | RegExp) {
  return expect.objectContaining({ code: 'SIGNING_FAILED', exit: 3, title: expect.stringMatching(title) });
}

describe('the vector of a signature', () => {
  test('has 246 bytes', () => {
    expect(vectorBody.length).toBe(246);
  });

  test('gives the signing string and the three headers', async () => {
    const signed = (await signRequest(vector, guidelines, rsa))!;
    expect(signed.signingString).toBe(vectorString);
    expect(signed.headers.map(([name]) => name)).toEqual([
      'Digest',
      'Signature',
      'TPP-Signature-Certificate',
    ]);
    expect(signed.headers[0]![1]).toBe('SHA-256=MBFI05bKI7Txt41Y2NKNLhqfV4oGpBjZUMQGS+ti/DA=');
    expect(signed.headers[1]![1]).toBe(
      'keyId="SN=a1b2c3d4e,CA=CN=Test%20QTSP%20CA%201,2.5.4.97=#0c0f56415444452d313233343536373839,' +
        'O=Test%20Bank%20Trust%20GmbH,C=DE",algorithm="rsa-sha256",' +
        `headers="digest x-request-id psu-id tpp-redirect-uri",signature="${signed.signature}"`,
    );
    expect(signed.headers[2]![1]).toBe(new X509Certificate(rsaPem).raw.toString('base64'));
  });

  test('is PKCS #1 v1.5 over SHA-256 of exactly these 4 lines', async () => {
    const { signature } = (await signRequest(vector, guidelines, rsa))!;
    const inner = publicDecrypt(
      { key: new X509Certificate(rsaPem).publicKey, padding: constants.RSA_PKCS1_PADDING },
      Buffer.from(signature, 'base64'),
    );
    const hash = createHash('sha256').update(vectorString).digest('hex');
    expect(inner.toString('hex')).toBe(`3031300d060960864801650304020105000420${hash}`);
  });

  test.skipIf(!hasOpenssl).each(['rsa', 'ec'] as const)(
    'is verified by openssl with an %s key',
    async (type) => {
      const pem = type === 'rsa' ? rsaPem : ecPem;
      const signed = (await signRequest(vector, guidelines, type === 'rsa' ? rsa : ec))!;
      const files = {
        'key.pem': new X509Certificate(pem).publicKey.export({ format: 'pem', type: 'spki' }),
        signature: Buffer.from(signed.signature, 'base64'),
        text: vectorString,
      };
      const said = openssl(
        ['dgst', '-sha256', '-verify', '@key.pem', '-signature', '@signature', '@text'],
        files,
      );
      expect(said).toBe('Verified OK\n');
    },
  );
});

describe('a signature by key and hash', () => {
  const cases = (['rsa', 'ec'] as const).flatMap((key) =>
    (['SHA-256', 'SHA-512'] as const).flatMap((hash) =>
      (['SHA-256', 'SHA-512'] as const).map((digest) => ({ key, hash, digest })),
    ),
  );
  test.each(cases)(
    'verifies with a $key key, signature $hash, digest $digest',
    async ({ key, hash, digest }) => {
      const options = { ...guidelines, hash, digest: { ...guidelines.digest, algorithm: digest } };
      const signed = (await signRequest(vector, options, key === 'rsa' ? rsa : ec))!;
      expect(signed.algorithm).toBe(
        `${key === 'rsa' ? 'rsa' : 'ecdsa'}-${hash.toLowerCase().replace('-', '')}`,
      );
      expect(signed.digest).toMatch(new RegExp(`^${digest}=`));
      expect(bankAccepts([...vector.headers, ...signed.headers], vectorBody)).toBe(true);
    },
  );

  test('is DER by default with an EC key and 64 bytes as ieee-p1363', async () => {
    const der = Buffer.from((await signRequest(vector, guidelines, ec))!.signature, 'base64');
    expect(der[0]).toBe(0x30);
    const signed = (await signRequest(vector, { ...guidelines, signatureEncoding: 'ieee-p1363' }, ec))!;
    expect(Buffer.from(signed.signature, 'base64').length).toBe(64);
    expect(bankAccepts([...vector.headers, ...signed.headers], vectorBody, '', true)).toBe(true);
    expect(bankAccepts([...vector.headers, ...signed.headers], vectorBody)).toBe(false);
  });
});

describe('a signed request', () => {
  const id: [string, string] = ['x-request-id', '7'];
  const get: SigningInput = {
    method: 'GET',
    path: '/v1/accounts?withBalance=true',
    headers: [id],
    body: Buffer.of(),
  };
  const withAll: HeaderPairs = [id, ['Date', 'd'], ['PSU-Corporate-ID', 'c'], ['Consent-ID', 'x']];
  const empty = '47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=';

  test.each([
    ['a bodyless request', {}, [id], `digest: SHA-256=${empty}\nx-request-id: 7`],
    [
      'only what the guidelines list',
      {},
      withAll,
      `digest: SHA-256=${empty}\nx-request-id: 7\npsu-corporate-id: c`,
    ],
    [
      'date on demand, at the end',
      { date: { sign: true } },
      withAll,
      `digest: SHA-256=${empty}\nx-request-id: 7\npsu-corporate-id: c\ndate: d`,
    ],
    [
      'date where it is listed',
      { headers: ['date', 'digest'], date: { sign: true } },
      withAll,
      `date: d\ndigest: SHA-256=${empty}`,
    ],
    [
      'the request target at the start',
      { headers: ['digest'], requestTarget: true },
      [id],
      `(request-target): get /v1/accounts?withBalance=true\ndigest: SHA-256=${empty}`,
    ],
    [
      'the request target where it is listed',
      { headers: ['digest', '(request-target)'], requestTarget: true },
      [id],
      `digest: SHA-256=${empty}\n(request-target): get /v1/accounts?withBalance=true`,
    ],
    [
      'sorted by name',
      { order: 'sorted', date: { sign: true } },
      withAll,
      `date: d\ndigest: SHA-256=${empty}\npsu-corporate-id: c\nx-request-id: 7`,
    ],
    [
      'no digest of no body where the bank wants none',
      { digest: { emptyBody: 'omit' } },
      [id],
      'x-request-id: 7',
    ],
    [
      'a value without its outer blanks',
      { headers: ['x-request-id'] },
      [['X-REQUEST-ID', '  7 7\t']],
      'x-request-id: 7 7',
    ],
    [
      'several values joined',
      { headers: ['a'] },
      [
        ['a', '1'],
        ['b', '2'],
        ['A', '3'],
      ],
      'a: 1, 3',
    ],
    ['an empty value', { headers: ['a'] }, [['a', '']], 'a: '],
  ] as const)('has the signing string of %s', async (_, options, headers, expected) => {
    const signed = (await signRequest({ ...get, headers }, signingOptions(options), ec))!;
    expect(signed.signingString).toBe(expected);
    expect(signed.headers.find(([name]) => name === 'Signature')![1]).toContain(
      `headers="${expected
        .split('\n')
        .map((line) => line.slice(0, line.indexOf(':', 1)))
        .join(' ')}"`,
    );
    expect(signed.headers.some(([name]) => name === 'Digest')).toBe(signed.digest !== undefined);
  });

  test('gets nothing added in mode none', async () => {
    expect(await signRequest(get, signingOptions({ mode: 'none' }), ec)).toBeUndefined();
  });

  test.each([
    ['a header that is missing', [], 'The header x-request-id is to be signed and is missing.'],
    ['a header beyond ASCII', [['x-request-id', 'é']], 'The header x-request-id cannot be signed.'],
    ['a header with a line end', [['x-request-id', 'a\r\nb']], 'The header x-request-id cannot be signed.'],
    ['a header that is made here', [id, ['digest', 'x']], 'The request already has the header digest.'],
  ] as const)('is refused with %s', async (_, headers, title) => {
    await expect(signRequest({ ...get, headers }, guidelines, ec)).rejects.toEqual(failure(title));
  });

  test('has a signing string without a newline at its end', () => {
    expect(
      signingString(
        ['a', 'b'],
        [
          ['B', '2'],
          ['A', '1'],
        ],
      ),
    ).toBe('a: 1\nb: 2');
  });
});

describe("a signature header in the bank's form", () => {
  const header = async (name: string, options: object, material = rsa) =>
    (await signRequest(vector, signingOptions(options), material))!.headers.find(
      ([other]) => other === name,
    )?.[1];
  const base64 = () => new X509Certificate(rsaPem).raw.toString('base64');

  const forms: [CertificateHeader, () => string | undefined][] = [
    ['bare', () => base64()],
    ['pemOneLine', () => `-----BEGIN CERTIFICATE-----${base64()}-----END CERTIFICATE-----`],
    ['pemUrlEncoded', () => encodeURIComponent(new X509Certificate(rsaPem).toString())],
    ['base64-of-pem', () => Buffer.from(new X509Certificate(rsaPem).toString()).toString('base64')],
    ['none', () => undefined],
  ];
  test.each(forms)('has the certificate as %s', async (certificateHeader, expected) => {
    expect(await header('TPP-Signature-Certificate', { certificateHeader })).toBe(expected());
  });

  test('has the algorithm under another label', async () => {
    expect(await header('Signature', { algorithmLabel: 'SHA256withRSA' })).toContain(
      ',algorithm="SHA256withRSA",',
    );
  });

  const awkward = async () => {
    const subject = [['O', 'A "B" Ü']] as const;
    return localMaterial({ ...(await createTestCa({ notBefore, notAfter, subject, serial: '01' })), now });
  };
  test.each([
    ['rfc2253', 'SN=1,CA=O=A \\"B\\" \\C3\\9C'],
    ['rfc2253-%20', 'SN=1,CA=O=A%20\\"B\\"%20%C3%9C'],
  ])('has a quote and an umlaut in the issuer as %s', async (issuer, expected) => {
    expect(await header('Signature', { keyId: { issuer } }, await awkward())).toContain(
      `keyId="${expected}",`,
    );
  });
  test('is refused with an umlaut as java-tostring', async () => {
    const run = header('Signature', { keyId: { issuer: 'java-tostring' } }, await awkward());
    await expect(run).rejects.toEqual(failure('The keyId cannot be written in a header.'));
  });
});

describe('a signer that is wrong', () => {
  const mismatch = 'The signature does not fit the certificate.';
  test.each([
    ['another key', () => ({ ...ec, certificate: rsa.certificate }), mismatch],
    ['another certificate', () => ({ ...rsa, certificate: ec.certificate }), mismatch],
    [
      'another hash',
      () => ({
        ...rsa,
        sign: (a: object, b: Uint8Array) => rsa.sign({ ...a, hash: 'SHA-512', encoding: 'der' }, b),
      }),
      mismatch,
    ],
    [
      'another encoding',
      () => ({
        ...ec,
        sign: (_: object, b: Uint8Array) => ec.sign({ hash: 'SHA-256', encoding: 'ieee-p1363' }, b),
      }),
      mismatch,
    ],
    [
      'other bytes',
      () => ({ ...rsa, sign: (a: never, b: Uint8Array) => rsa.sign(a, b.subarray(1)) }),
      mismatch,
    ],
    ['nothing', () => ({ ...rsa, sign: async () => new Uint8Array() }), mismatch],
    ['rubbish', () => ({ ...ec, sign: async () => Buffer.from('rubbish') }), mismatch],
    [
      'an error',
      () => ({ ...rsa, sign: async () => Promise.reject(new Error('no token')) }),
      'Signing failed.',
    ],
  ] as [string, () => SigningMaterial, string][])(
    'is refused before anything is sent: %s',
    async (_, material, title) => {
      await expect(signRequest(vector, guidelines, material())).rejects.toEqual(failure(title));
    },
  );

  test('is refused as a key in memory, too, where other options than its own are requested', async () => {
    const sign = (algorithm: { hash: string }, bytes: Uint8Array) =>
      algorithm.hash === 'SHA-256'
        ? rsa.sign({ hash: 'SHA-256', encoding: 'der' }, bytes)
        : Promise.resolve(bytes);
    const material: SigningMaterial = { ...rsa, isLocal: true, sign };
    await expect(signRequest(vector, guidelines, material)).resolves.toBeDefined();
    await expect(signRequest(vector, { ...guidelines, hash: 'SHA-512' }, material)).rejects.toEqual(
      failure(mismatch),
    );
  });

  test('is refused also where a signer outside has signed rightly before', async () => {
    const { isLocal: _, ...outside } = rsa;
    let bytes = (given: Uint8Array) => given;
    const turning: SigningMaterial = { ...outside, sign: (how, given) => rsa.sign(how, bytes(given)) };
    await expect(signRequest(vector, guidelines, turning)).resolves.toBeDefined();
    bytes = (given) => given.subarray(1);
    await expect(signRequest(vector, guidelines, turning)).rejects.toEqual(failure(mismatch));
  });
});
