import { parseUrl } from '../../base/url.ts';
import { answerHeadersOf } from '../../standard/xs2a/headers.ts';
import { notificationContents } from '../../standard/xs2a/notification.ts';
import type { NotificationContent } from '../../standard/xs2a/notification.ts';
import type { Framework } from '../../standard/xs2a/variants.ts';
import type { Database, SqlValue } from '../books/database.ts';
import type { Parent } from '../sca/authorised-things.ts';
import { pathOf } from '../sca/sca-reply.ts';
import type { Call, RunningBank } from '../trust/call.ts';
import { whyNot } from './address.ts';
import { notePush } from './pushes.ts';

/** A TPP's wish to be told of the changes of a resource, as the ledger keeps it. */
export interface Wish {
  resourceId: string;
  kind: 'payment' | 'consent' | 'basket';
  framework: Framework;
  /** The operation that made the resource. */
  operation: string;
  /** The path of the resource, with the prefix of the call that made it. */
  path: string;
  uri: string;
  content: readonly NotificationContent[];
}

/** What a TPP is told that does not say. */
const usualContent: readonly NotificationContent[] = ['SCA', 'PROCESS'];

/**
 * Keeps the wish of a request that makes a resource, also for its later cancellation, and returns the headers that answer
 * it (guide 1.0 of the notification service, 5.1), where the framework has them.
 */
export function takeWish(bank: RunningBank, call: Call, parent: Parent): Record<string, string> {
  const uri = call.headers.get('tpp-notification-uri');
  if (uri === null || parent.kind === 'cancellation' || call.scenario.notifications === 'none') return {};
  const wanted = notificationContents(call.headers.get('tpp-notification-content-preferred'));
  const wish: Wish = {
    resourceId: parent.id,
    kind: parent.kind,
    framework: call.variant.framework,
    operation: call.operation.id,
    path: pathOf(call.variant, parent),
    uri,
    content: wanted.length === 0 ? usualContent : wanted,
  };
  const declined =
    call.scenario.notifications === 'declined'
      ? 'The bank declines each wish (obk sandbox scenario).'
      : whyNot(parseUrl(uri), call.certificateNames, bank.pushes.door);
  if (declined === undefined) insertWish(bank.ledger.main, wish);
  else
    notePush(
      bank.ledger.main,
      { ...wish, requestId: call.requestId, body: '', failure: declined },
      bank.wallClock.now(),
    );
  const known = answerHeadersOf(call.variant, call.operation, 201).map(({ name }) => name);
  if (!known.includes('ASPSP-Notification-Support')) return {};
  if (declined !== undefined) return { 'ASPSP-Notification-Support': 'false' };
  return {
    'ASPSP-Notification-Support': 'true',
    'ASPSP-Notification-Content': `status=${wish.content.join(',')}`,
  };
}

const columns = ['resourceId', 'kind', 'framework', 'operation', 'path', 'uri', 'content'] as const;

function insertWish(database: Database, wish: Wish): void {
  database.run(
    `INSERT INTO wishes (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`,
    ...columns.map((column): SqlValue => (column === 'content' ? wish.content.join(',') : wish[column])),
  );
}

/** The wish that is kept with a resource. */
export function wishOf(database: Database, resourceId: string): Wish | undefined {
  const row = database.one<Record<keyof Wish, string>>(
    `SELECT ${columns.join(', ')} FROM wishes WHERE resourceId = ?`,
    resourceId,
  );
  return row && ({ ...row, content: row.content.split(',') } as unknown as Wish);
}

/** Notes that a resource has come to its end; false where that was noted before. */
export function endWish(database: Database, resourceId: string): boolean {
  const ended = 'UPDATE wishes SET ended = 1 WHERE resourceId = ? AND ended = 0 RETURNING resourceId';
  return database.one(ended, resourceId) !== undefined;
}
