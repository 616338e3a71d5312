import { describe, expect, it } from 'vitest';
import { accountBank } from './account-bank.ts';

const path = '/v1/accounts/acc-1/transactions?dateFrom=2026-10-22&bookingStatus=booked';
const next = "/v1/accounts/acc-1/transactions?page=2&x='";
const entry = (transactionId: string) => ({
  transactionId,
  bookingDate: '2026-11-20',
  transactionAmount: { currency: 'EUR', amount: '-1.00' },
});
const booked = [entry('t1'), entry('t2'), entry('t3')];
const terminal = { OBK_FORCE_TTY: '200', NO_COLOR: '1' };

describe('the next page of a report', () => {
  it.each([
    ['1', null],
    ['2', null],
    ['3', next],
    ['4', next],
  ])('is told with --limit %s only where the page was read to its end', async (limit, nextPage) => {
    for (const last of [true, false]) {
      const bank = await accountBank();
      const _links = { next: { href: next } };
      const transactions = last ? { booked, _links } : { _links, booked };
      bank.http.expect('GET', path, { body: { transactions } });
      const { stdout } = await bank.run(`transactions --account acc-1 --limit ${limit} --meta --json`);
      const told = JSON.parse(stdout) as { transactions: object[]; nextPage: string | null };
      expect([told.transactions.length, told.nextPage]).toEqual([Math.min(Number(limit), 3), nextPage]);
    }
  });

  it('is named with the profile, the consent and the format that it is read with, quoted', async () => {
    const bank = await accountBank();
    bank.http.expect('GET', path, { body: { transactions: { booked, _links: { next: { href: next } } } } });
    const { stderr, stdout, notices } = await bank.run(
      'transactions --account acc-1 --consent con-1 --accept json --profile acme',
      terminal,
    );
    expect([stderr, stdout, ...notices.said, ...notices.warned].join('\n')).toContain(
      `obk transactions list --account acc-1 --page '/v1/accounts/acc-1/transactions?page=2&x='"'" --consent con-1 --accept json --profile acme`,
    );
  });

  it('of a card is one of cards', async () => {
    const bank = await accountBank({ surface: 'framework' });
    const cards = '/v1/card-accounts/card-1/transactions';
    bank.http.expect('GET', `${cards}?dateFrom=2026-10-22&bookingStatus=booked`, {
      body: { cardTransactions: { booked, _links: { next: { href: `${cards}?page=2` } } } },
    });
    const { stderr, stdout } = await bank.run('cards transactions --account card-1', terminal);
    expect(stderr + stdout).toContain(`obk cards transactions --account card-1 --page '${cards}?page=2'`);
  });
});
