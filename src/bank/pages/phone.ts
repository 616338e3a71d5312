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
import { answerPage, expired, html } from './html.ts';
import type { FieldFault } from './html.ts';
import { personLoggingIn, csrfToken, fromOwnPage, newSession, pathAt, sessionAt } from './session.ts';
import type { Session } from './session.ts';

const place = '/phone';

/** GET and POST /phone: the banking app of a decoupled PSU, with the authorisations that wait for a decision. */
export async function phonePage(bank: RunningBank, c: Context): Promise<Response> {
  doDueWork(bank.ledger.main, bank.clock.now());
  return new Phone(bank, c).answer();
}

/** The app as one request meets it. */
class Phone {
  readonly #bank: RunningBank;
  readonly #c: Context;
  readonly #session: Session;

  constructor(bank: RunningBank, c: Context) {
    this.#bank = bank;
    this.#c = c;
    this.#session = sessionAt(bank, c, place);
  }

  async answer(): Promise<Response> {
    const { req } = this.#c;
    if (req.method !== 'POST') return this.#show();
    const fields = await req.parseBody();
    const text = (name: string) => (typeof fields[name] === 'string' ? fields[name] : '');
    if (!fromOwnPage(this.#bank, this.#c, this.#session, text('csrf'))) return this.#show(expired);
    const { psuId } = this.#session;
    const person = psuId === undefined ? undefined : psuOf(this.#bank.ledger.main, psuId);
    if (person === undefined) return this.#login(text('psuId').trim(), text('password'));
    if (text('decision') === 'leave') return this.#enter(undefined);
    return this.#decide(person, text('authorisationId'), text('decision'));
  }

  #login(psuId: string, password: string): Response {
    const person = personLoggingIn(this.#bank.ledger.main, psuId, password);
    return 'fault' in person ? this.#show(person.fault) : this.#enter(psuId);
  }

  /** A session for another PSU, or for nobody. */
  #enter(psuId: string | undefined): Response {
    newSession(this.#bank, this.#c, place, psuId);
    return this.#c.redirect(this.#path(), 303);
  }

  #path(): string {
    return pathAt(this.#bank, this.#c, place);
  }

  #decide(person: LedgerPerson, authorisationId: string, decision: string): Response {
    const { main } = this.#bank.ledger;
    if (decision !== 'approve' && decision !== 'refuse') return this.#c.redirect(this.#path(), 303);
    main.atomically(() => {
      const waiting = onPhone(main, person.psuId).find((one) => one.authorisationId === authorisationId);
      if (waiting === undefined) return;
      saveSca(main, waiting, advance(waiting, { kind: decision }, person).sca, this.#bank.clock.now());
    });
    return this.#c.redirect(`${this.#path()}?decided=${encodeURIComponent(authorisationId)}`, 303);
  }

  #show(fault?: FieldFault): Response {
    const c = this.#c;
    const { main } = this.#bank.ledger;
    const { psuId } = this.#session;
    const frame: FormFrame = { action: this.#path(), csrf: csrfToken(this.#bank, this.#session), fault };
    if (psuId === undefined) return answerPage(c, 'Your banking app', loginForm(frame), fault);
    const waiting = onPhone(main, psuId).flatMap((authorisation) => {
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
    const mine = done?.psuId === psuId ? done : undefined;
    const content = html`${mine && resultLine(mine.scaStatus !== 'failed')}
      ${waiting.length > 0 ? waiting : html`<p>Nothing waits for you.</p>`}
      <p><a href="${frame.action}">Look again</a></p>
      ${leaveForm(frame)}`;
    return answerPage(c, 'Your banking app', content, fault);
  }
}
