import type { Authorisation } from '../authorisation-store.ts';
import type { Payment } from '../payment-store.ts';
import type { LedgerPerson, Method } from '../people.ts';
import { field, html } from './html.ts';
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
      <button type="submit" id="continue">Log in</button>`,
  );
}

/** One of several methods. */
export function methodForm(frame: FormFrame, methods: readonly Method[]): Html {
  const choices = methods.map(
    ({ id, name }, index) =>
      html`<div>
        <input
          type="radio"
          id="${index === 0 ? 'method' : `method-${id}`}"
          name="method"
          value="${id}"
          ${index === 0 && html` autofocus`}
        />
        <label for="${index === 0 ? 'method' : `method-${id}`}">${name}</label>
      </div> `,
  );
  return form(
    frame,
    html`<fieldset>
        <legend>How do you want to confirm?</legend>
        ${choices}
      </fieldset>
      <button type="submit" id="continue">Continue</button>`,
  );
}

/** What is to be decided: payee, IBAN and amount before anything else. */
export function details(payment: Payment, authorisation: Pick<Authorisation, 'parentKind'>): Html {
  const { fields } = payment;
  const what = authorisation.parentKind === 'payment' ? 'to pay' : 'not to pay after all';
  return html`<p>You are asked ${what}:</p>
    <dl>
      <dt>Payee</dt>
      <dd id="payee">${fields.creditorName}</dd>
      <dt>IBAN of the payee</dt>
      <dd id="creditor-iban">${fields.creditorAccount.iban}</dd>
      <dt>Amount</dt>
      <dd id="amount">${fields.instructedAmount.amount} ${fields.instructedAmount.currency}</dd>
      <dt>From your account</dt>
      <dd id="debtor-iban">${fields.debtorAccount.iban}</dd>
      ${
        fields.remittanceInformationUnstructured !== undefined &&
        html`<dt>Purpose</dt>
          <dd id="remittance">${fields.remittanceInformationUnstructured}</dd>`
      }
    </dl>`;
}

const buttons = html`<button type="submit" id="approve" name="decision" value="approve">Approve</button>
  <button type="submit" id="refuse" name="decision" value="refuse">Refuse</button>`;

/** The one-time password where the PSU has a method, and the decision. */
export function decisionForm(frame: FormFrame, person: LedgerPerson, method: Method | undefined): Html {
  const otp =
    person.methods.length > 0 &&
    field(
      'otp',
      'One-time password',
      html`type="text" inputmode="numeric" autocomplete="one-time-code" maxlength="6"`,
      {
        fault: frame.fault,
        first: true,
        hint: `${method?.name ?? 'Your method'}: six digits`,
      },
    );
  return form(frame, html`${otp} ${buttons}`);
}

/** The decision on one of several authorisations, as the phone shows them. */
export function phoneForm(frame: FormFrame, authorisationId: string): Html {
  return form(
    frame,
    html`<input type="hidden" name="authorisationId" value="${authorisationId}" /> ${buttons}`,
  );
}
