import { describe, expect, it } from 'vitest';
import { browser } from '../browser.ts';
import { codeOf, href, leads, useScene } from '../scene.ts';
import type { Links } from '../scene.ts';
import type { TestAnswer } from '../tpp.ts';

const scene = useScene();

describe('several PSUs', () => {
  const authorisations = (links: Links) => href(links, 'startAuthorisationWithPsuIdentification');
  const begin = (links: Links, psuId: string) =>
    scene.call('POST', authorisations(links), { headers: { 'PSU-ID': psuId } });
  const embedded = async (started: TestAnswer, psuId: string) => {
    const person = scene.bank.person(psuId);
    const at = href(started.json._links, 'updatePsuAuthentication');
    const next = await scene.call('PUT', at, { body: { psuData: { password: person.password } } });
    if (next.json.scaMethods !== undefined)
      await scene.call('PUT', at, { body: { authenticationMethodId: 'chip' } });
    return scene.call('PUT', at, { body: { scaAuthenticationData: person.otp } });
  };

  it.each(['v1', 'v136'])('must both authorise: 2 of 2 (%s)', async (prefix) => {
    const { created, links } = await scene.create('pair-a', { prefix });
    expect(leads(links)).toEqual(['startAuthorisationWithPsuIdentification']);
    expect(created.headers['aspsp-sca-approach']).toBeUndefined();
    const a = await begin(links, 'pair-a');
    expect([a.headers['aspsp-sca-approach'], a.json.scaStatus]).toEqual(['EMBEDDED', 'psuIdentified']);
    expect((await embedded(a, 'pair-a')).json.scaStatus).toBe('finalised');
    expect(await scene.statusOf(links)).toBe('PATC');
    expect(codeOf(await begin(links, 'pair-a'))).toEqual([409, 'STATUS_INVALID']);
    const b = await begin(links, 'pair-b');
    expect([b.headers['aspsp-sca-approach'], leads(b.json._links)]).toEqual(['REDIRECT', ['scaRedirect']]);
    scene.bank.decide('approve', href(b.json._links, 'scaRedirect'));
    expect(await scene.statusOf(links)).toBe('ACSC');
    const list = await scene.call('GET', authorisations(links));
    expect(list.json.authorisationIds).toHaveLength(2);
  });

  it('may do it in any order, side by side, and on another day: 3 of 3', async () => {
    const { links, id } = await scene.create('trio-a', { named: false });
    const c = await begin(links, 'trio-c');
    const b = await begin(links, 'trio-b');
    const a = await begin(links, 'trio-a');
    scene.bank.decide('approve', b.json.authorisationId as string);
    expect(await scene.statusOf(links)).toBe('PATC');
    scene.bank.decide('approve', href(c.json._links, 'scaRedirect'));
    expect(await scene.statusOf(links)).toBe('PATC');
    expect(await scene.scaOf(a.json._links)).toBe('psuIdentified');
    scene.bank.clock('+30h');
    expect([await scene.scaOf(a.json._links), await scene.statusOf(links)]).toEqual(['failed', 'PATC']);
    expect((await embedded(await begin(links, 'trio-a'), 'trio-a')).json.scaStatus).toBe('finalised');
    expect(await scene.statusOf(links)).toBe('ACSC');
    const seen = scene.bank.payments().find(({ paymentId }) => paymentId === id)!.history;
    expect(seen.map(({ status }) => status)).toEqual(['RCVD', 'PATC', 'ACTC', 'ACSC']);
    scene.bank.clock('reset');
  });

  it('are each themselves: another one is refused, and one refusal rejects for all', async () => {
    const { links } = await scene.create('pair-b', {
      more: { debtorAccount: { iban: scene.bank.person('pair-a').accounts[0]!.iban } },
    });
    expect(codeOf(await begin(links, 'embedded-one'))).toEqual([401, 'PSU_CREDENTIALS_INVALID']);
    const a = await begin(links, 'pair-a');
    const b = await begin(links, 'pair-b');
    scene.bank.decide('refuse', b.json.authorisationId as string);
    expect([await scene.scaOf(a.json._links), await scene.statusOf(links)]).toEqual(['failed', 'RJCT']);
  });

  it('are found out on the page where no PSU-ID was sent', async () => {
    const { links } = await scene.create('pair-a', { named: false });
    const started = await scene.call('POST', authorisations(links));
    expect([started.json.scaStatus, leads(started.json._links)]).toEqual(['received', ['scaRedirect']]);
    const url = href(started.json._links, 'scaRedirect');
    const { visit, submit } = browser();
    const { password, otp } = scene.bank.person('pair-b');
    const confirm = await submit(url, await visit(url), { psuId: 'pair-b', password });
    await submit(url, confirm, { otp, decision: 'approve' });
    expect(await scene.statusOf(links)).toBe('PATC');
  });

  it('must both authorise a cancellation too', async () => {
    const { links } = await scene.create('pair-a', { more: { requestedExecutionDate: '2026-09-01' } });
    for (const psuId of ['pair-a', 'pair-b'])
      scene.bank.decide('approve', (await begin(links, psuId)).json.authorisationId as string);
    expect(await scene.statusOf(links)).toBe('ACTC');
    const asked = await scene.call('DELETE', href(links, 'self'));
    expect([asked.status, leads(asked.json._links)]).toEqual([
      202,
      ['startAuthorisationWithPsuIdentification'],
    ]);
    const cancel = (psuId: string) => begin(asked.json._links as Links, psuId);
    scene.bank.decide('approve', (await cancel('pair-b')).json.authorisationId as string);
    expect(await scene.statusOf(links)).toBe('ACTC');
    scene.bank.decide('approve', (await cancel('pair-a')).json.authorisationId as string);
    expect(await scene.statusOf(links)).toBe('CANC');
  });
});
