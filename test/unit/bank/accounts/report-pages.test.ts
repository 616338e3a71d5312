import { afterEach, describe, expect, it } from 'vitest';
import { presets } from '../../../../src/standard/xs2a/variants.ts';
import { consentsOf } from '../consent-scene.ts';
import { codeOf, href, useScene } from '../scene.ts';
import type { Links } from '../scene.ts';
import { tppOf } from '../tpp.ts';

const scene = useScene({
  v1: { ...presets.v1, surface: 'framework' },
  v136: { ...presets.v136, surface: 'framework' },
});
const { valid } = consentsOf(scene);
const absent = { 'PSU-IP-Address': undefined };

afterEach(() => {
  scene.bank.scenario({ surface: 'service', pages: 'of-1000', pageNumbers: 'reject', history: 'whole' });
});

interface Report {
  booked?: { entryReference: string }[];
  pending?: object[];
  _links: Links;
}

/** The transactions of the first account, or card account, of a PSU under a consent of its own. */
async function opened(psuId: string, prefix = 'v136', kind: 'accounts' | 'card-accounts' = 'accounts') {
  const { id } = await valid(psuId, { prefix, access: { allPsd2: 'allAccounts' } });
  // Numbers of pages are of the adorsys dialect: no official file judges a request with them.
  const get = (path: string, headers: Record<string, string> = {}) =>
    (/[?&]pageIndex=/.test(path) ? tppOf(scene.bank) : scene.call)('GET', path, {
      headers: { 'Consent-ID': id, ...headers },
    });
  const { json } = await get(`/${prefix}/${kind}`);
  const [account] = (json.accounts ?? json.cardAccounts) as { _links: Links }[];
  const path = href(account!._links, 'transactions');
  const report = async (at: string): Promise<Report> => {
    const answer = await get(at.startsWith('/') ? at : `${path}?${at}`);
    expect(answer.status, answer.text).toBe(200);
    return (answer.json.transactions ?? answer.json.cardTransactions) as Report;
  };
  // Such a request is not that of the official files.
  const inBackground = (at: string, headers: Record<string, string> = {}) =>
    tppOf(scene.bank)('GET', at, { headers: { 'Consent-ID': id, ...absent, ...headers } });
  return { get, inBackground, report, path };
}

describe('an access without the PSU', () => {
  it.each([
    ['v1', '?cursor=x'],
    ['v1', '?pageIndex=1'],
    ['v136', '?cursor=x'],
  ])('is counted at the list of accounts (%s) with %s too: it has no pages', async (prefix, query) => {
    const { inBackground } = await opened('embedded-none', prefix);
    for (let times = 0; times < 4; times += 1)
      expect((await inBackground(`/${prefix}/accounts${query}`)).status).toBe(200);
    expect(codeOf(await inBackground(`/${prefix}/accounts${query}`))).toEqual([429, 'ACCESS_EXCEEDED']);
  });

  it('is counted with a page number where v1 knows none', async () => {
    const { inBackground, path } = await opened('embedded-none', 'v1');
    const second = `${path}?bookingStatus=booked&dateFrom=2026-05-01&pageIndex=1`;
    for (let times = 0; times < 4; times += 1) expect((await inBackground(second)).status).toBe(200);
    expect(codeOf(await inBackground(second))).toEqual([429, 'ACCESS_EXCEEDED']);
  });

  it('is not counted for further numbered pages where the bank accepts them', async () => {
    scene.bank.scenario({ pageNumbers: 'accept' });
    const { inBackground, path } = await opened('embedded-none');
    const page = `${path}?bookingStatus=booked&dateFrom=2026-05-01&itemsPerPage=1&pageIndex=`;
    for (const at of [0, 1, 2, 3, 4, 5]) expect((await inBackground(page + String(at))).status).toBe(200);
    for (let times = 0; times < 3; times += 1) expect((await inBackground(`${page}0`)).status).toBe(200);
    expect(codeOf(await inBackground(`${page}0`))).toEqual([429, 'ACCESS_EXCEEDED']);
  });
});

describe('the pages of a report', () => {
  it('lead back to their own first page where they are of a delta', async () => {
    scene.bank.scenario({ pages: 'of-20' });
    const { report } = await opened('embedded-none');
    const first = await report('bookingStatus=booked&deltaList=true');
    const second = await report(href(first._links, 'next'));
    expect(first.booked).toHaveLength(20);
    expect((await report(href(second._links, 'first'))).booked).toEqual(first.booked);
    expect((await report('bookingStatus=booked&deltaList=true')).booked).toEqual([]);
  });

  it('cannot be requested by number for a delta, which would begin anew with each', async () => {
    scene.bank.scenario({ pageNumbers: 'accept' });
    const { get, path } = await opened('embedded-none');
    const answer = await get(`${path}?bookingStatus=booked&deltaList=true&pageIndex=0`);
    expect(codeOf(answer)).toEqual([400, 'PARAMETER_NOT_CONSISTENT']);
  });

  it('include what is pending only once', async () => {
    scene.bank.scenario({ pages: 'of-20' });
    const { report } = await opened('cards');
    const days = 'bookingStatus=both&dateFrom=2026-01-01';
    const first = await report(days);
    expect(first.pending).not.toEqual([]);
    for (const name of ['next', 'last'])
      expect((await report(href(first._links, name))).pending).toBeUndefined();
    scene.bank.scenario({ pageNumbers: 'accept' });
    expect((await report(`${days}&pageIndex=0&itemsPerPage=20`)).pending).toEqual(first.pending);
    expect((await report(`${days}&pageIndex=1&itemsPerPage=20`)).pending).toBeUndefined();
  });

  it('have no numbers where standing orders are requested: everything else is ignored then', async () => {
    const { get, path } = await opened('embedded-none');
    expect((await get(`${path}?bookingStatus=information&pageIndex=1`)).status).toBe(200);
  });
});

it('a delta goes back no further than the bank does', async () => {
  scene.bank.scenario({ history: '90-days' });
  const { report } = await opened('embedded-none');
  const allowed = await report('bookingStatus=booked&dateFrom=2026-03-03');
  expect((await report('bookingStatus=booked&deltaList=true')).booked).toEqual(allowed.booked);
});

it('a camt message that is not a report is not available', async () => {
  const { get, path } = await opened('embedded-none');
  const all = `${path}?bookingStatus=booked&dateFrom=2026-05-01`;
  const camt054 = 'application/vnd.BerlinGroup.camt.054+xml';
  expect(codeOf(await get(all, { Accept: camt054 }))).toEqual([406, 'REQUESTED_FORMATS_INVALID']);
  const other = await get(all, { Accept: `${camt054}, text/plain;q=0.1` });
  expect([other.status, other.headers['content-type']]).toEqual([200, 'text/plain']);
});

it.each([
  ['v1', 'application/text', 'application/text'],
  ['v1', 'text/plain', 'text/plain'],
  ['v1', 'text/plain, application/text, application/json;q=0.5', 'application/text'],
  ['v1', 'text/*', 'text/plain'],
  ['v136', 'text/plain, application/text', 'text/plain'],
])('plain text has the media type of the framework: in %s for %s it is %s', async (prefix, accept, type) => {
  // The file of the older framework has one of the words, and its errata the other.
  const { inBackground, path } = await opened('embedded-none', prefix);
  const answer = await inBackground(`${path}?bookingStatus=booked&dateFrom=2026-05-01`, { Accept: accept });
  expect([answer.status, answer.headers['content-type']], answer.text).toEqual([200, type]);
  expect(answer.text).toContain(':20:');
});

it.each(['pending', 'information'])(
  'a card account has nothing booked to show of %s, and no pages',
  async (status) => {
    scene.bank.scenario({ surface: 'framework', pages: 'of-20' });
    const { report } = await opened('cards', 'v136', 'card-accounts');
    expect((await report('bookingStatus=booked&dateFrom=2020-01-01'))._links['next']).toBeDefined();
    const { booked, _links } = await report(`bookingStatus=${status}&dateFrom=2020-01-01`);
    expect([booked, Object.keys(_links)]).toEqual([[], ['cardAccount']]);
  },
);
