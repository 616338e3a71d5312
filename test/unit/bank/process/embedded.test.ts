import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startBank } from '../../../helpers/bank.ts';
import type { TestBank } from '../../../helpers/bank.ts';
import { payment, tppOf } from '../tpp.ts';

let bank: TestBank;
let call: ReturnType<typeof tppOf>;
beforeAll(async () => {
  bank = await startBank();
  call = tppOf(bank);
});
afterAll(() => bank.close());

const cents = (amount: string) => BigInt(amount.replace('.', ''));
const href = (links: Record<string, { href: string }>, name: string) => links[name]?.href ?? `no ${name}`;

describe.each(['v1', 'v136'])('an embedded authorisation under /%s', (prefix) => {
  const path = `/${prefix}/payments/sepa-credit-transfers`;
  const create = async (psuId: string, headers: Record<string, string> = {}) => {
    const debtor = bank.person(psuId).accounts[0]!.iban;
    const created = await call('POST', path, {
      body: payment(debtor),
      headers: { 'PSU-ID': psuId, ...headers },
    });
    expect(created.status, created.text).toBe(201);
    expect(created.json.transactionStatus).toBe('RCVD');
    expect(created.headers['location']).toBe(`${path}/${created.json.paymentId}`);
    expect(created.headers['aspsp-sca-approach']).toBe('EMBEDDED');
    return { debtor, id: created.json.paymentId as string, links: created.json._links };
  };
  /** The first factor: POST where the TPP starts the authorisation, PUT where the bank did. */
  const authenticate = (psuId: string, links: Record<string, { href: string }>) => {
    const body = { psuData: { password: bank.person(psuId).password } };
    return psuId.endsWith('-implicit')
      ? call('PUT', href(links, 'updatePsuAuthentication'), { body, headers: { 'PSU-ID': psuId } })
      : call('POST', href(links, 'startAuthorisationWithPsuAuthentication'), { body });
  };

  it.each(['embedded-none', 'embedded-none-implicit'])('exempts %s after the password', async (psuId) => {
    const { id, links, debtor } = await create(psuId);
    const before = cents(bank.balance(debtor));
    const answer = await authenticate(psuId, links);
    expect(answer.json.scaStatus, answer.text).toBe('exempted');
    expect(Object.keys(answer.json._links)).toEqual(['scaStatus']);
    expect((await call('GET', `${path}/${id}/status`)).json).toEqual({ transactionStatus: 'ACSC' });
    expect(before - cents(bank.balance(debtor))).toBe(1250n);
  });

  it.each(['embedded-one', 'embedded-one-implicit'])(
    'shows %s the challenge of the only method',
    async (psuId) => {
      const { id, links } = await create(psuId);
      const answer = await authenticate(psuId, links);
      expect(answer.status).toBe(psuId.endsWith('-implicit') ? 200 : 201);
      expect(answer.json.scaStatus, answer.text).toBe('scaMethodSelected');
      expect(answer.json.chosenScaMethod.authenticationMethodId).toBe('chip');
      expect(answer.json.challengeData.data).toEqual([expect.stringMatching(/^[0-9]{8}$/)]);
      const authorise = href(answer.json._links, 'authoriseTransaction');
      const body = { scaAuthenticationData: bank.person(psuId).otp };
      const done = await call('PUT', authorise, { body });
      expect(done.json).toEqual({ scaStatus: 'finalised', _links: { scaStatus: { href: authorise } } });
      expect((await call('GET', authorise)).json).toEqual({ scaStatus: 'finalised' });
      const read = await call('GET', `${path}/${id}`);
      expect(read.json).toMatchObject({ transactionStatus: 'ACSC', creditorName: 'Shop' });
      const again = await call('PUT', authorise, { body });
      expect([again.status, again.json.tppMessages[0].code]).toEqual([409, 'STATUS_INVALID']);
    },
  );

  it.each(['embedded-choice', 'embedded-choice-implicit'])('lets %s choose a method', async (psuId) => {
    const { id, links, debtor } = await create(psuId);
    const before = cents(bank.balance(debtor));
    const answer = await authenticate(psuId, links);
    expect(answer.json.scaStatus, answer.text).toBe('psuAuthenticated');
    expect(answer.json.scaMethods).toHaveLength(3);
    const select = href(answer.json._links, 'selectAuthenticationMethod');
    const unknown = await call('PUT', select, { body: { authenticationMethodId: 'pigeon' } });
    expect([unknown.status, unknown.json.tppMessages[0].code]).toEqual([400, 'SCA_METHOD_UNKNOWN']);
    const early = await call('PUT', select, { body: { scaAuthenticationData: '123456' } });
    expect([early.status, early.json.tppMessages[0].code]).toEqual([400, 'SERVICE_INVALID']);
    const selected = await call('PUT', select, { body: { authenticationMethodId: 'sms' } });
    expect(selected.json).toMatchObject({
      scaStatus: 'scaMethodSelected',
      challengeData: { otpMaxLength: 6 },
    });
    const authorise = href(selected.json._links, 'authoriseTransaction');
    const done = await call('PUT', authorise, { body: { scaAuthenticationData: bank.person(psuId).otp } });
    expect(done.json.scaStatus).toBe('finalised');
    expect(before - cents(bank.balance(debtor))).toBe(1250n);
    const list = await call('GET', `${path}/${id}/authorisations`);
    expect(list.json.authorisationIds).toHaveLength(1);
    expect(
      bank
        .payments()
        .find(({ paymentId }) => paymentId === id)
        ?.history.map(({ status }) => status),
    ).toEqual(['RCVD', 'ACTC', 'ACSC']);
  });

  it('asks a PSU without PSU-ID for the identification where redirect is not wanted', async () => {
    const debtor = bank.person('embedded-one').accounts[0]!.iban;
    const created = await call('POST', path, {
      body: payment(debtor),
      headers: { 'TPP-Redirect-Preferred': 'false' },
    });
    expect(created.headers['aspsp-sca-approach']).toBeUndefined();
    const identify = href(created.json._links, 'updatePsuIdentification');
    const nobody = await call('PUT', identify, { body: {} });
    expect([nobody.status, nobody.json.tppMessages[0].path]).toEqual([400, 'PSU-ID']);
    const unknown = await call('PUT', identify, { body: {}, headers: { 'PSU-ID': 'nobody' } });
    expect([unknown.status, unknown.json.tppMessages[0].code]).toEqual([401, 'PSU_CREDENTIALS_INVALID']);
    expect(href(unknown.json._links, 'updatePsuIdentification')).toBe(identify);
    const foreign = await call('PUT', identify, { body: {}, headers: { 'PSU-ID': 'embedded-choice' } });
    expect([foreign.status, foreign.json.tppMessages[0].code]).toEqual([401, 'PSU_CREDENTIALS_INVALID']);
    const identified = await call('PUT', identify, { body: {}, headers: { 'PSU-ID': 'embedded-one' } });
    expect(identified.headers['aspsp-sca-approach']).toBe('EMBEDDED');
    expect(identified.json.scaStatus).toBe('psuIdentified');
    expect(href(identified.json._links, 'updatePsuAuthentication')).toBe(identify);
  });

  it('accepts an explicit start where the TPP prefers it', async () => {
    const { links } = await create('embedded-one-implicit', {
      'TPP-Explicit-Authorisation-Preferred': 'true',
    });
    expect(Object.keys(links)).toEqual(['startAuthorisationWithPsuAuthentication', 'self', 'status']);
  });

  it('counts wrong secrets, then fails the authorisation and rejects the payment', async () => {
    const { id, links } = await create('embedded-one');
    const start = href(links, 'startAuthorisationWithPsuAuthentication');
    const wrong = await call('POST', start, { body: { psuData: { password: 'wrong' } } });
    expect([wrong.status, wrong.json.tppMessages[0].code]).toEqual([401, 'PSU_CREDENTIALS_INVALID']);
    const retry = href(wrong.json._links, 'updatePsuAuthentication');
    expect(retry).toMatch(/\/authorisations\/[0-9a-f-]{36}$/);
    const password = { psuData: { password: bank.person('embedded-one').password } };
    const authenticated = await call('PUT', retry, { body: password });
    const authorise = href(authenticated.json._links, 'authoriseTransaction');
    for (let attempt = 2; attempt < 5; attempt++) {
      const refused = await call('PUT', authorise, { body: { scaAuthenticationData: 'x' } });
      expect(refused.status).toBe(401);
      expect(href(refused.json._links, 'authoriseTransaction')).toBe(authorise);
    }
    const last = await call('PUT', authorise, { body: { scaAuthenticationData: 'x' } });
    expect([last.status, last.json._links]).toEqual([401, undefined]);
    const after = await call('PUT', authorise, {
      body: { scaAuthenticationData: bank.person('embedded-one').otp },
    });
    expect([after.status, after.json.tppMessages[0].code]).toEqual(
      prefix === 'v136' ? [400, 'SCA_INVALID'] : [409, 'STATUS_INVALID'],
    );
    expect((await call('GET', authorise)).json.scaStatus).toBe('failed');
    expect((await call('GET', `${path}/${id}/status`)).json.transactionStatus).toBe('RJCT');
    expect((await call('POST', start, { body: password })).json.tppMessages[0].code).toBe('STATUS_INVALID');
  });

  it('rejects a payment without funds after SCA', async () => {
    const { id, links, debtor } = await create('no-funds');
    const authenticated = await authenticate('no-funds', links);
    const body = { scaAuthenticationData: bank.person('no-funds').otp };
    const done = await call('PUT', href(authenticated.json._links, 'authoriseTransaction'), { body });
    expect(done.json.scaStatus).toBe('finalised');
    expect((await call('GET', `${path}/${id}/status`)).json.transactionStatus).toBe('RJCT');
    expect(bank.balance(debtor)).toBe('0.05');
  });

  it.each([
    ['locked', 403, 'SERVICE_BLOCKED'],
    ['nobody', 401, 'PSU_CREDENTIALS_INVALID'],
  ])('refuses PSU-ID %s', async (psuId, status, code) => {
    const debtor = bank.person('locked').accounts[0]!.iban;
    const refused = await call('POST', path, { body: payment(debtor), headers: { 'PSU-ID': psuId } });
    expect([refused.status, refused.json.tppMessages[0].code]).toEqual([status, code]);
  });
});
