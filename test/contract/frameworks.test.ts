// The journeys of a TPP in each framework that the bank inside serves below /v1: whole commands of obk against it. Every request
// is judged by the referee, and every exchange by the official file of the framework where that is at hand.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { judgeAnswer } from '../../src/referee/answers/judge-answer.ts';
import { AnswerOrder } from '../../src/referee/answers/order.ts';
import { judge } from '../../src/referee/judge.ts';
import { frameworkNames } from '../../src/standard/xs2a/variants.ts';
import type { Framework } from '../../src/standard/xs2a/variants.ts';
import { checkExchange, hasOfficialFiles } from '../helpers/contract.ts';
import { judgedAnswer } from '../helpers/judged-answer.ts';
import type { Exchange } from '../helpers/contract.ts';
import { consented, forms, ibansOf, lives } from './account-journeys.ts';
import { products } from '../../src/standard/xs2a/products.ts';
import { ranTable, trials } from '../helpers/trials.ts';
import { inTurns } from '../helpers/turns.ts';
import {
  approaches,
  everyCancellation,
  everyProduct,
  findingsIn,
  spokenAs,
  startTraveller,
} from './journeys.ts';
import type { Traveller } from './journeys.ts';

type Rows = readonly Record<string, unknown>[];
const signing = {
  signature: 'required',
  signatureProfile: 'guidelines',
  keyId: 'exact',
  dateHeader: 'ignored',
} as const;

/** What later frameworks have brought: what a bank says of it, and from which framework on. */
const since = (framework: Framework, first: Framework): boolean =>
  frameworkNames.indexOf(framework) >= frameworkNames.indexOf(first);

/** Of each table every framework takes another part here, and all of it in the campaign. */
const task = trials('frameworks', 1);
const someOf = <One>(all: readonly One[], index: number): readonly One[] =>
  Array.from(
    { length: Math.min(task.count, all.length) },
    (_, at) => all[(index * task.count + at) % all.length] as One,
  );

describe.each(['1.3.2', '1.3.6', '1.3.8', '1.3.11', '1.3.12'] as const)(
  'obk in framework %s',
  (framework) => {
    const variant = spokenAs(framework);
    const turn = inTurns(2, frameworkNames.indexOf(framework));
    let traveller: Traveller;
    beforeAll(async () => {
      traveller = await startTraveller(framework);
    });
    afterAll(async () => {
      ranTable(`the journeys of framework ${framework}`);
      await traveller.close();
    });
    beforeEach(() => {
      traveller.nextMinute();
    });

    /** Nothing to be said against what has passed, by two judges that share no code. */
    async function expectFlawless(): Promise<Exchange[]> {
      const exchanges = traveller.take().filter(({ path }) => path.startsWith(`${variant.prefix}/`));
      if (hasOfficialFiles()) expect(findingsIn(variant, exchanges, checkExchange)).toEqual([]);
      const order = new AnswerOrder({ variant });
      for (const exchange of exchanges) {
        const answer = judgedAnswer(exchange);
        const wrong = [...judgeAnswer(answer, { variant }).findings, ...order.next(answer)];
        expect(wrong, `${exchange.method} ${exchange.path}`).toEqual([]);
        const { findings } = await judge(requestOf(exchange), { variant, now: new Date(), signing });
        const errors = findings.filter(({ severity }) => severity === 'error');
        expect(errors, `${exchange.method} ${exchange.path}`).toEqual([]);
      }
      return exchanges;
    }

    it('makes payments of every kind', { timeout: task.timeout(60_000) }, async () => {
      const some = someOf(products, frameworkNames.indexOf(framework));
      await everyProduct(traveller, some);
      const exchanges = await expectFlawless();
      const made = exchanges.filter(({ method, status }) => method === 'POST' && status === 201);
      expect(made).toHaveLength(3 * some.length);
      task.report(`${framework}: ${String(made.length)} payments`, some.length);
    });

    it('makes payments and cancellations in every approach', { timeout: task.timeout(90_000) }, async () => {
      const people = someOf(approaches, frameworkNames.indexOf(framework));
      await everyCancellation(traveller, people);
      const exchanges = await expectFlawless();
      expect(exchanges.filter(({ method, status }) => method === 'DELETE' && status === 202)).toHaveLength(
        people.length,
      );
      const statuses = exchanges
        .filter(({ method, path }) => method === 'GET' && path.endsWith('/status'))
        .map(({ responseBody }) => JSON.parse(responseBody.toString()) as Record<string, unknown>);
      expect(statuses.length).toBeGreaterThanOrEqual(people.length);
      for (const status of statuses) {
        expect('_links' in status).toBe(since(framework, '1.3.11'));
        expect('psuName' in status && 'ownerNames' in status).toBe(since(framework, '1.3.12'));
      }
    });

    turn('payments by OAuth, several PSUs, and a basket', { timeout: 60_000 }, async () => {
      const { bank, as, obk } = traveller;
      const pay = (psuId: string, ...more: string[]) =>
        as(
          psuId,
          {},
          ...['payment', 'init', '--product', 'sepa-credit-transfers', '--allow-duplicate'],
          ...[
            '--debtor',
            ibansOf(bank, psuId)[0] ?? '',
            ...[
              '--creditor-name',
              'Shop',
              '--creditor-account',
              'DE89370400440532013000',
              '--amount',
              '1.00',
            ],
            ...more,
          ],
        );
      for (const psuId of ['oauth', 'redirect-confirm', 'pair-a']) {
        const { paymentId } = await pay(psuId);
        expect(paymentId, psuId).toBeDefined();
      }
      const later = ['--explicit', 'yes', '--authorise-later'];
      const [one, other] = [await pay('embedded-one', ...later), await pay('embedded-one', ...later)];
      const members = [one, other].flatMap(({ paymentId = '' }) => ['--payment', paymentId]);
      const basket = await as('embedded-one', {}, 'basket', 'create', ...members);
      expect(basket).toMatchObject({ transactionStatus: 'ACTC' });
      const status = await obk('payment', 'status', one['paymentId'] ?? '');
      expect(status['transactionStatus']).toMatch(/^AC/);
      await expectFlawless();
    });

    it.each(someOf(lives, frameworkNames.indexOf(framework)))(
      'reads accounts with a consent: %s, %s',
      { timeout: 30_000 },
      async (psuId, name) => {
        const { bank, obk } = traveller;
        const flags = forms[name].flags(ibansOf(bank, psuId));
        const { consentId, consentStatus } = await consented(traveller, psuId, '--recurring', ...flags);
        expect(consentStatus).toBe('valid');
        const accounts = (await obk('accounts', '--consent', consentId)) as unknown as Rows;
        expect(accounts.length).toBeGreaterThan(0);
        expect(await obk('consent', 'delete', consentId)).toMatchObject({ consentStatus: 'terminatedByTpp' });
        await expectFlawless();
      },
    );

    turn('accounts, transactions and funds', { timeout: 30_000 }, async () => {
      const { bank, obk } = traveller;
      const [iban = ''] = ibansOf(bank, 'embedded-one');
      const owner = since(framework, '1.3.6') ? ['--owner-name'] : [];
      const { consentId } = await consented(
        traveller,
        'embedded-one',
        '--iban',
        iban,
        '--recurring',
        ...owner,
      );
      const under = ['--consent', consentId];
      const [account = {}] = (await obk('accounts', ...under, '--with-balance')) as unknown as Rows;
      expect('ownerName' in account).toBe(since(framework, '1.3.6'));
      expect('ownerNames' in account).toBe(since(framework, '1.3.12'));
      expect('psuName' in account).toBe(since(framework, '1.3.12'));
      const list = ['transactions', 'list', ...under, '--account', iban];
      const [row] = (await obk(...list)) as unknown as { transactionId: string }[];
      const details = await obk('transactions', 'get', row?.transactionId ?? '', ...under, '--account', iban);
      expect(details).toMatchObject({ transactionId: row?.transactionId });
      const all = (await obk(...list, '--booking-status', 'all', '--psu-present')) as unknown as Rows;
      expect(Array.isArray(all)).toBe(since(framework, '1.3.11'));
      expect(await obk('funds', 'check', '--account', iban, '--amount', '1.00')).toEqual({
        fundsAvailable: true,
      });
      await expectFlawless();
    });

    turn('an entry that stands for a batch', { timeout: 30_000 }, async () => {
      const { bank, as, obk } = traveller;
      const [iban = ''] = ibansOf(bank, 'embedded-one');
      const bulk = [
        '--service',
        'bulk-payments',
        '--product',
        'sepa-credit-transfers',
        '--from-csv',
        'payments.csv',
      ];
      const paid = await as(
        'embedded-one',
        {},
        'payment',
        'init',
        ...bulk,
        '--debtor',
        iban,
        '--batch-booking',
        'yes',
      );
      expect(paid).toMatchObject({ transactionStatus: 'ACSC' });
      const { consentId } = await consented(traveller, 'embedded-one', '--iban', iban);
      traveller.take();
      await obk('transactions', 'list', '--consent', consentId, '--account', iban);
      const [{ responseBody } = { responseBody: '{}' }] = traveller
        .take()
        .filter(({ path }) => /transactions/.test(path));
      const { transactions } = JSON.parse(responseBody.toString()) as {
        transactions: { booked: Record<string, unknown>[] };
      };
      const told = transactions.booked.filter(({ batchIndicator }) => batchIndicator === true);
      expect(told).toHaveLength(since(framework, '1.3.8') ? 1 : 0);
      for (const { batchNumberOfTransactions, entryDetails } of told)
        expect({ batchNumberOfTransactions, entryDetails }).toMatchObject({
          batchNumberOfTransactions: 1,
          entryDetails: [{ transactionAmount: { amount: '-1.00' }, creditorName: 'Shop' }],
        });
    });

    turn('cards', { timeout: 30_000 }, async () => {
      const { obk } = traveller;
      const { consentId } = await consented(traveller, 'cards', '--all-psd2', '--recurring');
      const under = ['--consent', consentId];
      const [card = {}] = (await obk('cards', ...under)) as unknown as Rows;
      expect('debitAccounting' in card).toBe(since(framework, '1.3.8'));
      const id = String(card['resourceId']);
      expect(await obk('cards', 'balances', id, ...under)).not.toEqual({});
      const rows = await obk('cards', 'transactions', '--account', id, ...under);
      expect(Array.isArray(rows)).toBe(true);
      const exchanges = await expectFlawless();
      const report = exchanges.findLast(({ path }) => /card-accounts\/.*\/transactions/.test(path));
      const body = report?.responseBody.toString() ?? '';
      expect(body.includes('"debitAccounting"')).toBe(since(framework, '1.3.8'));
      expect(body.includes('"grandTotalAmount"')).toBe(since(framework, '1.3.11'));
      expect(report?.path.includes('bookingStatus')).toBe(true);
    });

    turn('sends what the framework has, and nothing that it has not', { timeout: 30_000 }, async () => {
      const { bank, as } = traveller;
      const [iban = ''] = ibansOf(bank, 'decoupled');
      traveller.take();
      const created = await as('decoupled', {}, 'consent', 'create', '--iban', iban, '--decoupled', 'yes');
      const [first] = traveller.take();
      if (since(framework, '1.3.11')) {
        expect(created['consentId']).toBeDefined();
        expect(Object.fromEntries(first?.requestHeaders as [string, string][])).toMatchObject({
          'TPP-Decoupled-Preferred': 'true',
        });
      } else expect({ created, first }).toEqual({ created: {}, first: undefined });

      const lists = async (kind: string): Promise<unknown> => {
        const flags = ['--all-psd2', '--restricted-to', kind];
        const { consentId } = await consented(traveller, 'embedded-one', ...flags);
        return traveller.obk('accounts', '--consent', consentId);
      };
      if (since(framework, '1.3.8')) {
        expect(await lists('CACC')).toHaveLength(ibansOf(bank, 'embedded-one').length);
        expect(await lists('SVGS')).toEqual([]);
      }
      traveller.take();
      const kinds = ['consent', 'create', '--bank-offered', '--restricted-to', 'SVGS'];
      await as('redirect', {}, ...kinds);
      const [second] = traveller.take();
      expect(second?.requestBody.toString().includes('restrictedTo') ?? false).toBe(
        since(framework, '1.3.8'),
      );
    });
  },
);

function requestOf({ method, path, requestHeaders, requestBody }: Exchange) {
  const pairs = Array.isArray(requestHeaders) ? requestHeaders : Object.entries(requestHeaders);
  const headers = pairs.map(([sent, value]): [string, string] => [String(sent), String(value)]);
  return { method, target: path, headers, body: Buffer.from(requestBody) };
}
