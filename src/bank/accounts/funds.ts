import { checkPaymentAmount } from '../../standard/formats/money/amount.ts';
import { checkText } from '../../standard/xs2a/check-text.ts';
import { isJsonObject } from '../../standard/xs2a/json.ts';
import type { JsonValue } from '../../standard/xs2a/json.ts';
import { readReference } from '../stores/access.ts';
import type { Handler } from '../trust/call.ts';
import type { Database } from '../books/database.ts';
import { accountsNamed, referenced } from '../books/accounts.ts';
import type { Account } from '../books/accounts.ts';
import { exchange, isOffered } from '../books/order.ts';
import { findPerson } from '../books/people.ts';
import { formatError, Refusal } from '../rules/refusal.ts';
import { doDueWork } from '../sca/timers.ts';

/** POST funds confirmation: answers yes or no, never an amount. */
export const confirmFunds: Handler = ({ ledger: { main } }, call) => {
  doDueWork(main, call.now);
  const body = call.json as JsonValue;
  const fields = isJsonObject(body) ? body : {};
  const reference = readReference(main, fields['account'], 'account');
  const amount = readAmount(fields['instructedAmount']);
  readText(fields['payee'], 'payee', 70);
  const accounts = referenced(main, reference);
  const [first] = accounts;
  if (first === undefined) throw new Error('a reference to nothing');
  checkCard(main, first, readText(fields['cardNumber'], 'cardNumber', 35));
  if (findPerson(main, first.psuId ?? '')?.noFundsConfirmation === true)
    throw new Refusal(400, 'NO_PIIS_ACTIVATION', 'The account is not open for confirmations of funds.');
  // A multicurrency account pays from the sub-account in the currency of the amount.
  const account = accounts.find(({ currency }) => currency === amount.currency) ?? first;
  return { status: 200, body: { fundsAvailable: covers(account, amount) } };
};

interface Asked {
  currency: string;
  amount: string;
  minor: bigint;
}

function readAmount(value: JsonValue | undefined): Asked {
  const path = 'instructedAmount';
  const { currency, amount } = isJsonObject(value) ? value : {};
  if (typeof currency !== 'string' || typeof amount !== 'string')
    throw formatError(`${path} is not an amount.`, path);
  const checked = checkPaymentAmount(amount, currency);
  if (!checked.ok) throw formatError(`${path}: ${checked.why}.`, path);
  if (!isOffered(currency)) throw formatError(`The bank has no accounts in ${currency}.`, path);
  return checked.value;
}

function readText(value: JsonValue | undefined, path: string, max: number): string | undefined {
  if (value === undefined) return undefined;
  if (typeof value === 'string' && checkText(value, max).ok) return value;
  throw formatError(`${path} is not a text of at most ${String(max)} characters.`, path);
}

/** A card belongs to the account that it was opened with; throws CARD_INVALID. */
function checkCard(database: Database, account: Account, number: string | undefined): void {
  if (number === undefined) return;
  const masked = number.includes('*') || number.includes('x');
  const [card] = accountsNamed(database, masked ? 'maskedPan' : 'pan', number.replaceAll('x', '*'));
  const isOwn = card?.accountId === account.accountId || card?.settledBy === account.accountId;
  if (card === undefined || !isOwn)
    throw new Refusal(400, 'CARD_INVALID', 'The card does not belong to the account.', {
      path: 'cardNumber',
    });
}

/** Whether the balance covers the amount, with the credit line, in the account's currency or at the bank's rates. */
function covers({ balance, creditLimit, currency }: Account, asked: Asked): boolean {
  const there = balance + (creditLimit ?? 0n);
  if (there <= 0n) return false;
  if (currency === asked.currency) return asked.minor <= there;
  return exchange(asked.minor, asked.currency, 'EUR') <= exchange(there, currency, 'EUR');
}
