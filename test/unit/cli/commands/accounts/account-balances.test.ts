import { expect, it } from 'vitest';
import { accountBank } from '../account-bank.ts';

const balance = (currency: string, amount: string, balanceType = 'interimAvailable') => ({
  balanceAmount: { currency, amount },
  balanceType,
});

it.each([
  ['XXX', [balance('EUR', '5.00'), balance('USD', '7.00')], ',,XXX'],
  ['XXX', [balance('EUR', '4.00', 'closingBooked'), balance('EUR', '5.00')], 'interimAvailable,5.00,EUR'],
  ['EUR', [balance('EUR', '4.00', 'closingBooked')], 'closingBooked,4.00,EUR'],
  [
    'EUR',
    [{ ...balance('EUR', '4.00'), creditLimitIncluded: true }],
    'interimAvailable + credit line,4.00,EUR',
  ],
  ['EUR', [{ ...balance('EUR', '4.00'), creditLimitIncluded: false }], 'interimAvailable,4.00,EUR'],
  [
    'EUR',
    [{ ...balance('EUR', '4.00', 'expected'), creditLimitIncluded: 'true' }],
    'expected + credit line,4.00,EUR',
  ],
  ['USD', [balance('EUR', '5.00'), balance('USD', '7.00')], 'interimAvailable,7.00,USD'],
  ['EUR', [], ',,'],
])('shows for an account in %s with %j the one balance that it has', async (currency, balances, shown) => {
  const bank = await accountBank();
  const accounts = [{ resourceId: 'acc-1', currency, balances }];
  bank.http.expect('GET', '/v1/accounts?withBalance=true', { body: { accounts } });
  const { stdout } = await bank.run('accounts --with-balance -o csv');
  const [head = '', row = ''] = stdout.split(/\r?\n/);
  expect(head).toMatch(/,balanceType,balance,balanceCurrency$/);
  expect(row.split(',').slice(-3).join(',')).toBe(shown);
});

it('shows an amount that came as a number, digit by digit', async () => {
  const bank = await accountBank();
  const body =
    '{"balances":[{"balanceType":"expected","balanceAmount":{"currency":"EUR","amount":12345678901234567.10}}]}';
  const headers = { 'Content-Type': 'application/json' };
  bank.http.expect('GET', '/v1/accounts/acc-1/balances', { headers, body });
  const { stdout } = await bank.run('accounts balances acc-1');
  expect(stdout.trimEnd().split('\t').slice(0, 3)).toEqual(['expected', '12345678901234567.10', 'EUR']);
});
