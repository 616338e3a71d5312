import type { StandingOrder, AccountReference } from '../../standard/xs2a/wire.ts';
import { sumsOf } from '../books/order.ts';
import type { Transfer } from '../books/order.ts';
import type { Parent } from '../sca/authorised-things.ts';
import type { LedgerPerson, Method } from '../books/people.ts';
import { field, html, wrongText } from './html.ts';
import type { Html } from '../../base/html.ts';
import type { FieldFault } from './html.ts';
import { isBankOffered, referencesOf } from '../stores/access.ts';
import type { Consent } from '../stores/consent-store.ts';
import { numberOf } from '../books/accounts.ts';
import type { Account } from '../books/accounts.ts';

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

const rights = {
  accounts: 'names of accounts',
  balances: 'balances',
  transactions: 'transactions',
} as const;

/** The access that a consent gives to a TPP, in words. */
function rightsOf({ access }: Consent): string {
  const names = (Object.keys(rights) as (keyof typeof rights)[]).filter((name) => access[name] !== undefined);
  if (access.allPsd2 !== undefined) return Object.values(rights).join(', ');
  if (access.availableAccounts !== undefined) return rights.accounts;
  if (names.length === 0) return `${rights.accounts}, ${rights.balances}`;
  return names.map((name) => rights[name]).join(', ');
}

/** An account as a PSU knows it; only the last digits of a card number. */
const shownReference = ({ iban, bban, msisdn, pan, maskedPan, currency }: AccountReference) =>
  [iban ?? bban ?? msisdn ?? maskedPan ?? `card ...${pan?.slice(-4) ?? ''}`, currency]
    .filter(Boolean)
    .join(' ');

function accountsText({ access }: Consent): string {
  if (isBankOffered(access)) return 'those that you choose';
  const named = new Set(referencesOf(access).map(shownReference));
  return named.size === 0 ? 'all of yours' : [...named].join(', ');
}

/** The facts of a consent: the TPP, the access, how often and until when. */
export function consentFacts(consent: Consent): Html {
  const often = String(consent.frequencyPerDay);
  const facts = [
    ['Who asks', consent.tpp],
    ['What', rightsOf(consent)],
    ['Of which accounts', accountsText(consent)],
    [
      'How often',
      consent.recurring ? `whenever you ask for it, and ${often} times a day without you` : 'once',
    ],
    ['Until', consent.validUntil],
  ];
  return html`<dl>
    ${facts.map(
      ([name, value]) =>
        html`<dt>${name}</dt>
          <dd>${value}</dd> `,
    )}
  </dl>`;
}

/** The consent to decide on. */
function consentDetails(consent: Consent): Html {
  return html`<p>You are asked to show your accounts:</p>
    ${consentFacts(consent)}`;
}

/** The form to choose accounts, for a consent that leaves the choice to the PSU. */
export function accountChoice(accounts: readonly Account[], fault: FieldFault | undefined): Html {
  const wrong = fault?.field === 'account';
  const choices = accounts.map((account, index) => {
    const { accountId, currency, name } = account;
    const id = index === 0 ? 'account' : `account-${String(accountId)}`;
    return html`<div>
      <input type="checkbox" id="${id}" name="account" value="${String(accountId)}" />
      <label for="${id}">${name}: ${numberOf(account)} ${currency}</label>
    </div> `;
  });
  return html`<fieldset ${wrong && html`aria-describedby="account-error"`}>
    <legend>Which accounts do you want to show?</legend>
    ${wrong && wrongText('account', fault.text)} ${choices}
  </fieldset>`;
}
