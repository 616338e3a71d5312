/** Words of two letters between slashes in field 86, as Citi writes them: /PT/DE/EI/... */
import { keep } from '../rows/report-values.ts';
import { addText, put } from './mt940-text.ts';
import type { Texts } from './mt940-text.ts';
import type { TransactionRow } from '../rows/transaction-row.ts';

// The kind comes first, so that no other text is taken for such words.
const begins = /^\/PT\/[A-Z]{2}(?:\/|$)/;
const words = /\/(PT|EI|PY|BN[1-4]?|BI|BB|BO[1-4]?|OB|AB|RE|CTC)\//;

/** The columns of the party on the other side: of the beneficiary, or of who ordered it. */
const beneficiary: Readonly<Record<string, Texts>> = { BN: 'counterpartyName', BI: 'counterpartyAccount' };
const orderer: Readonly<Record<string, Texts>> = { BO1: 'counterpartyName', BO: 'counterpartyAccount' };

/** Reads such words into the row of a debit or a credit; returns whether the text has them. */
export function readCiti(row: TransactionRow, text: string, side: 'debit' | 'credit'): boolean {
  if (!begins.test(text)) return false;
  const columns = (side === 'debit') === (row.reversal !== true) ? beneficiary : orderer;
  const [, ...pairs] = text.split(words);
  for (let at = 0; at + 1 < pairs.length; at += 2) {
    const [word = '', value = ''] = [pairs[at], pairs[at + 1]];
    const column = columns[word];
    if (word === 'EI' || word === 'PY') addText(row, value);
    // Who is known without an account stands alone under the word of the account.
    else if (column === 'counterpartyAccount' && !/[0-9]/.test(value))
      put(row, 'counterpartyName', value, `/${word}/`);
    else if (column !== undefined) put(row, column, value, `/${word}/`);
    else keep(row, `/${word}/${value}`);
  }
  return true;
}
