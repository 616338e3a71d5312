import { isBbanText, isUetr } from '../../base/values.ts';
import { InteractionNeeded, ObkError } from '../../base/errors.ts';
import { amountReading, checkPaymentAmount, parseAmount } from '../../standard/formats/money/amount.ts';
import {
  checkBic,
  checkCreditorName,
  checkCurrency,
  checkIban,
  checkIsoDate,
  checkMax35,
  checkMax70,
  checkMax140,
} from '../../standard/xs2a/check.ts';
import { checkLei, readCreditorReference } from '../../standard/xs2a/creditor-reference.ts';
import type { Checked } from '../../standard/xs2a/check.ts';
import { chargeBearers, executionRules, frequencies } from '../../standard/xs2a/code-lists.ts';
import type { ListedCode } from '../../standard/xs2a/code-lists.ts';
import type { AccountReference } from '../../standard/xs2a/wire.ts';
import { readAddress } from './field-parts.ts';
import { readReporting } from './field-parts.ts';

/** The fields of a payment as typed by a person or a script. */
export interface PaymentFields {
  debtor?: string;
  debtorName?: string;
  initiatingParty?: string;
  creditorAccount?: string;
  creditorName?: string;
  creditorAgent?: string;
  creditorAddress?: string;
  amount?: string;
  currency?: string;
  chargeBearer?: string;
  remittance?: string;
  creditorReference?: string;
  endToEndId?: string;
  uetr?: string;
  debtorLei?: string;
  creditorLei?: string;
  instructionPriority?: string;
  regulatoryReporting?: string;
  executionDate?: string;
  startDate?: string;
  endDate?: string;
  frequency?: string;
  executionRule?: string;
  dayOfExecution?: string;
  months?: string;
}

/** The name of one field. */
export type FieldName = keyof PaymentFields;

/** Which field is asked by which flag; the order in which a person is asked. */
export const fieldFlags = {
  debtor: '--debtor',
  debtorName: '--debtor-name',
  initiatingParty: '--initiating-party',
  creditorName: '--creditor-name',
  creditorAccount: '--creditor-account',
  creditorAgent: '--creditor-agent',
  creditorAddress: '--creditor-address',
  amount: '--amount',
  currency: '--currency',
  chargeBearer: '--charge-bearer',
  remittance: '--remittance',
  creditorReference: '--creditor-reference',
  endToEndId: '--end-to-end-id',
  uetr: '--uetr',
  debtorLei: '--debtor-lei',
  creditorLei: '--creditor-lei',
  instructionPriority: '--instruction-priority',
  regulatoryReporting: '--regulatory-reporting',
  executionDate: '--execution-date',
  startDate: '--start-date',
  endDate: '--end-date',
  frequency: '--frequency',
  executionRule: '--execution-rule',
  dayOfExecution: '--day-of-execution',
  months: '--months',
} as const satisfies Record<FieldName, string>;

/** The names of all fields. */
export const fieldNames = Object.keys(fieldFlags) as readonly FieldName[];

const standing = ['startDate', 'endDate', 'frequency', 'executionRule', 'dayOfExecution', 'months'] as const;
const ofBulk: readonly FieldName[] = [
  'debtor',
  'debtorName',
  'initiatingParty',
  'executionDate',
  'debtorLei',
  'instructionPriority',
];
const mandatory = ['debtor', 'creditorName', 'creditorAccount', 'amount'] as const;
/** The fields that a standing order requires. */
export const mandatoryStanding = ['startDate', 'frequency'] as const;

/** Whether a field belongs to the payments of a service; a bulk has the others in its rows. */
export function fieldFits(name: FieldName, service: string): boolean {
  if (service === 'bulk-payments') return ofBulk.includes(name);
  const isStanding = (standing as readonly FieldName[]).includes(name);
  return service === 'periodic-payments' ? name !== 'executionDate' : !isStanding;
}

/** The fields that a payment of a service cannot do without; a pain.001 names the debtor, too. */
export function neededFields(service: string, isPain = false): readonly FieldName[] {
  const named: readonly FieldName[] = isPain ? ['debtorName'] : [];
  if (service === 'bulk-payments') return ['debtor', ...named];
  return [...mandatory, ...named, ...(service === 'periodic-payments' ? mandatoryStanding : [])];
}

/** The mandatory fields that are not there yet. */
export function missingFields(fields: PaymentFields, service = 'payments', isPain = false): FieldName[] {
  return neededFields(service, isPain).filter((name) => (fields[name] ?? '') === '');
}

/** What a field is judged by besides itself: an amount by its currency, a reference by the account of its creditor. */
type Beside = Pick<PaymentFields, 'currency' | 'creditorAccount'>;

/** Tells why a field cannot be sent, or undefined. */
export function fieldFault(name: FieldName, value: string, beside: Beside = {}): string | undefined {
  const checked = checkers[name](value, beside);
  return checked.ok ? undefined : checked.why;
}

/** Throws for what is missing (InteractionNeeded) and for every fault of what is there, all at once. */
export function checkFields(fields: PaymentFields, needed: readonly FieldName[]): void {
  const missing = needed.filter((name) => (fields[name] ?? '') === '');
  if (missing.length > 0) throw new InteractionNeeded(missing.map((name) => fieldFlags[name]));
  const faults = fieldNames.flatMap((name) => {
    const value = fields[name];
    const why = value === undefined ? undefined : fieldFault(name, value, fields);
    return why === undefined ? [] : [`${fieldFlags[name]} ${JSON.stringify(value)}: ${why}`];
  });
  const amount = readingOf(fields);
  const hint = amount === undefined ? [] : [`${fieldFlags.amount} ${amount}`];
  if (faults.length > 0) throw notSendable(faults, ...hint);
}

/** The error of a payment that cannot be sent, one line for each fault. */
export function notSendable(faults: readonly string[], ...hint: string[]): ObkError {
  return new ObkError({
    code: 'INPUT_INVALID',
    title: 'The payment cannot be sent as it is.',
    detail: faults.join('\n'),
    hint,
  });
}

/** By a currency that is wrong itself no amount is judged. */
const judging = (currency = 'EUR') => (checkCurrency(currency).ok ? currency.toUpperCase() : 'EUR');

/** The only amount that one with other separators can mean; undefined where the text is one already, or means none or two. */
export const readingOf = ({ amount = '', currency }: Pick<PaymentFields, 'amount' | 'currency'>) =>
  amountReading(amount, judging(currency));

type Check = (value: string, beside: Beside) => { ok: true } | { ok: false; why: string };

const refuse = (why: string) => ({ ok: false, why }) as const;
const coded =
  (list: readonly ListedCode[]): Check =>
  (value) =>
    codeIn(list, value) === undefined
      ? refuse(`it is not one of ${list.map(({ code }) => code).join(', ')}`)
      : { ok: true };

const checkers: Record<FieldName, Check> = {
  debtor: checkIban,
  debtorName: checkMax70,
  initiatingParty: checkMax140,
  creditorAccount: (value) => (accountOf(value).bban === undefined ? checkIban(value) : checkBban(value)),
  creditorName: checkCreditorName,
  creditorAgent: checkBic,
  creditorAddress: (value) => {
    const read = readAddress(value);
    return read.ok ? { ok: true } : read;
  },
  amount: (value, { currency }) => checkPaymentAmount(value, judging(currency)),
  currency: checkCurrency,
  chargeBearer: coded(chargeBearers),
  remittance: checkMax140,
  // The object of the guidelines and pain.001 have 35 characters, and are checked where they are written.
  creditorReference: (value, { creditorAccount }) => readCreditorReference(value, creditorAccount, 140),
  endToEndId: checkMax35,
  uetr: (value) =>
    isUetr(value.toLowerCase())
      ? { ok: true }
      : refuse('a UETR is a UUID of version 4, such as eb6305c9-1f7f-49de-aed0-16487c27b42d'),
  debtorLei: checkLei,
  creditorLei: checkLei,
  instructionPriority: (value) =>
    /^(HIGH|NORM)$/i.test(value) ? { ok: true } : refuse('it is HIGH or NORM'),
  regulatoryReporting: (value) => {
    const read = readReporting(value);
    return read.ok ? { ok: true } : read;
  },
  executionDate: checkIsoDate,
  startDate: checkIsoDate,
  endDate: checkIsoDate,
  frequency: coded(frequencies),
  executionRule: coded(executionRules),
  dayOfExecution: (value) =>
    /^(0?[1-9]|[12][0-9]|3[01])$/.test(value) ? { ok: true } : refuse('it is not one of 1 to 31'),
  months: (value) => {
    const months = monthsOf(value);
    const right = months.every((month) => /^([1-9]|1[0-2])$/.test(month));
    return right && months.length <= 11 && new Set(months).size === months.length
      ? { ok: true }
      : refuse('it is not a list of 1 to 11 different months, such as 3,6,9');
  },
};

const bbanPrefix = /^bban:/i;

function checkBban(value: string): Checked {
  const bban = value.replace(bbanPrefix, '');
  return isBbanText(bban) ? { ok: true, value: bban } : refuse('a BBAN has 1 to 30 letters and digits');
}

/** The account that a person names: an IBAN, or a national number as `bban:NUMBER`. */
export function accountOf(text: string): AccountReference {
  return bbanPrefix.test(text) ? { bban: text.replace(bbanPrefix, '') } : { iban: canonicalIban(text) };
}

/** The code of a list that a text means, whatever its capitals. */
export function codeIn(list: readonly ListedCode[], text: string): string | undefined {
  return list.find(({ code }) => code.toLowerCase() === text.toLowerCase())?.code;
}

/** The months of a list such as `3,6,9`. */
export function monthsOf(text: string): string[] {
  return text.split(',').map((month) => month.trim());
}

/** An IBAN without blanks in capitals; what is none stays as it is. */
export function canonicalIban(text = ''): string {
  const checked = checkIban(text);
  return checked.ok ? checked.value : text;
}

/** With all digits of the currency: 12.5 EUR is 12.50. */
export function canonicalAmount(text: string, currency: string): string {
  const parsed = parseAmount(text, currency);
  return parsed.ok ? parsed.value.amount : text;
}
