/** The three spellings of a consent to all accounts with their balances: one value and two names of a member. */
import type { Framework } from './origin.ts';
import { wireForm } from './variants.ts';
import type { BalanceAccessForm } from './variants.ts';
import type { AccountAccess } from './wire-accounts.ts';

/** The value for all accounts, or for all with the names of their owners. */
export type AllAccounts = 'allAccounts' | 'allAccountsWithOwnerName';

const members = {
  plural: 'availableAccountsWithBalances',
  singular: 'availableAccountsWithBalance',
} as const;
const older = 'allAccountsWithBalances';

/** Returns the spelling that a framework has. */
export function balanceAccessForm(framework: Framework): BalanceAccessForm {
  const { form } = wireForm(framework, 'withBalanceAccess');
  return form === members.singular ? 'singular' : form === members.plural ? 'plural' : 'file';
}

/** Spells the access in one of the forms; the one that is a value has none for the names of owners. */
export function spelledBalanceAccess(form: BalanceAccessForm, all: AllAccounts): AccountAccess {
  return form === 'file' ? { availableAccounts: older } : { [members[form]]: all };
}

/** Takes the access apart: the value for all accounts with balances, in whatever form it was asked for, and the rest. */
export function splitBalanceAccess(access: AccountAccess): {
  readonly withBalances: AllAccounts | undefined;
  readonly rest: AccountAccess;
} {
  const { availableAccountsWithBalance, availableAccountsWithBalances, ...others } = access;
  const all = availableAccountsWithBalance ?? availableAccountsWithBalances;
  const owned = all === 'allAccountsWithOwnerName' ? 'allAccountsWithOwnerName' : 'allAccounts';
  const named = all === undefined ? undefined : owned;
  if (others.availableAccounts !== older) return { withBalances: named, rest: others };
  const { availableAccounts: _, ...rest } = others;
  return { withBalances: named ?? 'allAccounts', rest };
}
