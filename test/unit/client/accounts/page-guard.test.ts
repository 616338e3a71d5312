import { describe, expect, it } from 'vitest';
import { readPages } from '../../../../src/client/accounts/transactions.ts';
import { reader } from '../reader.ts';
import { failedWith } from '../../../helpers/failed-with.ts';

const path = '/v1/accounts/acc-1/transactions';
const wanted = {
  ...{ kind: 'account' as const, account: 'acc-1', all: true, accept: 'application/json' },
  query: { bookingStatus: 'booked' },
};
const mine = 'DE89370400440532013000';
const other = 'NL76RABO0359400371';
const list = (iban: string | undefined, id: string, next?: string) => ({
  body: {
    ...(iban === undefined ? {} : { account: { iban } }),
    transactions: {
      booked: [
        {
          transactionId: id,
          bookingDate: '2026-11-20',
          transactionAmount: { currency: 'EUR', amount: '-1.00' },
        },
      ],
      ...(next === undefined ? {} : { _links: { next: { href: next } } }),
    },
  },
});

async function pages(...answers: readonly { at: string; answer: object }[]) {
  const there = await reader();
  for (const { at, answer } of answers) there.http.expect('GET', at, answer);
  const ids: (string | undefined)[] = [];
  const all = async () => {
    for await (const page of readPages(there.reading, wanted))
      for await (const rows of page.rows) for (const { transactionId } of rows) ids.push(transactionId);
  };
  return { ids, all, there };
}

describe('the pages of a report', () => {
  const first = { at: `${path}?bookingStatus=booked`, answer: list(mine, 't1', `${path}?page=2`) };

  it('are all of one account', async () => {
    const read = await pages(first, {
      at: `${path}?page=2`,
      answer: list('DE89 3704 0044 0532 0130 00', 't2'),
    });
    await read.all();
    expect(read.ids).toEqual(['t1', 't2']);
  });

  it('are refused where they belong to another account', async () => {
    const read = await pages(first, { at: `${path}?page=2`, answer: list(other, 't2') });
    expect(await failedWith(read.all())).toMatchObject({ exit: 6, code: 'ANSWER_UNREADABLE' });
    expect(read.ids).toEqual(['t1']);
  });

  it('belong to the account that the first of them names, which need not be the first page', async () => {
    const read = await pages(
      { ...first, answer: list(undefined, 't1', `${path}?page=2`) },
      { at: `${path}?page=2`, answer: list(mine, 't2', `${path}?page=3`) },
      { at: `${path}?page=3`, answer: list(other, 't3') },
    );
    expect(await failedWith(read.all())).toMatchObject({ exit: 6, code: 'ANSWER_UNREADABLE' });
    expect(read.ids).toEqual(['t1', 't2']);
  });

  it.each([
    '/v1/accounts/acc-2/transactions?page=2',
    'http://bank.example/v1/accounts/acc-2/transactions',
    '/v1/card-accounts/acc-2/transactions/download/x',
    '/v1/accounts/acc%2D2/transactions',
  ])('are not requested where they lead to another account: %s', async (link) => {
    const read = await pages({ ...first, answer: list(mine, 't1', link) });
    expect(await failedWith(read.all())).toMatchObject({ exit: 5, code: 'LINK_REFUSED' });
    expect(read.ids).toEqual(['t1']);
    expect(read.there.http.requests).toHaveLength(1);
  });

  it('may be linked without an account where none was named', async () => {
    const link = '/v1/pages/42';
    const read = await pages(
      { ...first, answer: list(mine, 't1', link) },
      { at: link, answer: list(undefined, 't2') },
    );
    await read.all();
    expect(read.ids).toEqual(['t1', 't2']);
  });
});
