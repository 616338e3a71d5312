import type { Database } from '../books/database.ts';
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
    return {
      consentId: consent.consentId,
      tpp: consent.tpp,
      psuId: consent.psuId,
      authorisedBy: [...new Set(by)],
      status: consent.status,
      access: { ...lists, ownerName: additionalInformation?.ownerName },
      recurring: consent.recurring,
      frequencyPerDay: consent.frequencyPerDay,
      validUntil: consent.validUntil,
      combined: consent.combined ? true : undefined,
      lastActionDate: consent.lastActionDate,
      dueAt,
    };
  });
}

/** The payments of a ledger as a file lists them. */
export function paymentsForFile(database: Database): object[] {
  return allPayments(database).map((payment) => ({
    paymentId: payment.paymentId,
    tpp: payment.tpp,
    psuId: payment.psuId,
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
  }));
}
