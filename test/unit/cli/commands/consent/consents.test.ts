import { describe, expect, it } from 'vitest';
import { fakePerson } from '../../../../helpers/fakes/index.ts';
import type { FakeHttp } from '../../../../helpers/fakes/index.ts';
import { consentOf, iban } from '../../../client/reader.ts';
import { accountBank } from '../account-bank.ts';

const one = '/v1/consents/con-2';
const link = (href: string) => ({ href });
const created = (links: object = { scaRedirect: link('https://login.bank.example/x') }) => ({
  status: 201,
  headers: { 'ASPSP-SCA-Approach': 'REDIRECT' },
  body: {
    consentStatus: 'received',
    consentId: 'con-2',
    _links: { scaStatus: link(`${one}/authorisations/a`), ...links },
  },
});
const information = (part: object = {}) => ({
  body: {
    access: { accounts: [{ iban }] },
    recurringIndicator: false,
    validUntil: '2027-02-18',
    frequencyPerDay: 1,
    lastActionDate: '2026-11-21',
    consentStatus: 'valid',
    ...part,
  },
});

/** The three calls of an embedded SCA with one method, and the consent read after it. */
function embedded(http: FakeHttp, part: object = {}): FakeHttp {
  return http
    .expect('POST', '/v1/consents', {
      ...created({ startAuthorisationWithPsuAuthentication: link(`${one}/authorisations`) }),
      headers: { 'ASPSP-SCA-Approach': 'EMBEDDED' },
    })
    .expect('POST', `${one}/authorisations`, {
      status: 201,
      body: {
        scaStatus: 'scaMethodSelected',
        authorisationId: 'a',
        _links: { authoriseTransaction: link(`${one}/authorisations/a`) },
      },
    })
    .expect('PUT', `${one}/authorisations/a`, { body: { scaStatus: 'finalised' } })
    .expect('GET', one, information(part));
}

const person = () => fakePerson({ present: false }).answer('psu-password', 'pw').answer('otp', '123456');

describe('creating a consent', () => {
  it('in two steps: the link and how to go on, without a person', async () => {
    const bank = await accountBank({ consent: 'none' });
    bank.http.expect('POST', '/v1/consents', created());
    const ended = await bank.run(['consent', 'create', '--iban', iban, '--json']);
    expect(ended.code).toBe(0);
    expect(JSON.parse(ended.stdout)).toMatchObject({
      consentId: 'con-2',
      consentStatus: 'received',
      recurringIndicator: false,
      validUntil: '2027-05-19',
      frequencyPerDay: 1,
      sca: { approach: 'REDIRECT', url: 'https://login.bank.example/x' },
      next: 'obk consent authorise con-2 --wait',
    });
  });

  it('to its end, by an embedded SCA', async () => {
    const bank = await accountBank({ consent: 'none', person: person() });
    embedded(bank.http, { frequencyPerDay: 2, recurringIndicator: true });
    const ended = await bank.run(['consent', 'create', '--iban', iban, '--recurring', '-o', 'name']);
    expect(ended).toMatchObject({ code: 0, stdout: 'con-2\n' });
    bank.http.verify();
    expect(bank.http.requests[0]!.json()).toMatchObject({ recurringIndicator: true, frequencyPerDay: 4 });
    expect((await bank.store.resources.find('acme', 'consent', 'con-2'))?.consent?.frequency).toBe(2);
  });

  it.each<['v1' | 'v136', object]>([
    ['v1', { availableAccounts: 'allAccountsWithBalances' }],
    ['v136', { availableAccountsWithBalance: 'allAccounts' }],
  ])('spells %s as it is', async (variant, access) => {
    const bank = await accountBank({ variant, consent: 'none' });
    bank.http.expect('POST', `/${variant}/consents`, created());
    expect((await bank.run('consent create --available-accounts-with-balance')).code).toBe(0);
    expect((bank.http.requests[0]!.json() as { access: object }).access).toEqual(access);
    expect(bank.http.requests[0]!.header('PSU-IP-Address')).toBe('192.0.2.7');
  });

  it.each<['plural' | 'singular', string]>([
    ['plural', 'availableAccountsWithBalances'],
    ['singular', 'availableAccountsWithBalance'],
  ])('asks a bank of 1.3.2 in the %s for all accounts with balances', async (form, key) => {
    const bank = await accountBank({ consent: 'none' });
    bank.http.expect('POST', '/v1/consents', {
      status: 400,
      body: { tppMessages: [{ category: 'ERROR', code: 'FORMAT_ERROR', text: 'access' }] },
    });
    const refused = await bank.run('consent create --available-accounts-with-balance');
    expect(refused.code).toBe(5);
    expect(refused.stderr).toContain(`obk config set consent.withBalances ${form} --profile acme`);
    expect((await bank.run(`config set consent.withBalances ${form} --profile acme`)).code).toBe(0);
    bank.http.expect('POST', '/v1/consents', created());
    expect((await bank.run('consent create --available-accounts-with-balance')).code).toBe(0);
    const sent = bank.http.requests[1]!.json() as { access: object };
    expect(sent.access).toEqual({ [key]: 'allAccounts' });
    bank.http.expect('POST', '/v1/consents', created());
    await bank.run('config unset consent.withBalances --profile acme');
    expect((await bank.run('consent renew con-2')).code).toBe(0);
    const again = bank.http.requests[2]!.json() as { access: object };
    expect(again.access).toEqual({ availableAccounts: 'allAccountsWithBalances' });
  });

  it('says before a recurring one leaves what it ends', async () => {
    const bank = await accountBank({ consent: { psuId: 'anna' } });
    bank.http.expect('POST', '/v1/consents', {
      ...created(),
      check: () => {
        told = true;
      },
    });
    let told = false;
    const ended = await bank.run(['consent', 'create', '--iban', iban, '--recurring']);
    expect(told).toBe(true);
    expect(ended.notices.warned[0]).toMatch(
      /ends any other recurring consent .*\(con-1, valid until 2027-02-18\)/,
    );
  });

  it('asks a person for the account, and whether it is for once', async () => {
    const asked = fakePerson().answer('iban', iban).answer('recurring', false);
    const bank = await accountBank({ consent: 'none', person: asked });
    bank.http.expect('POST', '/v1/consents', created({ startAuthorisation: link(`${one}/authorisations`) }));
    bank.http.expect('POST', `${one}/authorisations`, { status: 500 });
    bank.http.expect('GET', `${one}/authorisations`, { body: { authorisationIds: [] } });
    await bank.run('consent create');
    asked.verify();
    expect(bank.http.requests[0]!.json()).toMatchObject({ access: { transactions: [{ iban }] } });
  });

  it('asks once about a recurring one, and says there what it ends', async () => {
    const asked = fakePerson().answer('iban', iban).answer('recurring', true);
    const bank = await accountBank({ consent: { psuId: 'anna' }, person: asked });
    bank.http.expect('POST', '/v1/consents', { status: 500 });
    await bank.run('consent create');
    asked.verify();
    expect(asked.asked.map(({ id }) => id)).toEqual(['iban', 'recurring']);
    expect(asked.asked[1]?.text).toMatch(
      /ends any other recurring consent .*\(con-1, valid until 2027-02-18\)/,
    );
    expect(bank.http.requests[0]!.json()).toMatchObject({ recurringIndicator: true });
  });

  it('leaves the account to the PSU for a dash', async () => {
    const dash = fakePerson().answer('iban', '-').answer('recurring', false);
    const bank = await accountBank({ consent: 'none', person: dash });
    bank.http.expect('POST', '/v1/consents', { status: 500 });
    await bank.run('consent create');
    expect(bank.http.requests[0]!.json()).toMatchObject({ access: { accounts: [], transactions: [] } });
  });

  it('takes no account from a person that is none', async () => {
    const typo = fakePerson().answer('iban', 'DE89370400440532013001').answer('recurring', false);
    const bank = await accountBank({ consent: 'none', person: typo });
    const ended = await bank.run('consent create');
    expect(ended.stderr).toContain('check digits are wrong');
    expect(bank.http.requests).toEqual([]);
  });

  it('is in doubt where the answer is lost: exit 12, and never sent twice', async () => {
    const bank = await accountBank({ consent: 'none' });
    bank.http.expectFailure('POST', '/v1/consents', { sent: true, reason: 'reset' });
    const ended = await bank.run(['consent', 'create', '--iban', iban, '--json']);
    expect(ended.code).toBe(12);
    expect(bank.http.requests).toHaveLength(1);
    expect(JSON.parse((await bank.run('pending list --json')).stdout)).toEqual([
      expect.objectContaining({ operation: 'createConsent' }),
    ]);
  });
});

describe('in production', () => {
  it.each<[string, string]>([
    ['a recurring consent', `consent create --iban ${iban} --recurring`],
    ['the end of one', 'consent delete con-1'],
    ['its renewal', 'consent renew con-1'],
  ])('%s is confirmed by name, before anything leaves', async (_, line) => {
    const bank = await accountBank({ environment: 'production' });
    expect(await bank.run(line)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--confirm acme'),
    });
    expect(await bank.run(`${line} --yes`)).toMatchObject({ code: 2 });
    expect(bank.http.requests).toEqual([]);
  });

  it('one for one access is not', async () => {
    const bank = await accountBank({ environment: 'production', consent: 'none' });
    bank.http.expect('POST', '/v1/consents', created());
    expect((await bank.run(`consent create --iban ${iban}`)).code).toBe(0);
  });
});

describe('one command, six requests', () => {
  it('makes a consent, its SCA, and reads', async () => {
    const bank = await accountBank({ consent: 'none', person: person() });
    embedded(bank.http)
      .expect('GET', '/v1/accounts', { body: { accounts: [{ resourceId: 'acc-1', iban, currency: 'EUR' }] } })
      .expect('GET', /transactions/, { body: { transactions: { booked: [], _links: {} } } });
    const ended = await bank.run(`transactions --create-consent --iban ${iban} --json`);
    expect(ended).toMatchObject({ code: 0, stdout: '[]\n' });
    expect(bank.http.requests.map(({ method, path }) => `${method} ${path.replace(/\?.*/, '')}`)).toEqual([
      'POST /v1/consents',
      `POST ${one}/authorisations`,
      `PUT ${one}/authorisations/a`,
      `GET ${one}`,
      'GET /v1/accounts',
      'GET /v1/accounts/acc-1/transactions',
    ]);
  });

  it('stops at how to go on where the PSU must act elsewhere (exit 8)', async () => {
    const bank = await accountBank({ consent: 'none' });
    bank.http.expect('POST', '/v1/consents', created());
    const ended = await bank.run(`accounts --create-consent --iban ${iban} --json`);
    expect(ended.code).toBe(8);
    expect(JSON.parse(ended.stdout)).toMatchObject({
      consentId: 'con-2',
      next: expect.stringContaining('authorise'),
    });
  });
});

describe('a saved consent', () => {
  it('is listed with the days and accesses that are left', async () => {
    const bank = await accountBank();
    bank.http.expect('GET', '/v1/accounts', { body: { accounts: [] } });
    await bank.run('accounts');
    await bank.run('consent use con-1');
    expect(JSON.parse((await bank.run('consent list --json')).stdout)).toEqual([
      expect.objectContaining({
        consentId: 'con-1',
        consentStatus: 'valid',
        active: true,
        daysLeft: 90,
        usesLeft: 3,
        frequencyPerDay: 4,
      }),
    ]);
    bank.clock.advance(24 * 60 * 60 * 1000);
    expect(JSON.parse((await bank.run('consent list --json')).stdout)).toMatchObject([
      { daysLeft: 89, usesLeft: 4 },
    ]);
  });

  it.each(['consent', 'basket'] as const)('of many is read in batches: %s', async (noun) => {
    const bank = await accountBank({ consent: 'none' });
    const { resources } = bank.store;
    let lists = 0;
    const all = { ...consentOf({}, {}), noun };
    for (const at of Array(3).keys()) await resources.save({ ...all, id: `${noun}-${String(at)}` });
    const list = resources.list.bind(resources);
    resources.list = (...args) => {
      lists += 1;
      return list(...args);
    };
    const rows = JSON.parse((await bank.run(`${noun} list --json`)).stdout) as object[];
    expect({ rows: rows.length, lists }).toEqual({ rows: 3, lists: 0 });
  });

  it('is renewed with its access; the new one is the active one only when it is valid', async () => {
    const bank = await accountBank();
    await bank.run('consent use con-1');
    bank.http.expect('POST', '/v1/consents', created());
    expect((await bank.run('consent renew con-1')).code).toBe(0);
    expect(bank.http.requests[0]!.json()).toMatchObject({
      access: { accounts: [{ iban }], balances: [{ iban }], transactions: [{ iban }] },
      recurringIndicator: true,
      frequencyPerDay: 4,
    });
    expect((await bank.store.credentials.read('acme')).consentId).toBe('con-1');
    bank.http
      .expect('GET', `${one}/status`, { body: { consentStatus: 'valid' } })
      .expect('GET', one, information({ recurringIndicator: true }));
    expect((await bank.run('consent status con-2 --exit-status')).code).toBe(0);
    expect((await bank.store.credentials.read('acme')).consentId).toBe('con-2');
  });

  it('is waited for', async () => {
    const bank = await accountBank();
    await bank.store.resources.save({
      ...(await bank.store.resources.find('acme', 'consent', 'con-1'))!,
      status: 'received',
    });
    bank.http
      .expect('GET', '/v1/consents/con-1/status', { body: { consentStatus: 'received' } })
      .expect('GET', '/v1/consents/con-1/status', { body: { consentStatus: 'valid', psuMessage: 'Welcome' } })
      .expect('GET', '/v1/consents/con-1', information());
    const ended = await bank.run('consent status con-1 --watch --json');
    expect(ended).toMatchObject({
      code: 0,
      stdout: '{"consentStatus":"received"}\n{"consentStatus":"valid","psuMessage":"Welcome"}\n',
    });
    bank.http.expect('GET', '/v1/consents/con-1/status', { body: { consentStatus: 'revokedByPsu' } });
    expect((await bank.run('consent status con-1 --until valid')).code).toBe(9);
  });

  it('that is not valid cannot be used', async () => {
    const bank = await accountBank({ consent: 'none' });
    bank.http.expect('GET', '/v1/consents/con-200', information({ consentStatus: 'received' }));
    expect(await bank.run('consent use con-200')).toMatchObject({
      code: 4,
      stderr: expect.stringContaining('obk consent authorise con-200'),
    });
  });

  it('is ended, and then no longer used', async () => {
    const bank = await accountBank();
    bank.http.expect('DELETE', '/v1/consents/con-1', { status: 204 });
    const ended = await bank.run('consent delete con-1 --json');
    expect(JSON.parse(ended.stdout)).toMatchObject({ consentId: 'con-1', consentStatus: 'terminatedByTpp' });
    expect((await bank.run('accounts')).code).toBe(4);
  });
});

describe('a consent or basket that is not saved', () => {
  it.each([
    ['accounts --consent x', 'consent', 'consents'],
    ['transactions --consent my-ow', 'consent', 'consents'],
    ['consent status con-', 'consent', 'consents'],
    ['consent delete c#b --yes', 'consent', 'consents'],
    ['basket get b', 'basket', 'signing-baskets'],
  ])('and has so short a name is refused before anything is sent: %s', async (line, noun, path) => {
    const bank = await accountBank({ surface: 'framework' });
    const { code, stdout, stderr } = await bank.run(`${line} --json`);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    const { error } = JSON.parse(stderr) as { error: { code: string; title: string; hint: string[] } };
    expect(error).toMatchObject({ code: 'RESOURCE_NOT_SAVED', next: `obk ${noun} list` });
    expect(error.title).toContain(`No ${noun} `);
    expect(error.hint.join('\n')).toContain(`obk api GET ${path}/`);
    expect(bank.http.requests).toEqual([]);
  });

  it('may be one of a bank if it is long or has a digit', async () => {
    const bank = await accountBank();
    for (const id of ['4711', 'a-consent']) {
      bank.http.expect('GET', `/v1/consents/${id}/status`, { body: { consentStatus: 'received' } });
      expect((await bank.run(`consent status ${id}`)).code).toBe(0);
    }
  });

  it.each(['400 FORMAT_ERROR', '401 TOKEN_INVALID', '403 SERVICE_BLOCKED', '429 ACCESS_EXCEEDED'])(
    'is not said to exist where the bank answers %s',
    async (said) => {
      const [status = '', code = ''] = said.split(' ');
      const body = { tppMessages: [{ category: 'ERROR', code }] };
      const bank = await accountBank();
      bank.http.expect('GET', '/v1/consents/other-consent', { status: Number(status), body });
      const { stderr } = await bank.run('accounts --consent other-consent');
      expect(stderr).toContain('This is about the consent other-consent.');
      expect(stderr).not.toMatch(/exists/);
    },
  );

  it('is not said to exist where nobody could be asked', async () => {
    const bank = await accountBank();
    // A read that did not leave is tried again.
    for (let time = 0; time < 3; time += 1)
      bank.http.expectFailure('GET', '/v1/consents/other-consent', { sent: false, reason: 'connect' });
    const { code, stderr } = await bank.run('accounts --consent other-consent');
    expect(code).toBe(7);
    expect(stderr).toContain('This is about the consent other-consent.');
    expect(stderr).not.toContain('exists');
  });
});

describe('a one-off consent', () => {
  it.each(['get', 'status'])(
    'that was used says so in `consent %s`, and what makes another',
    async (verb) => {
      const bank = await accountBank({ consent: { recurring: false, frequency: 1 } });
      const read = () => {
        if (verb === 'get') bank.http.expect('GET', '/v1/consents/con-1', information());
        else bank.http.expect('GET', '/v1/consents/con-1/status', { body: { consentStatus: 'valid' } });
      };
      read();
      const before = await bank.run(['consent', verb, 'con-1', '-o', 'table']);
      expect(before.stdout).not.toContain('Used up');
      await bank.usage.update(JSON.stringify(['consent', 'acme', 'con-1']), () => [
        { at: bank.clock.now().getTime(), what: 'getAccountList: earlier-run 1' },
      ]);
      read();
      const after = await bank.run(['consent', verb, 'con-1', '-o', 'table']);
      expect(after.stdout).toContain('Used up: it was for one use');
      read();
      const json = await bank.run(['consent', verb, 'con-1', '--json', '--meta']);
      expect(json.stdout).toContain('obk consent renew con-1');
    },
  );
});
