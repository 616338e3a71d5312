import { accountCommand } from './account-commands.ts';

export const { register, run } = accountCommand('account', 'get', {
  about: 'Read one account of a consent',
  examples: ['obk accounts get DE25990010000000001999', 'obk accounts get --with-balance --json'],
  exits: [4, 5, 7, 11],
  more: ['obk help consent create', 'obk help transactions list'],
});
