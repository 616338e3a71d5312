import type { Entry } from '../../command.ts';

/** Seeing and explaining what happened at a bank. */
export const support: readonly Entry[] = [
  {
    path: 'api',
    summary: 'Send any request of the interface, signed',
    group: 'SUPPORT',
    load: () => import('../api/api.ts'),
  },
  {
    path: 'listen',
    summary: 'Receive notifications of the bank',
    group: 'SUPPORT',
    load: () => import('../listen.ts'),
  },
  {
    path: 'explain',
    summary: 'Explain a status, an error code, a header ...',
    group: 'SUPPORT',
    load: () => import('../explain.ts'),
  },
  {
    path: 'report',
    summary: 'Write a page for a ticket',
    group: 'SUPPORT',
    load: () => import('../report.ts'),
  },
  { path: 'log', summary: 'What was sent and answered', group: 'SUPPORT' },
  { path: 'log list', summary: 'List the runs, newest first', load: () => import('../log/list.ts') },
  { path: 'log show', summary: 'Show the calls of one run', load: () => import('../log/show.ts') },
  {
    path: 'log tail',
    summary: 'Show the last calls, and those to come',
    load: () => import('../log/tail.ts'),
  },
  { path: 'log har', summary: 'Print calls as a HAR file', load: () => import('../log/har.ts') },
  { path: 'log curl', summary: 'Print calls as curl commands', load: () => import('../log/curl.ts') },
  { path: 'log diff', summary: 'Compare two calls or runs', load: () => import('../log/diff.ts') },
  { path: 'log prune', summary: 'Remove old runs', load: () => import('../log/prune.ts') },
  { path: 'log erase', summary: 'Clear a customer', load: () => import('../log/erase.ts') },
  { path: 'spec', summary: 'What the interface is', group: 'SUPPORT' },
  {
    path: 'spec diff',
    summary: 'Say what differs between v1 and v136',
    load: () => import('../spec/diff.ts'),
  },
  { path: 'sign', summary: 'How requests are signed', group: 'SUPPORT' },
  {
    path: 'sign explain',
    summary: 'Show how the signature of a request is made',
    load: () => import('../sign/explain.ts'),
  },
  {
    path: 'sign verify',
    summary: 'Verify the signature of a request',
    load: () => import('../sign/verify.ts'),
  },
  {
    path: 'check',
    summary: 'Try a bank by the rules, or judge calls',
    group: 'SUPPORT',
    load: () => import('../check/check.ts'),
  },
  { path: 'check diff', summary: 'Compare two checks', load: () => import('../check/diff.ts') },
  {
    path: 'check rules',
    summary: 'List the rules by which calls are judged',
    load: () => import('../check/rules.ts'),
  },
  {
    path: 'check request',
    summary: 'Judge requests of any TPP by the rules',
    load: () => import('../check/request.ts'),
  },
  { path: 'journey', summary: 'Journeys as files', group: 'SUPPORT' },
  { path: 'journey run', summary: 'Run journeys and judge them', load: () => import('../journey/run.ts') },
  { path: 'journey list', summary: 'List journeys', load: () => import('../journey/list.ts') },
  {
    path: 'journey record',
    summary: 'Write a journey of what was done',
    load: () => import('../journey/record.ts'),
  },
  { path: 'journey diff', summary: 'Compare two runs', load: () => import('../journey/diff.ts') },
  {
    path: 'journey schema',
    summary: 'Print the JSON Schema of journeys',
    load: () => import('../journey/schema.ts'),
  },
];
