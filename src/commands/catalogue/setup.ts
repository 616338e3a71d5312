import type { Entry } from '../../command.ts';

/** Profiles, tokens, certificates and settings. */
export const setup: readonly Entry[] = [
  { path: 'auth', summary: 'Log PSUs in before any call (OAuth pre-step)', group: 'SETUP' },
  { path: 'auth login', summary: 'Log a PSU in at the bank', load: () => import('../auth/login.ts') },
  {
    path: 'auth status',
    summary: 'List the access tokens kept here',
    load: () => import('../auth/status.ts'),
  },
  { path: 'auth refresh', summary: 'Get a new access token now', load: () => import('../auth/refresh.ts') },
  { path: 'auth logout', summary: 'Erase the tokens of a PSU', load: () => import('../auth/logout.ts') },
  { path: 'profile', summary: 'Banks and certificates to work with', group: 'SETUP' },
  { path: 'profile list', summary: 'List the profiles', load: () => import('../profile/list.ts') },
  { path: 'profile show', summary: 'Show one profile', load: () => import('../profile/show.ts') },
  { path: 'profile create', summary: 'Create a profile', load: () => import('../profile/create.ts') },
  { path: 'profile use', summary: 'Make a profile the active one', load: () => import('../profile/use.ts') },
  { path: 'profile edit', summary: 'Change settings of a profile', load: () => import('../profile/edit.ts') },
  {
    path: 'profile export',
    summary: 'Print a profile for another machine',
    load: () => import('../profile/export.ts'),
  },
  {
    path: 'profile import',
    summary: 'Take a profile over from a file',
    load: () => import('../profile/import.ts'),
  },
  { path: 'profile delete', summary: 'Delete a profile', load: () => import('../profile/delete.ts') },
  { path: 'bank', summary: 'What a profile says of its bank', group: 'SETUP' },
  { path: 'bank list', summary: 'List what is known of banks', load: () => import('../bank/list.ts') },
  {
    path: 'bank lint',
    summary: 'Check what is said of a bank',
    load: () => import('../bank/lint.ts'),
  },
  {
    path: 'bank explain',
    summary: 'Show the request that an operation makes',
    load: () => import('../bank/explain.ts'),
  },
  {
    path: 'bank show',
    summary: 'Print what is known of a bank',
    load: () => import('../bank/show.ts'),
  },
  {
    path: 'bank diff',
    summary: 'Show how two banks differ',
    load: () => import('../bank/diff.ts'),
  },
  {
    path: 'bank schema',
    summary: "Print the schema of a bank's file",
    load: () => import('../bank/schema.ts'),
  },
  { path: 'config', summary: 'Settings by their keys, and where they come from', group: 'SETUP' },
  { path: 'config list', summary: 'List the settings', load: () => import('../config/list.ts') },
  { path: 'config get', summary: 'Print one setting', load: () => import('../config/get.ts') },
  { path: 'config set', summary: 'Change one setting', load: () => import('../config/set.ts') },
  { path: 'config unset', summary: 'Remove one setting', load: () => import('../config/unset.ts') },
  { path: 'config trust', summary: 'Trust the project file', load: () => import('../config/trust.ts') },
  {
    path: 'whoami',
    summary: 'Show which bank and certificate are used',
    group: 'SETUP',
    load: () => import('../whoami.ts'),
  },
  {
    path: 'doctor',
    summary: 'Check a profile step by step',
    group: 'SETUP',
    load: () => import('../doctor.ts'),
  },
  { path: 'cert', summary: 'Look at certificates, check and make them', group: 'SETUP' },
  {
    path: 'cert create',
    summary: 'Make a test certificate of a test authority',
    load: () => import('../cert/create.ts'),
  },
  {
    path: 'cert inspect',
    summary: 'Show what certificates say',
    load: () => import('../cert/inspect.ts'),
  },
  {
    path: 'cert import',
    summary: 'Turn a PKCS#12 file into files that a profile takes',
    load: () => import('../cert/import.ts'),
  },
  {
    path: 'cert lint',
    summary: 'Say what a bank would refuse of a certificate',
    load: () => import('../cert/lint.ts'),
  },
  {
    path: 'cert expiry',
    summary: 'List certificates by the day they expire',
    load: () => import('../cert/expiry.ts'),
  },
  {
    path: 'cert rollover',
    summary: 'Switch profiles to a new certificate where their banks take it',
    load: () => import('../cert/rollover.ts'),
  },
  {
    path: 'completion',
    summary: 'Print the completion script of a shell',
    group: 'SETUP',
    load: () => import('../completion/completion.ts'),
  },
];
