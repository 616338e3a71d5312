import { frameworkFacts } from '../../standard/xs2a/variants.ts';
import type { Amount, Fees } from '../../standard/xs2a/wire.ts';
import type { Call } from '../trust/call.ts';
import { methodsIn } from '../sca/conversation.ts';
import type { Parent } from '../sca/authorised-things.ts';
import type { LedgerPerson } from '../books/people.ts';
import { totalDebit } from '../books/order.ts';
import { centsIn } from '../rules/open-values.ts';

/** In cents: what the currency conversion costs beside the fee. */
const exchangeFee = 40;

/**
 * The fees that the bank states for a payment, if the framework of the call has the members: at the initiation, or also
 * in the answers to the PSU (feesInAnswers). They are stated and never booked.
 */
export function feesOf(
  call: Call,
  { kind, ...parent }: Parent,
  person: LedgerPerson | undefined,
  at: 'initiation' | 'answers',
): Fees {
  const { fees: switched, feeAmount } = call.scenario;
  const fee = centsIn(feeAmount);
  const asked = switched === 'by-person' ? (person ?? parent.owner)?.fees : switched;
  if (kind !== 'payment' || asked === undefined || asked === 'none') return {};
  if (!frameworkFacts[call.variant.framework].feesInAnswers)
    return at === 'answers' ? {} : { transactionFeeIndicator: true, transactionFees: euros(fee) };
  // Who has no choice may send the password with the start, whose answer has no members for fees.
  const payer = person ?? parent.owner;
  const hasChoice = payer !== undefined && methodsIn(call.variant.framework, payer).length > 1;
  if (at === 'initiation' && asked === 'with-method' && hasChoice) return { transactionFeeIndicator: true };
  if (at === 'answers' && asked === 'at-initiation') return {};
  const [payment] = 'payments' in parent ? parent.payments : [];
  if (payment === undefined) return {};
  const [first] = payment.content.transfers;
  const exchanges = asked === 'with-exchange';
  const total = totalDebit(payment.content) + fee;
  return {
    ...(at === 'initiation' && { transactionFeeIndicator: true }),
    transactionFees: euros(fee),
    ...(exchanges && {
      [at === 'initiation' ? 'currencyConversionFee' : 'currencyConversionFees']: euros(exchangeFee),
    }),
    estimatedTotalAmount: euros(total),
    ...(exchanges && {
      estimatedInterbankSettlementAmount: { currency: first.currency, amount: first.amount },
    }),
  };
}

function euros(cents: number | bigint): Amount {
  const text = String(cents).padStart(3, '0');
  return { currency: 'EUR', amount: `${text.slice(0, -2)}.${text.slice(-2)}` };
}
