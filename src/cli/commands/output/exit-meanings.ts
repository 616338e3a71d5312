import type { Advice } from '../../../standard/xs2a/advice.ts';

/** One exit code as documented; `short` fits a line, `long` says when, `advice` what to do and `who` must do it. */
export interface ExitMeaning extends Advice {
  code: number;
  name: string;
  short: string;
  long: string;
}

/** A row for each exit code, frozen: code, name, short, long, who, advice. */
const rows: readonly (readonly [number, string, string, string, Advice['who'], string])[] = [
  [
    0,
    'ok',
    'done',
    'Done; also an empty list, and an output whose reader left early.',
    'nobody',
    'Nothing is left to do.',
  ],
  [
    1,
    'internal',
    'unexpected error, or the output could not be written',
    'An unexpected error, or the output could not be written. --debug shows the stack.',
    'TPP',
    'Run it again with --debug; obk pending list shows whether something was sent.',
  ],
  [
    2,
    'usage',
    'wrong or missing flag; nothing was sent',
    'A wrong flag or argument, missing input without a terminal, or a confirmation that was not given.',
    'TPP',
    'Mend the command line as the error says; nothing was sent.',
  ],
  [
    3,
    'config',
    'profile, key, certificate or saved state',
    'Profile, key, certificate or a saved file is wrong, or the bank refuses certificate or signature.',
    'TPP',
    'obk doctor checks profile, key and certificate step by step.',
  ],
  [
    4,
    'auth-needed',
    'no valid consent or token',
    'There is no consent or token, or the bank says that it is expired or not valid.',
    'PSU',
    'Get a consent by obk consent create, or a token by obk auth login.',
  ],
  [
    5,
    'rejected',
    'the bank refused the call',
    'The bank refused the call for any other reason.',
    'TPP',
    'Read the code of the bank: obk explain CODE; obk log show @last -vvv shows the call.',
  ],
  [
    6,
    'bank-error',
    'the bank failed or its answer cannot be read',
    'The bank failed on a read (or on a write that had no effect), or its answer cannot be read.',
    'ASPSP',
    'Try a read again later; obk report ID --output FILE writes the page for the ticket.',
  ],
  [
    7,
    'not-sent',
    'nothing left this machine; safe to run again',
    'No connection: the request did not leave this machine. It is safe to run the command again.',
    'TPP',
    'Run it again; obk doctor shows what is wrong with the way to the bank.',
  ],
  [
    8,
    'pending',
    'not finished yet',
    'The wait ended before the result. The JSON is on stdout.',
    'PSU',
    'Wait, or go on where it stopped: obk pending list shows how.',
  ],
  [
    9,
    'declined',
    'the customer or the bank said no',
    'The customer refused, SCA failed, or the bank rejected or cancelled. The JSON is on stdout.',
    'PSU',
    'Ask the PSU why, then start anew; the status and the code say more.',
  ],
  [
    10,
    'expectation',
    'a check found something',
    'A check that was asked for found something. The JSON is on stdout.',
    'TPP',
    'Read what was found: on stdout, with --findings on stderr.',
  ],
  [
    11,
    'throttled',
    'too many calls',
    'Too many calls for the bank; Retry-After is shown where it was given.',
    'TPP',
    'Wait as long as Retry-After says; --rate spaces calls out.',
  ],
  [
    12,
    'unknown',
    'sent, but the outcome is not known: do not run it again',
    'A change was sent and its outcome is unknown. Do not run it again; see obk pending list.',
    'TPP',
    'Find out what the bank did, then settle it: obk pending show ID, obk pending resolve ID.',
  ],
  [
    130,
    'interrupted',
    'stopped by Ctrl-C',
    'Stopped by Ctrl-C, or by Ctrl-D in a question.',
    'nobody',
    'obk pending list shows what was left unfinished.',
  ],
  [
    143,
    'terminated',
    'stopped by SIGTERM',
    'Stopped by SIGTERM.',
    'nobody',
    'obk pending list shows what was left unfinished.',
  ],
];

/** Every exit code. */
export const exitMeanings: readonly ExitMeaning[] = rows.map(([code, name, short, long, who, advice]) => ({
  ...{ code, name, short, long, who, advice },
}));

/** The word for an exit code. */
export const exitName = (code: number): string =>
  exitMeanings.find((meaning) => meaning.code === code)?.name ?? String(code);
