import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { IncomingHttpHeaders } from 'node:http';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createTestCa, createTestCertificate } from '../../../../src/signing/certificate.ts';
import { presets } from '../../../../src/standard/xs2a/variants.ts';
import { startBank } from '../../../helpers/bank.ts';
import type { TestBank } from '../../../helpers/bank.ts';
import { checkAnswer, hasOfficialFiles } from '../../../helpers/contract.ts';
import { payment, send, signedHeaders, testJudge } from '../tpp.ts';
import type { Keys } from '../tpp.ts';

const stateDir = mkdtempSync(join(tmpdir(), 'obk-trust-'));
const now = Date.now();
const valid = { notBefore: new Date(now - 86_400_000), notAfter: new Date(now + 86_400_000) };
let bank: TestBank;
/** Certificates of another TPP, of an AISP, and of nobody whom the bank trusts. */
const others: Record<'seal' | 'qwac' | 'aisp' | 'renewed' | 'stranger', Keys> = {} as never;

beforeAll(async () => {
  const ca = await createTestCa(valid);
  mkdirSync(join(stateDir, 'sandbox'), { recursive: true });
  writeFileSync(join(stateDir, 'sandbox', 'trusted.pem'), ca.certificatePem);
  const make = async (
    name: keyof typeof others,
    more: Partial<Parameters<typeof createTestCertificate>[0]>,
  ) => {
    const issued = await createTestCertificate({
      ...valid,
      ca,
      type: 'qwac',
      roles: ['PSP_PI', 'PSP_AI'],
      organizationIdentifier: 'PSDDE-BAFIN-2',
      organizationName: 'Another TPP',
      ncaName: 'BaFin',
      ncaId: 'DE-BAFIN',
      ...more,
    });
    others[name] = {
      certificatePath: join(stateDir, `${name}.pem`),
      keyPath: join(stateDir, `${name}-key.pem`),
    };
    writeFileSync(others[name].certificatePath, issued.certificatePem);
    writeFileSync(others[name].keyPath, issued.keyPem.reveal());
  };
  await make('seal', { type: 'qsealc' });
  await make('qwac', {});
  await make('aisp', { roles: ['PSP_AI'], organizationIdentifier: 'PSDDE-BAFIN-999999' });
  await make('renewed', { organizationIdentifier: 'PSDDE-BAFIN-999999' });
  await make('stranger', { ca: await createTestCa(valid) });
  bank = await startBank({ stateDir, doors: { httpsPort: 0 } });
});
afterEach(() => {
  bank.scenario({ signature: 'required', clientCertificate: 'requested' });
});
afterAll(async () => {
  await bank.close();
  rmSync(stateDir, { recursive: true, force: true });
});

testJudge(() => bank);

const qwac = (): Keys => ({ certificatePath: bank.tlsCertificatePath, keyPath: bank.tlsKeyPath });
const path = '/v1/payments/sepa-credit-transfers';
const form = { 'Content-Type': 'application/x-www-form-urlencoded' };

interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- each test says what it expects in it
  json: any;
}

/** One request over TLS, with a client certificate where one is given. */
function over(
  tls: Keys | undefined,
  method: string,
  target: string,
  headers: Record<string, string>,
  body: Uint8Array,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const outgoing = request(
      `${bank.httpsBaseUrl ?? ''}${target}`,
      {
        method,
        headers,
        agent: false,
        ca: readFileSync(bank.caPath),
        ...(tls && { cert: readFileSync(tls.certificatePath), key: readFileSync(tls.keyPath) }),
      },
      (incoming) => {
        const chunks: Buffer[] = [];
        incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
        incoming.on('end', () => {
          const responseBody = Buffer.concat(chunks);
          const status = incoming.statusCode ?? 0;
          const answer = {
            status,
            responseHeaders: incoming.headers as Record<string, string>,
            responseBody,
          };
          if (hasOfficialFiles() && target.startsWith('/v1/')) {
            const asked = { method, path: target, requestHeaders: headers, requestBody: body };
            expect(checkAnswer(presets.v1, { ...asked, ...answer })).toEqual([]);
          }
          const text = responseBody.toString();
          resolve({
            status,
            headers: incoming.headers,
            text,
            json: text.startsWith('{') ? JSON.parse(text) : undefined,
          });
        });
      },
    );
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

/** A payment over TLS; unsigned without `seal`. */
function pay(tls: Keys | undefined, seal: Keys | undefined, psuId = 'redirect'): Promise<Answer> {
  const body = Buffer.from(JSON.stringify(payment(bank.person(psuId).accounts[0]!.iban, '1.00')));
  const more = {
    'Content-Type': 'application/json',
    'PSU-ID': psuId,
    'PSU-IP-Address': '192.0.2.1',
    'TPP-Redirect-URI': 'http://127.0.0.1:9/back',
  };
  const headers = signedHeaders(seal ?? bank, body, more);
  if (seal === undefined) {
    for (const name of ['Digest', 'Signature', 'TPP-Signature-Certificate'])
      Reflect.deleteProperty(headers, name);
  }
  return over(tls, 'POST', path, headers, body);
}

const result = ({ status, json }: Answer) =>
  `${String(status)} ${String(json?.tppMessages?.[0]?.code ?? '')}`;

describe('a bank with https', () => {
  it.each<[string, () => Keys | undefined, () => Keys | undefined, string]>([
    ['a signature alone', () => undefined, () => bank, '201 '],
    ['signature and client certificate of one TPP', qwac, () => bank, '201 '],
    ['the QSealC in place of the QWAC', () => bank, () => bank, '401 CERTIFICATE_INVALID'],
    ['those of two TPPs', () => others.qwac, () => bank, '401 CERTIFICATE_INVALID'],
    ['a client certificate of a stranger', () => others.stranger, () => bank, '401 CERTIFICATE_INVALID'],
    ['a client certificate without the role', () => others.aisp, () => bank, '401 CERTIFICATE_INVALID'],
    ['a client certificate alone', qwac, () => undefined, '401 SIGNATURE_MISSING'],
  ])('judges %s', async (_what, tls, seal, expected) => {
    expect(result(await pay(tls(), seal()))).toBe(expected);
  });

  it('accepts a client certificate by itself where the signature may be left out', async () => {
    bank.scenario({ signature: 'optional' });
    expect(result(await pay(qwac(), undefined))).toBe('201 ');
    expect(result(await pay(undefined, undefined))).toBe('401 CERTIFICATE_MISSING');
    expect(result(await pay(others.aisp, undefined))).toBe('401 CERTIFICATE_INVALID');
    const wrong = await pay(qwac(), { certificatePath: bank.certificatePath, keyPath: others.seal.keyPath });
    expect(result(wrong)).toBe('401 SIGNATURE_INVALID');
  });

  it('may require a client certificate', async () => {
    bank.scenario({ clientCertificate: 'required' });
    expect(result(await pay(undefined, bank))).toBe('401 CERTIFICATE_MISSING');
    expect(result(await pay(qwac(), bank))).toBe('201 ');
  });

  it('shows a payment only to the TPP that made it', async () => {
    const { json } = await pay(qwac(), bank);
    const read = async (tls: Keys, seal: Keys) => {
      const headers = signedHeaders(seal, Buffer.alloc(0), { 'PSU-IP-Address': '192.0.2.1' });
      return result(await over(tls, 'GET', `${path}/${String(json.paymentId)}`, headers, Buffer.alloc(0)));
    };
    expect(await read(qwac(), bank)).toBe('200 ');
    expect(await read(others.qwac, others.seal)).toBe('404 RESOURCE_UNKNOWN');
  });

  it.each<[string, () => Keys | undefined, string, string]>([
    ['the TPP of the client certificate', qwac, 'PSDDE-BAFIN-999999', '400 invalid_grant'],
    ['another TPP than that of it', () => others.qwac, 'PSDDE-BAFIN-999999', '401 invalid_client'],
    ['a stranger', () => others.stranger, 'PSDDE-BAFIN-2', '401 invalid_client'],
  ])('accepts as a client of OAuth: %s', async (_what, tls, client, expected) => {
    const grant = { grant_type: 'authorization_code', code: 'x', client_id: client };
    const body = Buffer.from(new URLSearchParams(grant).toString());
    const { status, json } = await over(tls(), 'POST', '/oauth/token', form, body);
    expect(`${String(status)} ${String(json.error)}`).toBe(expected);
  });

  it('binds a token to the client certificate that fetched it', async () => {
    const { json } = await pay(qwac(), bank, 'oauth');
    const id = String(json.paymentId);
    const verifier = 'v'.repeat(43);
    const redirect_uri = 'http://127.0.0.1:9/back';
    const client = { client_id: 'PSDDE-BAFIN-999999', redirect_uri };
    const query = new URLSearchParams({
      ...client,
      response_type: 'code',
      scope: `PIS:${id}`,
      state: 's',
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      code_challenge_method: 'S256',
    });
    const link = `${bank.baseUrl}/oauth/authorize?${query.toString()}`;
    const { redirectedTo = '' } = bank.decide('approve', link, 'oauth');
    const code = new URL(redirectedTo).searchParams.get('code') ?? '';
    const grant = { ...client, grant_type: 'authorization_code', code, code_verifier: verifier };
    const body = Buffer.from(new URLSearchParams(grant).toString());
    const token = (await over(qwac(), 'POST', '/oauth/token', form, body)).json;
    const read = async (tls: Keys | undefined) => {
      const headers = signedHeaders(bank, Buffer.alloc(0), {
        Authorization: `Bearer ${String(token.access_token)}`,
      });
      return result(await over(tls, 'GET', `${path}/${id}/status`, headers, Buffer.alloc(0)));
    };
    expect(await read(qwac())).toBe('200 ');
    expect(await read(others.renewed)).toBe('401 TOKEN_INVALID');
    expect(await read(undefined)).toBe('401 TOKEN_INVALID');
  });

  it('gives a browser its cookies for https only', async () => {
    const visit = async (target: string, sent = {}) => {
      const { headers, text } = await over(undefined, 'GET', target, sent, Buffer.alloc(0));
      return { cookie: headers['set-cookie']?.[0] ?? '', text };
    };
    const { json } = await pay(qwac(), bank);
    const page = new URL(json._links.scaRedirect.href as string).pathname;
    for (const target of [page, '/consents']) {
      const { cookie, text } = await visit(target);
      expect(cookie, target).toMatch(/; HttpOnly; Secure; SameSite=Lax$/);
      // The session after the login has an id of its own.
      const [own = ''] = cookie.split(';');
      const [csrf = ''] = /(?<=name="csrf"\s+value=")[^"]*/.exec(text) ?? [];
      const { password } = bank.person('redirect');
      const typed = new URLSearchParams({ csrf, psuId: 'redirect', password }).toString();
      const action = /action="([^"]*)"/.exec(text)?.[1] ?? '';
      const to = new URL(action, `https://x${target}`).pathname;
      const sent = { ...form, Cookie: own };
      const after = await over(undefined, 'POST', to, sent, Buffer.from(typed));
      const [renewed = ''] = after.headers['set-cookie'] ?? [];
      expect(renewed, `${target} ${String(after.status)}`).toMatch(/; Secure; /);
      expect(renewed.split(';')[0]).not.toBe(own);
    }
    const plain = await send(bank.baseUrl + page, 'GET', {}, Buffer.alloc(0));
    expect(plain.headers['set-cookie']?.[0]).not.toContain('Secure');
  });

  it('states in its metadata what holds for https', async () => {
    const place = '/.well-known/oauth-authorization-server';
    const { json } = await over(undefined, 'GET', place, {}, Buffer.alloc(0));
    expect(json).toMatchObject({
      issuer: bank.httpsBaseUrl,
      token_endpoint_auth_methods_supported: ['tls_client_auth', 'none'],
      tls_client_certificate_bound_access_tokens: true,
      authorization_response_iss_parameter_supported: true,
    });
  });
});

describe('the log of the bank', () => {
  it('shows who called, what refused, and what was expected of the signature', async () => {
    const last = (await bank.bank.log(0)).at(-1)?.number ?? 0;
    await pay(qwac(), bank);
    await pay(qwac(), { certificatePath: bank.certificatePath, keyPath: others.seal.keyPath });
    const token = Buffer.from('grant_type=password&client_id=x&password=geheim');
    await over(undefined, 'POST', '/oauth/token', form, token);
    await over(undefined, 'GET', '/v1/nothing?password=geheim', {}, Buffer.alloc(0));
    const told = await bank.bank.log(last);
    const short = told.map(({ operation, tpp, status, verdict, code }) => [
      operation,
      tpp,
      status,
      verdict,
      code,
    ]);
    expect(short).toEqual([
      ['initiatePayment', 'PSDDE-BAFIN-999999', 201, 'accepted', null],
      ['initiatePayment', null, 401, 'refused', 'SIGNATURE_INVALID'],
      [null, null, 400, 'refused', 'unsupported_grant_type'],
      [null, null, 404, 'refused', 'RESOURCE_UNKNOWN'],
    ]);
    expect(told[1]?.rule).toBe('The signature is not that of these headers and this key.');
    expect(told[1]?.signingString?.split('\n').map((line) => line.split(':')[0])).toEqual([
      'digest',
      'x-request-id',
      'psu-id',
      'tpp-redirect-uri',
    ]);
    expect(told[1]?.signingString).toContain(`digest: ${String(told[1]?.digest)}\n`);
    expect(JSON.stringify(told)).not.toContain('geheim');
  });
});
