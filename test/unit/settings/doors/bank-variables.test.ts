import { expect, it } from 'vitest';
import { bankFromEnvironment, unreadVariables } from '../../../../src/settings/doors/bank-variables.ts';

it('the variables of a bank are its flags, and an empty one counts as missing', () => {
  const env = {
    OBK_SANDBOX_CONFIG: 'bank.yaml',
    OBK_SANDBOX_DATABASE: ' ',
    OBK_SANDBOX_WITHOUT: 'createConsent, getAccountList',
  };
  expect(bankFromEnvironment(env)).toEqual({
    config: 'bank.yaml',
    without: ['createConsent', 'getAccountList'],
  });
  expect(bankFromEnvironment({ OBK_SANDBOX_DATABASE: ':memory:', OBK_SANDBOX_BANK: 'adorsys-xs2a' })).toEqual(
    { database: ':memory:', bank: 'adorsys-xs2a' },
  );
});

it('a variable that nothing reads is reported with a suggestion', () => {
  const env = {
    OBK_SANDBOX: 'ci',
    OBK_SANDBOX_PORT: '0',
    OBK_SANDBOX_TENANT: 'a',
    OBK_SANDBOX_HTPS_PORT: '0',
    OBK_SANDBOX_COLOUR_OF_THE_DOOR: 'red',
  };
  expect(unreadVariables(env)).toEqual([
    'OBK_SANDBOX_HTPS_PORT is no variable of obk; did you mean OBK_SANDBOX_HTTPS_PORT?',
    'OBK_SANDBOX_COLOUR_OF_THE_DOOR is no variable of obk.',
  ]);
});

it.each([
  ['OBK_SANDBOX_NAME', 'OBK_SANDBOX'],
  ['OBK_SANDBOX_URL', 'OBK_SANDBOX'],
  ['OBK_SANDBOX_TOKEN', 'OBK_SANDBOX_TOKEN_FROM'],
  ['OBK_SANDBOX_ACCESS_KEY', 'OBK_SANDBOX_ACCESS_KEY_FROM'],
])('a variable that nothing reads leads from %s to %s', (name, meant) => {
  expect(unreadVariables({ [name]: 'x' })).toEqual([`${name} is no variable of obk; did you mean ${meant}?`]);
});
