// Every operation, in both variants and with every kind of body, as its bytes arrive: each signature is recomputed by openssl,
// with nothing of obk's own code on the way.
import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { matchRequest } from '../../src/standard/xs2a/request.ts';
import type { OperationId } from '../../src/standard/xs2a/operations.ts';
import { operationsOf, presets } from '../../src/standard/xs2a/variants.ts';
import { runInside } from '../helpers/inside.ts';
import { signatureFaults } from '../helpers/openssl-verifier.ts';
import { startTpp } from '../helpers/tpp.ts';
import type { Tpp } from '../helpers/tpp.ts';
import { startTap } from '../helpers/wire-tap.ts';
import type { RawRequest, WireTap } from '../helpers/wire-tap.ts';
import { part, ranTable, trials } from '../helpers/trials.ts';
import { hasOpenssl } from '../unit/signing/fixtures.ts';

const row = trials('6', 1);

const id = '7f1c0b52-4d1e-4a43-9a39-2c5d5a1f9d10';
const f = (...names: string[]) =>
  names.flatMap((name) => ['-f', name.includes('=') ? name : `${name}=${id}`]);
const place = ['payment-service=payments', 'payment-product=sepa-credit-transfers'];
const payment = f(...place, 'paymentId');
const ofPayment = f(...place, 'paymentId', 'authorisationId');
const account = [...f('account-id'), '-H', `Consent-ID: ${id}`];
const reading = ['-H', `Consent-ID: ${id}`];
const fromFile = (name: string) => ['--input', `${name}.json`];

const bodies = {
  payment: {
    instructedAmount: { currency: 'EUR', amount: '1.00' },
    debtorAccount: { iban: 'DE40100100103307118608' },
    creditorName: 'Jörg & Söhne',
    creditorAccount: { iban: 'DE02100100109307118603' },
  },
  consent: {
    access: { allPsd2: 'allAccounts' },
    recurringIndicator: true,
    validUntil: '2099-12-31',
    frequencyPerDay: 4,
    combinedServiceIndicator: false,
  },
  funds: {
    account: { iban: 'DE40100100103307118608' },
    instructedAmount: { currency: 'EUR', amount: '1.00' },
  },
  basket: { paymentIds: [id] },
  password: { psuData: { password: 'secret' } },
  code: { scaAuthenticationData: '123456' },
};
const starts = [[], fromFile('password')];
const updates = [[], fromFile('password'), f('authenticationMethodId=sms'), fromFile('code')];
const with_ = (params: readonly string[], more: readonly (readonly string[])[]) =>
  more.map((each) => [...params, ...each]);

/** Of each operation the calls that are made of it; a new operation has none, and does not compile. */
const calls: Readonly<Record<OperationId, readonly (readonly string[])[]>> = {
  initiatePayment: [[...f(...place), ...fromFile('payment')]],
  getPaymentInformation: [payment],
  cancelPayment: [payment],
  getPaymentInitiationStatus: [payment],
  startPaymentAuthorisation: with_(payment, starts),
  getPaymentInitiationAuthorisation: [payment],
  getPaymentInitiationScaStatus: [ofPayment],
  updatePaymentPsuData: with_(ofPayment, updates),
  startPaymentInitiationCancellationAuthorisation: with_(payment, starts),
  getPaymentInitiationCancellationAuthorisationInformation: [payment],
  getPaymentCancellationScaStatus: [ofPayment],
  updatePaymentCancellationPsuData: with_(ofPayment, updates),
  getAccountList: [reading, [...reading, '-f', 'withBalance=true']],
  readAccountDetails: [account],
  getBalances: [account],
  getTransactionList: [[...account, '-f', 'bookingStatus=both', '-f', 'dateFrom=2026-01-01']],
  getTransactionDetails: [[...account, ...f('transactionId')]],
  getCardAccount: [reading],
  ReadCardAccount: [account],
  getCardAccountBalances: [account],
  getCardAccountTransactionList: [[...account, '-f', 'bookingStatus=both']],
  createConsent: [fromFile('consent')],
  getConsentInformation: [f('consentId')],
  deleteConsent: [f('consentId')],
  getConsentStatus: [f('consentId')],
  startConsentAuthorisation: with_(f('consentId'), starts),
  getConsentAuthorisation: [f('consentId')],
  getConsentScaStatus: [f('consentId', 'authorisationId')],
  updateConsentsPsuData: with_(f('consentId', 'authorisationId'), updates),
  checkAvailabilityOfFunds: [fromFile('funds')],
  createSigningBasket: [fromFile('basket')],
  getSigningBasket: [f('basketId')],
  deleteSigningBasket: [f('basketId')],
  getSigningBasketStatus: [f('basketId')],
  startSigningBasketAuthorisation: with_(f('basketId'), starts),
  getSigningBasketAuthorisation: [f('basketId')],
  getSigningBasketScaStatus: [f('basketId', 'authorisationId')],
  updateSigningBasketPsuData: with_(f('basketId', 'authorisationId'), updates),
};

const variants = [
  ['v1', 0],
  ['v136', 1],
] as const;
describe.skipIf(!hasOpenssl).each(variants)('the signatures in %s', (name, own) => {
  const variant = { ...presets[name], surface: 'framework' } as const;
  const operations = operationsOf(variant).map((operation) => operation.id);
  let tpp: Tpp;
  let tap: WireTap;
  let folder: string;
  const seen: RawRequest[] = [];
  const proved = new Set<string>();
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'obk-signatures-'));
    const settings = ['--surface', 'framework', '--redirect-uri', 'https://tpp.example/back?a=b'];
    // The certificate that the bank makes has an EC key; in v1 another one, with an RSA key.
    tpp = await startTpp(name, [...settings, ...(name === 'v1' ? await rsa(folder) : [])], folder);
    tpp.bank.scenario({ surface: 'framework', lifeCycle: 'next-day' });
    const { document } = await tpp.run(['config', 'get', 'baseUrl']);
    tap = await startTap(document.value as string);
    await tpp.run(['config', 'set', 'baseUrl', tap.baseUrl]);
    for (const [kind, body] of Object.entries(bodies))
      tpp.file(`${kind}.json`, JSON.stringify(body, null, 2));
  });
  afterAll(async () => {
    const kinds = new Set(seen.map(kindOf));
    ranTable(`signatures of every operation in ${name}`);
    row.report(
      `${name}: ${String(seen.length)} requests, ${String(kinds.size)} kinds of bodies, verified by another implementation`,
      0,
    );
    await tap.close();
    await tpp.close();
    rmSync(folder, { recursive: true, force: true });
  });

  /** What arrived since the last time, each as its operation and its faults. */
  function judged(): { id: string; kind: string; faults: string[] }[] {
    const taken = tap.take();
    seen.push(...taken);
    return taken.map((request) => {
      const { method, target } = request;
      const found = matchRequest(variant, method, target);
      const made = { id: 'operation' in found ? found.operation.id : target, kind: kindOf(request) };
      // A process for each would last a minute; the first of each kind is proved by openssl.
      const how = proved.has(JSON.stringify(made)) ? 'node' : 'openssl';
      proved.add(JSON.stringify(made));
      return { ...made, faults: signatureFaults(request, how) };
    });
  }
  const good = (ids: readonly string[], kind?: string) =>
    ids.map((one) => ({ id: one, kind: kind ?? (expect.any(String) as string), faults: [] }));

  it.each(row.count > 1 ? operations : part(operations, 2, own))('are right for %s', async (operation) => {
    judged();
    const psu = ['--psu-id', 'PSU 1234', '--psu-corporate-id', 'corporate=1'];
    for (const [at, words] of calls[operation].entries()) {
      const who = at % 2 === 0 ? psu : [];
      const { code, stderr } = await tpp.run(['api', operation, ...words, ...who]);
      expect([0, 3, 4, 5, 9], stderr).toContain(code);
      expect(judged()).toEqual(good([operation]));
    }
    expect(calls[operation].length).toBeGreaterThan(0);
  });

  it.each([
    ['JSON', 'json', ['--product', 'sepa-credit-transfers']],
    ['XML', 'xml', ['--product', 'pain.001-sepa-credit-transfers']],
    [
      'several parts',
      'multipart',
      [
        ...['--service', 'periodic-payments', '--product', 'pain.001-sepa-credit-transfers'],
        ...['--start-date', '2099-01-01', '--frequency', 'Monthly'],
      ],
    ],
  ])('are right for a payment as %s', async (_name, kind, flags) => {
    judged();
    const shop = [
      '--creditor-name',
      'Shop',
      '--creditor-account',
      'DE89370400440532013000',
      '--amount',
      '1.00',
    ];
    expect(await tpp.pay('redirect', ...shop, ...flags)).toMatchObject({ code: 0 });
    expect(judged()[0]).toEqual(good(['initiatePayment'], kind)[0]);
  });

  describe('are right after a resume in another run', () => {
    const shop = (...more: string[]) => {
      const iban = tpp.bank.person('embedded-choice').accounts[0]?.iban ?? '';
      const to = [
        '--creditor-name',
        'Shop',
        '--creditor-account',
        'DE89370400440532013000',
        '--amount',
        '1.00',
      ];
      const product = ['--product', 'sepa-credit-transfers', '--debtor', iban, '--allow-duplicate'];
      return ['payment', 'init', ...product, ...to, '--psu-id', 'embedded-choice', ...more];
    };
    const finish = (...words: string[]) => tpp.run([...words, '--sca-method', 'sms'], 'embedded-choice');
    const faulty = (made: ReturnType<typeof judged>) => made.filter(({ faults }) => faults.length > 0);

    it.each(['payment authorise', 'pending resume'])('are right for a payment, by %s', async (command) => {
      const { document } = await tpp.run(shop('--authorise-later'));
      const paymentId = document.paymentId as string;
      // The first step in one run, the others in the next.
      await tpp.run(['payment', 'authorise', paymentId, '--psu-id', 'embedded-choice']);
      judged();
      const pending = (await tpp.run(['pending', 'list'])).document as { id: string; paymentId?: string }[];
      const item = pending.find((one) => JSON.stringify(one).includes(paymentId));
      const words = command === 'pending resume' ? [item?.id ?? 'none'] : [paymentId];
      const ended = await finish(...command.split(' '), ...words);
      expect(ended, ended.stderr).toMatchObject({ code: 0, document: { sca: { scaStatus: 'finalised' } } });
      const made = judged();
      expect(faulty(made)).toEqual([]);
      expect(made.filter((one) => one.id === 'updatePaymentPsuData').length).toBeGreaterThan(1);
    });

    it('are right for a cancellation, a consent and a basket', async () => {
      const paid = await finish(...shop());
      expect(paid, paid.stderr).toMatchObject({ code: 0 });
      const paymentId = paid.document.paymentId as string;
      await tpp.run(['payment', 'cancel', paymentId, '--psu-id', 'embedded-choice']);
      const consent = await tpp.run([
        'consent',
        'create',
        '--all-psd2',
        '--authorise-later',
        '--psu-id',
        'embedded-choice',
      ]);
      const members = await Promise.all(
        [1, 2].map(
          async () =>
            (await tpp.run(shop('--explicit', 'yes', '--authorise-later'))).document.paymentId as string,
        ),
      );
      // It ends where the password is asked for.
      await tpp.run([
        ...['basket', 'create', '--psu-id', 'embedded-choice'],
        ...members.flatMap((one) => ['--payment', one]),
      ]);
      const [basket] = (await tpp.run(['basket', 'list'])).document as { basketId: string }[];
      expect(faulty(judged())).toEqual([]);
      for (const words of [
        ['payment', 'authorise', paymentId],
        ['consent', 'authorise', consent.document.consentId as string],
        ['basket', 'authorise', basket?.basketId ?? ''],
      ]) {
        const ended = await finish(...words);
        expect(ended, ended.stderr).toMatchObject({ code: 0 });
      }
      const made = judged();
      expect(faulty(made)).toEqual([]);
      expect(made.map((one) => one.id)).toEqual(
        expect.arrayContaining([
          'updatePaymentCancellationPsuData',
          'updateConsentsPsuData',
          'updateSigningBasketPsuData',
        ]),
      );
    });
  });

  it('are judged: wrong ones are found', () => {
    const request = seen.find(
      ({ headers, body }) => body.length > 100 && headers.every(([name]) => name !== 'psu-corporate-id'),
    )!;
    const spoilt = (name: string, change: (value: string) => string): RawRequest => ({
      ...request,
      headers: request.headers.map(([key, value]) => [key, key === name ? change(value) : value]),
    });
    for (const how of ['openssl', 'node'] as const) expect(signatureFaults(request, how)).toEqual([]);
    for (const [wrong, fault] of [
      [{ ...request, body: Buffer.concat([request.body, Buffer.from(' ')]) }, 'Digest'],
      [spoilt('x-request-id', () => id), 'does not verify'],
      [spoilt('signature', (value) => value.replace('headers="digest ', 'headers="')), 'signed are'],
      [spoilt('signature', (value) => value.replace(/SN=\w+/, 'SN=1')), 'serial'],
      [{ ...request, headers: [...request.headers, ['psu-corporate-id', 'x'] as const] }, 'signed are'],
    ] as const) {
      for (const how of ['openssl', 'node'] as const)
        expect(signatureFaults(wrong, how).join()).toContain(fault);
    }
  });
});

/** An authority of its own, whom the bank of this folder trusts, and the flags for a certificate of it. */
async function rsa(folder: string): Promise<string[]> {
  const flags = ['--type', 'qsealc', '--org-id', 'PSDDE-BAFIN-123456', '--name', 'Shop', '--dir', 'own'];
  const { stdout, stderr } = await runInside(['cert', 'create', ...flags, '--json'], {
    env: { ...process.env, OBK_CONFIG_DIR: folder, OBK_STATE_DIR: folder },
    cwd: folder,
  });
  if (stdout === '') throw new Error(stderr);
  const { certificate, key, ca } = JSON.parse(stdout) as Record<'certificate' | 'key' | 'ca', string>;
  mkdirSync(join(folder, 'sandbox'), { mode: 0o700 });
  copyFileSync(ca, join(folder, 'sandbox', 'trusted.pem'));
  return ['--certificate', certificate, '--key', key];
}

function kindOf({ headers, body }: RawRequest): string {
  if (body.length === 0) return 'none';
  const type = headers.find(([name]) => name === 'content-type')?.[1] ?? '';
  return /json|xml|multipart/.exec(type)?.[0] ?? type;
}
