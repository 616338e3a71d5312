import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { tryCall } from '../../../../src/client/call/call.ts';
import { curlCommand, curlOfView } from '../../../../src/client/evidence/write-curl.ts';
import { prepare } from '../../../../src/client/call/prepare.ts';
import { viewsOfRecords } from '../../../../src/client/exchange/exchange-view.ts';
import type { EndedExchange } from '../../../../src/client/exchange/verdict.ts';
import { Secret } from '../../../../src/base/secret.ts';
import { base, openWire } from '../wire.ts';
import type { CallInput, Prepared } from '../../../../src/client/exchange/prepared.ts';

const requestId = '99391c7e-ad88-49ec-a2ad-99ddcb1f7721';
const token = 'tok-"$(touch /tmp/never)`\'-1';
const password = 'pa$$ "w\\ör\'d';

async function prepared(input: CallInput, withToken = true): Promise<Prepared> {
  const { target } = await openWire(withToken ? { token } : {});
  return prepare(target, input, requestId);
}

/** What a shell would start curl with, for these variables. */
function argv(command: string, env: Record<string, string> = {}, shell = 'bash'): string[] {
  const script = `curl() { printf '%s\\0' "$@"; }\n${command}\n`;
  const out = execFileSync(shell, ['-c', script], {
    env: { PATH: process.env['PATH'], ...env },
    timeout: 10_000,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return out.toString('utf8').split('\0').slice(0, -1);
}

/** The arguments that send exactly this request. */
function expected({ request }: Prepared, data: string[], extra: string[] = []): string[] {
  const headers = request.headers.flatMap(([name, value]) => [
    '--header',
    `${name}: ${value instanceof Secret ? value.reveal() : value}`,
  ]);
  return [
    ...['--request', request.method, request.url],
    ...['--globoff', '--path-as-is', '--max-redirs', '0'],
    ...extra,
    ...headers,
    ...data,
  ];
}

const initiation = {
  operation: 'initiatePayment',
  params: { 'payment-service': 'payments', 'payment-product': 'sepa-credit-transfers' },
} as const satisfies CallInput;

const status = {
  operation: 'getPaymentInitiationStatus',
  params: {
    'payment-service': 'payments',
    'payment-product': 'sepa-credit-transfers',
    paymentId: "it's [1]",
  },
} as const satisfies CallInput;

const update = {
  operation: 'updatePaymentPsuData',
  params: {
    'payment-service': 'payments',
    'payment-product': 'sepa-credit-transfers',
    paymentId: 'p-1',
    authorisationId: 'a-1',
  },
} as const satisfies CallInput;

describe('the curl command of a request', () => {
  it.each(['bash', 'sh'])('is the same request to a shell for GET, in %s', async (shell) => {
    const request = await prepared(status);
    const command = curlCommand(request);
    expect(argv(command, { OBK_TOKEN: token }, shell)).toEqual(expected(request, []));
    expect(command).not.toContain(token);
  });

  it.each(['bash', 'sh'])(
    'is the same request to a shell for POST with quotes, dollars, backslashes and lines, in %s',
    async (shell) => {
      const body = '{"creditorName": "O\'Neil & $HOME `id` \\\\ \\"x\\"",\n\t"note": "Zoë !history 100%"}';
      const request = await prepared({
        ...initiation,
        body: { bytes: Buffer.from(body), contentType: 'application/json' },
      });
      const command = curlCommand(request);
      expect(argv(command, { OBK_TOKEN: token, HOME: '/never' }, shell)).toEqual(
        expected(request, ['--data-binary', body]),
      );
    },
  );

  it('has variables for a password and an OTP, and its body is byte for byte the signed one', async () => {
    const request = await prepared({
      ...update,
      body: {
        json: { psuData: { password: new Secret(password) }, scaAuthenticationData: new Secret('739184') },
      },
    });
    const command = curlCommand(request);
    const variables = {
      OBK_TOKEN: token,
      OBK_PSU_PASSWORD: JSON.stringify(password).slice(1, -1),
      OBK_OTP: '739184',
      OBK_DIGEST: request.signed!.headers[0]![1],
      OBK_SIGNATURE: request.signed!.headers[1]![1],
    };
    const sent = Buffer.from(request.request.body).toString();
    expect(sent).toContain(JSON.stringify(password));
    expect(argv(command, variables)).toEqual(expected(request, ['--data-binary', sent]));
    expect(command.split('\n')[0]).toMatch(
      /^# Set before you run this: OBK_TOKEN, OBK_DIGEST, OBK_SIGNATURE, OBK_PSU_PASSWORD, OBK_OTP \(the secrets of the body/,
    );
    expect(command).not.toContain('739184');
    expect(command).not.toContain(variables.OBK_DIGEST);
    expect(command).not.toContain(request.signed!.signature);
  });

  it('has variables also for secrets in bytes that the user gave', async () => {
    const body = '{"scaAuthenticationData" : 739185, "other": 1}';
    const request = await prepared({
      ...update,
      body: { bytes: Buffer.from(body), contentType: 'application/json' },
    });
    const command = curlCommand(request);
    expect(command).not.toContain('739185');
    expect(command).not.toContain(request.signed!.digest);
    const [digest, signature] = request.signed!.headers.map(([, value]) => value);
    const signed = { OBK_DIGEST: digest!, OBK_SIGNATURE: signature! };
    expect(argv(command, { OBK_TOKEN: token, OBK_OTP: '739185', ...signed })).toEqual(
      expected(request, ['--data-binary', body]),
    );
  });

  it('has variables for a code in the URL and a secret header', async () => {
    const request = await prepared(
      {
        ...status,
        query: { code: 'abc-123-xyz', x: '1' },
        headers: [
          ['X-API-Key', 'key-in-plain-text'],
          ['Cookie', 'sid=dXNlcjpwYXNz'],
        ],
      },
      false,
    );
    const command = curlCommand(request);
    expect(command).not.toMatch(/abc-123|key-in|dXNl/);
    const seen = argv(command, {
      OBK_CODE: 'abc-123-xyz',
      OBK_X_API_KEY: 'key-in-plain-text',
      OBK_COOKIE: 'sid=dXNlcjpwYXNz',
    });
    expect(seen).toEqual(expected(request, []));
  });

  it.each<[string, Uint8Array]>([
    ['bytes that are no UTF-8', Buffer.from([0x7b, 0xff, 0x7d])],
    ['control characters', Buffer.from('{"a":"\r\n"}\r\n')],
    ['what curl takes for a file name', Buffer.from('@/etc/passwd')],
    ['more than an argument may hold', Buffer.alloc(100_001, 'x')],
  ])('leaves %s to a file', async (_, bytes) => {
    const request = await prepared({ ...initiation, body: { bytes, contentType: 'application/json' } });
    const command = curlCommand(request);
    expect(argv(command, { OBK_TOKEN: token })).toEqual(expected(request, ['--data-binary', '@body.bin']));
    expect(command).toContain(`# Save the body (${bytes.length} bytes) as body.bin`);
  });

  it('marks a POST without body', async () => {
    const { authorisationId: _, ...params } = update.params;
    const request = await prepared({ operation: 'startPaymentAuthorisation', params });
    expect(argv(curlCommand(request), { OBK_TOKEN: token })).toEqual(
      expected(request, ['--header', 'Content-Type:', '--data-binary', '']),
    );
  });
});

describe('the curl command', () => {
  const profile = { tlsCertificate: '/qwac.pem', tlsKey: '/qwac.key', caCertificates: '/ca.pem' };

  it('names client certificate and CA by variables', async () => {
    const request = await prepare((await openWire({ profile })).target, status, requestId);
    const files = { OBK_TLS_CERT: '/a b.pem', OBK_TLS_KEY: '/k.pem', OBK_CACERT: '/ca.pem' };
    expect(argv(curlCommand(request), files)).toEqual(
      expected(request, [], ['--cert', '/a b.pem', '--key', '/k.pem', '--cacert', '/ca.pem']),
    );
  });

  it('has neither over plain http', async () => {
    const { target } = await openWire({ profile: { ...profile, baseUrl: 'http://127.0.0.1:8080' } });
    expect(curlCommand(await prepare(target, status, requestId))).not.toMatch(/--cert|--cacert|# Set/);
  });
});

it('the curl command has one header a line', async () => {
  const request = await prepared(status);
  const lines = curlCommand(request).split('\n');
  expect(lines.slice(0, 4)).toEqual([
    '# Set before you run this: OBK_TOKEN.',
    `curl --request GET '${base}/v1/payments/sepa-credit-transfers/it'\\''s%20%5B1%5D/status' \\`,
    '  --globoff --path-as-is --max-redirs 0 \\',
    `  --header 'X-Request-ID: ${requestId}' \\`,
  ]);
  expect(lines).toContain(`  --header 'Authorization: Bearer '"$OBK_TOKEN" \\`);
});

it('the curl command connects as the call did: unchecked where that was, and through the proxy', async () => {
  const sent = await prepared(status, false);
  const proxy = { address: 'proxy.example:3128', credentials: true };
  const command = curlCommand({ ...sent, tls: { ...sent.tls, insecure: true, proxy } });
  const words = argv(command, { OBK_PROXY_USER: 'anna:pa ss' });
  const way = ['--proxy', 'http://proxy.example:3128', '--proxy-user', 'anna:pa ss', '--proxytunnel'];
  expect(words).toEqual(expected(sent, [], ['--insecure', ...way]));
  expect(command).toContain('# Set before you run this: OBK_PROXY_USER.');
  const open = curlCommand({ ...sent, tls: { ...sent.tls, proxy: { ...proxy, credentials: false } } });
  expect(argv(open)).toEqual(expected(sent, [], ['--proxy', 'http://proxy.example:3128', '--proxytunnel']));
});

describe('the curl command of a recorded exchange', () => {
  async function recorded(input: CallInput, method: 'GET' | 'PUT' | 'POST') {
    const sent: Prepared[] = [];
    const onExchange = (exchange: EndedExchange) => void sent.push(exchange.prepared);
    const { target, http, journal } = await openWire({ token, run: { onExchange } });
    http.expect(method, /./, { body: {} });
    await tryCall(target, input);
    const [view] = viewsOfRecords(journal.records);
    const system = { clientCertificate: false, caCertificates: false };
    return { prepared: sent[0]!, command: curlOfView(view!, system) };
  }

  it('is the same request, with the token from the environment', async () => {
    const { prepared: sent, command } = await recorded(status, 'GET');
    expect(argv(command, { OBK_TOKEN: token })).toEqual(expected(sent, []));
    expect(command).toContain('--dry-run --curl');
  });

  it('reads password, Digest and Signature from the environment', async () => {
    const { command } = await recorded(
      { ...update, body: { json: { psuData: { password: new Secret(password) } } } },
      'PUT',
    );
    expect(command).toContain(
      '# Set before you run this: OBK_TOKEN, OBK_DIGEST, OBK_SIGNATURE, OBK_PSU_PASSWORD',
    );
    const words = argv(command, { OBK_PSU_PASSWORD: 'pw', OBK_DIGEST: 'd', OBK_SIGNATURE: 's' });
    expect(words.at(-1)).toContain('"password":"pw"');
    expect(words).toEqual(expect.arrayContaining(['Digest: d', 'Signature: s']));
    expect(command).not.toContain('[secret]');
  });

  it('warns that account numbers are masked', async () => {
    const body = { json: { creditorAccount: { iban: 'DE89370400440532013000' } } };
    const { command } = await recorded({ ...initiation, body }, 'POST');
    expect(command).toContain('# The journal masks account numbers');
    expect((await recorded({ ...initiation, body: { json: { a: '1' } } }, 'POST')).command).not.toContain(
      'masks',
    );
  });
});
