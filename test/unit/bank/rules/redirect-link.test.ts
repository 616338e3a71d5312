import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { presets } from '../../../../src/standard/xs2a/variants.ts';
import { browser } from '../browser.ts';
import { consentsOf } from '../consent-scene.ts';
import { back, href, useScene } from '../scene.ts';
import type { Links } from '../scene.ts';

const scene = useScene({ v1: presets.v1, v136: { ...presets.v136, surface: 'framework' } });
const consents = consentsOf(scene);
beforeAll(() => {
  scene.bank.scenario({ surface: 'framework' });
});
afterEach(() => {
  scene.bank.scenario({ redirectLink: '10-minutes', cancellation: 'by-person' });
  scene.bank.clock('reset');
});

/** What has the link: the links of its answer, and where its own status is after the link has run out. */
interface Opened {
  links: Links;
  status: () => Promise<string>;
  waits: string;
}

const explicit = { headers: { 'TPP-Explicit-Authorisation-Preferred': 'true' } };

/** The links of the authorisation: the TPP starts it where the bank has not. */
async function started(links: Links): Promise<Links> {
  const start = Object.keys(links).find((name) => name.startsWith('startAuthorisation'));
  if (start === undefined) return links;
  const answer = await scene.call('POST', href(links, start), { headers: { 'TPP-Redirect-URI': back } });
  expect(answer.status, answer.text).toBe(201);
  return answer.json._links as Links;
}

const parents: Readonly<Record<string, (psuId: string) => Promise<Opened>>> = {
  async payment(psuId) {
    const { links } = await scene.create(psuId);
    return { links, status: () => scene.statusOf(links), waits: 'RCVD' };
  },
  async consent(psuId) {
    const { json } = await consents.ask(psuId);
    const links = json._links as Links;
    return { links, status: () => consents.statusOf(links), waits: 'received' };
  },
  async cancellation(psuId) {
    scene.bank.scenario({ cancellation: 'always-sca' });
    const { id, links } = await scene.create(psuId, { more: { requestedExecutionDate: '2026-09-01' } });
    scene.bank.decide('approve', id);
    const { json } = await scene.call('DELETE', href(links, 'self'));
    return { links: await started(json._links as Links), status: () => scene.statusOf(links), waits: 'ACTC' };
  },
  async basket(psuId) {
    const payments = [await scene.create(psuId, explicit), await scene.create(psuId, explicit)];
    const { json } = await scene.call('POST', '/v136/signing-baskets', {
      body: { paymentIds: payments.map(({ id }) => id) },
      headers: { 'PSU-ID': psuId, 'TPP-Redirect-URI': back },
    });
    const links = json._links as Links;
    return { links: await started(links), status: () => scene.statusOf(links), waits: 'RCVD' };
  },
};

describe('a link to the page of an authorisation', () => {
  it.each([
    ['10-minutes', '+9m', '+2m'],
    ['90-seconds', '+1m', '+1m'],
    ['2-hours', '+119m', '+2m'],
  ])('lives for %s', async (redirectLink, before, after) => {
    scene.bank.scenario({ redirectLink });
    const { links } = await scene.create('redirect');
    scene.bank.clock(before);
    expect(await scene.scaOf(links)).toBe('psuIdentified');
    scene.bank.clock(after);
    expect(await scene.scaOf(links)).toBe('failed');
  });

  it.each(Object.keys(parents))('ends for a %s, which waits for another authorisation', async (kind) => {
    scene.bank.scenario({ redirectLink: '90-seconds' });
    const { links, status, waits } = await parents[kind]!('redirect');
    const { visit } = browser();
    const url = href(links, 'scaRedirect');
    expect((await visit(url)).text).toContain('Log in to your bank');
    scene.bank.clock('+1m');
    expect([await scene.scaOf(links), await status()]).toEqual(['psuIdentified', waits]);
    scene.bank.clock('+1m');
    expect((await visit(url)).text).toContain('Not approved');
    expect([await scene.scaOf(links), await status()]).toEqual(['failed', waits]);
    expect(() => scene.bank.decide('approve', url)).toThrow(/no open authorisation/);
  });

  it('does not live longer where the PSU has an hour', async () => {
    const { psuId, hour } = { psuId: 'hour', hour: 3_600_000 };
    await scene.control('POST', '/people', { body: { psuId, approach: 'REDIRECT', authorisationMs: hour } });
    const { json } = await scene.control('GET', `/people/${psuId}`);
    const answer = await scene.call('POST', '/v136/payments/sepa-credit-transfers', {
      body: {
        debtorAccount: { iban: (json.accounts as { iban: string }[])[0]!.iban },
        instructedAmount: { currency: 'EUR', amount: '1.00' },
        creditorName: 'Shop',
        creditorAccount: { iban: 'DE89370400440532013000' },
      },
      headers: { 'PSU-ID': psuId, 'TPP-Redirect-URI': back },
    });
    const links = answer.json._links as Links;
    scene.bank.clock('+11m');
    expect(await scene.scaOf(links)).toBe('failed');
  });
});
