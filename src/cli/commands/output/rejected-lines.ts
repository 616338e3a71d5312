import { cleanLine } from '../../../base/clean.ts';
import { bankSays } from '../../../client/resources/bank-says.ts';
import type { PaymentState } from '../../../client/resources/payment-state.ts';

/** The further content of a status: funds, the bank's words, and each payment of a bulk that was not made. */
export function stateLines({
  fundsAvailable,
  psuMessage,
  rejected = [],
  explained = [],
  counts = [],
  reasons = [],
  contradictions = [],
}: PaymentState): string[] {
  return [
    ...(fundsAvailable === undefined ? [] : [`  Funds available: ${fundsAvailable ? 'yes' : 'no'}`]),
    ...(psuMessage === undefined ? [] : [`  ${cleanLine(bankSays(psuMessage))}`]),
    ...reasons.map((reason) => `  ${reasonText(reason)}`),
    ...counts.map(({ status, number = 'some', sum }) => {
      const told = `${number} payment${/^0*1$/.test(number) ? '' : 's'}`;
      return cleanLine(`  ${status}: ${told}${sum === undefined ? '' : `, ${sum} together`}`);
    }),
    ...rejected.map((entry) => {
      const why = entry.reasons.length === 0 ? ['no reason given'] : entry.reasons.map(reasonText);
      return cleanLine(`  Rejected: ${whatOf(entry)}: ${[...why, ...factTexts(entry)].join('; ')}`);
    }),
    ...explained.map(({ status = 'Without a status', ...entry }) => {
      const facts = [...entry.reasons.map(reasonText), ...factTexts(entry)];
      const told = facts.length === 0 ? ['no reason given'] : facts;
      return cleanLine(`  ${status}: ${whatOf(entry)}: ${told.join('; ')}`);
    }),
    ...contradictions.map((text) => cleanLine(`  The report contradicts itself: ${text}`)),
  ];
}

function whatOf(entry: NonNullable<PaymentState['rejected']>[number]): string {
  const { batch, paymentInformationId: inBatch, instructedAmount } = entry;
  const id = entry.endToEndIdentification ?? entry.instructionIdentification ?? entry.uetr;
  if (batch === true) return `the batch ${inBatch ?? 'without an id'}`;
  const amount = instructedAmount && ` (${instructedAmount.amount} ${instructedAmount.currency})`;
  const place = inBatch === undefined ? '' : ` of the batch ${inBatch}`;
  const payee = entry.creditorName === undefined ? '' : ` to ${entry.creditorName}`;
  return `${id ?? 'a payment without an id'}${amount ?? ''}${payee}${place}`;
}

/** What became of a payment, as its bank tells it. */
function factTexts(entry: NonNullable<PaymentState['rejected']>[number]): string[] {
  const { acceptedAt, settlementDate, confirmedDate, confirmedAmount, bankReference, clearingReference } =
    entry;
  const charges = (entry.charges ?? []).map(({ amount, currency, agent }) =>
    ['charges', amount, currency, agent && `(${agent})`].filter(Boolean).join(' '),
  );
  const confirmed = [confirmedDate, confirmedAmount?.amount, confirmedAmount?.currency].filter(Boolean);
  return [
    acceptedAt && `accepted ${acceptedAt}`,
    settlementDate && `settled ${settlementDate}`,
    confirmed.length > 0 && `confirmed ${confirmed.join(' ')}`,
    ...charges,
    bankReference && `reference of the bank ${bankReference}`,
    clearingReference && `reference of the clearing ${clearingReference}`,
  ].filter((text) => typeof text === 'string');
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
