import { parseUrl, isLoopback } from '../../base/url.ts';
import { answerHeadersOf } from '../../standard/xs2a/headers.ts';
import { notificationContents } from '../../standard/xs2a/notification.ts';
import type { NotificationContent } from '../../standard/xs2a/notification.ts';
import type { Framework } from '../../standard/xs2a/variants.ts';
import type { Database, SqlValue } from '../books/database.ts';
import type { Parent } from '../sca/authorised-things.ts';
import { pathOf } from '../sca/sca-reply.ts';
import type { Call, RunningBank } from '../trust/call.ts';
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

/** Where the bank may push: on this machine only, also where the TPP's certificate (QWAC) names the host, or anywhere. */
export type PushDoor = 'loopback' | 'certificate' | 'anywhere';

/** Says why the bank does not push to an address; undefined where it does. `names` are those of the QWAC. */
export function whyNot(url: URL | undefined, names: readonly string[], door: PushDoor): string | undefined {
  if (url === undefined || !/^https?:$/.test(url.protocol)) return 'The address is none of http or https.';
  if (url.username !== '' || url.password !== '') return 'The address has a user name or a password in it.';
  if (isLoopback(url.hostname) || door === 'anywhere') return undefined;
  if (names.length === 0) return 'The connection showed no certificate (QWAC) that names the host.';
  if (!names.some((name) => covers(name, url.hostname)))
    return 'No name in the certificate (QWAC) is that of the host.';
  if (url.protocol !== 'https:') return 'Outside this machine the bank pushes by https only.';
  return door === 'certificate' ? undefined : 'This bank pushes to this machine only.';
}

/**
 * Whether the name of a certificate covers a host: the name itself and all below it; below a wildcard likewise (guide
 * 1.0, 5.2). An address covers itself alone.
 */
function covers(name: string, hostname: string): boolean {
  const host = plain(hostname);
  const own = plain(name);
  const base = own.replace(/^\*\./, '');
  if (isAddress(host) || isAddress(base)) return own === host;
  // A name without a dot would cover a whole top-level domain.
  if (!/^[a-z0-9_-]+(\.[a-z0-9_-]+)+$/.test(base)) return false;
  return (own === base && host === base) || host.endsWith(`.${base}`);
}

const plain = (name: string): string =>
  name
    .toLowerCase()
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/\.$/, '');

const isAddress = (name: string): boolean => name.includes(':') || /^[0-9]+(\.[0-9]+){3}$/.test(name);
