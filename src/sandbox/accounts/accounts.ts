import { formatMinor } from '../../formats/amount.ts';
import { absence } from '../../xs2a/variants.ts';
import type { Links } from '../../xs2a/wire.ts';
import type { AccountDetails, Balance, CardAccountDetails } from '../../xs2a/wire-accounts.ts';
import { knowsOwners } from '../stores/access.ts';
import { demand, queryFlag, readsAccount, readsAccounts } from './account-calls.ts';
import type { AccountCall } from './account-calls.ts';
import { balancesOf } from '../statements/balances.ts';
import { maskedPan } from '../books/iban.ts';
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
  return { status: 200, body: { cardAccount: referenceTo(account), balances: balancesIn(read, account) } };
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
  const { name, psuId } = seen.accounts[0];
  const owner = seen.ownerName && knowsOwners(call.variant.framework);
  const person = owner ? findPerson(bank.ledger.main, psuId ?? '') : undefined;
  const links = linksOf(call.variant, seen);
  return {
    ...(seen.addressable && { resourceId: seen.id }),
    currency: seen.currency,
    name,
    ...(person !== undefined && { ownerName: person.name }),
    status: 'enabled',
    usage: 'PRIV',
    ...(balances !== undefined && { balances }),
    ...(Object.keys(links).length > 0 && { _links: links }),
  };
}

function detailsOf(read: AccountCall, seen: SeenAccount, balances: Balance[] | undefined): AccountDetails {
  const iban = seen.accounts[0].iban ?? '';
  return {
    ...common(read, seen, balances),
    iban,
    product: 'Current account',
    cashAccountType: 'CACC',
    bic: bicOf(iban),
  };
}

function cardOf(read: AccountCall, seen: SeenAccount, balances: Balance[] | undefined): CardAccountDetails {
  const { pan, creditLimit, currency } = seen.accounts[0];
  return {
    ...common(read, seen, balances),
    maskedPan: maskedPan(pan ?? ''),
    product: 'Credit card',
    creditLimit: { currency, amount: formatMinor(creditLimit ?? 0n, currency) },
  };
}

/** The bank's BIC in the country of an account; no real bank has it. */
export function bicOf(iban: string): string {
  return iban.startsWith('NL') ? 'OBKBNL2A' : 'OBKBDEFF';
}

/** Where balances and transactions are, as far as the consent and the surface of the bank allow them. */
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
