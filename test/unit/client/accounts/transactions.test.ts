import { describe, expect, it } from 'vitest';
import type { AccountRead } from '../../../../src/client/accounts/counted-read.ts';
import { idOf } from '../../../../src/client/accounts/report-keeper.ts';
import { readTransaction } from '../../../../src/client/accounts/transaction.ts';
import { readPages } from '../../../../src/client/accounts/transactions.ts';
import type { ReportRead } from '../../../../src/client/accounts/transactions.ts';
import { usesLeft } from '../../../../src/client/consents/budget.ts';
import { consentOf, reader } from '../reader.ts';
import { failedWith } from '../../../helpers/failed-with.ts';

const path = '/v1/accounts/acc-1/transactions';
const start = `${path}?bookingStatus=booked`;
const wanted: ReportRead = {
  kind: 'account',
  account: 'acc-1',
  query: { bookingStatus: 'booked' },
  accept: 'application/json',
  all: true,
};

const entry = (transactionId: string, more: object = {}) => ({
  transactionId,
  bookingDate: '2026-11-20',
  transactionAmount: { currency: 'EUR', amount: '-1.00' },
  ...more,
});
const page = (ids: readonly string[], links: Record<string, string> = {}) => ({
  body: {
    transactions: {
      booked: ids.map((id) => entry(id)),
      _links: Object.fromEntries(
        Object.entries({ account: '/v1/accounts/acc-1', ...links }).map(([name, href]) => [name, { href }]),
      ),
    },
  },
});

async function collect(reading: AccountRead, more: Partial<ReportRead> = {}) {
  const pages = [];
  for await (const { rows: all, facts } of readPages(reading, { ...wanted, ...more })) {
    const rows = [];
    for await (const some of all) rows.push(...some);
    pages.push({ rows, ...facts });
  }
  return pages;
}

describe('a transaction report', () => {
  it('is read page by page, by links as they came, with all headers, and counts as one access', async () => {
    const there = await reader({ token: 'secret-token' });
    there.http
      .expect('GET', start, page(['t1'], { next: `${path}?page=2&x=%2F` }))
      .expect('GET', `${path}?page=2&x=%2F`, page(['t2'], { next: 'v1/accounts/acc-1/transactions?page=3' }))
      .expect('GET', `${path}?page=3`, page(['t3']));
    const pages = await collect(there.reading);
    expect(pages.flatMap(({ rows }) => rows.map(({ transactionId }) => transactionId))).toEqual([
      't1',
      't2',
      't3',
    ]);
    for (const request of there.http.requests) {
      expect(request.header('Consent-ID')).toBe('con-1');
      expect(request.header('Authorization')).toBe('Bearer secret-token');
      expect(request.header('Accept')).toBe('application/json');
      expect(request.header('PSU-IP-Address')).toBeUndefined();
    }
    expect(await usesLeft(there.target, consentOf(), there.clock.now())).toBe(3);
  });

  it('is one page without --all, and names where the next is', async () => {
    const there = await reader();
    there.http.expect('GET', start, page(['t1'], { next: `${path}?page=2` }));
    const [first, ...others] = await collect(there.reading, { all: false });
    expect(first?.nextPage).toBe(`${path}?page=2`);
    expect(others).toEqual([]);
    there.http.expect('GET', `${path}?page=2`, page(['t2']));
    expect(await collect(there.reading, { all: false, page: `${path}?page=2` })).toHaveLength(1);
    there.verify();
  });

  it.each<[string, (at: number) => ReturnType<typeof page>, number]>([
    ['a page that leads to itself', () => page(['t1'], { next: `${path}?page=1` }), 2],
    ['the same page under ever new links', (at) => page(['t1'], { next: `${path}?page=${String(at)}` }), 2],
    ['pages of nothing', (at) => page([], { next: `${path}?page=${String(at)}` }), 20],
  ])('stops where its pages never end: %s', async (_, answer, calls) => {
    const there = await reader();
    for (let at = 0; at < calls; at += 1) there.http.expect('GET', /transactions\?/, answer(at));
    const error = await failedWith(collect(there.reading));
    expect(error).toMatchObject({ code: 'REPORT_ENDLESS', exit: 6 });
    there.verify();
  });

  it('does not follow a link to another host', async () => {
    const there = await reader();
    there.http.expect('GET', start, page(['t1'], { next: 'https://evil.example/v1/accounts' }));
    await expect(collect(there.reading)).rejects.toMatchObject({ code: 'LINK_REFUSED' });
  });

  it('is downloaded where it is too large, with the same headers', async () => {
    const there = await reader();
    there.http
      .expect('GET', start, { body: { _links: { download: { href: `${path}/download/d1` } } } })
      .expect('GET', `${path}/download/d1`, page(['t1', 't2']));
    const [only] = await collect(there.reading);
    expect(only?.rows).toHaveLength(2);
    expect(there.http.requests[1]!.header('Consent-ID')).toBe('con-1');
  });

  it.each([
    { transactions: { booked: [], _links: { download: { href: `${path}/download/d1` } } } },
    { transactions: { _links: { download: { href: `${path}/download/d1` } }, pending: [] } },
    { transactions: [], _links: { download: { href: `${path}/download/d1` } } },
  ])('is a list where it is present and empty, whatever link stands beside it: %j', async (body) => {
    const there = await reader();
    there.http.expect('GET', start, { body });
    const [only, ...others] = await collect(there.reading);
    expect([only?.rows, others]).toEqual([[], []]);
    expect(there.http.requests).toHaveLength(1);
  });

  it('names the counterparty although the report does not name its account', async () => {
    const there = await reader();
    const booked = [entry('t1', { creditorName: 'Shop' })];
    there.http.expect('GET', start, { body: { transactions: { booked, _links: {} } } });
    const [only] = await collect(there.reading);
    expect(only?.rows).toMatchObject([{ counterpartyName: 'Shop', amount: '-1.00' }]);
  });

  it('may be refused by the bank half-way', async () => {
    const there = await reader();
    there.http
      .expect('GET', start, page(['t1'], { next: `${path}?page=2` }))
      .expect('GET', `${path}?page=2`, {
        status: 401,
        body: { tppMessages: [{ category: 'ERROR', code: 'CONSENT_EXPIRED' }] },
      });
    const error = await failedWith(collect(there.reading));
    expect(error).toMatchObject({ exit: 4 });
    expect(error.detail).toContain('valid until 2027-02-18');
  });
});

describe('a single transaction', () => {
  const link = '/v1/accounts/acc-1/transactions/t1?key=9';
  const details = { body: { transactionsDetails: entry('t1', { mandateId: 'M' }) } };
  const linked = (href: string) => ({
    body: {
      transactions: { booked: [entry('t1', { _links: { transactionDetails: { href } } })], _links: {} },
    },
  });

  it('is read by the link that its report gave, also in a later run', async () => {
    const there = await reader();
    there.http.expect('GET', start, linked(link));
    await collect(there.reading);
    const consent = (await there.store.resources.find('acme', 'consent', 'con-1'))!;
    there.http.expect('GET', link, details);
    const { transaction } = await readTransaction({ ...there.reading, consent }, 'acc-1', 't1');
    expect(transaction['mandateId']).toBe('M');
    there.verify();
  });

  it('is read from one wrapper, two or none, whatever interface the bank has', async () => {
    const one = entry('t1', { mandateId: 'M' });
    const twice = { transactionsDetails: { transactionDetails: one } };
    for (const body of [one, { transactionsDetails: one }, twice]) {
      const there = await reader();
      there.http.expect('GET', '/v1/accounts/acc-1/transactions/t1', { body });
      const { transaction } = await readTransaction(there.reading, 'acc-1', 't1');
      expect(transaction['mandateId']).toBe('M');
      there.verify();
    }
  });

  it('keeps no link that equals the one of the interface', async () => {
    const there = await reader();
    there.http.expect('GET', start, linked('/v1/accounts/acc-1/transactions/t1'));
    await collect(there.reading);
    expect(there.reading.consent?.consent?.reports).toEqual({ 'acc-1': { media: 'json' } });
  });

  it('is found by the links of every page, also of pages read later, the newest link first', async () => {
    const there = await reader();
    const at = (id: string, key: string) => `/v1/accounts/acc-1/transactions/${id}${key}`;
    const withLink = (id: string, key: string, links: object = {}) => ({
      body: {
        transactions: {
          booked: [entry(id, { _links: { transactionDetails: { href: at(id, key) } } })],
          _links: links,
        },
      },
    });
    there.http
      .expect('GET', start, withLink('t1', '?key=1', { next: { href: `${path}?page=2` } }))
      .expect('GET', `${path}?page=2`, withLink('t2', '?key=2', { next: { href: `${path}?page=3` } }))
      .expect('GET', `${path}?page=3`, withLink('t3', '?key=3'))
      .expect('GET', `${path}?page=9`, withLink('t9', '?key=9'))
      .expect('GET', `${path}?page=1`, withLink('t1', ''));
    const pages = readPages(there.reading, wanted);
    await pages.next();
    // Another process learns that the consent has ended.
    await there.store.resources.save(consentOf({}, { status: 'expired' }));
    for await (const page of pages) expect(page.head).toHaveLength(1);
    for (const page of ['9', '1']) await collect(there.reading, { all: false, page: `${path}?page=${page}` });
    const saved = await there.store.resources.find('acme', 'consent', 'con-1');
    expect(saved?.status).toBe('expired');
    expect(saved?.consent?.reports?.['acc-1']?.details).toEqual({
      t2: at('t2', '?key=2'),
      t3: at('t3', '?key=3'),
      t9: at('t9', '?key=9'),
    });
  });

  it('is found only by the newest links, as many as a consent should carry', async () => {
    const there = await reader();
    const href = (id: string) => `/v1/accounts/acc-1/transactions/${id}?key=1`;
    const ids = Array.from({ length: 1_200 }, (_, at) => `t${String(at)}`);
    const booked = ids.map((id) => entry(id, { _links: { transactionDetails: { href: href(id) } } }));
    there.http.expect('GET', start, { body: { transactions: { booked, _links: {} } } });
    await collect(there.reading);
    const kept = there.reading.consent?.consent?.reports?.['acc-1']?.details ?? {};
    expect(Object.keys(kept)).toEqual(ids.slice(-1_000));
  });

  it('is read by its id where no link is known, bare or wrapped', async () => {
    const there = await reader();
    there.http.expect('GET', `${path}/t1`, { body: entry('t1') });
    expect((await readTransaction(there.reading, 'acc-1', 't1')).transaction['transactionId']).toBe('t1');
  });

  it.each(['xml', 'text'])('cannot be read after a report in %s', async (media) => {
    const there = await reader({}, {}, consentOf({ reports: { 'acc-1': { media } } }));
    const error = await failedWith(readTransaction(there.reading, 'acc-1', 't1'));
    expect(error).toMatchObject({ exit: 2, code: 'USAGE' });
    expect(error.hint).toEqual(['obk transactions list --account acc-1 --accept json']);
    expect(there.http.requests).toEqual([]);
  });

  it("is named by what the bank's report contains", () => {
    expect(idOf({ position: 1, entryReference: 'e', resourceId: 'r', transactionId: 't' })).toBe('t');
    expect(idOf({ position: 1, entryReference: 'e', resourceId: 'r' })).toBe('r');
    expect(idOf({ position: 1, entryReference: 'e' })).toBe('e');
  });
});
