import { accountCommand } from './account-commands.ts';

export const { register } = accountCommand('account', 'balances', {
  about: 'Read the balances of an account',
  examples: [
    'obk accounts balances DE65990010000000002443',
    'obk accounts balances DE65990010000000002443 -o csv',
  ],
  exits: [4, 5, 7, 11],
  more: ['obk help consent create', 'obk help transactions list'],
});
