import { cleanLine } from '../../clean.ts';
import { bankSays } from '../../flows/resources/bank-says.ts';
import type { PaymentState } from '../../flows/resources/payment-state.ts';

/** The further content of a status: funds, the bank's words, and each payment of a bulk that was not made. */
export function stateLines({
  fundsAvailable,
  psuMessage,
  rejected = [],
  explained = [],
  reasons = [],
  contradictions = [],
}: PaymentState): string[] {
  return [
    ...(fundsAvailable === undefined ? [] : [`  Funds available: ${fundsAvailable ? 'yes' : 'no'}`]),
    ...(psuMessage === undefined ? [] : [`  ${cleanLine(bankSays(psuMessage))}`]),
    ...reasons.map((reason) => `  ${reasonText(reason)}`),
    ...rejected.map((entry) =>
      cleanLine(
        `  Rejected: ${whatOf(entry)}: ${entry.reasons.map(reasonText).join('; ') || 'no reason given'}`,
      ),
    ),
    ...explained.map(({ status = 'Without a status', ...entry }) =>
      cleanLine(`  ${status}: ${whatOf(entry)}: ${entry.reasons.map(reasonText).join('; ')}`),
    ),
    ...contradictions.map((text) => cleanLine(`  The report contradicts itself: ${text}`)),
  ];
}

function whatOf(entry: NonNullable<PaymentState['rejected']>[number]): string {
  const { batch, paymentInformationId: inBatch, instructedAmount } = entry;
  const id = entry.endToEndIdentification ?? entry.instructionIdentification ?? entry.uetr;
  if (batch === true) return `the batch ${inBatch ?? 'without an id'}`;
  const amount = instructedAmount && ` (${instructedAmount.amount} ${instructedAmount.currency})`;
  const place = inBatch === undefined ? '' : ` of the batch ${inBatch}`;
  return `${id ?? 'a payment without an id'}${amount ?? ''}${place}`;
}

function reasonText({
  code,
  proprietary,
  additional,
  originator,
}: NonNullable<PaymentState['reasons']>[number]): string {
  const told = [code ?? proprietary, ...additional, originator && `(${originator})`];
  return cleanLine(told.filter((text) => text !== undefined).join(' '));
}
