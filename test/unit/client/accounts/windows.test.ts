import { describe, expect, it } from 'vitest';
import { reportQuery } from '../../../../src/client/accounts/report-query.ts';
import { readPages } from '../../../../src/client/accounts/transactions.ts';
import { readWindows, windowsOf } from '../../../../src/client/accounts/windows.ts';
import type { ReportRead } from '../../../../src/client/accounts/transactions.ts';
import { reader } from '../reader.ts';

const path = '/v1/accounts/acc-1/transactions';
const wanted: ReportRead = {
  ...{ kind: 'account', account: 'acc-1', accept: 'application/json', all: true },
  query: { dateFrom: '2026-01-01', dateTo: '2026-01-31', bookingStatus: 'booked' },
};
const entry = (transactionId: string, bookingDate: string) => ({
  ...{ transactionId, bookingDate },
  transactionAmount: { currency: 'EUR', amount: '-1.00' },
});
const list = (booked: readonly object[], next?: string) => ({
  body: { transactions: { booked, _links: next === undefined ? {} : { next: { href: next } } } },
});
const of = (from: string, to: string) => `${path}?dateFrom=${from}&dateTo=${to}&bookingStatus=booked`;

describe('windows of days', () => {
  it('hold each day once, the newest first, none longer than the bank allows', () => {
    for (const days of [1, 2, 7, 14, 31, 90]) {
      for (const [from, to] of [
        ['2026-01-01', '2026-01-01'],
        ['2025-11-30', '2026-03-02'],
        ['2024-02-28', '2024-03-01'],
      ] as const) {
        const held = windowsOf(from, to, to, days).flatMap(({ dateFrom, dateTo = to }) => {
          const all = [];
          for (let at = Date.parse(dateTo); at >= Date.parse(dateFrom); at -= 86_400_000)
            all.push(new Date(at).toISOString().slice(0, 10));
          expect(all.length).toBeLessThanOrEqual(days);
          return all;
        });
        expect(new Set(held).size).toBe(held.length);
        expect(held).toEqual([...held].sort().reverse());
        expect([held[0], held.at(-1)]).toEqual([to, from]);
        expect(held).toHaveLength((Date.parse(to) - Date.parse(from)) / 86_400_000 + 1);
      }
    }
  });

  it('leave the newest window open where no end was given', () => {
    expect(windowsOf('2026-01-01', undefined, '2026-01-03', 2)).toEqual([
      { dateFrom: '2026-01-02' },
      { dateFrom: '2026-01-01', dateTo: '2026-01-01' },
    ]);
  });
});

describe('a period longer than the bank allows (ais.history.windowDays)', () => {
  const windows = windowsOf('2026-01-01', '2026-01-31', '2026-02-01', 14);
  async function read(ids: 'stable' | 'unstable' = 'stable', answers: Record<string, object>) {
    const there = await reader();
    for (const [address, answer] of Object.entries(answers)) there.http.expect('GET', address, answer);
    const profile = { ...there.target.profile, decode: { ids } };
    const reading = { ...there.reading, target: { ...there.target, profile } };
    const rows = [];
    for await (const page of readWindows(reading, wanted, windows))
      for await (const some of page.rows) rows.push(...some.map(({ transactionId }) => transactionId));
    there.verify();
    return rows;
  }
  const edge = entry('on-18', '2026-01-18');
  const answers = {
    [of('2026-01-18', '2026-01-31')]: list([entry('on-31', '2026-01-31')], `${path}?page=2`),
    [`${path}?page=2`]: list([edge]),
    // This bank takes the end of a window for the day after it.
    [of('2026-01-04', '2026-01-17')]: list([edge, entry('on-17', '2026-01-17'), entry('on-4', '2026-01-04')]),
    [of('2026-01-01', '2026-01-03')]: list([]),
  };

  it('is read window by window, with no transaction twice and none lost', async () => {
    expect(await read('stable', answers)).toEqual(['on-31', 'on-18', 'on-17', 'on-4']);
  });

  it('loses nothing where ids identify nothing (decode.ids)', async () => {
    expect(await read('unstable', answers)).toEqual(['on-31', 'on-18', 'on-18', 'on-17', 'on-4']);
  });

  it('ends where the bank ignores the dates', async () => {
    const same = list([entry('t-1', '2026-01-20')]);
    await expect(
      read('stable', { [of('2026-01-18', '2026-01-31')]: same, [of('2026-01-04', '2026-01-17')]: same }),
    ).rejects.toMatchObject({ code: 'REPORT_ENDLESS' });
  });
});

describe('the period of a report', () => {
  const now = new Date('2026-11-20T12:00:00Z');
  const bank = { history: { windowDays: 14, freshMinutes: 15 } };

  it('is no longer than the bank allows where no dates were given', () => {
    expect(reportQuery({}, { framework: '1.3.6', now, bank })).toMatchObject({ dateFrom: '2026-11-07' });
    expect(reportQuery({}, { framework: '1.3.6', now })).toMatchObject({ dateFrom: '2026-10-21' });
    expect(reportQuery({}, { framework: '1.3.6', now, bank: { history: { maxDays: 7 } } })).toMatchObject({
      dateFrom: '2026-11-13',
    });
  });

  it('may be longer with --all, for booked transactions only: pending ones come with each window', () => {
    const wish = { dateFrom: '2026-09-01' };
    expect(() => reportQuery(wish, { framework: '1.3.6', now, bank })).toThrow(/14 days at once/);
    expect(reportQuery({ ...wish, all: true }, { framework: '1.3.6', now, bank })).toMatchObject(wish);
    expect(() =>
      reportQuery({ ...wish, all: true, bookingStatus: 'both' }, { framework: '1.3.6', now, bank }),
    ).toThrow(/14 days/);
  });

  it('is 90 days once the SCA is some time ago (ais.history.freshMinutes)', () => {
    const far = { history: { freshMinutes: 15 } };
    const wish = { dateFrom: '2026-01-01' };
    const ask =
      (since: string | undefined, history = far) =>
      () =>
        reportQuery(wish, { framework: '1.3.6', now, bank: history, authorisedAt: since });
    expect(ask('2026-11-20T11:30:00Z')).toThrow(
      expect.objectContaining({ code: 'CONSENT_NEEDED', exit: 4 }) as Error,
    );
    expect(ask('2026-11-20T11:50:00Z')).not.toThrow();
    expect(ask('2026-11-20T11:30:00Z', {} as typeof far)).not.toThrow();
    expect(() =>
      reportQuery(
        { dateFrom: '2026-09-01' },
        { framework: '1.3.6', now, bank: far, authorisedAt: '2026-11-20T11:30:00Z' },
      ),
    ).not.toThrow();
  });
});

it('a page that is requested after it expired at the bank is reported as expired (ais.paging.expiresS)', async () => {
  const told = async (expiresS: number) => {
    const there = await reader();
    there.http
      .expect('GET', of('2026-01-01', '2026-01-31'), list([entry('t-1', '2026-01-02')], `${path}?page=2`))
      .expect('GET', `${path}?page=2`, list([entry('t-2', '2026-01-01')]));
    const profile = { ...there.target.profile, ais: { paging: { expiresS } } };
    const reading = { ...there.reading, target: { ...there.target, profile } };
    for await (const page of readPages(reading, wanted)) {
      for await (const _ of page.rows) await there.clock.sleep(1);
      await there.clock.sleep(901_000);
    }
    return JSON.stringify(there.notices);
  };
  expect(await told(900)).toContain('keeps it for 900 s (ais.paging.expiresS)');
  expect(await told(3600)).not.toContain('expiresS');
});
