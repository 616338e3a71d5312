/** With which balance an account begins before its first entry. */
import type { ReportBalance } from '../../standard/formats/rows/report-reader.ts';
import { parseAmount } from '../../standard/formats/money/amount.ts';
import type { AccountSums } from './account-sums.ts';

/** The balance before the first entry in minor units, and how it is known. */
export interface OpeningBalance {
  minor: bigint;
  from: 'opening' | 'closing' | 'nothing';
}

/** Returns the opening balance that the report tells, else what the closing one leads back to, else zero. */
export function openingBalance(sums: AccountSums, balances: readonly ReportBalance[]): OpeningBalance {
  const { first, last, booked, currency } = sums;
  const minorOf = ({ amount }: ReportBalance) => {
    const parsed = parseAmount(amount, currency);
    return parsed.ok ? parsed.value.minor : undefined;
  };
  const sure = balances.filter(({ marks }) => marks === undefined);
  const day = ({ referenceDate = '' }: ReportBalance) => referenceDate;
  const opening = sure
    .filter((one) => one.balanceType === 'openingBooked' && (first === '' || day(one) <= first))
    .reduce<ReportBalance | undefined>(
      (least, one) => (least === undefined || day(one) < day(least) ? one : least),
      undefined,
    );
  const begins = opening === undefined ? undefined : minorOf(opening);
  if (begins !== undefined) return { minor: begins, from: 'opening' };
  const closing = sure
    .filter((one) => one.balanceType === 'closingBooked' && (day(one) === '' || day(one) >= last))
    .reduce<ReportBalance | undefined>(
      (most, one) => (most === undefined || day(one) >= day(most) ? one : most),
      undefined,
    );
  const ends = closing === undefined ? undefined : minorOf(closing);
  if (ends !== undefined) return { minor: ends - booked.in - booked.out, from: 'closing' };
  return { minor: 0n, from: 'nothing' };
}
