import { accountCommand } from '../accounts/account-commands.ts';

export const register = {
  list: accountCommand('card', 'list', {
    about: 'List the card accounts of a consent',
    examples: ['obk cards'],
    exits: [4, 5, 7, 11],
    more: ['obk help consent create', 'obk help accounts list'],
  }).register,
  get: accountCommand('card', 'get', {
    about: 'Read one card account of a consent (framework surface)',
    examples: [],
    exits: [4, 5, 7, 11],
    more: ['obk help consent create', 'obk help accounts list'],
  }).register,
  balances: accountCommand('card', 'balances', {
    about: 'Read the balances of a card account (framework surface)',
    examples: [],
    exits: [4, 5, 7, 11],
    more: ['obk help consent create', 'obk help accounts list'],
  }).register,
};
