import { formatMinor } from '../../standard/formats/money/amount.ts';
import { wireForm } from '../../standard/xs2a/variants.ts';
import type { TransactionDetails } from '../../standard/xs2a/wire-accounts.ts';
import { closingOf } from '../statements/balances.ts';
import type { Call, Reply } from '../trust/call.ts';
import { allEntriesIn, entriesIn } from '../statements/entries.ts';
import { numberOf } from '../books/accounts.ts';
import type { Account } from '../books/accounts.ts';
import { isoDay } from '../books/life-cycle.ts';
import { pendingIn } from './report-query.ts';
import type { Report, ReportQuery } from './report-query.ts';
import { bookedTransaction, pendingTransaction } from './transaction-wire.ts';

/**
 * Plain text has two media types: the requested one (that of the framework first), or text/plain if neither is
 * requested.
 */
function plainType({ headers, variant }: Call): string {
  const accept = headers.get('accept') ?? '';
  const named = [wireForm(variant.framework, 'plainReports').form, 'text/plain'].find((type) =>
    accept.toLowerCase().includes(type),
  );
  return named ?? 'text/plain';
}

/**
 * A report as text in the German form (structured field 86): for each currency booked entries as MT940, pending ones as
 * MT942.
 */
export function mt940Report(report: Report): Reply {
  return { status: 200, content: { type: plainType(report.read.call), chunks: chunks(report) } };
}

function* chunks(report: Report): Generator<Uint8Array> {
  const { account, query } = report;
  for (const [index, one] of account.accounts.entries()) {
    const number = String(index + 1).padStart(5, '0');
    if (query.bookingStatus !== 'pending') yield* statement(report, one, number);
    if (query.bookingStatus !== 'booked') yield interim(report, one, number);
  }
}

/** Bank code and account of a German or Dutch IBAN, else the number as it is; field 25 holds 35 characters. */
function accountLine(account: Account): string {
  const { iban } = account;
  if (iban !== null && /^(DE|NL)/.test(iban)) return `${iban.slice(4, 12)}/${iban.slice(12)}`;
  return latin(numberOf(account)).slice(0, 35);
}

function headOf({ to }: ReportQuery, account: Account, number: string): string[] {
  return [`:20:OBK${to.replaceAll('-', '')}`, `:25:${accountLine(account)}`, `:28C:${number}/001`];
}

function* statement({ read, query }: Report, one: Account, number: string): Generator<Uint8Array> {
  const { main } = read.bank.ledger;
  const span = { ...query.span, accounts: [one.accountId] };
  const first = query.from ?? entriesIn(main, span, 1)[0]?.day ?? query.to;
  const before = isoDay(new Date(Date.parse(first) - 86_400_000));
  let text = lines([
    ...headOf(query, one, number),
    `:60F:${balance(closingOf(main, one, before), one, before)}`,
  ]);
  for (const row of allEntriesIn(main, span)) {
    text += lines(entry(bookedTransaction(row, read.call.variant.framework)));
    if (text.length < 64 * 1024) continue;
    yield Buffer.from(text, 'latin1');
    text = '';
  }
  text += lines([`:62F:${balance(closingOf(main, one, query.to), one, query.to)}`, '-']);
  yield Buffer.from(text, 'latin1');
}

function interim({ read, query }: Report, one: Account, number: string): Uint8Array {
  const pending = pendingIn(read, [one], query);
  const now = read.call.now.toISOString();
  const total = (side: 'C' | 'D') => {
    const own = pending.filter(({ minor }) => minor < 0n === (side === 'D'));
    const sum = own.reduce((before, { minor }) => before + minor, 0n);
    return `:90${side}:${String(own.length)}${one.currency}${sized(formatMinor(sum, one.currency))}`;
  };
  return Buffer.from(
    lines([
      ...headOf(query, one, number),
      `:34F:${one.currency}0,`,
      `:13D:${shortDay(now.slice(0, 10))}${now.slice(11, 16).replace(':', '')}+0000`,
      ...pending.flatMap((each) => entry(pendingTransaction(each))),
      total('D'),
      total('C'),
      '-',
    ]),
    'latin1',
  );
}

const lines = (all: readonly string[]) => all.map((line) => `${line}\r\n`).join('');
const shortDay = (day: string) => day.slice(2).replaceAll('-', '');
const sized = (amount: string) =>
  (amount.includes('.') ? amount.replace('.', ',') : `${amount},`).replace('-', '');

function balance(minor: bigint, { currency }: Account, day: string): string {
  return `${minor < 0n ? 'D' : 'C'}${shortDay(day)}${currency}${sized(formatMinor(minor, currency))}`;
}

/** Transaction type, GVC and booking text by the family and sub-family of the ISO code. */
const kinds: Readonly<Record<string, readonly [type: string, gvc: string, text: string]>> = {
  'ICDT-STDO': ['NSTO', '117', 'DAUERAUFTRAG'],
  'ICDT-ESCT': ['NTRF', '116', 'UEBERWEISUNG'],
  'RCDT-ESCT': ['NTRF', '166', 'GUTSCHRIFT'],
  'RRCT-SALA': ['NTRF', '153', 'LOHN/GEHALT'],
  'RDDT-ESDD': ['NDDT', '105', 'LASTSCHRIFT'],
  'RDDT-UPDD': ['NRTI', '109', 'RUECKLASTSCHRIFT'],
  'CCRD-POSD': ['NMSC', '106', 'KARTENZAHLUNG'],
  'CCRD-CWDL': ['NMSC', '106', 'GELDAUTOMAT'],
  'CCRD-CHRG': ['NCHG', '808', 'GEBUEHREN'],
  'MDOP-CHRG': ['NCHG', '808', 'ENTGELTABSCHLUSS'],
};

function entry(details: TransactionDetails): string[] {
  const { transactionAmount, bookingDate = '', valueDate = bookingDate, endToEndId, transactionId } = details;
  const { amount, currency } = transactionAmount;
  const debit = amount.startsWith('-');
  const code = details.bankTransactionCode?.split('-').slice(1).join('-') ?? '';
  const [type, gvc, text] = kinds[code] ?? [
    'NMSC',
    debit ? '820' : '835',
    debit ? 'BELASTUNG' : 'GUTSCHRIFT',
  ];
  const sign = `${debit ? 'D' : 'C'}${currency.slice(2)}`;
  const reference = latin(endToEndId ?? 'NONREF').slice(0, 16);
  return [
    `:61:${shortDay(valueDate)}${bookingDate.slice(5).replace('-', '')}${sign}${sized(amount)}${type}${reference}${transactionId === undefined ? '' : `//${transactionId}`}`,
    ...field86(gvc, text, details),
  ];
}

/** GVC, booking text, purpose in pieces of 27 characters, account and name of the other side, in lines of 65. */
function field86(gvc: string, text: string, details: TransactionDetails): string[] {
  const { endToEndId, mandateId, creditorId, remittanceInformationUnstructured: purpose } = details;
  const told = [
    endToEndId && `EREF+${endToEndId}`,
    mandateId && `MREF+${mandateId}`,
    creditorId && `CRED+${creditorId}`,
    purpose && `SVWZ+${purpose}`,
  ].flatMap((part) => (part === undefined || part === '' ? [] : split(latin(part), 27)));
  const account = (details.creditorAccount ?? details.debtorAccount)?.iban;
  const name = latin(details.creditorName ?? details.debtorName ?? '');
  const purposes = [...Array.from({ length: 10 }, (_, at) => 20 + at), 60, 61, 62, 63];
  const fields = [
    `?00${text}`,
    ...told.slice(0, purposes.length).map((part, at) => `?${String(purposes[at])}${part}`),
    ...(account === undefined ? [] : [`?31${account}`]),
    ...split(name, 27)
      .slice(0, 2)
      .map((part, at) => `?${String(32 + at)}${part}`),
  ];
  return split(`:86:${gvc}${fields.join('')}`, 65);
}

/** Splits a text into pieces of a length; no piece begins like a field or the end of a message. */
function split(text: string, length: number): string[] {
  const pieces: string[] = [];
  let rest = text;
  while (rest.length > length) {
    let end = length;
    while (end > 1 && /[:-]/.test(rest[end] ?? '')) end -= 1;
    pieces.push(rest.slice(0, end));
    rest = rest.slice(end);
  }
  if (rest !== '') pieces.push(rest);
  return pieces;
}

/** The characters of SWIFT; a question mark would begin a field of its own. */
function latin(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replaceAll('ß', 'ss')
    .replace(/[^A-Za-z0-9/\-:().,'+ ]/g, '.');
}
