import type { AccountReference } from '../../standard/xs2a/wire.ts';
import { isBankOffered, referencesOf } from '../stores/access.ts';
import type { Consent } from '../stores/consent-store.ts';
import { numberOf } from '../books/accounts.ts';
import type { Account } from '../books/accounts.ts';
import { html, wrongText } from './html.ts';
import type { Html } from '../../base/html.ts';
import type { FieldFault } from './html.ts';

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
export const shownReference = ({ iban, bban, msisdn, pan, maskedPan, currency }: AccountReference) =>
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
export function consentDetails(consent: Consent): Html {
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
