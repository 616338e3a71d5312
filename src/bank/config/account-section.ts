import { balanceTypes } from '../../standard/xs2a/code-lists.ts';
import { flag, listOf, mapOf, may, needed, oneOf } from '../../settings/documents/shape.ts';
import type { ValueOf } from '../../settings/documents/shape.ts';
import {
  bban,
  bic,
  counterparty,
  currency,
  date,
  decimal,
  iban,
  instant,
  integer,
  maskedPan,
  minorOf,
  msisdn,
  pan,
  pattern,
  text,
} from './values.ts';

const entry = mapOf({
  bookingDate: needed('The day on which it was booked.', date),
  valueDate: may('The value date; without it the booking date.', date),
  amount: needed('The amount in the currency of the account; a debit is negative.', decimal),
  counterpartyName: may('The creditor of a debit, the debtor of a credit.', text(140)),
  counterpartyAccount: may(
    'Their IBAN or another number; bban:, msisdn:, pan: or maskedPan: in front says which.',
    counterparty,
  ),
  remittanceInformationUnstructured: may('The purpose.', text(1000)),
  endToEndId: may('The reference of the payer.', text(140)),
  mandateId: may('The mandate of a direct debit.', text(140)),
  creditorId: may('The creditor identifier of a direct debit.', text(140)),
  purposeCode: may('A purpose of ISO 20022, such as SALA.', text(35)),
  bankTransactionCode: may('Domain, family and sub-family, such as PMNT-RCDT-ESCT.', text(35)),
  proprietaryBankTransactionCode: may("The bank's own code.", text(140)),
  additionalInformation: may('What the bank says besides.', text(1000)),
  transactionId: may(
    'The id of the entry, E and a number; without it one is given.',
    pattern(/^E[1-9][0-9]{0,14}$/, 'an id of an entry, which is E and a number'),
  ),
  bookedAt: may('The moment of the booking; without it noon of the day.', instant),
  instructed: may('The amount as ordered in another currency, such as 10.00 USD.', text(40)),
  paymentId: may('The payment that made it.', text(140)),
  part: may('Which part of that payment, from 0.', integer(0, 1_000_000)),
  more: may('Further members of the transaction as the wire has them, as JSON.', text(10_000)),
});

/** A transaction of an account by hand. */
export type EntryPlan = ValueOf<typeof entry>;

const balance = mapOf({
  balanceType: needed('The kind of balance.', oneOf(balanceTypes.map(({ code }) => code))),
  amount: needed('The amount at the start; every booking moves it.', decimal),
  creditLimitIncluded: may('Whether the credit limit is in it.', flag),
});

/** The section of one account. */
export const account = mapOf(
  {
    iban: may('The IBAN, of any country.', iban),
    bban: may('A national number.', bban),
    msisdn: may('A mobile number that stands for the account.', msisdn),
    pan: may('A card number; an account with nothing else is a card account.', pan),
    maskedPan: may('The card number as it is shown; without it six and four digits of the PAN.', maskedPan),
    currency: may('ISO 4217; EUR without it.', currency),
    name: may('The name of the account.', text(70)),
    displayName: may('The name as the PSU sees it (1.3.6).', text(70)),
    owner: may('The name of the owner; without it that of the customer.', text(140)),
    product: may('The name of the product.', text(35)),
    cashAccountType: may('The kind of account of ISO 20022, such as CACC.', text(4)),
    status: may(
      'Whether it can be used; payments from others are rejected.',
      oneOf(['enabled', 'deleted', 'blocked']),
    ),
    usage: may('Private or of an organisation.', oneOf(['PRIV', 'ORGA'])),
    bic: may('The BIC of the bank that keeps it.', bic),
    details: may('What else there is to say.', text(500)),
    linkedAccounts: may('Accounts that belong to it.', text(70)),
    creditLimit: may('How far it may be overdrawn, or the limit of a card.', decimal),
    settledBy: may('The IBAN, BBAN or MSISDN of the account that pays the invoices of a card.', text(40)),
    balance: may('The booked balance at the start; 0 without it.', decimal),
    balances: may(
      'Kinds of balances that are told, instead of those of the bank inside.',
      listOf(balance, 1),
    ),
    past: may(
      '`made-up`: three years that the bank inside makes up when they are first looked at.',
      oneOf(['made-up']),
    ),
    deposits: may('Deposits that the bank inside makes up as pending, as for its own people.', flag),
    transactions: may('Booked transactions.', listOf(entry)),
    files: may(
      'Files with transactions: camt, MT940, JSON as the interface has it, or CSV.',
      listOf(text(1000)),
    ),
    generated: may(
      'Transactions that are made up, the same ones each time.',
      mapOf(
        {
          seed: may('Another one makes others.', text(140)),
          perDay: needed('So many on each day.', integer(1, 10_000)),
          from: needed('The first day.', date),
          to: needed('The last day.', date),
        },
        undefined,
        ({ perDay, from, to }, wrong) => {
          if (to < from) wrong('to', 'it is before from');
          const days = (Date.parse(to) - Date.parse(from)) / 86_400_000 + 1;
          if (days * perDay > 1_000_000) wrong('perDay', 'that makes more than a million transactions');
        },
      ),
    ),
  },
  'An account; without any number it gets an IBAN, always the same.',
  (value, wrong) => {
    const kept = value.currency ?? 'EUR';
    for (const key of ['balance', 'creditLimit'] as const) {
      const amount = value[key];
      const read = amount === undefined ? undefined : minorOf(amount, kept);
      if (read?.ok === false) wrong(key, read.why);
    }
    for (const one of [...(value.balances ?? []), ...(value.transactions ?? [])]) {
      const read = minorOf(one.amount, kept);
      if (!read.ok) wrong(one.where.of('amount'), read.why);
    }
    if (value.maskedPan === undefined && value.pan === undefined && value.settledBy !== undefined)
      wrong('settledBy', 'only a card account, with pan or maskedPan, is settled by another');
    const hasPast = value.transactions ?? value.files ?? value.generated;
    if (value.past !== undefined && hasPast !== undefined)
      wrong('past', 'a past that is made up leaves no place for transactions, files and generated');
  },
);

/** An account as the file has it. */
export type AccountPlan = ValueOf<typeof account>;
