import { expect, it } from 'vitest';
import { readPages } from '../../../../src/client/accounts/transactions.ts';
import { reader } from '../reader.ts';
import { failedWith } from '../../../helpers/failed-with.ts';

const path = '/v1/accounts/acc-1/transactions';
const wanted = {
  ...{ kind: 'account' as const, account: 'acc-1', all: true, accept: 'application/json' },
  query: { bookingStatus: 'booked' },
};
const booked = Array.from({ length: 300 }, (_, at) => ({
  transactionId: `t${String(at)}`,
  bookingDate: '2026-11-20',
  transactionAmount: { currency: 'EUR', amount: '-1.00' },
}));
const page = (next: string) => ({
  body: { transactions: { booked, _links: { next: { href: `${path}?page=${next}` } } } },
});

it('a streamed report recognises a page that comes again, however much of it comes at once', async () => {
  const there = await reader();
  there.http
    .expect('GET', `${path}?bookingStatus=booked`, page('2'))
    .expect('GET', `${path}?page=2`, page('3'));
  const send = there.http.send.bind(there.http);
  const parts = [0.4, 0.7];
  there.http.send = async (request, options) => {
    const answer = await send(request, options);
    const at = Math.floor(answer.body.length * (parts.shift() ?? 0));
    async function* rest() {
      yield await Promise.resolve(answer.body.subarray(at));
    }
    return { ...answer, body: answer.body.subarray(0, at), rest: rest() };
  };
  let rows = 0;
  const reading = async () => {
    for await (const page of readPages(there.reading, wanted))
      for await (const some of page.rows) rows += some.length;
  };
  expect(await failedWith(reading())).toMatchObject({ code: 'REPORT_ENDLESS' });
  expect(rows).toBe(300);
});
