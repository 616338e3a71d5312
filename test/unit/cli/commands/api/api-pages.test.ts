import { describe, expect, it } from 'vitest';
import { accountBank } from '../account-bank.ts';

const first = '/v1/accounts/a/transactions?bookingStatus=booked';
const page = (id: string, next?: string) => ({
  body: {
    transactions: { booked: [{ transactionId: id }], ...(next && { _links: { next: { href: next } } }) },
  },
});
const second = '/v1/accounts/a/transactions?page=%32&x=a%20b';
const line = `api GET ${first.slice(1)} -H Consent-ID:con-9 --paginate`;

describe('--paginate', () => {
  it('follows the links as they are written, with the same headers, to one array', async () => {
    const bank = await accountBank();
    bank.http
      .expect('GET', first, page('t1', second))
      .expect('GET', second, page('t2', '/v1/accounts/a/transactions?p=3'));
    bank.http.expect('GET', '/v1/accounts/a/transactions?p=3', {
      body: { transactions: { booked: [] }, _links: {} },
    });
    const { code, stdout, stderr, notices } = await bank.run(`${line} --json`);
    expect(code, stderr).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject([
      { transactions: { booked: [{ transactionId: 't1' }] } },
      { transactions: { booked: [{ transactionId: 't2' }] } },
      { transactions: { booked: [] } },
    ]);
    expect(notices.said).toContain('3 calls');
    const sent = bank.http.requests;
    expect(sent.map(({ url }) => url)[1]).toBe(`https://bank.example${second}`);
    for (const { headers } of sent)
      expect(headers.map(([name, value]) => `${name}: ${value}`)).toContain('Consent-ID: con-9');
    bank.http.verify();
  });

  it('prints the pages one after another to a person; -i with the head of each', async () => {
    const bank = await accountBank();
    bank.http.expect('GET', first, page('t1', second)).expect('GET', second, page('t2'));
    const { stdout } = await bank.run(`${line} -i`);
    expect(stdout.match(/^HTTP 200$/gm)).toHaveLength(2);
    expect(stdout.indexOf('"t1"')).toBeLessThan(stdout.indexOf('"t2"'));
  });

  it('finds a link beside the list as well', async () => {
    const bank = await accountBank();
    const more = { body: { accounts: [], _links: { next: { href: '/v1/accounts?p=2' } } } };
    bank.http
      .expect('GET', '/v1/accounts', more)
      .expect('GET', '/v1/accounts?p=2', { body: { accounts: [] } });
    const { stdout } = await bank.run('api GET v1/accounts --paginate --jq length');
    expect(stdout).toBe('2\n');
  });

  it.each([
    ['in a circle', 6, 'REPORT_ENDLESS', page('t2', second)],
    ['to a refusal', 5, 'REFUSED', { status: 404, body: {} }],
    ['elsewhere', 5, 'LINK_REFUSED', page('t2', 'https://evil.example/v1/accounts')],
  ])('that leads %s ends with %d and no page', async (_, exit, code, answer) => {
    const bank = await accountBank();
    bank.http.expect('GET', first, page('t1', second)).expect('GET', second, answer);
    const ended = await bank.run(`${line} --json`);
    expect(ended).toMatchObject({ code: exit, stdout: '' });
    expect(JSON.parse(ended.stderr)).toMatchObject({ error: { code } });
    bank.http.verify();
  });

  it.each([
    ['another account', '/v1/accounts/b/transactions?page=2'],
    ['another account, percent-encoded', '/v1/accounts/%62/transactions?page=2'],
    ['another account, with the origin', 'https://bank.example/v1/accounts/b/transactions'],
    ['a page below another account', '/v1/accounts/b/transactions/pages/2'],
    ['the balances', '/v1/accounts/a/balances'],
    ['the transactions of a card', '/v1/card-accounts/a/transactions'],
    ['a payment', '/v1/payments/sepa-credit-transfers/p1'],
  ])('asks for nothing where a link leads to %s', async (_, link) => {
    const bank = await accountBank();
    bank.http.expect('GET', first, page('t1', link));
    const ended = await bank.run(`${line} --json`);
    expect(ended).toMatchObject({ code: 5, stdout: '' });
    expect(JSON.parse(ended.stderr)).toMatchObject({ error: { code: 'LINK_REFUSED' } });
    expect(bank.http.requests).toHaveLength(1);
  });

  it.each(['/v1/accounts/%61/transactions?page=2', '/v1/pages/42'])('follows %s', async (link) => {
    const bank = await accountBank();
    bank.http.expect('GET', first, page('t1', link)).expect('GET', link, page('t2'));
    expect(await bank.run(`${line} --jq length`)).toMatchObject({ code: 0, stdout: '2\n' });
  });

  it('prints nothing where a page is of another account than the first', async () => {
    const bank = await accountBank();
    const of = (iban: string, next?: string) => {
      const { body } = page('t', next);
      return { body: { account: { iban }, ...body } };
    };
    bank.http.expect('GET', first, of('DE89370400440532013000', second));
    bank.http.expect('GET', second, of('NL76RABO0359400371'));
    const ended = await bank.run(`${line} --json`);
    expect(ended).toMatchObject({ code: 6, stdout: '' });
    expect(JSON.parse(ended.stderr)).toMatchObject({ error: { code: 'ANSWER_UNREADABLE' } });
  });

  it.each(['api DELETE v1/consents/con-1 --paginate', `${line} --raw`])('%s is refused', async (words) => {
    const bank = await accountBank();
    expect(await bank.run(words)).toMatchObject({ code: 2, stdout: '' });
    expect(bank.http.requests).toEqual([]);
  });
});
