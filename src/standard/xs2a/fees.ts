/** The fees of a payment as the bank states them. */
import { defined } from '../../base/defined.ts';
import { JsonNumber, isJsonObject, member, stringMember } from './json.ts';
import type { JsonValue } from './json.ts';
import type { Amount } from './wire.ts';

/** The fees that an answer states; amounts as they came, with an empty currency where none did. Source: guidelines 5.3.1. */
export interface StatedFees {
  readonly transactionFees?: Amount;
  /** True where the payment costs something, whether or not an amount is stated. */
  readonly transactionFeeIndicator?: boolean;
  readonly currencyConversionFees?: Amount;
  readonly estimatedTotalAmount?: Amount;
  readonly estimatedInterbankSettlementAmount?: Amount;
}

/** The names of each member: the files write the conversion fee in the singular or in the plural, an early one with a capital. */
const amounts = {
  transactionFees: ['transactionFees'],
  currencyConversionFees: ['currencyConversionFees', 'currencyConversionFee', 'CurrencyConversionFee'],
  estimatedTotalAmount: ['estimatedTotalAmount'],
  estimatedInterbankSettlementAmount: ['estimatedInterbankSettlementAmount'],
} as const;

/** Hardly any answer has one of them. */
const spelt = Object.values(amounts).flat();

/** Returns the fees in the body of an answer, or undefined where it states none; never throws. */
export function feesIn(json: JsonValue | undefined): StatedFees | undefined {
  const indicator = member(json, 'transactionFeeIndicator');
  const flag =
    indicator === true || indicator === 'true'
      ? true
      : indicator === false || indicator === 'false'
        ? false
        : undefined;
  if (flag === undefined && !spelt.some((name) => member(json, name) !== undefined)) return undefined;
  const stated = Object.entries(amounts).flatMap(([name, spellings]) => {
    const amount = spellings
      .map((spelling) => amountOf(member(json, spelling)))
      .find((one) => one !== undefined);
    return amount === undefined ? [] : [[name, amount] as const];
  });
  if (stated.length === 0 && flag === undefined) return undefined;
  return { ...Object.fromEntries(stated), ...defined({ transactionFeeIndicator: flag }) };
}

/** A number in place of the text is read as it was written; what is no amount at all stands as text, so that it is seen. */
function amountOf(value: JsonValue | undefined): Amount | undefined {
  if (value === undefined || value === null) return undefined;
  if (!isJsonObject(value)) return { amount: textOf(value), currency: '' };
  return { amount: textOf(member(value, 'amount')), currency: stringMember(value, 'currency') ?? '' };
}

function textOf(value: JsonValue | undefined): string {
  if (typeof value === 'string') return value;
  return value instanceof JsonNumber ? value.text : '?';
}
