import { isDayText } from '../../base/values.ts';
import { createReadStream } from 'node:fs';
import { ObkError } from '../../base/errors.ts';
import type { TransactionRow } from '../../standard/formats/rows/transaction-row.ts';
import type { EntryToBook, NumberedAccount } from './plan.ts';
import { checkCounterparty, minorOf } from './values.ts';

/**
 * Reads the booked transactions of one account from a file: those of its own number where the file has several accounts.
 * Returns what is wrong with the file as a sentence.
 */
export async function readEntryFile(
  path: string,
  account: NumberedAccount,
): Promise<{ entries: EntryToBook[] } | { why: string }> {
  const entries: EntryToBook[] = [];
  let foreign = 0;
  try {
    for await (const row of rowsOf(path)) {
      if (row.bookingStatus !== undefined && row.bookingStatus !== 'booked') continue;
      if (row.account !== undefined && !isOf(account, plain(row.account))) {
        foreign += 1;
        continue;
      }
      const entry = entryOf(row, account.currency);
      if ('why' in entry) return { why: `transaction ${String(entries.length + 1)}: ${entry.why}` };
      entries.push(entry.entry);
    }
  } catch (error) {
    if (error instanceof ObkError) return { why: error.detail ?? error.title };
    return { why: (error as Error).message };
  }
  if (entries.length === 0)
    return {
      why:
        foreign === 0
          ? 'there is no booked transaction in it'
          : `its ${String(foreign)} transactions are of another account, not of ${account.numbers.join(', ')}`,
    };
  return { entries };
}

async function* rowsOf(path: string): AsyncGenerator<TransactionRow> {
  if (/\.csv$/i.test(path)) {
    const { readCsvRecords } = await import('../../standard/formats/payments/csv-records.ts');
    yield* (await readCsvRecords(createReadStream(path))) as unknown as TransactionRow[];
    return;
  }
  // Heavy, each of them, and most banks have at most one kind.
  const { readReport } = await import('../../standard/formats/reports/report.ts');
  for await (const items of readReport(createReadStream(path), { code: 'INPUT_INVALID' }))
    for (const item of items) if (item.kind === 'row') yield item.row;
}

/** Some statements add the currency to the number. */
const isOf = ({ numbers, currency }: NumberedAccount, number: string) =>
  numbers.some((own) => number === own || number === `${own}${currency}`);

/** A number without what divides its parts: MT940 writes bank code and account with a stroke between. */
const plain = (number: string) => number.replace(/[ /]/g, '').toUpperCase();

/** The members of a row that the books keep as details of the transaction. */
const details = [
  'mandateId',
  'creditorId',
  'checkId',
  'purposeCode',
  'bankTransactionCode',
  'proprietaryBankTransactionCode',
  'additionalInformation',
  'remittanceInformationStructured',
] as const;

function entryOf(row: TransactionRow, currency: string): { entry: EntryToBook } | { why: string } {
  const day = row.bookingDate ?? row.valueDate;
  if (day === undefined || !isDayText(day)) return { why: 'it has no bookingDate' };
  if (row.amount === undefined) return { why: 'it has no amount' };
  if (row.currency !== undefined && row.currency !== currency)
    return { why: `its currency is ${row.currency}, and the account is in ${currency}` };
  const minor = minorOf(row.amount, currency);
  if (!minor.ok) return { why: `amount: ${minor.why}` };
  const more = Object.fromEntries(
    details.flatMap((name) => (row[name] === undefined ? [] : [[name, row[name]]])),
  );
  const valued = row.valueDate !== undefined && row.valueDate !== day ? { valueDate: row.valueDate } : {};
  const number = row.counterpartyAccount;
  const account = number === undefined ? undefined : checkCounterparty(number);
  if (account?.ok === false) return { why: `counterpartyAccount: ${account.why}` };
  return {
    entry: {
      day,
      minor: minor.value,
      name: row.counterpartyName,
      account: account?.value,
      remittance: row.remittanceInformationUnstructured,
      endToEndId: row.endToEndId,
      details: { ...valued, ...more },
    },
  };
}
