import { describe, expect, it } from 'vitest';
import {
  accountId,
  listAccounts,
  readAccount,
  readBalances,
} from '../../../../src/client/accounts/accounts.ts';
import { consentOf, iban, reader, refusal } from '../reader.ts';
import { failedWith } from '../../../helpers/failed-with.ts';

const accounts = [
  {
    resourceId: 'agg',
    iban,
    currency: 'XXX',
    _links: { transactions: { href: '/v1/accounts/agg/transactions' } },
  },
  { resourceId: 'sub-eur', iban, currency: 'EUR' },
  { resourceId: 'sub-usd', iban, currency: 'USD' },
  { resourceId: 'two', iban: 'FR1420041010050500013M02606', currency: 'EUR', name: 'Savings' },
  { iban: 'BE68539007547034', currency: 'EUR' },
];
const list = { body: { accounts } };

describe('a list of accounts', () => {
  it('is read under the consent and without the PSU, and the ids are kept with the consent', async () => {
    const there = await reader();
    there.http.expect('GET', '/v1/accounts', list);
    const listed = await listAccounts(there.reading, 'account');
    expect(JSON.parse(JSON.stringify(listed.accounts))).toEqual(accounts);
    const request = there.http.requests[0]!;
    expect(request.header('Consent-ID')).toBe('con-1');
    expect(request.header('PSU-IP-Address')).toBeUndefined();
    const saved = await there.store.resources.find('acme', 'consent', 'con-1');
    expect(saved?.consent?.accounts).toHaveLength(4);
    expect(saved?.consent?.accounts?.[0]).toEqual({ resourceId: 'agg', number: iban, currency: 'XXX' });
  });

  it('carries the address of the PSU only where the user states that the PSU asks', async () => {
    const there = await reader({}, { psuPresent: true });
    there.http.expect('GET', '/v1/accounts?withBalance=true', list);
    await listAccounts(there.reading, 'account', true);
    expect(there.http.requests[0]!.header('PSU-IP-Address')).toBe('192.0.2.7');
  });

  it('keeps what is known of accounts where it lists cards', async () => {
    const there = await reader({}, {}, consentOf({ accounts: [{ resourceId: 'acc-1', number: iban }] }));
    there.http.expect('GET', '/v1/card-accounts', {
      body: { cardAccounts: [{ resourceId: 'card-1', maskedPan: '5410xxxx1234', currency: 'EUR' }] },
    });
    await listAccounts(there.reading, 'card');
    const saved = await there.store.resources.find('acme', 'consent', 'con-1');
    expect(saved?.consent?.accounts?.map(({ resourceId }) => resourceId)).toEqual(['acc-1', 'card-1']);
  });
});

describe('an answer with one account', () => {
  it.each([
    ['bare', { resourceId: 'a', currency: 'EUR' }],
    ['wrapped', { account: { resourceId: 'a', currency: 'EUR' } }],
  ])('is read alike when it is %s', async (_, body) => {
    const there = await reader();
    there.http.expect('GET', '/v1/accounts/a%2Fb', { body });
    expect((await readAccount(there.reading, 'account', 'a/b')).account).toEqual({
      resourceId: 'a',
      currency: 'EUR',
    });
  });

  it('may carry its balances', async () => {
    const there = await reader();
    const balances = [{ balanceAmount: { currency: 'EUR', amount: '1.00' }, balanceType: 'expected' }];
    there.http.expect('GET', '/v1/accounts/a/balances', { body: { account: { iban }, balances } });
    expect(JSON.parse(JSON.stringify((await readBalances(there.reading, 'account', 'a')).balances))).toEqual(
      balances,
    );
  });
});

describe('an account of a command', () => {
  it.each<[string, string | undefined, string]>([
    ['an id', 'whatever-id', 'whatever-id'],
    ['an IBAN with sub-accounts means their aggregate', iban, 'agg'],
    ['as people write it', 'de89 3704 0044 0532 0130 00', 'agg'],
    ['as a page of a bank has it', 'DE89\u00a03704\u00a00044\u202f0532\u202f0130\u00a000', 'agg'],
    ['one sub-account', `${iban}:USD`, 'sub-usd'],
    ['another IBAN', 'FR1420041010050500013M02606', 'two'],
    ['a BBAN', '370400440532013000', 'agg'],
    ['a BBAN in groups', '3704 0044 0532 0130 00', 'agg'],
    ['a BBAN with its kind', 'bban:370400440532013000', 'agg'],
    ['one sub-account by its BBAN', '370400440532013000:USD', 'sub-usd'],
  ])('is found by what names it: %s', async (_, named, id) => {
    const there = await reader();
    there.http.expect('GET', '/v1/accounts', list);
    await listAccounts(there.reading, 'account');
    expect(await accountId(there.reading, 'account', named)).toBe(id);
    expect(there.http.requests).toHaveLength(1);
  });

  it('is unknown, and not looked up, where a one-off consent has had its list', async () => {
    const there = await reader({}, {}, consentOf({ recurring: false, frequency: 1 }));
    there.http.expect('GET', '/v1/accounts', list);
    await listAccounts(there.reading, 'account');
    const error = await failedWith(accountId(there.reading, 'account', 'GB82WEST12345698765432'));
    expect(error).toMatchObject({ code: 'ACCOUNT_UNKNOWN' });
    expect(there.http.requests).toHaveLength(1);
  });

  it('is looked up once and known to every later run', async () => {
    const there = await reader();
    there.http.expect('GET', '/v1/accounts', list);
    expect(await accountId(there.reading, 'account', `${iban}:EUR`)).toBe('sub-eur');
    const later = (await there.store.resources.find('acme', 'consent', 'con-1'))!;
    const again = { ...there.reading, consent: later };
    expect(await accountId(again, 'account', `${iban}:EUR`)).toBe('sub-eur');
    there.verify();
  });

  it.each([
    [
      'shares its id with a sub-account',
      iban,
      [
        { resourceId: 'a', iban },
        { resourceId: 'a', iban, currency: 'USD' },
      ],
    ],
    [
      'has no name and shares its id',
      undefined,
      [
        { resourceId: 'a', iban },
        { resourceId: 'a', iban, currency: 'USD' },
      ],
    ],
    [
      'is printed in groups',
      iban,
      [{ resourceId: 'a', iban: 'de89 3704 0044 0532 0130 00' }, { resourceId: 'b' }],
    ],
  ])('is found where it %s', async (_, named, listed) => {
    const there = await reader();
    there.http.expect('GET', '/v1/accounts', { body: { accounts: listed } });
    expect(await accountId(there.reading, 'account', named)).toBe('a');
  });

  it('is reported as listed without an id where the list has none', async () => {
    const there = await reader();
    there.http.expect('GET', '/v1/accounts', list);
    expect(await failedWith(accountId(there.reading, 'account', 'BE68539007547034'))).toMatchObject({
      code: 'ACCOUNT_UNKNOWN',
      title: 'The bank lists account BE68539007547034 without an id, so only its name is known.',
      resource: { consentId: 'con-1' },
    });
  });

  it('may be left out where there is only one', async () => {
    const there = await reader({}, {}, consentOf({ accounts: [{ resourceId: 'acc-1', number: iban }] }));
    expect(await accountId(there.reading, 'account', undefined)).toBe('acc-1');
  });

  it.each<[string, string | undefined, object]>([
    ['which one is not said', undefined, { code: 'USAGE', title: 'Which account?' }],
    ['it is not one of the consent', 'GB82WEST12345698765432', { code: 'ACCOUNT_UNKNOWN' }],
    ['it has no such currency', `${iban}:CHF`, { code: 'ACCOUNT_UNKNOWN' }],
    ['it is mistyped', 'DE89370400440532013001', { code: 'INPUT_INVALID' }],
  ])('ends in one clear error: %s', async (_, named, error) => {
    const there = await reader();
    there.http.expect('GET', '/v1/accounts', list);
    expect(await failedWith(accountId(there.reading, 'account', named))).toMatchObject({ exit: 2, ...error });
  });
});

describe('a refusal on account of the consent', () => {
  it.each<[string, number, Parameters<typeof consentOf>, string, string, number]>([
    ['CONSENT_EXPIRED', 401, [], 'Consent con-1 was valid until 2027-02-18.', 'obk consent renew con-1', 4],
    ['CONSENT_EXPIRED', 401, [{ recurring: false }], 'It was for one use.', 'obk consent renew con-1', 4],
    [
      'CONSENT_UNKNOWN',
      400,
      [],
      'is not one of this certificate at https://bank.example',
      'obk consent list',
      4,
    ],
    ['CONSENT_INVALID', 401, [], `is for everything of ${iban}`, 'obk consent status con-1', 4],
    ['CONSENT_INVALID', 401, [{}, { status: 'received' }], 'is received', 'obk consent authorise con-1', 4],
    ['ACCESS_EXCEEDED', 429, [], 'allows 4 a day', '--psu-present', 11],
    ['ACCESS_EXCEEDED', 429, [{ recurring: false }], 'was for one use', 'obk consent renew con-1', 11],
  ])(
    'is explained by what is known of the consent: %s (%i)',
    async (code, status, consent, detail, hint, exit) => {
      const there = await reader({}, {}, consentOf(...consent));
      there.http.expect('GET', '/v1/accounts', refusal(code, status));
      const error = await failedWith(listAccounts(there.reading, 'account'));
      expect(error).toMatchObject({ exit, httpStatus: status, resource: { consentId: 'con-1' } });
      expect(error.detail).toContain(detail);
      expect(error.hint[0]).toContain(hint);
    },
  );

  it.each<[string, number, Parameters<typeof consentOf>, object]>([
    ['CONSENT_EXPIRED', 401, [], { consentId: 'con-1', consentStatus: 'expired' }],
    ['CONSENT_INVALID', 401, [], { consentId: 'con-1' }],
    ['CONSENT_INVALID', 401, [{}, { status: 'received' }], { consentId: 'con-1', consentStatus: 'received' }],
    ['ACCESS_EXCEEDED', 429, [], { consentId: 'con-1', consentStatus: 'valid' }],
  ])('leaves no status that the bank denies: %s (%i)', async (code, status, consent, resource) => {
    const there = await reader({}, {}, consentOf(...consent));
    there.http.expect('GET', '/v1/accounts', refusal(code, status));
    expect((await failedWith(listAccounts(there.reading, 'account'))).resource).toEqual(resource);
  });

  it.each([
    ['account', '/v1/accounts/x/balances', 'obk accounts --consent con-1   # the accounts of this consent'],
    ['card', '/v1/card-accounts/x/balances', 'obk cards --consent con-1   # the cards of this consent'],
  ] as const)('names the command that lists them where there is no such %s', async (kind, path, hint) => {
    const there = await reader({ profile: { surface: 'framework' } });
    there.http.expect('GET', path, refusal('RESOURCE_UNKNOWN', 404));
    expect((await failedWith(readBalances(there.reading, kind, 'x'))).hint).toEqual([hint]);
  });

  it.each([
    ['CONSENT_EXPIRED', 401],
    ['CONSENT_INVALID', 401],
    ['CONSENT_UNKNOWN', 403],
    ['ACCESS_EXCEEDED', 429],
  ])(
    'reveals that a one-off consent was used before, whatever the bank calls it: %s',
    async (code, status) => {
      const consent = consentOf({ recurring: false, frequency: 1 });
      const there = await reader({}, {}, consent);
      there.http.expect('GET', '/v1/accounts', refusal(code, status));
      const first = await failedWith(listAccounts(there.reading, 'account'));
      expect(first.detail).not.toContain('has been used');
      await there.target.ports.usage.update(JSON.stringify(['consent', 'acme', 'con-1']), () => [
        { at: there.clock.now().getTime(), what: 'getBalances:acc-1 earlier-run 1' },
      ]);
      there.http.expect('GET', '/v1/accounts', refusal(code, status));
      const error = await failedWith(listAccounts(there.reading, 'account'));
      expect(error.detail).toContain('Consent con-1 was for one use, and it has been used.');
      expect(error.hint).toEqual(['obk consent renew con-1   # another one for the same']);
    },
  );

  it('marks an expired consent as expired', async () => {
    const there = await reader();
    there.http.expect('GET', '/v1/accounts', refusal('CONSENT_EXPIRED', 401));
    await failedWith(listAccounts(there.reading, 'account'));
    expect((await there.store.resources.find('acme', 'consent', 'con-1'))?.status).toBe('expired');
  });

  it('is not blamed on the consent where a gateway answers 429', async () => {
    const there = await reader();
    for (let attempt = 0; attempt < 3; attempt += 1)
      there.http.expect('GET', '/v1/accounts', { status: 429 });
    const error = await failedWith(listAccounts(there.reading, 'account'));
    expect(error).toMatchObject({ exit: 11, detail: expect.stringContaining('not the one of the consent') });
  });
});
