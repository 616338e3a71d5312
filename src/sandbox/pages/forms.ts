import type { Authorisation } from '../authorisation-store.ts';
import type { Payment } from '../payment-store.ts';
import type { LedgerPerson, Method } from '../people.ts';
import { field, html, wrongText } from './html.ts';
import type { FieldFault, Html } from './html.ts';

/** What every form of a page carries. */
export interface FormFrame {
  action: string;
  csrf: string;
  fault?: FieldFault | undefined;
}

function form(frame: FormFrame, content: Html): Html {
  return html`<form method="post" action="${frame.action}" novalidate>
    <input type="hidden" name="csrf" value="${frame.csrf}" />
    ${content}
  </form>`;
}

/** PSU-ID and password. */
export function loginForm(frame: FormFrame, psuId: string | undefined): Html {
  const known = psuId !== undefined && psuId !== '';
  const { fault } = frame;
  return form(
    frame,
    html`${field(
      'psuId',
      'PSU-ID',
      html`type="text" autocomplete="username" autocapitalize="none" spellcheck="false"`,
      {
        fault,
        first: !known,
        value: psuId,
      },
    )}
    ${field('password', 'Password', html`type="password" autocomplete="current-password"`, { fault, first: known })}
    ${row(html`<button type="submit">Log in</button>`)}`,
  );
}

/** One of several methods. */
export function methodForm(frame: FormFrame, methods: readonly Method[]): Html {
  const choices = methods.map(({ id, name }, index) => {
    const inputId = index === 0 ? 'method' : `method-${id}`;
    const first = index === 0 && html` autofocus`;
    return html`<div>
      <input type="radio" id="${inputId}" name="method" value="${id}" ${first} />
      <label for="${inputId}">${name}</label>
    </div> `;
  });
  const wrong = frame.fault?.field === 'method';
  return form(
    frame,
    html`<fieldset ${wrong && html`aria-describedby="method-error"`}>
        <legend>How do you want to confirm?</legend>
        ${wrong && wrongText('method', frame.fault?.text)} ${choices}
      </fieldset>
      ${row(html`<button type="submit">Continue</button>`)}`,
  );
}

/** What is to be decided: payee, IBAN and amount before anything else. */
export function details(payment: Payment, authorisation: Pick<Authorisation, 'parentKind'>): Html {
  const { fields } = payment;
  const what = authorisation.parentKind === 'payment' ? 'to pay' : 'to cancel this payment';
  return html`<p>You are asked ${what}:</p>
    <dl>
      <dt>Payee</dt>
      <dd>${fields.creditorName}</dd>
      <dt>IBAN of the payee</dt>
      <dd>${fields.creditorAccount.iban}</dd>
      <dt>Amount</dt>
      <dd>${fields.instructedAmount.amount} ${fields.instructedAmount.currency}</dd>
      <dt>From your account</dt>
      <dd>${fields.debtorAccount.iban}</dd>
      ${
        fields.remittanceInformationUnstructured !== undefined &&
        html`<dt>Purpose</dt>
          <dd>${fields.remittanceInformationUnstructured}</dd>`
      }
    </dl>`;
}

const row = (buttons: Html): Html => html`<div class="buttons">${buttons}</div>`;

/** Enter in a field presses the first. */
const decision = row(
  html`<button type="submit" name="decision" value="approve">Approve</button>
    <button type="submit" name="decision" value="refuse" class="second">Refuse</button>`,
);

/** The one-time password where the PSU has a method, and the decision. */
export function decisionForm(frame: FormFrame, person: LedgerPerson, method: Method | undefined): Html {
  const otp =
    person.methods.length > 0 &&
    field('otp', 'One-time password', html`type="text" inputmode="numeric" autocomplete="one-time-code"`, {
      fault: frame.fault,
      first: true,
      hint: `${method?.name ?? 'Your method'}: six digits`,
    });
  return form(frame, html`${otp} ${decision}`);
}

/** The decision on one of several authorisations, as the phone shows them. */
export function phoneForm(frame: FormFrame, authorisationId: string): Html {
  return form(
    frame,
    html`<input type="hidden" name="authorisationId" value="${authorisationId}" /> ${decision}`,
  );
}

/** The way out of the phone, so that another PSU can log in. */
export function leaveForm(frame: FormFrame): Html {
  return form(
    frame,
    row(html`<button type="submit" name="decision" value="leave" class="second">Log out</button>`),
  );
}

/** How an authorisation has ended. */
export function resultLine(good: boolean): Html {
  return good
    ? html`<p role="status">It is approved.</p>`
    : html`<p role="status" class="refused">It is refused.</p>`;
}
