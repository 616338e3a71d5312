/** Field 86 of MT940 and MT942: the German structure, SEPA words, SWIFT words between slashes, or plain lines. */
import { mark, reportAmount } from './report-values.ts';
import type { TransactionRow } from './transaction-row.ts';

// A part that fills its line goes on without a blank; a shorter one has lost one at its end.
const full = '\u0001';
const short = '\u0002';
const lineLength = 27;

type Texts = {
  [K in keyof TransactionRow]-?: string extends NonNullable<TransactionRow[K]> ? K : never;
}[keyof TransactionRow];

function set(row: TransactionRow, name: Texts, text: string | undefined): void {
  const trimmed = text?.trim();
  if (trimmed !== undefined && trimmed !== '') row[name] = trimmed;
}

// The separator after the business code; only it tells structured text from plain amounts and dates.
const germanStart = /^([0-9]{3})([^0-9A-Za-z\s/.,:'-])(?=(?:00|10|2[0-9]|3[0-4]|6[0-3]))/;

/** Reads the lines of a field 86 into the row of its entry. */
export function readInformation(row: TransactionRow, lines: readonly string[]): void {
  const whole = lines.join('');
  const german = germanStart.exec(whole);
  if (german !== null)
    readGerman(row, german[1] ?? '', whole.slice(4).split(new RegExp(`\\${german[2] ?? ''}(?=[0-9]{2})`)));
  else if (/^\/[A-Z]{2,4}\//.test(whole)) readSlashes(row, whole);
  else readWords(row, withBreaks(lines, 65));
}

const withBreaks = (parts: readonly string[], length: number): string =>
  parts
    .map((part, index) => {
      const next = parts[index + 1];
      if (next === undefined) return part;
      return part + (part.length < length && !next.startsWith(' ') ? short : full);
    })
    .join('');

const plain = (text: string): string => text.replaceAll(full, '').replaceAll(short, ' ');
const reference = (text: string): string => text.replaceAll(full, '').replaceAll(short, '');

/** Source: Deutsche Kreditwirtschaft, DFÜ agreement, annex 3, chapter 8: business code and parts ?00 to ?63. */
function readGerman(row: TransactionRow, businessCode: string, parts: readonly string[]): void {
  const found = new Map(parts.map((part) => [part.slice(0, 2), part.slice(2)] as const));
  const code = row.proprietaryBankTransactionCode;
  row.proprietaryBankTransactionCode = code === undefined ? businessCode : `${code}+${businessCode}`;
  set(row, 'additionalInformation', found.get('00'));
  set(row, 'counterpartyAgent', found.get('30'));
  set(row, 'counterpartyAccount', found.get('31'));
  const names = ['32', '33'].map((key) => found.get(key)).filter((part) => part !== undefined);
  set(row, 'counterpartyName', plain(withBreaks(names, lineLength)));
  const purpose = [...found.keys()].filter((key) => /^(2[0-9]|6[0-3])$/.test(key)).sort();
  readWords(
    row,
    withBreaks(
      purpose.map((key) => found.get(key) ?? ''),
      lineLength,
    ),
  );
}

const words = new RegExp(
  `(?:^|[${full}${short} ])(EREF|KREF|MREF|BREF|RREF|CRED|DEBT|COAM|OAMT|SVWZ|ABWA|ABWE|IBAN|BIC|PURP)\\+`,
);

/** Text with SEPA words such as EREF+ at the beginnings of parts; without one it is the remittance information. */
function readWords(row: TransactionRow, text: string): void {
  const [before = '', ...pairs] = text.split(words);
  const found = new Map<string, string>();
  for (let at = 0; at + 1 < pairs.length; at += 2) found.set(pairs[at] ?? '', pairs[at + 1] ?? '');
  const id = (word: string): string | undefined => {
    const value = found.get(word);
    return value === undefined ? undefined : reference(value);
  };
  set(row, 'remittanceInformationUnstructured', plain(found.get('SVWZ') ?? before));
  set(row, 'endToEndId', id('EREF'));
  set(row, 'mandateId', id('MREF'));
  set(row, 'creditorId', id('CRED'));
  set(row, 'purposeCode', id('PURP'));
  row.entryReference ??= id('KREF')?.trim();
  if (row.entryReference === undefined || row.entryReference === '') delete row.entryReference;
  if (row.counterpartyAccount === undefined) set(row, 'counterpartyAccount', id('IBAN'));
  if (row.counterpartyAgent === undefined) set(row, 'counterpartyAgent', id('BIC'));
  readMoney(row, 'OAMT', id('OAMT'));
}

const slashWords =
  /\/(TRTP|TYPE|IBAN|BIC|NAME|REMI|EREF|PREF|ORDP|BENM|CNTP|MARF|CSID|PURP|RTRN|ULTD|ULTC|ULTB|ISDT|ADDR|OCMT|CHGS|ACCW|INIT|ID|CD)(?=\/)/;

// Words that announce a party: the ordering party, the beneficiary, the ultimate ones.
const partyNames = new Set(['ORDP', 'BENM', 'ULTD', 'ULTC', 'ULTB']);
const partyWords = new Set(['IBAN', 'BIC', 'NAME', 'ID', 'ADDR']);

function partyOf(parties: Map<string, Map<string, string>>, name: string): Map<string, string> {
  const found = parties.get(name) ?? new Map<string, string>();
  parties.set(name, found);
  return found;
}

/** The party on the other side: what is said without a role, then of the beneficiary of a debit or who ordered a credit. */
function otherParty(
  row: TransactionRow,
  parties: ReadonlyMap<string, ReadonlyMap<string, string>>,
): ReadonlyMap<string, string> {
  // A reversal has the roles of the original.
  const paid = (row.amount?.startsWith('-') === true) !== (row.reversal === true);
  const roles = paid ? ['BENM', 'ORDP', 'ULTC', 'ULTB', 'ULTD'] : ['ORDP', 'BENM', 'ULTD', 'ULTC', 'ULTB'];
  const role = roles.find((name) => parties.has(name)) ?? '';
  return new Map([...(parties.get(role) ?? []), ...(parties.get('') ?? [])]);
}

/** Source: SWIFT MT940 field 86 codes, and the usage of Dutch banks (ORDP, BENM, CNTP, REMI, MARF, CSID). */
function readSlashes(row: TransactionRow, text: string): void {
  const [, ...pairs] = text.split(slashWords);
  const found = new Map<string, string>();
  const parties = new Map<string, Map<string, string>>();
  let party = '';
  for (let at = 0; at + 1 < pairs.length; at += 2) {
    const key = pairs[at] ?? '';
    if (!partyWords.has(key)) party = partyNames.has(key) ? key : '';
    const value = (pairs[at + 1] ?? '').replace(/^\/+|\/+$/g, '');
    if (value === '') continue;
    const into = partyWords.has(key) ? partyOf(parties, party) : found;
    if (!into.has(key)) into.set(key, value);
  }
  const [account, agent, name] = (found.get('CNTP') ?? '').split('/');
  const [held, bic] = (found.get('ACCW') ?? '').split(',');
  const other = otherParty(row, parties);
  set(row, 'counterpartyAccount', other.get('IBAN') ?? (account || held));
  set(row, 'counterpartyAgent', other.get('BIC') ?? (agent || bic));
  set(row, 'counterpartyName', other.get('NAME') ?? name);
  const remittance = found.get('REMI') ?? '';
  const structured = /^STRD\/(?:CUR\/)?(.*)$/.exec(remittance)?.[1];
  set(row, 'remittanceInformationStructured', structured);
  if (structured === undefined)
    set(row, 'remittanceInformationUnstructured', remittance.replace(/^USTD\/*/, ''));
  set(row, 'endToEndId', found.get('EREF'));
  set(row, 'mandateId', found.get('MARF'));
  set(row, 'creditorId', found.get('CSID'));
  set(row, 'purposeCode', found.get('CD') ?? found.get('PURP'));
  set(row, 'returnReason', found.get('RTRN'));
  set(row, 'additionalInformation', found.get('TRTP') ?? found.get('TYPE'));
  readMoney(row, 'OCMT', found.get('OCMT'));
  readMoney(row, 'CHGS', found.get('CHGS'));
}

/** An amount such as EUR12,34 under its word: the original one, or the charges. */
function readMoney(row: TransactionRow, word: 'OCMT' | 'OAMT' | 'CHGS', text: string | undefined): void {
  const [, currency = '', digits = ''] = /^([A-Z]{3})([0-9]+,[0-9]*)$/.exec(text?.trim() ?? '') ?? [];
  const amount = reportAmount(digits.replace(/,$/, '').replace(',', '.'), currency);
  if (amount === undefined) {
    if (text !== undefined && text.trim() !== '') {
      const before = row.otherAmountsAsSent === undefined ? '' : `${row.otherAmountsAsSent}, `;
      row.otherAmountsAsSent = `${before}${word} ${text.trim()}`;
      mark(row, 'other-amount-malformed');
    }
    return;
  }
  if (word === 'CHGS') {
    row.chargesAmount = amount;
    row.chargesCurrency = currency;
  } else {
    row.originalAmount = amount;
    row.originalCurrency = currency;
  }
}

/** Reads what may stand in the second line of a field 61: the original amount and the charges. */
export function readSupplement(row: TransactionRow, text: string): void {
  readMoney(row, 'OCMT', /\/OCMT\/([^/]*)/.exec(text)?.[1]);
  readMoney(row, 'CHGS', /\/CHGS\/([^/]*)/.exec(text)?.[1]);
}
