// auth.token.signed: the client_id in the reply of the bank of `banks/signed-tokens.ts` is the name of the key from then on.
import { afterAll, expect, it } from 'vitest';
import { atBank } from '../../helpers/bank-settings.ts';
import { typedBank } from '../../helpers/typed-bank.ts';
import type { RunningBank } from '../../helpers/typed-bank.ts';
import { bankOfSignedTokens, flags, settings, told } from './banks/signed-tokens.ts';

const banks: RunningBank[] = [];
afterAll(() => Promise.all(banks.map((bank) => bank.close())));

async function started(): Promise<RunningBank> {
  const bank = await typedBank(bankOfSignedTokens);
  banks.push(bank);
  return bank;
}

it('auth.token.signed makes a token request of the TPP signed with its certificate', async () => {
  const bank = await started();
  const list = [['api', 'getAccountList', '-H', 'Consent-ID: c']];
  const operations = { getAccountList: 'clientCredentials' };
  const plain = await atBank(bank, settings(operations, {}), list, { flags });
  expect([plain.code, told.splice(0)]).toEqual([4, ['no signature']]);
  const signed = await atBank(bank, settings(operations, { signed: true }), list, { flags });
  expect([signed.code, told], signed.stderr).toEqual([0, []]);
});

it('auth.token.signed makes the client_id of that reply log in, and name the key of code and refresh', async () => {
  const bank = await started();
  const operations = { getAccountList: 'preStep', initiatePayment: 'clientCredentials' };
  const login = ['auth', 'login', '--psu-id', 'anna', '--json'];
  const whole = settings(operations, { signed: true });
  const begun = await atBank(bank, whole, [login], { flags });
  expect(begun.code, begun.stderr).toBe(0);
  const { searchParams } = new URL((JSON.parse(begun.stdout) as { url: string }).url);
  expect(searchParams.get('client_id')).toBe('named-1');
  const back = `https://tpp.example/back?code=c0de&state=${searchParams.get('state') ?? ''}`;
  const more = { more: { RETURN_URL: back }, name: begun.name };
  const done = await atBank(bank, whole, [[...login, '--return-url-from', 'env:RETURN_URL']], more);
  expect([done.code, told], done.stderr).toEqual([0, []]);
  const again = await atBank(bank, whole, [['auth', 'refresh', '--psu-id', 'anna']], { name: begun.name });
  expect([again.code, told], again.stderr).toEqual([0, []]);
  const grants = bank.asked.map((asked) => new URLSearchParams(asked.body).get('grant_type'));
  expect(grants).toEqual(['client_credentials', 'authorization_code', 'refresh_token']);
});
