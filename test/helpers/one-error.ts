import { expect } from 'vitest';
import type { ErrorDocument } from '../../src/cli/render/error.ts';
import type { Ran } from './obk.ts';

// eslint-disable-next-line no-control-regex
const control = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/;

/** Nothing on stderr that only a programmer or an attacker would want there. */
export function expectTidy({ stderr }: Ran): void {
  expect(stderr).not.toMatch(/^\s+at /m);
  expect(stderr).not.toMatch(control);
}

/** The error of a run with --json: exactly one on stderr, tidy, with the exit code of the run. */
export function oneError(ran: Ran): ErrorDocument['error'] {
  expectTidy(ran);
  const documents = ran.stderr.split('\n').filter((line) => line.startsWith('{"error":'));
  expect(documents, ran.stderr).toHaveLength(1);
  const { error } = JSON.parse(documents[0] ?? '') as ErrorDocument;
  expect(error.exitCode).toBe(ran.code);
  expect(error.title).not.toBe('');
  return error;
}
