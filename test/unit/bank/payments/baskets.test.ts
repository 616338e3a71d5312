import { beforeAll, describe, expect, it } from 'vitest';
import { presets } from '../../../../src/standard/xs2a/variants.ts';
import { browser } from '../browser.ts';
import { consentsOf } from '../consent-scene.ts';
import { back, codeOf, href, leads, useScene } from '../scene.ts';
import type { Created, Links } from '../scene.ts';

const scene = useScene({
  v1: { ...presets.v1, surface: 'framework' },
  v136: { ...presets.v136, surface: 'framework' },
});
beforeAll(() => {
  scene.bank.scenario({ surface: 'framework' });
});

const basketOf = (ids: readonly string[], psuId?: string, prefix = 'v136', headers: object = {}) =>
  scene.call('POST', `/${prefix}/signing-baskets`, {
    body: { paymentIds: ids },
    headers: { ...(psuId !== undefined && { 'PSU-ID': psuId }), 'TPP-Redirect-URI': back, ...headers },
  });
const two = async (psuId: string, prefix = 'v136'): Promise<[Created, Created]> => {
  const headers = { 'TPP-Explicit-Authorisation-Preferred': 'true' };
  return [await scene.create(psuId, { prefix, headers }), await scene.create(psuId, { prefix, headers })];
};
const idsOf = (payments: readonly Created[]) => payments.map(({ id }) => id);
const statuses = (payments: readonly Created[]) =>
  Promise.all(payments.map(({ links }) => scene.statusOf(links)));

describe('a signing basket', () => {
  it.each(['v1', 'v136'])('is authorised once for all its payments (%s)', async (prefix) => {
    const payments = await two('embedded-choice', prefix);
    const created = await basketOf(idsOf(payments), 'embedded-choice', prefix);
    expect(created.status, created.text).toBe(201);
    const links = created.json._links as Links;
    expect(leads(links)).toEqual(['startAuthorisationWithPsuAuthentication']);
    expect(created.headers['location']).toBe(href(links, 'self'));
    expect((await scene.call('GET', href(links, 'self'))).json).toEqual({
      payments: idsOf(payments),
      transactionStatus: 'RCVD',
    });
    const { password, otp } = scene.bank.person('embedded-choice');
    const start = href(links, 'startAuthorisationWithPsuAuthentication');
    const started = await scene.call('POST', start, { body: { psuData: { password } } });
    const at = href(started.json._links, 'selectAuthenticationMethod');
    await scene.call('PUT', at, { body: { authenticationMethodId: 'sms' } });
    const done = await scene.call('PUT', at, { body: { scaAuthenticationData: otp } });
    expect(done.json.scaStatus, done.text).toBe('finalised');
    expect((await scene.call('GET', at)).json.scaStatus).toBe('finalised');
    expect(await scene.statusOf(links)).toBe('ACTC');
    expect(await statuses(payments)).toEqual(['ACSC', 'ACSC']);
    expect((await scene.call('GET', start)).json.authorisationIds).toHaveLength(1);
    expect(codeOf(await scene.call('DELETE', href(links, 'self')))).toEqual([409, 'STATUS_INVALID']);
  });

  it('shows on the page of a redirect what it holds', async () => {
    const payments = await two('redirect');
    const created = await basketOf(idsOf(payments), 'redirect');
    const started = await scene.call('POST', href(created.json._links, 'startAuthorisation'));
    const url = href(started.json._links, 'scaRedirect');
    const { visit, submit } = browser();
    const { password, otp } = scene.bank.person('redirect');
    const confirm = await submit(url, await visit(url), { psuId: 'redirect', password });
    for (const part of ['Approve the payments', '2.00 EUR', '1.00 EUR to Shop'])
      expect(confirm.text).toContain(part);
    await submit(url, confirm, { otp, decision: 'approve' });
    expect(await statuses(payments)).toEqual(['ACSC', 'ACSC']);
  });

  it('holds its payments from the first authorisation of several on', async () => {
    const payments = await two('pair-a');
    const created = await basketOf(idsOf(payments));
    const links = created.json._links as Links;
    const begin = (psuId: string) =>
      scene.call('POST', href(links, 'startAuthorisationWithPsuIdentification'), {
        headers: { 'PSU-ID': psuId },
      });
    scene.bank.decide('approve', (await begin('pair-a')).json.authorisationId as string);
    expect([await scene.statusOf(links), ...(await statuses(payments))]).toEqual(['PATC', 'RCVD', 'RCVD']);
    const [one] = payments;
    const alone = href(one.links, 'startAuthorisationWithPsuIdentification');
    expect(codeOf(await scene.call('POST', alone))).toEqual([400, 'RESOURCE_BLOCKED']);
    expect(codeOf(await scene.call('DELETE', href(one.links, 'self')))).toEqual([400, 'RESOURCE_BLOCKED']);
    expect(codeOf(await scene.call('DELETE', href(links, 'self')))).toEqual([409, 'STATUS_INVALID']);
    scene.bank.decide('approve', (await begin('pair-b')).json.authorisationId as string);
    expect([await scene.statusOf(links), ...(await statuses(payments))]).toEqual(['ACTC', 'ACSC', 'ACSC']);
  });

  it('leaves its payments to be authorised separately where it fails', async () => {
    const payments = await two('embedded-one');
    const created = await basketOf(idsOf(payments), 'embedded-one');
    const links = created.json._links as Links;
    const started = await scene.call('POST', href(links, 'startAuthorisationWithPsuAuthentication'));
    scene.bank.decide('refuse', started.json.authorisationId as string);
    expect([await scene.statusOf(links), ...(await statuses(payments))]).toEqual(['RJCT', 'RCVD', 'RCVD']);
    const alone = await scene.call(
      'POST',
      href(payments[0].links, 'startAuthorisationWithPsuAuthentication'),
    );
    scene.bank.decide('approve', alone.json.authorisationId as string);
    expect(await statuses(payments)).toEqual(['ACSC', 'RCVD']);
  });

  it('goes on without the payments that were cancelled or authorised separately', async () => {
    const payments = await two('embedded-one');
    const created = await basketOf(idsOf(payments), 'embedded-one');
    await scene.call('DELETE', href(payments[0].links, 'self'));
    const started = await scene.call(
      'POST',
      href(created.json._links, 'startAuthorisationWithPsuAuthentication'),
    );
    scene.bank.decide('approve', started.json.authorisationId as string);
    expect(await statuses(payments)).toEqual(['CANC', 'ACSC']);
  });

  it('is deleted before its authorisation, and waits for a day', async () => {
    const payments = await two('embedded-one');
    const created = await basketOf(idsOf(payments), 'embedded-one');
    const again = await basketOf(idsOf(payments), 'embedded-one');
    expect(codeOf(again)).toEqual([400, 'RESOURCE_BLOCKED']);
    expect((await scene.call('DELETE', href(created.json._links, 'self'))).status).toBe(204);
    expect(await scene.statusOf(created.json._links)).toBe('CANC');
    const later = await basketOf(idsOf(payments), 'embedded-one');
    expect(later.status).toBe(201);
    scene.bank.clock('+24h');
    expect(await scene.statusOf(later.json._links)).toBe('RJCT');
    scene.bank.clock('reset');
  });

  it.each<[string, (ids: string[]) => object, Record<string, string>, number, string]>([
    ['nothing', () => ({}), {}, 400, 'FORMAT_ERROR'],
    ['an empty list', () => ({ paymentIds: [] }), {}, 400, 'FORMAT_ERROR'],
    ['an unknown payment', () => ({ paymentIds: ['x'] }), {}, 400, 'RESOURCE_UNKNOWN'],
    ['a payment twice', ([id]) => ({ paymentIds: [id, id] }), {}, 400, 'RESOURCE_UNKNOWN'],
    ['a consent', () => ({ consentIds: ['x'] }), {}, 400, 'RESOURCE_UNKNOWN'],
    [
      'an implicit start',
      (ids) => ({ paymentIds: ids }),
      { 'TPP-Explicit-Authorisation-Preferred': 'false' },
      400,
      'FORMAT_ERROR',
    ],
    ['another PSU', (ids) => ({ paymentIds: ids }), { 'PSU-ID': 'redirect' }, 401, 'PSU_CREDENTIALS_INVALID'],
  ])('is refused with %s', async (_what, body, headers, status, code) => {
    const ids = idsOf(await two('embedded-one'));
    const answer = await scene.call('POST', '/v1/signing-baskets', { body: body(ids), headers });
    expect(codeOf(answer)).toEqual([status, code]);
  });

  it('is refused for a mix of PSUs, and for what is authorised already', async () => {
    const [one] = await two('embedded-one');
    const [other] = await two('redirect-explicit');
    expect(codeOf(await basketOf(idsOf([one, other])))).toEqual([400, 'REFERENCE_MIX_INVALID']);
    const started = await scene.call('POST', href(one.links, 'startAuthorisationWithPsuAuthentication'));
    scene.bank.decide('approve', started.json.authorisationId as string);
    expect(codeOf(await basketOf([one.id]))).toEqual([409, 'REFERENCE_STATUS_INVALID']);
  });

  describe('with consents', () => {
    const later = { headers: { 'TPP-Explicit-Authorisation-Preferred': 'true' } };
    const asked = async (psuId: string) => {
      const { json } = await consentsOf(scene).ask(psuId, later);
      return { id: json.consentId as string, links: json._links as Links };
    };
    const basketOfConsents = (consentIds: readonly string[], more: object = {}) =>
      scene.call('POST', '/v136/signing-baskets', { body: { consentIds, ...more } });
    const states = (members: readonly { links: Links }[]) =>
      Promise.all(members.map(({ links }) => consentsOf(scene).statusOf(links)));

    it('is authorised once for all of them', async () => {
      const consents = [await asked('redirect'), await asked('redirect')];
      const ids = consents.map(({ id }) => id);
      const created = await basketOfConsents(ids);
      expect(created.status, created.text).toBe(201);
      const links = created.json._links as Links;
      expect((await scene.call('GET', href(links, 'self'))).json).toMatchObject({ consents: ids });
      const started = await scene.call('POST', href(links, 'startAuthorisation'), {
        headers: { 'PSU-ID': 'redirect' },
      });
      const { visit, submit } = browser();
      const url = href(started.json._links, 'scaRedirect');
      const { password } = scene.bank.person('redirect');
      const page = await submit(url, await visit(url), { psuId: 'redirect', password });
      expect(page.text).toContain('Approve the access to your accounts');
      scene.bank.decide('approve', created.json.basketId as string, 'redirect');
      expect(await scene.statusOf(links)).toBe('ACTC');
      // Both are recurring and of one PSU: the newer one replaces the older.
      expect(await states(consents)).toEqual(['terminatedByTpp', 'valid']);
    });

    it('leaves them free where it is refused', async () => {
      const consent = await asked('redirect');
      const { json } = await basketOfConsents([consent.id]);
      await scene.call('POST', href(json._links, 'startAuthorisation'), {
        headers: { 'PSU-ID': 'redirect' },
      });
      scene.bank.decide('refuse', json.basketId as string, 'redirect');
      expect(await scene.statusOf(json._links as Links)).toBe('RJCT');
      expect(await states([consent])).toEqual(['received']);
    });

    it('holds neither a mix nor what is valid already', async () => {
      const [payment] = await two('redirect');
      const open = await asked('redirect');
      const mix = await basketOfConsents([open.id], { paymentIds: [payment.id] });
      expect(codeOf(mix)).toEqual([400, 'REFERENCE_MIX_INVALID']);
      const other = await asked('embedded-one');
      expect(codeOf(await basketOfConsents([open.id, other.id]))).toEqual([400, 'REFERENCE_MIX_INVALID']);
      const { id } = await consentsOf(scene).valid('redirect');
      expect(codeOf(await basketOfConsents([id]))).toEqual([409, 'REFERENCE_STATUS_INVALID']);
    });
  });

  it('is not part of the service', async () => {
    scene.bank.scenario({ surface: 'service' });
    expect(codeOf(await basketOf(['x']))).toEqual([404, 'RESOURCE_UNKNOWN']);
    scene.bank.scenario({ surface: 'framework' });
  });
});
