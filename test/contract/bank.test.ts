// What the bank inside answers to a TPP that does what obk never would, judged by the official files. The method: a client of
// the tests' own signs and sends, and the checker judges the raw exchange: it finds the operation by the official path and
// method (never by our own table), takes the schema of the answer by operation and status, and where the file has a oneOf,
// the branch by the service in the path or by the key of the request's body. Most requests are wrong on purpose, so only the
// answers are judged. What obk sends, and what the bank answers to it, is judged in requests.test.ts; services, products and
// pages beside the bank's own tests in test/unit/bank.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { presets } from '../../src/standard/xs2a/variants.ts';
import { startBank } from '../helpers/bank.ts';
import type { TestBank } from '../helpers/bank.ts';
import { hasOfficialFiles } from '../helpers/contract.ts';
import { judgedTpp, payment } from '../unit/bank/tpp.ts';
import type { TestRequest } from '../unit/bank/tpp.ts';

const unknownId = '00000000-0000-4000-8000-000000000000';

describe.skipIf(!hasOfficialFiles()).each(['v1', 'v136'] as const)(
  'the bank as %s, by the official files',
  (name) => {
    const { prefix } = presets[name];
    const path = `${prefix}/payments/sepa-credit-transfers`;
    let bank: TestBank;
    let call: ReturnType<typeof judgedTpp>;
    let debtor: string;
    let paid: string;
    let open: string;

    beforeAll(async () => {
      bank = await startBank({ without: ['getPaymentCancellationScaStatus'] });
      call = judgedTpp(bank);
      const person = bank.person('embedded-none');
      debtor = person.accounts[0]?.iban ?? '';
      const psu = { 'PSU-ID': 'embedded-none' };
      paid = await create(psu);
      await call('POST', `${path}/${paid}/authorisations`, {
        headers: psu,
        body: { psuData: { password: person.password } },
      });
      open = await create(psu);
    });
    afterAll(() => bank.close());

    const create = async (headers: TestRequest['headers'] = {}): Promise<string> => {
      const answer = await call('POST', path, { headers, body: payment(debtor) });
      expect(answer.status).toBe(201);
      return String((answer.json as { paymentId?: string }).paymentId);
    };
    const drop = (header: string) => (headers: Record<string, string>) => {
      Reflect.deleteProperty(headers, header);
    };

    it.each<[what: string, method: string, at: string, status: number, options?: TestRequest]>([
      ['no X-Request-ID', 'GET', 'OPEN', 400, { headers: { 'X-Request-ID': undefined } }],
      ['an X-Request-ID that is no UUID', 'GET', 'OPEN', 400, { headers: { 'X-Request-ID': 'x' } }],
      ['no Signature', 'GET', 'OPEN', 401, { tamper: drop('Signature') }],
      ['no certificate', 'GET', 'OPEN', 401, { tamper: drop('TPP-Signature-Certificate') }],
      ['no Digest', 'GET', 'OPEN', 401, { tamper: drop('Digest') }],
      [
        'a wrong signature',
        'GET',
        'OPEN',
        401,
        { tamper: (headers) => void (headers['X-Request-ID'] = unknownId) },
      ],
      [
        'a certificate that is none',
        'GET',
        'OPEN',
        401,
        { tamper: (headers) => void (headers['TPP-Signature-Certificate'] = 'eA==') },
      ],
      ['an unknown payment', 'GET', `PAYMENTS/${unknownId}`, 404],
      ['an unknown payment, its status', 'GET', `PAYMENTS/${unknownId}/status`, 404],
      ['an unknown payment, cancelled', 'DELETE', `PAYMENTS/${unknownId}`, 404],
      ['an unknown payment, its authorisations', 'GET', `PAYMENTS/${unknownId}/authorisations`, 404],
      ['an unknown payment, authorised', 'POST', `PAYMENTS/${unknownId}/authorisations`, 404, { body: {} }],
      ['an unknown authorisation', 'GET', `OPEN/authorisations/${unknownId}`, 404],
      ['an unknown authorisation, updated', 'PUT', `OPEN/authorisations/${unknownId}`, 404, { body: {} }],
      ['an unknown product', 'POST', 'PREFIX/payments/sepa', 404, { body: {} }],
      ['a method that is not there', 'PUT', 'OPEN', 405, { body: {} }],
      ['an operation that is switched off', 'GET', `OPEN/cancellation-authorisations/${unknownId}`, 405],
      ['an Accept that cannot be served', 'GET', 'OPEN', 406, { headers: { Accept: 'text/html' } }],
      ['a body of text', 'POST', 'PAYMENTS', 415, { body: {}, headers: { 'Content-Type': 'text/plain' } }],
      ['no body', 'POST', 'PAYMENTS', 400],
      ['an empty payment', 'POST', 'PAYMENTS', 400, { body: {} }],
      [
        'no PSU-IP-Address',
        'POST',
        'PAYMENTS',
        400,
        { body: payment('X'), headers: { 'PSU-IP-Address': undefined } },
      ],
      ['a wrong IBAN', 'POST', 'PAYMENTS', 400, { body: payment('DE00370400440532013000') }],
      [
        'an unknown PSU',
        'POST',
        'PAYMENTS',
        401,
        { body: payment('DEBTOR'), headers: { 'PSU-ID': 'nobody' } },
      ],
      [
        'a PSU who is locked',
        'POST',
        'PAYMENTS',
        403,
        { body: payment('DEBTOR'), headers: { 'PSU-ID': 'locked' } },
      ],
      [
        'a boolean that is none',
        'POST',
        'PAYMENTS',
        400,
        { body: payment('DEBTOR'), headers: { 'TPP-Redirect-Preferred': 'yes' } },
      ],
      ['an authorisation of what is paid', 'POST', 'PAID/authorisations', 409, { body: {} }],
      ['a cancellation of what is paid', 'DELETE', 'PAID', 405],
      ['a cancellation that is not asked for', 'POST', 'OPEN/cancellation-authorisations', 409, { body: {} }],
      [
        'a body of an authorisation that is none',
        'POST',
        'OPEN/authorisations',
        400,
        { body: { password: 'x' } },
      ],
    ])('refuses %s as the files require', async (_what, method, at, status, options = {}) => {
      const target = at
        .replace('PAYMENTS', path)
        .replace('OPEN', `${path}/${open}`)
        .replace('PAID', `${path}/${paid}`)
        .replace('PREFIX', prefix);
      const body = JSON.parse(JSON.stringify(options.body ?? null).replace('DEBTOR', debtor)) as unknown;
      const answer = await call(method, target, { ...options, ...(body === null ? {} : { body }) });
      expect(answer.status, answer.text).toBe(status);
    });

    it('answers the hundred-and-first call of a minute without a body', async () => {
      const statuses = new Set<number>();
      for (let at = 0; at <= 100; at += 1)
        statuses.add((await call('GET', `${path}/${open}/authorisations`)).status);
      expect(statuses).toEqual(new Set([200, 429]));
    });
  },
);
