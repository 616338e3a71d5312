import { afterEach, describe, expect, it } from 'vitest';
import { presets } from '../../../src/xs2a/variants.ts';
import { consentsOf } from './consent-scene.ts';
import { codeOf, href, useScene } from './scene.ts';
import type { Links } from './scene.ts';
import { tppOf } from './tpp.ts';

const scene = useScene({
  v1: { ...presets.v1, surface: 'framework' },
  v136: { ...presets.v136, surface: 'framework' },
});
const { valid } = consentsOf(scene);
const absent = { 'PSU-IP-Address': undefined };

afterEach(() => {
  scene.bank.scenario({ surface: 'service', pages: 'of-1000', pageNumbers: 'reject' });
});

interface Report {
  booked?: { entryReference: string }[];
  pending?: object[];
  _links: Links;
}

/** The transactions of the first account, or card account, of a PSU under a consent of its own. */
async function opened(psuId: string, prefix = 'v136', kind: 'accounts' | 'card-accounts' = 'accounts') {
  const { id } = await valid(psuId, { prefix, access: { allPsd2: 'allAccounts' } });
  const get = (path: string, headers: Record<string, string | undefined> = {}) =>
    scene.call('GET', path, { headers: { 'Consent-ID': id, ...headers } });
  const { json } = await get(`/${prefix}/${kind}`);
  const [account] = (json.accounts ?? json.cardAccounts) as { _links: Links }[];
  const path = href(account!._links, 'transactions');
  const report = async (at: string): Promise<Report> => {
    const answer = await get(at.startsWith('/') ? at : `${path}?${at}`);
    expect(answer.status, answer.text).toBe(200);
    return (answer.json.transactions ?? answer.json.cardTransactions) as Report;
  };
  // Such a request is not that of the official files.
  const inBackground = (at: string) =>
    tppOf(scene.bank)('GET', at, { headers: { 'Consent-ID': id, ...absent } });
  return { get, inBackground, report, path };
}

describe('a call without the PSU counts', () => {
  it.each([
    ['v1', '?cursor=x'],
    ['v1', '?pageIndex=1'],
    ['v136', '?cursor=x'],
  ])('at the list of accounts (%s) with %s too: it has no pages', async (prefix, query) => {
    const { inBackground } = await opened('embedded-none', prefix);
    for (let times = 0; times < 4; times += 1)
      expect((await inBackground(`/${prefix}/accounts${query}`)).status).toBe(200);
    expect(codeOf(await inBackground(`/${prefix}/accounts${query}`))).toEqual([429, 'ACCESS_EXCEEDED']);
  });

  it('with a number of a page where v1 knows none', async () => {
    const { inBackground, path } = await opened('embedded-none', 'v1');
    const second = `${path}?bookingStatus=booked&dateFrom=2026-05-01&pageIndex=1`;
    for (let times = 0; times < 4; times += 1) expect((await inBackground(second)).status).toBe(200);
    expect(codeOf(await inBackground(second))).toEqual([429, 'ACCESS_EXCEEDED']);
  });

  it('but for further pages by number where the bank takes them', async () => {
    scene.bank.scenario({ pageNumbers: 'accept' });
    const { inBackground, path } = await opened('embedded-none');
    const page = `${path}?bookingStatus=booked&dateFrom=2026-05-01&itemsPerPage=1&pageIndex=`;
    for (const at of [0, 1, 2, 3, 4, 5]) expect((await inBackground(page + String(at))).status).toBe(200);
    for (let times = 0; times < 3; times += 1) expect((await inBackground(`${page}0`)).status).toBe(200);
    expect(codeOf(await inBackground(`${page}0`))).toEqual([429, 'ACCESS_EXCEEDED']);
  });
});
