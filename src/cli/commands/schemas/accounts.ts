import { rowSchema } from '../../../base/fields.ts';
import {
  any,
  each,
  foreign,
  list,
  map,
  number,
  object,
  text,
  textOrNull,
  truth,
} from '../../../base/schema.ts';
import { transactionFields } from '../../../standard/formats/rows/transaction-row.ts';
import { printedBy } from './schema.ts';
import type { Outputs } from './schema.ts';

const account = foreign(
  { currency: text },
  { ...each(text, 'resourceId iban bban maskedPan name product'), balances: list(any) },
);
const rows = list(
  rowSchema(transactionFields),
  'One row per transaction, whatever form the report of the bank had.',
);
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
  accounts: printedBy(['accounts list', 'cards list'], list(account, 'Accounts, each as the bank sent it.')),
  account: printedBy(['accounts get', 'cards get'], {
    ...account,
    description: 'An account, as the bank sent it.',
  }),
  balances: printedBy(
    ['accounts balances', 'cards balances'],
    list(
      foreign({ balanceType: text, balanceAmount: foreign({ currency: text, amount: text }) }),
      'Balances, each as the bank sent it.',
    ),
  ),
  transactions: printedBy(['transactions list', 'transactions read', 'cards transactions'], {
    anyOf: [rows, report],
  }),
  transactionAtBank: printedBy(
    'transactions get',
    foreign(
      { transactionAmount: foreign({ currency: text, amount: text }) },
      {},
      'A transaction, as the bank sent it.',
    ),
  ),
  funds: printedBy('funds check', foreign({ fundsAvailable: truth }, {}, 'The answer of the bank.')),
} as const satisfies Outputs;
