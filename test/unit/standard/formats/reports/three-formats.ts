// The same account in three formats: which columns of a row are the same in all of them, and what each format has not.
import type { TransactionRow } from '../../../../../src/standard/formats/rows/transaction-row.ts';

export type Format = 'json' | 'camt' | 'mt940';

/** The columns that a format never fills, as docs/statements.md lists them. */
export const absent: Readonly<Record<Format, readonly (keyof TransactionRow)[]>> = {
  json: [
    'batchReference',
    'batchMessageId',
    'referredDocuments',
    'additionalRemittanceInformation',
    'proprietaryBankTransactionCodeIssuer',
    'reversal',
    'returnReason',
    'chargesIncluded',
  ],
  camt: ['balanceAfter', 'balanceAfterCurrency', 'resourceId', 'details', 'merchantCategoryCode'],
  mt940: [
    'balanceAfter',
    'balanceAfterCurrency',
    'resourceId',
    'details',
    'merchantCategoryCode',
    'bankTransactionCode',
    'proprietaryBankTransactionCodeIssuer',
    'exchangeSourceCurrency',
    'exchangeTargetCurrency',
    'exchangeUnitCurrency',
    'chargesIncluded',
    'creditorReferenceType',
    'referredDocuments',
    'additionalRemittanceInformation',
    'batchMessageId',
    'batchAmount',
    'batchSize',
    'batchPosition',
    'maskedPan',
    'transactionDate',
  ],
};

/** The columns that every format has, and that are the same in all. */
const same = [
  ...(['bookingStatus', 'bookingDate', 'valueDate', 'amount', 'currency'] as const),
  ...(['counterpartyName', 'counterpartyAccount', 'remittanceInformationUnstructured'] as const),
  ...(['endToEndId', 'mandateId', 'transactionId'] as const),
] as const satisfies readonly (keyof TransactionRow)[];

/** What all formats say of an entry; text as a format writes it by `written`. */
export const common = (
  row: TransactionRow,
  written = (text: string) => text,
): Readonly<Record<string, string | undefined>> =>
  Object.fromEntries(same.map((name) => [name, row[name] === undefined ? undefined : written(row[name])]));

/** The columns that a format fills although it is said not to have them. */
export const unexpected = (format: Format, rows: readonly TransactionRow[]): string[] =>
  absent[format].filter((name) => rows.some((row) => row[name] !== undefined));
