import { describe, expect, it } from 'vitest';
import { presets } from '../../../../src/standard/xs2a/variants.ts';
import { consentsOf } from '../consent-scene.ts';
import { codeOf, href, useScene } from '../scene.ts';
import type { Links } from '../scene.ts';
import { tppOf } from '../tpp.ts';

const scene = useScene({
  v1: { ...presets.v1, surface: 'framework' },
  v136: { ...presets.v136, surface: 'framework' },
});
const { ask, detailed, ibanOf, valid } = consentsOf(scene);

interface Seen {
  resourceId: string;
  iban?: string;
  maskedPan?: string;
  currency: string;
  ownerName?: string;
  balances?: { balanceAmount: { currency: string; amount: string }; balanceType: string }[];
  _links?: Links;
}

const get = (path: string, consentId: string, headers: Record<string, string | undefined> = {}) =>
  scene.call('GET', path, { headers: { 'Consent-ID': consentId, ...headers } });
const absent = { 'PSU-IP-Address': undefined };

async function accountsOf(prefix: string, id: string, query = ''): Promise<Seen[]> {
  const answer = await get(`/${prefix}/accounts${query}`, id);
  expect(answer.status, answer.text).toBe(200);
  return answer.json.accounts as Seen[];
}

describe.each(['v1', 'v136'])('the accounts of a consent (%s)', (prefix) => {
  it('are listed and read, and have balances', async () => {
    const { id } = await valid('embedded-none', { prefix });
    const [account, ...others] = await accountsOf(prefix, id);
    const { iban } = scene.bank.person('embedded-none').accounts[0]!;
    const self = `/${prefix}/accounts/${account!.resourceId}`;
    expect([account!.iban, account!.currency, others]).toEqual([iban, 'EUR', []]);
    expect(account!._links).toEqual({
      balances: { href: `${self}/balances` },
      transactions: { href: `${self}/transactions` },
    });
    expect(account!.balances).toBeUndefined();
    const read = await get(`${self}?withBalance=true`, id);
    expect(read.json.account.iban).toBe(iban);
    const balances = await get(`${self}/balances`, id);
    expect(balances.json).toEqual({
      account: { iban, currency: 'EUR' },
      balances: read.json.account.balances as unknown,
    });
    const types = (balances.json.balances as { balanceType: string }[]).map((one) => one.balanceType);
    expect(types).toEqual(['closingBooked', 'expected', 'interimAvailable']);
    const [, expected] = balances.json.balances as Seen['balances'] & object;
    expect(expected!.balanceAmount.currency).toBe('EUR');
    expect((await accountsOf(prefix, id, '?withBalance=true'))[0]!.balances).toHaveLength(3);
    // The guidelines also print the name alone.
    const bare = await tppOf(scene.bank)('GET', `/${prefix}/accounts?withBalance`, {
      headers: { 'Consent-ID': id },
    });
    expect(bare.json.accounts[0].balances).toHaveLength(3);
    expect((await accountsOf(prefix, id, '?withBalance=false'))[0]!.balances).toBeUndefined();
    expect(codeOf(await get(`${self}?withBalance=yes`, id))).toEqual([400, 'FORMAT_ERROR']);
  });

  it('have ids that belong to their consent', async () => {
    const one = await valid('embedded-one', { prefix });
    const [before] = await accountsOf(prefix, one.id);
    expect((await accountsOf(prefix, one.id))[0]!.resourceId).toBe(before!.resourceId);
    const two = await valid('embedded-one', { prefix });
    const [after] = await accountsOf(prefix, two.id);
    expect(after!.resourceId).not.toBe(before!.resourceId);
    const foreign = await get(`/${prefix}/accounts/${before!.resourceId}`, two.id);
    expect(codeOf(foreign)).toEqual([404, 'RESOURCE_UNKNOWN']);
  });

  it('show no more than the consent allows', async () => {
    const accounts = [{ iban: ibanOf('embedded-none') }];
    const { id } = await valid('embedded-none', { prefix, access: { accounts } });
    const [account] = await accountsOf(prefix, id);
    expect(account!._links).toBeUndefined();
    const path = `/${prefix}/accounts/${account!.resourceId}`;
    for (const at of [`${path}/balances`, `${path}?withBalance=true`, `/${prefix}/accounts?withBalance=true`])
      expect(codeOf(await get(at, id))).toEqual([401, 'CONSENT_INVALID']);
  });

  it('are all accounts under availableAccounts, without a link to read them', async () => {
    const { id } = await valid('redirect', { prefix, access: { availableAccounts: 'allAccounts' } });
    const accounts = await accountsOf(prefix, id);
    expect(accounts.map(({ iban }) => iban)).toEqual(
      scene.bank.person('redirect').accounts.map(({ iban }) => iban),
    );
    const members = accounts.flatMap((one) => Object.keys(one));
    for (const name of ['resourceId', '_links']) expect(members).not.toContain(name);
    expect(codeOf(await get(`/${prefix}/accounts?withBalance=true`, id))).toEqual([401, 'CONSENT_INVALID']);
    const form =
      prefix === 'v1'
        ? { availableAccounts: 'allAccountsWithBalances' }
        : { availableAccountsWithBalance: 'allAccounts' };
    const more = await valid('redirect', { prefix, access: form });
    const withBalances = await accountsOf(prefix, more.id, '?withBalance=true');
    expect(withBalances.map(({ balances }) => balances?.length)).toEqual([3, 3]);
  });

  it('show a multicurrency account both as a whole (XXX) and by currency', async () => {
    const { id } = await valid('multicurrency', { prefix, access: { allPsd2: 'allAccounts' } });
    const accounts = await accountsOf(prefix, id);
    expect(accounts.map(({ currency }) => currency)).toEqual(['XXX', 'EUR', 'USD', 'GBP']);
    expect(new Set(accounts.map(({ iban }) => iban)).size).toBe(1);
    expect(new Set(accounts.map(({ resourceId }) => resourceId)).size).toBe(4);
    const all = await get(href(accounts[0]!._links!, 'balances'), id);
    expect(all.json.account).toEqual({ iban: accounts[0]!.iban });
    const booked = (all.json.balances as Seen['balances'] & object).filter(
      ({ balanceType }) => balanceType === 'closingBooked',
    );
    expect(booked.map(({ balanceAmount }) => balanceAmount)).toEqual([
      { currency: 'EUR', amount: '10000.00' },
      { currency: 'USD', amount: '4200.00' },
      { currency: 'GBP', amount: '750.50' },
    ]);
    const iban = ibanOf('multicurrency');
    const sub = await valid('multicurrency', {
      prefix,
      access: { balances: [{ iban, currency: 'USD' }] },
    });
    expect((await accountsOf(prefix, sub.id)).map(({ currency }) => currency)).toEqual(['USD']);
  });

  it('are card accounts where the surface has them', async () => {
    scene.bank.scenario({ surface: 'framework' });
    const { id } = await valid('cards', { prefix, access: { allPsd2: 'allAccounts' } });
    const list = await get(`/${prefix}/card-accounts`, id);
    const cards = list.json.cardAccounts as (Seen & { creditLimit: object })[];
    const [first] = scene.bank.person('cards').cards;
    expect([cards.length, cards[0]!.maskedPan]).toEqual([2, first!.maskedPan]);
    expect(cards[0]!.creditLimit).toEqual({ currency: 'EUR', amount: '5000.00' });
    const at = `/${prefix}/card-accounts/${cards[0]!.resourceId}`;
    const read = await get(at, id);
    expect(read.json.cardAccount.maskedPan).toBe(first!.maskedPan);
    const balances = await get(href(cards[0]!._links!, 'balances'), id);
    expect(balances.json.balances[0].balanceType).toBe('nonInvoiced');
    expect(codeOf(await get(`/${prefix}/accounts/${cards[0]!.resourceId}`, id))[0]).toBe(404);
    scene.bank.scenario({ surface: 'service' });
    const served = await tppOf(scene.bank)('GET', `/${prefix}/card-accounts`, {
      headers: { 'Consent-ID': id },
    });
    if (prefix === 'v1') expect((served.json.cardAccounts as Seen[])[0]!._links).toBeUndefined();
    else expect(codeOf(served)).toEqual([404, 'RESOURCE_UNKNOWN']);
  });

  it('are refused in this order', async () => {
    const at = `/${prefix}/accounts`;
    expect(codeOf(await get(at, undefined as unknown as string))).toEqual([400, 'FORMAT_ERROR']);
    expect(codeOf(await get(at, 'x'))).toEqual([400, 'CONSENT_UNKNOWN']);
    const open = await ask('embedded-one', { prefix });
    expect(codeOf(await get(at, open.json.consentId as string))).toEqual([401, 'CONSENT_INVALID']);
    const { id, links } = await valid('embedded-one', { prefix, more: { validUntil: '2026-06-01' } });
    expect(codeOf(await get(`${at}/x`, id))).toEqual([404, 'RESOURCE_UNKNOWN']);
    scene.bank.clock('+24h');
    expect(codeOf(await get(`${at}/x`, id))).toEqual([401, 'CONSENT_EXPIRED']);
    scene.bank.clock('reset');
    const other = await valid('embedded-one', { prefix });
    await scene.call('DELETE', href(other.links, 'self'));
    expect(codeOf(await get(at, other.id))).toEqual([401, 'CONSENT_INVALID']);
    expect(href(links, 'self')).toContain(id);
  });

  it('are read four times a day without the PSU, each kind of call by itself', async () => {
    const { id } = await valid('embedded-none', { prefix });
    const [account] = await accountsOf(prefix, id);
    const at = `/${prefix}/accounts/${account!.resourceId}`;
    for (let times = 0; times < 4; times += 1) expect((await get(at, id, absent)).status).toBe(200);
    expect(codeOf(await get(at, id, absent))).toEqual([429, 'ACCESS_EXCEEDED']);
    expect((await get(at, id)).status).toBe(200);
    expect((await get(`${at}/balances`, id, absent)).status).toBe(200);
    // What fails does not count.
    const path = `/${prefix}/accounts?withBalance=x`;
    for (let times = 0; times < 5; times += 1)
      expect(codeOf(await get(path, id, absent))).toEqual([400, 'FORMAT_ERROR']);
    expect((await get(`/${prefix}/accounts`, id, absent)).status).toBe(200);
    scene.bank.clock('+24h');
    expect((await get(at, id, absent)).status).toBe(200);
    scene.bank.clock('reset');
  });

  it('are read once with a one-off consent, whether the PSU is present or not', async () => {
    const { id } = await valid('embedded-none', {
      prefix,
      more: { recurringIndicator: false, frequencyPerDay: 1 },
    });
    const [account] = await accountsOf(prefix, id);
    const again = await get(`/${prefix}/accounts`, id);
    expect(codeOf(again)).toEqual([429, 'ACCESS_EXCEEDED']);
    expect(JSON.stringify(again.json)).toContain('This was read once with a consent for one use.');
    const at = `/${prefix}/accounts/${account!.resourceId}/balances`;
    expect((await get(at, id)).status).toBe(200);
    expect(codeOf(await get(at, id))).toEqual([429, 'ACCESS_EXCEEDED']);
  });
});

describe('the links of a valid consent', () => {
  const linksOf = async (prefix: string, access: object) => {
    const { links } = await valid('cards', { prefix, access });
    return (await scene.call('GET', href(links, 'self'))).json._links as Links | undefined;
  };

  it.each(['v1', 'v136'])('lead to what it covers: accounts, card accounts or both (%s)', async (prefix) => {
    scene.bank.scenario({ surface: 'framework' });
    const { accounts, cards } = scene.bank.person('cards');
    const account = { href: `/${prefix}/accounts` };
    const cardAccount = { href: `/${prefix}/card-accounts` };
    expect(await linksOf(prefix, { allPsd2: 'allAccounts' })).toEqual({ account, cardAccount });
    expect(await linksOf(prefix, { accounts: [{ iban: accounts[0]!.iban }] })).toEqual({ account });
    expect(await linksOf(prefix, { accounts: [{ maskedPan: cards[0]!.maskedPan }] })).toEqual({
      cardAccount,
    });
    scene.bank.scenario({ surface: 'service' });
  });

  it('lead to no card accounts where the bank offers none', async () => {
    expect(await linksOf('v136', { allPsd2: 'allAccounts' })).toEqual({
      account: { href: '/v136/accounts' },
    });
    const { cards } = scene.bank.person('cards');
    expect(await linksOf('v136', { accounts: [{ maskedPan: cards[0]!.maskedPan }] })).toBeUndefined();
  });
});

it('an account in v136 names the owner where the consent allows it', async () => {
  const accounts = [{ iban: ibanOf('embedded-none') }];
  const additionalInformation = { ownerName: [] };
  const { id } = await valid('embedded-none', { access: { accounts, additionalInformation } });
  expect((await accountsOf('v136', id))[0]!.ownerName).toBe('Clara Embedded');
  const all = await valid('embedded-none', { access: { allPsd2: 'allAccountsWithOwnerName' } });
  expect((await accountsOf('v136', all.id))[1]!.ownerName).toBe('Clara Embedded');
  const none = await valid('embedded-none', { access: detailed('embedded-none') });
  expect((await accountsOf('v136', none.id))[0]!.ownerName).toBeUndefined();
});

it("an account request accepts the header under the service's own name", async () => {
  const { id } = await valid('embedded-none');
  const answer = await tppOf(scene.bank)('GET', '/v136/accounts', { headers: { consentId: id } });
  expect(answer.status, answer.text).toBe(200);
});
