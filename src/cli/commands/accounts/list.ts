import { accountCommand } from './account-commands.ts';

export const { register } = accountCommand('account', 'list', {
  about: 'List the accounts of a consent',
  examples: ['obk accounts', 'obk accounts list --with-balance -o wide', 'obk accounts -o name'],
  exits: [4, 5, 7, 11],
  more: ['obk help consent create', 'obk help transactions list'],
});
