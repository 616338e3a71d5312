import type { AccountCall } from './account-calls.ts';
import type { Account } from '../books/accounts.ts';
import { pendingOf } from '../statements/pending.ts';
import type { Pending } from '../statements/pending.ts';
import type { ReportQuery } from './report-query.ts';

/** The pending transactions of some accounts on the requested days. */
export function pendingIn(
  { bank, call }: AccountCall,
  accounts: readonly Account[],
  { from, to }: Pick<ReportQuery, 'from' | 'to'>,
): (Pending & { currency: string })[] {
  return accounts
    .flatMap((account) =>
      pendingOf(bank.ledger.main, account, call.now).map((one) => ({ ...one, currency: account.currency })),
    )
    .filter(({ day }) => (from === undefined || day >= from) && day <= to);
}
