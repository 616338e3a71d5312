import { describe, expect, it } from 'vitest';
import { checkFees, feeLines, feeReading, readFeeLimit } from '../../../../src/client/orders/fees.ts';
import type { FeeLimit } from '../../../../src/client/orders/fees.ts';
import { nextStep } from '../../../../src/standard/sca/next-step.ts';
import { readJson } from '../../../../src/standard/xs2a/json.ts';
import { feesIn } from '../../../../src/standard/xs2a/fees.ts';
import { fakePerson } from '../../../helpers/fakes/index.ts';
import { world } from '../../../helpers/world.ts';
import { atOtp, auth, finalised, one, payment, run, settled, started } from '../payer.ts';
import { failedWith } from '../../../helpers/failed-with.ts';

const eur = (amount: string) => ({ currency: 'EUR', amount });
const paid = { ...payment, summary: { amount: '100.00', currency: 'EUR' } };
const bodyOf = (json: unknown) => feesIn(readJson(Buffer.from(JSON.stringify(json))));

describe('the fees in an answer', () => {
  it.each<[object, object | undefined]>([
    [{ transactionStatus: 'RCVD' }, undefined],
    [{ transactionFees: eur('1.50') }, { transactionFees: eur('1.50') }],
    [{ currencyConversionFee: eur('1') }, { currencyConversionFees: eur('1') }],
    [{ currencyConversionFees: eur('1') }, { currencyConversionFees: eur('1') }],
    [{ CurrencyConversionFee: eur('1') }, { currencyConversionFees: eur('1') }],
    [
      { estimatedTotalAmount: eur('101.50'), estimatedInterbankSettlementAmount: eur('100') },
      { estimatedTotalAmount: eur('101.50'), estimatedInterbankSettlementAmount: eur('100') },
    ],
    [{ transactionFeeIndicator: true }, { transactionFeeIndicator: true }],
    [{ transactionFeeIndicator: 'false' }, { transactionFeeIndicator: false }],
    [{ transactionFees: { currency: 'EUR', amount: 1.5 } }, { transactionFees: eur('1.5') }],
    [{ transactionFees: '1.50' }, { transactionFees: { amount: '1.50', currency: '' } }],
    [{ transactionFees: null }, undefined],
  ])('are read from %j as %j', (json, fees) => {
    expect(bodyOf(json)).toEqual(fees);
  });

  it('are absent where the answer is not JSON', () => {
    expect(feesIn(undefined)).toBeUndefined();
  });
});

describe('--max-fees', () => {
  it.each<[string, FeeLimit | undefined]>([
    ['2.50', { amount: '2.50' }],
    ['2.50 EUR', { amount: '2.50', currency: 'EUR' }],
    ['2.50EUR', { amount: '2.50', currency: 'EUR' }],
    ['EUR 2.50', { amount: '2.50', currency: 'EUR' }],
    ['0', { amount: '0' }],
    ['-1', undefined],
    ['2,50', undefined],
    ['2.50 eur', undefined],
    ['EUR 2.50 EUR', undefined],
    ['1.5 JPY', undefined],
    ['', undefined],
    ['much', undefined],
  ])('reads %j as %j', (text, limit) => {
    expect(readFeeLimit(text)).toEqual(limit);
  });

  it.each([
    ['2,50', '2.50'],
    ['2,50 EUR', '2.50 EUR'],
    ['EUR 1.234,50', 'EUR 1234.50'],
    ['1,234', undefined],
    ['2,50 JPY', undefined],
    ['much', undefined],
  ])('refuses %j and suggests %j', (text, meant) => {
    expect(feeReading(text)).toBe(meant);
  });

  it.each<[string, object, string, boolean]>([
    ['below it', { transactionFees: eur('1.50') }, '2.00', true],
    ['the same', { transactionFees: eur('1.5') }, '1.50', true],
    ['above it', { transactionFees: eur('1.51') }, '1.50', false],
    ['none', { transactionFees: eur('0.00') }, '0', true],
    ['none in another currency', { transactionFees: { currency: 'USD', amount: '0' } }, '1', true],
    ['in another currency', { transactionFees: { currency: 'USD', amount: '0.10' } }, '1', false],
    ['of which only the exchange is above', { currencyConversionFee: eur('3') }, '2', false],
    ['in the currency of the limit', { transactionFees: { currency: 'USD', amount: '1' } }, '1 USD', true],
    ['in the total alone, below', { estimatedTotalAmount: eur('101.00') }, '1', true],
    ['in the total alone, above', { estimatedTotalAmount: eur('101.01') }, '1', false],
    [
      'in a total of another currency',
      { estimatedTotalAmount: { currency: 'USD', amount: '100' } },
      '1',
      false,
    ],
    [
      'stated, beside a total of another currency',
      { transactionFees: eur('1'), estimatedTotalAmount: { currency: 'USD', amount: '110' } },
      '1',
      true,
    ],
    [
      'stated below what the total has',
      { transactionFees: eur('1'), estimatedTotalAmount: eur('109.00') },
      '1',
      false,
    ],
    ['said and not named', { transactionFeeIndicator: true }, '100', false],
    ['said to be none', { transactionFeeIndicator: false }, '0', true],
    ['no amount at all', { transactionFees: eur('dreizehn') }, '100', false],
    ['without a currency', { transactionFees: { amount: '1' } }, '100', false],
  ])('allows fees %s (%j, %s): %s', (_, json, most, passes) => {
    const limit = readFeeLimit(most);
    if (limit === undefined) throw new Error('no limit');
    const check = () => {
      checkFees(bodyOf(json), limit, paid, nextStep(atOtp()));
    };
    if (passes) expect(check).not.toThrow();
    else expect(check).toThrow(expect.objectContaining({ code: 'FEES_TOO_HIGH', exit: 9 }) as Error);
  });

  it('allows a bank to state the fees later', () => {
    const password = nextStep(started({ links: { updatePsuAuthentication: auth } }));
    const said = { transactionFeeIndicator: true };
    const check = (fees: object) => () => {
      checkFees(bodyOf(fees), { amount: '1' }, paid, password);
    };
    expect(check(said)).not.toThrow();
    expect(check({ ...said, transactionFees: eur('2') })).toThrow('--max-fees 1 EUR');
    for (const where of [started({ links: { scaRedirect: 'https://bank.example/sca' } }), started()])
      expect(() => {
        checkFees(said, { amount: '1' }, paid, nextStep(where));
      }).toThrow('--max-fees');
  });

  it('is in the currency of the payment unless it names one', () => {
    const fees = { transactionFees: { currency: 'CHF', amount: '1' } };
    const swiss = { ...payment, summary: { amount: '5', currency: 'CHF' } };
    expect(() => {
      checkFees(fees, { amount: '1' }, swiss, nextStep(atOtp()));
    }).not.toThrow();
  });
});

describe('the fees of a bank', () => {
  it('are shown in lines', () => {
    expect(
      feeLines({
        transactionFees: eur('1.50'),
        currencyConversionFees: eur('0.40'),
        estimatedTotalAmount: eur('101.50'),
        estimatedInterbankSettlementAmount: { currency: 'USD', amount: '110' },
      }),
    ).toEqual([
      'Fees of the bank: 1.50 EUR',
      'Fees for the exchange of currencies: 0.40 EUR',
      'Estimated total with fees: 101.50 EUR',
      'Estimated amount between the banks: 110 USD',
    ]);
    expect(feeLines({ transactionFeeIndicator: true })).toEqual([
      'Fees of the bank: yes, but it does not say how much.',
    ]);
    expect(feeLines({ transactionFeeIndicator: false })).toEqual(['Fees of the bank: none.']);
  });

  it('are checked at the initiation before the one-time password is asked for', async () => {
    const person = fakePerson();
    const there = await world({ person });
    const said: number[] = [];
    person.answer('otp', '739184');
    there.http
      .expect('PUT', auth, {
        ...finalised,
        check: () => {
          said.push(there.notices.said.indexOf('Fees of the bank: 1.50 EUR'));
        },
      })
      .expect('GET', `${one}/status`, settled);
    await run(there, { ...atOtp(), fees: { transactionFees: eur('1.50') } });
    expect(said).toEqual([0]);
  });

  it.each([
    ['with the password', 'updatePsuAuthentication', 'psu-password', 'geheim'],
    ['with the method', 'selectAuthenticationMethod', 'sca-method', 'sms'],
    ['with the PSU-ID', 'updatePsuIdentification', 'psu-id', 'anna'],
  ] as const)(
    'are checked with %s, once, and stop a script that allowed less',
    async (_, link, id, value) => {
      const scaMethods = ['sms', 'chip'].map((one) => ({
        authenticationType: 'SMS_OTP',
        authenticationMethodId: one,
      }));
      const from = started({ authorisationId: 'auth-1', links: { [link]: auth }, scaMethods });
      const answer = {
        scaStatus: 'scaMethodSelected',
        transactionFees: eur('1.50'),
        _links: { authoriseTransaction: { href: auth } },
      };
      const person = () => fakePerson({ present: false }).answer(id, value).answer('otp', '739184');
      const there = await world({ person: person() });
      there.http.expect('PUT', auth, { body: answer });
      const limit = { amount: '1.00' };
      const failure = await failedWith(run(there, from, { maxFees: limit }));
      expect(failure).toMatchObject({ code: 'FEES_TOO_HIGH', exit: 9, resource: { paymentId: 'pay-1' } });
      expect(there.notices.said).toContain('Fees of the bank: 1.50 EUR');
      expect(there.person.asked.map((question) => question.id)).not.toContain('otp');
      there.http.verify();

      const agreed = await world({ person: person() });
      agreed.http
        .expect('PUT', auth, { body: answer })
        .expect('PUT', auth, finalised)
        .expect('GET', `${one}/status`, settled);
      const done = await run(agreed, from, { maxFees: { amount: '1.50' } });
      expect(done).toMatchObject({ success: true, conversation: { fees: { transactionFees: eur('1.50') } } });
      expect(agreed.notices.said.filter((text) => text.startsWith('Fees'))).toHaveLength(1);
    },
  );
});
