import { entries } from './entries.ts';

/** Consents and what is read with them. */
export const accounts = entries('Accounts', {
  consent: ['Access to accounts: ask for it, renew it, end it'],
  'consent create': ['Ask for access and lead the PSU through SCA', () => import('../consent/create.ts')],
  'consent authorise': [
    'Authorise a consent, or go on where it stopped',
    () => import('../consent/authorise.ts'),
  ],
  'consent get': ['Read a consent as the bank has it', () => import('../consent/get.ts')],
  'consent status': ['Ask where a consent stands', () => import('../consent/status.ts')],
  'consent list': ['List the consents created from here', () => import('../consent/list.ts')],
  'consent use': ['Make a consent the active one', () => import('../consent/use.ts')],
  'consent renew': ['Create one with the same access', () => import('../consent/renew.ts')],
  'consent delete': ['End a consent at the bank', () => import('../consent/delete.ts')],
  accounts: ['Accounts and their balances', 'list'],
  'accounts list': ['List the accounts of a consent', () => import('../accounts/list.ts')],
  'accounts get': ['Read one account', () => import('../accounts/get.ts')],
  'accounts balances': ['Read the balances of an account', () => import('../accounts/balances.ts')],
  transactions: ['Transactions of accounts', 'list'],
  'transactions list': ['List the transactions of an account', () => import('../transactions/list.ts')],
  'transactions get': ['Read one transaction', () => import('../transactions/get.ts')],
  'transactions read': ['Read a saved report; no bank is asked', () => import('../transactions/read.ts')],
  cards: ['Card accounts', 'list'],
  'cards list': ['List the card accounts', () => import('../cards/list.ts')],
  'cards get': ['Read one card account', () => import('../cards/get.ts')],
  'cards balances': ['Read the balances of a card account', () => import('../cards/balances.ts')],
  'cards transactions': ['List the transactions of a card account', () => import('../cards/transactions.ts')],
  funds: ['Whether an amount is available'],
  'funds check': ['Ask whether an amount is on an account', () => import('../funds/check.ts')],
});
