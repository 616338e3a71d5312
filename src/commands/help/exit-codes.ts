import { definitions } from '../../render/wrap.ts';
import type { Register, Run } from '../register.ts';

/** One exit code as documented; `short` fits a line, `long` says when. */
export interface ExitMeaning {
  code: number;
  name: string;
  short: string;
  long: string;
}

const meaning = (code: number, name: string, short: string, long: string): ExitMeaning => ({
  code,
  name,
  short,
  long,
});

/** Every exit code, frozen. */
export const exitMeanings: readonly ExitMeaning[] = [
  meaning(0, 'ok', 'done', 'Done; also an empty list, and an output that nobody read to its end.'),
  meaning(
    1,
    'internal',
    'unexpected error, or the output could not be written',
    'An unexpected error, or the output could not be written. --debug shows the stack.',
  ),
  meaning(
    2,
    'usage',
    'wrong or missing flag; nothing was sent',
    'A wrong flag or argument, missing input without a terminal, or a confirmation that was not given.',
  ),
  meaning(
    3,
    'config',
    'profile, key, certificate or saved state',
    'Profile, key, certificate or a saved file is wrong, or the bank refuses certificate or signature.',
  ),
  meaning(
    4,
    'auth-needed',
    'no valid consent or token',
    'There is no consent or token, or the bank says that it is expired or not valid.',
  ),
  meaning(5, 'rejected', 'the bank refused the call', 'The bank refused the call for any other reason.'),
  meaning(
    6,
    'bank-error',
    'the bank failed or its answer cannot be read',
    'The bank failed on a read (or on a write that did not act), or its answer cannot be read.',
  ),
  meaning(
    7,
    'not-sent',
    'nothing left this machine; safe to run again',
    'No connection: the request did not leave this machine. It is safe to run the command again.',
  ),
  meaning(8, 'pending', 'not finished yet', 'The wait ended before the result. The JSON is on stdout.'),
  meaning(
    9,
    'declined',
    'the customer or the bank said no',
    'The customer refused, SCA failed, or the bank rejected or cancelled. The JSON is on stdout.',
  ),
  meaning(
    10,
    'expectation',
    'a check found something',
    'A check that was asked for found something. The JSON is on stdout.',
  ),
  meaning(
    11,
    'throttled',
    'too many calls',
    'Too many calls for the bank; Retry-After is shown where it was given.',
  ),
  meaning(
    12,
    'unknown',
    'sent, but the outcome is not known: do not run it again',
    'A changing request left and its outcome is not known. Do not run it again; see obk pending list.',
  ),
  meaning(130, 'interrupted', 'stopped by Ctrl-C', 'Stopped by Ctrl-C, or by Ctrl-D in a question.'),
  meaning(143, 'terminated', 'stopped by SIGTERM', 'Stopped by SIGTERM.'),
];

const text = [
  'What each exit code means; they do not change between releases.',
  '',
  'EXIT CODES',
  ...definitions(
    exitMeanings.map(({ code, name, long }) => [`${String(code).padStart(3)}  ${name}`, long] as const),
    { indent: 2, width: 80, column: 22 },
  ),
  '',
  'stdout holds the result with 0, 8, 9, 10 and 12; with every other code it is',
  'empty, and the error is on stderr (one JSON object with --json).',
  '',
].join('\n');

export const register: Register = (parent, start) =>
  start(parent.command('exit-codes'), { examples: [], text }, run);

export const run: Run<object> = () =>
  Promise.resolve({
    kind: 'data',
    data: exitMeanings.map(({ code, name, long }) => ({ code, name, meaning: long })),
    text: () => text,
  });
