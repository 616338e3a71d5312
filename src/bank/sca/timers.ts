import { dueAuthorisation, failOthers, saveSca, writeSca } from './authorisation-store.ts';
import type { Authorisation } from './authorisation-store.ts';
import { dueBaskets, setBasket } from '../stores/basket-store.ts';
import { dueConsents, setConsent } from '../stores/consent-store.ts';
import { advance } from './conversation.ts';
import type { Database } from '../books/database.ts';
import { isUnauthorised } from './authorised-things.ts';
import { duePayment } from '../stores/payment-store.ts';
import { isShutOut, psuOf } from '../rules/psu.ts';
import { end, proceed } from '../booking/settlement.ts';

/** Does everything that has become due: authorisations that were decided or ran out, bookings, rejections. */
export function doDueWork(database: Database, now: Date): void {
  if (!isAnythingDue(database, now)) return;
  database.atomically(() => {
    let due = dueAuthorisation(database, now);
    for (; due !== undefined; due = dueAuthorisation(database, now))
      runOut(database, due.authorisation, due.at);
    for (const basketId of dueBaskets(database, now)) {
      setBasket(database, basketId, 'RJCT');
      failOthers(database, { parentKind: 'basket', parentId: basketId }, now);
    }
    for (const consent of dueConsents(database, now)) {
      setConsent(database, consent, consent.status === 'valid' ? 'expired' : 'rejected', now);
      failOthers(database, { parentKind: 'consent', parentId: consent.consentId }, now);
    }
    let payment = duePayment(database, now);
    for (; payment !== undefined; payment = duePayment(database, now)) {
      if (isUnauthorised(payment)) {
        end(database, payment, 'RJCT', payment.dueAt ?? now.toISOString());
        failOthers(database, { parentKind: 'payment', parentId: payment.paymentId }, now);
      } else proceed(database, payment, now);
    }
  });
}

const firstDue = `SELECT min(dueAt) AS first FROM (${['payments', 'authorisations', 'baskets', 'consents']
  .map((table) => `SELECT min(dueAt) AS dueAt FROM ${table} WHERE dueAt IS NOT NULL`)
  .join(' UNION ALL ')})`;

function isAnythingDue(database: Database, now: Date): boolean {
  // Asked without the time, so that the answer holds until something changes.
  const row = database.one<{ first: string | null }>(firstDue);
  return typeof row?.first === 'string' && row.first <= now.toISOString();
}

/** A decoupled PSU with access may decide by a timer; any other authorisation fails by timeout, which does not end the parent. */
function runOut(database: Database, authorisation: Authorisation, at: Date): void {
  const { approach, scaStatus, psuId } = authorisation;
  const person =
    approach === 'DECOUPLED' && scaStatus === 'started' && psuId !== undefined
      ? psuOf(database, psuId)
      : undefined;
  if (person?.phone === undefined || isShutOut(person))
    writeSca(database, authorisation, { ...authorisation, scaStatus: 'failed' }, at);
  else
    saveSca(database, authorisation, advance(authorisation, { kind: person.phone.decision }, person).sca, at);
}
