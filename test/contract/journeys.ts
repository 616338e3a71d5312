import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { products } from '../../src/standard/xs2a/products.ts';
import { presets, variantOf } from '../../src/standard/xs2a/variants.ts';
import type { Framework, PresetName, Variant } from '../../src/standard/xs2a/variants.ts';
import { startBank } from '../helpers/bank.ts';
import type { TestBank } from '../helpers/bank.ts';
import type { BankPerson } from '../../src/bank/door.ts';
import type { ContractFinding, Exchange } from '../helpers/contract.ts';
import { runInside } from '../helpers/inside.ts';
import { shop } from '../helpers/obk.ts';
import { startRecorder } from '../helpers/recorder.ts';

/** The JSON on stdout of a run, whatever its exit code. */
type Printed = Promise<Record<string, string>>;
type Secrets = { password?: string; otp?: string };

/** obk as a TPP of the bank inside, every exchange between the two on record. */
export interface Traveller {
  bank: TestBank;
  /** Runs obk with the profile of this variant. */
  obk: (...args: string[]) => Printed;
  /** As `obk`, with the secrets of a PSU (or wrong ones) at hand. */
  as: (psuId: string, secrets: Secrets, ...args: string[]) => Printed;
  /** The exchanges since the last time. */
  take: () => Exchange[];
  /** The bank's clock moves on, and with it the window of its rate limit. */
  nextMinute: () => void;
  close: () => Promise<void>;
}

/** A variant of the service, or a framework that the bank serves in its place. */
export type Spoken = PresetName | Framework;

/** The variant of a name. */
export function spokenAs(name: Spoken): Variant {
  if (name in presets) return presets[name as PresetName];
  return { ...variantOf(name as Framework), prefix: '/v1', surface: 'framework' };
}

/** Starts a bank, a recorder before it, and a home of obk whose profile leads there, with `settings` more. */
export async function startTraveller(name: Spoken, settings: readonly string[] = []): Promise<Traveller> {
  let ahead = 0;
  const isPreset = name in presets;
  const bank = await startBank({
    clock: { now: () => new Date(Date.now() + ahead) },
    ...(!isPreset && { doors: { framework: name } }),
  });
  if (!isPreset) bank.scenario({ surface: 'framework' });
  const recorder = await startRecorder(bank.baseUrl);
  const home = mkdtempSync(join(tmpdir(), 'obk-journey-'));
  const env = {
    ...process.env,
    HOME: home,
    OBK_CONFIG_DIR: join(home, 'config'),
    OBK_STATE_DIR: join(home, 'state'),
    OBK_PROFILE: 'traveller',
  };
  const run = async (args: readonly string[], more: NodeJS.ProcessEnv) => {
    const ran = await runInside([...args, '--json'], { env: { ...env, ...more }, cwd: home });
    if (ran.code === 1) throw new Error(`obk ${args.join(' ')}: ${ran.stderr}`);
    return (ran.stdout === '' ? {} : JSON.parse(ran.stdout)) as Record<string, string>;
  };
  await run(
    [
      ...[
        'profile',
        'create',
        'traveller',
        isPreset ? '--variant' : '--framework',
        name,
        '--environment',
        'sandbox',
      ],
      ...['--base-url', recorder.baseUrl, '--certificate', bank.certificatePath, '--key', bank.keyPath],
      ...['--psu-ip', '192.0.2.1', ...settings],
      ...(isPreset ? [] : ['--surface', 'framework']),
    ],
    {},
  );
  writeFileSync(join(home, 'payment.json'), JSON.stringify(bodyOf(bank)));
  writeFileSync(
    join(home, 'payments.csv'),
    'creditor_name,creditor_iban,amount\nShop,DE89370400440532013000,1.00\n',
  );
  return {
    bank,
    obk: (...args) => run(args, {}),
    as: (psuId, { password, otp }, ...args) =>
      run([...args, '--psu-id', psuId, ...references], {
        PASSWORD: password ?? bank.person(psuId).password,
        OTP: otp ?? bank.person(psuId).otp,
      }),
    take: () => recorder.take(),
    nextMinute: () => {
      ahead += 61_000;
    },
    async close() {
      await recorder.close();
      await bank.close();
      rmSync(home, { recursive: true, force: true });
    },
  };
}

/** A payment of a file; its creditor has a wrong check digit, which obk sends as it is. */
const bodyOf = (bank: TestBank) => ({
  debtorAccount: { iban: bank.person('embedded-one').accounts[0]?.iban },
  creditorAccount: { iban: 'DE00370400440532013000' },
  creditorName: 'Shop',
  instructedAmount: { currency: 'EUR', amount: '3.00' },
});

const references = ['--psu-password-from', 'env:PASSWORD', '--otp-from', 'env:OTP'];
const pay = (iban: string, amount: string) => [
  ...['payment', 'init', ...shop, '--debtor', iban, '--amount', amount, '--allow-duplicate'],
];

/** A payment of every PSU of the bank, or of some, led as far as references and an approval lead. */
export async function everyPerson(
  { bank, as, nextMinute }: Traveller,
  people: readonly BankPerson[] = bank.people,
): Promise<void> {
  for (const { psuId, accounts, methods } of people) {
    nextMinute();
    const method = methods[0] === undefined ? [] : ['--sca-method', methods[0].id];
    const made = await as(psuId, {}, ...pay(accounts[0]?.iban ?? '', '1.00'), ...method);
    const { paymentId, transactionStatus } = made;
    if (paymentId === undefined || transactionStatus !== 'RCVD') continue;
    await approve(bank, paymentId, psuId);
    await as(psuId, {}, 'payment', 'authorise', paymentId, ...method);
  }
}

/** A payment of each service with each of the products, without its authorisation. */
export async function everyProduct(
  { bank, as, obk, nextMinute }: Traveller,
  some: readonly string[] = products,
): Promise<void> {
  const iban = bank.person('redirect').accounts[0]?.iban ?? '';
  const standing = ['--start-date', '2099-01-01', '--frequency', 'Monthly', '--execution-rule', 'following'];
  const abroad = [
    '--creditor-agent',
    'BARCGB22',
    '--creditor-address',
    'street=High Street;city=London;country=GB',
  ];
  for (const product of some) {
    nextMinute();
    const to = [
      '--creditor-name',
      'Shop',
      '--creditor-account',
      'DE89370400440532013000',
      '--amount',
      '1.00',
    ];
    const more = product.includes('cross-border') ? abroad : [];
    const name = product.startsWith('pain.001') ? ['--debtor-name', 'Payer Ltd'] : [];
    const there = [
      'payment',
      'init',
      '--product',
      product,
      '--debtor',
      iban,
      ...name,
      '--authorise-later',
      '--allow-duplicate',
    ];
    const single = await as('redirect', {}, ...there, ...to, ...more);
    await obk('payment', 'get', single['paymentId'] ?? '', '--product', product);
    await as('redirect', {}, ...there, '--service', 'periodic-payments', ...to, ...more, ...standing);
    await as('redirect', {}, ...there, '--service', 'bulk-payments', '--from-csv', 'payments.csv');
  }
}

async function reads(obk: Traveller['obk'], paymentId: string): Promise<void> {
  await obk('payment', 'get', paymentId);
  await obk('payment', 'status', paymentId);
  const lists = ['Authorisation', 'CancellationAuthorisationInformation'];
  for (const list of lists) await obk('api', `getPaymentInitiation${list}`, '-f', `paymentId=${paymentId}`);
}

/** The hand of the PSU; there is nothing to approve where all went through obk. */
async function approve(bank: TestBank, paymentId: string, psuId: string): Promise<void> {
  await bank.bank.decide('approve', paymentId, psuId).catch(() => undefined);
}

/** A cancellation that needs an authorisation, in every approach, by the bank or by the TPP. */
export async function everyCancellation(
  traveller: Traveller,
  people: readonly string[] = approaches,
): Promise<void> {
  const { bank, as, obk, nextMinute } = traveller;
  bank.scenario({ lifeCycle: 'next-day' });
  for (const psuId of people) {
    nextMinute();
    const { accounts, methods } = bank.person(psuId);
    const method = methods[0] === undefined ? [] : ['--sca-method', methods[0].id];
    const { paymentId = '' } = await as(psuId, {}, ...pay(accounts[0]?.iban ?? '', '1.50'), ...method);
    await approve(bank, paymentId, psuId);
    await as(psuId, {}, 'payment', 'authorise', paymentId, ...method);
    await as(psuId, {}, 'payment', 'cancel', paymentId, ...method);
    await approve(bank, paymentId, psuId);
    await as(psuId, {}, 'payment', 'authorise', paymentId, ...method);
    await reads(obk, paymentId);
  }
  bank.scenario({ lifeCycle: 'by-person' });
}

/** A PSU of each approach, by the bank or by the TPP. */
export const approaches = [
  'redirect',
  'redirect-explicit',
  'embedded-none-implicit',
  'embedded-choice',
  'decoupled',
  'decoupled-implicit',
];

/** Wrong passwords, OTPs and methods: once, and until the bank has enough. */
export async function wrongSecrets({ bank, as, nextMinute }: Traveller): Promise<void> {
  nextMinute();
  const psuId = 'embedded-choice';
  const iban = bank.person(psuId).accounts[0]?.iban ?? '';
  const sms = ['--sca-method', 'sms'];
  const made = await as(psuId, { password: 'wrong' }, ...pay(iban, '2.00'), ...sms);
  const authorise = ['payment', 'authorise', made['paymentId'] ?? ''];
  await as(psuId, {}, ...authorise, '--sca-method', 'pigeon');
  await as(psuId, { otp: '0' }, ...authorise, ...sms);
  await as(psuId, {}, ...authorise, ...sms);
  const other = await as(psuId, { otp: '1' }, ...pay(iban, '2.10'), ...sms);
  for (const otp of ['2', '3', '4', '5']) {
    await as(psuId, { otp }, 'payment', 'authorise', other['paymentId'] ?? '', ...sms);
  }
}

/** What a bank refuses although it is well-formed, and headers that not every payment has. */
export async function refusals({ bank, as, obk, nextMinute }: Traveller): Promise<void> {
  nextMinute();
  const iban = bank.person('embedded-one').accounts[0]?.iban ?? '';
  const unknown = '00000000-0000-4000-8000-000000000000';
  const there = ['--product', 'sepa-credit-transfers'];
  await obk('payment', 'init', ...there, '--input', 'payment.json');
  await as('locked', {}, ...pay(bank.person('locked').accounts[0]?.iban ?? '', '3.10'));
  await as('redirect', {}, ...pay(iban, '3.20'));
  for (const verb of ['get', 'status', 'cancel', 'authorise']) await obk('payment', verb, unknown, ...there);
  await obk('api', 'getPaymentInitiationScaStatus', ...ids(unknown), '-f', `authorisationId=${unknown}`);

  const { paymentId = '' } = await as('embedded-one', {}, ...pay(iban, '3.30'));
  await as('embedded-one', {}, 'payment', 'authorise', paymentId, '--new');
  await as('embedded-one', {}, 'payment', 'cancel', paymentId);
  await as('redirect', {}, 'payment', 'authorise', paymentId, '--new');

  const preferences = ['--redirect', 'no', '--explicit', 'yes', '--reject-no-funds'];
  const texts = ['--remittance', 'Order 1', '--end-to-end-id', 'E2E-1', '--psu-id-type', 'login'];
  const corporate = ['--psu-corporate-id', 'ACME', '--psu-corporate-id-type', 'register'];
  await as('redirect', {}, ...pay(iban, '3.40'), ...preferences, ...texts, ...corporate);
  const nobody = await obk(...pay(iban, '3.50'), '--redirect', 'no');
  await as('embedded-one', {}, 'payment', 'authorise', nobody['paymentId'] ?? '');
  const idle = await obk(...pay(iban, '3.60'));
  await obk('payment', 'cancel', idle['paymentId'] ?? '');
  const refused = await as('redirect', {}, ...pay(bank.person('redirect').accounts[0]?.iban ?? '', '3.70'));
  await bank.bank.decide('refuse', refused['paymentId'] ?? '');
  await obk('payment', 'authorise', refused['paymentId'] ?? '');
}

const ids = (paymentId: string) => [
  ...['-f', 'payment-service=payments', '-f', 'payment-product=sepa-credit-transfers'],
  ...['-f', `paymentId=${paymentId}`],
];

/** What a checker has against exchanges, each departure once and ids left out. */
export function findingsIn(
  variant: Variant,
  exchanges: readonly Exchange[],
  check: (variant: Variant, exchange: Exchange) => ContractFinding[],
): string[] {
  const ofInterface = exchanges.filter(({ path }) => !oauthServer.test(path));
  const all = ofInterface.flatMap((made) =>
    check(variant, made).map(
      ({ part, pointer, rule, text }) => `${titleOf(made)}: ${part} ${pointer} ${rule}: ${text}`,
    ),
  );
  return [...new Set(all)];
}

/** The OAuth server of a bank speaks RFC 6749 and 8414, which the official files say nothing of. */
const oauthServer = /^\/(oauth\/token|\.well-known\/oauth-authorization-server)$/;

/** Method, path without ids, status. */
export function titleOf({ method, path, status }: Exchange): string {
  return `${method} ${path.replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, 'ID')} ${String(status)}`;
}
