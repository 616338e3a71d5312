import type { SavedResource } from '../../settings/records/resources.ts';

type Summary = NonNullable<SavedResource['summary']>;

/** The amount paid, or the sum of each currency. */
export function amountText({ amount, currency, sums }: Summary): string {
  if (sums === undefined || sums.length < 2) return `${amount ?? '?'} ${currency ?? ''}`;
  return sums.map((sum) => `${sum.amount} ${sum.currency}`).join(' + ');
}

/** The payee, or how many there are. */
export function payeeText({ count, creditorName, creditorAccount }: Summary): string {
  if (count !== undefined) return count === 1 ? '1 payee of a bulk' : `${String(count)} payees of a bulk`;
  return creditorName ?? creditorAccount ?? 'an unknown payee';
}
