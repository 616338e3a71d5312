import { describe, expect, it } from 'vitest';
import { compareCalls } from '../../../../src/client/evidence/log-diff.ts';
import type { ExchangeView } from '../../../../src/settings/records/exchange.ts';

const ids = ['0a66ff13-5ec4-4bff-8dcc-c6b2f2a1f6b5', '7f0d2e6c-1fa9-4f6d-8f4f-3a8f3f9a1d11'];

function call(at: 0 | 1, body: object, change: Partial<ExchangeView> = {}): ExchangeView {
  const [id = ''] = ids.slice(at);
  return {
    operation: 'initiatePayment',
    method: 'POST',
    url: 'https://api.bank.example/v1/payments/sepa-credit-transfers',
    requestId: id,
    request: {
      headers: [
        { name: 'X-Request-ID', value: id },
        { name: 'Date', value: `Sat, 21 Nov 2026 10:00:0${String(at)} GMT` },
      ],
      body: JSON.stringify(body),
      bodySha256: '',
      digest: null,
      signingString: null,
      signature: null,
    },
    outcome: 'DONE',
    answer: {
      status: 201,
      headers: [],
      body: JSON.stringify({
        paymentId: `payment-${String(at)}`,
        self: `/v1/payments/payment-${String(at)}`,
      }),
      messages: [],
    },
    ...change,
  };
}

describe('two calls', () => {
  it('are the same where only ids and times differ', () => {
    expect(compareCalls([call(0, { a: '1' })], [call(1, { a: '1' })])).toEqual([
      { operation: 'initiatePayment', a: ids[0], b: ids[1], differences: [], folded: 4 },
    ]);
  });

  it('differ by member, by what one side lacks, and by status', () => {
    const a = call(0, { amount: '1.00', list: [{ x: 1.1 }] });
    const b = call(1, { amount: '1.000', list: [{ x: 1.1 }, {}], extra: null });
    const refused = { ...b, answer: { ...b.answer!, status: 400 }, outcome: 'REJECTED' as const };
    expect(compareCalls([a], [refused])[0]?.differences).toEqual([
      { where: 'outcome', a: 'DONE', b: 'REJECTED' },
      { where: 'status', a: '201', b: '400' },
      { where: 'request body $.amount', a: '1.00', b: '1.000' },
      { where: 'request body $.list[1]', a: null, b: '{}' },
      { where: 'request body $.extra', a: null, b: 'null' },
    ]);
  });

  it('are paired by operation, in their order, where they are of runs', () => {
    const status = (at: 0 | 1) => call(at, {}, { operation: 'getPaymentInitiationStatus' });
    const compared = compareCalls([call(0, {}), status(0), status(0)], [status(1), call(1, {})]);
    expect(compared.map(({ operation, a, b }) => [operation, a !== null, b !== null])).toEqual([
      ['initiatePayment', true, true],
      ['getPaymentInitiationStatus', true, true],
      ['getPaymentInitiationStatus', true, false],
    ]);
  });
});
