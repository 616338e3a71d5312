import { accountCommand } from './account-commands.ts';

export const register = {
  list: accountCommand('account', 'list', {
    about: 'List the accounts of a consent',
    examples: ['obk accounts', 'obk accounts list --with-balance -o wide', 'obk accounts -o name'],
    exits: [4, 5, 7, 11],
    more: ['obk help consent create', 'obk help transactions list'],
  }).register,
  get: accountCommand('account', 'get', {
    about: 'Read one account of a consent',
    examples: [
      'obk accounts get DE65990010000000002443',
      'obk accounts get DE65990010000000002443 --with-balance --json',
    ],
    exits: [4, 5, 7, 11],
    more: ['obk help consent create', 'obk help transactions list'],
  }).register,
  balances: accountCommand('account', 'balances', {
    about: 'Read the balances of an account',
    examples: [
      'obk accounts balances DE65990010000000002443',
      'obk accounts balances DE65990010000000002443 -o csv',
    ],
    exits: [4, 5, 7, 11],
    more: ['obk help consent create', 'obk help transactions list'],
  }).register,
};
