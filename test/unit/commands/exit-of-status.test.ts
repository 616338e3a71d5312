import { expect, it } from 'vitest';
import { exitOfStatus } from '../../../src/commands/payment/exit-of-status.ts';

it.each<[string | undefined, number, number]>([
  ['ACTC', 0, 0],
  ['ACWC', 0, 0],
  ['ACCP', 0, 0],
  ['ACFC', 0, 0],
  ['ACSP', 0, 0],
  ['ACWP', 0, 0],
  ['ACSC', 0, 0],
  ['ACCC', 0, 0],
  ['RCVD', 8, 8],
  ['PDNG', 8, 8],
  ['PATC', 8, 0],
  ['PART', 9, 9],
  ['RJCT', 9, 9],
  ['CANC', 9, 9],
  ['NEWC', 8, 8],
  [undefined, 8, 8],
])('%s after init is %d, after authorise %d', (status, init, authorise) => {
  expect(exitOfStatus(status, 'init')).toBe(init);
  expect(exitOfStatus(status, 'authorise')).toBe(authorise);
});
