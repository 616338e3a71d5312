// A bank with an OAuth pre-step typed by hand from the guidelines (5.3, 13.1) and RFC 6749, 7636, 8414, 9207: not ours.
import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import type { IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { insideOf } from '../helpers/inside.ts';
import { createObk, shop } from '../helpers/obk.ts';

interface Seen {
  call: string;
  headers: IncomingHttpHeaders;
  body: string;
}
const seen: Seen[] = [];
const token = 'acc-canary-0123456789';
const payments = '/v1/payments/sepa-credit-transfers';
const own = `${payments}/pay-1/authorisations/auth-1`;
let base = '';

const missing = () => ({
  tppMessages: [{ category: 'ERROR', code: 'TOKEN_UNKNOWN', text: 'Please log in first' }],
  _links: { scaOAuth: { href: `${base}/.well-known/oauth-authorization-server` } },
});
const answers: Record<string, (one: Seen) => [status: number, body: object]> = {
  'GET /.well-known/oauth-authorization-server': () => [
    200,
    {
      issuer: base,
      authorization_endpoint: `${base}/login?bic=TESTDEFF`,
      token_endpoint: `${base}/token`,
      scopes_supported: ['PIS', 'AIS'],
      authorization_response_iss_parameter_supported: true,
    },
  ],
  'POST /token': () => [200, { access_token: token, token_type: 'bearer', expires_in: 300, scope: 'PIS' }],
  [`POST ${payments}`]: () => [
    201,
    {
      transactionStatus: 'RCVD',
      paymentId: 'pay-1',
      chosenScaMethod: { authenticationType: 'SMS_OTP', authenticationMethodId: 'sms-1', name: 'SMS' },
      challengeData: { otpMaxLength: 6, otpFormat: 'integer' },
      _links: {
        authoriseTransaction: { href: own },
        scaStatus: { href: own },
        self: { href: `${payments}/pay-1` },
        status: { href: `${payments}/pay-1/status` },
      },
    },
  ],
  [`PUT ${own}`]: ({ body }) => [
    200,
    { scaStatus: body === '{"scaAuthenticationData":"123456"}' ? 'finalised' : 'failed' },
  ],
  [`GET ${payments}/pay-1/status`]: () => [200, { transactionStatus: 'ACSC' }],
};
const server = createServer((incoming, outgoing) => {
  const chunks: Buffer[] = [];
  incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
  incoming.on('end', () => {
    const { method = '', url = '', headers } = incoming;
    const one = { call: `${method} ${url}`, headers, body: Buffer.concat(chunks).toString() };
    seen.push(one);
    const good = !url.startsWith('/v1/') || headers.authorization === `Bearer ${token}`;
    const [status, body] = good ? (answers[one.call]?.(one) ?? [404, {}]) : [401, missing()];
    outgoing.writeHead(status, {
      'Content-Type': 'application/json',
      'X-Request-ID': headers['x-request-id'] ?? '',
      ...(status === 201 && { 'ASPSP-SCA-Approach': 'EMBEDDED', Location: `${payments}/pay-1` }),
    });
    outgoing.end(JSON.stringify(body));
  });
});

const obk = createObk({ CI: 'true', OBK_PROFILE: 'foreign' });
const inside = insideOf(obk);
beforeAll(async () => {
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  await inside.json([
    ...['profile', 'create', 'foreign', '--base-url', base, '--variant', 'v1', '--environment', 'sandbox'],
    ...[
      '--signing',
      'none',
      '--oauth-client-id',
      'PSDDE-BAFIN-125314',
      '--redirect-uri',
      'https://tpp.example/cb',
    ],
  ]);
});
afterAll(() => {
  obk.close();
  server.close();
});

it('a PSU logs in at it, and pays with the one-time password alone', async () => {
  const psu = ['--psu-id', 'anna', '--json'];
  const pay = ['payment', 'init', ...shop, '--debtor', 'DE89370400440532013000', '--amount', '1.00', ...psu];
  const answered = [...pay, '--otp-from', 'env:OTP', '--allow-duplicate'];
  const env = { OTP: '123456' };
  const refused = await inside.run(answered, { env });
  expect([refused.code, refused.stderr]).toEqual([
    4,
    expect.stringContaining('obk auth login --profile foreign --psu-id anna'),
  ]);

  const { url } = (await inside.json(['auth', 'login', '--psu-id', 'anna'])) as { url: string };
  const asked = new URL(url).searchParams;
  expect(Object.fromEntries(asked)).toMatchObject({
    bic: 'TESTDEFF',
    response_type: 'code',
    client_id: 'PSDDE-BAFIN-125314',
    scope: 'PIS AIS',
    redirect_uri: 'https://tpp.example/cb',
    code_challenge_method: 'S256',
  });
  const iss = encodeURIComponent(base);
  const back = `https://tpp.example/cb?code=code-canary&state=${asked.get('state') ?? ''}&iss=${iss}`;
  const login = ['auth', 'login', '--psu-id', 'anna', '--return-url-from', 'env:BACK'];
  expect(await inside.json(login, { env: { BACK: back } })).toMatchObject({ scope: 'PIS' });
  const form = new URLSearchParams(seen.find(({ call }) => call === 'POST /token')?.body);
  const verifier = form.get('code_verifier') ?? '';
  expect(createHash('sha256').update(verifier).digest('base64url')).toBe(asked.get('code_challenge'));
  expect([form.get('code'), form.get('redirect_uri')]).toEqual(['code-canary', 'https://tpp.example/cb']);

  const toServer = seen.filter(({ call }) => !call.includes('/v1/'));
  expect(toServer.map(({ headers }) => headers.authorization)).toEqual([undefined, undefined]);

  seen.length = 0;
  const paid = await inside.run(answered, { env });
  expect(paid.code, paid.stderr).toBe(0);
  expect(JSON.parse(paid.stdout)).toMatchObject({
    transactionStatus: 'ACSC',
    sca: { scaStatus: 'finalised' },
  });
  expect(seen.map(({ call }) => call)).toEqual([
    `POST ${payments}`,
    `PUT ${own}`,
    `GET ${payments}/pay-1/status`,
  ]);
  expect(seen.filter(({ headers }) => headers['psu-id'] !== undefined)).toEqual([]);
  expect(refused.stderr + paid.stdout + paid.stderr).not.toContain('canary');
});
