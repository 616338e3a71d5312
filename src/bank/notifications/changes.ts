import { consentStatus, isFinalConsent, isKnown } from '../../standard/xs2a/codes.ts';
import type { ScaStatus } from '../../standard/xs2a/codes.ts';
import { toldStatuses } from '../../standard/xs2a/notification.ts';
import type { NotificationBody } from '../../standard/xs2a/notification.ts';
import type { Database } from '../books/database.ts';
import { isUnauthorised } from '../sca/authorised-things.ts';
import type { ParentKind } from '../sca/authorised-things.ts';
import { scaStatusIn } from '../sca/sca-reply.ts';
import { findBasket } from '../stores/basket-store.ts';
import { findConsent } from '../stores/consent-store.ts';
import { findPayment } from '../stores/payment-store.ts';
import { endWish, wishOf } from './wishes.ts';
import type { Wish } from './wishes.ts';

/** A change as a trigger of the ledger noted it: of the resource, or of an authorisation of this kind; or a push to be said again. */
interface Change {
  changeId: bigint;
  resourceId: string;
  subject: 'resource' | 'again' | ParentKind;
  authorisationId: string | null;
  before: string | null;
  after: string | null;
  pushId: bigint | null;
}

/** What a TPP is to be told. */
export type Message =
  { wish: Wish; body: NotificationBody; resendOf?: undefined } | { resendOf: number; resourceId: string };

/** Takes the changes that wait, and returns what the TPPs are told of them, oldest first; each is taken once, by one process. */
export function takeMessages(database: Database): Message[] {
  if (database.one('SELECT 1 FROM changes LIMIT 1') === undefined) return [];
  return database.atomically(() => {
    const changes = database.all<Change>('SELECT * FROM changes ORDER BY changeId');
    database.run('DELETE FROM changes');
    return changes.flatMap((change) => messageOf(database, change) ?? []);
  });
}

function messageOf(database: Database, change: Change): Message | undefined {
  const { subject, resourceId, pushId } = change;
  if (subject === 'again') return { resendOf: Number(pushId), resourceId };
  const wish = wishOf(database, resourceId);
  if (wish === undefined) return undefined;
  const body = subject === 'resource' ? ofResource(database, wish, change) : ofAuthorisation(wish, change);
  return body && { wish, body: { [idNames[wish.kind]]: resourceId, ...body } };
}

const idNames = { payment: 'paymentId', consent: 'consentId', basket: 'basketId' } as const;

/** PROCESS tells each change, LAST only the end, once nothing more is to come. */
function ofResource(database: Database, wish: Wish, { before, after }: Change): NotificationBody | undefined {
  const ended = hasEnded(database, wish) && endWish(database, wish.resourceId);
  const last = ended && wish.content.includes('LAST') && !wish.content.includes('PROCESS');
  const told = shown(wish, last ? (statusNow(database, wish) ?? '') : (after ?? ''));
  const moved = wish.content.includes('PROCESS') && shown(wish, before ?? '') !== told;
  if (!last && !moved) return undefined;
  const name = wish.kind === 'consent' ? 'consentStatus' : 'transactionStatus';
  return isTold(name, told) ? { [name]: told } : { _links: { status: { href: `${wish.path}/status` } } };
}

function ofAuthorisation(
  wish: Wish,
  { subject, authorisationId, before, after }: Change,
): NotificationBody | undefined {
  if (!wish.content.includes('SCA') || authorisationId === null) return undefined;
  const told = scaStatusIn(wish, after as ScaStatus);
  if (told === scaStatusIn(wish, before as ScaStatus)) return undefined;
  const cancels = subject === 'cancellation';
  const folder = cancels ? 'cancellation-authorisations' : 'authorisations';
  return {
    [cancels ? 'cancellationId' : 'authorisationId']: authorisationId,
    ...(isTold('scaStatus', told)
      ? { scaStatus: told }
      : { _links: { scaStatus: { href: `${wish.path}/${folder}/${authorisationId}` } } }),
  };
}

function isTold(name: keyof typeof toldStatuses, status: string): boolean {
  return (toldStatuses[name] as readonly string[]).includes(status);
}

/** A status as the framework of the resource shows it: partiallyAuthorised came later than the others. */
function shown({ kind, framework }: Wish, status: string): string {
  return kind !== 'consent' || isKnown(framework, consentStatus(status)) ? status : 'received';
}

function statusNow(database: Database, { kind, resourceId }: Wish): string | undefined {
  if (kind === 'payment') return findPayment(database, resourceId)?.status;
  if (kind === 'consent') return findConsent(database, resourceId)?.status;
  return findBasket(database, resourceId)?.status;
}

/** Whether a resource shows the last status that it will have. */
function hasEnded(database: Database, wish: Wish): boolean {
  if (wish.kind === 'payment') {
    const payment = findPayment(database, wish.resourceId);
    return payment !== undefined && payment.stages.length === 0 && !isUnauthorised(payment);
  }
  const status = statusNow(database, wish) ?? '';
  return wish.kind === 'consent' ? isFinalConsent(status) : status !== 'RCVD' && status !== 'PATC';
}
