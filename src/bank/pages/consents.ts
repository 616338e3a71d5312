import type { Context } from 'hono';
import type { RunningBank } from '../trust/call.ts';
import { consentsOfPerson, revokeConsent } from '../stores/consent-store.ts';
import { doDueWork } from '../sca/timers.ts';
import { consentFacts, leaveForm, loginForm, revokeForm } from './forms.ts';
import type { FormFrame } from './forms.ts';
import { answerPage, expired, html } from './html.ts';
import type { FieldFault } from './html.ts';
import { personLoggingIn, csrfToken, fromOwnPage, newSession, pathAt, sessionAt } from './session.ts';
import type { Session } from './session.ts';

const place = '/consents';

/** One visit to the page. */
interface Visit {
  bank: RunningBank;
  c: Context;
  session: Session;
}

/** GET and POST /consents: lists the valid consents of a PSU, and revokes one. */
export async function consentsPage(bank: RunningBank, c: Context): Promise<Response> {
  const { main } = bank.ledger;
  doDueWork(main, bank.clock.now());
  const session = sessionAt(bank, c, place);
  const visit: Visit = { bank, c, session };
  if (c.req.method !== 'POST') return show(visit);
  const fields = await c.req.parseBody();
  const text = (name: string) => (typeof fields[name] === 'string' ? fields[name] : '');
  if (!fromOwnPage(bank, c, session, text('csrf'))) return show(visit, expired);
  if (session.psuId === undefined) {
    const person = personLoggingIn(main, text('psuId').trim(), text('password'));
    if ('fault' in person) return show(visit, person.fault);
    newSession(bank, c, place, person.psuId);
  } else if (text('decision') === 'leave') {
    newSession(bank, c, place, undefined);
  } else {
    const revoked = revokeConsent(main, session.psuId, text('consentId'), bank.clock.now());
    if (revoked) return c.redirect(`${pathAt(bank, c, place)}?revoked`, 303);
  }
  return c.redirect(pathAt(bank, c, place), 303);
}

function show({ bank, c, session }: Visit, fault?: FieldFault): Response {
  const frame: FormFrame = { action: pathAt(bank, c, place), csrf: csrfToken(bank, session), fault };
  const title = 'Who may see your accounts';
  if (session.psuId === undefined) return answerPage(c, title, loginForm(frame), fault);
  const valid = consentsOfPerson(bank.ledger.main, session.psuId).map(
    (consent) =>
      html`<section aria-labelledby="title-${consent.consentId}">
        <h2 id="title-${consent.consentId}">Until ${consent.validUntil}: ${consent.tpp}</h2>
        ${consentFacts(consent)} ${revokeForm(frame, consent.consentId)}
      </section> `,
  );
  const revoked = c.req.query('revoked') !== undefined;
  const content = html`${revoked && html`<p role="status">It is revoked.</p>`}
  ${valid.length > 0 ? valid : html`<p>Nobody may see your accounts.</p>`} ${leaveForm(frame)}`;
  return answerPage(c, title, content, fault);
}
