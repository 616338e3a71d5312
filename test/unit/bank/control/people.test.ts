import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { account } from '../../../../src/bank/config/account-section.ts';
import { person } from '../../../../src/bank/config/people-section.ts';
import document from '../../../../docs/bank/control.openapi.json' with { type: 'json' };
import { startBank } from '../../../helpers/bank.ts';
import type { TestBank } from '../../../helpers/bank.ts';
import { controlOf } from '../../../helpers/control.ts';
import { payment, tppOf } from '../tpp.ts';

const consentBody = {
  access: { allPsd2: 'allAccounts' },
  recurringIndicator: true,
  validUntil: '9999-12-31',
  frequencyPerDay: 4,
  combinedServiceIndicator: false,
};

let bank: TestBank;
let ask: ReturnType<typeof controlOf>;
beforeAll(async () => {
  bank = await startBank();
  bank.scenario({ rateLimit: 'off' });
  ask = controlOf(bank);
});
afterAll(() => bank.close());

const post = async (path: string, body: object, status = 201) => {
  const answer = await ask('POST', path, { body });
  expect(answer.status, answer.text).toBe(status);
  return answer.json as Record<string, unknown>;
};
const call = (...asked: Parameters<ReturnType<typeof tppOf>>) => tppOf(bank)(...asked);

async function paid(psuId: string, iban: string) {
  const answer = await call('POST', '/v1/payments/sepa-credit-transfers', {
    body: payment(iban),
    headers: { 'PSU-ID': psuId, 'TPP-Redirect-URI': 'https://tpp.example/cb' },
  });
  expect(answer.status, answer.text).toBe(201);
  return String(answer.json.paymentId);
}
async function agreed(psuId: string, access: object) {
  const answer = await call('POST', '/v1/consents', {
    body: { ...consentBody, access },
    headers: { 'PSU-ID': psuId, 'TPP-Redirect-URI': 'https://tpp.example/cb' },
  });
  expect(answer.status, answer.text).toBe(201);
  return String(answer.json.consentId);
}
const statusOf = async (path: string) => {
  const { json } = await call('GET', `${path}/status`);
  return String(json.transactionStatus ?? json.consentStatus);
};

describe('a customer created by the control API', () => {
  it('is the same as in a file, member by member', () => {
    const { NewPerson, AccountOfPerson, NewAccount } = document.components.schemas;
    const { accounts, balance, ...rest } = NewPerson.properties;
    const { accounts: _own, ...wanted } = (person.schema as { properties: Record<string, unknown> })
      .properties;
    expect(rest).toEqual(wanted);
    expect([accounts.items.$ref, balance.$ref]).toEqual([
      '#/components/schemas/AccountOfPerson',
      '#/components/schemas/Amount',
    ]);
    const { files: _files, ...ofFile } = (account.schema as { properties: Record<string, unknown> })
      .properties;
    expect(AccountOfPerson.properties).toEqual(ofFile);
    const { psuId: _psuId, ...ofAccount } = NewAccount.properties;
    expect(ofAccount).toEqual(ofFile);
  });

  it('has as many transactions as a file may list', async () => {
    const transactions = Array.from({ length: 700 }, (_, index) => ({
      amount: '1.00',
      bookingDate: '2026-02-03',
      counterpartyName: `Customer ${String(index)}`,
      remittanceInformationUnstructured: 'An invoice of the last month, paid in full',
    }));
    const accounts = [{ iban: 'NL02ABNA0123456789', balance: '700.00', transactions }];
    await post('/people', { psuId: 'busy', accounts });
    const { json } = await ask('GET', '/accounts/NL02ABNA0123456789/entries?limit=1000');
    // No opening balance was needed: all of them are there.
    expect(json.entries).toHaveLength(700);
    await ask('DELETE', '/people/busy');
  });

  it('has accounts of any number and currency, with balances and entries', async () => {
    await post('/people', {
      psuId: 'Åsa',
      approaches: ['DECOUPLED', 'EMBEDDED'],
      limits: { attempts: 2, locks: true },
      accounts: [
        { bban: '5390 0754 7034', currency: 'SEK', balance: '100.00', owner: 'Åsa' },
        { msisdn: '+46701234567', balance: 3.5 },
        {
          iban: 'NO9386011117947',
          currency: 'NOK',
          generated: { perDay: 1, from: '2026-01-01', to: '2026-01-10' },
        },
        { pan: '5555444433331111', currency: 'JPY', balance: -20 },
      ],
    });
    const { json } = await ask('GET', `/accounts?psuId=${encodeURIComponent('Åsa')}`);
    const found = json.accounts as { currency: string; balance: string; accountId: string }[];
    expect(found.map(({ currency, balance }) => `${balance} ${currency}`)).toEqual([
      '100.00 SEK',
      '3.50 EUR',
      '0.00 NOK',
      '-20 JPY',
    ]);
    const entries = await ask('GET', `/accounts/NO9386011117947/entries`);
    expect((entries.json.entries as unknown[]).length).toBeGreaterThanOrEqual(10);
    const books = await ask('GET', '/people');
    expect(books.status).toBe(200);
  });

  it.each<[string, object, number, RegExp, string | undefined]>([
    ['/people', { psuId: 'x', accounts: [{ iban: 'DE00' }] }, 400, /not right/, '/accounts/0/iban'],
    ['/people', { psuId: 'x', aproach: 'EMBEDDED' }, 400, /no member "aproach"/, '/aproach'],
    ['/people', { psuId: 'x', authorisers: ['nobody'] }, 400, /not right/, '/authorisers'],
    ['/people', { psuId: 'x', balance: '1.00', accounts: [] }, 400, /beside/, '/balance'],
    ['/people', { psuId: 'x', accounts: [{ files: ['/etc/passwd'] }] }, 400, /files/, '/accounts/0/files'],
    ['/people', { psuId: 'redirect' }, 409, /a PSU redirect already/, undefined],
    [
      '/people',
      { psuId: 'x', accounts: [{ iban: 'DE36990010000000001111' }] },
      409,
      /an account already/,
      undefined,
    ],
    ['/accounts', { psuId: 'redirect', currency: 'XYZ' }, 400, /XYZ/, '/currency'],
    ['/accounts', { psuId: 'redirect', balance: '1.234' }, 400, /not right/, '/balance'],
  ])('is refused whole, with the place: %s %j', async (path, body, status, what, pointer) => {
    const taken = bank.person('redirect').accounts[0]!.iban;
    const text = JSON.stringify(body).replace('DE36990010000000001111', taken);
    const answer = await ask('POST', path, { body: JSON.parse(text) as object });
    expect(answer.status, answer.text).toBe(status);
    expect(answer.json.title).toMatch(what);
    expect(answer.json.pointer).toBe(pointer);
    expect((await ask('GET', '/people/x')).status).toBe(404);
  });

  it('changes as in a file, and keeps secrets and accounts', async () => {
    await post('/people', { psuId: 'ida', password: 'one', otp: '111111', approach: 'REDIRECT' });
    const change = async (body: object) => {
      const answer = await ask('PATCH', '/people/ida', { body });
      expect(answer.status, answer.text).toBe(200);
      return answer.json as Record<string, unknown>;
    };
    expect(await change({ approach: 'EMBEDDED', otp: '222222' })).toMatchObject({
      approach: 'EMBEDDED',
      password: 'one',
      otp: '222222',
      accounts: [{ balance: '1000.00' }],
    });
    expect(await change({ blocked: true })).toMatchObject({ approach: 'EMBEDDED' });
    const refused = await call('POST', '/v1/consents', { body: consentBody, headers: { 'PSU-ID': 'ida' } });
    expect(refused.status, refused.text).toBe(403);
    await change({ blocked: null });
    await agreed('ida', consentBody.access);
    const wrong = await ask('PATCH', '/people/ida', { body: { psuId: 'other' } });
    expect([wrong.status, wrong.json.pointer]).toEqual([400, '/psuId']);
  });

  it('is removed together with what was theirs', async () => {
    const iban = 'NL91ABNA0417164300';
    await post('/people', { psuId: 'leaver', approach: 'REDIRECT', accounts: [{ iban, balance: '50.00' }] });
    const paymentId = await paid('leaver', iban);
    const waiting = await agreed('leaver', { accounts: [{ iban }] });
    const valid = await agreed('leaver', { accounts: [{ iban }] });
    bank.decide('approve', valid, 'leaver');
    const left = await ask('DELETE', '/people/leaver');
    expect(left.status, left.text).toBe(200);
    expect(left.json.payments).toEqual([paymentId]);
    expect((left.json.consents as string[]).toSorted()).toEqual([waiting, valid].toSorted());
    expect(await statusOf(`/v1/payments/sepa-credit-transfers/${paymentId}`)).toBe('RJCT');
    expect(await statusOf(`/v1/consents/${waiting}`)).toBe('rejected');
    expect(await statusOf(`/v1/consents/${valid}`)).toBe('revokedByPsu');
    const unknown = await call('POST', '/v1/consents', {
      body: consentBody,
      headers: { 'PSU-ID': 'leaver' },
    });
    expect(unknown.status).toBe(401);
    expect((await ask('GET', `/accounts/${iban}`)).status).toBe(404);
    // Both are free again, with nothing of the past.
    await post('/people', { psuId: 'leaver', accounts: [{ iban, balance: '7.00' }] });
    expect((await ask('GET', `/accounts/${iban}`)).json.balance).toBe('7.00');
  });

  it('loses one account, and keeps the others', async () => {
    const [first, second] = ['DE02120300000000202051', 'DE02500105170137075030'];
    await post('/people', {
      psuId: 'two',
      approach: 'EMBEDDED',
      accounts: [
        { iban: first, balance: 9 },
        { iban: second, balance: 9 },
      ],
    });
    const [gone, stays] = [await paid('two', first), await paid('two', second)];
    const changed = await ask('PATCH', `/accounts/${second}`, {
      body: { name: 'Rent', creditLimit: '5.00' },
    });
    expect([changed.status, changed.json.name, changed.json.balance]).toEqual([200, 'Rent', '9.00']);
    const left = await ask('DELETE', `/accounts/${first}`);
    expect(left.json).toEqual({ consents: [], payments: [gone] });
    expect(await statusOf(`/v1/payments/sepa-credit-transfers/${stays}`)).toBe('RCVD');
    expect((await ask('GET', '/people/two')).json.accounts).toEqual([
      { iban: second, currency: 'EUR', balance: '9.00' },
    ]);
  });
});
