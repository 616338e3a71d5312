// What the bank asks for a payment, with obk and the bank inside this process; each exchange is held against the official files.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTpp } from '../helpers/tpp.ts';
import type { Tpp } from '../helpers/tpp.ts';

const fee = { currency: 'EUR', amount: '1.50' };

describe.each(['v1', 'v136'] as const)('fees in %s', (variant) => {
  let tpp: Tpp;
  beforeAll(async () => {
    tpp = await startTpp(variant);
  });
  afterAll(() => tpp.close());

  const pay = (...more: string[]) => tpp.pay('fees', '--sca-method', 'sms', ...more);
  const otps = () =>
    tpp.take().filter(({ requestBody }) => requestBody.toString().includes('scaAuthenticationData'));

  it('are shown before the one-time password is sent, and are in the result', async () => {
    const done = await pay();
    expect(done).toMatchObject({
      code: 0,
      document: { transactionStatus: 'ACSC', fees: { transactionFees: fee } },
    });
    expect(done.stderr).toContain('Fees of the bank: 1.50 EUR');
    if (variant === 'v136')
      expect(done.document.fees.estimatedTotalAmount).toEqual({ currency: 'EUR', amount: '2.50' });
  });

  it('end a script above --max-fees before the one-time password, and the payment waits', async () => {
    tpp.take();
    const stopped = await pay('--max-fees', '1.49');
    expect(stopped).toMatchObject({ code: 9, document: {} });
    const { error } = JSON.parse(stopped.stderr.trim().split('\n').at(-1) ?? '') as {
      error: { code: string; next: string; resource: { paymentId: string } };
    };
    expect(error.code).toBe('FEES_TOO_HIGH');
    expect(otps()).toEqual([]);
    const { paymentId } = error.resource;
    const again = await tpp.run(
      ['payment', 'authorise', paymentId, '--sca-method', 'sms', '--max-fees', '1.49 EUR'],
      'fees',
    );
    expect(again.code).toBe(9);
    expect(otps()).toEqual([]);
    const agreed = await tpp.run(
      ['payment', 'authorise', paymentId, '--sca-method', 'sms', '--max-fees', '1.50'],
      'fees',
    );
    expect(agreed).toMatchObject({ code: 0, document: { transactionStatus: 'ACSC' } });
    expect(otps()).toHaveLength(1);
  });

  it('are not accepted in another currency than the limit', async () => {
    expect(await pay('--max-fees', '100 USD')).toMatchObject({ code: 9 });
    expect(await pay('--max-fees', 'cheap')).toMatchObject({ code: 2 });
  });

  it('are in the report', async () => {
    const { document } = await pay();
    const report = await tpp.run(['report', document.paymentId as string, '--output', 'fees.html']);
    const exchange = variant === 'v1' ? [] : ['Estimated total with fees: 2.50 EUR'];
    expect(report.document.fees).toEqual(['Fees of the bank: 1.50 EUR', ...exchange]);
  });

  it('are sent with the exchange by every bank that is switched so, and by none that is not', async () => {
    tpp.bank.scenario({ fees: 'with-exchange' });
    const told = await tpp.pay('embedded-one');
    const conversion = { currencyConversionFees: { currency: 'EUR', amount: '0.40' } };
    expect(told.document.fees).toMatchObject({ transactionFees: fee, ...(variant === 'v136' && conversion) });
    tpp.bank.scenario({ fees: 'none' });
    expect((await pay()).document.fees).toBeNull();
    tpp.bank.scenario({ fees: 'by-person' });
    expect((await tpp.pay('embedded-one')).document.fees).toBeNull();
  });

  it('are as the official files have them', () => {
    expect(tpp.findings()).toEqual([]);
  });
});
