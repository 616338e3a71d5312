/** The one row that every account report becomes: JSON lists, camt, MT940 and MT942. */

import { may, needed } from '../../../base/fields.ts';
import type { RowOf } from '../../../base/fields.ts';
import { list, number, oneOf, text, truth } from '../../../base/schema.ts';
import type { Schema } from '../../../base/schema.ts';

/** The oddities of a row, in codes that scripts may rely on. */
export type RowMark =
  /** Neither a booking nor a value nor a transaction date. */
  | 'no-date'
  /** A date that is no day of the calendar; the row has none. */
  | 'date-malformed'
  /** No amount at all. */
  | 'no-amount'
  /** The amount cannot be read or has digits that its currency has not; the row has none, see `amountAsSent`. */
  | 'amount-malformed'
  /** The amount is written otherwise than SWIFT has it (no comma, a dot, thousands); see `amountAsSent`. */
  | 'amount-unusual'
  /** Nothing tells the currency; the amount has the decimals that were sent. */
  | 'currency-unknown'
  /** A day that is written otherwise than SWIFT has it; see `entryAsSent`. */
  | 'date-unusual'
  /** The amount came as a JSON number. */
  | 'amount-as-number'
  /** The original amount or the charges cannot be read; they stand in `otherAmountsAsSent`. */
  | 'other-amount-malformed'
  /** Nothing tells whether the amount is a debit or a credit; it stands as it was sent. */
  | 'sign-unknown'
  /** A debit because only a creditor, or the account itself as debtor, is named; it was sent without a minus. */
  | 'sign-from-parties'
  /** The report does not say, or says in an unknown word, whether the entry is booked. */
  | 'status-unknown'
  /** An entry that stands in an earlier file, too, of several that are read together. */
  | 'duplicate'
  /** A batch whose parts do not add up to its amount, so that it stays one row. */
  | 'batch-not-split';

const wide = { wide: true };
const wideNumber = { wide: true, align: 'right' } as const;

/**
 * One transaction of an account report, flat: text as sent by the bank, what it does not say is absent. `amount` is a
 * decimal string with a dot, debits negative. Names follow TransactionDetails of the guidelines (1.3.6, 14.26).
 * One line here gives a member its type, its column and its schema; the columns stand in this order.
 */
export const transactionFields = {
  /** Days as YYYY-MM-DD. */
  bookingDate: may(text, 'BOOKED'),
  valueDate: may(text, 'VALUE', wide),
  /** Absent where the row is marked `no-amount` or `amount-malformed`. */
  amount: may(text, 'AMOUNT', { align: 'right' }),
  currency: may(text, ''),
  /** The other party: the creditor of a debit, the debtor of a credit. */
  counterpartyName: may(text, 'WITH'),
  counterpartyAccount: may(text, 'ACCOUNT', { wide: true, whole: true }),
  /** Lines joined by a blank. */
  remittanceInformationUnstructured: may(text, 'TEXT'),
  remittanceInformationStructured: may(text, 'REFERENCE', wide),
  bookingStatus: may(oneOf('booked', 'pending', 'information'), 'STATUS', wide),
  transactionId: may(text, 'TRANSACTION', wide),
  entryReference: may(text, 'ENTRY', wide),
  endToEndId: may(text, 'END-TO-END ID', wide),
  mandateId: may(text, 'MANDATE', wide),
  creditorId: may(text, 'CREDITOR ID', wide),
  /** Domain, family and sub-family of ISO 20022, such as PMNT-RCDT-ESCT. */
  bankTransactionCode: may(text, 'CODE', wide),
  /** The bank's own code; in German reports the GVC comes first. */
  proprietaryBankTransactionCode: may(text, 'OWN CODE', wide),
  purposeCode: may(text, 'PURPOSE', wide),
  additionalInformation: may(text, 'MORE', wide),
  /** What is paid: type, number and day of each document, and its amounts under their names of ISO 20022. */
  referredDocuments: may(text, 'DOCUMENTS', wide),
  additionalRemittanceInformation: may(text, 'FURTHER TEXT', wide),
  /** The parties for whom it was paid. */
  ultimateDebtor: may(text, 'FOR DEBTOR', wide),
  ultimateCreditor: may(text, 'FOR CREDITOR', wide),
  /** What the bank wrote of the entry besides, under the words that it has for it. */
  otherInformation: may(text, 'BESIDES', wide),
  /** The amount as it was sent, where it could not be read or is written unusually. */
  amountAsSent: may(text, 'AMOUNT AS SENT', wide),
  /** The IBAN, or another number, of the account reported on. */
  account: may(text, 'OF', wide),
  marks: may(list(text) as Schema<RowMark[]>, 'MARKS', wide),
  /** The same in the words of ISO 20022: Payments / Received Credit Transfers / SEPA Credit Transfer; else those of a German GVC. */
  bankTransactionText: may(text, 'KIND', wide),
  /** True where the entry undoes an earlier one; the sign of `amount` is that of this entry. */
  reversal: may(truth, 'REVERSAL', wide),
  /** The reason code of a return, such as AC04. */
  returnReason: may(text, 'RETURN', wide),
  /** The amount of the order in its currency, without a sign: where that is another one, or another sum was booked. */
  originalAmount: may(text, 'ORDERED', wideNumber),
  originalCurrency: may(text, 'ORDERED IN', wide),
  exchangeRate: may(text, 'RATE', wideNumber),
  chargesAmount: may(text, 'CHARGES', wideNumber),
  chargesCurrency: may(text, 'CHARGES IN', wide),
  /** The reference of the batch, for an entry with several transactions; `batchAmount` has its sign. */
  batchReference: may(text, 'BATCH', wide),
  batchSize: may(number, 'BATCH SIZE', wideNumber),
  /** The file that it was read from, where several are read together. */
  file: may(text, 'FILE', wide),
  batchAmount: may(text, 'BATCH AMOUNT', wideNumber),
  /** The entry of MT940 or MT942 as it was sent, where something of it could not be read; of other formats that part alone. */
  entryAsSent: may(text, 'ENTRY AS SENT', wide),
  /** The original amount and the charges as they were sent, where they could not be read or make no sum. */
  otherAmountsAsSent: may(text, 'OTHER AMOUNTS AS SENT', wide),
  /** Debit or credit of an amount that stands as it was sent, where the report says it beside the amount. */
  direction: may(oneOf('debit', 'credit'), 'DIRECTION', wide),
  /** The day on which the card was used, for a card transaction. */
  transactionDate: may(text, 'DONE', wide),
  counterpartyAgent: may(text, 'BANK', wide),
  /** SCOR for a reference of ISO 11649, or the bank's own word, such as QRR. */
  creditorReferenceType: may(text, 'REFERENCE TYPE', wide),
  checkId: may(text, 'CHEQUE', wide),
  maskedPan: may(text, 'CARD', wide),
  merchantCategoryCode: may(text, 'MERCHANT KIND', wide),
  /** Who issued that code, such as DK (the German banks). */
  proprietaryBankTransactionCodeIssuer: may(text, 'OWN CODE OF', wide),
  /** Which currency was turned into which, and of which one the rate is of one unit. */
  exchangeSourceCurrency: may(text, 'RATE FROM', wide),
  exchangeTargetCurrency: may(text, 'RATE TO', wide),
  exchangeUnitCurrency: may(text, 'RATE FOR ONE', wide),
  /** Whether `amount` has the charges in it, where the report says it. */
  chargesIncluded: may(truth, 'CHARGES WITHIN', wide),
  /** With its sign. */
  balanceAfter: may(text, 'BALANCE', wideNumber),
  balanceAfterCurrency: may(text, 'BALANCE IN', wide),
  /** The id of the message in which the batch was ordered. */
  batchMessageId: may(text, 'BATCH MESSAGE', wide),
  /** Which of them this row is, from 1; absent where the batch stays one row. */
  batchPosition: may(number, 'IN BATCH', wideNumber),
  /** By what a booked row is known again, of another report or a later fetch; no id of the bank is in it. */
  key: may(text, 'KEY', wide),
  /** The id that `getTransactionDetails` takes. */
  resourceId: may(text),
  /** The link to the details, as sent. */
  details: may(text),
  /** The balance before the entry is in the key, or else the number of the row among those that are the same on its day. */
  keyBy: may(oneOf('balance', 'occurrence')),
  /** Which entry of the report this is, from 1. */
  position: needed(number),
};

export type TransactionRow = RowOf<typeof transactionFields>;

/** Whether an entry is booked, still to come, or a standing order that is only told of. */
export type RowStatus = NonNullable<TransactionRow['bookingStatus']>;

/** Where a booked row stands in its statement: the balance before it, in minor units. */
export interface RowPlace {
  readonly statement: object;
  readonly before: bigint;
}

class BuiltRow implements TransactionRow {
  position: number;
  /** No column: nothing that is made of a row has it. */
  #place: RowPlace | undefined;

  constructor(position: number) {
    this.position = position;
  }

  static place(row: BuiltRow, place: RowPlace): void {
    row.#place = place;
  }

  static placeOf(row: BuiltRow): RowPlace | undefined {
    return row.#place;
  }
}

/** Returns a row without any column; made by a class, its columns lie within it and not in a store that grows with each. */
export const newRow = (position: number): TransactionRow => new BuiltRow(position);

/** Notes the place of a row that `newRow` made. */
export function place(row: TransactionRow, at: RowPlace | undefined): void {
  if (row instanceof BuiltRow && at !== undefined) BuiltRow.place(row, at);
}

/** Returns the place of a row; undefined where its statement tells no opening balance. */
export const placeOf = (row: TransactionRow): RowPlace | undefined =>
  row instanceof BuiltRow ? BuiltRow.placeOf(row) : undefined;
