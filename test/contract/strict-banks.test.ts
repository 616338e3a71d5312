// Banks that go by an OpenAPI file to the letter, each typed by hand: two by the framework's own, two by the copies that one vendor
// has edited. obk gets along with all of them, and knows no more of them than an address, a variant and its own certificate.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { runInside } from '../helpers/inside.ts';
import { challenge, iban, otp, password, startStrictBank } from '../helpers/strict-bank.ts';
import type { StrictBank } from '../helpers/strict-bank.ts';
import { StrictFile, hasFile } from '../helpers/strict-file.ts';
import { part, ranTable } from '../helpers/trials.ts';
import { inTurns } from '../helpers/turns.ts';
import { namesIn, strictRows } from '../helpers/strict-requests.ts';
import type { Edition } from '../helpers/strict-requests.ts';

const editions = [
  ['1.3.3', 'v1', 'psd2-api-1.3.3.yaml'],
  ['1.3.6', 'v136', 'psd2-api-1.3.6.yaml'],
  ['adorsys-1.3.3', 'v1', 'adorsys-1.3.3.yaml'],
  ['adorsys-1.3.6', 'v136', 'adorsys-1.3.6.yaml'],
] as const satisfies readonly (readonly [Edition, 'v1' | 'v136', string])[];

type Printed = Record<string, string | undefined>;

describe.each(editions)('a bank that follows the file %s', (edition, variant, file) => {
  // The tables and tests take turns.
  const own = editions.findIndex(([name]) => name === edition);
  const turn = inTurns(2, own);
  const home = mkdtempSync(join(tmpdir(), 'obk-strict-'));
  const env = {
    ...process.env,
    OBK_CONFIG_DIR: join(home, 'config'),
    OBK_STATE_DIR: join(home, 'state'),
    OBK_PSU_IP: '192.0.2.1',
    OBK_PROFILE: 'strict',
    OBK_DEBTOR_NAME: 'Payer',
    PASSWORD: password,
    OTP: otp,
  };
  let bank: StrictBank;
  let judge: StrictFile | undefined;
  const faults: string[] = [];
  const ofFramework = () => run(['profile', 'edit', 'strict', '--surface', 'framework']);

  async function run(line: readonly string[]) {
    const { code, stdout, stderr } = await runInside([...line, '--json'], { env, cwd: home, input: '' });
    return { code, stderr, document: (stdout === '' ? {} : JSON.parse(stdout)) as Printed };
  }
  /** As `run`, of a command that ends well. */
  async function good(...line: readonly string[]): Promise<Printed> {
    const { code, stderr, document } = await run(line);
    expect(code, `${line.join(' ')}\n${stderr}\n${bank.refusals().join('\n')}`).toBe(0);
    return document;
  }
  const rows = async (...line: readonly string[]) => (await good(...line)) as unknown as Printed[];

  beforeAll(async () => {
    bank = await startStrictBank(edition, variant === 'v1' ? '/v1' : '/v136');
    const seal = ['cert', 'create', '--type', 'qsealc', '--org-id', 'PSDDE-BAFIN-123456', '--name', 'Shop'];
    const { certificate = '', key = '' } = await good(...seal, '--dir', join(home, 'c'));
    const own = ['--certificate', certificate, '--key', key, '--redirect-uri', 'https://tpp.example/back'];
    await good('profile', 'create', 'strict', '--base-url', bank.baseUrl, '--variant', variant, ...own);
  });
  afterEach(() => {
    if (!hasFile(file)) return;
    judge ??= new StrictFile(file);
    const prefix = variant === 'v1' ? '/v1' : '/v136';
    for (const made of bank.take()) {
      const title = `${made.method} ${made.path} ${String(made.status)}`;
      if (made.status < 400)
        faults.push(...judge.requestFaults(made, prefix).map((fault) => `${title}: request: ${fault}`));
      if (made.status !== 404)
        faults.push(...judge.answerFaults(made, prefix).map((fault) => `${title}: answer: ${fault}`));
    }
  });
  afterAll(async () => {
    ranTable(`payments and consents of ${edition}`);
    await bank.close();
    rmSync(home, { recursive: true, force: true });
  });

  const secrets = ['--psu-password-from', 'env:PASSWORD', '--otp-from', 'env:OTP', '--sca-method', 'chip'];
  const sepa = [
    ...['payment', 'init', '--product', 'sepa-credit-transfers', '--debtor', iban, '--amount', '3.10'],
    ...['--creditor-name', 'Shop', '--creditor-account', 'DE89370400440532013000', '--allow-duplicate'],
  ];

  turn('a payment with a chosen method and its challenge, and its cancellation', async () => {
    const line = [...sepa, '--psu-id', 'embedded', ...secrets];
    const { code, stderr, document } = await run(line);
    expect(code, stderr).toBe(0);
    expect(document).toMatchObject({ transactionStatus: 'ACTC' });
    expect(stderr).toContain(challenge);
    const id = document['paymentId'] ?? '';
    expect(await good('payment', 'status', id)).toMatchObject({ transactionStatus: 'ACTC' });
    expect(await good('payment', 'get', id)).toMatchObject({ creditorName: 'Shop' });
    expect(await rows('payment', 'authorisations', id)).toHaveLength(1);
    const cancelled = await good('payment', 'cancel', id, '--psu-id', 'embedded', ...secrets);
    expect(cancelled).toMatchObject({ transactionStatus: 'CANC' });
    expect(await rows('payment', 'authorisations', id)).toHaveLength(2);
    expect(bank.refusals()).toEqual([]);
  });

  it.each(part(['redirect', 'decoupled'], 4, own))(
    'serves a payment and its cancellation: %s',
    async (psuId) => {
      const { paymentId: id = '' } = await good(...sepa, '--psu-id', psuId);
      bank.approve();
      expect(await good('payment', 'authorise', id)).toMatchObject({ transactionStatus: 'ACTC' });
      // The cancellation waits for the PSU.
      expect((await run(['payment', 'cancel', id, '--psu-id', psuId])).code).toBe(0);
      bank.approve();
      expect(await good('payment', 'status', id)).toMatchObject({ transactionStatus: 'CANC' });
      expect(bank.refusals()).toEqual([]);
    },
  );

  turn('payments of the other services, and as pain.001', async () => {
    const standing = ['--start-date', '2099-01-01', '--frequency', 'Monthly'];
    const to = [...sepa, '--psu-id', 'redirect'];
    await good(...to, '--service', 'periodic-payments', ...standing);
    writeFileSync(
      join(home, 'payments.csv'),
      'creditor_name,creditor_iban,amount\nShop,DE89370400440532013000,1.00\n',
    );
    const bulk = [
      'payment',
      'init',
      '--service',
      'bulk-payments',
      '--from-csv',
      'payments.csv',
      '--debtor',
      iban,
    ];
    await good(...bulk, '--product', 'sepa-credit-transfers', '--psu-id', 'redirect');
    await good(...bulk, '--product', 'pain.001-sepa-credit-transfers', '--psu-id', 'redirect');
    const abroad = to.map((word) =>
      word === 'sepa-credit-transfers' ? 'cross-border-credit-transfers' : word,
    );
    await good(...abroad, '--creditor-address', 'street=High Street;city=London;country=GB');
    const pain = to.map((word) => (word === 'sepa-credit-transfers' ? `pain.001-${word}` : word));
    await good(...pain);
    await good(...pain, '--service', 'periodic-payments', ...standing);
    expect(bank.refusals()).toEqual([]);
  });

  const forms = [
    [['--iban', iban]],
    [['--accounts', iban, '--balances', iban]],
    [['--available-accounts']],
    [['--all-psd2']],
    [['--bank-offered']],
  ] as const;
  it.each(part(forms, 4, own))('serves a consent: %s', async (flags) => {
    const { consentId = '' } = await good('consent', 'create', ...flags, '--psu-id', 'redirect');
    bank.approve();
    expect(await good('consent', 'authorise', consentId)).toMatchObject({ consentStatus: 'valid' });
    expect(await good('consent', 'status', consentId)).toMatchObject({ consentStatus: 'valid' });
    expect(await good('consent', 'get', consentId)).toMatchObject({ consentStatus: 'valid' });
    expect(await good('consent', 'delete', consentId)).toMatchObject({ consentStatus: 'terminatedByTpp' });
    expect(bank.refusals()).toEqual([]);
  });

  it.each(part(['embedded', 'decoupled'], 4, own + 2))(
    'serves a consent in another approach: %s',
    async (psuId) => {
      const how = psuId === 'embedded' ? secrets : [];
      const { consentId = '' } = await good('consent', 'create', '--iban', iban, '--psu-id', psuId, ...how);
      bank.approve();
      expect(await good('consent', 'authorise', consentId)).toMatchObject({ consentStatus: 'valid' });
      expect(bank.refusals()).toEqual([]);
    },
  );

  it('serves a consent for all accounts with balances', async () => {
    const line = ['consent', 'create', '--available-accounts-with-balance', '--psu-id', 'redirect'];
    // Of three spellings in 1.3.2 one has to be the default; the refusal says how a bank is told that has another.
    if (edition === 'adorsys-1.3.3') {
      const { code, stderr } = await run(line);
      expect(code).toBe(5);
      expect(stderr).toContain('obk config set consent.withBalances plural --profile strict');
      bank.refusals();
      await good('config', 'set', 'consent.withBalances', 'plural', '--profile', 'strict');
    }
    expect(await good(...line)).toMatchObject({ consentStatus: 'received' });
    expect(bank.refusals()).toEqual([]);
  });

  async function everythingAllowed() {
    const embedded = ['--psu-id', 'embedded', ...secrets];
    const { consentId = '' } = await good('consent', 'create', '--all-psd2', '--recurring', ...embedded);
    await good('consent', 'use', consentId);
  }

  turn('accounts, balances and transactions in JSON and text', async () => {
    await everythingAllowed();
    expect(await rows('accounts')).toMatchObject([{ iban }]);
    expect(await rows('accounts', '--with-balance')).toMatchObject([{ iban }]);
    expect(await good('accounts', 'get', 'acc-1')).toMatchObject({ iban });
    expect(await rows('accounts', 'balances', 'acc-1')).toMatchObject([{ balanceType: 'closingBooked' }]);
    const list = ['transactions', 'list', '--account', 'acc-1'];
    expect(await rows(...list)).toMatchObject([
      { transactionId: 't-1', remittanceInformationStructured: 'RF18539007547034' },
    ]);
    await good(...list, '--booking-status', 'both', '--with-balance', '--date-from', '2026-01-01');
    expect(await good('transactions', 'get', 't-1', '--account', 'acc-1')).toMatchObject({
      transactionId: 't-1',
    });
    await good(...list, '--accept', 'mt940');
    if (variant === 'v1') expect(await rows('cards')).toMatchObject([{ maskedPan: '525412******3241' }]);
    expect(bank.refusals()).toEqual([]);
  });

  it('serves funds, where the service has them', async () => {
    const line = ['funds', 'check', '--account', iban, '--amount', '1.00', '--payee', 'Shop'];
    if (variant === 'v136') expect((await run(line)).code).toBe(2);
    else expect(await good(...line)).toEqual({ fundsAvailable: true });
    expect(bank.refusals()).toEqual([]);
  });

  turn('what only the framework has: baskets, funds and card accounts', async () => {
    await ofFramework();
    const payments = [await good(...sepa, '--authorise-later'), await good(...sepa, '--authorise-later')];
    const ids = payments.flatMap(({ paymentId = '' }) => ['--payment', paymentId]);
    const { basketId = '' } = await good('basket', 'create', ...ids, '--psu-id', 'embedded', ...secrets);
    expect(await good('basket', 'status', basketId)).toMatchObject({ transactionStatus: 'ACTC' });
    await good('basket', 'get', basketId);
    await good('basket', 'delete', basketId);
    await everythingAllowed();
    const line = ['funds', 'check', '--account', iban, '--amount', '1.00'];
    expect(await good(...line)).toEqual({ fundsAvailable: true });
    expect(await good('cards', 'get', 'card-1')).toMatchObject({ maskedPan: '525412******3241' });
    expect(await rows('cards', 'balances', 'card-1')).toHaveLength(1);
    expect(await rows('cards', 'transactions', '--account', 'card-1')).toHaveLength(1);
    expect(bank.refusals()).toEqual([]);
  });

  it.skipIf(!hasFile(file))('was typed as the file has it', () => {
    const declared = (judge ??= new StrictFile(file)).requests();
    const typed = Object.entries(strictRows[edition]).map(([line, row]) => {
      const [headers, query] = [namesIn(row.headers), namesIn(row.query)];
      const required = ['X-Request-ID', ...headers.required, ...query.required].sort();
      return {
        line,
        headers: headers.all.sort(),
        query: query.all.sort(),
        required,
        body: row.body !== undefined,
      };
    });
    expect(typed.sort(byLine)).toEqual(declared.sort(byLine));
  });

  it.skipIf(!hasFile(file))('was called as the file has it, on both sides', () => {
    expect([...new Set(faults)]).toEqual([]);
  });
});

const byLine = (a: { line: string }, b: { line: string }) => (a.line < b.line ? -1 : 1);
