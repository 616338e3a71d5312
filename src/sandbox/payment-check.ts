import { checkPaymentAmount } from '../formats/amount.ts';
import { checkBic, checkIban, checkIsoDate, checkText } from '../xs2a/check.ts';
import type { Checked } from '../xs2a/check.ts';
import { fieldLimits } from '../xs2a/products.ts';
import type { PaymentInitiation } from '../xs2a/wire.ts';
import { formatError, Refusal } from './refusal.ts';

type Fields = Record<string, unknown>;

/** A SEPA credit transfer that the bank can execute. */
export type SepaPayment = PaymentInitiation & {
  debtorAccount: { iban: string };
  creditorAccount: { iban: string };
};

/** Checks the body of a single SEPA credit transfer; throws FORMAT_ERROR with the path of the first fault. */
export function checkSepaPayment(body: unknown, today: string): SepaPayment {
  const fields = object(body, '');
  iban(fields, 'debtorAccount');
  iban(fields, 'creditorAccount');
  amount(object(fields['instructedAmount'], 'instructedAmount'));
  if (fields['creditorName'] === undefined) throw formatError('creditorName is missing.', 'creditorName');
  for (const [name, limit] of Object.entries(fieldLimits)) {
    if (fields[name] !== undefined) text(fields[name], name, (value) => checkText(value, limit));
  }
  if (fields['creditorAgent'] !== undefined) text(fields['creditorAgent'], 'creditorAgent', checkBic);
  executionDate(fields['requestedExecutionDate'], today);
  return fields as unknown as SepaPayment;
}

function object(value: unknown, path: string): Fields {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Fields;
  if (path === '') throw formatError('The body is not a JSON object.');
  throw formatError(value === undefined ? `${path} is missing.` : `${path} is not an object.`, path);
}

function text(value: unknown, path: string, check: (value: string) => Checked): void {
  if (value === undefined) throw formatError(`${path} is missing.`, path);
  if (typeof value !== 'string') throw formatError(`${path} is not a string.`, path);
  const checked = check(value);
  if (!checked.ok) throw formatError(`${path}: ${checked.why}.`, path);
}

function iban(fields: Fields, name: string): void {
  const reference = object(fields[name], name);
  const path = `${name}.iban`;
  text(reference['iban'], path, checkIban);
  if (!/^[A-Z0-9]+$/.test(reference['iban'] as string)) {
    throw formatError(`${path}: it has blanks or small letters.`, path);
  }
  if (reference['currency'] !== undefined && reference['currency'] !== 'EUR') {
    throw formatError('A SEPA account is kept in EUR.', `${name}.currency`);
  }
}

function amount(instructed: Fields): void {
  const path = 'instructedAmount.currency';
  if (instructed['currency'] !== 'EUR') throw formatError('A SEPA credit transfer is in EUR.', path);
  text(instructed['amount'], 'instructedAmount.amount', (value) => {
    const checked = checkPaymentAmount(value, 'EUR');
    return checked.ok ? { ok: true, value } : checked;
  });
}

function executionDate(value: unknown, today: string): void {
  if (value === undefined) return;
  text(value, 'requestedExecutionDate', checkIsoDate);
  if ((value as string) < today) {
    throw new Refusal(400, 'EXECUTION_DATE_INVALID', 'The execution date has passed.', {
      path: 'requestedExecutionDate',
    });
  }
}
