import { beforeAll, describe, expect, it } from 'vitest';
import { presets } from '../../../../src/standard/xs2a/variants.ts';
import { consentsOf } from '../consent-scene.ts';
import { codeOf, useScene } from '../scene.ts';

const scene = useScene({
  v1: { ...presets.v1, surface: 'framework' },
  v136: { ...presets.v136, surface: 'framework' },
});
const { ibanOf } = consentsOf(scene);
beforeAll(() => {
  scene.bank.scenario({ surface: 'framework' });
});

const ask = (prefix: string, body: object) =>
  scene.call('POST', `/${prefix}/funds-confirmations`, {
    body,
    headers: { 'PSU-IP-Address': undefined },
  });
const amountOf = (amount: string, currency = 'EUR') => ({ instructedAmount: { currency, amount } });

describe.each(['v1', 'v136'])('a confirmation of funds (%s)', (prefix) => {
  it.each<[string, string, string, string, boolean]>([
    ['all there is', 'embedded-one', '10000.00', 'EUR', true],
    ['a cent more', 'embedded-one', '10000.01', 'EUR', false],
    ['another currency, at the rate of the bank', 'embedded-one', '11111.11', 'USD', true],
    ['more of it', 'embedded-one', '11111.20', 'USD', false],
    ['the sub-account of the currency', 'multicurrency', '4200.00', 'USD', true],
    ['more than is in it', 'multicurrency', '4200.01', 'USD', false],
    ['little', 'no-funds', '0.06', 'EUR', false],
  ])('is answered for %s', async (_what, psuId, amount, currency, fundsAvailable) => {
    const answer = await ask(prefix, { account: { iban: ibanOf(psuId) }, ...amountOf(amount, currency) });
    expect([answer.status, answer.json], answer.text).toEqual([200, { fundsAvailable }]);
  });

  it('depends on the cards of an account', async () => {
    const { accounts, cards } = scene.bank.person('cards');
    const [own, other] = cards;
    const body = { account: { iban: accounts[0]!.iban }, payee: 'Shop', ...amountOf('1.00') };
    for (const cardNumber of [own!.pan, own!.maskedPan])
      expect((await ask(prefix, { ...body, cardNumber })).json).toEqual({ fundsAvailable: true });
    for (const cardNumber of [other!.pan, '4111111111111111'])
      expect(codeOf(await ask(prefix, { ...body, cardNumber }))).toEqual([400, 'CARD_INVALID']);
    const card = await ask(prefix, { account: { pan: own!.pan }, ...amountOf('5000.01') });
    expect(card.json).toEqual({ fundsAvailable: false });
  });

  it.each<[string, object, string]>([
    ['no account', { account: undefined }, 'FORMAT_ERROR'],
    ['an account elsewhere', { account: { iban: 'DE02120300000000202051' } }, 'FORMAT_ERROR'],
    ['no amount', { instructedAmount: undefined }, 'FORMAT_ERROR'],
    ['nothing', amountOf('0.00'), 'FORMAT_ERROR'],
    ['an amount that is none', amountOf('1,00'), 'FORMAT_ERROR'],
    ['a currency that the bank has not', amountOf('1.00', 'XAU'), 'FORMAT_ERROR'],
    ['a long payee', { payee: 'x'.repeat(71) }, 'FORMAT_ERROR'],
  ])('is refused with %s', async (_what, more, code) => {
    const answer = await ask(prefix, {
      account: { iban: ibanOf('embedded-one') },
      ...amountOf('1.00'),
      ...more,
    });
    expect(codeOf(answer)).toEqual([400, code]);
  });

  it('is refused where the account is not open for it', async () => {
    const account = { iban: ibanOf('no-funds-confirmation') };
    expect(codeOf(await ask(prefix, { account, ...amountOf('1.00') }))).toEqual([400, 'NO_PIIS_ACTIVATION']);
  });
});

describe('the limit of calls', () => {
  // Of account information the files know no 429 but that of the bank itself, which has a body.
  const path = '/v136/payments/sepa-credit-transfers/x';
  const statuses = async (times: number) => {
    const all: number[] = [];
    for (let time = 0; time < times; time += 1) all.push((await scene.call('GET', path)).status);
    return all;
  };

  it('has a window that is short enough for tests', async () => {
    scene.bank.scenario({ rateLimit: 'per-6-seconds' });
    expect(new Set(await statuses(100))).toEqual(new Set([404]));
    const over = await scene.call('GET', path);
    expect([over.status, over.text, over.headers['retry-after']]).toEqual([429, '', '6']);
    scene.clock.ms += 5000;
    expect((await scene.call('GET', path)).headers['retry-after']).toBe('1');
    scene.clock.ms += 1001;
    expect(await statuses(1)).toEqual([404]);
  });

  it('may be switched off', async () => {
    scene.bank.scenario({ rateLimit: 'off' });
    expect(new Set(await statuses(102))).toEqual(new Set([404]));
    scene.bank.scenario({ rateLimit: 'per-minute' });
    expect(await statuses(1)).toEqual([429]);
  });
});

it('an account holds many transactions, whose sum is still its balance', async () => {
  const { iban } = scene.bank.person('decoupled').accounts[0]!;
  const told: number[] = [];
  const seeded = await scene.bank.bank.seed({ transactions: 10_400, psuId: 'decoupled' }, (done) =>
    told.push(done),
  );
  expect(seeded).toMatchObject({ psuId: 'decoupled', iban, balance: '10000.00', currency: 'EUR' });
  expect([told, seeded.entries > 10_800]).toEqual([[10_000, 10_400], true]);
  expect(scene.bank.balance(iban)).toBe('10000.00');
  await expect(scene.bank.bank.seed({ transactions: 1, psuId: 'nobody' })).rejects.toThrow('nobody');
});
