import { expect, it } from 'vitest';
import { accountBank } from '../account-bank.ts';

it.each([
  ['true', 'yes', 0],
  ['false', 'no', 9],
] as const)('takes the %j of the official example as %s', async (fundsAvailable, _said, code) => {
  const bank = await accountBank();
  bank.http.expect('POST', '/v1/funds-confirmations', { body: { fundsAvailable } });
  const ended = await bank.run(
    'funds check --account DE89370400440532013000 --amount 1.00 --exit-status --json',
  );
  expect({ code: ended.code, document: JSON.parse(ended.stdout) as unknown }).toEqual({
    code,
    document: { fundsAvailable: fundsAvailable === 'true' },
  });
});

it('names a consent in v1, too, as the guidelines have it since 1.3.2', async () => {
  const bank = await accountBank();
  bank.http.expect('POST', '/v1/funds-confirmations', {
    body: { fundsAvailable: true },
    check: (request) => {
      expect(request.header('Consent-ID')).toBe('con-9');
    },
  });
  const ended = await bank.run('funds check --account DE89370400440532013000 --amount 1.00 --consent con-9');
  expect(ended.code).toBe(0);
});

const line = 'funds check --account DE89370400440532013000 --amount 1.00 --color always';

it.each([
  [true, '\u001b[32myes\u001b[39m · 1.00 EUR are available on DE89370400440532013000\n'],
  [false, '\u001b[31mno\u001b[39m · 1.00 EUR are not available on DE89370400440532013000\n'],
])('says %s in colour, and shows no escape sequence', async (fundsAvailable, expected) => {
  const bank = await accountBank();
  bank.http.expect('POST', '/v1/funds-confirmations', { body: { fundsAvailable } });
  expect((await bank.run(line)).stdout).toBe(expected);
});
