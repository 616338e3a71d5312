import { line } from '../../base/command-line.ts';
import { ObkError } from '../../base/errors.ts';
import { amountReading, formatMinor, parseAmount } from '../../standard/formats/money/amount.ts';
import type { SavedResource } from '../../settings/records/resources.ts';
import { entryOf } from '../../standard/sca/entry.ts';
import type { Entry } from '../../standard/sca/entry.ts';
import type { Step } from '../../standard/sca/next-step.ts';
import type { StatedFees } from '../../standard/xs2a/fees.ts';
import type { Amount } from '../../standard/xs2a/wire.ts';

/** The most that a payment may cost besides its amount; without a currency in that of the payment. */
export interface FeeLimit {
  amount: string;
  currency?: string;
}

/** Reads `2.50`, `2.50 EUR` or `EUR 2.50`; undefined for anything else, and for an amount below zero. */
export function readFeeLimit(text: string): FeeLimit | undefined {
  const [, before = '', amount = '', behind = ''] =
    /^([A-Z]{3})?\s*([0-9.]+)\s*([A-Z]{3})?$/.exec(text.trim()) ?? [];
  if (before !== '' && behind !== '') return undefined;
  const currency = before + behind;
  if (!parseAmount(amount, currency === '' ? 'EUR' : currency).ok) return undefined;
  return { amount, ...(currency !== '' && { currency }) };
}

/** The limit that a text with other separators can only mean: `EUR 2,50` is `EUR 2.50`; undefined for any other text. */
export function feeReading(text: string): string | undefined {
  const [, before = '', amount = '', behind = ''] =
    /^([A-Z]{3}\s*)?([0-9][0-9.,'’ ]*)([A-Z]{3})?$/.exec(text.trim()) ?? [];
  const currency = `${before}${behind}`.trim();
  const meant = amountReading(amount.trim(), currency === '' ? 'EUR' : currency);
  const limit = meant === undefined ? undefined : `${before}${amount.replace(amount.trim(), meant)}${behind}`;
  return limit === undefined || readFeeLimit(limit) === undefined ? undefined : limit;
}

/** The bank's fees, in lines for the customer, who must see them before confirming. */
export function feeLines(fees: StatedFees): string[] {
  const { transactionFees, transactionFeeIndicator: asked, currencyConversionFees } = fees;
  const unnamed = transactionFees === undefined && currencyConversionFees === undefined;
  const shown: [string, Amount | undefined][] = [
    ['Fees of the bank', transactionFees],
    ['Fees for the exchange of currencies', currencyConversionFees],
    ['Estimated total with fees', fees.estimatedTotalAmount],
    ['Estimated amount between the banks', fees.estimatedInterbankSettlementAmount],
  ];
  return [
    ...(unnamed && asked === true ? ['Fees of the bank: yes, but it does not say how much.'] : []),
    ...(unnamed && asked === false ? ['Fees of the bank: none.'] : []),
    ...shown.flatMap(([title, amount]) => (amount === undefined ? [] : [`${title}: ${textOf(amount)}`])),
  ];
}

const textOf = ({ amount, currency }: Amount): string =>
  `${amount} ${currency === '' ? '(no currency)' : currency}`;

/**
 * Throws FEES_TOO_HIGH where the bank asks more than the limit, or what cannot be compared with it. Before the last step a bank
 * may still say how much it is that it asks.
 */
export function checkFees(
  fees: StatedFees | undefined,
  limit: FeeLimit,
  resource: SavedResource,
  step: Step,
): void {
  if (fees === undefined || step.kind === 'done') return;
  const early = step.kind === 'send' && !confirms.includes(entryOf(step.need));
  if (early && fees.transactionFees === undefined && fees.estimatedTotalAmount === undefined) return;
  const most = { amount: limit.amount, currency: limit.currency ?? resource.summary?.currency ?? 'EUR' };
  const why = objection(fees, most, resource.summary);
  if (why === undefined) return;
  const { noun, id } = resource;
  throw new ObkError({
    code: 'FEES_TOO_HIGH',
    title: `The fees of the bank are not within --max-fees ${textOf(most)}, so nothing more is sent.`,
    detail: [why, ...feeLines(fees)].join('\n'),
    hint: [
      line`obk ${noun} authorise ${id}   # goes on with it all the same`,
      ...(noun === 'payment' ? [line`obk payment cancel ${id}`] : []),
    ],
  });
}

/** With these the customer agrees. */
const confirms: readonly (Entry | undefined)[] = ['otp', 'confirmation'];

/** Why fees do not keep within a limit; undefined where they do. */
function objection(fees: StatedFees, most: Amount, paid: SavedResource['summary']): string | undefined {
  const { transactionFees, currencyConversionFees, transactionFeeIndicator } = fees;
  const [first] = [transactionFees, currencyConversionFees].flatMap((fee) => tooMuch(fee, most) ?? []);
  if (first !== undefined) return first;
  const inTotal = totalFees(fees, paid);
  // The total says it once more where the fees are stated, and alone where they are not.
  if (typeof inTotal === 'object') return tooMuch(inTotal, most);
  if (transactionFees !== undefined) return undefined;
  if (inTotal !== undefined) return inTotal;
  return transactionFeeIndicator === true && currencyConversionFees === undefined
    ? 'The bank charges fees and does not say how much.'
    : undefined;
}

function tooMuch(fee: Amount | undefined, most: Amount): string | undefined {
  if (fee === undefined) return undefined;
  const asked = parseAmount(fee.amount, fee.currency);
  const limit = parseAmount(most.amount, most.currency);
  if (!asked.ok || !limit.ok) return `${textOf(fee)} cannot be compared with ${textOf(most)}.`;
  if (asked.value.minor === 0n) return undefined;
  if (asked.value.currency !== limit.value.currency)
    return `${textOf(fee)} cannot be compared with ${textOf(most)}: they are of different currencies.`;
  return asked.value.minor > limit.value.minor ? `${textOf(fee)} is more than ${textOf(most)}.` : undefined;
}

/** The part of the estimated total beyond the payment; a text if it cannot be computed. */
function totalFees(
  { estimatedTotalAmount: total }: StatedFees,
  paid: SavedResource['summary'],
): Amount | string | undefined {
  if (total === undefined) return undefined;
  const whole = parseAmount(total.amount, total.currency);
  const part = parseAmount(paid?.amount ?? '', paid?.currency ?? '');
  if (!whole.ok || !part.ok || whole.value.currency !== part.value.currency)
    return `The estimated total of ${textOf(total)} cannot be compared with the payment.`;
  const { currency } = part.value;
  const minor = whole.value.minor - part.value.minor;
  return { currency, amount: formatMinor(minor > 0n ? minor : 0n, currency) };
}
