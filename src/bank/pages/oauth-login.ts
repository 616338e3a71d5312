import type { Context } from 'hono';
import type { RunningBank } from '../trust/call.ts';
import { answerUrl, countWrongPassword, endLogin, findLogin } from '../oauth/oauth-requests.ts';
import type { KeptRequest } from '../oauth/oauth-requests.ts';
import { attemptsOf } from '../rules/psu.ts';
import { accessForm, loginForm, resultLine } from './forms.ts';
import type { FormFrame } from './forms.ts';
import { answerPage, expired, html, nothingPage } from './html.ts';
import type { FieldFault } from './html.ts';
import { personLoggingIn, csrfToken, fromOwnPage, newSession, pathAt, sessionAt } from './session.ts';
import type { Session } from './session.ts';

/** One visit to the page of a login. */
interface Visit {
  bank: RunningBank;
  c: Context;
  request: KeptRequest;
  session: Session;
  place: string;
}

/** GET and POST /login/{request}: the PSU logs in before any call (OAuth pre-step) and says what the TPP may do. */
export async function oauthLoginPage(
  bank: RunningBank,
  c: Context,
  request: KeptRequest | undefined,
): Promise<Response> {
  const now = bank.clock.now();
  if (request === undefined || (request.decision === undefined && request.pageUntil <= now.toISOString()))
    return nothingPage(c, 'This link does not lead to a login. It may be incomplete or expired.');
  const place = `/login/${request.requestId}`;
  const visit: Visit = { bank, c, request, place, session: sessionAt(bank, c, place) };
  if (request.decision !== undefined) return over(visit);
  if (c.req.method !== 'POST') return show(visit);
  const fields = await c.req.parseBody();
  const text = (name: string) => (typeof fields[name] === 'string' ? fields[name] : '');
  if (!fromOwnPage(bank, c, visit.session, text('csrf'))) return show(visit, expired);
  const { psuId } = visit.session;
  if (psuId === undefined) return login(visit, text('psuId').trim(), text('password'));
  const decision = text('decision');
  return decision === 'approve' || decision === 'refuse' ? decide(visit, decision, psuId) : show(visit);
}

function login(visit: Visit, psuId: string, password: string): Response {
  const { bank, c, request, place } = visit;
  const { main } = bank.ledger;
  return main.atomically(() => {
    const person = personLoggingIn(main, psuId, password);
    if (!('fault' in person)) {
      newSession(bank, c, place, person.psuId);
      return c.redirect(pathAt(bank, c, place), 303);
    }
    const { counted, fault } = person;
    if (counted === undefined) return show(visit, fault);
    countWrongPassword(main, request);
    const isOver = counted.locked || request.attempts + 1 >= attemptsOf(counted);
    return isOver ? decide(visit, 'refuse', undefined) : show(visit, fault);
  });
}

function decide(visit: Visit, decision: 'approve' | 'refuse', psuId: string | undefined): Response {
  const { bank, request } = visit;
  const { main } = bank.ledger;
  // If two browsers decide, the first one counts.
  main.atomically(() => {
    if (findLogin(main, request.requestId)?.decision === undefined)
      endLogin(main, request, { decision, psuId, now: bank.clock.now() });
  });
  return over(visit);
}

function show(visit: Visit, fault?: FieldFault): Response {
  const { bank, c, request, session, place } = visit;
  const frame: FormFrame = { action: pathAt(bank, c, place), csrf: csrfToken(bank, session), fault };
  if (session.psuId === undefined) return answerPage(c, 'Log in to your bank', loginForm(frame), fault);
  const wanted = request.scope.split(' ').flatMap((word) => meanings[word] ?? []);
  const content = html`<p>
      ${request.clientId} asks to act for you. Each payment and each consent needs your approval as well.
    </p>
    <ul>
      ${wanted.map((meaning) => html`<li>${meaning}</li> `)}
    </ul>
    ${accessForm(frame)}`;
  return answerPage(c, 'Allow access to your bank', content, fault);
}

const meanings: Readonly<Partial<Record<string, string>>> = {
  PIS: 'Start payments',
  AIS: 'Read accounts',
  PIIS: 'Ask whether there is enough money',
  offline_access: 'Stay logged in',
};

/** Redirects to the TPP; a reload shows the last page. */
function over({ bank, c, request }: Visit): Response {
  const target = answerUrl(bank.ledger.main, request);
  if (c.req.method === 'POST') return c.redirect(target, 303);
  const good = request.decision === 'approve';
  const content = html`${resultLine(good)}
    <p><a href="${target}" id="back">Back to where you came from</a></p>`;
  return answerPage(c, good ? 'Done' : 'Not approved', content);
}
