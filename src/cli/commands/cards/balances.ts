import { accountCommand } from '../accounts/account-commands.ts';

export const { register } = accountCommand('card', 'balances', {
  about: 'Read the balances of a card account (framework surface)',
  examples: [],
  exits: [4, 5, 7, 11],
  more: ['obk help consent create', 'obk help accounts list'],
});
