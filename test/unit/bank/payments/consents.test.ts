import { describe, expect, it } from 'vitest';
import { browser } from '../browser.ts';
import { consentsOf } from '../consent-scene.ts';
import { back, codeOf, href, leads, useScene } from '../scene.ts';
import type { Links } from '../scene.ts';
import { tppOf } from '../tpp.ts';

const scene = useScene();
const { ask, detailed, ibanOf, statusOf, valid } = consentsOf(scene);
const unknownIban = 'DE02120300000000202051';

describe.each(['v1', 'v136'])('a consent (%s)', (prefix) => {
  it('is created, read, authorised in Embedded and deleted', async () => {
    const created = await ask('embedded-choice', { prefix });
    expect([created.status, created.json.consentStatus], created.text).toEqual([201, 'received']);
    const { consentId } = created.json as { consentId: string };
    const links = created.json._links as Links;
    expect(created.headers['location']).toBe(`/${prefix}/consents/${consentId}`);
    expect(leads(links)).toEqual(['startAuthorisationWithPsuAuthentication']);
    const { password, otp } = scene.bank.person('embedded-choice');
    const start = href(links, 'startAuthorisationWithPsuAuthentication');
    const started = await scene.call('POST', start, { body: { psuData: { password } } });
    expect(started.status, started.text).toBe(201);
    const at = href(started.json._links, 'selectAuthenticationMethod');
    await scene.call('PUT', at, { body: { authenticationMethodId: 'sms' } });
    const done = await scene.call('PUT', at, { body: { scaAuthenticationData: otp } });
    expect(done.json.scaStatus, done.text).toBe('finalised');
    expect((await scene.call('GET', at)).json.scaStatus).toBe('finalised');
    expect((await scene.call('GET', start)).json.authorisationIds).toHaveLength(1);
    expect(await statusOf(links)).toBe('valid');
    expect((await scene.call('GET', href(links, 'self'))).json).toEqual({
      access: detailed('embedded-choice'),
      recurringIndicator: true,
      validUntil: '2026-06-30',
      frequencyPerDay: 4,
      lastActionDate: '2026-06-01',
      consentStatus: 'valid',
      _links: { account: { href: `/${prefix}/accounts` } },
    });
    expect((await scene.call('DELETE', href(links, 'self'))).status).toBe(204);
    expect(await statusOf(links)).toBe('terminatedByTpp');
    expect((await scene.call('DELETE', href(links, 'self'))).status).toBe(204);
    expect(codeOf(await scene.call('POST', start))).toEqual([409, 'STATUS_INVALID']);
  });

  it.each<[string, string[], string]>([
    ['redirect', ['scaRedirect'], 'REDIRECT'],
    ['redirect-explicit', ['startAuthorisation'], 'REDIRECT'],
    ['oauth', ['scaOAuth'], 'REDIRECT'],
    ['decoupled', ['startAuthorisation'], 'DECOUPLED'],
    ['decoupled-implicit', [], 'DECOUPLED'],
    ['embedded-one-implicit', ['updatePsuAuthentication'], 'EMBEDDED'],
    ['embedded-encrypted', ['startAuthorisationWithEncryptedPsuAuthentication'], 'EMBEDDED'],
  ])('begins in the status that %s sets', async (psuId, links, approach) => {
    const created = await ask(psuId, { prefix });
    expect([leads(created.json._links), created.headers['aspsp-sca-approach']]).toEqual([links, approach]);
    const text = created.json[prefix === 'v1' ? 'message' : 'psuMessage'] as string | undefined;
    expect(text?.includes('/phone')).toBe(psuId === 'decoupled-implicit' ? true : undefined);
  });

  it('is rejected where the PSU refuses or lets a day pass', async () => {
    const refused = await ask('decoupled-implicit', { prefix });
    scene.bank.decide('refuse', refused.json.consentId as string);
    expect(await statusOf(refused.json._links)).toBe('rejected');
    const left = await ask('redirect', { prefix });
    scene.bank.clock('+24h');
    expect(await statusOf(left.json._links)).toBe('rejected');
    scene.bank.clock('reset');
  });

  it('is authorised by all of several PSUs', async () => {
    const created = await ask('pair-a', { prefix, named: false });
    const links = created.json._links as Links;
    expect(leads(links)).toEqual(['startAuthorisationWithPsuIdentification']);
    for (const [psuId, after] of [
      ['pair-a', prefix === 'v1' ? 'received' : 'partiallyAuthorised'],
      ['pair-b', 'valid'],
    ] as const) {
      const begun = await scene.call('POST', href(links, 'startAuthorisationWithPsuIdentification'), {
        headers: { 'PSU-ID': psuId },
      });
      scene.bank.decide('approve', begun.json.authorisationId as string);
      expect(await statusOf(links)).toBe(after);
    }
  });

  it.each<[string, object, object, string | undefined]>([
    ['no access', {}, {}, 'FORMAT_ERROR'],
    ['an access that asks for nothing', { access: {} }, {}, 'FORMAT_ERROR'],
    ['owners alone', { access: { additionalInformation: { ownerName: [] } } }, {}, 'FORMAT_ERROR'],
    ['an unknown IBAN', { access: { accounts: [{ iban: unknownIban }] } }, {}, 'FORMAT_ERROR'],
    ['two identifications', { access: { accounts: [{ iban: 'IBAN', pan: '1' }] } }, {}, 'FORMAT_ERROR'],
    ['a list that is none', { access: { accounts: { iban: 'IBAN' } } }, {}, 'FORMAT_ERROR'],
    ['a mix', { access: { accounts: [], balances: [{ iban: 'IBAN' }] } }, {}, 'FORMAT_ERROR'],
    ['an unknown word', { access: { allPsd2: 'some' } }, {}, 'FORMAT_ERROR'],
    ['another PSU', {}, { 'PSU-ID': 'redirect' }, 'FORMAT_ERROR'],
    ['a day that has passed', { validUntil: '2026-05-31' }, {}, 'FORMAT_ERROR'],
    ['a day that is none', { validUntil: '2026-06-31' }, {}, 'FORMAT_ERROR'],
    ['a frequency of none', { frequencyPerDay: 0 }, {}, 'FORMAT_ERROR'],
    ['a frequency as text', { frequencyPerDay: '4' }, {}, 'FORMAT_ERROR'],
    ['one use and more', { recurringIndicator: false, frequencyPerDay: 2 }, {}, 'FORMAT_ERROR'],
    ['no indicator', { combinedServiceIndicator: undefined }, {}, 'FORMAT_ERROR'],
    ['a choice in Embedded', { access: { accounts: [] } }, {}, 'SERVICE_INVALID'],
    ['a redirect to a script', {}, { 'TPP-Redirect-URI': 'javascript:1' }, 'FORMAT_ERROR'],
  ])('is refused with %s', async (what, more, headers, code) => {
    const iban = ibanOf('embedded-one');
    const body = JSON.parse(
      JSON.stringify({
        access: detailed('embedded-one'),
        recurringIndicator: true,
        validUntil: '2026-06-30',
        frequencyPerDay: 4,
        combinedServiceIndicator: false,
        ...more,
      }).replaceAll('"IBAN"', JSON.stringify(iban)),
    ) as Record<string, unknown>;
    if (what === 'no access') delete body['access'];
    const answer = await scene.call('POST', `/${prefix}/consents`, {
      body,
      headers: { 'PSU-ID': 'embedded-one', ...headers },
    });
    expect(codeOf(answer), answer.text).toEqual([400, code]);
  });

  const withBalances =
    prefix === 'v1'
      ? { availableAccounts: 'allAccountsWithBalances' }
      : { availableAccountsWithBalance: 'allAccounts' };
  it.each<[object, object]>([
    [{ allPsd2: 'allAccounts' }, { allPsd2: 'allAccounts' }],
    [{ availableAccounts: 'allAccounts' }, { availableAccounts: 'allAccounts' }],
    [{ availableAccountsWithBalance: 'allAccounts' }, withBalances],
    [{ availableAccountsWithBalances: 'allAccounts' }, withBalances],
    ...(prefix === 'v1' ? [[withBalances, withBalances] as [object, object]] : []),
  ])('may be for all accounts: %j', async (sent, answered) => {
    // The names of file, guidelines and errata are all taken; the answer has that of the file.
    const call = tppOf(scene.bank);
    const created = await call('POST', `/${prefix}/consents`, {
      headers: { 'PSU-ID': 'redirect' },
      body: {
        access: sent,
        recurringIndicator: false,
        validUntil: '9999-12-31',
        frequencyPerDay: 1,
        combinedServiceIndicator: false,
      },
    });
    expect(created.status, created.text).toBe(201);
    scene.bank.decide('approve', created.json.consentId as string);
    const { access, consentStatus, validUntil } = (await scene.call('GET', href(created.json._links, 'self')))
      .json as Record<string, object>;
    expect({ access, consentStatus, validUntil }).toEqual({
      access: answered,
      consentStatus: 'valid',
      validUntil: '9999-12-31',
    });
  });

  it('leaves the choice of accounts to the PSU on the page', async () => {
    const created = await ask('redirect', { prefix, access: { balances: [], transactions: [] } });
    const url = href(created.json._links, 'scaRedirect');
    const { visit, submit } = browser();
    const { password, otp, accounts } = scene.bank.person('redirect');
    const shown = await submit(url, await visit(url), { psuId: 'redirect', password });
    for (const part of ['Approve the access to your accounts', 'PSDDE-BAFIN-999999', '2026-06-30'])
      expect(shown.text).toContain(part);
    const none = await submit(url, shown, { otp, decision: 'approve' });
    expect([none.status, none.text]).toEqual([422, expect.stringContaining('Choose an account.')]);
    const [, account = ''] =
      /name="account" value="([0-9]+)" \/>\s*<label[^>]*>Household/.exec(none.text) ?? [];
    const done = await submit(url, none, { otp, decision: 'approve', account });
    expect(done.headers['location']).toBe(back);
    const chosen = [{ iban: accounts[1]!.iban, currency: 'EUR' }];
    const { access, consentStatus } = (await scene.call('GET', href(created.json._links, 'self')))
      .json as Record<string, object>;
    expect({ access, consentStatus }).toEqual({
      access: { balances: chosen, transactions: chosen },
      consentStatus: 'valid',
    });
  });
});

describe('the life of a consent', () => {
  it('ends after its last day', async () => {
    const { links } = await valid('embedded-none', { more: { validUntil: '2026-06-01' } });
    expect(await statusOf(links)).toBe('valid');
    scene.bank.clock('+9h');
    expect(await statusOf(links)).toBe('valid');
    scene.bank.clock('+3h');
    expect(await statusOf(links)).toBe('expired');
    const start = href(links, 'startAuthorisationWithPsuAuthentication');
    expect(codeOf(await scene.call('POST', start))).toEqual([401, 'CONSENT_EXPIRED']);
    scene.bank.clock('reset');
  });

  it('ends twenty minutes after the authorisation where it is one-off', async () => {
    const { links } = await valid('embedded-none', {
      more: { recurringIndicator: false, frequencyPerDay: 1 },
    });
    scene.bank.clock('+19m');
    expect(await statusOf(links)).toBe('valid');
    scene.bank.clock('+1m');
    expect(await statusOf(links)).toBe('expired');
    scene.bank.clock('reset');
  });

  it('ends when a newer recurring consent is authorised, not when it is created', async () => {
    const first = await valid('embedded-one');
    const once = await valid('embedded-one', { more: { recurringIndicator: false, frequencyPerDay: 1 } });
    const second = await ask('embedded-one');
    expect([await statusOf(first.links), await statusOf(once.links)]).toEqual(['valid', 'valid']);
    const links = second.json._links as Links;
    const begun = await scene.call('POST', href(links, 'startAuthorisationWithPsuAuthentication'));
    scene.bank.decide('approve', begun.json.authorisationId as string);
    expect([await statusOf(first.links), await statusOf(once.links), await statusOf(links)]).toEqual([
      'terminatedByTpp',
      'valid',
      'valid',
    ]);
  });

  it('ends by the hand of the PSU, on the page or by command', async () => {
    const byPage = await valid('decoupled-implicit');
    const { visit, submit } = browser();
    const url = `${scene.bank.baseUrl}/consents`;
    const wrong = await submit(url, await visit(url), { psuId: 'decoupled-implicit', password: 'x' });
    expect([wrong.status, wrong.text]).toEqual([422, expect.stringContaining('The password is wrong.')]);
    const { password } = scene.bank.person('decoupled-implicit');
    const list = await submit(url, wrong, { psuId: 'decoupled-implicit', password });
    expect(list.text).toContain('PSDDE-BAFIN-999999');
    const after = await submit(url, list, {});
    expect(after.text).toContain('It is revoked.');
    expect(after.text).toContain('Nobody may see your accounts.');
    expect(await statusOf(byPage.links)).toBe('revokedByPsu');
    const { id, links } = await valid('decoupled-implicit');
    await expect(scene.bank.bank.revoke(id, 'redirect')).rejects.toThrow('not one of redirect');
    expect(await scene.bank.bank.revoke(id)).toEqual({ consentId: id, consentStatus: 'revokedByPsu' });
    expect(await statusOf(links)).toBe('revokedByPsu');
    await expect(scene.bank.bank.revoke(id)).rejects.toThrow('revokedByPsu');
  });

  it('may be shortened, and has at most four readings a day without the PSU', async () => {
    for (const [rule, last] of [
      ['90-days', '2026-08-30'],
      ['180-days', '2026-11-28'],
      ['as-asked', '2030-01-01'],
    ] as const) {
      scene.bank.scenario({ validUntil: rule });
      const long = await ask('redirect', { more: { validUntil: '2030-01-01', frequencyPerDay: 99 } });
      const { validUntil, frequencyPerDay } = (await scene.call('GET', href(long.json._links, 'self')))
        .json as Record<string, unknown>;
      expect([validUntil, frequencyPerDay]).toEqual([last, 4]);
    }
    scene.bank.scenario({ validUntil: 'as-asked', combinedService: 'reject' });
    const combined = await ask('redirect', { more: { combinedServiceIndicator: true } });
    expect(codeOf(combined)).toEqual([400, 'SESSIONS_NOT_SUPPORTED']);
    scene.bank.scenario({ combinedService: 'accept' });
  });

  it('belongs to whoever logs in first, and to all who must sign with them', async () => {
    const created = await ask('trio-c', { access: { allPsd2: 'allAccountsWithOwnerName' }, named: false });
    scene.bank.decide('approve', href(created.json._links, 'scaRedirect'), 'trio-c');
    expect(await statusOf(created.json._links)).toBe('partiallyAuthorised');
    const path = `${href(created.json._links, 'self')}/authorisations`;
    for (const psuId of ['trio-a', 'trio-b']) {
      const begun = await scene.call('POST', path, { headers: { 'PSU-ID': psuId } });
      scene.bank.decide('approve', begun.json.authorisationId as string);
    }
    expect(await statusOf(created.json._links)).toBe('valid');
    const other = await scene.call('POST', path, { headers: { 'PSU-ID': 'redirect' } });
    expect(codeOf(other)).toEqual([409, 'STATUS_INVALID']);
  });

  it('may cover cards, sub-accounts and the names of owners', async () => {
    const [card] = scene.bank.person('cards').cards;
    const cards = await ask('cards', { access: { balances: [{ maskedPan: card!.maskedPan }] } });
    expect(cards.status, cards.text).toBe(201);
    const iban = ibanOf('multicurrency');
    const accounts = [{ iban, currency: 'USD' }];
    const additionalInformation = { ownerName: accounts };
    const sub = await ask('multicurrency', { access: { accounts, additionalInformation } });
    expect((await scene.call('GET', href(sub.json._links, 'self'))).json.access).toEqual({
      accounts,
      additionalInformation,
    });
    for (const access of [
      { accounts, additionalInformation: { ownerName: [{ iban }] } },
      { accounts, additionalInformation: { trustedBeneficiaries: [{ iban }] } },
      { accounts, additionalInformation: 'owners' },
      { accounts: [], additionalInformation },
    ])
      expect(codeOf(await ask('multicurrency', { access }))).toEqual([400, 'FORMAT_ERROR']);
    // What the bank does not offer is left out, not refused.
    const trusted = { accounts, additionalInformation: { trustedBeneficiaries: accounts } };
    const left = await ask('multicurrency', { access: trusted });
    expect((await scene.call('GET', href(left.json._links, 'self'))).json.access).toEqual({ accounts });
    const none = await ask('multicurrency', { access: { accounts: [{ iban, currency: 'CHF' }] } });
    expect(codeOf(none)).toEqual([400, 'FORMAT_ERROR']);
    const two = await ask('redirect', {
      named: false,
      access: { accounts: [{ iban }, { iban: ibanOf('redirect') }] },
    });
    expect(codeOf(two)).toEqual([400, 'FORMAT_ERROR']);
  });

  it('is known to its TPP only', async () => {
    const path = '/v136/consents/00000000-0000-4000-8000-000000000000';
    for (const [method, at] of [
      ['GET', path],
      ['GET', `${path}/status`],
      ['DELETE', path],
      ['GET', `${path}/authorisations`],
      ['POST', `${path}/authorisations`],
    ] as const)
      expect(codeOf(await scene.call(method, at))).toEqual([403, 'CONSENT_UNKNOWN']);
  });
});
