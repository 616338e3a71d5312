import type { Entry } from '../../command.ts';

/** Payments, baskets, their authorisations, and what is unfinished. */
export const payments: readonly Entry[] = [
  { path: 'payment', summary: 'Start payments and follow them', group: 'PAYMENTS' },
  {
    path: 'payment init',
    summary: 'Start a payment and lead the PSU through SCA',
    load: () => import('../payment/init.ts'),
  },
  {
    path: 'payment get',
    summary: 'Read a payment as the bank has it',
    load: () => import('../payment/get.ts'),
  },
  {
    path: 'payment status',
    summary: 'Ask where a payment stands',
    load: () => import('../payment/status.ts'),
  },
  {
    path: 'payment authorise',
    summary: 'Authorise a payment, or go on where it stopped',
    load: () => import('../payment/authorise.ts'),
  },
  {
    path: 'payment cancel',
    summary: 'Cancel a payment that is not executed yet',
    load: () => import('../payment/cancel.ts'),
  },
  {
    path: 'payment authorisations',
    summary: 'List the authorisations of a payment',
    load: () => import('../payment/authorisations.ts'),
  },
  {
    path: 'payment lint',
    summary: 'Check a payment file before it is sent',
    load: () => import('../payment/lint.ts'),
  },
  {
    path: 'payment csv-template',
    summary: 'Print the header of a CSV file of payments',
    load: () => import('../payment/csv-template.ts'),
  },
  {
    path: 'payment list',
    summary: 'List the payments started from here',
    load: () => import('../payment/list.ts'),
  },
  { path: 'basket', summary: 'Sign several payments at once', group: 'PAYMENTS' },
  {
    path: 'basket create',
    summary: 'Put payments and consents into a signing basket',
    load: () => import('../basket/create.ts'),
  },
  {
    path: 'basket get',
    summary: 'Read a basket as the bank has it',
    load: () => import('../basket/get.ts'),
  },
  {
    path: 'basket status',
    summary: 'Ask where a basket stands',
    load: () => import('../basket/status.ts'),
  },
  {
    path: 'basket authorise',
    summary: 'Authorise a basket, or go on where it stopped',
    load: () => import('../basket/authorise.ts'),
  },
  {
    path: 'basket delete',
    summary: 'Delete a basket that is not authorised',
    load: () => import('../basket/delete.ts'),
  },
  {
    path: 'basket list',
    summary: 'List the baskets created from here',
    load: () => import('../basket/list.ts'),
  },
  { path: 'sca', summary: 'One step of an authorisation at a time', group: 'PAYMENTS' },
  {
    path: 'sca status',
    summary: 'Show where authorisations stand',
    load: () => import('../sca/status.ts'),
  },
  { path: 'sca methods', summary: 'List the offered methods', load: () => import('../sca/methods.ts') },
  { path: 'sca select', summary: 'Choose a method', load: () => import('../sca/select.ts') },
  {
    path: 'sca submit',
    summary: 'Send a password or a one-time password',
    load: () => import('../sca/submit.ts'),
  },
  { path: 'sca open', summary: "Open the link to the bank's page", load: () => import('../sca/open.ts') },
  { path: 'pending', summary: 'What is unfinished or unknown', group: 'PAYMENTS' },
  {
    path: 'pending list',
    summary: 'List what is unfinished or unknown',
    load: () => import('../pending/list.ts'),
  },
  { path: 'pending show', summary: 'Show one entry whole', load: () => import('../pending/show.ts') },
  {
    path: 'pending resume',
    summary: 'Go on with an entry where that is safe',
    load: () => import('../pending/resume.ts'),
  },
  {
    path: 'pending resolve',
    summary: 'Settle an unknown entry with what you found out',
    load: () => import('../pending/resolve.ts'),
  },
];
