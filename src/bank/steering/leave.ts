import { accountsOf, cardsOf, debtorAccount, numberOf } from '../books/accounts.ts';
import type { Account } from '../books/accounts.ts';
import type { Database } from '../books/database.ts';
import { allPeople, setAuthorisers } from '../books/people.ts';
import { consentMoves, transactionMoves } from '../../standard/xs2a/codes.ts';
import type { ConsentStatus } from '../../standard/xs2a/codes.ts';
import { failOthers } from '../sca/authorisation-store.ts';
import { accountsIn, referencesOf } from '../stores/access.ts';
import { allConsents, setConsent } from '../stores/consent-store.ts';
import { allPayments } from '../stores/payment-store.ts';
import { end } from '../booking/settlement.ts';

/** What ended with a customer or an account. */
export interface Left {
  consents: string[];
  payments: string[];
}

/**
 * A customer leaves the bank: their payments that have not ended are rejected, their consents revoked (rejected where they were not
 * valid yet), and so is what other customers agreed to of these accounts; the accounts are closed. What they authorised with others,
 * those authorise without them.
 */
export function removePerson(database: Database, psuId: string, now: Date): Left {
  const accounts = [...accountsOf(database, psuId), ...cardsOf(database, psuId)];
  const left = endAll(database, accounts, psuId, now);
  for (const account of accounts) close(database, account);
  database.run('DELETE FROM sessions WHERE psuId = ?', psuId);
  database.run('DELETE FROM tokens WHERE psuId = ?', psuId);
  database.run('DELETE FROM people WHERE psuId = ?', psuId);
  for (const { psuId: other, authorisers } of allPeople(database))
    if (authorisers?.includes(psuId) === true)
      setAuthorisers(
        database,
        other,
        authorisers.filter((one) => one !== psuId),
      );
  return left;
}

/** An account is closed: what is about it ends as for a customer who leaves. */
export function removeAccount(database: Database, account: Account, now: Date): Left {
  const left = endAll(database, [account], undefined, now);
  close(database, account);
  return left;
}

function endAll(
  database: Database,
  accounts: readonly Account[],
  psuId: string | undefined,
  now: Date,
): Left {
  const ids = new Set(accounts.map(({ accountId }) => accountId));
  const left: Left = { consents: [], payments: [] };
  for (const payment of allPayments(database)) {
    const debtor = debtorAccount(database, payment.content.debtor);
    const isTheirs =
      debtor === undefined ? payment.psuId === psuId && psuId !== undefined : ids.has(debtor.accountId);
    if (!isTheirs || !transactionMoves[payment.status].includes('RJCT')) continue;
    for (const parentKind of ['payment', 'cancellation'] as const)
      failOthers(database, { parentKind, parentId: payment.paymentId }, now);
    end(database, payment, 'RJCT', now.toISOString());
    left.payments.push(payment.paymentId);
  }
  for (const consent of allConsents(database)) {
    const named = accountsIn(database, referencesOf(consent.access), consent.psuId);
    const isTheirs =
      (psuId !== undefined && consent.psuId === psuId) || named.some(({ accountId }) => ids.has(accountId));
    const to = (['revokedByPsu', 'rejected'] satisfies ConsentStatus[]).find((status) =>
      consentMoves[consent.status].includes(status),
    );
    if (!isTheirs || to === undefined) continue;
    failOthers(database, { parentKind: 'consent', parentId: consent.consentId }, now);
    setConsent(database, consent, to, now);
    left.consents.push(consent.consentId);
  }
  return left;
}

/** The entries stay in the books, which sum to zero; nobody has the account any more, and its numbers are free. */
function close(database: Database, account: Account): void {
  database.run('DELETE FROM pendingEntries WHERE accountId = ?', account.accountId);
  database.run('UPDATE accounts SET settledBy = NULL WHERE settledBy = ?', account.accountId);
  database.run(
    `UPDATE accounts SET psuId = NULL, name = ?, iban = NULL, bban = NULL, msisdn = NULL, pan = NULL, maskedPan = NULL
     WHERE accountId = ?`,
    `Closed: ${numberOf(account)}`,
    account.accountId,
  );
}
