import { accountCommand } from '../accounts/account-commands.ts';

export const { register } = accountCommand('card', 'get', {
  about: 'Read one card account of a consent (framework surface)',
  examples: [],
  exits: [4, 5, 7, 11],
  more: ['obk help consent create', 'obk help accounts list'],
});
