import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { definitions } from '../../../../src/bank/books/people-seed.ts';
import { optionPeople } from '../../../../src/bank/books/people-options.ts';
import { startBank } from '../../../helpers/bank.ts';
import { stepsOf } from '../ready-steps.ts';
import { back, codeOf, href, useScene } from '../scene.ts';
import type { Links } from '../scene.ts';
import { payment } from '../tpp.ts';

const scene = useScene(undefined, { doors: { people: 'options' } });
const { ask, debtorOf, create, authorise, paid, embedded, wrongOtp, report, accountsSeen, begun, funds } =
  stepsOf(scene);

/** The steps of the approaches, with no, one and several methods. */
const ways: Readonly<Record<string, readonly string[]>> = {
  'redirect-none': ['redirect', 'password', 'finalised'],
  'redirect-one': ['redirect', 'password', 'otp', 'finalised'],
  'redirect-several': ['redirect', 'password', 'choice of 3', 'otp', 'finalised'],
  'oauth-none': ['oauth', 'finalised'],
  'oauth-one': ['oauth', 'finalised'],
  'oauth-several': ['oauth', 'finalised'],
  'embedded-none': ['password', 'exempted'],
  'embedded-one': ['password', 'otp', 'finalised'],
  'embedded-several': ['password', 'choice of 3', 'otp', 'finalised'],
  'decoupled-none': ['phone', 'finalised'],
  'decoupled-one': ['password', 'phone', 'finalised'],
  'decoupled-several': ['password', 'choice of 2', 'phone', 'finalised'],
};

type Journey = (psuId: string) => Promise<void>;

const inWay =
  (steps: readonly string[]): Journey =>
  async (psuId) => {
    expect(await paid(psuId)).toEqual([steps, 'ACSC']);
  };

const ofCompany =
  (steps: readonly string[]): Journey =>
  async (psuId) => {
    for (const company of [undefined, 'another']) {
      const refused = await scene.call('POST', '/v136/payments/sepa-credit-transfers', {
        body: { ...payment('', '1.00'), debtorAccount: debtorOf(psuId) },
        headers: { 'PSU-ID': psuId, 'PSU-Corporate-ID': company, 'TPP-Redirect-URI': back },
      });
      expect(codeOf(refused)).toEqual([401, 'CORPORATE_ID_INVALID']);
    }
    await inWay(steps)(psuId);
  };

/** All must sign: each in their own way, and the payment waits for the last. */
const signedBy =
  (...all: readonly string[]): Journey =>
  async (psuId) => {
    const one = await create(psuId);
    const order = [psuId, ...all.filter((other) => other !== psuId)];
    for (const [index, who] of order.entries()) {
      expect((await authorise(who, one)).at(-1)).toMatch(/finalised|exempted/);
      expect(await scene.statusOf(one.links)).toBe(index + 1 < all.length ? 'PATC' : 'ACSC');
    }
  };
const two = signedBy('corporate-two-signatures-a', 'corporate-two-signatures-b');
const three = signedBy(
  'corporate-three-signatures-a',
  'corporate-three-signatures-b',
  'corporate-three-signatures-c',
);
const couple = signedBy('private-two-signatures-a', 'private-two-signatures-b');

const wrongSecrets =
  (most: number, locks: boolean): Journey =>
  async (psuId) => {
    const { one, started, at } = await embedded(psuId);
    for (let left = most - 1; left >= 0; left -= 1) {
      const refused = await wrongOtp(at);
      expect(codeOf(refused)).toEqual([401, 'PSU_CREDENTIALS_INVALID']);
      expect(refused.text).toContain(left > 0 ? `attempts left: ${String(left)}` : 'wrong too often');
    }
    expect(await scene.scaOf(started.json._links as Links)).toBe('failed');
    expect(await scene.statusOf(one.links)).toBe('RJCT');
    if (locks) await blocked(psuId);
    else expect((await paid(psuId))[1]).toBe('ACSC');
  };

const blocked: Journey = async (psuId) => {
  const refused = await scene.call('POST', '/v136/payments/sepa-credit-transfers', {
    body: { ...payment('', '1.00'), debtorAccount: debtorOf(psuId) },
    headers: { 'PSU-ID': psuId, 'TPP-Redirect-URI': back },
  });
  expect(codeOf(refused)).toEqual([403, 'SERVICE_BLOCKED']);
};

/** Has an authorisation begun, and lets a second pass. */
const afterASecond =
  (sca: string, status: string, method?: string): Journey =>
  async (psuId) => {
    const one = await create(psuId);
    let { created: answer } = one;
    const start = Object.keys(one.links).find((name) => name.startsWith('startAuthorisation'));
    if (start !== undefined) {
      const { password } = scene.bank.person(psuId);
      const body = start.endsWith('WithPsuAuthentication') ? { body: { psuData: { password } } } : {};
      answer = await scene.call('POST', href(one.links, start), body);
    }
    const links = answer.json._links as Links;
    if (method !== undefined)
      await scene.call('PUT', href(links, 'selectAuthenticationMethod'), {
        body: { authenticationMethodId: method },
      });
    expect(await scene.scaOf(links)).not.toBe(sca);
    scene.bank.clock('+2s');
    expect([await scene.scaOf(links), await scene.statusOf(one.links)]).toEqual([sca, status]);
  };

const fees =
  (v136: object, v1: object): Journey =>
  async (psuId) => {
    for (const [prefix, told] of [
      ['v136', v136],
      ['v1', v1],
    ] as const)
      expect((await create(psuId, '1.00', prefix)).created.json).toMatchObject({
        transactionFeeIndicator: true,
        ...told,
      });
  };
const fee = { transactionFees: { currency: 'EUR', amount: '1.50' } };

const pays =
  (...payments: readonly (readonly [amount: string, status: string])[]): Journey =>
  async (psuId) => {
    for (const [amount, status] of payments) expect((await paid(psuId, amount))[1], amount).toBe(status);
  };

const nextDay =
  (...statuses: readonly string[]): Journey =>
  async (psuId) => {
    const one = await create(psuId);
    await authorise(psuId, one);
    expect(await scene.statusOf(one.links)).toBe(statuses[0]);
    scene.bank.clock('+1d');
    expect(await scene.statusOf(one.links)).toBe(statuses[1]);
    scene.bank.clock('reset');
  };

const cancelled =
  (answer: readonly [number, string?], status: string): Journey =>
  async (psuId) => {
    const one = await create(psuId);
    await authorise(psuId, one);
    expect(await scene.statusOf(one.links)).toBe('ACTC');
    const asked = await scene.call('DELETE', href(one.links, 'self'));
    expect(codeOf(asked)).toEqual([...answer, ...(answer.length === 1 ? [undefined] : [])]);
    if (asked.status === 202)
      expect((await authorise(psuId, { created: asked, links: asked.json._links as Links })).at(-1)).toBe(
        'finalised',
      );
    expect(await scene.statusOf(one.links)).toBe(status);
  };

const forms = {
  json: 'application/json',
  'camt.052': 'application/xml;camt.052',
  'camt.053': 'application/xml;camt.053',
  mt940: 'text/plain',
};
const reportsAs =
  (only: keyof typeof forms): Journey =>
  async (psuId) => {
    const type = forms[only].split(';')[0];
    for (const [form, accept] of Object.entries(forms))
      expect([form, ...(await report(psuId, accept))]).toEqual(
        form === only ? [form, 200, type] : [form, 406, 'REQUESTED_FORMATS_INVALID'],
      );
    for (const accept of ['*/*', undefined]) expect(await report(psuId, accept)).toEqual([200, type]);
  };

const both =
  (name: 'bban' | 'msisdn'): Journey =>
  async (psuId) => {
    const [account] = await accountsSeen(psuId);
    expect([account!['iban'], account![name]]).toEqual([undefined, expect.any(String)]);
    await inWay(['password', 'exempted'])(psuId);
  };

const journeys: Readonly<Record<string, Journey>> = {
  // 1.3.6 has no word for e-mail, so that one method is left, which needs no choice.
  'embedded-mail': inWay(['password', 'otp', 'finalised']),
  ...Object.fromEntries(
    Object.entries(ways).flatMap(([way, steps]) => [
      [`private-${way}`, inWay(steps)],
      [`corporate-${way}`, ofCompany(steps)],
    ]),
  ),
  'corporate-two-signatures-a': two,
  'corporate-two-signatures-b': two,
  'corporate-three-signatures-a': three,
  'corporate-three-signatures-b': three,
  'corporate-three-signatures-c': three,
  'private-two-signatures-a': couple,
  'private-two-signatures-b': couple,
  'otp-wrong-counted': wrongSecrets(3, false),
  'otp-wrong-locked': wrongSecrets(3, true),
  'otp-wrong-once-locked': wrongSecrets(1, true),
  'access-blocked': blocked,
  'access-blocked-redirect': blocked,
  'authorisation-expires': async (psuId) => {
    await afterASecond('failed', 'RCVD')(psuId);
    await inWay(['password', 'otp', 'finalised'])(psuId);
  },
  'redirect-expires': afterASecond('failed', 'RCVD'),
  'decoupled-expires': afterASecond('failed', 'RCVD'),
  'decoupled-refused': afterASecond('failed', 'RJCT'),
  'decoupled-approved': afterASecond('finalised', 'ACSC'),
  'decoupled-refused-after-choice': afterASecond('failed', 'RJCT', 'tablet'),
  'method-unknown': async (psuId) => {
    const { started, at } = await embedded(psuId);
    expect(started.json.scaMethods).toHaveLength(2);
    const choose = (authenticationMethodId: string) =>
      scene.call('PUT', href(at, 'selectAuthenticationMethod'), { body: { authenticationMethodId } });
    expect(codeOf(await choose('lost'))).toEqual([400, 'SCA_METHOD_UNKNOWN']);
    expect((await choose('sms')).json.scaStatus).toBe('scaMethodSelected');
  },
  'sca-exempted': inWay(['password', 'exempted']),
  'fees-at-initiation': fees(fee, fee),
  'fees-with-method': fees({}, fee),
  'fees-with-exchange': fees({ ...fee, currencyConversionFee: expect.anything() as unknown }, fee),
  'funds-none': async (psuId) => {
    expect(await funds(psuId, '0.01')).toBe(false);
    await pays(['0.01', 'RJCT'])(psuId);
  },
  'funds-exact': async (psuId) => {
    expect([await funds(psuId, '100.00'), await funds(psuId, '100.01')]).toEqual([true, false]);
    await pays(['100.00', 'ACSC'], ['0.01', 'RJCT'])(psuId);
  },
  'funds-overdraft': async (psuId) => {
    expect([await funds(psuId, '500.00'), await funds(psuId, '500.01')]).toEqual([true, false]);
    await pays(['500.00', 'ACSC'], ['0.01', 'RJCT'])(psuId);
    expect(scene.bank.balance(scene.bank.person(psuId).accounts[0]!.iban)).toBe('-500.00');
  },
  'funds-none-later': nextDay('ACTC', 'RJCT'),
  'funds-not-confirmed': async (psuId) => {
    expect(await funds(psuId, '1.00')).toBe('NO_PIIS_ACTIVATION');
  },
  'account-multicurrency': async (psuId) => {
    const accounts = scene.bank.person(psuId).accounts;
    expect(accounts.map(({ currency }) => currency)).toEqual(['EUR', 'USD', 'GBP']);
    expect(new Set(accounts.map(({ iban }) => iban)).size).toBe(1);
    expect(await accountsSeen(psuId)).not.toEqual([]);
  },
  'account-bban': both('bban'),
  'account-msisdn': both('msisdn'),
  'account-cards': async (psuId) => {
    const consent = await ask(psuId, { access: { allPsd2: 'allAccounts' } });
    scene.bank.decide('approve', await begun(consent), psuId);
    const headers = { 'Consent-ID': String(consent.json.consentId) };
    const cards = await scene.call('GET', '/v1/card-accounts', { headers });
    expect(cards.json.cardAccounts, cards.text).toHaveLength(1);
  },
  'accounts-three': async (psuId) => {
    const seen = await accountsSeen(psuId);
    expect(seen.map(({ iban }) => String(iban).slice(0, 2))).toEqual(['DE', 'NL', 'DE']);
  },
  'reports-json': reportsAs('json'),
  'reports-camt-052': reportsAs('camt.052'),
  'reports-camt-053': reportsAs('camt.053'),
  'reports-mt940': reportsAs('mt940'),
  'booking-next-day': nextDay('ACTC', 'ACSC'),
  'booking-rejected-later': nextDay('ACTC', 'RJCT'),
  'cancellation-free': cancelled([204], 'CANC'),
  'cancellation-impossible': cancelled([405, 'CANCELLATION_INVALID'], 'ACTC'),
  'cancellation-with-sca': cancelled([202], 'CANC'),
};

it('have a journey each, and no name of the people of the built-in bank', () => {
  const names = optionPeople.map(({ psuId }) => psuId);
  expect(names.toSorted()).toEqual(Object.keys(journeys).toSorted());
  const own = definitions.map(({ psuId }) => psuId);
  expect(new Set([...own, ...names]).size).toBe(own.length + names.length);
});

it.each(optionPeople.map(({ psuId, description }) => [psuId, description] as const))(
  'are described: %s: %s',
  async (psuId) => {
    await journeys[psuId]?.(psuId);
  },
);

it('are the same at every start, stay over a reset, and stand beside those of a ledger that is there', async () => {
  const told = ({ psuId, password, otp, accounts }: (typeof scene.bank.people)[number]) => ({
    psuId,
    password,
    otp,
    accounts: accounts.map(({ iban, bban, msisdn }) => [iban, bban, msisdn]),
  });
  const ready = scene.bank.people.filter(({ psuId }) => psuId in journeys).map(told);
  expect(ready).toHaveLength(optionPeople.length);
  expect(new Set(ready.map(({ password, otp }) => `${password} ${otp}`))).toEqual(
    new Set(['password 123456']),
  );
  const other = await startBank({ clock: scene.clock, database: ':memory:', doors: { people: 'options' } });
  const there = async () => (await other.bank.people()).map(({ psuId }) => psuId);
  const names = [...definitions, ...optionPeople].map(({ psuId }) => psuId);
  expect(await there()).toEqual(names);
  await other.bank.reset();
  expect(await there()).toEqual(names);
  await other.close();
});

it('stand beside the people of a file, one of whom with such a name stays, and join an existing ledger', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'obk-ready-'));
  const file = join(folder, 'bank.yaml');
  const start = async (config: string, options: Parameters<typeof startBank>[0] = {}) => {
    writeFileSync(file, config);
    return startBank({ config: file, database: ':memory:', ...options });
  };
  const database = join(folder, 'ledger.db');
  const own =
    'people:\n- psuId: sca-exempted\n  otp: "000001"\n- psuId: mine\n  accounts:\n  - balance: "1.00"\n';
  const without = await start(own, { database });
  expect(without.people.map(({ psuId }) => psuId)).toEqual(['sca-exempted', 'mine']);
  await without.close();
  const byFile = await start(`doors:\n  people: options\n${own}`);
  expect(await byFile.bank.people()).toHaveLength(optionPeople.length + 1);
  await byFile.close();
  const bank = await start(own, { database, doors: { people: 'options' } });
  expect(bank.people).toHaveLength(optionPeople.length + 1);
  expect(bank.person('sca-exempted').otp).toBe('000001');
  expect(bank.person('account-multicurrency').accounts).toHaveLength(3);
  // The file of such a bank has them all, and is read again.
  const exported = await bank.bank.exportConfig();
  await bank.close();
  writeFileSync(file, exported);
  const again = await startBank({ config: file, database: ':memory:' });
  expect((await again.bank.people()).map(({ psuId }) => psuId)).toEqual(
    bank.people.map(({ psuId }) => psuId),
  );
  // Keys may stand in another order.
  const lines = (text: string) => text.split('\n').toSorted();
  expect(lines(await again.bank.exportConfig())).toEqual(lines(exported));
  await again.close();
  const { iban } = bank.person('private-redirect-one').accounts[0]!;
  await expect(
    startBank({
      config: (writeFileSync(file, `people:\n- psuId: mine\n  accounts:\n  - iban: ${iban}\n`), file),
      doors: { people: 'options' },
      database: ':memory:',
    }),
  ).rejects.toMatchObject({
    code: 'USAGE',
    message: expect.stringContaining('private-redirect-one') as unknown,
  });
  rmSync(folder, { recursive: true });
});

it.each([
  'funds-none',
  'funds-overdraft',
  'funds-none-later',
  'funds-exact',
  'no-funds',
  'account-multicurrency',
])('have a balance at %s that stays when the transactions are read', async (psuId) => {
  const numbers = () => scene.bank.person(psuId).accounts.map(({ iban }) => scene.bank.balance(iban));
  const before = numbers();
  const consent = await ask(psuId, { access: { allPsd2: 'allAccounts' } });
  scene.bank.decide('approve', await begun(consent), psuId);
  const headers = { 'Consent-ID': String(consent.json.consentId) };
  const list = await scene.call('GET', '/v136/accounts', { headers });
  for (const { resourceId } of list.json.accounts as { resourceId: string }[]) {
    const query = 'bookingStatus=booked&dateFrom=2020-01-01';
    const read = await scene.call('GET', `/v136/accounts/${resourceId}/transactions?${query}`, { headers });
    expect(read.status, read.text).toBe(200);
    expect(read.json.transactions.booked.length).toBeGreaterThan(10);
  }
  expect(numbers()).toEqual(before);
});

it('a customer who acts for a company shows which one it is', () => {
  expect(scene.bank.person('corporate-embedded-one').corporateId).toBe('obk-company');
  expect(scene.bank.person('private-embedded-one')).not.toHaveProperty('corporateId');
});
