// Banks that depart from the standard as those of other clients do. Each is written by hand from what is known of a real one; obk
// fails at it as a standard bank, and gets through with a descriptor.
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startDialectBank } from '../helpers/dialect-banks.ts';
import { runInside } from '../helpers/inside.ts';
import { payShop } from '../helpers/obk.ts';
import type { RunningBank } from '../helpers/typed-bank.ts';

const home = mkdtempSync(join(tmpdir(), 'obk-dialects-'));
const env = {
  ...process.env,
  OBK_CONFIG_DIR: join(home, 'config'),
  OBK_STATE_DIR: join(home, 'state'),
  OTP: '123456',
  GATEWAY_KEY: 'k3y-c4n4ry',
};
const obk = (line: readonly string[]) => runInside(line, { env, cwd: home, input: '' });

async function json(line: readonly string[]): Promise<Record<string, unknown>> {
  const { code, stdout, stderr } = await obk([...line, '--json']);
  expect(code, `${line.join(' ')}\n${stderr}`).toBe(0);
  return JSON.parse(stdout) as Record<string, unknown>;
}

let made = 0;

/** A profile with this descriptor of its bank, which is right as it stands; its name. */
async function profile(descriptor: object, ...flags: readonly string[]): Promise<string> {
  made += 1;
  const name = `bank-${String(made)}`;
  const file = join(home, `${name}.json`);
  writeFileSync(file, JSON.stringify(descriptor));
  expect(await json(['bank', 'lint', file])).toMatchObject({ of: 'bank', errors: 0 });
  await json(['profile', 'create', name, '--signing', 'none', '--bank', file, ...flags]);
  return name;
}

const payment = [...payShop, '--psu-ip', '192.0.2.7', '--psu-id', 'anna', '--allow-duplicate'];

describe('a bank like UniCredit', () => {
  let bank: RunningBank;
  let baseUrl: string;
  const otp = ['--otp-from', 'env:OTP', '--wait'];
  beforeAll(async () => {
    bank = await startDialectBank('hydrogen');
    baseUrl = `http://127.0.0.1:${String(bank.port)}/hydrogen`;
  });
  beforeEach(() => bank.asked.splice(0));
  afterAll(() => bank.close());

  it('refuses what a standard bank accepts', async () => {
    const name = await profile({ baseUrl });
    expect((await obk([...payment, ...otp, '--profile', name])).code).toBe(5);
    const typed = await obk([...payment, ...otp, '--profile', name, '--psu-id-type', 'PRIVATE']);
    // It may take that one, but nobody knows what its `next` is.
    expect(typed.stdout).not.toContain('ACSC');
  });

  it('receives a payment by the names of its links, their query untouched', async () => {
    const descriptor = {
      baseUrl,
      headers: {
        rules: [
          { name: 'PSU-ID-Type', action: 'default', value: 'PRIVATE', operations: ['initiatePayment'] },
          { name: 'TPP-Redirect-URI', action: 'require', operations: ['initiatePayment'] },
        ],
      },
      links: { aliases: { next: 'authoriseTransaction' } },
    };
    const name = await profile(descriptor, '--redirect-uri', 'https://tpp.example/back');
    const paid = await json([...payment, ...otp, '--profile', name]);
    expect(paid).toMatchObject({ paymentId: 'p-1', transactionStatus: 'ACSC' });
    expect(bank.asked[1]).toMatchObject({
      method: 'PUT',
      path: expect.stringMatching(/p-1\?authenticationCurrentNumber=7%2F1$/) as string,
    });
  });

  it('is not called at all without what it requires', async () => {
    const rules = [
      { name: 'PSU-ID-Type', action: 'require', operations: ['initiatePayment'], why: 'two values' },
    ];
    const name = await profile({ baseUrl, headers: { rules } });
    const { code, stdout, stderr } = await obk([...payment, '--profile', name]);
    expect({ code, stdout }).toEqual({ code: 3, stdout: '' });
    expect(stderr).toMatch(/requires PSU-ID-Type[^]*two values[^]*--psu-id-type/);
    expect(bank.asked).toEqual([]);
    await obk([...payment, '--profile', name, '--psu-id-type', 'PRIVATE']);
    expect(bank.asked[0]?.headers['psu-id-type']).toBe('PRIVATE');
  });

  it('is announced by the setting of a header about the device of the PSU that it requires', async () => {
    const rules = [{ name: 'PSU-User-Agent', action: 'require', operations: ['initiatePayment'] }];
    const name = await profile({ baseUrl, headers: { rules } });
    const { stderr } = await obk([...payment, '--profile', name]);
    const set = `obk config set psu.context.PSU-User-Agent VALUE --profile ${name}`;
    expect(stderr).toContain(set);
    expect((await obk(set.replace('VALUE', 'shop/1.0').split(' ').slice(1))).code).toBe(0);
    await obk([...payment, '--profile', name]);
    expect(bank.asked[0]?.headers['psu-user-agent']).toBe('shop/1.0');
  });

  it('gets no PSU headers with account data', async () => {
    const agent = ['--psu-context', 'User-Agent=x/1'];
    const read = ['api', 'getAccountList', '-H', 'Consent-ID: c', '--profile'];
    expect((await obk([...read, await profile({ baseUrl }, ...agent)])).code).toBe(5);
    const rules = [{ name: 'PSU-User-Agent', action: 'forbid', operations: ['getAccountList'] }];
    const told = await obk([...read, await profile({ baseUrl, headers: { rules } }, ...agent), '-v']);
    expect(told).toMatchObject({ code: 0 });
    expect(told.stderr).toContain('PSU-User-Agent is left out');
  });
});

describe('a bank like Bank-Verlag', () => {
  let bank: RunningBank;
  const key = ['--header-rule', 'default X-Gateway-Key from env:GATEWAY_KEY'];
  const read = [
    'api',
    'getTransactionList',
    '-f',
    'account-id=a',
    '-f',
    'bookingStatus=booked',
    '-H',
    'Consent-ID: c',
  ];
  beforeAll(async () => {
    bank = await startDialectBank('keyed');
  });
  afterAll(() => bank.close());
  const descriptor = () => ({
    baseUrl: `http://127.0.0.1:${String(bank.port)}`,
    headers: { accept: { getTransactionList: 'text/plain' } },
  });

  it('receives its key, which is written nowhere', async () => {
    expect((await obk([...read, '--profile', await profile(descriptor())])).code).toBe(5);
    const name = await profile(descriptor(), ...key);
    const seen = await obk([...read, '--profile', name, '-vvv', '--curl', '--trace', 'seen.har']);
    expect(seen.code, seen.stderr).toBe(0);
    expect(seen.stdout).toContain(':60F:C261101EUR1,00');
    const explained = await obk(['bank', 'explain', 'getTransactionList', '--profile', name, '--json']);
    const files = readdirSync(home, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'latin1'));
    expect(files.some((text) => text.includes('X-Gateway-Key'))).toBe(true);
    for (const text of [seen.stderr, explained.stdout, ...files]) expect(text).not.toContain('k3y-c4n4ry');
  });

  it('receives what a run names rather than what it is known to give', async () => {
    const name = await profile(descriptor(), ...key);
    expect((await obk([...read, '--profile', name, '--accept', 'application/json'])).code).toBe(5);
  });

  it('receives no blank header', async () => {
    const consent = ['consent', 'create', '--all-psd2', '--psu-ip', '192.0.2.7', '--psu-id', 'anna'];
    const blank = [...consent, '--psu-id-type', '', '--no-input', '--profile'];
    expect((await obk([...blank, await profile(descriptor(), ...key)])).code).toBe(2);
    const rules = [{ name: 'PSU-ID-Type', action: 'dropIfBlank' }];
    const name = await profile({ ...descriptor(), headers: { rules } }, ...key);
    const { stdout, stderr } = await obk([...blank, name, '--json']);
    expect(stdout, stderr).toContain('c-1');
  });
});

describe('a bank like Santander', () => {
  let bank: RunningBank;
  let accounts: RunningBank;
  beforeAll(async () => {
    bank = await startDialectBank('nameless');
    accounts = await startDialectBank('namelessAccounts');
  });
  afterAll(async () => {
    await bank.close();
    await accounts.close();
  });
  const making = ['initiatePayment', 'createConsent', 'startPaymentAuthorisation'];
  const descriptor = () => ({
    baseUrl: `http://127.0.0.1:${String(bank.port)}/psd2`,
    urls: { perService: { ais: `http://127.0.0.1:${String(accounts.port)}/ais` } },
    headers: {
      rules: [
        { name: 'PSU-ID', action: 'forbid', operations: making },
        { name: 'PSU-IP-Address', action: 'require', operations: ['getPaymentInitiationStatus'] },
      ],
    },
    links: { host: 'ignore' },
  });

  it('receives no PSU-ID, and its links are followed although they name another host', async () => {
    const { links: _, ...strict } = descriptor();
    expect((await obk([...payment, '--profile', await profile(strict)])).stderr).toContain('is not followed');
    const name = await profile(descriptor(), '--psu-ip', '192.0.2.7');
    const { paymentId, sca } = await json([...payment, '--profile', name]);
    expect({ paymentId, sca }).toMatchObject({
      paymentId: 'p-2',
      sca: { url: 'https://login.bank.example/x' },
    });
    for (const { headers } of bank.asked) expect(headers).not.toHaveProperty('psu-id');
    expect(await json(['payment', 'status', 'p-2', '--profile', name])).toMatchObject({
      transactionStatus: 'ACSC',
    });
  });

  it('has its accounts at another address, where relative links lead as well', async () => {
    const name = await profile(descriptor(), '--psu-ip', '192.0.2.7');
    const { asked } = bank;
    asked.splice(0);
    await json(['consent', 'create', '--all-psd2', '--psu-id', 'anna', '--profile', name]);
    const rows = await json(['transactions', 'list', '--account', 'a', '--all', '--profile', name]);
    expect(rows).toMatchObject([{ transactionId: 't-1' }, { transactionId: 't-2' }]);
    expect(asked).toEqual([]);
  });

  it('is all at one address where a run names another', async () => {
    const name = await profile(descriptor());
    const elsewhere = ['--base-url', `http://127.0.0.1:${String(bank.port)}`];
    const consent = ['consent', 'create', '--all-psd2', '--psu-ip', '192.0.2.7', '--profile', name];
    const before = accounts.asked.length;
    expect((await obk([...consent, ...elsewhere])).code).toBe(5);
    expect(accounts.asked).toHaveLength(before);
  });

  it('is reached on another machine with all that is known of it', async () => {
    const name = await profile(descriptor());
    const { name: _, ...settings } = await json(['profile', 'show', name]);
    expect((await obk(['profile', 'export', name, '--output', 'away.json'])).code).toBe(0);
    const { name: _other, ...imported } = await json([
      'profile',
      'import',
      'away.json',
      '--name',
      `${name}-too`,
    ]);
    expect(imported).toEqual(settings);
  });
});
