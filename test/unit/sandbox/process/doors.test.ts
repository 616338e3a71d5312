import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { request as plain } from 'node:http';
import { request as secure } from 'node:https';
import { networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { createBank } from '../../../../src/sandbox/index.ts';
import { Secret } from '../../../../src/secret.ts';
import { createTestCa, createTestCertificate } from '../../../../src/signing/certificate.ts';
import type { IssuedCertificate, KeyChoice } from '../../../../src/signing/certificate.ts';
import { startBank } from '../../../helpers/bank.ts';
import type { TestBank } from '../../../helpers/bank.ts';
import { payment, tppOf } from '../tpp.ts';

const cleanup: (() => unknown)[] = [];
afterEach(async () => {
  for (const clean of cleanup.splice(0).reverse()) await clean();
});

async function started(options: Parameters<typeof startBank>[0] = {}): Promise<TestBank> {
  const bank = await startBank(options);
  cleanup.push(() => bank.close());
  return bank;
}

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'obk-doors-'));
  cleanup.push(() => {
    rmSync(path, { recursive: true, force: true, maxRetries: 3 });
  });
  return path;
}

interface Answer {
  status: number;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  text: string;
}

interface Asked {
  method?: string;
  headers?: Record<string, string>;
  body?: object;
  /** The files of a client certificate. */
  cert?: string;
  key?: string;
  ca?: string;
  servername?: string;
}

/** A request of somebody who shows nothing but what the test says. */
function ask(url: string, asked: Asked = {}): Promise<Answer> {
  const { method = 'GET', headers = {}, body, ca, cert, key, servername } = asked;
  return new Promise((resolve, reject) => {
    const options = {
      method,
      agent: false,
      headers: {
        'X-Request-ID': randomUUID(),
        'PSU-IP-Address': '192.0.2.1',
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
        ...headers,
      },
    } as const;
    const tls = {
      ...(ca !== undefined && { ca: readFileSync(ca) }),
      ...(cert !== undefined && { cert: readFileSync(cert) }),
      ...(key !== undefined && { key: readFileSync(key) }),
      ...(servername !== undefined && { servername }),
    };
    const outgoing = url.startsWith('https:') ? secure(url, { ...options, ...tls }) : plain(url, options);
    outgoing.on('response', (incoming) => {
      let text = '';
      incoming.setEncoding('utf8');
      incoming.on('data', (chunk: string) => (text += chunk));
      incoming.on('error', reject);
      incoming.on('end', () => {
        resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, text });
      });
    });
    outgoing.on('error', reject);
    outgoing.end(body === undefined ? undefined : JSON.stringify(body));
  });
}

const path = '/v1/payments/sepa-credit-transfers';
const codeOf = ({ status, text }: Answer) => [
  status,
  text.startsWith('{')
    ? (JSON.parse(text) as { tppMessages?: { code: string }[] }).tppMessages?.[0]?.code
    : undefined,
];
const debtorOf = (bank: TestBank, psuId = 'redirect') => bank.person(psuId).accounts[0]?.iban ?? '';
const pay = (base: string, bank: TestBank, asked: Asked = {}) =>
  ask(base + path, {
    method: 'POST',
    body: payment(debtorOf(bank)),
    ...asked,
    headers: { 'TPP-Redirect-URI': 'https://tpp.example/cb', ...asked.headers },
  });
const linksOf = ({ text }: Answer) => {
  const { _links } = JSON.parse(text) as { _links: Record<string, { href: string }> };
  return Object.fromEntries(Object.entries(_links).map(([name, { href }]) => [name, href]));
};

describe('a bank with all doors open', () => {
  it('asks nobody who calls, knows no limit, and has passwords that everybody knows', async () => {
    const bank = await started({ doors: { open: true } });
    expect((await pay(bank.baseUrl, bank)).status).toBe(201);
    expect(new Set(bank.people.map(({ password, otp }) => `${password} ${otp}`))).toEqual(
      new Set(['password 123456']),
    );
    const second = bank.people.flatMap(({ additionalPassword = [] }) => additionalPassword);
    expect(new Set(second)).toEqual(new Set(['second-password']));
    const many = await Promise.all(
      Array.from({ length: 120 }, () => ask(`${bank.baseUrl}${path}/none-such/status`)),
    );
    expect(new Set(many.map(({ status }) => status))).toEqual(new Set([404]));
    // The TPP whom nobody had to name is the one of the profile sandbox.
    const [{ tpp } = { tpp: undefined }] = await bank.bank.log(0);
    expect(tpp).toBe('PSDDE-BAFIN-999999');
  });

  it('says so as its scenario, which nobody changes while it runs', async () => {
    const bank = await started({ doors: { open: true } });
    const now = Object.fromEntries((await bank.bank.scenarios()).map(({ name, value }) => [name, value]));
    expect(now).toMatchObject({ signature: 'off', clientCertificate: 'off', rateLimit: 'off' });
    await expect(bank.bank.setScenario('signature', 'required')).rejects.toMatchObject({
      code: 'USAGE',
      title: 'The switch signature is off for as long as this bank runs.',
    });
    await bank.bank.setScenario('fees', 'none');
  });

  it('is as open after a reset, and the next bank of its ledger is as closed as before', async () => {
    const stateDir = folder();
    const before = await startBank({ stateDir });
    await before.close();
    const open = await startBank({ stateDir, doors: { open: true } });
    expect(open.person('redirect').password).toBe('password');
    expect((await pay(open.baseUrl, open)).status).toBe(201);
    await open.close();
    const closed = await startBank({ stateDir });
    expect(closed.person('redirect').password).toBe(before.person('redirect').password);
    expect(codeOf(await pay(closed.baseUrl, closed))).toEqual([401, 'SIGNATURE_MISSING']);
    await closed.close();
    const again = await started({ stateDir, doors: { open: true } });
    await again.bank.reset();
    expect((await again.bank.people()).map(({ otp }) => otp.reveal())).toContain('123456');
    expect((await pay(again.baseUrl, again)).status).toBe(201);
  });

  it('is closed for a bank that begins after one that was killed', async () => {
    const stateDir = folder();
    // What a bank leaves behind that had no time to end.
    const { openLedger } = await import('../../../../src/sandbox/books/ledger.ts');
    const { setLedgerDoors } = await import('../../../../src/sandbox/books/ledger-doors.ts');
    await (await startBank({ stateDir })).close();
    const ledger = openLedger(join(stateDir, 'sandbox', 'ledger.db'), new Date());
    setLedgerDoors(ledger.main, { open: true, pinned: { signature: 'off' } });
    ledger.close();
    const bank = await started({ stateDir });
    expect(codeOf(await pay(bank.baseUrl, bank))).toEqual([401, 'SIGNATURE_MISSING']);
    expect(bank.person('redirect').password).not.toBe('password');
  });
});

describe('each door', () => {
  it('--rate bounds the calls of a minute', async () => {
    const bank = await started({ doors: { rate: 3 } });
    const call = tppOf(bank);
    const read = async () => (await call('GET', `${path}/none-such/status`)).status;
    expect([await read(), await read(), await read(), await read()]).toEqual([404, 404, 404, 429]);
    const limit = (await bank.bank.scenarios()).find(({ name }) => name === 'rateLimit');
    expect(limit?.value).toBe('3-per-minute');
    expect(limit?.values.find(({ value }) => value === limit.value)?.meaning).toContain(
      '3 times in a minute',
    );
  });

  it.each<[object, [number, string | undefined], [number, string | undefined]]>([
    [{}, [401, 'SIGNATURE_MISSING'], [401, 'SIGNATURE_INVALID']],
    [{ signature: 'required' }, [401, 'SIGNATURE_MISSING'], [401, 'SIGNATURE_INVALID']],
    [{ open: true, signature: 'required' }, [401, 'SIGNATURE_MISSING'], [401, 'SIGNATURE_INVALID']],
    [{ signature: 'optional' }, [401, 'CERTIFICATE_MISSING'], [401, 'SIGNATURE_INVALID']],
    [{ signature: 'optional', clientCertificate: 'off' }, [201, undefined], [401, 'SIGNATURE_INVALID']],
    [{ signature: 'off' }, [201, undefined], [201, undefined]],
    [
      { signature: 'off', clientCertificate: 'required', httpsPort: 0 },
      [401, 'CERTIFICATE_MISSING'],
      [401, 'CERTIFICATE_MISSING'],
    ],
  ])(
    '%j decides on http about a call without a signature, and with a wrong one',
    async (doors, without, wrong) => {
      const bank = await started({ doors });
      expect(codeOf(await pay(bank.baseUrl, bank))).toEqual(without);
      const signed = await tppOf(bank)('POST', path, {
        body: payment(debtorOf(bank)),
        headers: { 'TPP-Redirect-URI': 'https://tpp.example/cb' },
        tamper: (headers) => {
          headers['TPP-Redirect-URI'] = 'https://elsewhere.example/cb';
        },
      });
      expect([signed.status, signed.json?.tppMessages?.[0]?.code]).toEqual(wrong);
    },
  );

  it.each<[string, [number, unknown], [number, unknown], [number, unknown]]>([
    ['required', [401, 'CERTIFICATE_MISSING'], [201, undefined], [401, 'CERTIFICATE_INVALID']],
    ['optional', [201, undefined], [201, undefined], [401, 'CERTIFICATE_INVALID']],
    ['off', [201, undefined], [201, undefined], [201, undefined]],
  ])(
    '--client-certificate %s decides on https about none, a right one and one of nobody',
    async (need, none, own, foreign) => {
      const bank = await started({ doors: { signature: 'off', clientCertificate: need, httpsPort: 0 } });
      const [stranger] = await certificates(folder(), [{ keyType: 'ec' }]);
      const at = (cert: { cert: string; key: string } | object) =>
        pay(bank.httpsBaseUrl ?? '', bank, { ca: bank.caPath, ...cert });
      expect(codeOf(await at({}))).toEqual(none);
      expect(codeOf(await at({ cert: bank.tlsCertificatePath, key: bank.tlsKeyPath }))).toEqual(own);
      expect(codeOf(await at({ cert: stranger?.qwac, key: stranger?.qwacKey }))).toEqual(foreign);
    },
  );

  it.each(['localhost', '127.0.0.1', '[::1]', 'LOCALHOST'])(
    'answers at the Host %s of loopback',
    async (host) => {
      const bank = await started({ doors: { open: true } });
      expect((await ask(`${bank.baseUrl}${path}/x/status`, { headers: { Host: host } })).status).toBe(404);
    },
  );

  it('--host adds those that are answered, whatever their port, and no others', async () => {
    const bank = await started({ doors: { open: true, host: ['Bank.example', '192.0.2.7', '2001:db8::7'] } });
    const at = async (host: string) =>
      (await ask(`${bank.baseUrl}${path}/x/status`, { headers: { Host: host } })).status;
    for (const host of ['bank.example', 'BANK.example:8443', '192.0.2.7:1', '[2001:db8::7]', '127.0.0.1'])
      expect([host, await at(host)]).toEqual([host, 404]);
    for (const host of [
      'evil.example',
      'bank.example.evil',
      'evil-bank.example',
      'localhost.evil',
      '192.0.2.8',
    ])
      expect([host, await at(host)]).toEqual([host, 421]);
  });

  it('--access-key-from is shown by every call, by none that a browser makes, and never stands for the token', async () => {
    const secret = (reference: string) => Promise.resolve(new Secret(`key of ${reference}`));
    const bank = await started({ doors: { open: true, accessKeyFrom: 'env:KEY' }, secret });
    const { status, headers, text } = await pay(bank.baseUrl, bank);
    expect([status, headers['www-authenticate']]).toEqual([401, 'X-Access-Key']);
    expect(text).toContain('X-Access-Key');
    expect((await pay(bank.baseUrl, bank, { headers: { 'X-Access-Key': 'key of env:KE' } })).status).toBe(
      401,
    );
    const right = { headers: { 'X-Access-Key': 'key of env:KEY' } };
    const paid = await pay(bank.baseUrl, bank, right);
    expect(paid.status).toBe(201);
    expect((await ask(linksOf(paid)['scaRedirect'] ?? '')).status).toBe(200);
    expect((await ask(`${bank.baseUrl}/.well-known/oauth-authorization-server`)).status).toBe(200);
    expect((await ask(`${bank.baseUrl}/oauth/token`, { method: 'POST' })).status).toBe(401);
    expect((await ask(`${bank.baseUrl}/sandbox/steer`, { method: 'POST', ...right })).status).toBe(401);
  });

  it('an empty access key is refused, since everybody would know it', async () => {
    const secret = () => Promise.resolve(new Secret(''));
    await expect(started({ doors: { accessKeyFrom: 'env:KEY' }, secret })).rejects.toMatchObject({
      code: 'USAGE',
    });
  });

  it('--listen beyond loopback answers https only, and only who shows the key that the bank has made', async () => {
    const stateDir = folder();
    const doors = { listen: '0.0.0.0', httpsPort: 0, host: ['bank.example'], signature: 'off' };
    const bank = await started({ stateDir, doors });
    const https = bank.httpsBaseUrl ?? '';
    const ca = bank.caPath;
    expect((await pay(bank.baseUrl, bank)).status).toBe(201);
    expect((await pay(https, bank, { ca })).status).toBe(201);
    const foreign = { ca, servername: 'bank.example', headers: { Host: 'bank.example' } };
    expect((await pay(https, bank, foreign)).status).toBe(401);
    const keyPath = join(stateDir, 'sandbox', 'access-key');
    expect(statSync(keyPath).mode & 0o777).toBe(0o600);
    const shown = { 'X-Access-Key': readFileSync(keyPath, 'utf8') };
    expect((await pay(https, bank, { ...foreign, headers: { ...foreign.headers, ...shown } })).status).toBe(
      201,
    );
    const address = otherAddress();
    if (address === undefined) {
      console.warn('SKIPPED a call to an address of this machine beside loopback: it has none');
      return;
    }
    const far = (base: string) => base.replace('127.0.0.1', address);
    const direct = { ...foreign, headers: { ...foreign.headers, ...shown } };
    await expect(pay(far(bank.baseUrl), bank, direct)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
    expect((await pay(far(https), bank, foreign)).status).toBe(401);
    // Who comes from elsewhere is not of this machine, whatever it says of its Host.
    expect((await pay(far(https), bank, { ...foreign, headers: { Host: 'localhost' } })).status).toBe(401);
    expect((await pay(far(https), bank, direct)).status).toBe(201);
  });

  it('--open --listen-open lets in whoever comes, without TLS and key', async () => {
    const doors = { open: true, listenOpen: true, listen: '0.0.0.0', host: ['localhost', 'bank.example'] };
    const bank = await started({ doors });
    expect((await pay(bank.baseUrl, bank, { headers: { Host: 'bank.example' } })).status).toBe(201);
    expect(
      (await ask(`${bank.baseUrl}/sandbox/steer`, { method: 'POST', body: { do: 'people' } })).status,
    ).toBe(401);
    const address = otherAddress();
    if (address !== undefined)
      expect(
        (await pay(bank.baseUrl.replace('127.0.0.1', address), bank, { headers: { Host: 'localhost' } }))
          .status,
      ).toBe(201);
  });

  it('--listen takes further addresses of loopback, http and https on the same ports', async () => {
    const hasIpv6 = Object.values(networkInterfaces())
      .flat()
      .some((one) => one?.address === '::1');
    if (!hasIpv6) console.warn('SKIPPED ::1: this machine has none');
    const listen = ['127.0.0.2', ...(hasIpv6 ? ['::1'] : [])];
    const bank = await started({ doors: { open: true, listen, httpsPort: 0 } });
    for (const address of ['127.0.0.1', '127.0.0.2', ...(hasIpv6 ? ['[::1]'] : [])]) {
      const at = (base = '') => base.replace('127.0.0.1', address);
      expect([address, (await pay(at(bank.baseUrl), bank)).status]).toEqual([address, 201]);
      const links = linksOf(await pay(at(bank.baseUrl), bank));
      expect(links['scaRedirect']).toMatch(`${at(bank.baseUrl)}/sca/`);
      const { ca } = { ca: bank.caPath };
      if (address !== '127.0.0.2') expect((await pay(at(bank.httpsBaseUrl), bank, { ca })).status).toBe(201);
    }
  });

  it('says which address it cannot have', async () => {
    await expect(
      started({ doors: { open: true, listen: '192.0.2.1', listenOpen: true, host: ['x.example'] } }),
    ).rejects.toMatchObject({
      code: 'SANDBOX_UNAVAILABLE',
      title: 'The bank inside cannot listen at 192.0.2.1.',
    });
  });
});

/** An address of this machine that is not loopback. */
function otherAddress(): string | undefined {
  return Object.values(networkInterfaces())
    .flat()
    .find((one) => one?.family === 'IPv4' && !one.internal)?.address;
}

describe('mapped addresses', () => {
  it('--base-path stands in front of every path and every link', async () => {
    const bank = await started({ doors: { open: true, basePath: '/my/bank' } });
    const { origin } = new URL(bank.baseUrl);
    expect(bank.baseUrl).toBe(`${origin}/my/bank`);
    expect((await pay(origin, bank)).status).toBe(404);
    const paid = await pay(bank.baseUrl, bank);
    const links = linksOf(paid);
    expect(paid.headers['location']).toMatch(/^\/my\/bank\/v1\/payments\/sepa-credit-transfers\/[^/]+$/);
    expect(links['self']).toBe(paid.headers['location']);
    expect((await ask(origin + (links['self'] ?? ''))).status).toBe(200);
    expect((await ask(origin + (links['scaStatus'] ?? ''))).status).toBe(200);
    expect(links['scaRedirect']).toMatch(`${bank.baseUrl}/sca/`);
    const page = await ask(links['scaRedirect'] ?? '');
    const place = new URL(links['scaRedirect'] ?? '').pathname;
    expect([page.status, page.text.includes(`action="${place}"`)]).toEqual([200, true]);
    expect(String(page.headers['set-cookie'])).toContain(`Path=${place};`);
    expect((await ask(`${bank.baseUrl}/phone`)).text).toContain('action="/my/bank/phone"');
    // The hand of the PSU takes the link as it is.
    const { redirectedTo } = bank.decide('approve', links['scaRedirect'] ?? '', 'redirect');
    expect(redirectedTo).toBe('https://tpp.example/cb');
  });

  it.each([
    '/my/bank/.well-known/oauth-authorization-server',
    '/.well-known/oauth-authorization-server/my/bank',
  ])('--base-path has the OAuth metadata at %s', async (at) => {
    const bank = await started({ doors: { open: true, basePath: '/my/bank' } });
    const metadata = JSON.parse((await ask(new URL(at, bank.baseUrl).href)).text) as Record<string, string>;
    expect(metadata).toMatchObject({
      issuer: bank.baseUrl,
      authorization_endpoint: `${bank.baseUrl}/oauth/authorize`,
      token_endpoint: `${bank.baseUrl}/oauth/token`,
    });
  });

  it('--base-path stays in links however the scenario spells them', async () => {
    const bank = await started({ doors: { open: true, basePath: '/my/bank' } });
    bank.scenario({ hrefs: 'without-product' });
    expect(linksOf(await pay(bank.baseUrl, bank))['self']).toMatch(
      /^\/my\/bank\/v1\/payments\/[0-9a-f-]{36}$/,
    );
    bank.scenario({ hrefs: 'absolute' });
    expect(linksOf(await pay(bank.baseUrl, bank))['self']).toMatch(`${bank.baseUrl}/v1/payments/sepa`);
  });

  it('--public-url is what links, pages and OAuth metadata carry, and its Host is answered', async () => {
    const publicUrl = 'https://bank.example:8443/psd2';
    const bank = await started({ doors: { open: true, publicUrl } });
    const { origin } = new URL(bank.baseUrl);
    const paid = await pay(origin, bank, { headers: { Host: 'bank.example' } });
    const links = linksOf(paid);
    expect(links['self']).toMatch(/^\/psd2\/v1\/payments\//);
    expect(links['scaRedirect']).toMatch(`${publicUrl}/sca/`);
    const page = await ask((links['scaRedirect'] ?? '').replace(publicUrl, origin));
    expect(page.text).toContain(`action="${new URL(links['scaRedirect'] ?? '').pathname}"`);
    expect(String(page.headers['set-cookie'])).toMatch(/Path=\/psd2\/sca\/[^;]+;.*Secure/);
    const { text } = await ask(`${origin}/.well-known/oauth-authorization-server`);
    expect(JSON.parse(text)).toMatchObject({ issuer: publicUrl, token_endpoint: `${publicUrl}/oauth/token` });
  });
});

describe('web pages of others', () => {
  const origin = 'https://app.example';
  const asks = (bank: TestBank, at: string, headers: Record<string, string> = {}) =>
    ask(new URL(at, bank.baseUrl).href, {
      method: 'OPTIONS',
      headers: {
        Origin: origin,
        'Access-Control-Request-Method': 'POST',
        'Access-Control-Request-Headers': 'x-request-id,digest',
        ...headers,
      },
    });

  it('are not let in unless --cors names them', async () => {
    for (const doors of [{ open: true }, { open: true, cors: ['https://other.example'] }]) {
      const bank = await started({ doors });
      const asked = await asks(bank, path);
      expect([asked.status, asked.headers['access-control-allow-origin']]).toEqual([405, undefined]);
      const paid = await pay(bank.baseUrl, bank, { headers: { Origin: origin } });
      expect(paid.headers['access-control-allow-origin']).toBeUndefined();
    }
  });

  it('that --cors names call the interface and the token endpoint, but neither pages nor the control API', async () => {
    const bank = await started({ doors: { open: true, cors: ['https://other.example', origin] } });
    for (const at of [path, '/oauth/token', '/.well-known/oauth-authorization-server']) {
      const asked = await asks(bank, at);
      expect([at, asked.status]).toEqual([at, 204]);
      expect(asked.headers).toMatchObject({
        'access-control-allow-origin': origin,
        'access-control-allow-headers': 'x-request-id,digest',
        vary: 'Origin',
      });
      expect(asked.headers['access-control-allow-methods']).toContain('PUT');
    }
    for (const at of [
      '/phone',
      '/consents',
      '/sca/x',
      '/oauth/authorize',
      '/sandbox/steer',
      '/sandbox/api/people',
    ])
      expect([at, (await asks(bank, at)).headers['access-control-allow-origin']]).toEqual([at, undefined]);
    const paid = await pay(bank.baseUrl, bank, { headers: { Origin: origin } });
    expect(paid.headers).toMatchObject({
      'access-control-allow-origin': origin,
      'access-control-expose-headers': '*',
    });
    const metadata = await ask(`${bank.baseUrl}/.well-known/oauth-authorization-server`, {
      headers: { Origin: origin },
    });
    expect(metadata.headers['access-control-allow-origin']).toBe(origin);
  });

  it('call the control API where --cors-control says so, and never without its token', async () => {
    const bank = await started({ doors: { open: true, cors: ['*'], corsControl: true } });
    const asked = await asks(bank, '/sandbox/steer', { 'Access-Control-Request-Private-Network': 'true' });
    expect(asked.headers).toMatchObject({
      'access-control-allow-origin': '*',
      'access-control-allow-private-network': 'true',
    });
    const steered = await ask(`${bank.baseUrl}/sandbox/steer`, {
      method: 'POST',
      body: { do: 'people' },
      headers: { Origin: origin },
    });
    expect([steered.status, steered.headers['access-control-allow-origin']]).toEqual([401, '*']);
    expect((await asks(bank, '/phone')).headers['access-control-allow-origin']).toBeUndefined();
  });
});

interface Made {
  ca: string;
  seal: string;
  sealKey: string;
  qwac: string;
  qwacKey: string;
  issuer: IssuedCertificate;
}

/** Certificates of another TPP by an authority of its own, one pair for each choice of a key. */
async function certificates(into: string, choices: readonly KeyChoice[]): Promise<Made[]> {
  const valid = { notBefore: new Date(Date.now() - 86_400_000), notAfter: new Date(Date.now() + 86_400_000) };
  return Promise.all(
    choices.map(async (choice, index) => {
      const issuer = await createTestCa({ ...valid, ...choice });
      const tpp = {
        ...valid,
        ...choice,
        ca: issuer,
        roles: ['PSP_PI', 'PSP_AI', 'PSP_IC'],
        organizationIdentifier: `PSDFR-ACPR-1234${index}`,
        organizationName: 'Another TPP',
        ncaName: 'ACPR',
        ncaId: 'FR-ACPR',
      } as const;
      const seal = await createTestCertificate({ ...tpp, type: 'qsealc' });
      const qwac = await createTestCertificate({ ...tpp, type: 'qwac' });
      const write = (name: string, text: string) => {
        const file = join(into, `${index}-${name}.pem`);
        writeFileSync(file, text, { mode: 0o600 });
        return file;
      };
      return {
        issuer,
        ca: write('ca', issuer.certificatePem),
        seal: write('seal', seal.certificatePem),
        sealKey: write('seal-key', seal.keyPem.reveal()),
        qwac: write('qwac', qwac.certificatePem),
        qwacKey: write('qwac-key', qwac.keyPem.reveal()),
      };
    }),
  );
}

describe('--trust', () => {
  const sealed = (bank: TestBank, { seal, sealKey }: Made) =>
    tppOf({ baseUrl: bank.baseUrl, certificatePath: seal, keyPath: sealKey })(
      'GET',
      `${path}/none-such/status`,
    );
  const code = ({
    status,
    json,
  }: {
    status: number;
    json: { tppMessages?: { code: string }[] } | undefined;
  }) => [status, json?.tppMessages?.[0]?.code] as const;

  it('takes authorities and single certificates, RSA and EC, one or several in a file', async () => {
    const into = folder();
    const [ec, rsa, single, unknown] = await certificates(into, [
      { keyType: 'ec' },
      { keyType: 'rsa' },
      { keyType: 'rsa' },
      { keyType: 'ec' },
    ]);
    if (!ec || !rsa || !single || !unknown) throw new Error('not made');
    const bundle = join(into, 'bundle.pem');
    writeFileSync(bundle, `Two of them\n${readFileSync(ec.ca, 'utf8')}\r\n${readFileSync(rsa.ca, 'utf8')}`);
    const bank = await started({ doors: { httpsPort: 0, trust: [bundle, single.seal, single.qwac] } });
    for (const one of [ec, rsa, single]) {
      expect(code(await sealed(bank, one))).toEqual([404, 'RESOURCE_UNKNOWN']);
      const over = { ca: bank.caPath, cert: one.qwac, key: one.qwacKey };
      expect(codeOf(await ask(`${bank.httpsBaseUrl}${path}/x/status`, over))).toEqual([
        401,
        'SIGNATURE_MISSING',
      ]);
    }
    expect(code(await sealed(bank, unknown))).toEqual([401, 'CERTIFICATE_INVALID']);
  });

  it('a certificate that is trusted by itself vouches for no other', async () => {
    const into = folder();
    const [one] = await certificates(into, [{ keyType: 'ec' }]);
    if (!one) throw new Error('not made');
    const valid = { notBefore: new Date(Date.now() - 1000), notAfter: new Date(Date.now() + 86_400_000) };
    const forged = await createTestCertificate({
      ...valid,
      keyType: 'ec',
      type: 'qsealc',
      ca: {
        certificatePem: readFileSync(one.seal, 'utf8'),
        keyPem: new Secret(readFileSync(one.sealKey, 'utf8')),
      },
      roles: ['PSP_PI'],
      organizationIdentifier: 'PSDFR-ACPR-99999',
      organizationName: 'Nobody',
      ncaName: 'ACPR',
      ncaId: 'FR-ACPR',
    });
    const [seal, sealKey] = [join(into, 'forged.pem'), join(into, 'forged-key.pem')];
    writeFileSync(seal, forged.certificatePem);
    writeFileSync(sealKey, forged.keyPem.reveal());
    const bank = await started({ doors: { trust: [one.seal] } });
    expect(code(await sealed(bank, { ...one, seal, sealKey }))).toEqual([401, 'CERTIFICATE_INVALID']);
    expect(code(await sealed(bank, one))).toEqual([404, 'RESOURCE_UNKNOWN']);
  });

  it.each([
    ['missing.pem', undefined],
    ['empty.pem', ''],
    ['key.pem', '-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n'],
    ['damaged.pem', '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n'],
  ])('refuses %s, and listens nowhere', async (name, text) => {
    const file = join(folder(), name);
    if (text !== undefined) writeFileSync(file, text);
    await expect(started({ doors: { trust: [file] } })).rejects.toMatchObject({
      code: 'CERTIFICATE_FILE',
      detail: expect.stringContaining(file) as string,
    });
  });
});

describe('the TPP of the bank', () => {
  it('has RSA keys beside those of EC, and both are the same TPP', async () => {
    const stateDir = folder();
    const stop = new AbortController();
    const bank = createBank({ stateDir, clock: { now: () => new Date() } });
    const { doorsFromFlags } = await import('../../../../src/doors/read-doors.ts');
    let served: Promise<void> = Promise.resolve();
    const address = await new Promise<Parameters<Parameters<typeof bank.serve>[1]>[0]>((resolve, reject) => {
      const options = { doors: [doorsFromFlags({ port: 0, httpsPort: 0 })], without: [], rsa: true };
      served = bank.serve(options, resolve, stop.signal);
      served.catch(reject);
    });
    cleanup.push(async () => {
      stop.abort();
      await served;
      await bank.close();
    });
    const { rsa } = address;
    if (rsa === undefined) throw new Error('there is no RSA identity');
    const [debtor] = (await bank.people()).find(({ psuId }) => psuId === 'redirect')?.accounts ?? [];
    const created = await tppOf({ ...address, ...rsa })('POST', path, { body: payment(debtor?.iban ?? '') });
    expect(created.status).toBe(201);
    const read = await tppOf(address)('GET', created.json._links.self.href as string);
    expect(read.status).toBe(200);
    const shown = { ca: address.caPath, cert: rsa.tlsCertificatePath, key: rsa.tlsKeyPath };
    expect(codeOf(await ask(`${address.httpsBaseUrl}${path}/x/status`, shown))).toEqual([
      401,
      'SIGNATURE_MISSING',
    ]);
    for (const file of Object.values(rsa)) expect(statSync(file).mode & 0o777).toBe(0o600);
  });
});
