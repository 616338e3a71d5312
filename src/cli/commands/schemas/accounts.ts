import { any, each, foreign, list, map, number, object, oneOf, text, textOrNull, truth } from './schema.ts';
import type { Outputs } from './schema.ts';

const account = foreign(
  { currency: text },
  { ...each(text, 'resourceId iban bban maskedPan name product'), balances: list(any) },
);
const transaction = object(
  { position: number },
  {
    bookingStatus: oneOf('booked', 'pending', 'information'),
    ...each(text, 'account bookingDate valueDate amount currency transactionId entryReference checkId'),
    ...each(text, 'counterpartyName counterpartyAccount counterpartyAgent additionalInformation'),
    ...each(text, 'remittanceInformationUnstructured remittanceInformationStructured endToEndId'),
    ...each(text, 'mandateId creditorId bankTransactionCode proprietaryBankTransactionCode purposeCode'),
    ...each(text, 'originalAmount originalCurrency exchangeRate chargesAmount chargesCurrency'),
    ...each(text, 'balanceAfter balanceAfterCurrency returnReason batchReference batchAmount'),
    ...each(text, 'maskedPan merchantCategoryCode transactionDate resourceId details amountAsSent'),
    ...each(text, 'otherAmountsAsSent entryAsSent otherInformation ultimateDebtor ultimateCreditor'),
    ...each(text, 'creditorReferenceType referredDocuments additionalRemittanceInformation'),
    ...each(text, 'bankTransactionText proprietaryBankTransactionCodeIssuer batchMessageId'),
    ...each(text, 'exchangeSourceCurrency exchangeTargetCurrency exchangeUnitCurrency key'),
    keyBy: oneOf('balance', 'occurrence'),
    chargesIncluded: truth,
    file: text,
    direction: oneOf('debit', 'credit'),
    ...each(number, 'batchSize batchPosition'),
    reversal: truth,
    marks: list(text),
  },
);
const rows = list(transaction, 'One row per transaction, whatever form the report of the bank had.');
const balance = object(each(text, 'balanceType amount currency'), {
  ...each(text, 'account referenceDate referenceDateTime lastChangeDateTime'),
  marks: list(text),
});
const report = object(
  { transactions: rows, balances: list(balance), nextPage: textOrNull },
  {
    calls: number,
    notes: list(object({ text }, { account: text })),
    statements: list(object({ values: map(text) }, { account: text })),
    problems: list(object({ code: text, detail: text })),
    tolerated: list(object({ code: text }, { position: number, detail: text })),
    _obk: any,
  },
  'The same with --meta: a document that also says what came with the rows.',
);

export const accounts = {
  schemas: {
    accounts: list(account, 'Accounts, each as the bank sent it.'),
    account: { ...account, description: 'An account, as the bank sent it.' },
    balances: list(
      foreign({ balanceType: text, balanceAmount: foreign({ currency: text, amount: text }) }),
      'Balances, each as the bank sent it.',
    ),
    transactions: { anyOf: [rows, report] },
    transactionAtBank: foreign(
      { transactionAmount: foreign({ currency: text, amount: text }) },
      {},
      'A transaction, as the bank sent it.',
    ),
    funds: foreign({ fundsAvailable: truth }, {}, 'The answer of the bank.'),
  },
  outputs: {
    'accounts list': 'accounts',
    'accounts get': 'account',
    'accounts balances': 'balances',
    'transactions list': 'transactions',
    'transactions get': 'transactionAtBank',
    'transactions read': 'transactions',
    'cards list': 'accounts',
    'cards get': 'account',
    'cards balances': 'balances',
    'cards transactions': 'transactions',
    'funds check': 'funds',
  },
} as const satisfies Outputs;
