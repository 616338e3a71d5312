// The life of a consent in every form and approach, and what may and may not be read with it: whole commands of obk against
// the bank inside; where the official files are at hand, every exchange is judged by them.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { presets } from '../../src/standard/xs2a/variants.ts';
import { checkExchange, hasOfficialFiles } from '../helpers/contract.ts';
import { part, ranTable } from '../helpers/trials.ts';
import { consented, forms, ibansOf, lives, otherForms } from './account-journeys.ts';
import { findingsIn, startTraveller } from './journeys.ts';
import type { Traveller } from './journeys.ts';

describe.each([
  ['v1', 0],
  ['v136', 1],
] as const)('account information as %s', (variant, own) => {
  let traveller: Traveller;
  const seen = new Set<string>();
  const findings: string[] = [];
  beforeAll(async () => {
    traveller = await startTraveller(variant);
  });
  afterAll(async () => {
    ranTable(`consents of every form in every approach of ${variant}`);
    await traveller.close();
  });
  beforeEach(() => {
    traveller.nextMinute();
  });
  afterEach(() => {
    const exchanges = traveller.take();
    for (const { method, path, status } of exchanges) seen.add(titleIn(method, path, status));
    if (hasOfficialFiles()) findings.push(...findingsIn(presets[variant], exchanges, checkExchange));
  });

  // The forms take turns.
  it.each(part(lives, 3, own))(
    'follows the life of a consent: %s, %s',
    { timeout: 30_000 },
    async (psuId, name) => {
      const { bank, obk } = traveller;
      const form = forms[name];
      const { consentId, consentStatus } = await consented(
        traveller,
        psuId,
        '--recurring',
        ...form.flags(ibansOf(bank, psuId)),
      );
      expect(consentStatus).toBe('valid');
      expect(await obk('consent', 'status', consentId)).toEqual({ consentStatus: 'valid' });
      expect(await obk('consent', 'get', consentId)).toMatchObject({
        consentStatus: 'valid',
        recurringIndicator: true,
      });
      await obk('consent', 'use', consentId);
      const accounts = (await obk('accounts')) as unknown as { resourceId: string; iban: string }[];
      expect(accounts.length).toBeGreaterThan(0);
      const id = accounts[0]?.resourceId ?? '';
      const allowed = (right: string) => (form.reads as readonly string[]).includes(right);
      const balances = await obk('accounts', 'balances', id);
      expect(Array.isArray(balances)).toBe(allowed('balances'));
      const report = await obk('transactions', 'list', '--account', id, '--date-from', '2026-01-01');
      expect(Array.isArray(report)).toBe(allowed('transactions'));

      expect(await obk('consent', 'delete', consentId)).toMatchObject({ consentStatus: 'terminatedByTpp' });
      expect(await obk('consent', 'status', consentId)).toEqual({ consentStatus: 'terminatedByTpp' });
      expect(await obk('accounts', '--consent', consentId)).toEqual({});
    },
  );

  it.each(part(otherForms, 4, own))(
    'is read with a consent in another approach: %s, %s',
    { timeout: 30_000 },
    async (psuId, name) => {
      const { bank, obk } = traveller;
      const made = await consented(traveller, psuId, ...forms[name].flags(ibansOf(bank, psuId)));
      expect(made.consentStatus).toBe('valid');
      const accounts = (await obk('accounts', '--consent', made.consentId)) as unknown as object[];
      expect(accounts.length).toBeGreaterThan(0);
    },
  );

  it('does not allow the choice of accounts in Embedded', { timeout: 30_000 }, async () => {
    const { as, obk } = traveller;
    expect(await as('embedded-one', {}, 'consent', 'create', '--bank-offered')).toEqual({});
    const { exchanges } = (await obk('log', 'show', '@last')) as unknown as {
      exchanges: { answer: { status: number; messages: { code: string }[] } }[];
    };
    expect(exchanges.at(-1)?.answer).toMatchObject({ status: 400, messages: [{ code: 'SERVICE_INVALID' }] });
  });

  it(
    'contains transactions as the same rows in every format, and one by one',
    { timeout: 30_000 },
    async () => {
      const { bank, obk, as } = traveller;
      const psuId = 'embedded-one';
      const [iban = ''] = ibansOf(bank, psuId);
      const { consentId } = await consented(traveller, psuId, '--iban', iban, '--recurring');
      const list = ['transactions', 'list', '--consent', consentId, '--account', iban];
      type Row = { amount: string; currency: string; bookingDate: string; transactionId: string };
      const read = async (...more: string[]) => (await obk(...list, ...more)) as unknown as Row[];
      const json = await read();
      expect(json.length).toBeGreaterThan(2);
      const shape = (rows: Row[]) =>
        rows.map(({ amount, currency, bookingDate }) => [bookingDate, amount, currency]);
      const sorted = (rows: Row[]) => shape(rows).map(String).sort();
      expect(sorted(await read('--accept', 'camt.053'))).toEqual(sorted(json));
      expect(sorted(await read('--accept', 'mt940'))).toEqual(sorted(json));
      expect(
        await obk(
          'transactions',
          'get',
          json[0]?.transactionId ?? '',
          '--consent',
          consentId,
          '--account',
          iban,
        ),
      ).toEqual({});
      const again = await read('--booking-status', 'both', '--with-balance', '--all');
      expect(again.length).toBeGreaterThanOrEqual(json.length);
      const one = await obk(
        'transactions',
        'get',
        json[0]?.transactionId ?? '',
        '--consent',
        consentId,
        '--account',
        iban,
      );
      expect(one).toMatchObject({ transactionId: json[0]?.transactionId });
      // The PSU asks, so nothing is counted.
      expect((await read('--psu-present')).length).toBe(json.length);
      expect(await as(psuId, {}, ...list, '--accept', 'json')).toEqual({});
    },
  );

  it('is refused with the right code where a consent does not allow it', { timeout: 30_000 }, async () => {
    const { bank, obk } = traveller;
    const psuId = 'embedded-one';
    const [iban = ''] = ibansOf(bank, psuId);
    const only = await consented(traveller, psuId, '--accounts', iban, '--recurring');
    const refusedWith = async (...args: string[]) => {
      await obk(...args);
      const log = (await obk('log', 'show', '@last')) as unknown as { exit: number; exchanges: object[] };
      const last = log.exchanges.at(-1) as { answer?: { body: string; status: number } } | undefined;
      const code = /"code":\s*"([A-Z_]+)"/.exec(last?.answer?.body ?? '')?.[1];
      return [log.exit, last?.answer?.status, code];
    };
    const under = (id: string) => ['--consent', id];
    expect(await refusedWith('accounts', 'balances', iban, ...under(only.consentId))).toEqual([
      4,
      401,
      'CONSENT_INVALID',
    ]);
    const unknown = '00000000-0000-4000-8000-000000000000';
    expect(await refusedWith('consent', 'get', unknown)).toEqual([4, 403, 'CONSENT_UNKNOWN']);
    expect(await refusedWith('accounts', 'get', 'no-such-account', ...under(only.consentId))).toEqual([
      5,
      404,
      'RESOURCE_UNKNOWN',
    ]);
    const once = await consented(traveller, psuId, '--iban', iban);
    await obk('accounts', ...under(once.consentId));
    const again = await refusedWith('accounts', ...under(once.consentId), '--over-budget');
    expect(again[0]).toBeGreaterThan(0);
    const often = await consented(traveller, psuId, '--iban', iban, '--recurring', '--frequency', '1');
    await obk('accounts', ...under(often.consentId));
    expect(await refusedWith('accounts', ...under(often.consentId))).toEqual([11, 429, 'ACCESS_EXCEEDED']);
    const short = await consented(
      traveller,
      psuId,
      '--iban',
      iban,
      '--valid-until',
      bank.clock().slice(0, 10),
    );
    bank.clock('+2d');
    expect(await refusedWith('accounts', ...under(short.consentId))).toEqual([4, 401, 'CONSENT_EXPIRED']);
  });

  it('includes cards, several currencies, owners and funds', { timeout: 30_000 }, async () => {
    const { bank, obk, as } = traveller;
    const whole = await consented(traveller, 'multicurrency', '--all-psd2', '--recurring');
    const accounts = (await obk('accounts', '--consent', whole.consentId)) as unknown as {
      currency: string;
    }[];
    expect(new Set(accounts.map(({ currency }) => currency)).size).toBeGreaterThan(1);
    const cards = await consented(traveller, 'cards', '--all-psd2', '--recurring');
    const listed = (await obk('cards', '--consent', cards.consentId)) as unknown as { maskedPan: string }[];
    const [iban = ''] = ibansOf(bank, 'embedded-one');
    const ask = (amount: string) => obk('funds', 'check', '--account', iban, '--amount', amount);
    if (variant === 'v1') {
      expect(listed[0]?.maskedPan).toMatch(/[xX*]/);
      expect(await ask('1.00')).toEqual({ fundsAvailable: true });
      expect(await ask('99999999.00')).toEqual({ fundsAvailable: false });
    } else {
      expect(listed).toEqual({});
      expect(await ask('1.00')).toEqual({});
      const named = await consented(traveller, 'embedded-one', '--iban', iban, '--owner-name');
      const [owned] = (await obk('accounts', '--consent', named.consentId)) as unknown as {
        ownerName: string;
      }[];
      expect(owned?.ownerName).toMatch(/\w/);
    }
    expect(await as('embedded-one', {}, 'consent', 'renew', whole.consentId)).toBeDefined();
  });

  it.skipIf(!hasOfficialFiles())('is as the official files have it in every exchange', () => {
    expect([...new Set(findings)]).toEqual([]);
  });

  it('was read by every operation', () => {
    expect([...seen]).toEqual(
      expect.arrayContaining([
        ...[
          'POST consents 201',
          'GET consents/ID 200',
          'GET consents/ID/status 200',
          'DELETE consents/ID 204',
        ],
        ...['POST consents/ID/authorisations 201', 'PUT consents/ID/authorisations/ID 200'],
        ...['GET consents/ID/authorisations/ID 200', 'GET accounts 200', 'GET accounts/ID/balances 200'],
        ...['GET accounts/ID/transactions 200', 'GET accounts/ID/transactions/ID 200', 'GET accounts 401'],
        ...['GET accounts/ID/balances 401', 'GET accounts/ID 404', 'GET consents/ID 403', 'GET accounts 429'],
      ]),
    );
  });
});

/** Method, path without prefix, query and ids, status. */
function titleIn(method: string, path: string, status: number): string {
  const words =
    /^(consents|accounts|card-accounts|funds-confirmations|authorisations|balances|transactions|status)$/;
  const segments = (path.split('?', 1)[0] ?? '').split('/').slice(2);
  const shape = segments.map((segment) => (words.test(segment) ? segment : 'ID')).join('/');
  return `${method} ${shape} ${String(status)}`;
}
