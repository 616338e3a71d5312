import { exitCodes } from '../../errors.ts';
import type { ExitCode } from '../../errors.ts';
import { transactionStatus } from '../../xs2a/codes.ts';

/** What a transactionStatus after SCA means for the exit code; one that nobody knows is neither good nor bad. */
export function exitOfStatus(status: string | undefined, leader: 'init' | 'authorise'): ExitCode {
  switch (status === undefined ? undefined : transactionStatus(status)?.kind) {
    case 'accepted':
    case 'settled':
      return exitCodes.ok;
    case 'partly-authorised':
      return leader === 'authorise' ? exitCodes.ok : exitCodes.pending;
    case 'rejected':
    case 'cancelled':
    case 'partly':
      return exitCodes.declined;
    case 'received':
    case 'pending':
    case undefined:
      return exitCodes.pending;
  }
}
