import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Context } from 'hono';
import { getCookie, setCookie } from 'hono/cookie';
import type { RunningBank } from '../trust/call.ts';
import { isShutOut, psuOf } from '../rules/psu.ts';
import { siteOf } from '../trust/site.ts';
import type { Site } from '../trust/site.ts';

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
