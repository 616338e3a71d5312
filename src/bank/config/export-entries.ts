import { formatMinor } from '../../standard/formats/money/amount.ts';
import type { Account } from '../books/accounts.ts';
import type { Database } from '../books/database.ts';
import type { EntryRow } from '../statements/entries.ts';

/** The members of a transaction that a file has by name; all others stand in `more`. */
const named = new Set([
  'valueDate',
  'mandateId',
  'creditorId',
  'purposeCode',
  'bankTransactionCode',
  'proprietaryBankTransactionCode',
  'additionalInformation',
]);

type ExportedEntry = EntryRow & { bookedAt: string; part: bigint };

/** The entries of an account as a file lists them, in the order in which they came into the books. */
export function entriesForFile(database: Database, { accountId, currency }: Account): object[] {
  const rows = database.all<ExportedEntry>(
    `SELECT entryId, day, minor, bookedAt, paymentId, part, debtorName, debtorIban, creditorName, creditorIban, endToEndId,
     remittance, instructed, details FROM entries JOIN bookings USING (bookingId) WHERE accountId = ? ORDER BY entryId`,
    accountId,
  );
  return rows.map((row) => entryForFile(row, currency));
}

function entryForFile(row: ExportedEntry, currency: string): object {
  const { minor, day, paymentId, bookedAt, entryId } = row;
  const isDebit = minor < 0n;
  const [name, account] = isDebit ? [row.creditorName, row.creditorIban] : [row.debtorName, row.debtorIban];
  const details = (row.details === null ? {} : JSON.parse(row.details)) as Record<string, unknown>;
  // A payment is booked once, on the side that paid; its credit keeps the code by which the wire tells it.
  const code = paymentId !== null && !isDebit ? { bankTransactionCode: 'PMNT-RCDT-ESCT' } : {};
  const told: Record<string, unknown> = { ...code, ...details };
  const byName: Record<string, string> = {};
  const more: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(told))
    if (named.has(key) && typeof value === 'string' && isPlain(value)) byName[key] = value;
    else more[key] = value;
  const take = (key: string, wire: string, value: string | null) => {
    if (value === null) return undefined;
    if (isPlain(value)) return value;
    // What a file cannot hold as it is stands there as the wire has it.
    if (!(wire in told)) more[wire] = value;
    return undefined;
  };
  const remittance = take('remittance', 'remittanceInformationUnstructured', row.remittance);
  const counterpartyName = take('name', isDebit ? 'creditorName' : 'debtorName', name);
  const endToEndId = take('endToEndId', 'endToEndId', row.endToEndId);
  return {
    transactionId: `E${String(entryId)}`,
    bookingDate: day,
    amount: formatMinor(minor, currency),
    counterpartyName,
    counterpartyAccount: account ?? undefined,
    remittanceInformationUnstructured: remittance,
    endToEndId,
    ...byName,
    bookedAt: bookedAt === `${day}T12:00:00.000Z` ? undefined : bookedAt,
    instructed: row.instructed ?? undefined,
    ...(paymentId !== null && isDebit && { paymentId, part: row.part === 0n ? undefined : String(row.part) }),
    more: Object.keys(more).length === 0 ? undefined : asText(more),
  };
}

const isPlain = (text: string) =>
  text.trim() !== '' && !/[\p{Cc}\u2028\u2029]/u.test(text) && text.length <= 140;

const asText = (value: object) =>
  JSON.stringify(value).replace(
    /[\u007f-\u009f\u2028\u2029]/g,
    (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
