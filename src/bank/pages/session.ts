import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Context } from 'hono';
import { getCookie, setCookie } from 'hono/cookie';
import type { RunningBank } from '../trust/call.ts';
import { isShutOut, psuOf, countWrong } from '../rules/psu.ts';
import { siteOf } from '../trust/site.ts';
import type { Site } from '../trust/site.ts';
import type { Database } from '../books/database.ts';
import type { LedgerPerson } from '../books/people.ts';
import type { FieldFault } from './html.ts';

/** One browser at one page of the bank; `psuId` once it is logged in. */
export interface Session {
  sessionId: string;
  psuId: string | undefined;
}

const cookie = 'obk_bank_session';
const lifeMs = 3_600_000;

/** The site of the bank as the browser sees it. */
function siteAt(bank: Pick<RunningBank, 'doors'>, c: Context): Site {
  return siteOf(bank.doors, new URL(c.req.url).origin);
}

/** A path of the bank as the browser sees it. */
export function pathAt(bank: Pick<RunningBank, 'doors'>, c: Context, path: string): string {
  return siteAt(bank, c).base + path;
}

/** Returns the session of the browser at this place, or a new one; the place is the path of the cookie. */
export function sessionAt(bank: RunningBank, c: Context, place: string): Session {
  const sessionId = getCookie(c, cookie);
  if (sessionId !== undefined) {
    const row = bank.ledger.main.one<{ psuId: string | null; createdAt: string }>(
      'SELECT psuId, createdAt FROM sessions WHERE sessionId = ? AND place = ?',
      sessionId,
      place,
    );
    const young = row !== undefined && bank.clock.now().getTime() - Date.parse(row.createdAt) < lifeMs;
    if (young) return { sessionId, psuId: letIn(bank, row.psuId) };
  }
  return newSession(bank, c, place, undefined);
}

/** The PSU of a session, unless the access was locked after the login. */
function letIn({ ledger }: RunningBank, psuId: string | null): string | undefined {
  const person = psuId === null ? undefined : psuOf(ledger.main, psuId);
  return person === undefined || isShutOut(person) ? undefined : person.psuId;
}

/** A new session; each login starts one, so that an id planted before the login is worthless. */
export function newSession(bank: RunningBank, c: Context, place: string, psuId: string | undefined): Session {
  const sessionId = randomBytes(24).toString('base64url');
  const now = bank.clock.now();
  const { main } = bank.ledger;
  main.atomically(() => {
    main.run('DELETE FROM sessions WHERE createdAt < ?', new Date(now.getTime() - lifeMs).toISOString());
    main.run(
      'INSERT INTO sessions (sessionId, psuId, place, createdAt) VALUES (?, ?, ?, ?)',
      sessionId,
      psuId ?? null,
      place,
      now.toISOString(),
    );
  });
  setCookie(c, cookie, sessionId, {
    path: pathAt(bank, c, place),
    httpOnly: true,
    secure: siteAt(bank, c).origin.startsWith('https:'),
    sameSite: 'Lax',
    maxAge: lifeMs / 1000,
  });
  return { sessionId, psuId };
}

/** The token that a form of this session must carry. */
export function csrfToken(bank: RunningBank, session: Session): string {
  return createHmac('sha256', bank.ledger.pageKey).update(session.sessionId).digest('base64url');
}

/** True if a form came from a page of this session. */
export function fromOwnPage(bank: RunningBank, c: Context, session: Session, token: string): boolean {
  const site = c.req.header('sec-fetch-site');
  const right = Buffer.from(csrfToken(bank, session));
  const sent = Buffer.from(token);
  return site !== 'cross-site' && sent.length === right.length && timingSafeEqual(sent, right);
}

/** The words for a PSU whose access is blocked or locked. */
const shutOut = 'Your access is blocked. Please call the bank.';

/** Returns the PSU with this PSU-ID, who may log in with a password that is not looked at yet, or the fault in the input. */
export function personNamed(
  database: Database,
  psuId: string,
  password: string,
): LedgerPerson | { fault: FieldFault } {
  const no = (field: string, text: string) => ({ fault: { field, text, psuId } });
  const person = psuOf(database, psuId);
  if (person === undefined) return no('psuId', 'The bank knows no such PSU-ID.');
  if (isShutOut(person)) return no('psuId', shutOut);
  return password === '' ? no('password', 'Enter the password.') : person;
}

/**
 * Returns the PSU who logs in, or the fault in the input. A wrong password is counted: it may lock the access, as one that is
 * entered in an authorisation does. `counted` are those that were.
 */
export function personLoggingIn(
  database: Database,
  psuId: string,
  password: string,
): LedgerPerson | { fault: FieldFault; counted: LedgerPerson | undefined } {
  const person = personNamed(database, psuId, password);
  if ('fault' in person) return { ...person, counted: undefined };
  if (person.password === password) return person;
  const no = (field: string, text: string, counted: LedgerPerson) => ({
    fault: { field, text, psuId },
    counted,
  });
  return countWrong(database, psuId)
    ? no('psuId', shutOut, { ...person, locked: true })
    : no('password', 'The password is wrong.', person);
}
