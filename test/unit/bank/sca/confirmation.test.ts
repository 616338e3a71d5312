import { describe, expect, it } from 'vitest';
import { browser } from '../browser.ts';
import { codeOf, href, leads, useScene } from '../scene.ts';
import type { Links } from '../scene.ts';
import { send } from '../tpp.ts';

const scene = useScene();

describe('a redirect with confirmation', () => {
  const start = async (psuId: string, prefix = 'v136') => {
    const { links } = await scene.create(psuId, { prefix });
    if (links['startAuthorisation'] === undefined) return links;
    const started = await scene.call('POST', href(links, 'startAuthorisation'));
    return { ...links, ...(started.json._links as Links) };
  };
  /** In a browser; gives the address that it is led to. */
  const approve = async (psuId: string, links: Links, decision = 'approve') => {
    const url = `${href(links, 'scaRedirect')}?state=abc`;
    const { visit, submit } = browser();
    const { password, otp } = scene.bank.person(psuId);
    const confirm = await submit(url, await visit(url), { psuId, password });
    const done = await submit(url, confirm, { otp, decision });
    return new URL(String(done.headers['location']));
  };

  it.each(['redirect-confirm', 'redirect-confirm-explicit'])(
    'executes nothing for %s before the code comes back',
    async (psuId) => {
      const links = await start(psuId);
      expect(leads(links)).toEqual(expect.arrayContaining(['scaRedirect', 'confirmation']));
      const early = await scene.call('PUT', href(links, 'confirmation'), { body: { confirmationCode: 'x' } });
      expect(codeOf(early)).toEqual([400, 'SERVICE_INVALID']);
      const returned = await approve(psuId, links);
      expect(returned.searchParams.get('state')).toBe('abc');
      const polled = await scene.call('GET', href(links, 'scaStatus'));
      expect(polled.json).toEqual({ scaStatus: 'unconfirmed' });
      // v1 has no such status.
      const inV1 = await scene.call('GET', href(links, 'scaStatus').replace('/v136/', '/v1/'));
      expect(inV1.json).toEqual({ scaStatus: 'started' });
      expect(await scene.statusOf(links)).toBe('RCVD');
      const confirmationCode = returned.searchParams.get('confirmationCode');
      const confirmed = await scene.call('PUT', href(links, 'confirmation'), { body: { confirmationCode } });
      expect([confirmed.status, confirmed.json]).toEqual([
        200,
        { scaStatus: 'finalised', _links: { scaStatus: links['scaStatus'], status: links['status'] } },
      ]);
      expect(await scene.statusOf(links)).toBe('ACSC');
    },
  );

  it('fails with a wrong code, for good', async () => {
    const links = await start('redirect-confirm');
    await approve('redirect-confirm', links);
    const body = { confirmationCode: 'wrong' };
    const wrong = await scene.call('PUT', href(links, 'confirmation'), { body });
    expect([wrong.status, wrong.json.scaStatus]).toEqual([200, 'failed']);
    expect(codeOf(await scene.call('PUT', href(links, 'confirmation'), { body }))).toEqual([
      400,
      'SCA_INVALID',
    ]);
    expect(await scene.statusOf(links)).toBe('RJCT');
  });

  it('brings no code back where the PSU refused', async () => {
    const links = await start('redirect-confirm');
    const returned = await approve('redirect-confirm', links, 'refuse');
    expect([...returned.searchParams.keys()]).toEqual(['state']);
    const answer = await scene.call('PUT', href(links, 'confirmation'), { body: { confirmationCode: 'x' } });
    expect(codeOf(answer)).toEqual([400, 'SCA_INVALID']);
  });

  it('is a plain redirect in v1', async () => {
    const links = await start('redirect-confirm', 'v1');
    expect(leads(links)).toEqual(['scaRedirect']);
    const returned = await approve('redirect-confirm', links);
    expect(returned.searchParams.get('confirmationCode')).toBeNull();
    expect(await scene.statusOf(links)).toBe('ACSC');
  });

  it('shows its code to a script of the PSU, or on the page where the TPP gave no address', async () => {
    const links = await start('redirect-confirm');
    const decided = scene.bank.decide('approve', `${href(links, 'scaRedirect')}?state=s`);
    expect(decided).toMatchObject({ scaStatus: 'unconfirmed' });
    const returned = new URL(decided.redirectedTo ?? '');
    expect(returned.searchParams.get('state')).toBe('s');
    const confirmationCode = returned.searchParams.get('confirmationCode');
    const shown = await send(href(links, 'scaRedirect'), 'GET', {}, Buffer.alloc(0));
    expect(shown.text).toContain('Back to where you came from');
    const confirmed = await scene.call('PUT', href(links, 'confirmation'), { body: { confirmationCode } });
    expect(confirmed.json.scaStatus).toBe('finalised');
    const plain = await scene.create('redirect-confirm', { headers: { 'TPP-Redirect-URI': undefined } });
    scene.bank.decide('approve', plain.id);
    const page = await send(href(plain.links, 'scaRedirect'), 'GET', {}, Buffer.alloc(0));
    expect(page.text).toContain('Your confirmation code');
  });

  it('is rejected after a day where it is never confirmed', async () => {
    const links = await start('redirect-confirm');
    await approve('redirect-confirm', links);
    scene.bank.clock('+24h');
    expect([await scene.scaOf(links), await scene.statusOf(links)]).toEqual(['failed', 'RJCT']);
    scene.bank.clock('reset');
  });
});

describe('a link to the page of the bank', () => {
  it('is valid for ten minutes; after that another authorisation can be started', async () => {
    const { links, id } = await scene.create('redirect');
    scene.clock.ms += 10 * 60_000 - 1;
    expect(await scene.scaOf(links)).toBe('psuIdentified');
    scene.clock.ms += 1;
    expect([await scene.scaOf(links), await scene.statusOf(links)]).toEqual(['failed', 'RCVD']);
    const shown = await send(href(links, 'scaRedirect'), 'GET', {}, Buffer.alloc(0));
    expect(shown.text).toContain('Not approved');
    const at = `/v136/payments/sepa-credit-transfers/${id}/authorisations`;
    const again = await scene.call('POST', at);
    expect(again.status).toBe(201);
    scene.bank.decide('approve', href(again.json._links, 'scaRedirect'));
    expect(await scene.statusOf(links)).toBe('ACSC');
  });

  it('does not expire while the PSU is using it', async () => {
    const { links } = await scene.create('redirect');
    const url = href(links, 'scaRedirect');
    const { visit, submit } = browser();
    const { password, otp } = scene.bank.person('redirect');
    const confirm = await submit(url, await visit(url), { psuId: 'redirect', password });
    scene.clock.ms += 11 * 60_000;
    expect((await submit(url, confirm, { otp, decision: 'approve' })).status).toBe(303);
    expect(await scene.statusOf(links)).toBe('ACSC');
  });
});
