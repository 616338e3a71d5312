import { defined } from '../../base/defined.ts';
import { formatMinor } from '../../standard/formats/money/amount.ts';
import { hasMember } from '../../standard/xs2a/member-changes.ts';
import { wireNames } from '../../standard/xs2a/variants.ts';
import type { Framework } from '../../standard/xs2a/variants.ts';
import type { AccountReference, StandingOrder } from '../../standard/xs2a/wire.ts';
import type { TransactionDetails } from '../../standard/xs2a/wire-accounts.ts';
import type { Database } from '../books/database.ts';
import type { EntryRow } from '../statements/entries.ts';
import type { Account } from '../books/accounts.ts';
import type { Order } from '../books/order.ts';
import type { Pending } from '../statements/pending.ts';

/** The id of an entry on the wire, for transactionId and entryReference alike. */
export const transactionIdOf = ({ entryId }: Pick<EntryRow, 'entryId'>) => `E${String(entryId)}`;

/** The number of an entry by its id on the wire. */
export function entryIdOf(transactionId: string): bigint | undefined {
  const [, digits] = /^E([0-9]{1,18})$/.exec(transactionId) ?? [];
  return digits === undefined ? undefined : BigInt(digits);
}

/**
 * The kind of number of an account, which may stand in front of it; else one that is neither IBAN nor mobile number belongs to
 * an account at another bank.
 */
function accountOf(number: string): AccountReference {
  const [, kind, rest] = /^(bban|msisdn|pan|maskedPan):(.*)$/.exec(number) ?? [];
  if (kind !== undefined) return { [kind]: rest };
  if (/^[A-Z]{2}[0-9]{2}[A-Z0-9]{10,}$/.test(number)) return { iban: number };
  return number.startsWith('+')
    ? { msisdn: number }
    : number.includes('*')
      ? { maskedPan: number }
      : { bban: number };
}

/** An amount in the form of the wire. */
export const amountOf = (minor: bigint, currency: string) => ({
  currency,
  amount: formatMinor(minor, currency),
});

/** A booked entry in the form of the wire: a debit is negative and names the creditor, a credit names the debtor. */
export function bookedTransaction(row: EntryRow, framework: Framework, href?: string): TransactionDetails {
  const { minor, currency, endToEndId, remittance, instructed, day, paymentId } = row;
  const id = transactionIdOf(row);
  const debit = minor < 0n;
  const name = debit ? row.creditorName : row.debtorName;
  const account = debit ? row.creditorIban : row.debtorIban;
  return {
    transactionId: id,
    entryReference: id,
    ...(endToEndId !== null && { endToEndId }),
    bookingDate: day,
    valueDate: day,
    transactionAmount: amountOf(minor, currency),
    ...(name !== null && { [debit ? 'creditorName' : 'debtorName']: name }),
    ...(account !== null && { [debit ? 'creditorAccount' : 'debtorAccount']: accountOf(account) }),
    ...(remittance !== null && { remittanceInformationUnstructured: remittance }),
    ...(instructed !== null && { additionalInformation: `Instructed amount: ${instructed}` }),
    ...(paymentId !== null && { bankTransactionCode: debit ? 'PMNT-ICDT-ESCT' : 'PMNT-RCDT-ESCT' }),
    ...(row.details !== null && detailsIn(row.details, debit, framework)),
    ...(href !== undefined && { _links: { transactionDetails: { href } } }),
  };
}

/** What is kept of an entry besides, as the framework has it; that of a batch is told to the payer alone. */
function detailsIn(text: string, debit: boolean, framework: Framework): Partial<TransactionDetails> {
  const { batchIndicator, batchNumberOfTransactions, entryDetails, ...details } = JSON.parse(
    text,
  ) as Partial<TransactionDetails>;
  const isBatch = debit && batchIndicator === true && hasMember(framework, 'transaction', 'batchIndicator');
  return { ...details, ...(isBatch && { batchIndicator, batchNumberOfTransactions, entryDetails }) };
}

/** A pending transaction; it has no booking date yet. */
export function pendingTransaction(pending: Pending & { currency: string }): TransactionDetails {
  const { minor, currency, creditorName, debtorName, endToEndId, remittance, day } = pending;
  const isDebit = minor < 0n;
  const name = isDebit ? creditorName : debtorName;
  const account = isDebit ? pending.creditorIban : pending.debtorIban;
  return {
    ...defined({ endToEndId }),
    valueDate: day,
    transactionAmount: amountOf(minor, currency),
    ...defined({ [isDebit ? 'creditorName' : 'debtorName']: name }),
    ...(account !== undefined && { [isDebit ? 'creditorAccount' : 'debtorAccount']: accountOf(account) }),
    ...defined({ remittanceInformationUnstructured: remittance }),
  };
}

const standingOrderCode = 'PMNT-ICDT-STDO';

/** The standing orders of an account: the seeded rent, and those created through this interface. */
export function standingOrders(database: Database, { accountId, currency }: Account): TransactionDetails[] {
  const rent = database.one<EntryRow>(
    `SELECT day, minor, creditorName, creditorIban FROM entries JOIN bookings USING (bookingId)
     WHERE accountId = ? AND json_extract(details, '$.bankTransactionCode') = ? ORDER BY day DESC LIMIT 1`,
    accountId,
    standingOrderCode,
  );
  const told = (
    minor: string,
    name: string,
    account: string | null,
    standingOrderDetails: StandingOrder,
  ): TransactionDetails => ({
    transactionAmount: { currency, amount: minor },
    creditorName: name,
    ...(account !== null && { creditorAccount: accountOf(account) }),
    bankTransactionCode: standingOrderCode,
    additionalInformationStructured: { standingOrderDetails },
  });
  const own = database.all<{ content: string }>(
    `SELECT content FROM payments WHERE service = 'periodic-payments' AND dueAt IS NOT NULL
     AND status NOT IN ('RCVD', 'PATC') AND debtorId = ? ORDER BY rowid`,
    accountId,
  );
  const past =
    rent === undefined
      ? []
      : [
          told(formatMinor(rent.minor, currency), rent.creditorName ?? '', rent.creditorIban, {
            startDate: `${rent.day.slice(0, 4)}-01-01`,
            frequency: 'Monthly',
            dayOfExecution: '1',
            executionRule: 'following',
          }),
        ];
  return [
    ...past,
    ...own.flatMap(({ content }) => {
      const { standing, transfers } = JSON.parse(content) as Order;
      const [first] = transfers;
      return standing === undefined
        ? []
        : [told(`-${first.amount}`, first.creditorName, first.creditorAccount, standing)];
    }),
  ];
}

const countries: Readonly<Record<string, string>> = { 'New York': 'US', London: 'GB', Luzern: 'CH' };

/** A booked entry of a card account; `today` decides which entries are already invoiced. */
export function cardTransaction(row: EntryRow, framework: Framework, today: string): object {
  const { cardAcceptorTown, ...details } = JSON.parse(row.details ?? '{}') as {
    cardAcceptorTown?: string;
  };
  const has = (member: string) => hasMember(framework, 'transaction of a card', member);
  const [year = 0, month = 1] = row.day.split('-').map(Number);
  const invoiceDay = new Date(Date.UTC(year, month, 12)).toISOString().slice(0, 10);
  return {
    cardTransactionId: transactionIdOf(row),
    bookingDate: row.day,
    ...(has('valueDate') && { valueDate: row.day }),
    transactionAmount: amountOf(row.minor, row.currency),
    ...(has('grandTotalAmount') && { grandTotalAmount: amountOf(row.minor, row.currency) }),
    ...details,
    ...(cardAcceptorTown !== undefined && {
      cardAcceptorAddress: {
        [wireNames[framework].addressTown]: cardAcceptorTown,
        country: countries[cardAcceptorTown] ?? 'DE',
      },
    }),
    transactionDetails: row.remittance ?? '',
    invoiced: row.minor < 0n ? invoiceDay <= today : true,
  };
}
