/** Batches: one entry for several transactions, which are rows of their own where their amounts make up that of the entry. */
import { parseAmount } from '../money/amount.ts';
import type { TransactionRow } from './transaction-row.ts';

/** Whether the signed amounts of the parts make up that of the whole. */
export function addUp(parts: readonly TransactionRow[], { amount, currency }: TransactionRow): boolean {
  if (amount === undefined || currency === undefined) return false;
  const minors = [amount, ...parts.map((part) => part.amount ?? '')].map((text) =>
    parseAmount(text, currency),
  );
  let rest = 0n;
  for (const [index, minor] of minors.entries()) {
    if (!minor.ok) return false;
    rest += index === 0 ? minor.value.minor : -minor.value.minor;
  }
  return rest === 0n;
}
