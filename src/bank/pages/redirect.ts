import { defined } from '../../base/defined.ts';
import type { Context } from 'hono';
import type { AccountReference } from '../../standard/xs2a/wire.ts';
import { isAskedFor, isBankOffered, offer } from '../stores/access.ts';
import { advanceStored, authorisationOfPage, saveSca, confirmationCode } from '../sca/authorisation-store.ts';
import type { Authorisation } from '../sca/authorisation-store.ts';
import type { RunningBank } from '../trust/call.ts';
import { updateConsent } from '../stores/consent-store.ts';
import { isOpen, methodOf } from '../sca/conversation.ts';
import type { Move } from '../sca/conversation.ts';
import { accountsOf, referenceOf } from '../books/accounts.ts';
import type { Account } from '../books/accounts.ts';
import { findRequest, issueCode, withQuery } from '../oauth/oauth-requests.ts';
import type { OauthRequest } from '../oauth/oauth-requests.ts';
import { actingOn, concerns, findParent } from '../sca/authorised-things.ts';
import type { Parent, ParentKind } from '../sca/authorised-things.ts';
import { isShutOut, psuOf } from '../rules/psu.ts';
import type { LedgerPerson } from '../books/people.ts';
import { Refusal } from '../rules/refusal.ts';
import { returnUrl } from '../oauth/return-url.ts';
import { doDueWork } from '../sca/timers.ts';
import { accountChoice, decisionForm, details, loginForm, methodForm, resultLine } from './forms.ts';
import type { FormFrame } from './forms.ts';
import { answerPage, expired, html, nothingPage } from './html.ts';
import type { FieldFault } from './html.ts';
import { personNamed, csrfToken, fromOwnPage, newSession, pathAt, sessionAt } from './session.ts';
import type { Session } from './session.ts';

/** One visit to the page of an authorisation. */
interface Visit {
  bank: RunningBank;
  c: Context;
  authorisation: Authorisation;
  parent: Parent;
  /** The OAuth request that led here. */
  request: OauthRequest | undefined;
  session: Session;
  /** Path of the page. */
  place: string;
  /** The accounts that the PSU has chosen, where the choice is theirs. */
  chosen?: readonly AccountReference[];
}

/** GET and POST /sca/{token}: the page to which scaRedirect leads. */
export async function redirectPage(bank: RunningBank, c: Context, token: string): Promise<Response> {
  const { main } = bank.ledger;
  doDueWork(main, bank.clock.now());
  const authorisation = authorisationOfPage(main, token);
  const parent = authorisation && findParent(main, authorisation.parentKind, authorisation.parentId);
  if (authorisation === undefined || parent === undefined) {
    return nothingPage(c, 'This link does not work. It may be incomplete, or the test bank was reset.');
  }
  const request = findRequest(main, c.req.query('oauth') ?? '', authorisation.authorisationId);
  if (authorisation.approach === 'OAUTH' && request === undefined)
    return nothingPage(c, 'This page can be opened through an authorization request only.');
  const place = `/sca/${token}`;
  const visit: Visit = { bank, c, authorisation, parent, request, place, session: sessionAt(bank, c, place) };
  if (!isOpen(authorisation.scaStatus)) return over(visit);
  if (c.req.method !== 'POST') return show(visit);
  const fields = await c.req.parseBody({ all: true });
  const text = (name: string) => (typeof fields[name] === 'string' ? fields[name] : '');
  if (!fromOwnPage(bank, c, visit.session, text('csrf'))) {
    return show(visit, expired);
  }
  return submit({ ...visit, chosen: chosenBy(visit, [fields['account']].flat()) }, text);
}

/** The accounts from which the PSU who is logged in may choose. */
function offered({ bank, parent }: Visit, person: LedgerPerson): Account[] {
  const isOffered = parent.kind === 'consent' && isBankOffered(parent.consent.access);
  if (!isOffered) return [];
  const { access } = parent.consent;
  return accountsOf(bank.ledger.main, person.psuId).filter((account) => isAskedFor(access, account));
}

function chosenBy(visit: Visit, ids: readonly unknown[]): AccountReference[] {
  const person = personAt(visit);
  return (person === undefined ? [] : offered(visit, person))
    .filter(({ accountId }) => ids.includes(String(accountId)))
    .map(referenceOf);
}

/** Returns the PSU who is logged in; if a token was the first factor, the PSU of the token. */
function personAt({ bank, parent, session, authorisation }: Visit): LedgerPerson | undefined {
  const psuId = session.psuId ?? (authorisation.byToken ? authorisation.psuId : undefined);
  const person = psuId === undefined ? undefined : psuOf(bank.ledger.main, psuId);
  return person === undefined || isShutOut(person) ? undefined : actingOn(parent, person);
}

function submit(visit: Visit, text: (name: string) => string): Response {
  const { authorisation } = visit;
  const person = personAt(visit);
  if (person === undefined) return login(visit, text('psuId').trim(), text('password'));
  if (text('decision') === 'refuse') return move(visit, person, [{ kind: 'refuse' }]);
  if (authorisation.scaStatus === 'psuAuthenticated' && person.methods.length > 1) {
    if (text('method') === '') return show(visit, { field: 'method', text: 'Choose a method.' });
    return move(visit, person, [{ kind: 'select', methodId: text('method') }], { field: 'method' });
  }
  if (text('decision') !== 'approve') return show(visit);
  if (offered(visit, person).length > 0 && visit.chosen?.length === 0)
    return show(visit, { field: 'account', text: 'Choose an account.' });
  if (person.methods.length === 0) return move(visit, person, [{ kind: 'approve' }]);
  const otp = text('otp').replace(/\s/g, '');
  if (otp === '') return show(visit, { field: 'otp', text: 'Enter the one-time password.' });
  return move(visit, person, [{ kind: 'otp', otp }], { field: 'otp' });
}

function login(visit: Visit, psuId: string, password: string): Response {
  const { bank, authorisation, parent } = visit;
  const person = personNamed(bank.ledger.main, psuId, password);
  if ('fault' in person) return show(visit, person.fault);
  const other = authorisation.psuId !== undefined && authorisation.psuId !== psuId;
  if (other || !concerns(parent, psuId))
    return show(visit, { field: 'psuId', text: 'You are not involved in this authorisation.', psuId });
  const moves: Move[] = [
    { kind: 'identify', psuId },
    { kind: 'login', password },
  ];
  return move(visit, actingOn(parent, person), moves, { field: 'password', psuId });
}

/** Makes moves in one transaction, then shows the next page; a login starts a session of this PSU. */
function move(
  visit: Visit,
  person: LedgerPerson,
  moves: readonly Move[],
  blamed: Omit<FieldFault, 'text'> = {},
): Response {
  const { bank, c, place } = visit;
  const { main } = bank.ledger;
  const now = bank.clock.now();
  const made = main.atomically(() => {
    let authorisation = visit.authorisation;
    for (const next of moves) {
      const step = attempt(() => advanceStored(main, authorisation, next, person));
      if (step instanceof Refusal) return { authorisation, refusal: step };
      if (step.refusal === undefined) choose(visit);
      authorisation = saveSca(main, authorisation, step.sca, now);
      if (step.refusal !== undefined) return { authorisation, refusal: step.refusal };
    }
    const approved = !isOpen(authorisation.scaStatus) && authorisation.scaStatus !== 'failed';
    if (approved && visit.request !== undefined) issueCode(main, visit.request, now);
    return { authorisation, refusal: undefined };
  });
  const after: Visit = { ...visit, authorisation: made.authorisation };
  if (!isOpen(made.authorisation.scaStatus)) return over(after);
  if (made.refusal !== undefined) return show(after, { ...blamed, text: made.refusal.message });
  if (moves.some(({ kind }) => kind === 'login')) newSession(bank, c, place, person.psuId);
  return c.redirect(here(visit), 303);
}

function choose({ bank, parent, chosen = [] }: Visit): void {
  if (parent.kind !== 'consent' || chosen.length === 0) return;
  updateConsent(bank.ledger.main, parent.consent, { access: offer(parent.consent.access, chosen) });
}

function attempt<Result>(work: () => Result): Result | Refusal {
  try {
    return work();
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
}

function show(visit: Visit, fault?: FieldFault): Response {
  const { bank, c, authorisation, parent, session } = visit;
  const person = personAt(visit);
  const frame: FormFrame = { action: here(visit), csrf: csrfToken(bank, session), fault };
  const ofConsents = parent.kind === 'basket' && parent.consents.length > 0;
  const verb = verbs[ofConsents ? 'consent' : authorisation.parentKind];
  if (person === undefined) {
    return answerPage(c, 'Log in to your bank', loginForm(frame, authorisation.psuId), fault);
  }
  if (authorisation.scaStatus === 'psuAuthenticated' && person.methods.length > 1) {
    return answerPage(c, 'Choose a method', methodForm(frame, person.methods), fault);
  }
  const method = methodOf(person, authorisation.methodId);
  const accounts = offered(visit, person);
  const choice = accounts.length > 0 ? accountChoice(accounts, fault) : undefined;
  const content = html`${details(parent)} ${decisionForm(frame, person, method, choice)}`;
  return answerPage(c, `Approve the ${verb}`, content, fault);
}

const verbs: Readonly<Record<ParentKind, string>> = {
  payment: 'payment',
  cancellation: 'cancellation of a payment',
  basket: 'payments',
  consent: 'access to your accounts',
};

/** The address of this page with the query parameters of the TPP. */
function here({ bank, c, place, request }: Visit): string {
  const state = c.req.query('state');
  return withQuery(pathAt(bank, c, place), {
    ...(request !== undefined && { oauth: request.requestId }),
    ...defined({ state }),
  });
}

/** Redirects to the TPP, or shows a last page if it set no address; a reload shows the last page. */
function over(visit: Visit): Response {
  const { bank, c, authorisation, request } = visit;
  const opened = { state: c.req.query('state'), request };
  const target = returnUrl(bank.ledger, authorisation, opened);
  if (target !== undefined && c.req.method === 'POST') return c.redirect(target, 303);
  const good = authorisation.scaStatus !== 'failed';
  const code = authorisation.scaStatus === 'unconfirmed' && confirmationCode(bank.ledger, authorisation);
  const next =
    target === undefined
      ? html`${code && html`<p>Your confirmation code: <code>${code}</code></p>`}
          <p>You may close this page.</p>`
      : html`<p><a href="${target}" id="back">Back to where you came from</a></p>`;
  return answerPage(c, good ? 'Done' : 'Not approved', html`${resultLine(good)} ${next}`);
}
