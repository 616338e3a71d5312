import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Secret } from '../../../../src/base/secret.ts';
import { startBank } from '../../../helpers/bank.ts';
import { controlOf } from '../../../helpers/control.ts';
import { payment, tppOf } from '../tpp.ts';
import {
  ask,
  certificates,
  codeOf,
  debtorOf,
  folder,
  linksOf,
  otherAddress,
  path,
  pay,
  started,
  useCleanup,
} from './callers.ts';

useCleanup();

describe('a bank with all doors open', () => {
  it('asks nobody who calls, has no limit, and has passwords that everybody knows', async () => {
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

  it('leaves secrets that a tester gives a customer as they are', async () => {
    const bank = await started({ doors: { open: true } });
    const control = controlOf(bank);
    const secrets = async () => {
      const { password, otp } = (await control('GET', '/people/anna')).json;
      return [password, otp];
    };
    await control('POST', '/people', { body: { psuId: 'anna', approach: 'EMBEDDED', password: 'secret' } });
    expect(await secrets()).toEqual(['secret', '123456']);
    await control('PATCH', '/people/anna', { body: { otp: '654321' } });
    expect(await secrets()).toEqual(['secret', '654321']);
  });

  it('gives the known secrets also to those of a file whose password the file leaves out', async () => {
    const config = join(folder(), 'bank.yaml');
    const people = [
      '{ psuId: ben, approach: EMBEDDED }',
      '{ psuId: anna, approach: EMBEDDED, additionalPassword: second, otp: 000001 }',
    ];
    writeFileSync(config, `people: [${people.join(', ')}]\n`);
    const bank = await started({ config, doors: { open: true } });
    const { people: told } = (await controlOf(bank)('GET', '/people')).json as {
      people: { password: string; otp: string; additionalPassword?: string }[];
    };
    const secrets = told.map(({ password, otp, additionalPassword }) => [password, otp, additionalPassword]);
    expect(secrets).toEqual([
      ['password', '123456', undefined],
      ['password', '000001', 'second'],
    ]);
  });

  it('reports it as its scenario, which nobody changes while it runs', async () => {
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
    expect((await again.bank.people()).map(({ otp }) => otp)).toContain('123456');
    expect((await pay(again.baseUrl, again)).status).toBe(201);
  });

  it('is closed again where a bank starts after one that was killed', async () => {
    const stateDir = folder();
    // What a bank leaves behind that had no time to end.
    const { openLedger } = await import('../../../../src/bank/books/ledger.ts');
    const { setLedgerDoors } = await import('../../../../src/bank/books/ledger-doors.ts');
    await (await startBank({ stateDir })).close();
    const ledger = openLedger(join(stateDir, 'sandbox', 'ledger.db'), new Date());
    setLedgerDoors(ledger.main, { open: true, pinned: { signature: 'off' }, ready: false });
    ledger.close();
    const bank = await started({ stateDir });
    expect(codeOf(await pay(bank.baseUrl, bank))).toEqual([401, 'SIGNATURE_MISSING']);
    expect(bank.person('redirect').password).not.toBe('password');
  });
});

describe('a door of the bank', () => {
  it('limits the calls of a minute with --rate', async () => {
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
    'decides with %j on http about a call without a signature, and with a wrong one',
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
    'decides with --client-certificate %s on https about no certificate, a right one and an unknown one',
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

  it('answers with --host at those that are added, whatever their port, and no others', async () => {
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

  it('requires with --access-key-from the key on every call, on none that a browser makes, and never in place of the token', async () => {
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
    expect((await ask(`${bank.baseUrl}/sandbox/api/people`, right)).status).toBe(401);
  });

  it('refuses an empty access key, since everybody would know it', async () => {
    const secret = () => Promise.resolve(new Secret(''));
    await expect(started({ doors: { accessKeyFrom: 'env:KEY' }, secret })).rejects.toMatchObject({
      code: 'USAGE',
    });
  });

  it('answers with --listen beyond loopback https only, and only callers with the key that the bank has made', async () => {
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

  it('lets everybody in with --open --listen-open, without TLS and key', async () => {
    const doors = { open: true, listenOpen: true, listen: '0.0.0.0', host: ['localhost', 'bank.example'] };
    const bank = await started({ doors });
    expect((await pay(bank.baseUrl, bank, { headers: { Host: 'bank.example' } })).status).toBe(201);
    expect((await ask(`${bank.baseUrl}/sandbox/api/people`)).status).toBe(401);
    const address = otherAddress();
    if (address !== undefined)
      expect(
        (await pay(bank.baseUrl.replace('127.0.0.1', address), bank, { headers: { Host: 'localhost' } }))
          .status,
      ).toBe(201);
  });

  it('is added with --listen on further addresses of loopback, http and https on the same ports', async () => {
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

  it('names the address that it cannot have', async () => {
    await expect(
      started({ doors: { open: true, listen: '192.0.2.1', listenOpen: true, host: ['x.example'] } }),
    ).rejects.toMatchObject({
      code: 'SANDBOX_UNAVAILABLE',
      title: 'The bank inside cannot listen at 192.0.2.1.',
    });
  });
});
