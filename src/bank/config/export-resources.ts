import type { Database } from '../books/database.ts';
import { consentMoves, transactionMoves } from '../../standard/xs2a/codes.ts';
import { debtorAccount, referenced } from '../books/accounts.ts';
import { findPerson } from '../books/people.ts';
import { referencesOf } from '../stores/access.ts';
import { authorisationsOf } from '../sca/authorisation-store.ts';
import { allConsents } from '../stores/consent-store.ts';
import { allPayments, historyOf } from '../stores/payment-store.ts';

/** The consents of a ledger as a file lists them. */
export function consentsForFile(database: Database): object[] {
  return allConsents(database).map(({ access, dueAt, ...consent }) => {
    const { additionalInformation, ...lists } = access;
    const by = authorisationsOf(database, 'consent', consent.consentId)
      .filter(({ scaStatus }) => scaStatus === 'finalised' || scaStatus === 'exempted')
      .flatMap(({ psuId }) => psuId ?? []);
    const accounts = [...referencesOf(access), ...(additionalInformation?.ownerName ?? [])];
    const isThere = accounts.every((account) => referenced(database, account).length > 0);
    const hasEnded = consentMoves[consent.status].length === 0;
    const { psuId, former } = formerly(database, { psuId: consent.psuId, isThere, hasEnded });
    return {
      consentId: consent.consentId,
      tpp: consent.tpp,
      psuId,
      authorisedBy: [...new Set(by)].filter((one) => former === true || isCustomer(database, one)),
      status: consent.status,
      access: { ...lists, ownerName: additionalInformation?.ownerName },
      recurring: consent.recurring,
      frequencyPerDay: consent.frequencyPerDay,
      validUntil: consent.validUntil,
      combined: consent.combined ? true : undefined,
      lastActionDate: consent.lastActionDate,
      dueAt,
      former,
    };
  });
}

const isCustomer = (database: Database, psuId: string): boolean => findPerson(database, psuId) !== undefined;

/**
 * The customer of something, and whether that or its accounts have left the bank, which has ended it. Of what goes on, because
 * it concerns the account of another customer, the one who left is not told.
 */
function formerly(
  database: Database,
  { psuId, isThere, hasEnded }: { psuId: string | undefined; isThere: boolean; hasEnded: boolean },
): { psuId: string | undefined; former: true | undefined } {
  const isKnown = psuId === undefined || isCustomer(database, psuId);
  if (isKnown && isThere) return { psuId, former: undefined };
  return hasEnded ? { psuId, former: true } : { psuId: isKnown ? psuId : undefined, former: undefined };
}

/** The payments of a ledger as a file lists them. */
export function paymentsForFile(database: Database): object[] {
  return allPayments(database).map((payment) => ({
    paymentId: payment.paymentId,
    tpp: payment.tpp,
    service: payment.service,
    product: payment.product,
    framework: payment.framework,
    contentType: payment.contentType,
    status: payment.status,
    requestId: payment.requestId,
    createdAt: payment.createdAt,
    booked: payment.booked,
    cancelRequested: payment.cancelRequested ? true : undefined,
    stages: payment.stages,
    rejected: payment.rejected,
    history: historyOf(database, payment.paymentId).map(({ status, at }) => ({ status, at })),
    body: Buffer.from(payment.body).toString('utf8'),
    ...formerly(database, {
      psuId: payment.psuId,
      isThere: debtorAccount(database, payment.content.debtor) !== undefined,
      hasEnded: !transactionMoves[payment.status].includes('RJCT'),
    }),
  }));
}
