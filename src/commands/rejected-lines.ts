import type { PaymentState } from '../flows/payment-state.ts';
import { cleanLine } from '../render/foreign.ts';

/** What a status says besides itself: funds, the bank's words, and each payment of a bulk that was not made. */
export function stateLines({
  fundsAvailable,
  psuMessage,
  rejected = [],
  reasons = [],
}: PaymentState): string[] {
  return [
    ...(fundsAvailable === undefined ? [] : [`  Funds available: ${fundsAvailable ? 'yes' : 'no'}`]),
    ...(psuMessage === undefined ? [] : [`  ${cleanLine(psuMessage)}`]),
    ...reasons.map((reason) => `  ${reasonText(reason)}`),
    ...rejected.map(({ endToEndIdentification, instructedAmount, reasons: why }) => {
      const amount =
        instructedAmount === undefined ? '' : ` (${instructedAmount.amount} ${instructedAmount.currency})`;
      const id = endToEndIdentification ?? 'a payment without an id';
      return cleanLine(`  Rejected: ${id}${amount}: ${why.map(reasonText).join('; ') || 'no reason given'}`);
    }),
  ];
}

function reasonText({ code, proprietary, additional }: NonNullable<PaymentState['reasons']>[number]): string {
  const told = [code ?? proprietary, ...additional].filter((text) => text !== undefined);
  return cleanLine(told.join(' '));
}
