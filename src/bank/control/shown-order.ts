import { sumsOf } from '../books/order.ts';
import type { Transfer } from '../books/order.ts';
import type { Payment } from '../stores/payment-store.ts';

/** How many transfers a payment shows, and how many where it is one of many. */
export const mostTransfers = { one: 100, brief: 3 };

/** What is paid by whom to whom, as the bank has read it from the body. */
export function shownOrder({ content, rejected }: Payment, most: number) {
  const { debtor, transfers, executeAt = null, standing = null } = content;
  // The parts of a standing order are its executions.
  const reasons = new Map(standing === null ? rejected.map(({ part, reason }) => [part, reason]) : []);
  return {
    debtorAccount: debtor,
    count: transfers.length,
    sums: sumsOf(content),
    transfers: transfers
      .slice(0, most)
      .map((one, part) => ({ ...shownTransfer(one), rejected: reasons.get(part) ?? null })),
    executeAt,
    standingOrder: standing,
  };
}

function shownTransfer(transfer: Transfer) {
  const { creditorName, creditorAccount, currency, amount, remittance, reference } = transfer;
  return { creditorName, creditorAccount, currency, amount, remittance: remittance ?? reference ?? null };
}
