import type { Entry } from './register.ts';

/** Every command by its words; nouns have no module of their own. */
export const tree: readonly Entry[] = [
  { path: 'payment', summary: 'Start payments and follow them', group: 'PAYMENTS' },
  {
    path: 'payment init',
    summary: 'Start a payment and lead the PSU through SCA',
    load: () => import('./payment/init.ts'),
  },
  {
    path: 'payment get',
    summary: 'Read a payment as the bank has it',
    load: () => import('./payment/get.ts'),
  },
  {
    path: 'payment status',
    summary: 'Ask where a payment stands',
    load: () => import('./payment/status.ts'),
  },
  {
    path: 'payment authorise',
    summary: 'Authorise a payment, or go on where it stopped',
    load: () => import('./payment/authorise.ts'),
  },
  {
    path: 'payment cancel',
    summary: 'Cancel a payment that is not executed yet',
    load: () => import('./payment/cancel.ts'),
  },
  {
    path: 'payment authorisations',
    summary: 'List the authorisations of a payment',
    load: () => import('./payment/authorisations.ts'),
  },
  {
    path: 'payment lint',
    summary: 'Check a payment file before it is sent',
    load: () => import('./payment/lint.ts'),
  },
  {
    path: 'payment list',
    summary: 'List the payments started from here',
    load: () => import('./payment/list.ts'),
  },
  { path: 'consent', summary: 'Access to accounts: ask for it, renew it, end it', group: 'ACCOUNTS' },
  {
    path: 'consent create',
    summary: 'Ask for access and lead the PSU through SCA',
    load: () => import('./consent/create.ts'),
  },
  {
    path: 'consent authorise',
    summary: 'Authorise a consent, or go on where it stopped',
    load: () => import('./consent/authorise.ts'),
  },
  {
    path: 'consent get',
    summary: 'Read a consent as the bank has it',
    load: () => import('./consent/get.ts'),
  },
  {
    path: 'consent status',
    summary: 'Ask where a consent stands',
    load: () => import('./consent/status.ts'),
  },
  {
    path: 'consent list',
    summary: 'List the consents created from here',
    load: () => import('./consent/list.ts'),
  },
  {
    path: 'consent use',
    summary: 'Make a consent the active one',
    load: () => import('./consent/use.ts'),
  },
  {
    path: 'consent renew',
    summary: 'Create one with the same access',
    load: () => import('./consent/renew.ts'),
  },
  {
    path: 'consent delete',
    summary: 'End a consent at the bank',
    load: () => import('./consent/delete.ts'),
  },
  { path: 'basket', summary: 'Sign several payments at once', group: 'PAYMENTS' },
  {
    path: 'basket create',
    summary: 'Put payments and consents into a signing basket',
    load: () => import('./basket/create.ts'),
  },
  {
    path: 'basket get',
    summary: 'Read a basket as the bank has it',
    load: () => import('./basket/get.ts'),
  },
  {
    path: 'basket status',
    summary: 'Ask where a basket stands',
    load: () => import('./basket/status.ts'),
  },
  {
    path: 'basket authorise',
    summary: 'Authorise a basket, or go on where it stopped',
    load: () => import('./basket/authorise.ts'),
  },
  {
    path: 'basket delete',
    summary: 'Delete a basket that is not authorised',
    load: () => import('./basket/delete.ts'),
  },
  {
    path: 'basket list',
    summary: 'List the baskets created from here',
    load: () => import('./basket/list.ts'),
  },
  { path: 'pending', summary: 'What is unfinished or unknown', group: 'PAYMENTS' },
  {
    path: 'pending list',
    summary: 'List what is unfinished or unknown',
    load: () => import('./pending/list.ts'),
  },
  { path: 'pending show', summary: 'Show one entry whole', load: () => import('./pending/show.ts') },
  {
    path: 'pending resume',
    summary: 'Go on with an entry where that is safe',
    load: () => import('./pending/resume.ts'),
  },
  {
    path: 'pending resolve',
    summary: 'Settle an unknown entry with what you found out',
    load: () => import('./pending/resolve.ts'),
  },
  {
    path: 'api',
    summary: 'Send any request of the interface, signed',
    group: 'SUPPORT',
    load: () => import('./api.ts'),
  },
  {
    path: 'explain',
    summary: 'Explain a status, an error code, a header ...',
    group: 'SUPPORT',
    load: () => import('./explain.ts'),
  },
  { path: 'log', summary: 'What was sent and answered', group: 'SUPPORT' },
  { path: 'log list', summary: 'List the runs, newest first', load: () => import('./log/list.ts') },
  { path: 'log show', summary: 'Show the calls of one run', load: () => import('./log/show.ts') },
  { path: 'profile', summary: 'Banks and certificates to work with', group: 'SETUP' },
  { path: 'profile list', summary: 'List the profiles', load: () => import('./profile/list.ts') },
  { path: 'profile show', summary: 'Show one profile', load: () => import('./profile/show.ts') },
  { path: 'profile create', summary: 'Create a profile', load: () => import('./profile/create.ts') },
  { path: 'profile use', summary: 'Make a profile the active one', load: () => import('./profile/use.ts') },
  { path: 'profile edit', summary: 'Change settings of a profile', load: () => import('./profile/edit.ts') },
  { path: 'profile delete', summary: 'Delete a profile', load: () => import('./profile/delete.ts') },
  {
    path: 'whoami',
    summary: 'Show which bank and certificate are used',
    group: 'SETUP',
    load: () => import('./whoami.ts'),
  },
  { path: 'cert', summary: 'Look at certificates, check and make them', group: 'SETUP' },
  {
    path: 'cert create',
    summary: 'Make a test certificate of a test authority',
    load: () => import('./cert/create.ts'),
  },
  {
    path: 'cert inspect',
    summary: 'Show what certificates say',
    load: () => import('./cert/inspect.ts'),
  },
  {
    path: 'cert lint',
    summary: 'Say what a bank would refuse of a certificate',
    load: () => import('./cert/lint.ts'),
  },
  {
    path: 'cert expiry',
    summary: 'List certificates by the day they expire',
    load: () => import('./cert/expiry.ts'),
  },
  { path: 'sandbox', summary: 'The bank inside', group: 'SETUP' },
  {
    path: 'sandbox start',
    summary: 'Run the bank inside on its own',
    load: () => import('./sandbox/start.ts'),
  },
  {
    path: 'sandbox people',
    summary: 'Show the customers of the bank inside',
    load: () => import('./sandbox/people.ts'),
  },
  {
    path: 'sandbox psu',
    summary: 'Approve or refuse in place of the customer',
  },
  {
    path: 'sandbox psu approve',
    summary: 'Approve an open authorisation',
    load: () => import('./sandbox/psu/approve.ts'),
  },
  {
    path: 'sandbox psu refuse',
    summary: 'Refuse an open authorisation',
    load: () => import('./sandbox/psu/refuse.ts'),
  },
  {
    path: 'sandbox psu revoke',
    summary: 'Revoke a valid consent in place of the customer',
    load: () => import('./sandbox/psu/revoke.ts'),
  },
  { path: 'sandbox fault', summary: 'Make the bank inside misbehave' },
  {
    path: 'sandbox fault add',
    summary: 'Add a fault',
    load: () => import('./sandbox/fault/add.ts'),
  },
  {
    path: 'sandbox fault list',
    summary: 'List the faults that wait',
    load: () => import('./sandbox/fault/list.ts'),
  },
  {
    path: 'sandbox fault clear',
    summary: 'Take all faults away',
    load: () => import('./sandbox/fault/clear.ts'),
  },
  {
    path: 'sandbox scenario',
    summary: 'How the bank inside differs from its standard',
    load: () => import('./sandbox/scenario.ts'),
  },
  {
    path: 'sandbox scenario list',
    summary: 'List the switches and their values',
    load: () => import('./sandbox/scenario/list.ts'),
  },
  {
    path: 'sandbox scenario get',
    summary: 'Show one switch and what each value means',
    load: () => import('./sandbox/scenario/get.ts'),
  },
  {
    path: 'sandbox scenario set',
    summary: 'Set one switch',
    load: () => import('./sandbox/scenario/set.ts'),
  },
  {
    path: 'sandbox clock',
    summary: 'Show or move the clock of the bank inside',
    load: () => import('./sandbox/clock.ts'),
  },
  {
    path: 'sandbox reset',
    summary: 'Give the bank inside a new, empty ledger',
    load: () => import('./sandbox/reset.ts'),
  },
  {
    path: 'version',
    summary: 'Print the version',
    group: 'HELP',
    load: () => import('./version.ts'),
  },
  {
    path: 'help',
    summary: 'Help on a command or a topic',
    group: 'HELP',
    load: () => import('./help.ts'),
  },
  {
    path: 'help exit-codes',
    summary: 'What each exit code means',
    load: () => import('./help/exit-codes.ts'),
  },
  { path: 'help flags', summary: 'The flags of every command', load: () => import('./help/flags.ts') },
  {
    path: 'help environment',
    summary: 'The variables that obk reads',
    load: () => import('./help/environment.ts'),
  },
  {
    path: 'help references',
    summary: 'How secrets are given',
    load: () => import('./help/references.ts'),
  },
];
