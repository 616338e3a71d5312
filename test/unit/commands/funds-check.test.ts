import { expect, it } from 'vitest';
import { accountBank } from './account-bank.ts';

const line = 'funds check --account DE89370400440532013000 --amount 1.00 --color always';

it.each([
  [true, '\u001b[32myes\u001b[39m · 1.00 EUR are available on DE89370400440532013000\n'],
  [false, '\u001b[31mno\u001b[39m · 1.00 EUR are not available on DE89370400440532013000\n'],
])('says %s in colour, and shows no escape sequence', async (fundsAvailable, expected) => {
  const bank = await accountBank();
  bank.http.expect('POST', '/v1/funds-confirmations', { body: { fundsAvailable } });
  expect((await bank.run(line)).stdout).toBe(expected);
});
