import { entries } from './entries.ts';

/** What was sent to a bank and answered, and requests of any kind. */
export const debugging = entries('Debugging', {
  log: ['What was sent and answered'],
  'log list': ['List the runs, newest first', () => import('../log/list.ts')],
  'log show': ['Show the calls of one run', () => import('../log/show.ts')],
  'log tail': ['Show the last calls, and those to come', () => import('../log/tail.ts')],
  'log har': ['Print calls as a HAR file', () => import('../log/har.ts')],
  'log curl': ['Print calls as curl commands', () => import('../log/curl.ts')],
  'log diff': ['Compare two calls or runs', () => import('../log/diff.ts')],
  'log prune': ['Remove old runs', () => import('../log/prune.ts')],
  'log erase': ['Clear a customer', () => import('../log/erase.ts')],
  report: ['Write a page for a ticket', () => import('../report.ts')],
  explain: ['Explain a status, an error code, a header ...', () => import('../explain.ts')],
  api: ['Send any request of the interface, signed', () => import('../api/api.ts')],
  listen: ['Receive notifications of the bank', () => import('../listen.ts')],
  spec: ['What the interface is'],
  'spec diff': ['Say what differs between v1 and v136', () => import('../spec/diff.ts')],
  sign: ['How requests are signed'],
  'sign explain': ['Show how the signature of a request is made', () => import('../sign/explain.ts')],
  'sign verify': ['Verify the signature of a request', () => import('../sign/verify.ts')],
});

/** Tests of a bank or of a TPP. */
export const testing = entries('Testing', {
  check: ['Try a bank by the rules, or judge calls', () => import('../check/check.ts')],
  'check diff': ['Compare two checks', () => import('../check/diff.ts')],
  'check rules': ['List the rules by which calls are judged', () => import('../check/rules.ts')],
  'check request': ['Judge requests of any TPP by the rules', () => import('../check/request.ts')],
  journey: ['Journeys as files'],
  'journey run': ['Run journeys and judge them', () => import('../journey/run.ts')],
  'journey list': ['List journeys', () => import('../journey/list.ts')],
  'journey record': ['Write a journey of what was done', () => import('../journey/record.ts')],
  'journey diff': ['Compare two runs', () => import('../journey/diff.ts')],
  'journey schema': ['Print the JSON Schema of journeys', () => import('../journey/schema.ts')],
});
