import type { Entry } from '../../command.ts';

/** Consents and what is read with them. */
export const accounts: readonly Entry[] = [
  { path: 'consent', summary: 'Access to accounts: ask for it, renew it, end it', group: 'ACCOUNTS' },
  {
    path: 'consent create',
    summary: 'Ask for access and lead the PSU through SCA',
    load: () => import('../consent/create.ts'),
  },
  {
    path: 'consent authorise',
    summary: 'Authorise a consent, or go on where it stopped',
    load: () => import('../consent/authorise.ts'),
  },
  {
    path: 'consent get',
    summary: 'Read a consent as the bank has it',
    load: () => import('../consent/get.ts'),
  },
  {
    path: 'consent status',
    summary: 'Ask where a consent stands',
    load: () => import('../consent/status.ts'),
  },
  {
    path: 'consent list',
    summary: 'List the consents created from here',
    load: () => import('../consent/list.ts'),
  },
  {
    path: 'consent use',
    summary: 'Make a consent the active one',
    load: () => import('../consent/use.ts'),
  },
  {
    path: 'consent renew',
    summary: 'Create one with the same access',
    load: () => import('../consent/renew.ts'),
  },
  {
    path: 'consent delete',
    summary: 'End a consent at the bank',
    load: () => import('../consent/delete.ts'),
  },
  { path: 'accounts', summary: 'Accounts and their balances', group: 'ACCOUNTS', verb: 'list' },
  {
    path: 'accounts list',
    summary: 'List the accounts of a consent',
    load: () => import('../accounts/list.ts'),
  },
  { path: 'accounts get', summary: 'Read one account', load: () => import('../accounts/get.ts') },
  {
    path: 'accounts balances',
    summary: 'Read the balances of an account',
    load: () => import('../accounts/balances.ts'),
  },
  { path: 'transactions', summary: 'Transactions of accounts', group: 'ACCOUNTS', verb: 'list' },
  {
    path: 'transactions list',
    summary: 'List the transactions of an account',
    load: () => import('../transactions/list.ts'),
  },
  {
    path: 'transactions get',
    summary: 'Read one transaction',
    load: () => import('../transactions/get.ts'),
  },
  {
    path: 'transactions read',
    summary: 'Read a saved report; no bank is asked',
    load: () => import('../transactions/read.ts'),
  },
  { path: 'cards', summary: 'Card accounts', group: 'ACCOUNTS', verb: 'list' },
  { path: 'cards list', summary: 'List the card accounts', load: () => import('../cards/list.ts') },
  { path: 'cards get', summary: 'Read one card account', load: () => import('../cards/get.ts') },
  {
    path: 'cards balances',
    summary: 'Read the balances of a card account',
    load: () => import('../cards/balances.ts'),
  },
  {
    path: 'cards transactions',
    summary: 'List the transactions of a card account',
    load: () => import('../cards/transactions.ts'),
  },
  { path: 'funds', summary: 'Whether an amount is available', group: 'ACCOUNTS' },
  {
    path: 'funds check',
    summary: 'Ask whether an amount is on an account',
    load: () => import('../funds/check.ts'),
  },
];
