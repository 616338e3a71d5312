import { defined } from '../../base/defined.ts';
import { ObkError } from '../../base/errors.ts';
import { checkPaymentAmount } from '../../standard/formats/money/amount.ts';
import type { Answer } from '../../standard/xs2a/answer.ts';
import { checkCurrency, checkMax35, checkMax70 } from '../../standard/xs2a/check.ts';
import { member } from '../../standard/xs2a/json.ts';
import type { FundsConfirmation } from '../../standard/xs2a/wire-accounts.ts';
import { accountReference } from '../orders/account-reference.ts';
import { call } from '../call/call.ts';
import { canonicalAmount, readingOf } from '../orders/payment-fields.ts';
import type { Target } from '../exchange/target.ts';

/** The fields of the request, as typed. */
export interface FundsOptions {
  account: string;
  amount: string;
  currency?: string;
  payee?: string;
  card?: string;
}

/** The body of POST funds-confirmations. Throws INPUT_INVALID naming every flag that is wrong. */
export function buildFunds(wish: FundsOptions): FundsConfirmation {
  const { amount, currency = 'EUR', payee, card } = wish;
  const code = checkCurrency(currency);
  const checks = [
    ['--currency', currency, code],
    ['--amount', amount, checkPaymentAmount(amount, currency.toUpperCase())],
    ...(payee === undefined ? [] : [['--payee', payee, checkMax70(payee)] as const]),
    ...(card === undefined ? [] : [['--card', card, checkMax35(card)] as const]),
  ] as const;
  const wrong = checks.flatMap(([flag, text, checked]) =>
    checked.ok ? [] : [`${flag} ${JSON.stringify(text)}: ${checked.why}`],
  );
  if (wrong.length > 0) {
    const meant = readingOf({ amount, currency });
    throw new ObkError({
      code: 'INPUT_INVALID',
      title: 'The funds confirmation is not valid.',
      detail: wrong.join('\n'),
      hint: meant === undefined ? [] : [`--amount ${meant}`],
    });
  }
  const unit = code.ok ? code.value : currency;
  return {
    ...defined({ cardNumber: card }),
    account: accountReference('--account', wish.account),
    ...defined({ payee }),
    instructedAmount: { currency: unit, amount: canonicalAmount(amount, unit) },
  };
}

/** Asks whether an amount is there at this moment; the answer is yes or no and reserves nothing. */
export async function checkFunds(
  target: Target,
  body: FundsConfirmation,
  consentId?: string,
): Promise<{ answer: Answer; fundsAvailable: boolean }> {
  const answer = await call(target, {
    operation: 'checkAvailabilityOfFunds',
    body: { json: body },
    ...(consentId !== undefined && { headers: [['Consent-ID', consentId]] }),
  });
  return { answer, fundsAvailable: member(answer.json, 'fundsAvailable') === true };
}
