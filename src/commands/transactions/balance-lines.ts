import { cleanLine } from '../../clean.ts';
import type { PageFacts } from '../../flows/accounts/transactions.ts';

/** A line for each balance that a report tells; of several accounts each with its account. */
export function balanceLines(balances: PageFacts['balances']): string[] {
  const several = new Set(balances.map(({ account }) => account)).size > 1;
  return balances.map(({ account, balanceType, amount, currency, referenceDate, marks }) => {
    const of = several && account !== undefined ? `of ${account}` : undefined;
    const words = [
      'Balance',
      `${balanceType}:`,
      amount,
      currency,
      referenceDate,
      of,
      marks === undefined ? undefined : '(its sign is unknown)',
    ];
    return cleanLine(words.filter((word) => word !== undefined).join(' '));
  });
}
