import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startBank } from '../../../helpers/bank.ts';
import type { TestBank } from '../../../helpers/bank.ts';
import {
  jsonOrder,
  jsonProducts,
  orderOf,
  pain001,
  services,
  standing,
  transfer,
  xmlOrder,
} from '../orders.ts';
import { judgedTpp, payment, testJudge } from '../tpp.ts';
import type { TestAnswer } from '../tpp.ts';

const start = Date.parse('2026-06-01T12:00:00Z');
const clock = { ms: start, now: () => new Date(clock.ms) };
let bank: TestBank;
let call: ReturnType<typeof judgedTpp>;
let debtor: string;
beforeAll(async () => {
  bank = await startBank({ clock });
  call = judgedTpp(bank);
  debtor = bank.person('embedded-none').accounts[0]!.iban;
});
afterAll(() => bank.close());

testJudge(() => bank);

const psu = { 'PSU-ID': 'embedded-none' };
const products = [...jsonProducts, ...jsonProducts.map((product) => `pain.001-${product}`)];
const codeOf = ({ status, json }: TestAnswer) => [
  status,
  json?.tppMessages?.[0]?.code,
  json?.tppMessages?.[0]?.path,
];
/** The calls of a test are no flood. */
const nextMinute = () => {
  clock.ms += 60_001;
};
async function authorise(answer: TestAnswer): Promise<TestAnswer> {
  const { href } = answer.json._links.startAuthorisationWithPsuAuthentication;
  const password = { psuData: { password: bank.person('embedded-none').password } };
  const started = await call('POST', href, { body: password });
  if (started.json._links.authoriseTransaction === undefined) return started;
  const otp = { scaAuthenticationData: bank.person('embedded-none').otp };
  return call('PUT', started.json._links.authoriseTransaction.href, { body: otp });
}

describe.each(['v1', 'v136'])('under /%s', (prefix) => {
  it.each(services.flatMap((service) => products.map((product) => [service, product] as const)))(
    'accepts %s/%s, returns it as sent, and executes it',
    async (service, product) => {
      nextMinute();
      const path = `/${prefix}/${service}/${product}`;
      const sent = orderOf(service, product, debtor);
      const created = await call('POST', path, { ...sent, headers: { ...sent.headers, ...psu } });
      expect(created.status, created.text).toBe(201);
      const self = `${path}/${String(created.json.paymentId)}`;
      expect(created.headers['location']).toBe(self);

      const read = await call('GET', self);
      if (product.startsWith('pain.001-')) {
        expect(read.headers['content-type']).toBe(sent.headers['Content-Type']);
        expect(read.bytes.equals(sent.body as Uint8Array)).toBe(true);
      } else {
        expect(read.json).toEqual({ ...(sent.body as object), transactionStatus: 'RCVD' });
      }

      // A standing order is never exempted from SCA.
      const end = (await authorise(created)).json.scaStatus;
      expect(end).toBe(service === 'periodic-payments' ? 'finalised' : 'exempted');
      const status = (await call('GET', `${self}/status`)).json.transactionStatus;
      const instant = product.includes('instant') ? 'ACCC' : 'ACSC';
      expect(status).toBe(service === 'periodic-payments' ? 'ACTC' : instant);
    },
  );
});

describe('the status of a pain.001 payment', () => {
  const path = '/v136/payments/pain.001-sepa-credit-transfers';
  let self: string;
  beforeAll(async () => {
    nextMinute();
    const { body, headers } = xmlOrder('payments', debtor);
    self = `${path}/${String((await call('POST', path, { body, headers })).json.paymentId)}`;
  });

  it.each([
    [undefined, 'application/json'],
    ['*/*', 'application/json'],
    ['application/xml, application/json;q=0.5', 'application/xml'],
    ['application/xml', 'application/xml'],
    ['application/json, application/xml;q=0.9', 'application/json'],
  ])('is with Accept %s: %s', async (accept, type) => {
    const answer = await call('GET', `${self}/status`, { headers: { Accept: accept } });
    expect([answer.status, answer.headers['content-type']]).toEqual([200, type]);
    if (type === 'application/xml') {
      expect(answer.text).toContain('pain.002.001.03');
      for (const part of ['<OrgnlMsgId>MSG-1</OrgnlMsgId>', '<GrpSts>RCVD</GrpSts>'])
        expect(answer.text).toContain(part);
    }
  });

  it('is what the bank has, whatever Accept requests', async () => {
    for (const [statusFormat, type] of [
      ['json', 'application/json'],
      ['xml', 'application/xml'],
    ] as const) {
      bank.scenario({ statusFormat });
      for (const accept of ['application/json', 'application/xml']) {
        const answer = await call('GET', `${self}/status`, { headers: { Accept: accept } });
        expect(answer.headers['content-type']).toBe(type);
      }
    }
    bank.scenario({ statusFormat: 'by-accept' });
  });

  it('is not available as a picture', async () => {
    const answer = await call('GET', `${self}/status`, { headers: { Accept: 'image/png' } });
    expect([answer.status, answer.text]).toEqual([406, '']);
  });
});

describe('a wrong payment body', () => {
  beforeAll(nextMinute);
  const good = (service: string, product: string) =>
    jsonOrder(service, product, debtor) as unknown as Record<string, unknown>;
  const entries = (change: object) => ({ payments: [transfer('sepa'), { ...transfer('sepa'), ...change }] });

  it.each<[string, string, object, string | undefined, string?]>([
    ['bulk-payments', 'sepa-credit-transfers', { payments: undefined }, 'payments'],
    ['bulk-payments', 'sepa-credit-transfers', { payments: [] }, 'payments'],
    ['bulk-payments', 'sepa-credit-transfers', { payments: {} }, 'payments'],
    ['bulk-payments', 'sepa-credit-transfers', { payments: [1] }, 'payments[0]'],
    [
      'bulk-payments',
      'sepa-credit-transfers',
      entries({ creditorName: undefined }),
      'payments[1].creditorName',
    ],
    [
      'bulk-payments',
      'sepa-credit-transfers',
      entries({ instructedAmount: { currency: 'EUR', amount: '0' } }),
      'payments[1].instructedAmount.amount',
    ],
    [
      'bulk-payments',
      'sepa-credit-transfers',
      entries({ debtorAccount: { iban: 'DE02120300000000202051' } }),
      'payments[1].debtorAccount',
    ],
    ['bulk-payments', 'sepa-credit-transfers', { batchBookingPreferred: 'true' }, 'batchBookingPreferred'],
    [
      'bulk-payments',
      'sepa-credit-transfers',
      { requestedExecutionDate: '2026-07-01', requestedExecutionTime: '2026-07-01T10:00:00Z' },
      'requestedExecutionTime',
    ],
    ['periodic-payments', 'sepa-credit-transfers', { startDate: undefined }, 'startDate'],
    ['periodic-payments', 'sepa-credit-transfers', { frequency: undefined }, 'frequency'],
    ['periodic-payments', 'sepa-credit-transfers', { frequency: 'monthly' }, 'frequency'],
    ['periodic-payments', 'sepa-credit-transfers', { frequency: 'MonthlyVariable' }, 'frequency'],
    ['periodic-payments', 'sepa-credit-transfers', { dayOfExecution: '32' }, 'dayOfExecution'],
    ['periodic-payments', 'sepa-credit-transfers', { dayOfExecution: '05' }, 'dayOfExecution'],
    ['periodic-payments', 'sepa-credit-transfers', { dayOfExecution: 5 }, 'dayOfExecution'],
    ['periodic-payments', 'sepa-credit-transfers', { executionRule: 'later' }, 'executionRule'],
    ['periodic-payments', 'sepa-credit-transfers', { executionRule: 'preceeding' }, 'executionRule'],
    ['periodic-payments', 'sepa-credit-transfers', { monthsOfExecution: ['1'] }, 'monthsOfExecution'],
    [
      'periodic-payments',
      'sepa-credit-transfers',
      { startDate: '2020-01-01' },
      'startDate',
      'EXECUTION_DATE_INVALID',
    ],
    [
      'periodic-payments',
      'sepa-credit-transfers',
      { endDate: '2026-06-04' },
      'endDate',
      'EXECUTION_DATE_INVALID',
    ],
    ['payments', 'cross-border-credit-transfers', { creditorAccount: { bban: '!' } }, 'creditorAccount.bban'],
    [
      'payments',
      'cross-border-credit-transfers',
      { creditorAddress: { country: 'us' } },
      'creditorAddress.country',
    ],
    ['payments', 'cross-border-credit-transfers', { chargeBearer: 'ME' }, 'chargeBearer'],
    ['payments', 'cross-border-credit-transfers', { creditorAgent: 'CHASE' }, 'creditorAgent'],
    [
      'payments',
      'cross-border-credit-transfers',
      { instructedAmount: { currency: 'XAU', amount: '1' } },
      'instructedAmount.currency',
    ],
    [
      'payments',
      'cross-border-credit-transfers',
      { instructedAmount: { currency: 'JPY', amount: '1.5' } },
      'instructedAmount.amount',
    ],
    [
      'payments',
      'target-2-payments',
      { instructedAmount: { currency: 'USD', amount: '1.00' } },
      'instructedAmount.currency',
    ],
    [
      'payments',
      'instant-sepa-credit-transfers',
      { creditorAccount: { iban: 'DE02120300000000202051', currency: 'USD' } },
      'creditorAccount.currency',
    ],
  ])('is refused: %s/%s with %j', async (service, product, change, at, code = 'FORMAT_ERROR') => {
    const answer = await call('POST', `/v1/${service}/${product}`, {
      body: { ...good(service, product), ...change },
    });
    expect(codeOf(answer)).toEqual([400, code, at]);
    nextMinute();
  });

  it.each<[string, string, () => Uint8Array, string | undefined]>([
    ['no XML', 'payments', () => Buffer.from('{}'), undefined],
    ['a DOCTYPE', 'payments', () => Buffer.from('<!DOCTYPE a><a/>'), undefined],
    ['another document', 'payments', () => Buffer.from('<a/>'), undefined],
    ['two payments', 'payments', () => pain001(debtor, ['1.00', '2.00']), 'CdtTrfTxInf[1]'],
    [
      'a wrong sum',
      'bulk-payments',
      () => pain001(debtor, ['1.00', '2.00'], { sum: '3.01' }),
      'GrpHdr/CtrlSum',
    ],
    [
      'a wrong amount',
      'payments',
      () => pain001(debtor, ['1.005']),
      'CdtTrfTxInf[0].instructedAmount.amount',
    ],
    [
      'dollars',
      'payments',
      () => pain001(debtor, ['1'], { currency: 'USD' }),
      'CdtTrfTxInf[0].instructedAmount.currency',
    ],
    [
      'a debtor elsewhere',
      'payments',
      () => pain001('DE02120300000000202051', ['1.00']),
      'debtorAccount.iban',
    ],
  ])('is refused: pain.001 with %s', async (_what, service, body, at) => {
    const headers = { 'Content-Type': 'application/xml' };
    const answer = await call('POST', `/v1/${service}/pain.001-sepa-credit-transfers`, {
      body: body(),
      headers,
    });
    expect(codeOf(answer)).toEqual([400, 'FORMAT_ERROR', at]);
    nextMinute();
  });

  it('is refused as pain.001 for a past day, but not for the day that means none', async () => {
    const path = '/v1/payments/pain.001-sepa-credit-transfers';
    const headers = { 'Content-Type': 'application/xml', ...psu };
    const late = await call('POST', path, {
      body: pain001(debtor, ['1.00'], { day: '2026-05-01' }),
      headers,
    });
    expect(codeOf(late)).toEqual([400, 'EXECUTION_DATE_INVALID', 'ReqdExctnDt']);
    const none = await call('POST', path, {
      body: pain001(debtor, ['1.00'], { day: '1999-01-01' }),
      headers,
    });
    await authorise(none);
    const { href } = none.json._links.status;
    expect((await call('GET', href)).json.transactionStatus).toBe('ACSC');
  });

  it.each([
    ['JSON for pain.001', 'payments', 'pain.001-sepa-credit-transfers', 'application/json'],
    ['XML for JSON', 'payments', 'sepa-credit-transfers', 'application/xml'],
    ['XML for multipart', 'periodic-payments', 'pain.001-sepa-credit-transfers', 'application/xml'],
  ])('is refused: %s', async (_what, service, product, type) => {
    const answer = await call('POST', `/v1/${service}/${product}`, {
      body: {},
      headers: { 'Content-Type': type },
    });
    expect([answer.status, answer.text]).toEqual([415, '']);
  });

  it.each<[string, string, string, string]>([
    ['no boundary', 'multipart/form-data', 'x', 'The multipart body'],
    [
      'one part',
      'multipart/form-data; boundary=b',
      '--b\r\nContent-Disposition: form-data; name="a"\r\n\r\nx\r\n--b--',
      'The form',
    ],
  ])('is refused: a form with %s', async (_what, type, text, says) => {
    const answer = await call('POST', '/v1/periodic-payments/pain.001-sepa-credit-transfers', {
      body: Buffer.from(text),
      headers: { 'Content-Type': type },
    });
    expect(codeOf(answer).slice(0, 2)).toEqual([400, 'FORMAT_ERROR']);
    expect(answer.text).toContain(says);
  });
});

describe('a payment form', () => {
  it('has its JSON part under either name', async () => {
    nextMinute();
    const sent = xmlOrder('periodic-payments', debtor, 'json_standingordermanagement');
    const answer = await call('POST', '/v1/periodic-payments/pain.001-sepa-credit-transfers', sent);
    expect(answer.status, answer.text).toBe(201);
  });
});

describe('fields beyond the core product', () => {
  const path = '/v136/payments/sepa-credit-transfers';
  const more = { requestedExecutionDate: '2026-07-01', purposeCode: 'SALA', ultimateCreditor: 'Someone' };
  beforeAll(nextMinute);

  it('are accepted, or refused one by one, as the scenario sets it', async () => {
    const good = { ...payment(debtor), ...more };
    expect((await call('POST', path, { body: good })).status).toBe(201);
    bank.scenario({ otherFields: 'reject' });
    for (const [name, value] of Object.entries({ ...more, anything: 1 })) {
      const answer = await call('POST', path, { body: { ...payment(debtor), [name]: value } });
      expect(codeOf(answer)).toEqual([400, 'FORMAT_ERROR', name]);
    }
    expect((await call('POST', path, { body: payment(debtor) })).status).toBe(201);
    const periodic = '/v136/periodic-payments/sepa-credit-transfers';
    expect((await call('POST', periodic, { body: { ...payment(debtor), ...standing } })).status).toBe(201);
    bank.scenario({ otherFields: 'accept' });
  });

  it('are required where the bank requires them and the scenario sets it so', async () => {
    const at = '/v136/payments/cross-border-credit-transfers';
    const body = jsonOrder('payments', 'cross-border-credit-transfers', debtor);
    bank.scenario({ conditionalFields: 'required' });
    expect(codeOf(await call('POST', at, { body }))).toEqual([400, 'FORMAT_ERROR', 'chargeBearer']);
    expect((await call('POST', at, { body: { ...body, chargeBearer: 'SHAR' } })).status).toBe(201);
    bank.scenario({ conditionalFields: 'optional' });
  });
});

describe('the minimum set of characters', () => {
  const set = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/-?:().,'+ x";
  const limits: Readonly<Record<string, number>> = {
    endToEndIdentification: 35,
    creditorName: 70,
    remittanceInformationUnstructured: 140,
    instructionIdentification: 35,
    debtorName: 70,
    ultimateDebtor: 70,
    creditorAgentName: 70,
    creditorId: 35,
    ultimateCreditor: 70,
  };

  it.each(services)('is accepted in every text field of %s, and returned', async (service) => {
    nextMinute();
    const path = `/v136/${service}/target-2-payments`;
    for (let from = 0; from < set.length; from += 25) {
      const part = set.slice(from, from + 25);
      const texts = Object.fromEntries(Object.keys(limits).map((name) => [name, part]));
      const address = { streetName: part, townName: part, country: 'DE' };
      const change = (fields: object) => ({ ...fields, ...texts, creditorAddress: address });
      const body: { payments?: object[] } = jsonOrder(service, 'target-2-payments', debtor);
      const sent =
        body.payments === undefined ? change(body) : { ...body, payments: body.payments.map(change) };
      const created = await call('POST', path, { body: sent });
      expect(created.status, created.text).toBe(201);
      const read = await call('GET', `${path}/${String(created.json.paymentId)}`);
      expect(read.json).toEqual({ ...sent, transactionStatus: 'RCVD' });
    }
  });

  it('is accepted in pain.001 too', async () => {
    const path = '/v1/payments/pain.001-target-2-payments';
    for (let from = 0; from < set.length; from += 30) {
      const part = set.slice(from, from + 30);
      const xml = pain001(debtor, ['1.00'])
        .toString()
        .replace('Shop 1', part)
        .replace('Order &amp; more', part);
      const body = Buffer.from(xml);
      const created = await call('POST', path, { body, headers: { 'Content-Type': 'application/xml' } });
      expect(created.status, created.text).toBe(201);
      const read = await call('GET', `${path}/${String(created.json.paymentId)}`);
      expect(read.bytes.equals(body)).toBe(true);
    }
  });
});
