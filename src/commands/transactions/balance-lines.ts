import { cleanLine } from '../../clean.ts';
import type { PageFacts } from '../../flows/accounts/transactions.ts';

const most = 20;

/** A line for each balance that a report tells; of several accounts each with its account. Of many statements there are too many. */
export function balanceLines(balances: PageFacts['balances']): string[] {
  if (balances.length > most)
    return [`${String(balances.length)} balances, of all statements; --json --meta has them all.`];
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
