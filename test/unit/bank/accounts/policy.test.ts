import { afterEach, describe, expect, it } from 'vitest';
import { standardScenario } from '../../../../src/bank/rules/scenario.ts';
import type { Scenario } from '../../../../src/bank/rules/scenario.ts';
import { consentsOf } from '../consent-scene.ts';
import { codeOf, href, useScene } from '../scene.ts';
import { tppOf } from '../tpp.ts';

// Where the official files are, each answer of this bank is judged by them.
const scene = useScene();
const { ask, valid } = consentsOf(scene);

afterEach(() => {
  scene.bank.scenario(standardScenario);
});

const set = (scenario: Partial<Scenario>) => {
  scene.bank.scenario(scenario);
};

describe('a consent', () => {
  it('is valid for as many days as the policy allows', async () => {
    set({ validUntil: '7-days' });
    const { links } = await valid('redirect');
    expect((await scene.call('GET', href(links, 'self'))).json.validUntil).toBe('2026-06-08');
  });

  it.each([
    ['up-to-4', 10, 4],
    ['up-to-2', 4, 2],
    ['as-asked', 1000, 1000],
  ])('has the frequencyPerDay of the policy %s', async (frequencyPerDay, asked, given) => {
    set({ frequencyPerDay });
    const { links } = await valid('redirect', { more: { frequencyPerDay: asked } });
    expect((await scene.call('GET', href(links, 'self'))).json.frequencyPerDay).toBe(given);
  });

  it('is refused, or accepted with 1, where it is for one use with a frequencyPerDay above 1', async () => {
    const more = { recurringIndicator: false, frequencyPerDay: 4 };
    expect(codeOf(await ask('redirect', { more }))).toEqual([400, 'FORMAT_ERROR']);
    set({ oneOff: 'force-1' });
    const { links } = await valid('redirect', { more });
    expect((await scene.call('GET', href(links, 'self'))).json.frequencyPerDay).toBe(1);
  });
});

describe('a list of transactions', () => {
  const opened = async (headers: Record<string, string> = {}) => {
    const { id } = await valid('redirect');
    const list = await scene.call('GET', '/v136/accounts', { headers: { 'Consent-ID': id } });
    const at = href(
      (list.json.accounts as { _links: Record<string, { href: string }> }[])[0]!._links,
      'transactions',
    );
    return (query: string, more: Record<string, string> = {}) =>
      scene.call('GET', `${at}?${query}`, { headers: { 'Consent-ID': id, ...headers, ...more } });
  };

  it('is available for the bookingStatus on offer; another is PARAMETER_NOT_SUPPORTED', async () => {
    set({ bookingStatuses: 'booked,pending' });
    const get = await opened();
    for (const [bookingStatus, status] of [
      ['booked', 200],
      ['pending', 200],
      ['both', 400],
      ['information', 400],
    ] as const) {
      const answer = await get(`bookingStatus=${bookingStatus}&dateFrom=2026-05-01`);
      expect(answer.status, answer.text).toBe(status);
      if (status === 400) expect(codeOf(answer)[1]).toBe('PARAMETER_NOT_SUPPORTED');
    }
  });

  it.each<[string, string | undefined, number, RegExp]>([
    ['every', undefined, 200, /json/],
    ['json', 'application/xml', 406, /json/],
    ['json', 'application/xml, application/json;q=0.1', 200, /json/],
    ['camt.053,json', undefined, 200, /xml/],
    ['json,camt.053', '*/*', 200, /json/],
    ['camt.052', 'application/xml', 200, /xml/],
    ['camt.052', 'application/vnd.camt.053+xml', 406, /json/],
    ['text', 'text/plain', 200, /text\/plain/],
    ['text', undefined, 200, /text\/plain/],
  ])('is at a bank with %s, for Accept %s, answered with %i', async (reportFormats, accept, status, type) => {
    set({ reportFormats });
    const { id } = await valid('redirect');
    const list = await scene.call('GET', '/v136/accounts', { headers: { 'Consent-ID': id } });
    const at = href(
      (list.json.accounts as { _links: Record<string, { href: string }> }[])[0]!._links,
      'transactions',
    );
    const answer = await tppOf(scene.bank)('GET', `${at}?bookingStatus=booked&dateFrom=2026-05-01`, {
      headers: { 'Consent-ID': id, ...(accept !== undefined && { Accept: accept }) },
    });
    expect(answer.status, answer.text).toBe(status);
    expect(answer.headers['content-type']).toMatch(type);
    if (reportFormats === 'camt.052' && status === 200) expect(answer.text).toContain('camt.052');
    if (status === 406) expect(codeOf(answer)[1]).toBe('REQUESTED_FORMATS_INVALID');
  });

  it('comes in pages of the size of the policy', async () => {
    set({ pages: 'of-3' });
    const get = await opened();
    const { json } = await get('bookingStatus=booked&dateFrom=2026-01-01');
    expect(json.transactions.booked).toHaveLength(3);
    expect(Object.keys(json.transactions._links)).toContain('next');
  });
});
