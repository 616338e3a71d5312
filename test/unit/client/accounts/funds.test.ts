import { describe, expect, it } from 'vitest';
import { buildFunds, checkFunds } from '../../../../src/client/accounts/funds.ts';
import { world } from '../../../helpers/world.ts';
import { iban, refusal } from '../reader.ts';
import { failedWith } from '../../../helpers/failed-with.ts';

const body = buildFunds({ account: iban, amount: '12.5' });
const path = '/v1/funds-confirmations';

describe('a check of funds', () => {
  it('has the amount as the currency writes it, and the other members given', () => {
    expect(body).toEqual({ account: { iban }, instructedAmount: { currency: 'EUR', amount: '12.50' } });
    expect(
      buildFunds({ account: `${iban}:usd`, amount: '1', currency: 'usd', payee: 'Shop', card: '1234' }),
    ).toEqual({
      cardNumber: '1234',
      account: { iban, currency: 'USD' },
      payee: 'Shop',
      instructedAmount: { currency: 'USD', amount: '1.00' },
    });
  });

  it.each([true, false, 'true', 'false'])('is answered %j', async (fundsAvailable) => {
    const there = await world();
    there.http.expect('POST', path, {
      body: { fundsAvailable },
      check: (request) => {
        expect(request.json()).toEqual(body);
        expect(request.fresh).toBe(true);
      },
    });
    expect((await checkFunds(there.target, body)).fundsAvailable).toBe(String(fundsAvailable) === 'true');
  });

  it('is not repeated where its answer is lost, and leaves nothing in doubt', async () => {
    const there = await world();
    there.http.expectFailure('POST', path, { sent: true, reason: 'reset' });
    expect(await failedWith(checkFunds(there.target, body))).toMatchObject({ code: 'ANSWER_LOST', exit: 6 });
    expect(there.http.requests).toHaveLength(1);
    expect(await there.journal.openRuns()).toEqual([]);
  });

  it('is not an operation of the v136 service', async () => {
    const there = await world({ variant: 'v136' });
    expect(await failedWith(checkFunds(there.target, body))).toMatchObject({ code: 'NOT_OFFERED', exit: 2 });
  });

  it('may be refused by the bank', async () => {
    const there = await world();
    there.http.expect('POST', path, refusal('NO_PIIS_ACTIVATION', 400));
    expect(await failedWith(checkFunds(there.target, body))).toMatchObject({ exit: 5 });
  });

  it('reports every value that cannot be sent', () => {
    expect(() => buildFunds({ account: iban, amount: '1,0', currency: 'EURO' })).toThrow('is not valid');
  });

  it.each([
    ['12,50', 'EUR', ['--amount 12.50']],
    ['1.234,50', 'eur', ['--amount 1234.50']],
    ['1,234', 'EUR', []],
    ['12,50', 'JPY', []],
  ])('is refused before it is sent for %s %s, with %j as a suggestion', async (amount, currency, hint) => {
    const made = failedWith((async () => buildFunds({ account: iban, amount, currency }))());
    expect(await made).toMatchObject({ code: 'INPUT_INVALID', exit: 2, hint });
  });
});
