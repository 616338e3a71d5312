import type { StandingOrder } from '../../standard/xs2a/wire.ts';
import { sumsOf } from '../books/order.ts';
import type { Transfer } from '../books/order.ts';
import type { Parent } from '../sca/authorised-things.ts';
import type { LedgerPerson, Method } from '../books/people.ts';
import { consentDetails, shownReference } from './consent-forms.ts';
import { field, html, wrongText } from './html.ts';
import type { Html } from '../../base/html.ts';
import type { FieldFault } from './html.ts';

/** The values that every form of a page carries. */
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

/** PSU-ID and password; `expected` is the PSU of whom this is known before. */
export function loginForm(frame: FormFrame, expected?: string): Html {
  const { fault } = frame;
  const psuId = fault?.psuId ?? expected;
  const known = psuId !== undefined && psuId !== '';
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

/** The payment to decide on: payee, IBAN and amount first; for several payments, their sum and the first few. */
export function details(parent: Parent): Html {
  if (parent.kind === 'consent') return consentDetails(parent.consent);
  const { payments, kind } = parent;
  const payment = payments.at(0);
  if (payment === undefined) return html`${consentsIn(parent).map(consentDetails)}`;
  const {
    standing,
    transfers: [first],
  } = payment.content;
  const transfers = payments.flatMap(({ content }) => content.transfers);
  const accounts = [
    ...new Set(payments.map(({ content: { debtor } }) => shownReference({ ...debtor, currency: '' }))),
  ];
  const what = kind === 'cancellation' ? 'to cancel this payment' : 'to pay';
  const facts =
    transfers.length === 1
      ? [
          ['Payee', first.creditorName],
          ['IBAN of the payee', first.creditorAccount],
          ['Amount', sumOf(transfers)],
        ]
      : [
          ['Payments', String(transfers.length)],
          ['Sum', sumOf(transfers)],
          ...transfers.slice(0, shownEntries).map(entryOf),
        ];
  return html`<p>You are asked ${what}:</p>
    <dl>
      ${[
        ...facts,
        ...(standing === undefined ? [] : [['How often', scheduleOf(standing)]]),
        ['From your account', accounts.join(', ')],
        ...(transfers.length > 1 || first.remittance === undefined ? [] : [['Purpose', first.remittance]]),
      ].map(
        ([name, value]) =>
          html`<dt>${name}</dt>
            <dd>${value}</dd> `,
      )}
    </dl>`;
}

const consentsIn = (parent: Parent) =>
  parent.kind === 'consent' ? [parent.consent] : parent.kind === 'basket' ? parent.consents : [];

const sumOf = (transfers: readonly Transfer[]) =>
  sumsOf({ transfers })
    .map(({ amount, currency }) => `${amount} ${currency}`)
    .join(' + ');

const shownEntries = 10;

function entryOf(transfer: Transfer, index: number): [string, string] {
  const { creditorName, creditorAccount, amount, currency } = transfer;
  return [`Payment ${String(index + 1)}`, `${amount} ${currency} to ${creditorName}, ${creditorAccount}`];
}

function scheduleOf({ frequency, startDate, endDate }: StandingOrder): string {
  return `${frequency} from ${startDate}${endDate === undefined ? '' : ` to ${endDate}`}`;
}

/** Returns one line on the subject of the decision. */
export function headline(parent: Parent): string {
  const [consent] = consentsIn(parent);
  if (consent !== undefined) return `Access to your accounts for ${consent.tpp}`;
  if (parent.kind === 'consent') return '';
  const { payments, kind } = parent;
  const transfers = payments.flatMap(({ content }) => content.transfers);
  const what = kind === 'cancellation' ? 'Cancellation of the payment' : 'Payment';
  const to = transfers.length === 1 ? transfers[0]?.creditorName : `${String(transfers.length)} payees`;
  return `${what} of ${sumOf(transfers)} to ${to ?? ''}`;
}

const row = (buttons: Html): Html => html`<div class="buttons">${buttons}</div>`;

/** Pressing Enter in a field uses the first button. */
const decision = row(
  html`<button type="submit" name="decision" value="approve">Approve</button>
    <button type="submit" name="decision" value="refuse" class="second">Refuse</button>`,
);

/** The field for the one-time password, if the PSU has a method, and the buttons; `choice` comes before them. */
export function decisionForm(
  frame: FormFrame,
  person: LedgerPerson,
  method: Method | undefined,
  choice?: Html,
): Html {
  const otp =
    person.methods.length > 0 &&
    field('otp', 'One-time password', html`type="text" inputmode="numeric" autocomplete="one-time-code"`, {
      fault: frame.fault,
      first: true,
      hint: `${method?.name ?? 'Your method'}: six digits`,
    });
  return form(frame, html`${choice} ${otp} ${decision}`);
}

/** The form to allow a TPP to act for the PSU who has logged in. */
export function accessForm(frame: FormFrame): Html {
  return form(frame, decision);
}

/** The decision on one of several authorisations, as the phone shows them. */
export function phoneForm(frame: FormFrame, authorisationId: string): Html {
  return form(
    frame,
    html`<input type="hidden" name="authorisationId" value="${authorisationId}" /> ${decision}`,
  );
}

/** The end of a consent. */
export function revokeForm(frame: FormFrame, consentId: string): Html {
  return form(
    frame,
    html`<input type="hidden" name="consentId" value="${consentId}" />
      ${row(html`<button type="submit">Revoke</button>`)}`,
  );
}

/** The logout button of a page, so that another PSU can log in. */
export function leaveForm(frame: FormFrame): Html {
  return form(
    frame,
    row(html`<button type="submit" name="decision" value="leave" class="second">Log out</button>`),
  );
}

/** The text about the end of an authorisation. */
export function resultLine(good: boolean): Html {
  return good
    ? html`<p role="status">It is approved.</p>`
    : html`<p role="status" class="refused">It is refused.</p>`;
}
