import { cleanLine } from '../../../base/clean.ts';
import type { PageFacts } from '../../../client/accounts/transactions.ts';
import { statementText } from '../../render/statement-text.ts';

const most = 20;

/** A line for each balance that a report tells; of several accounts each with its account. Of many statements there are too many. */
export function balanceLines(balances: PageFacts['balances']): string[] {
  if (balances.length > most)
    return [`${String(balances.length)} balances, of all statements; --json --meta has them all.`];
  const several = new Set(balances.map(({ account }) => account)).size > 1;
  return balances.map(
    ({ account, balanceType, amount, currency, referenceDate, referenceDateTime, marks }) => {
      const of = several && account !== undefined ? `of ${account}` : undefined;
      const words = [
        'Balance',
        `${balanceType}:`,
        amount,
        currency,
        referenceDateTime ?? referenceDate,
        of,
        marks === undefined ? undefined : '(its sign is unknown)',
      ];
      return cleanLine(words.filter((word) => word !== undefined).join(' '));
    },
  );
}

/** A line for each statement with what it says of itself: its number, its time, who made it. */
export function statementLines(statements: PageFacts['statements']): string[] {
  if (statements.length > most)
    return [`${String(statements.length)} statements; --json --meta has what each says of itself.`];
  return statements.map((statement) => cleanLine(`Statement: ${statementText(statement)}`));
}
