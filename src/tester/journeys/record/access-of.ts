import { JsonNumber } from '../../../standard/xs2a/json.ts';
import { splitBalanceAccess } from '../../../standard/xs2a/balance-access.ts';
import type { AccountAccess } from '../../../standard/xs2a/wire-accounts.ts';
import type { Names } from './names.ts';
import { accountText } from './order-of.ts';
import { membersOf } from './recorded.ts';

type Flags = Record<string, string | readonly string[]>;

const rights = ['accounts', 'balances', 'transactions'] as const;

/** The flags that ask for the same consent; undefined where it has what no flag says. `at` is when it was asked for. */
export function consentFlags(body: string, names: Names, at: string): Flags | undefined {
  const { access, recurringIndicator, validUntil, frequencyPerDay, combinedServiceIndicator } =
    membersOf(body);
  const asked = accessFlags(access ?? {}, names);
  if (asked === undefined) return undefined;
  const isRecurring = recurringIndicator === true;
  const frequency = frequencyPerDay instanceof JsonNumber ? frequencyPerDay.text : '';
  return {
    ...asked,
    ...(isRecurring && { recurring: 'true' }),
    ...(isRecurring && frequency !== '' && { frequency }),
    ...(combinedServiceIndicator === true && { combined: 'true' }),
    ...(typeof validUntil === 'string' &&
      !isUsualEnd(validUntil, at) && { 'valid-until': names.variable('validUntil', validUntil) }),
  };
}

/** A consent lasts 180 days where nobody asks for another day, and another run counts from another day. */
const isUsualEnd = (day: string, at: string): boolean =>
  [179, 180].some((days) => new Date(Date.parse(at) + days * 86_400_000).toISOString().slice(0, 10) === day);

function accessFlags(access: AccountAccess, names: Names): Flags | undefined {
  const { withBalances, rest } = splitBalanceAccess(access);
  const { additionalInformation, restrictedTo, ...form } = rest as AccountAccess & {
    additionalInformation?: unknown;
  };
  const whole = withBalances ?? form.allPsd2 ?? form.availableAccounts;
  const hasOwner = additionalInformation !== undefined || whole === 'allAccountsWithOwnerName';
  const more: Flags = {
    ...(hasOwner && { 'owner-name': 'true' }),
    ...(Array.isArray(restrictedTo) && { 'restricted-to': restrictedTo }),
  };
  if (withBalances !== undefined) return { 'available-accounts-with-balance': 'true', ...more };
  if (form.allPsd2 !== undefined) return { 'all-psd2': 'true', ...more };
  if (form.availableAccounts !== undefined) return { 'available-accounts': 'true', ...more };
  if (rights.every((right) => form[right] !== undefined && form[right].length === 0))
    return { 'bank-offered': 'true', ...more };
  const named: Flags = {};
  for (const right of rights) {
    const found = (form[right] ?? []).map(accountText);
    if (found.includes(undefined)) return undefined;
    if (found.length > 0) named[right] = found.map((one) => names.variable('account', one ?? ''));
  }
  const [first] = Object.values(named);
  const isAll = rights.every((right) => JSON.stringify(named[right]) === JSON.stringify(first));
  if (first === undefined) return undefined;
  return { ...(isAll ? { iban: first } : named), ...more };
}
