import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createTestCa, createTestCertificate } from '../../../../src/signing/certificate.ts';
import { startBank } from '../../../helpers/bank.ts';
import type { TestBank } from '../../../helpers/bank.ts';
import { creditor, payment, tppOf } from '../tpp.ts';
import type { Keys, TestAnswer } from '../tpp.ts';

const path = '/v1/payments/sepa-credit-transfers';
const clock = { ms: Date.parse('2026-06-01T12:00:00Z'), now: () => new Date(clock.ms) };
const open: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of open.splice(0)) await close();
});

async function freshBank(options: Parameters<typeof startBank>[0] = {}) {
  clock.ms = Date.parse('2026-06-01T12:00:00Z');
  const bank = await startBank({ clock, ...options });
  open.push(() => bank.close());
  return { bank, call: tppOf(bank), debtor: bank.person('embedded-one').accounts[0]!.iban };
}
const codeOf = (answer: TestAnswer) => [answer.status, answer.json?.tppMessages?.[0]?.code] as const;

describe('the gate of the interface', () => {
  let bank: TestBank;
  let call: ReturnType<typeof tppOf>;
  let debtor: string;
  let id: string;
  beforeAll(async () => {
    bank = await startBank({ without: ['getPaymentInitiationStatus', 'cancelPayment'] });
    call = tppOf(bank);
    debtor = bank.person('embedded-one').accounts[0]!.iban;
    id = (await call('POST', path, { body: payment(debtor) })).json.paymentId;
  });
  afterAll(() => bank.close());

  it.each([
    ['a wrong method', 'PUT', '', 'GET'],
    ['an operation that is switched off', 'GET', '/status', ''],
    ['one of two that is switched off', 'DELETE', '', 'GET'],
  ])('names with a 405 the methods that exist: %s', async (_, method, below, allow) => {
    const answer = await call(method, `${path}/${id}${below}`);
    expect([answer.status, answer.headers['allow']]).toEqual([405, allow]);
  });

  it.each(['/v1/signing-baskets/b', '/v1/card-accounts/c', '/v136/card-accounts'])(
    'names the switch that offers what the service lacks: %s',
    async (at) => {
      const { status, json } = await call('GET', at);
      expect([status, json.tppMessages[0].text]).toEqual([
        404,
        expect.stringMatching(
          /^Not offered: .*; the switch surface of the scenario offers it \(framework\)\.$/,
        ),
      ]);
      bank.scenario({ surface: 'framework' });
      expect((await call('GET', at)).text).not.toContain('Not offered');
      bank.scenario({ surface: 'service' });
    },
  );

  it('echoes X-Request-ID in good and bad answers', async () => {
    const headers = { 'X-Request-ID': '99391c7e-ad88-49ec-a2ad-99ddcb1f7721' };
    for (const at of [`${path}/${id}`, `${path}/unknown`, '/v1/nothing']) {
      expect((await call('GET', at, { headers })).headers['x-request-id']).toBe(headers['X-Request-ID']);
    }
  });

  it.each<[string, string, string, Parameters<typeof call>[2], number, string | undefined]>([
    ['no X-Request-ID', 'GET', 'ID', { headers: { 'X-Request-ID': undefined } }, 400, 'FORMAT_ERROR'],
    [
      'an X-Request-ID that is no UUID',
      'GET',
      'ID',
      { headers: { 'X-Request-ID': 'x' } },
      400,
      'FORMAT_ERROR',
    ],
    [
      'no signature',
      'GET',
      'ID',
      { tamper: (h) => void Reflect.deleteProperty(h, 'Signature') },
      401,
      'SIGNATURE_MISSING',
    ],
    ['an unknown id', 'GET', `${path}/unknown`, {}, 404, 'RESOURCE_UNKNOWN'],
    ['an unknown path', 'GET', '/v1/nothing', {}, 404, 'RESOURCE_UNKNOWN'],
    ['a wrong method', 'PUT', 'ID', { body: {} }, 405, 'SERVICE_INVALID'],
    ['a wrong method on a collection', 'GET', path, {}, 405, 'SERVICE_INVALID'],
    ['an operation switched off', 'GET', 'ID/status', {}, 405, 'SERVICE_INVALID'],
    ['an unknown consent', 'GET', '/v1/consents/x', {}, 403, 'CONSENT_UNKNOWN'],
    ['what v136 has not', 'POST', '/v136/funds-confirmations', { body: {} }, 404, 'RESOURCE_UNKNOWN'],
    ['what the service has not', 'POST', '/v1/signing-baskets', { body: {} }, 404, 'RESOURCE_UNKNOWN'],
    ['another product', 'POST', '/v1/payments/sepa', { body: {} }, 404, 'PRODUCT_UNKNOWN'],
    ['an Accept of XML alone', 'GET', 'ID', { headers: { Accept: 'application/xml' } }, 406, undefined],
    [
      'a body of XML',
      'POST',
      path,
      { body: {}, headers: { 'Content-Type': 'application/xml' } },
      415,
      undefined,
    ],
    [
      'a body without type',
      'POST',
      path,
      { body: {}, headers: { 'Content-Type': undefined } },
      415,
      undefined,
    ],
    ['no body', 'POST', path, {}, 400, 'FORMAT_ERROR'],
    [
      'no PSU-IP-Address',
      'POST',
      path,
      { body: {}, headers: { 'PSU-IP-Address': undefined } },
      400,
      'FORMAT_ERROR',
    ],
    [
      'a PSU-IP-Address that is none',
      'POST',
      path,
      { body: {}, headers: { 'PSU-IP-Address': 'x' } },
      400,
      'FORMAT_ERROR',
    ],
    [
      'a boolean that is none',
      'POST',
      path,
      { body: {}, headers: { 'TPP-Redirect-Preferred': 'yes' } },
      400,
      'FORMAT_ERROR',
    ],
  ])('refuses %s', async (_what, method, at, options, status, code) => {
    const answer = await call(method, at.replace(/^ID/, `${path}/${id}`), options);
    expect([...codeOf(answer), answer.text.slice(0, 1)]).toEqual([
      status,
      code,
      code === undefined ? '' : '{',
    ]);
  });

  it.each(['application/json', 'application/xml, */*;q=0.1', 'application/*', 'application/hal+json', ''])(
    'accepts Accept %s',
    async (accept) => {
      expect((await call('GET', `${path}/${id}`, { headers: { Accept: accept } })).status).toBe(200);
    },
  );

  it('records what arrives, also what it refuses', async () => {
    const before = bank.arrivals('getPaymentInformation').length;
    const answer = await call('GET', `${path}/unknown`);
    const [arrival] = bank.arrivals('getPaymentInformation').slice(before);
    expect(arrival).toMatchObject({ status: 404, requestId: answer.headers['x-request-id'] });
  });
});

describe('the body of a payment', () => {
  let bank: TestBank;
  let call: ReturnType<typeof tppOf>;
  let good: ReturnType<typeof payment>;
  beforeAll(async () => {
    bank = await startBank();
    call = tppOf(bank);
    good = payment(bank.person('embedded-one').accounts[0]!.iban);
  });
  afterAll(() => bank.close());

  it.each<[string, unknown, string | undefined]>([
    ['no object', [], undefined],
    ['no debtor', { debtorAccount: undefined }, 'debtorAccount'],
    ['a debtor elsewhere', { debtorAccount: { iban: creditor } }, 'debtorAccount.iban'],
    ['no number of an account', { creditorAccount: {} }, 'creditorAccount'],
    ['a wrong check digit', { creditorAccount: { iban: 'DE03120300000000202051' } }, 'creditorAccount.iban'],
    [
      'an IBAN with blanks',
      { creditorAccount: { iban: 'DE02 1203 0000 0000 2020 51' } },
      'creditorAccount.iban',
    ],
    ['no creditor name', { creditorName: undefined }, 'creditorName'],
    ['a creditor name of 71', { creditorName: 'x'.repeat(71) }, 'creditorName'],
    [
      'an amount as a number',
      { instructedAmount: { currency: 'EUR', amount: 1 } },
      'instructedAmount.amount',
    ],
    ['a comma', { instructedAmount: { currency: 'EUR', amount: '1,00' } }, 'instructedAmount.amount'],
    ['an exponent', { instructedAmount: { currency: 'EUR', amount: '1e3' } }, 'instructedAmount.amount'],
    ['less than nothing', { instructedAmount: { currency: 'EUR', amount: '-5' } }, 'instructedAmount.amount'],
    ['nothing', { instructedAmount: { currency: 'EUR', amount: '0.00' } }, 'instructedAmount.amount'],
    ['three decimals', { instructedAmount: { currency: 'EUR', amount: '1.005' } }, 'instructedAmount.amount'],
    [
      'another currency',
      { instructedAmount: { currency: 'USD', amount: '1.00' } },
      'instructedAmount.currency',
    ],
    [
      'a long remittance',
      { remittanceInformationUnstructured: 'x'.repeat(141) },
      'remittanceInformationUnstructured',
    ],
    ['a date that is none', { requestedExecutionDate: '2026-02-30' }, 'requestedExecutionDate'],
  ])('is refused where it has %s', async (_what, change, at) => {
    const body = Array.isArray(change) ? change : { ...good, ...(change as object) };
    const answer = await call('POST', path, { body });
    expect([...codeOf(answer), answer.json.tppMessages[0].path]).toEqual([400, 'FORMAT_ERROR', at]);
  });

  it('is refused for a past day, and for a script as redirect', async () => {
    const late = await call('POST', path, { body: { ...good, requestedExecutionDate: '2020-01-01' } });
    expect(codeOf(late)).toEqual([400, 'EXECUTION_DATE_INVALID']);
    const script = await call('POST', path, {
      body: good,
      headers: { 'TPP-Redirect-URI': 'javascript:alert(1)' },
    });
    expect(codeOf(script)).toEqual([400, 'FORMAT_ERROR']);
  });

  it('is kept as sent', async () => {
    const { json } = await call('POST', path, { body: { ...good, unknownMember: 1 } });
    expect(bank.payments().at(-1)?.body).toBe(JSON.stringify({ ...good, unknownMember: 1 }));
    const read = await call('GET', `${path}/${String(json.paymentId)}`);
    expect(read.json).toEqual({ ...good, unknownMember: 1, transactionStatus: 'RCVD' });
  });
});

describe('a TPP', () => {
  it('sees only what it made, and needs the role', async () => {
    const stateDir = mkdtempSync(join(tmpdir(), 'obk-roles-'));
    open.push(() => {
      rmSync(stateDir, { recursive: true, force: true });
    });
    const folder = join(stateDir, 'other');
    const valid = {
      notBefore: new Date('2026-01-01'),
      notAfter: new Date('2027-01-01'),
      keyType: 'ec',
    } as const;
    const ca = await createTestCa(valid);
    const keysFor = async (roles: readonly ('PSP_PI' | 'PSP_AI')[]): Promise<Keys> => {
      const made = await createTestCertificate({
        ...valid,
        ca,
        roles,
        type: 'qsealc',
        ncaName: 'BaFin',
        ncaId: 'DE-BAFIN',
        organizationIdentifier: 'PSDDE-BAFIN-2',
        organizationName: 'Other',
      });
      const keys = {
        certificatePath: `${folder}.${roles.join()}.pem`,
        keyPath: `${folder}.${roles.join()}.key`,
      };
      writeFileSync(keys.certificatePath, made.certificatePem);
      writeFileSync(keys.keyPath, made.keyPem.reveal());
      return keys;
    };
    const { bank, debtor } = await freshBank({ stateDir });
    await bank.close();
    open.pop();
    writeFileSync(join(stateDir, 'sandbox', 'trusted.pem'), ca.certificatePem);
    const again = await startBank({ stateDir, clock });
    open.unshift(() => again.close());
    const mine = tppOf(again);
    const other = tppOf({ ...again, ...(await keysFor(['PSP_PI'])) });
    const wrongRole = tppOf({ ...again, ...(await keysFor(['PSP_AI'])) });
    const { json } = await mine('POST', path, { body: payment(debtor) });
    const at = `${path}/${String(json.paymentId)}`;
    expect((await mine('GET', at)).status).toBe(200);
    expect(codeOf(await other('GET', at))).toEqual([404, 'RESOURCE_UNKNOWN']);
    expect(codeOf(await other('DELETE', at))).toEqual([404, 'RESOURCE_UNKNOWN']);
    // ROLE_INVALID came after the first framework.
    expect(codeOf(await wrongRole('GET', at.replace('/v1/', '/v136/')))).toEqual([401, 'ROLE_INVALID']);
    expect(codeOf(await wrongRole('GET', at.replace('/v136/', '/v1/')))).toEqual([
      401,
      'CERTIFICATE_INVALID',
    ]);
  });

  it('may call an operation a hundred times a minute', async () => {
    const { bank, call, debtor } = await freshBank();
    const { json } = await call('POST', path, { body: payment(debtor) });
    const at = `${path}/${String(json.paymentId)}/status`;
    for (let n = 0; n < 100; n++) expect((await call('GET', at)).status).toBe(200);
    clock.ms += 20_000;
    const refused = await call('GET', at);
    expect([refused.status, refused.headers['retry-after'], refused.text]).toEqual([429, '40', '']);
    expect((await call('GET', at.replace('/status', ''))).status).toBe(200);
    clock.ms += 40_001;
    expect((await call('GET', at)).status).toBe(200);
    expect(bank.arrivals('getPaymentInitiationStatus')).toHaveLength(102);
  });
});

describe('an X-Request-ID', () => {
  it.each([
    ['none', 201, 201, 2],
    ['replay', 201, 400, 1],
    ['reject-duplicate', 400, 400, 1],
  ] as const)('is judged in %s', async (requestId, same, changed, payments) => {
    const { bank, call, debtor } = await freshBank();
    bank.scenario({ requestId });
    const headers = { 'X-Request-ID': '99391c7e-ad88-49ec-a2ad-99ddcb1f7721' };
    const first = await call('POST', path, { body: payment(debtor), headers });
    const second = await call('POST', path, { body: payment(debtor), headers });
    expect([first.status, second.status]).toEqual([201, same]);
    expect(second.text === first.text).toBe(requestId === 'replay');
    expect(bank.payments()).toHaveLength(payments);
    const third = await call('POST', path, { body: payment(debtor, '99.00'), headers });
    expect(third.status).toBe(changed);
  });
});

describe('a cancellation', () => {
  const pay = async (call: ReturnType<typeof tppOf>, bank: TestBank, psuId: string, more: object = {}) => {
    const person = bank.person(psuId);
    const { json } = await call('POST', path, {
      body: { ...payment(person.accounts[0]!.iban), ...more },
      headers: { 'PSU-ID': psuId },
    });
    const started = await call('POST', json._links.startAuthorisationWithPsuAuthentication.href, {
      body: { psuData: { password: person.password } },
    });
    const { href } = started.json._links.authoriseTransaction;
    await call('PUT', href, { body: { scaAuthenticationData: person.otp } });
    return `${path}/${String(json.paymentId)}`;
  };

  it('is immediate before the authorisation, and impossible after the booking', async () => {
    const { bank, call, debtor } = await freshBank();
    const { json } = await call('POST', path, { body: payment(debtor) });
    const at = `${path}/${String(json.paymentId)}`;
    expect((await call('DELETE', at)).status).toBe(204);
    expect((await call('GET', `${at}/status`)).json.transactionStatus).toBe('CANC');
    expect((await call('GET', json._links.scaStatus.href)).json.scaStatus).toBe('failed');
    expect(codeOf(await call('DELETE', at))).toEqual([405, 'CANCELLATION_INVALID']);
    const booked = await pay(call, bank, 'embedded-one');
    expect(codeOf(await call('DELETE', booked))).toEqual([405, 'CANCELLATION_INVALID']);
  });

  it.each([
    ['v1', 'cancellationIds'],
    ['v136', 'authorisationIds'],
  ])('needs SCA while the payment waits for its day (%s)', async (prefix, list) => {
    const { bank, call } = await freshBank();
    const at = (await pay(call, bank, 'next-day')).replace('/v1/', `/${prefix}/`);
    const person = bank.person('next-day');
    const early = await call('POST', `${at}/cancellation-authorisations`);
    expect(codeOf(early)).toEqual([409, 'STATUS_INVALID']);
    const asked = await call('DELETE', at);
    expect([asked.status, asked.json.transactionStatus]).toEqual([202, 'ACTC']);
    const start = asked.json._links.startAuthorisationWithPsuAuthentication.href;
    expect(start).toBe(`${at}/cancellation-authorisations`);
    const started = await call('POST', start, { body: { psuData: { password: person.password } } });
    const { href } = started.json._links.authoriseTransaction;
    const ids = await call('GET', start);
    expect(ids.json).toEqual({ [list]: [started.json.authorisationId] });
    const done = await call('PUT', href, { body: { scaAuthenticationData: person.otp } });
    expect(done.json.scaStatus).toBe('finalised');
    expect((await call('GET', href)).json.scaStatus).toBe('finalised');
    expect((await call('GET', `${at}/status`)).json.transactionStatus).toBe('CANC');
    expect((await call('GET', `${at}/authorisations`)).json.authorisationIds).toHaveLength(1);
  });

  it('leaves the payment, which is booked on its day, where it is refused', async () => {
    const { bank, call } = await freshBank();
    const at = await pay(call, bank, 'embedded-one', { requestedExecutionDate: '2026-06-10' });
    const { iban } = bank.person('embedded-one').accounts[0]!;
    expect(bank.balance(iban)).toBe('10000.00');
    await call('DELETE', at);
    const started = await call('POST', `${at}/cancellation-authorisations`);
    bank.decide('refuse', started.json.authorisationId);
    expect((await call('GET', `${at}/status`)).json.transactionStatus).toBe('ACTC');
    clock.ms = Date.parse('2026-06-10T00:00:00Z');
    expect((await call('GET', `${at}/status`)).json.transactionStatus).toBe('ACSC');
    expect(bank.balance(iban)).toBe('9987.50');
  });
});

it('a bank keeps the TPP-Redirect-URI of a transaction as fixed', async () => {
  const { bank, call } = await freshBank();
  const debtor = bank.person('redirect-explicit').accounts[0]!.iban;
  const headers = { 'PSU-ID': 'redirect-explicit', 'TPP-Redirect-URI': 'https://tpp.example/a' };
  const { json } = await call('POST', path, { body: payment(debtor), headers });
  const { href } = json._links.startAuthorisation;
  const other = await call('POST', href, { headers: { 'TPP-Redirect-URI': 'https://tpp.example/b' } });
  expect(codeOf(other)).toEqual([400, 'FORMAT_ERROR']);
  const same = await call('POST', href, { headers: { 'TPP-Redirect-URI': 'https://tpp.example/a' } });
  expect(same.status).toBe(201);
});
