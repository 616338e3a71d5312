/** Business codes (GVC) of German banks in words. Source: Deutsche Kreditwirtschaft, DFÜ agreement, annex 3, chapter 8. */
import type { TransactionRow } from './transaction-row.ts';

const words: ReadonlyMap<string, string> = new Map(
  (
    '004=Direct Debit, authorised at the debtor bank; 005=Direct Debit; 008=Standing Order, debit; ' +
    '009=Direct Debit, returned; 020=Credit Transfer, debit; 051=Credit Transfer, credit; ' +
    '052=Standing Order, credit; 053=Salary or Pension, credit; 054=Capital-Forming Payment, credit; ' +
    '056=Payment of Public Funds, credit; 059=Credit Transfer, returned; 070=Cheque Collection; ' +
    '071=Direct Debit Collection; 082=Cash Deposit; 083=Cash Withdrawal; ' +
    '104=SEPA Direct Debit B2B, debit; 105=SEPA Direct Debit Core, debit; 106=SEPA Card Clearing, debit; ' +
    '107=SEPA Direct Debit by Card, debit; 108=SEPA Direct Debit B2B, returned, debit; ' +
    '109=SEPA Direct Debit Core, returned, debit; 110=SEPA Card Clearing, returned, debit; ' +
    '116=SEPA Credit Transfer, debit; 117=SEPA Standing Order, debit; ' +
    '118=SEPA Instant Credit Transfer, debit; 119=SEPA Donation, debit; 152=SEPA Standing Order, credit; ' +
    '153=SEPA Salary or Pension, credit; 154=SEPA Capital-Forming Payment, credit; ' +
    '156=SEPA Payment of Public Funds, credit; 159=SEPA Credit Transfer, returned, credit; ' +
    '166=SEPA Credit Transfer, credit; 167=SEPA Credit Transfer with a checked reference, credit; ' +
    '168=SEPA Instant Credit Transfer, credit; 169=SEPA Donation, credit; ' +
    '171=SEPA Direct Debit Core, collection, credit; 174=SEPA Direct Debit B2B, collection, credit; ' +
    '177=SEPA Credit Transfer online, debit; 181=SEPA Direct Debit Core, credited back; ' +
    '182=SEPA Card Clearing, credited back; 184=SEPA Direct Debit B2B, credited back; ' +
    '188=SEPA Instant Credit Transfers, batch, debit; 189=SEPA Instant Credit Transfers, batch, credit; ' +
    '190=SEPA Card Clearing, batch, debit; 191=SEPA Credit Transfers, batch, debit; ' +
    '192=SEPA Direct Debits Core, batch, credit; 193=SEPA Direct Debits Core, batch returned, debit; ' +
    '194=SEPA Credit Transfers, batch, credit; 195=SEPA Direct Debits Core, batch, debit; ' +
    '196=SEPA Direct Debits B2B, batch, credit; 197=SEPA Direct Debits B2B, batch returned, debit; ' +
    '198=SEPA Card Clearing, batch, credit; 199=SEPA Card Clearing, batch returned, debit; ' +
    '201=International Payment, debit; 202=International Payment, credit; 203=Collection; ' +
    '204=Documentary Credit; 205=Guarantee; 805=Closing of the Account Period; 808=Charges; ' +
    '809=Commission; 814=Interest; 820=Transfer between Own Accounts; 835=Other'
  )
    .split('; ')
    .map((pair) => pair.split('=') as [string, string]),
);

/** A German account: its IBAN, or the number of its bank (eight digits) and its own. */
const german = /^(?:DE[0-9]{20}|[0-9]{8}\/[0-9]{1,10})/;

/**
 * Puts the business code into a row in words, where ISO 20022 has none for it: the code of German banks alone, since others
 * have numbers of their own. `isGerman` is known where the report names the issuer of the code.
 */
export function setBusinessCode(row: TransactionRow, code: string | undefined, isGerman = false): void {
  if (code === undefined || row.bankTransactionText !== undefined) return;
  if (!isGerman && !german.test(row.account ?? '')) return;
  const text = words.get(code);
  if (text !== undefined) row.bankTransactionText = text;
}
