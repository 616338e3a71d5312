import { JsonNumber } from '../../../standard/xs2a/json.ts';
import type { Names } from './names.ts';
import { membersOf } from './recorded.ts';

type Flags = Record<string, string | readonly string[]>;

/** Members of a payment that are flags as they stand. */
const texts: Readonly<Record<string, string>> = {
  creditorAgent: 'creditor-agent',
  remittanceInformationUnstructured: 'remittance',
  chargeBearer: 'charge-bearer',
  executionRule: 'execution-rule',
  frequency: 'frequency',
  dayOfExecution: 'day-of-execution',
};
/** Those that differ from day to day, or name somebody. */
const variables: Readonly<Record<string, string>> = {
  creditorName: 'creditor-name',
  requestedExecutionDate: 'execution-date',
  startDate: 'start-date',
  endDate: 'end-date',
};
const accounts: Readonly<Record<string, string>> = {
  debtorAccount: 'debtor',
  creditorAccount: 'creditor-account',
};

/** obk makes it from the intent, and the next run has another one. */
const ownEndToEnd = /^OBK[0-9A-F]{20,32}$/;

/** The flags that make the body of a payment again; undefined where it has what no flag says. */
export function orderFlags(body: string, names: Names): Flags | undefined {
  const members = Object.entries(membersOf(body));
  if (members.length === 0) return undefined;
  const flags: Flags = {};
  for (const [member, value] of members) {
    const found = flagsOf(member, value, names);
    if (found === undefined) return undefined;
    Object.assign(flags, found);
  }
  return flags;
}

function flagsOf(member: string, value: unknown, names: Names): Flags | undefined {
  const account = accounts[member];
  if (account !== undefined) {
    const number = accountText(value);
    return number === undefined ? undefined : { [account]: names.variable(camel(account), number) };
  }
  if (member === 'instructedAmount') return amountFlags(value, names);
  const text = textOf(value);
  if (text === undefined) return undefined;
  if (member === 'endToEndIdentification')
    return ownEndToEnd.test(text) ? {} : { 'end-to-end-id': names.text(text) };
  const variable = variables[member];
  if (variable !== undefined) return { [variable]: names.variable(camel(variable), text) };
  const flag = texts[member];
  return flag === undefined ? undefined : { [flag]: names.text(text) };
}

/** The flags of an amount; that of the interface's own currency alone. */
export function amountFlags(value: unknown, names: Names): Flags | undefined {
  const { amount, currency, ...others } = (value ?? {}) as Readonly<Record<string, unknown>>;
  const text = textOf(amount);
  if (text === undefined || typeof currency !== 'string' || Object.keys(others).length > 0) return undefined;
  return {
    amount: names.variable('amount', text),
    ...(currency !== 'EUR' && { currency: names.variable('currency', currency) }),
  };
}

const kinds: Readonly<Record<string, string>> = {
  iban: '',
  bban: 'bban:',
  pan: 'pan:',
  maskedPan: 'masked-pan:',
  msisdn: 'msisdn:',
};

/** An account as a flag takes it, such as `DE…:EUR` or `bban:…`; undefined for anything else. */
export function accountText(value: unknown): string | undefined {
  const { currency, ...others } = (value ?? {}) as Readonly<Record<string, unknown>>;
  const [[kind, number] = ['', undefined], ...more] = Object.entries(others);
  const prefix = kinds[kind];
  if (prefix === undefined || typeof number !== 'string' || more.length > 0) return undefined;
  return prefix + number + (typeof currency === 'string' ? `:${currency}` : '');
}

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' ? value : value instanceof JsonNumber ? value.text : undefined;

/** The name of a flag as that of a variable. */
const camel = (flag: string): string =>
  flag.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
