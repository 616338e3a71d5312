import { accountCommand } from '../accounts/account-commands.ts';

export const { register } = accountCommand('card', 'list', {
  about: 'List the card accounts of a consent',
  examples: ['obk cards'],
  exits: [4, 5, 7, 11],
  more: ['obk help consent create', 'obk help accounts list'],
});
