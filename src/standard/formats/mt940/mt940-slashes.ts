/** Words of field 86 between slashes. Source: SWIFT MT940 field 86, and the usage of Dutch, Belgian and Nordic banks. */
import { isIbanText } from '../../../base/values.ts';
import { keep } from '../rows/report-values.ts';
import { addText, put, readMoney } from './mt940-text.ts';
import type { Texts } from './mt940-text.ts';
import type { TransactionRow } from '../rows/transaction-row.ts';

// Words that announce a party: the ordering party, the beneficiary, the ultimate ones.
const partyNames = new Set(['ORDP', 'BENM', 'ULTD', 'ULTC', 'ULTB']);
const partyWords = new Set(['IBAN', 'BIC', 'NAME', 'ID', 'ADDR']);
const columns: Readonly<Record<string, Texts>> = {
  EREF: 'endToEndId',
  MARF: 'mandateId',
  MREF: 'mandateId',
  CSID: 'creditorId',
  CRED: 'creditorId',
  CD: 'purposeCode',
  PURP: 'purposeCode',
  PREF: 'batchReference',
  RTRN: 'returnReason',
  TRTP: 'additionalInformation',
  TYPE: 'additionalInformation',
  KREF: 'entryReference',
};
const known = new Set([
  ...partyNames,
  ...partyWords,
  ...Object.keys(columns),
  ...'REMI SVWZ CNTP ACCW OCMT OAMT CHGS COAM EXCH ISDT INIT TRCD ABWA ABWE DEBT RTYP ULTM SUM'.split(' '),
]);
// Free text may have slashes of its own, and names may have short words between them.
const free = new Set(['REMI', 'SVWZ', 'CNTP', 'ACCW', 'SUM']);
const names = new Set(['NAME', 'ADDR', 'TRTP', 'TYPE', 'ABWA', 'ABWE']);
const anyWord = /\/([A-Z][A-Z0-9]{1,5})(?=\/)/g;

interface Value {
  readonly word: string;
  readonly value: string;
}

/** Whether an unknown word ends the value of the word before it; right behind that it is the value. */
const ends = (word: string, found: string, isBehind: boolean): boolean =>
  isBehind && !free.has(word) && (!names.has(word) || found.length === 4);

// Goldman Sachs leaves out the slash before the first word.
const unslashed = /^(?:EREF|PREF|KREF|MREF|MARF|CSID|ORDP|BENM|REMI|CNTP|TRTP|RTRN)\//;

/** Returns the words of a text that begins with one, each with its value; undefined where none of them is known. */
export function slashValues(sent: string): readonly Value[] | undefined {
  const text = unslashed.test(sent) ? `/${sent}` : sent;
  if (!/^\/[A-Z][A-Z0-9]{1,5}\//.test(text)) return undefined;
  const values: Value[] = [];
  let word = '';
  let from = 0;
  let sure = false;
  for (const { 0: whole, 1: found = '', index } of text.matchAll(anyWord)) {
    if (!known.has(found) && index > 0 && !ends(word, found, index > from)) continue;
    if (index > 0) values.push({ word, value: text.slice(from, index) });
    sure ||= known.has(found);
    word = found;
    from = index + whole.length;
  }
  values.push({ word, value: text.slice(from) });
  return sure ? values : undefined;
}

const behindText = /(?<=.)\/(?:ORDP|BENM|REMI|EREF|CNTP|MARF|TRTP|IBAN)\//;

/** Returns what stands before the first of such words of a text, and the words, of which there are two at least; undefined where it has none. */
export function slashValuesBehind(
  text: string,
): { readonly before: string; readonly values: readonly Value[] } | undefined {
  const begin = text.search(behindText);
  const values = begin < 0 ? undefined : slashValues(text.slice(begin));
  // One word may be a part of the text.
  if (values === undefined || new Set(values.map(({ word }) => word)).size < 2) return undefined;
  return { before: text.slice(0, begin), values };
}

/** A value without the slashes around it; by hand, since a pattern would look at slashes within it again and again. */
function withoutSlashes(text: string): string {
  let start = 0;
  let end = text.length;
  while (text[start] === '/') start += 1;
  while (end > start && text[end - 1] === '/') end -= 1;
  return text.slice(start, end);
}

/** Reads such words into a row: each into its column, and what has none is kept under its word. */
export function readSlashes(row: TransactionRow, values: readonly Value[], side: 'debit' | 'credit'): void {
  const parties = new Map<string, { word: string; value: string }[]>();
  let party = '';
  for (const { word, value: sent } of values) {
    const value = withoutSlashes(sent);
    if (!partyWords.has(word)) party = partyNames.has(word) ? word : '';
    if (partyWords.has(word) || partyNames.has(word)) {
      const told = parties.get(party) ?? [];
      parties.set(party, told);
      if (value !== '') told.push({ word: partyNames.has(word) ? '' : word, value });
    } else if (value !== '') readValue(row, word, value);
    // A part of a name or an address may look like a word.
    else if (!known.has(word)) keep(row, `/${word}/`);
  }
  const other = otherRole(side, row.reversal === true, parties, row.counterpartyName !== undefined);
  for (const [role, told] of parties) readParty(row, role, told, role === '' || role === other);
}

// HSBC goes on with text behind an amount.
const moneyAndText = /^([A-Z]{3} ?[0-9][0-9.,]*)\/([^]*[A-Za-z]{2}[^]*)$/;

function readValue(row: TransactionRow, word: string, value: string): void {
  const column = columns[word];
  const label = `/${word}/`;
  if (word === 'REMI' || word === 'SVWZ') readRemittance(row, value);
  else if (word === 'CNTP') {
    const [account, agent, name, ...more] = value.split('/');
    put(row, 'counterpartyAccount', account, label);
    put(row, 'counterpartyAgent', agent, label);
    put(row, 'counterpartyName', name, label);
    keep(row, more.join('/'));
  } else if (word === 'ACCW') {
    const [account, ...agent] = value.split(',');
    put(row, 'counterpartyAccount', account, label);
    put(row, 'counterpartyAgent', agent.join(','), label);
  } else if (word === 'OCMT' || word === 'OAMT' || word === 'CHGS' || word === 'COAM') {
    const [, money = value, text = ''] = moneyAndText.exec(value) ?? [];
    readMoney(row, word, money);
    addText(row, text);
  } else if (word === 'EXCH') put(row, 'exchangeRate', rateOf(value), label);
  else if (word === 'ABWA') put(row, 'ultimateDebtor', value, label);
  else if (word === 'ABWE') put(row, 'ultimateCreditor', value, label);
  else if (column !== undefined) put(row, column, value, label);
  else keep(row, label + value);
}

export const rateOf = (text: string): string =>
  /^[0-9]+,[0-9]+$/.test(text.trim()) ? text.trim().replace(',', '.') : text;

function readRemittance(row: TransactionRow, value: string): void {
  const structured = /^STRD\/(?:CUR\/|ISO\/)?([^]*)$/.exec(value)?.[1];
  if (structured !== undefined)
    put(row, 'remittanceInformationStructured', structured.replace(/^\/+/, ''), '/REMI/STRD/');
  else addText(row, value.replace(/^USTD(?:\/+|$)/, ''));
}

/** The role of the party on the other side: the beneficiary of a debit, or who ordered a credit. */
function otherRole(
  side: 'debit' | 'credit',
  reversal: boolean,
  parties: ReadonlyMap<string, unknown>,
  isNamed: boolean,
): string | undefined {
  // A reversal has the roles of the original.
  const paid = (side === 'debit') !== reversal;
  const roles = paid ? ['BENM', 'ORDP'] : ['ORDP', 'BENM'];
  // One for whom it was paid is the other side only where nobody else is named.
  const ultimate =
    isNamed || parties.has('') ? [] : paid ? ['ULTC', 'ULTB', 'ULTD'] : ['ULTD', 'ULTC', 'ULTB'];
  return [...roles, ...ultimate].find((name) => parties.has(name));
}

const partyColumns: Readonly<Record<string, Texts>> = {
  IBAN: 'counterpartyAccount',
  BIC: 'counterpartyAgent',
  NAME: 'counterpartyName',
};

function readParty(row: TransactionRow, role: string, told: readonly Value[], isOther: boolean): void {
  const left: string[] = [];
  for (const { word, value } of told) {
    const column = isOther ? partyColumns[word] : undefined;
    const ultimate = isOther || word !== 'NAME' ? undefined : ultimates[role];
    // What has no words of its own within it is the name of the party, and perhaps where it lives.
    if (isOther && role !== '' && word === '' && told.length === 1) readOther(row, role, value);
    else if (column !== undefined) put(row, column, word === 'IBAN' ? unbroken(value) : value, `/${word}/`);
    else if (ultimate !== undefined) put(row, ultimate, value, `/${role}//${word}/`);
    else left.push(word === '' ? value : `/${word}/${value}`);
  }
  if (left.length > 0) keep(row, (role === '' ? '' : `/${role}/`) + left.join(''));
}

/** The name of the other side; in Macedonia an account in front of it, and codes and a text behind it. */
function readOther(row: TransactionRow, role: string, value: string): void {
  const [, account, name = '', text = ''] = /^([0-9]{8,34})\/([^/]+)(?:\/([^]*))?$/.exec(value) ?? [];
  put(row, 'counterpartyAccount', account, `/${role}/`);
  put(row, 'counterpartyName', account === undefined ? value : name, `/${role}/`);
  addText(row, text);
}

/** An IBAN without the blanks that stand where its line was folded. */
const unbroken = (text: string): string => {
  const bare = text.replace(/\s/g, '');
  return isIbanText(bare) ? bare : text;
};

const ultimates: Readonly<Record<string, Texts>> = {
  ULTD: 'ultimateDebtor',
  ULTC: 'ultimateCreditor',
  ULTB: 'ultimateCreditor',
};
