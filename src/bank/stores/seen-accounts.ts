import { createHmac } from 'node:crypto';
import type { AccountReference } from '../../standard/xs2a/wire.ts';
import { accountsIn, isAskedFor } from './access.ts';
import type { Consent } from './consent-store.ts';
import { accountsOf, cardsOf, isCard, numberOf, referenceOf } from '../books/accounts.ts';
import type { Account } from '../books/accounts.ts';
import type { Ledger } from '../books/ledger.ts';

/** An account as a consent shows it: one account, or all currencies of a multicurrency account together (XXX). */
export interface SeenAccount {
  /** Opaque, and different under each consent. */
  id: string;
  accounts: readonly [Account, ...Account[]];
  currency: string;
  isCard: boolean;
  /** The rights that the consent grants. */
  balances: boolean;
  transactions: boolean;
  ownerName: boolean;
  /** Whether it can be read by its id; false if the consent only lists available accounts. */
  addressable: boolean;
}

type Rights = Pick<SeenAccount, 'balances' | 'transactions' | 'ownerName' | 'addressable'>;

/** The accounts of a consent with the rights for each, in the order of the PSU's accounts. */
export function seenAccounts(ledger: Ledger, consent: Consent): SeenAccount[] {
  const { main } = ledger;
  const { access, psuId } = consent;
  const seen = new Map<string, SeenAccount>();
  const add = (accounts: readonly Account[], rights: Partial<Rights>) => {
    for (const group of groupsOf(accounts)) {
      const one = seenAs(ledger, consent.consentId, group);
      const before = seen.get(one.id) ?? one;
      seen.set(one.id, { ...before, ...onlyTrue(rights) });
    }
  };
  const all = access.allPsd2 ?? access.availableAccountsWithBalance ?? access.availableAccounts;
  if (all !== undefined) {
    const global = access.allPsd2 !== undefined;
    const rights: Partial<Rights> = {
      balances: access.availableAccounts === undefined,
      transactions: global,
      addressable: global,
      ownerName: all === 'allAccountsWithOwnerName',
    };
    const owner = psuId ?? '';
    const own = accountsOf(main, owner).filter((account) => isAskedFor(access, account));
    for (const number of new Set(own.map(numberOf)))
      add(
        own.filter((account) => numberOf(account) === number),
        rights,
      );
    for (const card of cardsOf(main, owner)) if (isAskedFor(access, card)) add([card], rights);
    return [...seen.values()];
  }
  const names = access.additionalInformation?.ownerName;
  const named = names?.length === 0 ? undefined : new Set((names ?? []).map(keyOf));
  const grant = (references: readonly AccountReference[] | undefined, right: Partial<Rights>) => {
    for (const reference of references ?? []) {
      const ownerName = names !== undefined && named?.has(keyOf(reference)) !== false;
      add(accountsIn(main, [reference], psuId), { ...right, ownerName, addressable: true });
    }
  };
  grant(access.accounts, {});
  grant(access.balances, { balances: true });
  grant(access.transactions, { transactions: true });
  return [...seen.values()];
}

const keyOf = ({ iban, bban, msisdn, pan, maskedPan, currency }: AccountReference) =>
  [iban, bban, msisdn, pan, maskedPan, currency].join(' ');

const onlyTrue = (rights: Partial<Rights>) =>
  Object.fromEntries(Object.entries(rights).filter(([, value]) => value)) as Partial<Rights>;

/** A multicurrency account comes as a whole first, then by currency. */
function groupsOf(accounts: readonly Account[]): (readonly [Account, ...Account[]])[] {
  const [first, ...others] = accounts;
  if (first === undefined) return [];
  if (others.length === 0) return [[first]];
  return [[first, ...others], ...accounts.map((account) => [account] as const)];
}

function seenAs(
  { pageKey }: Ledger,
  consentId: string,
  accounts: readonly [Account, ...Account[]],
): SeenAccount {
  const key = [consentId, ...accounts.map(({ accountId }) => String(accountId))].join(' ');
  return {
    id: createHmac('sha256', pageKey).update(key).digest('hex').slice(0, 32),
    accounts,
    currency: accounts.length > 1 ? 'XXX' : accounts[0].currency,
    isCard: isCard(accounts[0]),
    balances: false,
    transactions: false,
    ownerName: false,
    addressable: false,
  };
}

/** The reference of an account on the wire; all currencies together name no currency. */
export function referenceTo({ accounts: [account, ...others] }: SeenAccount): AccountReference {
  const { iban, bban, msisdn, pan, maskedPan, currency } = account;
  const names = { iban, bban, msisdn, pan, maskedPan };
  return referenceOf(others.length === 0 ? { ...names, currency } : names);
}
