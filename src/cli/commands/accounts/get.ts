import { accountCommand } from './account-commands.ts';

export const { register } = accountCommand('account', 'get', {
  about: 'Read one account of a consent',
  examples: [
    'obk accounts get DE65990010000000002443',
    'obk accounts get DE65990010000000002443 --with-balance --json',
  ],
  exits: [4, 5, 7, 11],
  more: ['obk help consent create', 'obk help transactions list'],
});
