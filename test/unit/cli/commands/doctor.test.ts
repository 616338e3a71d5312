import { chmodSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createTestCa, createTestCertificate } from '../../../../src/signing/certificate.ts';
import { runInside } from '../../../helpers/inside.ts';
import { rawServer, wire } from '../../../helpers/raw-server.ts';
import type { RawServer } from '../../../helpers/raw-server.ts';
import { makeCertificate } from '../../../helpers/tls.ts';
import type { Pair } from '../../../helpers/tls.ts';

const home = mkdtempSync(join(tmpdir(), 'obk-doctor-'));
const env = { ...process.env, OBK_CONFIG_DIR: join(home, 'config'), OBK_STATE_DIR: join(home, 'state') };
const servers: RawServer[] = [];
let ca: Pair;
let bank: Pair;
let tpp: Pair;

beforeAll(async () => {
  ca = await makeCertificate({ subject: 'CN=CA' });
  bank = await makeCertificate({ subject: 'CN=Bank', issuer: ca, names: ['127.0.0.1'] });
  tpp = await makeCertificate({ subject: 'CN=TPP', issuer: ca, names: ['tpp.example'] });
  const now = Date.now();
  const issue = {
    keyType: 'ec',
    notBefore: new Date(now - 86_400_000),
    notAfter: new Date(now + 9e9),
  } as const;
  const seal = await createTestCertificate({
    ...{ ...issue, ca: await createTestCa(issue), type: 'qsealc', roles: ['PSP_AI'] },
    ...{
      organizationIdentifier: 'PSDDE-BAFIN-1',
      organizationName: 'TPP',
      ncaName: 'BaFin',
      ncaId: 'DE-BAFIN',
    },
  });
  file('seal.pem', seal.certificatePem);
  file('seal.key', seal.keyPem.reveal());
  file('tpp.pem', tpp.certificate);
  file('tpp.key', tpp.key);
  file('ca.pem', ca.certificate);
});
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

function file(name: string, text: string): void {
  writeFileSync(join(home, name), text, { mode: 0o600 });
}

/** A bank that wants a client certificate and answers each read so. */
async function serve(code = 'CONSENT_UNKNOWN', date = new Date()): Promise<RawServer> {
  const body = JSON.stringify({ tppMessages: [{ category: 'ERROR', code }] });
  const status = code === 'CONSENT_UNKNOWN' ? '403 Forbidden' : '401 Unauthorized';
  const headers = ['Content-Type: application/json', `Date: ${date.toUTCString()}`];
  const server = await rawServer((socket) => socket.end(wire(status, body, headers)), {
    ...{ cert: bank.certificate, key: bank.key, ca: ca.certificate, requestCert: true },
  });
  servers.push(server);
  return server;
}

interface Report {
  ok: boolean;
  findings: { check: string; state: string; text: string; hint: string | null }[];
}

/** Examines a new profile. */
async function examine(port: number, settings: readonly string[] = [], flags: readonly string[] = []) {
  const name = `p${String(Math.random()).slice(2, 10)}`;
  const inside = (args: readonly string[]) => runInside(args, { env, cwd: home });
  const made = await inside([
    ...['profile', 'create', name, '--base-url', `https://127.0.0.1:${port}`, '--ca', 'ca.pem'],
    ...['--certificate', 'seal.pem', '--key', 'seal.key', '--no-check', ...settings],
  ]);
  expect(made).toMatchObject({ code: 0 });
  const { code, stdout } = await inside(['doctor', '--profile', name, '--json', ...flags]);
  const { findings, ok } = JSON.parse(stdout) as Report;
  return { code, ok, findings, of: (check: string) => findings.filter((one) => one.check === check) };
}

const mutual = ['--tls-certificate', 'tpp.pem', '--tls-key', 'tpp.key'];

describe('obk doctor', () => {
  it('finds the bank inside well at once', async () => {
    const { code, stdout } = await runInside(['doctor', '--json'], { env, cwd: home });
    const { ok, findings } = JSON.parse(stdout) as Report;
    expect({ code, ok, bad: findings.filter(({ state }) => state !== 'ok') }).toEqual({
      code: 0,
      ok: true,
      bad: [],
    });
    expect(findings.map(({ check }) => check)).toEqual(['state', 'qsealc', 'key', 'tcp', 'call', 'clock']);
  });

  it('gives the command that makes a chain whole on one line, and breaks no word of 80 columns', async () => {
    const middle = await makeCertificate({ subject: 'CN=Middle', issuer: ca });
    const short = await makeCertificate({ subject: 'CN=TPP', issuer: middle, names: ['tpp.example'] });
    file('short.pem', short.certificate);
    file('short.key', short.key);
    const made = [
      'profile',
      'create',
      'short',
      '--base-url',
      'https://bank.example',
      '--ca',
      'ca.pem',
      '--no-check',
      ...['--environment', 'test'],
    ];
    const files = ['--signing', 'none', '--tls-certificate', 'short.pem', '--tls-key', 'short.key'];
    expect((await runInside([...made, ...files], { env, cwd: home })).code).toBe(0);
    const { stdout } = await runInside(['doctor', '--profile', 'short', '--offline'], {
      ...{ env, cwd: home, columns: 80 },
    });
    const lines = stripVTControlCharacters(stdout).split('\n');
    const isCommand = (line: string) => line.trim().startsWith('obk ');
    expect(lines.filter((line) => line.length > 80 && line.trim().includes(' ') && !isCommand(line))).toEqual(
      [],
    );
    const path = join(home, 'short.pem');
    const command = lines.find((line) => line.trim().startsWith('obk cert import'))?.trim() ?? '';
    expect(command).toContain(`obk cert import ${path} --chain ISSUER.pem`);
    expect(command).toMatch(
      /short\.pem --chain ISSUER\.pem --key \S+short\.key --as qwac --profile short --force$/,
    );
  });

  it('says that a bank wants the client certificate, takes it, and knows no such consent', async () => {
    const server = await serve();
    const report = await examine(server.port, mutual, ['--needs', 'AI']);
    expect(report.of('tls').map(({ text }) => text)).toEqual([
      expect.stringContaining('is trusted'),
      expect.stringContaining('accepted'),
    ]);
    expect(report.of('call')).toMatchObject([
      { state: 'ok', text: expect.stringContaining('403 CONSENT_UNKNOWN') as string },
    ]);
    expect(report.of('clock')).toMatchObject([{ state: 'ok' }]);
    // Three handshakes at most, and one request: the signed read.
    expect(server.arrivals.map(({ head }) => head.split('\r\n')[0])).toEqual([
      expect.stringMatching(/^GET \/v1\/consents\/[0-9a-f-]{36}\/status /),
    ]);
  });

  it('says what is missing where the bank ends the handshake, and calls nobody', async () => {
    const server = await serve();
    const report = await examine(server.port);
    expect(report).toMatchObject({ code: 10, ok: false });
    const none = expect.stringContaining('none was offered') as string;
    expect(report.of('tls')).toMatchObject([{ state: 'fail', text: none }]);
    expect(report.of('call')).toEqual([]);
    expect(server.arrivals).toEqual([]);
  });

  it('finds what is wrong on both sides', async () => {
    const server = await serve('SIGNATURE_INVALID', new Date(Date.now() + 3_600_000));
    chmodSync(join(home, 'seal.key'), 0o644);
    const report = await examine(server.port, mutual, ['--needs', 'PI']).finally(() => {
      chmodSync(join(home, 'seal.key'), 0o600);
    });
    expect(report.code).toBe(10);
    expect(report.of('key')[0]).toMatchObject({
      state: 'warn',
      hint: expect.stringContaining('chmod 600') as string,
    });
    expect(report.of('qsealc').filter(({ text }) => text.includes('PSP_PI'))).toMatchObject([
      { state: 'fail' },
    ]);
    expect(report.of('call')).toMatchObject([{ state: 'fail', hint: 'obk sign explain @last' }]);
    expect(report.of('clock')).toMatchObject([
      { state: 'fail', text: expect.stringMatching(/3[56]..\s*s ahead/) as string },
    ]);
  });

  it('opens no connection with --offline, and calls no bank in production unasked', async () => {
    const server = await serve();
    const offline = await examine(server.port, mutual, ['--offline']);
    expect(offline.findings.map(({ check }) => check)).not.toContain('tls');
    expect(server.connections).toBe(0);
    const production = await examine(server.port, [...mutual, '--environment', 'production']);
    expect(production.of('call')).toMatchObject([
      { state: 'warn', hint: expect.stringContaining('--yes') as string },
    ]);
    expect(server.arrivals).toEqual([]);
    const agreed = await examine(server.port, [...mutual, '--environment', 'production'], ['--yes']);
    expect(agreed.of('call')).toMatchObject([{ state: 'ok' }]);
  });

  it('reads the metadata of the OAuth server that the profile names', async () => {
    const server = await rawServer(
      (socket, { head }) => {
        const issuer = `https://127.0.0.1:${String(server.port)}`;
        const known = head.startsWith('GET /.well-known/oauth-authorization-server ');
        const body = known
          ? { issuer, authorization_endpoint: `${issuer}/a`, token_endpoint: `${issuer}/t` }
          : { tppMessages: [{ category: 'ERROR', code: 'CONSENT_UNKNOWN' }] };
        // Said, since otherwise the next read may take the connection before it hears that it was closed.
        const headers = ['Content-Type: application/json', 'Connection: close'];
        socket.end(wire(known ? '200 OK' : '403 Forbidden', JSON.stringify(body), headers));
      },
      { cert: bank.certificate, key: bank.key },
    );
    servers.push(server);
    const issuer = `https://127.0.0.1:${String(server.port)}`;
    const good = await examine(server.port, [...mutual, '--oauth-issuer', issuer]);
    expect(good.of('oauth')).toMatchObject([
      { state: 'ok', text: expect.stringContaining(`${issuer}/t`) as string },
    ]);
    const bad = await examine(server.port, [...mutual, '--oauth-metadata', `${issuer}/elsewhere`]);
    expect(bad).toMatchObject({ code: 10 });
    expect(bad.of('oauth')).toMatchObject([{ state: 'fail' }]);
    expect((await examine(server.port, mutual)).of('oauth')).toEqual([]);
  });

  it('reaches the addresses of single services too', async () => {
    const server = await serve();
    const there = await serve();
    const url = `https://127.0.0.1:${String(there.port)}`;
    const good = await examine(server.port, [...mutual, '--service-url', `piis=${url}`]);
    expect(good.of('tls').map(({ text }) => text)).toContain(`127.0.0.1:${String(there.port)} is reached`);
    await there.close();
    const bad = await examine(server.port, [...mutual, '--service-url', `piis=${url}`]);
    expect({ ok: bad.ok, tcp: bad.of('tcp') }).toMatchObject({ ok: false, tcp: [{ state: 'fail' }] });
  });

  it('tells of files that are not there and keys that do not fit', async () => {
    const report = await examine(1, ['--tls-certificate', 'none.pem', '--tls-key', 'tpp.key'], ['--offline']);
    expect(report.of('qwac')).toMatchObject([{ state: 'fail' }]);
    const swapped = await examine(1, ['--key', 'tpp.key'], ['--offline']);
    expect(swapped.of('qsealc').filter(({ state }) => state === 'fail')).toMatchObject([
      { text: expect.stringContaining('does not belong to the signing certificate') as string },
    ]);
  });
});

it.each([
  ['NODE_TLS_REJECT_UNAUTHORIZED', '0', '1'],
  ['NODE_OPTIONS', '--require ./x.cjs', ''],
  ['NODE_EXTRA_CA_CERTS', './ca.pem', ''],
  ['SSLKEYLOGFILE', './keys', ''],
  ['NODE_DEBUG', 'tls', 'fs'],
  ['OBK_ALLOW_SHARED_FOLDERS', '1', '0'],
])('names %s where it is %j, and not where it is %j', async (name, disturbing, harmless) => {
  const named = async (value: string) => {
    const ran = await runInside(['doctor', '--offline', '--profile', 'sandbox', '--json'], {
      env: { ...env, [name]: value },
      cwd: home,
    });
    const { findings } = JSON.parse(ran.stdout) as Report;
    return findings.filter(({ check }) => check === 'environment');
  };
  expect(await named(disturbing)).toMatchObject([{ state: 'warn', hint: `unset ${name}` }]);
  expect(await named(harmless)).toEqual([]);
});

describe('a bank that speaks another framework', () => {
  const deserialize =
    'Cannot deserialize value of type `java.util.ArrayList` from String value (token `JsonToken.VALUE_STRING`)';

  it.each([
    [deserialize, true],
    ['The field remittanceInformationStructuredArray is not expected in the request', true],
    ['Unrecognized field "debtorName" (class PaymentInitiation)', true],
    ['The IBAN is wrong', false],
  ])('is told from a refusal in the journal: %s', async (text, isTold) => {
    const body = JSON.stringify({ tppMessages: [{ category: 'ERROR', code: 'FORMAT_ERROR', text }] });
    const server = await rawServer((socket) =>
      socket.end(wire('400 Bad Request', body, ['Content-Type: application/json'])),
    );
    servers.push(server);
    const folder = mkdtempSync(join(tmpdir(), 'obk-doctor-'));
    const own = { ...env, OBK_CONFIG_DIR: join(folder, 'config'), OBK_STATE_DIR: join(folder, 'state') };
    const obk = (...words: readonly string[]) =>
      runInside([...words, '--no-input'], { env: own, cwd: folder, input: '' });
    const url = `http://127.0.0.1:${String(server.port)}`;
    await obk('profile', 'create', 'acme', '--base-url', url, '--environment', 'test', '--signing', 'none');
    const pay = ['payment', 'init', '--product', 'sepa-credit-transfers', '--psu-ip', '192.0.2.1'];
    const to = ['--creditor-name', 'S', '--creditor-account', 'DE89370400440532013000', '--amount', '1.00'];
    const refused = await obk(...pay, ...to, '--debtor', 'DE02120300000000202051', '--profile', 'acme');
    expect(refused.code, refused.stderr).toBe(5);
    const findings = async () => {
      const { stdout } = await obk('doctor', '--offline', '--profile', 'acme', '--json');
      const all = (JSON.parse(stdout) as { findings: { check: string; hint: string; text: string }[] })
        .findings;
      return all.filter(({ check }) => check === 'framework');
    };
    const found = await findings();
    expect(found.map(({ hint }) => hint)).toEqual(isTold ? ['obk profile edit acme --framework 1.3.6'] : []);
    // The line mends it: what was refused before says nothing of the framework of now.
    await obk('profile', 'edit', 'acme', '--framework', '1.3.6');
    expect(await findings()).toEqual([]);
  });
});
