import { describe, expect, it } from 'vitest';
import { readPages } from '../../../../src/client/accounts/transactions.ts';
import type { ReportRead } from '../../../../src/client/accounts/transactions.ts';
import { consentOf, iban, reader } from '../reader.ts';
import { failedWith } from '../../../helpers/failed-with.ts';

const path = '/v1/accounts/acc-1/transactions';
const wanted: ReportRead = { kind: 'account', account: 'acc-1', query: {}, all: false };
const entry = {
  transactionId: 't1',
  bookingDate: '2026-11-20',
  transactionAmount: { currency: 'EUR', amount: '256.67' },
  creditorName: 'Shop',
  debtorName: 'Jane',
  debtorAccount: { iban },
};

async function rowsOf(body: object, accounts = [{ resourceId: 'acc-1', number: iban }]) {
  const there = await reader({}, {}, consentOf({ accounts }));
  there.http.expect('GET', path, { body });
  const rows = [];
  for await (const page of readPages(there.reading, wanted))
    for await (const some of page.rows) rows.push(...some);
  return rows;
}

describe('the account of a report', () => {
  it.each([
    ['named nowhere', { transactions: { booked: [entry] } }],
    ['named behind the transactions', { transactions: { booked: [entry] }, account: { iban } }],
  ])('is the one that was requested: %s', async (_, body) => {
    expect(await rowsOf(body)).toMatchObject([
      { account: iban, amount: '-256.67', counterpartyName: 'Shop', marks: ['sign-from-parties'] },
    ]);
  });
});

it('the account of a report is the one that it names behind its transactions', async () => {
  const report = { transactions: { booked: [entry] }, account: { iban } };
  expect(await rowsOf(report, [])).toMatchObject([
    { account: iban, amount: '-256.67', counterpartyName: 'Shop', marks: ['sign-from-parties'] },
  ]);
});

it('a link that leads to another such link is not taken for an empty report', async () => {
  const there = await reader();
  const body = { _links: { download: { href: `${path}/download/1` } } };
  there.http.expect('GET', path, { body }).expect('GET', `${path}/download/1`, { body });
  const error = await failedWith(readPages(there.reading, wanted).next());
  expect(error).toMatchObject({ code: 'REPORT_ENDLESS', exit: 6 });
});
