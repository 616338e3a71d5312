/** Words of field 86 with a plus or a colon behind them, such as EREF+ and SVWZ+. */
import { bicForm, ibanForm, isIbanText } from '../../../base/values.ts';
import { hasIbanDigits } from '../../xs2a/check-digits.ts';
import { keep } from '../rows/report-values.ts';
import {
  addText,
  breakSigns,
  plain,
  put,
  readMoney,
  referenceIn,
  withoutBreaks,
  wordStart,
} from './mt940-text.ts';
import type { Texts } from './mt940-text.ts';
import type { TransactionRow } from '../rows/transaction-row.ts';

/** The words, as a part of a pattern. */
export const plusWords =
  '(?:[EKMPBR]REF|CRED|DEBT|COAM|OAMT|OCMT|SVWZ|ABWA|ABWE|IBAN|BIC|PURP|RTYP|BENM|ORDP|NAME|REMI)';

const words = new RegExp(
  `${wordStart}(?:(${plusWords}\\+)` + '|((?:[EKM]REF|CRED|DEBT|SVWZ|ABWA|ABWE|IBAN|BIC):)(?=\\s))',
);

// The labels of ABN AMRO and of mBank, and the words that say the same; each stands in texts of its own kind alone.
const layouts = [
  {
    sign: /^SEPA [^]*(?:IBAN|INCASSANT):\s/,
    labels: new RegExp(
      `${wordStart}(?:((?!))|((?:IBAN|BIC|NAAM|OMSCHRIJVING|KENMERK|MACHTIGING|INCASSANT):)(?=\\s))`,
    ),
  },
  {
    sign: new RegExp(`;[\\s${breakSigns}]*(?:z|na) rach\\.?:`),
    labels: new RegExp(`;[\\s${breakSigns}]*(?:((?!))|((?:z rach|na rach|od|dla|tyt|TNR)\\.?:))`),
  },
];
const meanings = new Map([
  ['NAAM', 'NAME'],
  ['OMSCHRIJVING', 'SVWZ'],
  ['KENMERK', 'EREF'],
  ['MACHTIGING', 'MREF'],
  ['INCASSANT', 'CRED'],
  ['z rach.', 'IBAN'],
  ['na rach.', 'IBAN'],
  ['od', 'NAME'],
  ['dla', 'NAME'],
  ['tyt.', 'SVWZ'],
  ['TNR', 'BREF'],
]);

/** The columns of the references; the others are read one by one. */
const references: Readonly<Record<string, Texts>> = {
  EREF: 'endToEndId',
  KREF: 'entryReference',
  MREF: 'mandateId',
  PREF: 'batchReference',
  BREF: 'transactionId',
  CRED: 'creditorId',
  PURP: 'purposeCode',
};
const shapes: Readonly<Record<string, { name: Texts; shape: RegExp }>> = {
  IBAN: {
    name: 'counterpartyAccount',
    shape: new RegExp(`^\\s*(${ibanForm.source}|[0-9]{5,34})(?![A-Z0-9])`),
  },
  BIC: {
    name: 'counterpartyAgent',
    shape: new RegExp(`^\\s*(${bicForm.source}|[0-9]{5,12})(?![A-Z0-9])`),
  },
};

/** Reads text with such words at the beginnings of parts; what has none is the remittance information. */
export function readWords(row: TransactionRow, text: string): void {
  const layout = layouts.find(({ sign }) => sign.test(text));
  const [before = '', ...pairs] = text.split(layout?.labels ?? words);
  addText(row, plain(before));
  for (let at = 0; at + 2 < pairs.length; at += 3) {
    const label = pairs[at] ?? pairs[at + 1] ?? '';
    readWord(row, label, pairs[at + 2] ?? '');
  }
}

function readWord(row: TransactionRow, label: string, value: string): void {
  const told = label.slice(0, -1);
  const word = meanings.get(told) ?? told;
  const column = references[word];
  const shaped = shapes[word];
  if (column !== undefined) {
    const [reference, rest] = referenceIn(value);
    put(row, column, reference, label);
    addText(row, plain(rest));
  } else if (shaped !== undefined) {
    const found = shapedIn(value, shaped.shape);
    if (found === undefined) addText(row, label + plain(value));
    else {
      put(row, shaped.name, found, label);
      addText(row, afterIn(value, found));
    }
  } else if (word === 'SVWZ' || word === 'REMI') addText(row, plain(value));
  else if (word === 'ABWA') put(row, 'ultimateDebtor', plain(value), label);
  else if (word === 'ABWE') put(row, 'ultimateCreditor', plain(value), label);
  else if (word === 'NAME' || word === 'BENM' || word === 'ORDP')
    put(row, 'counterpartyName', plain(value), label);
  else if (word === 'OAMT' || word === 'OCMT' || word === 'COAM') {
    const [amount, rest] = referenceIn(value);
    readMoney(row, word, amount);
    addText(row, plain(rest));
  } else keep(row, label + plain(value).trim());
}

/** Returns what has the shape of a word's value at the beginning of a text; one that breaks go through is put together. */
function shapedIn(value: string, shape: RegExp): string | undefined {
  const found = (shape.exec(plain(referenceIn(value)[0])) ?? shape.exec(plain(value)))?.[1];
  if (found !== undefined && !isNoIban(found)) return found;
  let joined = '';
  for (const piece of value.split(eachBreak)) {
    joined += piece;
    const whole = shape.exec(joined)?.[1];
    if (whole !== undefined && !isNoIban(whole)) return whole;
  }
  return found;
}

const eachBreak = new RegExp(`[${breakSigns}]`);

/** Whether something looks like an IBAN and has other check digits. */
const isNoIban = (text: string): boolean => isIbanText(text) && !hasIbanDigits(text);

/** Returns the text behind what was taken from its beginning. */
function afterIn(value: string, taken: string): string {
  const at = withoutBreaks(value).indexOf(taken);
  let left = at < 0 ? 0 : at + taken.length;
  let end = 0;
  while (left > 0 && end < value.length) {
    if (withoutBreaks(value.charAt(end)) !== '') left -= 1;
    end += 1;
  }
  return at < 0 ? '' : plain(value.slice(end));
}
