import { constants, createHash, createPrivateKey, sign } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { curlCommand } from '../../../../src/client/evidence/write-curl.ts';
import { explainSignature } from '../../../../src/client/evidence/explain-signature.ts';
import { harOf } from '../../../../src/client/evidence/har.ts';
import type { Ports } from '../../../../src/client/ports.ts';
import type { IssuedCertificate } from '../../../../src/signing/certificate.ts';
import { localMaterial } from '../../../../src/signing/material.ts';
import { digestVariants } from '../../../../src/signing/signature-variants.ts';
import { guidelines } from '../../../../src/signing/presets.ts';
import { signRequest } from '../../../../src/signing/sign-request.ts';
import { memoryFiles } from '../../../helpers/fakes/index.ts';
import { world } from '../../../helpers/world.ts';
import { notAfter, notBefore, now, sealCertificate, vectorCa } from '../../signing/fixtures.ts';

let seals: Record<'rsa' | 'ec', IssuedCertificate>;
let ports: Ports;
beforeAll(async () => {
  const ca = await vectorCa();
  seals = { rsa: await sealCertificate(ca, { keyType: 'rsa' }), ec: await sealCertificate(ca) };
  ({ ports } = (await world()).target);
});

const body = '{"amount":"12.50",\r\n "name":"Zoë"}';
const path = '/v1/payments/sepa-credit-transfers?a=b%20c';
const pairs: [string, string][] = [
  ['X-Request-ID', '99391c7e-ad88-49ec-a2ad-99ddcb1f7721'],
  ['Date', 'Sun, 11 Aug 2019 15:02:37 GMT'],
  ['PSU-ID', 'PSU-1234'],
  ['Content-Type', 'application/json'],
];

/** How a peer signs, written with nothing of ours; what it does otherwise than the standard is in `fault`. */
interface Fault {
  names?: string[];
  line?: (name: string, value: string) => string;
  join?: (lines: string[]) => string;
  digestOf?: string | Buffer;
  digest?: string;
  hash?: string;
  pss?: boolean;
  p1363?: boolean;
  prehash?: boolean;
  signedDigest?: string;
  listed?: string[];
  target?: string;
  sent?: string;
}

function peer(fault: Fault = {}, keyType: 'rsa' | 'ec' = 'rsa', sent = body): string {
  const { certificatePem, keyPem } = seals[keyType];
  const hashed = createHash('sha256')
    .update(fault.digestOf ?? sent)
    .digest('base64');
  const digest = fault.digest ?? `SHA-256=${hashed}`;
  const all: [string, string][] = [['Digest', digest], ...pairs];
  const names = fault.names ?? ['digest', 'x-request-id', 'psu-id'];
  const value = (name: string) =>
    name === '(request-target)'
      ? (fault.target ?? `post ${path}`)
      : name === 'digest' && fault.signedDigest !== undefined
        ? fault.signedDigest
        : all.find(([other]) => other.toLowerCase() === name)![1];
  const line = fault.line ?? ((name, text) => `${name}: ${text}`);
  const text = (fault.join ?? ((lines) => lines.join('\n')))(names.map((name) => line(name, value(name))));
  const hash = fault.hash ?? 'sha256';
  const bytes = fault.prehash === true ? createHash(hash).update(text).digest() : Buffer.from(text);
  const key = {
    key: createPrivateKey(keyPem.reveal()),
    ...(fault.pss === true ? { padding: constants.RSA_PKCS1_PSS_PADDING } : {}),
    dsaEncoding: fault.p1363 === true ? 'ieee-p1363' : 'der',
  } as const;
  const signature = sign(hash, bytes, key).toString('base64');
  const list = (fault.listed ?? names).join(' ');
  const certificate = certificatePem.replace(/-----[^-]+-----|\s/g, '');
  const keyId =
    'SN=a1b2c3d4e,CA=CN=Test QTSP CA 1,2.5.4.97=#0c0f56415444452d313233343536373839,O=Test Bank Trust GmbH,C=DE';
  return [
    `POST ${path} HTTP/1.1`,
    'Host: bank.example',
    ...all.map(([name, text]) => `${name}: ${text}`),
    `Signature: keyId="${keyId}",algorithm="${keyType === 'rsa' ? 'rsa' : 'ecdsa'}-sha256",headers="${list}",signature="${signature}"`,
    `TPP-Signature-Certificate: ${certificate}`,
    `Content-Length: ${Buffer.byteLength(sent)}`,
    '',
    fault.sent ?? sent,
  ].join('\r\n');
}

const clock = { now: () => now } as Ports['clock'];
const explain = (content: string, options: { certificate?: string; entry?: number } = {}) => {
  const files = memoryFiles({ r: content, './seal.pem': seals.ec.certificatePem });
  return explainSignature({ ...ports, files, clock }, './r', options);
};

describe('a request that a peer signed by the standard', () => {
  it.each(['rsa', 'ec'] as const)('verifies, with each part shown (%s)', async (keyType) => {
    const report = await explain(peer({}, keyType));
    expect(report.verified).toBe(true);
    expect(report.checks.every(({ ok }) => ok)).toBe(true);
    expect(report.explanations).toEqual([]);
    expect(report.digest).toMatchObject({
      sent: report.digest.computed,
      bytes: Buffer.byteLength(body),
      hex: Buffer.from(body).toString('hex'),
      text: '{"amount":"12.50",␍␊\n "name":"Zoë"}',
    });
    expect(report.signingString).toBe(
      `digest: ${report.digest.sent!}\nx-request-id: 99391c7e-ad88-49ec-a2ad-99ddcb1f7721\npsu-id: PSU-1234`,
    );
    expect(report.checks.find(({ name }) => name === 'key-id')!.text).toContain(
      'serial=hex, signing.keyId.issuer=rfc2253.',
    );
  });

  it('does not verify with another certificate', async () => {
    const report = await explain(peer(), { certificate: './seal.pem' });
    expect(report.verified).toBe(false);
    expect(report.certificate.from).toBe('./seal.pem');
    expect(report.explanations).toEqual([]);
  });
});

const compact = JSON.stringify(JSON.parse(body));
describe('a mistake of a peer', () => {
  it('is reported once, though several mistakes come to the same text', () => {
    const found = digestVariants(`SHA-256=${createHash('sha256').update('').digest('hex')}`, Buffer.of());
    expect(found).toHaveLength(1);
  });

  it.each<[string, Fault, RegExp, ('rsa' | 'ec')?, string?]>([
    [
      'LF for CRLF',
      { digestOf: body.replace('\r', '') },
      /^The Digest is that of: sha256 of the body with LF line ends\.$/,
    ],
    [
      'JSON written anew',
      { digestOf: compact },
      /^The Digest is that of: .*the JSON written anew without blanks\.$/,
    ],
    ['a line end after the body', { digestOf: `${body}\n` }, /the body and a line end \(LF\)/],
    ['ISO 8859-1', { digestOf: Buffer.from(body, 'latin1') }, /ISO 8859-1/],
    ['{} for no body', { digestOf: '{}' }, /\{\} in place of the body/, 'rsa', ''],
    [
      'SHA-512',
      { digest: `SHA-256=${createHash('sha512').update(body).digest('base64')}` },
      /sha512 of the body/,
    ],
    [
      'hex',
      { digest: `SHA-256=${createHash('sha256').update(body).digest('hex')}` },
      /sha256 in hex of the body/,
    ],
    [
      'a line end at the end',
      { join: (lines) => `${lines.join('\n')}\n` },
      /^The signature fits with a line end \(LF\) after/,
    ],
    [
      'a line end at the beginning',
      { join: (lines) => `\n${lines.join('\n')}` },
      /^The signature fits a signing string that begins with a line end\.$/,
    ],
    [
      'a line end at the beginning (CRLF)',
      { join: (lines) => `\r\n${lines.join('\n')}` },
      /^The signature fits a signing string that begins with a line end \(CRLF\)\.$/,
    ],
    [
      'a line end at both ends',
      { join: (lines) => `\n${lines.join('\n')}\n` },
      /begins with a line end, and a line end \(LF\) after the last line\.$/,
    ],
    [
      'the full URL as target',
      { names: ['(request-target)', 'digest'], target: `post https://bank.example${path}` },
      /^The signature fits with the full URL \(https\) as the target\.$/,
    ],
    ['CRLF between lines', { join: (lines) => lines.join('\r\n') }, /lines ended by CRLF/],
    ['no blank', { line: (name, value) => `${name}:${value}` }, /no blank after the colon/],
    [
      'names as sent',
      {
        line: (name, value) => `${pairs.find(([n]) => n.toLowerCase() === name)?.[0] ?? 'Digest'}: ${value}`,
      },
      /names as they were sent/,
    ],
    [
      'sorted',
      { names: ['digest', 'psu-id', 'x-request-id'], listed: ['x-request-id', 'psu-id', 'digest'] },
      /names sorted/,
    ],
    [
      'request target',
      { names: ['(request-target)', 'digest', 'x-request-id'], listed: ['digest', 'x-request-id'] },
      /\(request-target\) signed first though not listed/,
    ],
    [
      'date',
      { names: ['digest', 'x-request-id', 'date'], listed: ['digest', 'x-request-id'] },
      /date signed last though not listed/,
    ],
    [
      'one left out',
      { names: ['digest', 'x-request-id'], listed: ['digest', 'x-request-id', 'psu-id'] },
      /psu-id listed but not signed/,
    ],
    [
      'target without query',
      { names: ['(request-target)', 'digest'], target: 'post /v1/payments/sepa-credit-transfers' },
      /path without its query/,
    ],
    ['SHA-512 in the signature', { hash: 'sha512' }, /the hash sha512/],
    ['PSS', { pss: true }, /RSA-PSS/],
    ['hashed twice', { prehash: true }, /the hash of the signing string signed/],
    [
      'digest without name',
      { signedDigest: createHash('sha256').update(body).digest('base64') },
      /digest without its algorithm/,
    ],
    [
      'another digest signed',
      { signedDigest: `SHA-256=${createHash('sha256').update(compact).digest('base64')}` },
      /digest SHA-256 of the JSON written anew/,
    ],
    [
      'two at once',
      { hash: 'sha512', join: (lines) => `${lines.join('\n')}\n` },
      /a line end \(LF\) after the last line, and the hash sha512/,
    ],
  ])('is explained: %s', async (_, fault, found, keyType = 'rsa', sent = body) => {
    const report = await explain(peer(fault, keyType, sent));
    expect(report.verified).toBe(false);
    expect(report.explanations[0]).toMatch(found);
  });

  /** The request with its signature written otherwise. */
  const rewritten = (request: string, how: (base64: string) => string) =>
    request.replace(/(,signature=")([^"]*)/, (_, before: string, base64: string) => before + how(base64));
  const url = (base64: string) => base64.replaceAll('+', '-').replaceAll('/', '_');
  const wrapped = (base64: string) => base64.replace(/.{64}/g, '$& ');
  const bare = (base64: string) => base64.replace(/=+$/, '');

  it.each<[string, ((base64: string) => string)[], string]>([
    ['on several lines', [wrapped], 'is on one line'],
    ['with tabs', [(base64) => base64.replace(/.{76}/g, '$&\t')], 'is on one line'],
    ['with line ends as escapes', [(base64) => base64.replace(/.{76}/g, '$&\\n')], 'is on one line'],
    ['URL-safe', [url], 'is in the standard alphabet'],
    ['without padding', [bare], 'has its padding (=)'],
    ['percent-encoded', [encodeURIComponent], 'is not percent-encoded'],
    ['URL-safe, wrapped', [url, wrapped], 'is on one line and is in the standard alphabet'],
  ])('is explained only by its base64: %s', async (_, ways, mend) => {
    for (const type of ['rsa', 'ec'] as const) {
      // A signature may have none of the characters that a rewriting changes: sign until each changes it.
      const changed = (request: string) => ways.every((way) => rewritten(request, way) !== request);
      let request = peer({}, type);
      for (let turn = 0; !changed(request) && turn < 40; turn += 1) request = peer({}, type);
      if (!changed(request)) continue;
      const report = await explain(ways.reduce(rewritten, request));
      expect(report.verified).toBe(false);
      expect(report.explanations).toEqual([`The signature fits once the base64 ${mend}.`]);
    }
  });

  it('is not seen in a date that is signed last where it is listed last', async () => {
    const names = ['digest', 'x-request-id', 'date'];
    const report = await explain(rewritten(peer({ names }), wrapped));
    expect(report.explanations).toEqual(['The signature fits once the base64 is on one line.']);
  });

  it('is reported beside a second one, the base64 last', async () => {
    const request = peer({ join: (lines) => `\n${lines.join('\n')}` });
    expect((await explain(rewritten(request, wrapped))).explanations).toEqual([
      'The signature fits a signing string that begins with a line end, once the base64 is on one line.',
    ]);
  });

  it('is not seen in the full URL of a request line, which is read as its path', async () => {
    const request = peer({ names: ['(request-target)', 'digest', 'x-request-id', 'psu-id'] });
    const report = await explain(request.replace('POST /', 'POST https://bank.example/'));
    expect([report.verified, report.target]).toEqual([true, path]);
  });

  it.each(['RSA-SHA256', 'Rsa-Sha256'])(
    'is not seen in an algorithm in another case: %s',
    async (algorithm) => {
      const report = await explain(peer().replace('rsa-sha256', algorithm));
      expect(report.verified).toBe(true);
    },
  );

  it('is not seen in a certificate as base64 of PEM, whose setting is named', async () => {
    const pem = Buffer.from(seals.rsa.certificatePem).toString('base64');
    const request = peer().replace(/(TPP-Signature-Certificate: ).*\r/, `$1${pem}\r`);
    const report = await explain(request);
    expect(report.verified).toBe(true);
    const form = report.checks.find(({ text }) => text.includes('signing.certificateHeader='));
    expect(form?.text).toContain('signing.certificateHeader=base64-of-pem');
  });

  it('is reported where r and s side by side verify', async () => {
    const report = await explain(peer({ p1363: true }, 'ec'));
    expect(report.verified).toBe(true);
    expect(report.checks.find(({ name }) => name === 'signature')!.text).toContain('r and s side by side');
  });

  it('is not invented for a header that was changed', async () => {
    const report = await explain(peer().replace('PSU-1234', 'PSU-1235'));
    expect(report).toMatchObject({
      verified: false,
      explanations: [],
    });
  });
});

describe('a capture of a request', () => {
  it('is doubted where an editor changed its line ends', async () => {
    const lf = peer().replaceAll('\r\n', '\n');
    const report = await explain(lf);
    expect(report.notes[0]).toMatch(
      /Content-Length is \d+, the captured body has \d+ bytes: it is not as it was sent/,
    );
    expect(report.explanations).toEqual(['The Digest is that of: sha256 of the body with CRLF line ends.']);
    expect((await explain(`${peer()}\n`)).verified).toBe(true);
  });

  it('verifies in every form that obk writes where the request is our own', async () => {
    const { certificatePem, keyPem } = seals.rsa;
    const material = localMaterial({ certificatePem, keyPem, now });
    // With other line ends curl gets the body from a file.
    const text = body.replace('\r', '');
    const input = { method: 'POST', path, headers: pairs, body: Buffer.from(text) };
    const signed = (await signRequest(input, guidelines, material))!;
    const url = `https://bank.example${path}`;
    const headers = [...pairs, ...signed.headers];
    const prepared = {
      request: { method: 'POST', url, headers, body: input.body },
      shownBody: text,
      hasSecret: false,
      tls: { clientCertificate: true, caCertificates: true },
      operation: { id: 'initiatePayment' },
      signed,
    } as never;
    const trace = { prepared, startedAt: now, durationMs: 1, verdict: { outcome: 'DONE' } } as never;
    const named = headers.map(([name, value]) => ({ name, value }));
    const forms = {
      curl: curlCommand(prepared),
      har: JSON.stringify(harOf([trace], { name: 'obk', version: '1' })),
      obk: JSON.stringify({ dryRun: true, method: 'POST', url, headers: named, body: text }),
    };
    for (const [source, form] of Object.entries(forms)) {
      const report = await explain(form);
      expect({ source: report.source, verified: report.verified, target: report.target }).toEqual({
        source,
        verified: true,
        target: path,
      });
    }
    expect(notBefore < now && now < notAfter).toBe(true);
  });

  it.each([
    ['', 'neither raw HTTP'],
    ['GET /v1/accounts HTTP/1.1\r\nX-Request-ID: 1\r\n\r\n', 'no signature'],
    ['GET /v1/accounts HTTP/1.1\r\nSignature: keyId="a"\r\n\r\n', 'no certificate'],
    ['{"a":1}', 'cannot be read'],
    ["curl 'https://x", 'cannot be read'],
    ["curl https://x -H 'Signature: a' -d @body.json", 'cannot be read'],
    ['{"log":{"entries":[]}}', 'HAR without an entry'],
    [
      '{"log":{"entries":[{"request":{"method":"GET","url":"https://b/v1/accounts","headers":[]}},{"request":{"method":"GET"}}]}}',
      'Entry 2 of the HAR has no request',
    ],
    ['POST /v1/x HTTP/1.1\r\nDigest: [secret]\r\nSignature: [secret]\r\n\r\n', 'was not kept'],
  ])('is refused where it is %j', async (content, said) => {
    await expect(explain(content)).rejects.toMatchObject({ code: 'INPUT_INVALID', exit: 2 });
    const error = (await explain(content).catch((reason: unknown) => reason)) as {
      title: string;
      detail: string;
    };
    expect(`${error.title} ${error.detail}`).toContain(said);
  });
});
