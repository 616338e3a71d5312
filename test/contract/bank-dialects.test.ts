// The bank inside as the banks of each platform that obk brings a template for: obk fails there as at a standard bank, and with
// the template every journey of a TPP passes, without an error that the referee finds.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bankTemplates } from '../../src/banks/templates.ts';
import { startBank } from '../helpers/bank.ts';
import type { TestBank } from '../helpers/bank.ts';
import { runInside } from '../helpers/inside.ts';
import { shop } from '../helpers/obk.ts';

type Line = readonly string[];
interface Ran {
  code: number | null;
  document: Record<string, unknown>;
  rows: Record<string, unknown>[];
  stderr: string;
}

/** A platform: who pays there, what obk does there without its template, and what is said then. */
interface Platform {
  name: string;
  psuId?: string;
  /** What is given beside the template. */
  flags?: Line;
  /** What fails without the template, at the right path. */
  fails: 'pay' | 'nobody' | 'reports' | 'balances' | 'told';
  code?: number;
  says: RegExp;
  /** What the platform does not have. */
  lacks?: readonly ('details' | 'cards')[];
}

const platforms: readonly Platform[] = [
  { name: 'adorsys-modelbank', fails: 'pay', code: 3, says: /CERTIFICATE_INVALID/ },
  { name: 'wso2-open-banking', fails: 'pay', code: 3, says: /SIGNATURE_INVALID/ },
  { name: 'commerzbank-group', psuId: 'redirect', fails: 'pay', code: 5, says: /PSU-ID must not be sent/ },
  { name: 'consors', psuId: 'redirect', fails: 'pay', code: 5, says: /PSU-ID must not be sent/ },
  { name: 'open-bank-project', fails: 'pay', code: 3, says: /SIGNATURE_MISSING/ },
  { name: 'crealogix', fails: 'told', says: /remittance information is an object/ },
  { name: 'db-group', fails: 'pay', code: 5, says: /PSU-ID-Type is missing/ },
  { name: 'fiducia', fails: 'nobody', code: 5, says: /PSU-ID is missing/ },
  { name: 'finanz-informatik', fails: 'reports', code: 5, says: /REQUESTED_FORMATS_INVALID/ },
  {
    name: 'unicredit-group',
    fails: 'pay',
    code: 5,
    says: /PSU-ID-Type is missing|TPP-Redirect-URI is missing/,
  },
  {
    name: 'santander-group',
    psuId: 'redirect',
    fails: 'pay',
    code: 5,
    says: /PSU-ID must not be sent/,
    lacks: ['details', 'cards'],
  },
  {
    name: 'bank-verlag',
    flags: ['--header-rule', 'default X-Gateway-Key from env:GATEWAY_KEY'],
    fails: 'pay',
    code: 5,
    says: /X-Gateway-Key is missing/,
  },
  {
    name: 'n26',
    psuId: 'decoupled',
    fails: 'balances',
    code: 5,
    says: /parameter_not_supported|withBalance/,
  },
  { name: 'intesa-group', fails: 'reports', code: 5, says: /PERIOD_INVALID/ },
];

describe.each(platforms)('a bank as those of $name', (platform) => {
  const { name, psuId = 'embedded-choice' } = platform;
  const settings = bankTemplates.find((template) => template.name === name)?.settings ?? {};
  let bank: TestBank;
  const home = mkdtempSync(join(tmpdir(), 'obk-platform-'));
  beforeAll(async () => {
    bank = await startBank({ bank: name });
    for (const [profile, more] of [
      ['described', ['--bank', name, ...(platform.flags ?? [])]],
      ['plain', ['--framework', String(settings.framework), '--prefix', String(settings.prefix)]],
    ] as const) {
      const made = await obk(['profile', 'create', profile, ...more, ...common()]);
      expect(made.code, made.stderr).toBe(0);
    }
  });
  afterAll(async () => {
    await bank.close();
    rmSync(home, { recursive: true, force: true });
  });

  const common = (): Line => [
    ...['--base-url', bank.baseUrl, '--environment', 'sandbox', '--surface', 'framework'],
    ...['--certificate', bank.certificatePath, '--key', bank.keyPath, '--psu-ip', '192.0.2.1'],
    ...['--redirect-uri', 'https://tpp.example/back'],
  ];

  async function obk(line: Line): Promise<Ran> {
    const { password = '', otp = '' } = bank.people.find((one) => one.psuId === psuId) ?? {};
    const { code, stdout, stderr } = await runInside([...line, '--json', '--no-input'], {
      env: {
        ...process.env,
        OBK_CONFIG_DIR: join(home, 'config'),
        OBK_STATE_DIR: join(home, 'state'),
        PASSWORD: password,
        OTP: otp,
        GATEWAY_KEY: 'k-1',
      },
      cwd: home,
      input: '',
    });
    const document = (stdout === '' ? {} : JSON.parse(stdout)) as Record<string, unknown>;
    return { code, document, rows: Array.isArray(document) ? document : [], stderr };
  }

  const iban = () => bank.person(psuId).accounts[0]?.iban ?? '';
  const as = (): Line => {
    const [method] = bank.person(psuId).methods;
    return [
      ...['--psu-id', psuId, '--psu-password-from', 'env:PASSWORD', '--otp-from', 'env:OTP'],
      ...(method === undefined ? [] : ['--sca-method', method.id]),
    ];
  };
  const pay = (profile: string, who = as()) =>
    obk([
      ...['payment', 'init', ...shop, '--debtor', iban(), '--amount', '1.00', '--allow-duplicate'],
      ...[...who, '--profile', profile],
    ]);

  /** What is begun is led to its end; the PSU approves what the bank asks for itself. */
  async function led(kind: 'payment' | 'consent', begun: Ran): Promise<Ran> {
    const id = String(begun.document[`${kind}Id`]);
    expect(id, begun.stderr).not.toBe('undefined');
    if (
      !['RCVD', 'received'].includes(
        String(begun.document['transactionStatus'] ?? begun.document['consentStatus']),
      )
    )
      return begun;
    await bank.bank.decide('approve', id, psuId).catch(() => undefined);
    return obk([kind, 'authorise', id, ...as(), '--profile', 'described']);
  }

  const consent = (profile: string, ...more: Line) =>
    obk(['consent', 'create', '--iban', iban(), '--recurring', ...more, ...as(), '--profile', profile]);

  async function errors(since: number): Promise<string[]> {
    const log = await bank.bank.log(since);
    return log.flatMap(({ method, path, findings }) =>
      findings.filter(({ severity }) => severity === 'error').map(({ what }) => `${method} ${path}: ${what}`),
    );
  }
  const last = async () => (await bank.bank.log(0)).at(-1)?.number ?? 0;

  it('is not got on with as with a standard bank', { timeout: 60_000 }, async () => {
    const before = await last();
    const failed = await failing();
    if (platform.code !== undefined) expect(failed.code, failed.stderr).toBe(platform.code);
    expect(failed.stderr + JSON.stringify(failed.document)).toMatch(platform.says);
    if (platform.fails !== 'told') expect(await errors(before)).not.toEqual([]);
  });

  async function failing(): Promise<Ran> {
    if (platform.fails === 'pay') return pay('plain');
    if (platform.fails === 'nobody') return pay('plain', []);
    const { document } = await led('consent', await consent('described'));
    const under = ['--consent', String(document['consentId']), '--account', iban()];
    if (platform.fails === 'balances')
      return obk(['accounts', '--with-balance', ...under.slice(0, 2), '--profile', 'plain']);
    return obk(['transactions', 'list', ...under, '--profile', 'plain', '-v']);
  }

  it('is paid with, and the payment is read', { timeout: 60_000 }, async () => {
    const before = await last();
    const paid = await led('payment', await pay('described'));
    expect(paid.code, paid.stderr).toBe(0);
    const id = String(paid.document['paymentId']);
    const status = await obk(['payment', 'status', id, '--profile', 'described']);
    expect(status.document, status.stderr).toMatchObject({ transactionStatus: 'ACSC' });
    const read = await obk(['payment', 'get', id, '--profile', 'described']);
    expect(read.document, read.stderr).toMatchObject({ instructedAmount: { amount: '1.00' } });
    expect(await errors(before)).toEqual([]);
  });

  // Where the other platforms differ is tried above: for them there is nothing to leave out here.
  if (platform.fails === 'nobody')
    it('takes a payment of nobody known yet', { timeout: 60_000 }, async () => {
      const { document, stderr } = await pay('described', []);
      expect(document, stderr).toMatchObject({ transactionStatus: 'RCVD' });
    });

  it('cancels what waits for its day', { timeout: 60_000 }, async () => {
    const before = await last();
    bank.scenario({ lifeCycle: 'next-day' });
    const paid = await led('payment', await pay('described'));
    const id = String(paid.document['paymentId']);
    await obk(['payment', 'cancel', id, '--yes', ...as(), '--profile', 'described']);
    await bank.bank.decide('approve', id, psuId).catch(() => undefined);
    await obk(['payment', 'authorise', id, ...as(), '--profile', 'described']);
    const status = await obk(['payment', 'status', id, '--profile', 'described']);
    expect(status.document, status.stderr).toMatchObject({ transactionStatus: 'CANC' });
    expect(await errors(before)).toEqual([]);
    bank.scenario({ lifeCycle: 'by-person' });
  });

  it('shows accounts under a consent, until it is deleted', { timeout: 60_000 }, async () => {
    const before = await last();
    const made = await led('consent', await consent('described'));
    expect(made.document, made.stderr).toMatchObject({ consentStatus: 'valid' });
    const id = String(made.document['consentId']);
    const under = ['--consent', id, '--profile', 'described'];
    const accounts = await obk(['accounts', '--with-balance', ...under]);
    expect(accounts.rows, accounts.stderr).toMatchObject([{ iban: iban() }]);
    const balances = await obk(['accounts', 'balances', iban(), ...under]);
    expect(balances.rows.length, balances.stderr).toBeGreaterThan(0);
    const window =
      settings.ais?.history?.windowDays === undefined ? [] : ['--date-from', day(bank.clock(), -10)];
    const list = await obk(['transactions', 'list', '--account', iban(), ...window, ...under]);
    expect(list.code, list.stderr).toBe(0);
    for (const row of list.rows)
      expect(row).toMatchObject({ amount: expect.stringMatching(/^-?\d+\.\d\d$/) });
    const details = list.rows[0]?.['transactionId'];
    const isJson = settings.ais?.transactionFormats === undefined;
    if (typeof details === 'string' && isJson && platform.lacks?.includes('details') !== true) {
      const one = await obk(['transactions', 'get', details, '--account', iban(), ...under]);
      expect(one.document, one.stderr).toMatchObject({ transactionId: details });
    }
    const deleted = await obk(['consent', 'delete', id, '--profile', 'described']);
    expect(deleted.document, deleted.stderr).toMatchObject({ consentStatus: 'terminatedByTpp' });
    expect(await errors(before)).toEqual([]);
  });
});

const day = (now: string, days: number): string =>
  new Date(Date.parse(now) + days * 86_400_000).toISOString().slice(0, 10);

it('every template but that of files alone is tried here', () => {
  expect(platforms.map(({ name }) => name).sort()).toEqual(
    bankTemplates
      .map(({ name }) => name)
      .filter((name) => name !== 'adorsys-xs2a')
      .sort(),
  );
});
