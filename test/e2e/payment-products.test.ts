import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { insideOf } from '../helpers/inside.ts';
import { createObk } from '../helpers/obk.ts';
import type { Obk } from '../helpers/obk.ts';
import { startStandaloneBank } from '../helpers/standalone-bank.ts';
import type { RunningBank } from '../helpers/standalone-bank.ts';
import { part, ranTable } from '../helpers/trials.ts';

/** Every service and product goes out from flags, CSV or a file, and comes back as it was sent; against both variants. */
const variants = ['v1', 'v136'] as const;
let bank: RunningBank;
let home: Obk;
let obk: ReturnType<typeof insideOf>;
let iban: string;

beforeAll(async () => {
  bank = await startStandaloneBank();
  home = createObk({ CI: 'true' });
  obk = insideOf(home);
  iban = bank.payer().iban;
  for (const variant of variants) {
    const made = ['profile', 'create', variant, '--variant', variant, '--base-url', bank.baseUrl];
    const keys = ['--certificate', bank.certificatePath, '--key', bank.keyPath];
    await obk.json([...made, ...keys, '--environment', 'test', '--debtor', iban, '--debtor-name', 'Payer']);
  }
  writeFileSync(
    join(home.folder, 'bulk.csv'),
    'creditor_name;creditor_iban;amount;remittance\nShop;DE89370400440532013000;1.00;one\nOther;DE02100100109307118603;2.50;\n',
  );
}, 30_000);
afterAll(async () => {
  ranTable('payments of every product and service');
  home.close();
  await bank.close();
});

const jsonProducts = [
  'sepa-credit-transfers',
  'instant-sepa-credit-transfers',
  'target-2-payments',
  'cross-border-credit-transfers',
];
const products = [...jsonProducts, ...jsonProducts.map((product) => `pain.001-${product}`)];
const run = ['--psu-ip', '192.0.2.7', '--psu-id', 'embedded-choice', '--allow-duplicate'];
const shop = ['--creditor-account', 'DE89370400440532013000', '--creditor-name', 'Shop', '--amount', '1.00'];
const monthly = ['--start-date', '2099-01-01', '--frequency', 'monthly', '--day-of-execution', '5'];
const sources: Record<string, string[]> = {
  payments: shop,
  'bulk-payments': ['--from-csv', 'bulk.csv'],
  'periodic-payments': [...shop, ...monthly],
};

describe.each(variants)('%s', (variant) => {
  it.each(
    part(
      products.flatMap((product) => Object.keys(sources).map((service) => [service, product] as const)),
      5,
      variant === 'v1' ? 0 : 2,
    ),
  )('%s/%s is started, read and asked for', async (service, product) => {
    bank.forgetCalls();
    const at = ['--profile', variant];
    const start = ['payment', 'init', '--service', service, '--product', product];
    const made = await obk.json([...start, ...(sources[service] ?? []), ...at, ...run]);
    expect(made).toMatchObject({ service, product, transactionStatus: 'RCVD', debtorAccount: iban });
    expect(made).toMatchObject(
      service === 'bulk-payments'
        ? { count: 2, sums: [{ currency: 'EUR', amount: '3.50' }], amount: '3.50' }
        : { creditorName: 'Shop', amount: '1.00' },
    );

    const got = await obk.run(['payment', 'get', made.paymentId, ...at, '--json']);
    expect(got).toMatchObject({ code: 0 });
    const text = JSON.stringify(JSON.parse(got.stdout));
    expect(text).toContain(iban);
    expect(text).toContain('Shop');
    expect(text.includes('startDate')).toBe(service === 'periodic-payments');
    expect(text.includes('<Document') || text.includes('pain.001.001.03')).toBe(product.startsWith('pain'));
    expect(await obk.json(['payment', 'status', made.paymentId, ...at])).toMatchObject({
      transactionStatus: 'RCVD',
    });
  });

  it('a pain.001 is asked for its pain.002, and lint finds nothing in what obk writes', async () => {
    bank.forgetCalls();
    const product = 'pain.001-sepa-credit-transfers';
    const start = ['payment', 'init', '--service', 'bulk-payments', '--product', product];
    const named = ['--from-csv', 'bulk.csv', '--debtor-name', 'Payer', '--profile', variant, ...run];
    const { paymentId } = await obk.json([...start, ...named]);
    const status = ['payment', 'status', paymentId, '--pain002', '--profile', variant];
    expect(await obk.json(status)).toEqual({ transactionStatus: 'RCVD', reasons: [], rejected: [] });
    expect((await obk.run([...status, '--raw'])).stdout).toContain('pain.002.001.03');

    const { stdout } = await obk.run(['payment', 'get', paymentId, '--profile', variant, '--raw']);
    const lint = ['payment', 'lint', '-', '--product', product, '--strict', '--json'];
    const found = await obk.run([...lint, '--profile', variant], { input: stdout });
    expect(JSON.parse(found.stdout)).toMatchObject({ payments: 2, findings: [] });

    const again = ['--input', '-', '--json', '--profile', variant, ...run];
    const sent = await obk.run([...start, ...again], { input: stdout });
    expect(JSON.parse(sent.stdout)).toMatchObject({ count: 2, amount: '3.50' });
    const copy = await obk.run(['payment', 'get', '@last', '--profile', variant, '--raw']);
    expect(copy.stdout).toBe(stdout);
  });

  it('the parts of an address have the names of the framework', async () => {
    const address = [
      '--creditor-address',
      'street=High Street; city=Leeds',
      '--creditor-address',
      'country=gb',
    ];
    const start = ['payment', 'init', '--product', 'target-2-payments', ...shop, ...address];
    const more = ['--creditor-agent', 'cobadeff', '--charge-bearer', 'shar', '--profile', variant, ...run];
    const { paymentId } = await obk.json([...start, ...more]);
    const old = variant === 'v1';
    expect(await obk.json(['payment', 'get', paymentId, '--profile', variant])).toMatchObject({
      creditorAgent: 'COBADEFF',
      chargeBearer: 'SHAR',
      creditorAddress: {
        [old ? 'street' : 'streetName']: 'High Street',
        [old ? 'city' : 'townName']: 'Leeds',
        country: 'GB',
      },
    });
  });

  it('the authorisations of a payment are listed with their status', async () => {
    const start = ['payment', 'init', '--product', 'sepa-credit-transfers', ...shop, '--profile', variant];
    const people = JSON.parse(bank.obk('sandbox', 'people', '--profile', 'sandbox', '--json')) as {
      psuId: string;
      accounts: { iban: string }[];
    }[];
    const psu = 'embedded-choice-implicit';
    const debtor = people.find(({ psuId }) => psuId === psu)!.accounts[0]!.iban;
    const { paymentId } = await obk.json([...start, ...run, '--psu-id', psu, '--debtor', debtor]);
    expect(await obk.json(['payment', 'authorisations', paymentId, '--profile', variant])).toEqual([
      { of: 'payment', authorisationId: expect.any(String), scaStatus: expect.any(String) },
    ]);
  });
});

describe('before anything is sent', () => {
  it('a CSV file is told all its faults with their lines', async () => {
    const csv = 'creditor_name,creditor_iban,amount\nShop,DE1,1.00\nShop,DE89370400440532013000,"1,00"\n';
    const start = ['payment', 'init', '--service', 'bulk-payments', '--product', 'sepa-credit-transfers'];
    const { code, stderr } = await obk.run(
      [...start, '--from-csv', '-', '--profile', 'v1', '--psu-ip', '192.0.2.7'],
      {
        input: csv,
      },
    );
    expect(code).toBe(2);
    expect(stderr).toContain('line 2, creditor_iban');
    expect(stderr).toContain('line 3, amount');
  });

  it('a bulk is previewed with count and sum', async () => {
    const start = ['payment', 'init', '--service', 'bulk-payments', '--product', 'sepa-credit-transfers'];
    const { stderr } = await obk.run([...start, '--from-csv', 'bulk.csv', '--profile', 'v1', ...run]);
    expect(stderr).toMatch(/Payments 2\n\s+Sum\s+3\.50 EUR/);
  });

  it('a member outside the product is sent with a warning', async () => {
    const start = ['payment', 'init', '--product', 'sepa-credit-transfers', ...shop, '--profile', 'v1'];
    const set = ['--set', 'purposeCode="SALA"', '--execution-date', '2099-01-01', '--dry-run'];
    const { code, stderr, stdout } = await obk.run([...start, ...set, ...run]);
    expect(code).toBe(0);
    expect(stderr).toMatch(
      /(requestedExecutionDate, purposeCode|purposeCode, requestedExecutionDate): not part of/,
    );
    expect(stdout).toContain('SALA');
  });

  it.each([
    [['--charge-bearer', 'SHAR'], 'no chargeBearer'],
    [['--start-date', '2099-01-01'], '--start-date cannot be given'],
    [['--set', 'x=y'], '--set'],
    [['--from-csv', 'bulk.csv'], '--from-csv is for a bulk'],
  ])('%j is refused', async (flags, why) => {
    const start = ['payment', 'init', '--product', 'sepa-credit-transfers', ...shop, '--profile', 'v1'];
    const refused = await obk.run([...start, ...flags, ...run]);
    expect(refused).toMatchObject({ code: 2, stdout: '' });
    expect(refused.stderr).toContain(why);
  });

  it('lint ends with 10 and names each place', async () => {
    const body = {
      debtorAccount: { iban: 'DE1' },
      instructedAmount: { currency: 'EUR', amount: '1,00' },
      creditorAccount: { iban: 'DE89370400440532013000' },
      creditorName: 'Café',
    };
    const lint = ['payment', 'lint', '-', '--json', '--profile', 'v1'];
    const found = await obk.run(lint, { input: JSON.stringify(body) });
    expect(found.code).toBe(10);
    expect(JSON.parse(found.stdout)).toMatchObject({
      format: 'json',
      errors: 2,
      warnings: 1,
      findings: [
        { path: 'debtorAccount.iban', rule: 'iban' },
        { path: 'instructedAmount.amount', rule: 'amount' },
        { path: 'creditorName', rule: 'charset', severity: 'warning' },
      ],
    });
  });
});

it('a person is asked for the days of a standing order', async () => {
  const own = createObk();
  const start = ['payment', 'init', '--service', 'periodic-payments', '--product', 'sepa-credit-transfers'];
  const seen = own.terminal([...start, '--creditor-name', 'Club', '--amount', '5.00', '--dry-run']);
  const answers = [
    ['Pay from account (IBAN)', '\r'],
    ['Account of the payee (IBAN)', 'DE89370400440532013000\r'],
    ['First payment on', '2099-01-01\r'],
    ['How often', '\r'],
    ['Text for the payee', '\r'],
  ] as const;
  for (const [question, answer] of answers) {
    await seen.see(question);
    seen.write(answer);
  }
  expect(await seen.ended).toBe(0);
  expect(seen.text().replace(/\s/g, '')).toContain('"startDate":"2099-01-01","frequency":"Daily"');
  own.close();
});
