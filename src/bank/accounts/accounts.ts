import { defined } from '../../base/defined.ts';
import { formatMinor } from '../../standard/formats/money/amount.ts';
import { hasMember } from '../../standard/xs2a/member-changes.ts';
import { absence } from '../../standard/xs2a/variants.ts';
import type { Links } from '../../standard/xs2a/wire.ts';
import type { AccountDetails, Balance, CardAccountDetails } from '../../standard/xs2a/wire-accounts.ts';
import { knowsOwners } from '../stores/access.ts';
import { demand, queryFlag, readsAccount, readsAccounts } from './account-calls.ts';
import type { AccountCall } from './account-calls.ts';
import { balancesOf } from '../statements/balances.ts';
import { cashAccountTypeOf, factsOf } from '../books/accounts.ts';
import type { Account } from '../books/accounts.ts';
import { findPerson } from '../books/people.ts';
import { referenceTo } from '../stores/seen-accounts.ts';
import type { SeenAccount } from '../stores/seen-accounts.ts';

/** GET accounts. */
export const getAccounts = readsAccounts('account', (read) => ({
  status: 200,
  body: { accounts: listed(read).map(({ account, balances }) => detailsOf(read, account, balances)) },
}));

/** GET account. */
export const getAccount = readsAccount('account', (read, account) => ({
  status: 200,
  body: { account: detailsOf(read, account, wantedBalances(read, account)) },
}));

/** GET card accounts. */
export const getCardAccounts = readsAccounts('card', (read) => ({
  status: 200,
  body: { cardAccounts: listed(read).map(({ account, balances }) => cardOf(read, account, balances)) },
}));

/** GET card account. */
export const getCardAccount = readsAccount('card', (read, account) => ({
  status: 200,
  body: { cardAccount: cardOf(read, account, wantedBalances(read, account)) },
}));

/** GET balances of an account. */
export const getBalances = readsAccount('account', (read, account) => {
  demand(account.balances, 'balances');
  return { status: 200, body: { account: referenceTo(account), balances: balancesIn(read, account) } };
});

/** GET balances of a card account. */
export const getCardBalances = readsAccount('card', (read, account) => {
  demand(account.balances, 'balances');
  const body = { cardAccount: referenceTo(account), balances: balancesIn(read, account) };
  const { framework } = read.call.variant;
  const told = hasMember(framework, 'balances of a card account', 'debitAccounting');
  return { status: 200, body: { ...body, ...(told && { debitAccounting: false }) } };
});

/** The balances of all currencies of an account. */
export function balancesIn({ bank, call }: AccountCall, { accounts }: SeenAccount): Balance[] {
  const { now, variant } = call;
  return accounts.flatMap((account) =>
    balancesOf(bank.ledger.main, account, { now, framework: variant.framework }),
  );
}

/** A list has balances where the consent allows them; one that allows none at all cannot be asked for them. */
function listed(read: AccountCall): { account: SeenAccount; balances: Balance[] | undefined }[] {
  const wanted = queryFlag(read.call, 'withBalance');
  if (wanted) demand(read.seen.length === 0 || read.seen.some(({ balances }) => balances), 'balances');
  return read.seen.map((account) => ({
    account,
    balances: wanted && account.balances ? balancesIn(read, account) : undefined,
  }));
}

function wantedBalances(read: AccountCall, account: SeenAccount): Balance[] | undefined {
  if (!queryFlag(read.call, 'withBalance')) return undefined;
  demand(account.balances, 'balances');
  return balancesIn(read, account);
}

/** The members that accounts and card accounts share. */
function common({ bank, call }: AccountCall, seen: SeenAccount, balances: Balance[] | undefined) {
  const [account] = seen.accounts;
  const { name, psuId } = account;
  const { ownerName, displayName, status, usage, details, linkedAccounts } = factsOf(account);
  const owner = seen.ownerName && knowsOwners(call.variant.framework);
  const person = owner ? findPerson(bank.ledger.main, psuId ?? '') : undefined;
  const links = linksOf(call.variant, seen);
  return {
    ...(seen.addressable && { resourceId: seen.id }),
    currency: seen.currency,
    name,
    ...(displayName !== undefined &&
      hasMember(call.variant.framework, 'account', 'displayName') && { displayName }),
    ...(person !== undefined && { ownerName: ownerName ?? person.name }),
    status: status ?? 'enabled',
    usage: usage ?? 'PRIV',
    ...defined({ details, linkedAccounts, balances }),
    ...(Object.keys(links).length > 0 && { _links: links }),
  };
}

function detailsOf(read: AccountCall, seen: SeenAccount, balances: Balance[] | undefined): AccountDetails {
  const [account] = seen.accounts;
  const { iban, bban, msisdn } = account;
  const { product } = factsOf(account);
  const { bank, call, consent } = read;
  // The names of owners in their later form, and of the PSU who gave the consent, under the same right.
  const told = seen.ownerName && hasMember(call.variant.framework, 'account', 'ownerNames');
  const psu = told ? findPerson(bank.ledger.main, consent.psuId ?? account.psuId ?? '') : undefined;
  const shared = common(read, seen, balances);
  const owners = told ? shared.ownerName : undefined;
  return {
    ...shared,
    ...(iban !== null && { iban }),
    ...(bban !== null && { bban }),
    ...(msisdn !== null && { msisdn }),
    product: product ?? 'Current account',
    cashAccountType: cashAccountTypeOf(account),
    bic: bicOf(account),
    ...(owners !== undefined && { ownerNames: [{ name: owners }] }),
    ...(psu !== undefined && { psuName: psu.name }),
  };
}

function cardOf(read: AccountCall, seen: SeenAccount, balances: Balance[] | undefined): CardAccountDetails {
  const [account] = seen.accounts;
  const { maskedPan, creditLimit, currency } = account;
  return {
    ...common(read, seen, balances),
    maskedPan: maskedPan ?? '',
    ...(hasMember(read.call.variant.framework, 'card account', 'debitAccounting') && {
      debitAccounting: false,
    }),
    product: factsOf(account).product ?? 'Credit card',
    creditLimit: { currency, amount: formatMinor(creditLimit ?? 0n, currency) },
  };
}

/** The bank's BIC in the country of an account; it belongs to no real bank. */
export function bicOf(account: Account): string {
  return factsOf(account).bic ?? (account.iban?.startsWith('NL') === true ? 'OBKBNL2A' : 'OBKBDEFF');
}

/** The links to balances and transactions, as far as the consent and the surface of the bank allow them. */
function linksOf(variant: AccountCall['call']['variant'], seen: SeenAccount): Links {
  const offered = !seen.isCard || absence(variant, 'getCardAccountBalances') === undefined;
  if (!seen.addressable || !offered) return {};
  const self = selfOf(variant, seen);
  return {
    ...(seen.balances && { balances: { href: `${self}/balances` } }),
    ...(seen.transactions && { transactions: { href: `${self}/transactions` } }),
  };
}

/** The path of an account. */
export function selfOf({ prefix }: AccountCall['call']['variant'], { id, isCard }: SeenAccount): string {
  return `${prefix}/${isCard ? 'card-accounts' : 'accounts'}/${id}`;
}
