import { expect, it } from 'vitest';
import { exitOfCancellation, exitOfStatus } from '../../../../src/commands/output/exit-of-status.ts';

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
])('%s of a payment after init is %d, after authorise %d', (status, init, authorise) => {
  expect(exitOfStatus('payment', status, 'init')).toBe(init);
  expect(exitOfStatus('payment', status, 'authorise')).toBe(authorise);
});

it.each<[string | undefined, number, number]>([
  ['valid', 0, 0],
  ['received', 8, 8],
  ['partiallyAuthorised', 8, 0],
  ['rejected', 9, 9],
  ['expired', 9, 9],
  ['revokedByPsu', 9, 9],
  ['terminatedByTpp', 9, 9],
  ['frozen', 8, 8],
  [undefined, 8, 8],
])('%s of a consent after create is %d, after authorise %d', (status, create, authorise) => {
  expect(exitOfStatus('consent', status, 'create')).toBe(create);
  expect(exitOfStatus('consent', status, 'authorise')).toBe(authorise);
});

it.each<[string | undefined, number]>([
  ['CANC', 0],
  ['RJCT', 9],
  ['ACSC', 9],
  ['ACCC', 9],
  ['ACTC', 8],
  ['PATC', 8],
  ['RCVD', 8],
  ['NEWC', 8],
  [undefined, 8],
])('%s after a cancellation is %d', (status, exit) => {
  expect(exitOfCancellation(status)).toBe(exit);
});
