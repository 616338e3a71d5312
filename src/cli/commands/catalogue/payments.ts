import { entries } from './entries.ts';

/** Payments, baskets, their authorisations, and what is unfinished. */
export const payments = entries('Payments', {
  payment: ['Start payments and follow them'],
  'payment init': ['Start a payment and lead the PSU through SCA', () => import('../payment/init.ts')],
  'payment get': ['Read a payment as the bank has it', () => import('../payment/get.ts')],
  'payment status': ['Ask where a payment stands', () => import('../payment/status.ts')],
  'payment authorise': [
    'Authorise a payment, or go on where it stopped',
    () => import('../payment/authorise.ts'),
  ],
  'payment cancel': ['Cancel a payment that is not executed yet', () => import('../payment/cancel.ts')],
  'payment authorisations': [
    'List the authorisations of a payment',
    () => import('../payment/authorisations.ts'),
  ],
  'payment lint': ['Check a payment file before it is sent', () => import('../payment/lint.ts')],
  'payment csv-template': [
    'Print the header of a CSV file of payments',
    () => import('../payment/csv-template.ts'),
  ],
  'payment list': ['List the payments started from here', () => import('../payment/list.ts')],
  basket: ['Sign several payments at once'],
  'basket create': ['Put payments and consents into a signing basket', () => import('../basket/create.ts')],
  'basket get': ['Read a basket as the bank has it', () => import('../basket/get.ts')],
  'basket status': ['Ask where a basket stands', () => import('../basket/status.ts')],
  'basket authorise': [
    'Authorise a basket, or go on where it stopped',
    () => import('../basket/authorise.ts'),
  ],
  'basket delete': ['Delete a basket that is not authorised', () => import('../basket/delete.ts')],
  'basket list': ['List the baskets created from here', () => import('../basket/list.ts')],
  sca: ['One step of an authorisation at a time'],
  'sca status': ['Show where authorisations stand', () => import('../sca/status.ts')],
  'sca methods': ['List the offered methods', () => import('../sca/methods.ts')],
  'sca select': ['Choose a method', () => import('../sca/select.ts')],
  'sca submit': ['Send a password or a one-time password', () => import('../sca/submit.ts')],
  'sca open': ["Open the link to the bank's page", () => import('../sca/open.ts')],
  pending: ['What is unfinished or unknown'],
  'pending list': ['List what is unfinished or unknown', () => import('../pending/list.ts')],
  'pending show': ['Show one entry whole', () => import('../pending/show.ts')],
  'pending resume': ['Go on with an entry where that is safe', () => import('../pending/resume.ts')],
  'pending resolve': [
    'Settle an unknown entry with what you found out',
    () => import('../pending/resolve.ts'),
  ],
});
