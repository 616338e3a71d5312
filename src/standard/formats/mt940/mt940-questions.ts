/** Words between question marks in field 86, as banks of Singapore and Hong Kong write them: TD?...?CREF?...?ORDP?... */
import { keep } from '../rows/report-values.ts';
import { addText, put } from './mt940-text.ts';
import type { Texts } from './mt940-text.ts';
import type { TransactionRow } from '../rows/transaction-row.ts';

// One of these words tells that the others are words, too; a text may have questions of its own.
const sign = /^TD\?|\?(?:CREF|ORDP|BENM|REMI|OTH[0-9])\?/;
const words = /(?:^|\?)(TD|CREF|ORDP|BENM|REMI|OB|BB|BC|RA|OTH[0-9])\?/;

const columns: Readonly<Record<string, Texts>> = {
  TD: 'additionalInformation',
  CREF: 'entryReference',
  BC: 'counterpartyAgent',
};

/** Reads such words into the row of a debit or a credit; returns whether the text has them. */
export function readQuestions(row: TransactionRow, text: string, side: 'debit' | 'credit'): boolean {
  // The text of a German bank begins with the digits of a code, and its parts have numbers.
  const first = text.charCodeAt(0);
  if ((first >= 0x30 && first <= 0x39) || !text.includes('?') || !sign.test(text)) return false;
  const other = (side === 'debit') === (row.reversal !== true) ? 'BENM' : 'ORDP';
  const [before = '', ...pairs] = text.split(words);
  addText(row, before);
  for (let at = 0; at + 1 < pairs.length; at += 2) {
    const [word = '', value = ''] = [pairs[at], pairs[at + 1]];
    const column = word === other ? 'counterpartyName' : columns[word];
    if (word === 'REMI') addText(row, value);
    else if (column !== undefined) put(row, column, value, `?${word}?`);
    else if (value.trim() !== '') keep(row, `?${word}?${value.trim()}`);
  }
  return true;
}
