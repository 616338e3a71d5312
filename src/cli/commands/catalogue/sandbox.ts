import type { Entry } from '../../command.ts';

/** The bank inside. */
export const sandbox: readonly Entry[] = [
  { path: 'sandbox', summary: 'The bank inside', group: 'SETUP' },
  {
    path: 'sandbox start',
    summary: 'Run the bank inside on its own',
    load: () => import('../sandbox/start.ts'),
  },
  {
    path: 'sandbox replay',
    summary: 'Answer as another bank has answered',
    load: () => import('../sandbox/replay.ts'),
  },
  {
    path: 'sandbox record',
    summary: 'Stand between another client and a bank',
    load: () => import('../sandbox/record.ts'),
  },
  {
    path: 'sandbox status',
    summary: 'Show whether the bank inside runs',
    load: () => import('../sandbox/processes.ts'),
  },
  {
    path: 'sandbox stop',
    summary: 'End the bank inside',
    load: () => import('../sandbox/processes.ts'),
  },
  {
    path: 'sandbox people',
    summary: 'Show the customers of the bank inside',
    load: () => import('../sandbox/people.ts'),
  },
  {
    path: 'sandbox seed',
    summary: 'Write many transactions into an account',
    load: () => import('../sandbox/seed.ts'),
  },
  {
    path: 'sandbox export',
    summary: 'Print the bank inside as a file',
    load: () => import('../sandbox/bank-file.ts'),
  },
  {
    path: 'sandbox schema',
    summary: "Print the schema of a bank's file",
    load: () => import('../sandbox/bank-file.ts'),
  },
  {
    path: 'sandbox psu',
    summary: 'Approve, refuse or revoke in place of the customer',
  },
  {
    path: 'sandbox psu approve',
    summary: 'Approve an open authorisation',
    load: () => import('../sandbox/psu.ts'),
  },
  {
    path: 'sandbox psu refuse',
    summary: 'Refuse an open authorisation',
    load: () => import('../sandbox/psu.ts'),
  },
  {
    path: 'sandbox psu revoke',
    summary: 'Revoke a valid consent in place of the customer',
    load: () => import('../sandbox/psu.ts'),
  },
  { path: 'sandbox fault', summary: 'Make the bank inside misbehave' },
  {
    path: 'sandbox fault add',
    summary: 'Add a fault',
    load: () => import('../sandbox/fault.ts'),
  },
  {
    path: 'sandbox fault list',
    summary: 'List the pending faults',
    load: () => import('../sandbox/fault.ts'),
  },
  {
    path: 'sandbox fault clear',
    summary: 'Remove all faults',
    load: () => import('../sandbox/fault.ts'),
  },
  { path: 'sandbox client', summary: 'Clients of the OAuth server of the bank inside' },
  {
    path: 'sandbox client add',
    summary: 'Register a client, or addresses of one',
    load: () => import('../sandbox/client.ts'),
  },
  {
    path: 'sandbox client list',
    summary: 'List the clients and their addresses',
    load: () => import('../sandbox/client.ts'),
  },
  {
    path: 'sandbox scenario',
    summary: 'How the bank inside differs from its standard',
    load: () => import('../sandbox/scenario.ts'),
  },
  {
    path: 'sandbox scenario list',
    summary: 'List the switches and their values',
    load: () => import('../sandbox/scenario.ts'),
  },
  {
    path: 'sandbox scenario get',
    summary: 'Show one switch and what each value means',
    load: () => import('../sandbox/scenario.ts'),
  },
  {
    path: 'sandbox scenario set',
    summary: 'Set one switch',
    load: () => import('../sandbox/scenario.ts'),
  },
  {
    path: 'sandbox clock',
    summary: 'Show or move the clock of the bank inside',
    load: () => import('../sandbox/clock.ts'),
  },
  {
    path: 'sandbox log',
    summary: 'Show what reached the bank inside, and why it refused',
    load: () => import('../sandbox/log.ts'),
  },
  {
    path: 'sandbox resend',
    summary: 'Have the bank inside push a notification again',
    load: () => import('../sandbox/resend.ts'),
  },
  { path: 'sandbox snapshot', summary: 'Save the bank inside as it stands, and go back to it' },
  {
    path: 'sandbox snapshot save',
    summary: 'Save the bank as it stands',
    load: () => import('../sandbox/snapshot.ts'),
  },
  {
    path: 'sandbox snapshot list',
    summary: 'List the snapshots',
    load: () => import('../sandbox/snapshot.ts'),
  },
  {
    path: 'sandbox snapshot restore',
    summary: 'Put everything back as it was',
    load: () => import('../sandbox/snapshot.ts'),
  },
  {
    path: 'sandbox snapshot delete',
    summary: 'Delete a snapshot',
    load: () => import('../sandbox/snapshot.ts'),
  },
  { path: 'sandbox tenant', summary: 'Those who have a ledger of their own at a bank' },
  {
    path: 'sandbox tenant list',
    summary: 'List the tenants',
    load: () => import('../sandbox/tenant.ts'),
  },
  {
    path: 'sandbox tenant create',
    summary: 'Make a tenant',
    load: () => import('../sandbox/tenant.ts'),
  },
  {
    path: 'sandbox tenant delete',
    summary: 'Delete a tenant with its ledger',
    load: () => import('../sandbox/tenant.ts'),
  },
  {
    path: 'sandbox reset',
    summary: 'Give the bank inside a new, empty ledger',
    load: () => import('../sandbox/reset.ts'),
  },
];
