import { expect, it } from 'vitest';
import {
  exitOfCancellation,
  exitOfLed,
  exitOfStatus,
} from '../../../../../src/cli/commands/output/exit-of-status.ts';

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

it.each<[noun: 'payment' | 'consent', status: string | undefined, made: number, asked: number]>([
  ['payment', 'RCVD', 0, 8],
  ['payment', 'PDNG', 0, 8],
  ['payment', 'PATC', 0, 8],
  ['payment', 'ACTC', 0, 8],
  ['payment', undefined, 0, 8],
  ['payment', 'RJCT', 9, 9],
  ['payment', 'CANC', 9, 9],
  ['payment', 'PART', 9, 9],
  ['payment', 'NEWC', 8, 8],
  ['consent', 'received', 0, 8],
  ['consent', 'valid', 0, 8],
  ['consent', 'rejected', 9, 9],
  ['consent', 'frozen', 8, 8],
])('a %s that is %s and was only made is %d, where its authorisation was asked for %d', (...row) => {
  const [noun, status, made, asked] = row;
  const open = { noun, kind: noun, status, success: undefined, timedOut: false, leader: 'init' } as const;
  expect(exitOfLed({ ...open, asked: false })).toBe(made);
  expect(exitOfLed({ ...open, asked: true })).toBe(asked);
  expect(exitOfLed({ ...open, asked: false, timedOut: true })).toBe(asked);
  expect(exitOfLed({ ...open, asked: false, success: false })).toBe(9);
});
