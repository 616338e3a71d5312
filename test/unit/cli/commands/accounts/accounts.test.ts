import { describe, expect, it } from 'vitest';
import { fakePerson } from '../../../../helpers/fakes/index.ts';
import { accountBank } from '../account-bank.ts';
import { iban, refusal } from '../../../client/reader.ts';

const list = {
  body: {
    accounts: [
      { resourceId: 'agg', iban, currency: 'XXX', name: 'Main' },
      {
        resourceId: 'sub',
        iban,
        currency: 'USD',
        balances: [
          { balanceType: 'closingBooked', balanceAmount: { currency: 'USD', amount: '7.00' } },
          { balanceType: 'interimAvailable', balanceAmount: { currency: 'USD', amount: '-3.50' } },
        ],
      },
    ],
  },
};
const one = { accounts: [{ resourceId: 'acc-1', number: iban }] };
const booked = {
  transactionId: 't1',
  bookingDate: '2026-11-20',
  transactionAmount: { currency: 'EUR', amount: '-12.50' },
  creditorName: '=HYPERLINK("x")',
  remittanceInformationUnstructured: 'Rent',
};
const report = (links: object = {}) => ({
  body: {
    account: { iban },
    transactions: { booked: [booked], _links: { account: { href: '/v1/accounts/acc-1' }, ...links } },
    balances: [{ balanceType: 'closingBooked', balanceAmount: { currency: 'EUR', amount: '1.00' } }],
  },
});
const path = '/v1/accounts/acc-1/transactions?dateFrom=2026-10-22&bookingStatus=booked';

describe('accounts', () => {
  it('are listed by the bare noun, aggregates and sub-accounts each as a row', async () => {
    const bank = await accountBank();
    bank.http.expect('GET', '/v1/accounts?withBalance=true', list).expect('GET', '/v1/accounts', list);
    const json = await bank.run('accounts --with-balance --json');
    expect(JSON.parse(json.stdout)).toEqual(list.body.accounts);
    const { stdout } = await bank.run('accounts');
    expect(stdout.split('\n').map((line) => line.split('\t').slice(0, 4))).toEqual([
      ['agg', iban, 'XXX', 'Main'],
      ['sub', iban, 'USD', ''],
      [''],
    ]);
  });

  it('show the balance that is available', async () => {
    const bank = await accountBank();
    bank.http.expect('GET', '/v1/accounts?withBalance=true', list);
    expect((await bank.run('accounts --with-balance -o table')).stdout).toMatch(
      / interimAvailable +-3\.50 {2}USD\n/,
    );
  });

  it.each([
    ['wrapped', { account: { resourceId: 'acc-1', currency: 'EUR' } }],
    ['bare', { resourceId: 'acc-1', currency: 'EUR' }],
  ])('one is the same object, %s', async (_, body) => {
    const bank = await accountBank({ consent: one });
    bank.http.expect('GET', '/v1/accounts/acc-1', { body }).expect('GET', '/v1/accounts/acc-1', { body });
    expect(JSON.parse((await bank.run('accounts get --json')).stdout)).toEqual({
      resourceId: 'acc-1',
      currency: 'EUR',
    });
    expect((await bank.run('accounts get --raw')).stdout).toBe(JSON.stringify(body));
  });

  it('have balances as rows', async () => {
    const bank = await accountBank({ consent: one });
    const balances = [{ balanceType: 'expected', balanceAmount: { currency: 'EUR', amount: '10.00' } }];
    bank.http.expect('GET', '/v1/accounts/acc-1/balances', { body: { balances } });
    expect((await bank.run(['accounts', 'balances', iban, '-o', 'csv'])).stdout).toMatch(
      /^balanceType,amount,currency,.*\r\nexpected,10\.00,EUR,,,,\r\n$/,
    );
  });
});

describe('cards', () => {
  it('are listed; their reads are of the framework only', async () => {
    const bank = await accountBank();
    const cardAccounts = [{ resourceId: 'card-1', maskedPan: '541000xxxxxx1234', currency: 'EUR' }];
    bank.http.expect('GET', '/v1/card-accounts', { body: { cardAccounts } });
    expect((await bank.run('cards')).stdout).toMatch(/^card-1\t541000xxxxxx1234\tEUR/);
    expect(await bank.run('cards balances card-1')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('without details, balances and transactions'),
    });
    const whole = await accountBank({ surface: 'framework' });
    whole.http
      .expect('GET', '/v1/card-accounts', { body: { cardAccounts } })
      .expect('GET', '/v1/card-accounts/card-1/balances', { body: { balances: [] } });
    expect((await whole.run('cards balances masked-pan:541000xxxxxx1234')).code).toBe(0);
  });
});

describe('what the service does not offer', () => {
  it.each([
    'cards',
    `cards --create-consent --iban ${iban}`,
    'cards get x',
    'cards balances',
    'cards transactions --account x',
    'funds check',
  ])('%s: is said before a consent or anything else is asked for', async (line) => {
    const bank = await accountBank({ variant: 'v136', consent: 'none' });
    const { code, stdout, stderr } = await bank.run(`${line} --json`);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(JSON.parse(stderr)).toMatchObject({
      error: { code: 'NOT_OFFERED', next: 'obk profile edit acme --surface framework' },
    });
    expect(bank.http.requests).toEqual([]);
  });

  it.each(['get x', 'balances x', 'transactions --account x'])(
    'cards %s of v1 is said so too',
    async (line) => {
      const bank = await accountBank({ consent: 'none' });
      const { code, stderr } = await bank.run(`cards ${line}`);
      expect(code).toBe(2);
      expect(stderr).toContain('without details, balances and transactions');
    },
  );
});

describe('what a report refuses', () => {
  it.each([
    ['--date-from yesterday', '--date-from "yesterday"'],
    ['--date-to 2026-02-30', '--date-to "2026-02-30"'],
    ['--date-from 2026-03-30 --date-to 2026-03-01', 'is after'],
    ['--booking-status all', '--booking-status all is not part of'],
    ['--delta --entry-reference-from 7', 'together'],
    ['--page-size 10', 'no page size'],
  ])('(%s) costs no consent, and no access to find the account', async (flags, says) => {
    const ways = [
      { bank: await accountBank() },
      { bank: await accountBank({ consent: 'none' }) },
      { bank: await accountBank({ consent: 'none' }), way: `--create-consent --iban ${iban}` },
    ];
    for (const { bank, way = '' } of ways) {
      const { code, stdout, stderr } = await bank.run(`transactions ${way} ${flags}`);
      expect({ code, stdout, stderr }).toEqual({
        code: 2,
        stdout: '',
        stderr: expect.stringContaining(says),
      });
      expect(bank.http.requests).toEqual([]);
    }
  });
});

describe('transactions', () => {
  it('are rows in every format, with amounts as decimal strings', async () => {
    const bank = await accountBank({ consent: one });
    for (let read = 0; read < 3; read += 1) bank.http.expect('GET', path, report());
    expect(JSON.parse((await bank.run('transactions --json')).stdout)).toEqual([
      expect.objectContaining({ amount: '-12.50', currency: 'EUR', counterpartyName: '=HYPERLINK("x")' }),
    ]);
    expect((await bank.run('transactions -o name')).stdout).toBe('t1\n');
    const csv = await bank.run('transactions -o csv');
    expect(csv.stdout).toMatch(/^bookingDate,valueDate,amount,.*\r\n2026-11-20,,-12\.50,EUR,"'=HYPERLINK/);
    expect(csv.notices.said).toContain('Balance closingBooked: 1.00 EUR');
  });

  it('of a further page are told, and read by --page or --all', async () => {
    const bank = await accountBank({ consent: one });
    const next = { next: { href: '/v1/accounts/acc-1/transactions?page=2' } };
    bank.http.expect('GET', path, report(next));
    const first = await bank.run('transactions --json');
    expect(first.notices.said.join()).toContain('nextPage: /v1/accounts/acc-1/transactions?page=2');
    bank.http.expect('GET', '/v1/accounts/acc-1/transactions?page=2', report());
    const second = await bank.run('transactions --page /v1/accounts/acc-1/transactions?page=2 -o name');
    expect(second.stdout).toBe('t1\n');

    bank.http.expect('GET', path, report(next)).expect('GET', '/v1/accounts/acc-1/transactions?page=2', {
      body: { transactions: { booked: [{ ...booked, transactionId: 't2' }], _links: {} } },
    });
    const all = await bank.run('transactions --all -o name');
    expect(all.stdout).toBe('t1\nt2\n');
    expect(all.notices.said.join()).toContain('2 transactions in 2 calls.');
  });

  it('with --meta are a document with balances, calls and nextPage', async () => {
    const bank = await accountBank({ consent: one });
    bank.http.expect('GET', path, report({ next: { href: '/v1/x' } }));
    expect(JSON.parse((await bank.run('transactions --meta --json')).stdout)).toMatchObject({
      transactions: [{ transactionId: 't1' }],
      balances: [{ balanceType: 'closingBooked', amount: '1.00' }],
      calls: 1,
      nextPage: '/v1/x',
      _obk: { httpStatus: 200 },
    });
  });

  it('end at a limit without reading on', async () => {
    const bank = await accountBank({ consent: one });
    bank.http.expect('GET', path, report({ next: { href: '/v1/accounts/acc-1/transactions?page=2' } }));
    expect((await bank.run('transactions --all --limit 1 -o name')).stdout).toBe('t1\n');
  });

  it('are given as the bank wrote them, one on a line, where it writes JSON', async () => {
    const bank = await accountBank({ consent: one });
    const body = '{"transactions":{"booked":[{ "transactionId":"t1","n":1.50 },{}]}}';
    bank.http.expect('GET', path, { body, headers: { 'Content-Type': 'application/json' } });
    bank.http.expect('GET', path, { body: camt(), headers: { 'Content-Type': 'application/xml' } });
    const { stdout } = await bank.run('transactions --raw -o ndjson');
    expect(stdout).toBe('{ "transactionId":"t1","n":1.50 }\n{}\n');
    const refused = await bank.run('transactions --raw -o ndjson');
    expect(refused).toMatchObject({ code: 2, stdout: '' });
    expect(refused.stderr).toContain('This one is camt.');
  });

  it.each([
    ['application/xml', 'application/xml', camt(), 'E-camt'],
    ['text/plain', 'text/plain', mt940(), undefined],
  ])('come as %s as well', async (_, type, body, entry) => {
    const bank = await accountBank({ consent: one });
    bank.http.expect('GET', path, { body, headers: { 'Content-Type': type } });
    bank.http.expect('GET', path, { body, headers: { 'Content-Type': type } });
    const rows = JSON.parse((await bank.run('transactions --json')).stdout) as Record<string, unknown>[];
    expect(rows).toEqual([expect.objectContaining({ amount: '-12.50', currency: 'EUR' })]);
    if (entry !== undefined) expect(rows[0]).toMatchObject({ entryReference: entry });
    expect((await bank.run('transactions --raw')).stdout).toBe(body);
    expect(await bank.run('transactions get E-camt')).toMatchObject({ code: 2 });
  });
});

describe('an access that must not happen', () => {
  it.each<[string, Parameters<typeof accountBank>[0], string, number, string]>([
    ['no consent', { consent: 'none' }, 'accounts', 4, 'obk consent create --iban IBAN'],
    [
      'a consent that has passed',
      { consent: { validUntil: '2026-11-20' } },
      'accounts',
      4,
      'obk consent renew',
    ],
    ['an impossible day', {}, 'transactions --account a --date-from 2026-02-30', 2, '--date-from'],
    [
      'the end first',
      {},
      'transactions --account a --date-from 2026-02-02 --date-to 2026-02-01',
      2,
      'is after',
    ],
    ['both deltas', {}, 'transactions --account a --delta --entry-reference-from x', 2, '--delta and'],
    ['an unknown format', {}, 'transactions --account a --accept pdf', 2, '--accept takes'],
    ['--raw of all', {}, 'transactions --account a --raw --all', 2, '--raw is one answer'],
    ['--iban of nothing', {}, `accounts --iban ${iban}`, 2, '--create-consent'],
    [
      'two consents',
      {},
      `accounts --create-consent --iban ${iban} --consent con-1`,
      2,
      'cannot be given together',
    ],
  ])('%s', async (_, wish, line, code, text) => {
    const ended = await (await accountBank(wish)).run(line);
    expect(ended).toMatchObject({ code, stdout: '' });
    expect(ended.stderr).toContain(text);
    expect(ended.stderr.match(/✗/g)).toHaveLength(1);
  });

  const spent = async (person = fakePerson({ present: false })) => {
    const bank = await accountBank({ environment: 'production', person });
    for (let read = 0; read < 4; read += 1) {
      bank.clock.advance(1);
      bank.http.expect('GET', '/v1/accounts', list);
      expect((await bank.run('accounts')).code).toBe(0);
    }
    bank.clock.advance(1);
    return bank;
  };

  it('the fifth of a day is refused in production', async () => {
    const bank = await spent();
    expect(await bank.run('accounts')).toMatchObject({
      code: 11,
      stdout: '',
      stderr: expect.stringContaining('allows 4 accesses a day'),
    });
  });

  it.each<[string, string, Record<string, string>]>([
    ['a flag', 'accounts --over-budget', {}],
    ['a variable', 'accounts', { OBK_OVER_BUDGET: '1' }],
    ['the PSU', 'accounts --psu-present', {}],
  ])('the fifth of a day goes on with %s', async (_, line, env) => {
    const bank = await spent();
    bank.http.expect('GET', '/v1/accounts', list);
    expect((await bank.run(line, env)).code).toBe(0);
  });

  it('the fifth of a day is for a person to say', async () => {
    const bank = await spent(fakePerson().answer('over-budget', false, true));
    expect((await bank.run('accounts')).code).toBe(11);
    bank.http.expect('GET', '/v1/accounts', list);
    expect((await bank.run('accounts')).code).toBe(0);
  });
});

describe('a refusal of the bank', () => {
  it.each<[string, number, number, string]>([
    ['CONSENT_EXPIRED', 401, 4, 'was valid until 2027-02-18'],
    ['CONSENT_INVALID', 401, 4, 'is for everything of'],
    ['CONSENT_UNKNOWN', 400, 4, 'not one of this certificate'],
    ['RESOURCE_UNKNOWN', 404, 5, 'knows no such resource'],
    ['ACCESS_EXCEEDED', 429, 11, 'allows 4 a day'],
    ['PERIOD_INVALID', 400, 5, 'out of bounds'],
  ])('%s is told once with what is known here', async (code, status, exit, text) => {
    const bank = await accountBank({ consent: one });
    bank.http.expect('GET', path, refusal(code, status));
    const ended = await bank.run('transactions');
    expect(ended).toMatchObject({ code: exit, stdout: '' });
    expect(ended.stderr).toContain(code);
    expect(ended.stderr).toContain(text);
    // A refusal proves nothing of what is there.
    expect(ended.stderr).not.toContain('con-1 exists');
  });
});

function camt(): string {
  return `<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.02"><BkToCstmrStmt><GrpHdr><MsgId>M</MsgId><CreDtTm>2026-11-21T00:00:00Z</CreDtTm></GrpHdr>
<Stmt><Id>S</Id><CreDtTm>2026-11-21T00:00:00Z</CreDtTm><Acct><Id><IBAN>${iban}</IBAN></Id></Acct>
<Ntry><NtryRef>E-camt</NtryRef><Amt Ccy="EUR">12.50</Amt><CdtDbtInd>DBIT</CdtDbtInd><Sts>BOOK</Sts><BookgDt><Dt>2026-11-20</Dt></BookgDt><BkTxCd><Prtry><Cd>X</Cd></Prtry></BkTxCd></Ntry>
</Stmt></BkToCstmrStmt></Document>`;
}

function mt940(): string {
  return [
    ':20:STARTUMS',
    `:25:${iban}`,
    ':28C:1/1',
    ':60F:C261119EUR100,00',
    ':61:2611201120D12,50NTRFNONREF',
    ':86:Rent',
    ':62F:C261120EUR87,50',
    '-',
    '',
  ].join('\r\n');
}
