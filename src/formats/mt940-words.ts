/** Words of field 86 with a plus or a colon behind them, such as EREF+ and SVWZ+. */
import { addText, keep, plain, put, readMoney, referenceIn, wordStart } from './mt940-text.ts';
import type { Texts } from './mt940-text.ts';
import type { TransactionRow } from './transaction-row.ts';

const words = new RegExp(
  `${wordStart}(?:((?:[EKMPBR]REF|CRED|DEBT|COAM|OAMT|OCMT|SVWZ|ABWA|ABWE|IBAN|BIC|PURP|RTYP|BENM|ORDP|NAME|REMI)\\+)` +
    '|((?:[EKM]REF|CRED|DEBT|SVWZ|ABWA|ABWE|IBAN|BIC):)(?=\\s))',
);

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
    shape: /^\s*([A-Z]{2}[0-9]{2}[A-Z0-9]{8,30}|[0-9]{5,34})(?![A-Z0-9])/,
  },
  BIC: {
    name: 'counterpartyAgent',
    shape: /^\s*([A-Z]{4}[A-Z]{2}[A-Z0-9]{2}(?:[A-Z0-9]{3})?|[0-9]{5,12})(?![A-Z0-9])/,
  },
};

/** Reads text with such words at the beginnings of parts; what has none is the remittance information. */
export function readWords(row: TransactionRow, text: string): void {
  const [before = '', ...pairs] = text.split(words);
  addText(row, plain(before));
  for (let at = 0; at + 2 < pairs.length; at += 3) {
    const label = pairs[at] ?? pairs[at + 1] ?? '';
    readWord(row, label, pairs[at + 2] ?? '');
  }
}

function readWord(row: TransactionRow, label: string, value: string): void {
  const word = label.slice(0, -1);
  const column = references[word];
  const shaped = shapes[word];
  if (column !== undefined) {
    const [reference, rest] = referenceIn(value);
    put(row, column, reference, label);
    addText(row, plain(rest));
  } else if (shaped !== undefined) {
    const whole = plain(value);
    const told = shaped.shape.exec(plain(referenceIn(value)[0])) ?? shaped.shape.exec(whole);
    if (told === null) addText(row, word + label.slice(-1) + whole);
    else {
      put(row, shaped.name, told[1], label);
      addText(row, afterIn(value, told[1] ?? ''));
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

/** Returns the text behind what was taken from its beginning. */
function afterIn(value: string, taken: string): string {
  const joined = value.replaceAll('\ufdd0', '');
  const at = joined.indexOf(taken);
  return plain(at < 0 ? '' : joined.slice(at + taken.length));
}
