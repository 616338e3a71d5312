import type { Context } from 'hono';
import { findAuthorisation, onPhone, saveSca } from '../sca/authorisation-store.ts';
import type { RunningBank } from '../trust/call.ts';
import { advance } from '../sca/conversation.ts';
import { findParent } from '../sca/authorised-things.ts';
import { psuOf } from '../rules/psu.ts';
import type { LedgerPerson } from '../books/people.ts';
import { doDueWork } from '../sca/timers.ts';
import { details, headline, leaveForm, loginForm, phoneForm, resultLine } from './forms.ts';
import type { FormFrame } from './forms.ts';
import { html, page } from './html.ts';
import type { FieldFault } from './html.ts';
import { personLoggingIn } from './login.ts';
import { csrfToken, fromOwnPage, newSession, pathAt, sessionAt } from './session.ts';
import type { Session } from './session.ts';

const place = '/phone';

/** GET and POST /phone: the banking app of a decoupled PSU, with the authorisations that wait for a decision. */
export async function phonePage(bank: RunningBank, c: Context): Promise<Response> {
  doDueWork(bank.ledger.main, bank.clock.now());
  const session = sessionAt(bank, c, place);
  if (c.req.method !== 'POST') return show(bank, c, session);
  const fields = await c.req.parseBody();
  const text = (name: string) => (typeof fields[name] === 'string' ? fields[name] : '');
  if (!fromOwnPage(bank, c, session, text('csrf'))) {
    return show(bank, c, session, { text: 'The page has expired. Please try again.' }, 403);
  }
  const person = session.psuId === undefined ? undefined : psuOf(bank.ledger.main, session.psuId);
  if (person === undefined) return login(bank, c, session, text('psuId').trim(), text('password'));
  if (text('decision') === 'leave') {
    newSession(bank, c, place, undefined);
    return c.redirect(pathAt(bank, c, place), 303);
  }
  return decide(bank, c, person, text('authorisationId'), text('decision'));
}

function login(bank: RunningBank, c: Context, session: Session, psuId: string, password: string): Response {
  const person = personLoggingIn(bank.ledger.main, psuId, password);
  if ('fault' in person) return show(bank, c, session, person.fault);
  newSession(bank, c, place, psuId);
  return c.redirect(pathAt(bank, c, place), 303);
}

function decide(
  bank: RunningBank,
  c: Context,
  person: LedgerPerson,
  authorisationId: string,
  decision: string,
): Response {
  const { main } = bank.ledger;
  if (decision !== 'approve' && decision !== 'refuse') return c.redirect(pathAt(bank, c, place), 303);
  main.atomically(() => {
    const waiting = onPhone(main, person.psuId).find((one) => one.authorisationId === authorisationId);
    if (waiting === undefined) return;
    saveSca(main, waiting, advance(waiting, { kind: decision }, person).sca, bank.clock.now());
  });
  return c.redirect(`${pathAt(bank, c, place)}?decided=${encodeURIComponent(authorisationId)}`, 303);
}

function show(
  bank: RunningBank,
  c: Context,
  session: Session,
  fault?: FieldFault,
  status: 200 | 403 | 422 = fault === undefined ? 200 : 422,
): Response {
  const { main } = bank.ledger;
  const frame: FormFrame = { action: pathAt(bank, c, place), csrf: csrfToken(bank, session), fault };
  if (session.psuId === undefined)
    return c.html(page('Your banking app', loginForm(frame, fault?.psuId), fault), status);
  const waiting = onPhone(main, session.psuId).flatMap((authorisation) => {
    const { authorisationId, parentKind, parentId } = authorisation;
    const parent = findParent(main, parentKind, parentId);
    if (parent === undefined) return [];
    return [
      html`<section aria-labelledby="title-${authorisationId}">
        <h2 id="title-${authorisationId}">${headline(parent)}</h2>
        ${details(parent)} ${phoneForm(frame, authorisationId)}
      </section> `,
    ];
  });
  const decided = c.req.query('decided');
  const done = decided === undefined ? undefined : findAuthorisation(main, decided);
  const mine = done?.psuId === session.psuId ? done : undefined;
  return c.html(
    page(
      'Your banking app',
      html`${mine && resultLine(mine.scaStatus !== 'failed')}
        ${waiting.length > 0 ? waiting : html`<p>Nothing waits for you.</p>`}
        <p><a href="${frame.action}">Look again</a></p>
        ${leaveForm(frame)}`,
      fault,
    ),
    status,
  );
}
