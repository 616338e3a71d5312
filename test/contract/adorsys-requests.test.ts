// What obk sends with the template adorsys-xs2a on its journeys, judged by the OpenAPI file of that vendor for 1.3.6.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { presets } from '../../src/standard/xs2a/variants.ts';
import { StrictFile, hasFile } from '../helpers/strict-file.ts';
import { consented, forms, ibansOf, lives, otherForms } from './account-journeys.ts';
import {
  everyCancellation,
  everyPerson,
  everyProduct,
  refusals,
  startTraveller,
  titleOf,
  wrongSecrets,
} from './journeys.ts';
import type { Traveller } from './journeys.ts';

const files = { v136: 'adorsys-1.3.6.yaml' } as const;
const has = Object.values(files).every(hasFile);

/** What is sent although the file has it otherwise, and why that is right. */
const waivers: readonly (readonly [variant: string, request: RegExp, fault: RegExp, reason: string])[] = [
  [
    'v136',
    /./,
    /^header tpp-qwac-certificate is not declared$/,
    'the software requires it, whatever its file declares',
  ],
  [
    'v136',
    /^GET \S+\/transactions\?/,
    /^query cursor is not declared$/,
    'a link to a page is followed as the bank wrote it',
  ],
];

describe.skipIf(!has).each(['v136'] as const)(
  'requests with the template adorsys-xs2a in %s, by the copy of the official file',
  (variant) => {
    let traveller: Traveller;
    let judge: StrictFile;
    const { prefix } = presets[variant];
    const seen = new Set<string>();
    beforeAll(async () => {
      judge = new StrictFile(files[variant]);
      const redirect = [
        '--redirect-uri',
        'https://tpp.example/back',
        '--nok-redirect-uri',
        'https://tpp.example/nok',
      ];
      const certificate = ['--header-rule', 'default tpp-qwac-certificate=MII'];
      // The bank inside has this framework below another prefix.
      const more = ['--bank', 'adorsys-xs2a', '--prefix', prefix, ...certificate, ...redirect];
      traveller = await startTraveller(variant, more);
      traveller.bank.scenario({ surface: 'framework' });
    });
    afterAll(() => traveller.close());
    beforeEach(() => {
      traveller.nextMinute();
    });

    /** What the file has against the requests since the last time. */
    function faults(): string[] {
      const ofInterface = traveller.take().filter(({ path }) => path.startsWith(`${prefix}/`));
      return ofInterface.flatMap((made) => {
        const title = titleOf(made);
        seen.add(title.replace(prefix, ''));
        const found = judge.requestFaults(made, prefix);
        const left = found.filter(
          (fault) =>
            !waivers.some(
              ([variants, request, what]) =>
                variants.split('|').includes(variant) && request.test(title) && what.test(fault),
            ),
        );
        return left.map((fault) => `${title}: ${fault}`);
      });
    }

    it.each([
      ['a payment of every PSU', everyPerson],
      ['every product in every service', everyProduct],
      ['a cancellation in every approach', everyCancellation],
      ['wrong secrets', wrongSecrets],
      ['refusals', refusals],
    ])('are made for %s', { timeout: 90_000 }, async (_name, travel) => {
      await travel(traveller);
      expect(faults()).toEqual([]);
    });

    it.each([...lives, ...otherForms])(
      'are made for a consent and its accounts: %s, %s',
      { timeout: 30_000 },
      async (psuId, name) => {
        const { bank, obk } = traveller;
        const flags = forms[name].flags(ibansOf(bank, psuId));
        const { consentId, consentStatus } = await consented(traveller, psuId, '--recurring', ...flags);
        expect(consentStatus).toBe('valid');
        await obk('consent', 'get', consentId);
        await obk('consent', 'use', consentId);
        const accounts = (await obk('accounts', '--with-balance')) as unknown as { resourceId: string }[];
        const id = accounts[0]?.resourceId ?? '';
        await obk('accounts', 'get', id);
        await obk('accounts', 'balances', id);
        const list = ['transactions', 'list', '--account', id, '--date-from', '2026-01-01', '--all'];
        await obk(...list, '--booking-status', 'both', '--with-balance');
        await obk(...list, '--page-size', '5');
        await obk('transactions', 'list', '--account', id, '--accept', 'mt940');
        await obk('cards');
        await obk('consent', 'delete', consentId);
        expect(faults()).toEqual([]);
      },
    );

    it(
      'are made for funds, baskets, and what is said of the PSU and wished',
      { timeout: 30_000 },
      async () => {
        const { bank, as, obk } = traveller;
        const [iban = ''] = ibansOf(bank, 'embedded-one');
        await obk('funds', 'check', '--account', iban, '--amount', '1.00', '--payee', 'Shop');
        const wishes = [
          '--notification-uri',
          'https://tpp.example/news',
          '--notification-content',
          'status=SCA',
        ];
        const device = ['--psu-context', 'User-Agent=Mozilla/5.0', '--psu-context', 'Accept-Language=de'];
        const pay = [
          'payment',
          'init',
          '--product',
          'sepa-credit-transfers',
          '--debtor',
          iban,
          '--amount',
          '4.00',
        ];
        const to = [
          '--creditor-name',
          'Shop',
          '--creditor-account',
          'DE89370400440532013000',
          '--authorise-later',
        ];
        const made = await as('embedded-one', {}, ...pay, ...to, ...wishes, ...device);
        expect(made['paymentId']).toBeDefined();
        // What only the vendor has the bank inside may refuse; it is the request that counts.
        const reference = ['--creditor-reference', 'RF18539007547034', '--execution-date', '2099-01-04'];
        await as('embedded-one', {}, ...pay, ...to, ...reference, '--allow-duplicate');
        const basket = await as('embedded-one', {}, 'basket', 'create', '--payment', made['paymentId'] ?? '');
        const basketId = basket['basketId'] ?? '';
        await obk('basket', 'get', basketId);
        await obk('basket', 'status', basketId);
        await obk('basket', 'delete', basketId);
        expect(faults()).toEqual([]);
      },
    );

    it('are not made for what the file lacks', () => {
      const requestHeaders = {
        'X-Request-ID': '99435c7e-ad88-49ec-a2ad-99ddcb1f5555',
        'PSU-IP-Address': '192.0.2.1',
      };
      const consent = (access: object): string[] => {
        const body = { access, recurringIndicator: false, validUntil: '2027-01-01', frequencyPerDay: 1 };
        const requestBody = JSON.stringify({ ...body, combinedServiceIndicator: false });
        const headers = { ...requestHeaders, 'content-type': 'application/json' };
        const path = `${prefix}/consents`;
        return judge.requestFaults({ method: 'POST', path, requestHeaders: headers, requestBody }, prefix);
      };
      expect(consent({ allPsd2: 'allAccounts' })).toEqual([]);
      expect(consent({ availableAccounts: 'allAccountsWithBalances' })).toHaveLength(1);
      expect(consent({ availableAccountsWithBalances: 'allAccounts' })).toHaveLength(1);
      const get = (path: string, more: object = {}) =>
        judge.requestFaults(
          {
            method: 'GET',
            path: `${prefix}${path}`,
            requestHeaders: { ...requestHeaders, ...more },
            requestBody: '',
          },
          prefix,
        );
      expect(get('/accounts')).toEqual(['header Consent-ID is missing']);
      expect(get('/accounts?page=1', { 'Consent-ID': 'c' })).toEqual(['query page is not declared']);
      expect(get('/accounts', { 'Consent-ID': 'c', 'TPP-Redirect-URI': 'https://a.example' })).toEqual([
        'header tpp-redirect-uri is not declared',
      ]);
    });

    it('cover what the file has', () => {
      const methods = new Set([...seen].map((title) => title.replace(/\?\S+/, '').replace(/ \d+$/, '')));
      const of = '/payments/sepa-credit-transfers';
      for (const request of [
        ...[
          `POST ${of}`,
          `GET ${of}/ID`,
          `GET ${of}/ID/status`,
          `DELETE ${of}/ID`,
          `POST ${of}/ID/authorisations`,
        ],
        ...[`PUT ${of}/ID/authorisations/ID`, `POST ${of}/ID/cancellation-authorisations`],
        ...[
          `PUT ${of}/ID/cancellation-authorisations/ID`,
          'POST /bulk-payments/pain.001-sepa-credit-transfers',
        ],
        ...[
          'POST /periodic-payments/sepa-credit-transfers',
          'POST /consents',
          'GET /consents/ID',
          'GET /accounts',
        ],
        ...['DELETE /consents/ID', 'PUT /consents/ID/authorisations/ID', 'POST /funds-confirmations'],
        ...['POST /signing-baskets', 'DELETE /signing-baskets/ID', 'GET /card-accounts'],
      ])
        expect(methods).toContain(request);
    });
  },
);
