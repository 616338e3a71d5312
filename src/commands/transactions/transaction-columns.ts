import type { Column } from '../../outcome.ts';

/** The columns of transactions, whatever report they come from; those that are wide stand in TSV and CSV as well. */
export const transactionColumns: readonly Column[] = [
  { key: 'bookingDate', title: 'BOOKED' },
  { key: 'valueDate', title: 'VALUE', wide: true },
  { key: 'amount', title: 'AMOUNT', align: 'right' },
  { key: 'currency', title: '' },
  { key: 'counterpartyName', title: 'WITH' },
  { key: 'counterpartyAccount', title: 'ACCOUNT', wide: true, whole: true },
  { key: 'remittanceInformationUnstructured', title: 'TEXT' },
  { key: 'remittanceInformationStructured', title: 'REFERENCE', wide: true },
  { key: 'bookingStatus', title: 'STATUS', wide: true },
  { key: 'transactionId', title: 'TRANSACTION', wide: true },
  { key: 'entryReference', title: 'ENTRY', wide: true },
  { key: 'endToEndId', title: 'END-TO-END ID', wide: true },
  { key: 'mandateId', title: 'MANDATE', wide: true },
  { key: 'creditorId', title: 'CREDITOR ID', wide: true },
  { key: 'bankTransactionCode', title: 'CODE', wide: true },
  { key: 'proprietaryBankTransactionCode', title: 'OWN CODE', wide: true },
  { key: 'purposeCode', title: 'PURPOSE', wide: true },
  { key: 'additionalInformation', title: 'MORE', wide: true },
  { key: 'ultimateDebtor', title: 'FOR DEBTOR', wide: true },
  { key: 'ultimateCreditor', title: 'FOR CREDITOR', wide: true },
  { key: 'otherInformation', title: 'BESIDES', wide: true },
  { key: 'amountAsSent', title: 'AMOUNT AS SENT', wide: true },
  { key: 'account', title: 'OF', wide: true },
  { key: 'marks', title: 'MARKS', wide: true },
];
