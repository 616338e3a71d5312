import { defined } from '../../base/defined.ts';
import { bookAll, book, capitalIban, openingText } from '../books/double-entry.ts';
import type { Database } from '../books/database.ts';
import type { Past, Dice, Month } from './seeded-past.ts';
import { isCard } from '../books/accounts.ts';
import type { Account } from '../books/accounts.ts';
import type { Booking } from '../books/double-entry.ts';
import { findPerson } from '../books/people.ts';
import { diceOf, exchanged, pastBefore, shops } from './seeded-past.ts';
import { ownIban, maskedPan } from '../books/iban.ts';

/**
 * Writes the past of an account into the books when it is first looked at, so that a new ledger is there at once. The
 * balance stays: the opening moves to the beginning of the past and takes up the difference.
 */
export function ensurePast(database: Database, account: Account): void {
  const { accountId } = account;
  const row = database.one<{ hasHistory: bigint }>(
    'SELECT hasHistory FROM accounts WHERE accountId = ?',
    accountId,
  );
  if (row?.hasHistory !== 0n || account.psuId === null) return;
  database.atomically(() => {
    database.run('UPDATE accounts SET hasHistory = 1 WHERE accountId = ?', accountId);
    writePast(database, account);
  });
}

function writePast(database: Database, account: Account): void {
  const { accountId, iban } = account;
  const opening = database.one<{ bookingId: bigint; minor: bigint }>(
    `SELECT bookingId, minor FROM entries JOIN bookings USING (bookingId)
     WHERE accountId = ? AND remittance = ? ORDER BY entryId LIMIT 1`,
    accountId,
    openingText,
  );
  const past = pastOf(database, account, birthOf(database));
  const [first] = past;
  // An account that was opened without money has no opening yet; a card has none at all.
  if ((opening !== undefined || !isCard(account)) && first !== undefined) {
    const sum = past.reduce((total, { minor }) => total + minor, 0n);
    const bookedAt = `${first.bookedAt.slice(0, 7)}-01T00:00:00.000Z`;
    if (opening !== undefined) removeBooking(database, opening.bookingId);
    bookOpening(database, account, (opening?.minor ?? 0n) - sum, bookedAt);
  }
  const owner = findPerson(database, account.psuId ?? '')?.name ?? '';
  bookAll(
    database,
    account,
    past.map((one) => ({ ...bookingOf(one, owner, iban), minor: one.minor })),
  );
}

function pastOf(database: Database, { accountId, iban, pan, currency }: Account, before: string): Past[] {
  if (pan !== null) return cardPast(pan, before);
  if (currency !== 'EUR') return foreignPast(iban ?? '', currency, before);
  return householdPast(iban ?? '', before, cardOf(database, accountId));
}

/** The card whose invoices an account pays. */
function cardOf(database: Database, accountId: bigint): string | undefined {
  return database.one<{ pan: string }>('SELECT pan FROM accounts WHERE settledBy = ?', accountId)?.pan;
}

/** The day on which the ledger began: the past ends before it. */
function birthOf(database: Database): string {
  const row = database.one<{ value: string }>("SELECT value FROM meta WHERE key = 'seededAt'");
  return row?.value.slice(0, 10) ?? '';
}

function bookingOf(past: Past, owner: string, iban: string | null): Booking {
  const { bookedAt, minor, name, remittance, endToEndId, details } = past;
  const own = { name: owner, iban: iban ?? undefined };
  const other = { name, iban: past.iban };
  const [debtor, creditor] = minor < 0n ? [own, other] : [other, own];
  return {
    bookedAt,
    debtorName: debtor.name,
    ...defined({ debtorIban: debtor.iban }),
    creditorName: creditor.name,
    ...defined({ creditorIban: creditor.iban }),
    remittance,
    ...defined({ endToEndId }),
    details,
  };
}

function removeBooking(database: Database, bookingId: bigint): void {
  const entries = database.all<{ accountId: bigint; minor: bigint }>(
    'SELECT accountId, minor FROM entries WHERE bookingId = ?',
    bookingId,
  );
  for (const entry of entries)
    database.run(
      'UPDATE accounts SET balance = balance - ? WHERE accountId = ?',
      entry.minor,
      entry.accountId,
    );
  database.run('DELETE FROM entries WHERE bookingId = ?', bookingId);
  database.run('DELETE FROM bookings WHERE bookingId = ?', bookingId);
}

function bookOpening(
  database: Database,
  { accountId, currency }: Account,
  minor: bigint,
  bookedAt: string,
): void {
  book(database, { bookedAt, currency, remittance: openingText }, [
    { iban: capitalIban, minor: -minor },
    { accountId, minor },
  ]);
}

/** Other people's accounts: no bank has these numbers. */
const foreignIban = (n: number) => ownIban('DE', 8_000_000 + n);
const lender = 'DE98ZZZ09999999999';

/** Three years of a household: salary, rent, shopping, direct debits, fees, and what is left goes to savings. */
function householdPast(iban: string, before: string, card: string | undefined): Past[] {
  const dice = diceOf(iban);
  const rent = BigInt(dice.between(650, 1150) * 100);
  const salary = rent + BigInt(dice.between(1500, 2300) * 100);
  const employer = dice.pick(['Nordlicht GmbH', 'Brueckenbau AG', 'Stadtwerke Havel']);
  const invoices = card === undefined ? new Map<string, bigint>() : cardInvoices(card, before);
  return pastBefore(before, (month) => {
    let left = 0n;
    const spend = (day: number, hour: number, past: Omit<Past, 'bookedAt'>) => {
      left += past.minor;
      month.add(day, hour, past);
    };
    spend(1, 6, {
      minor: -rent,
      name: 'Hausverwaltung Nord',
      iban: foreignIban(1),
      remittance: `Rent ${month.name}`,
      endToEndId: 'NOTPROVIDED',
      details: { bankTransactionCode: 'PMNT-ICDT-STDO', proprietaryBankTransactionCode: 'STO+117' },
    });
    spend(27, 5, {
      minor: salary,
      name: employer,
      iban: foreignIban(2),
      remittance: `Salary ${month.name}`,
      endToEndId: `SAL-${month.name}`,
      details: { bankTransactionCode: 'PMNT-RRCT-SALA', purposeCode: 'SALA' },
    });
    directDebits(month, dice, spend);
    shopping(month, dice, spend);
    const invoice = invoices.get(month.name);
    if (invoice !== undefined)
      spend(12, 5, {
        minor: -invoice,
        name: 'Credit card',
        remittance: `Card invoice ${month.name}`,
        details: { bankTransactionCode: 'PMNT-CCRD-POSC' },
      });
    if (month.index % 3 === 2)
      spend(28, 4, {
        minor: -990n,
        name: 'obk test bank',
        remittance: 'Account fee of the quarter',
        details: { bankTransactionCode: 'ACMT-MDOP-CHRG', additionalInformation: 'Fee of the quarter' },
      });
    if (left > 5000n)
      spend(28, 6, {
        minor: -(left / 1000n) * 1000n,
        name: 'Savings',
        iban: foreignIban(3),
        remittance: 'Savings',
        details: { bankTransactionCode: 'PMNT-ICDT-ESCT', purposeCode: 'SAVG' },
      });
  });
}

type Spend = (day: number, hour: number, past: Omit<Past, 'bookedAt'>) => void;

function directDebits({ name, index }: Month, dice: Dice, spend: Spend): void {
  const debit = (payee: string, mandateId: string, cents: number) => ({
    minor: -BigInt(cents),
    name: payee,
    iban: foreignIban(payee.length + 10),
    remittance: `${payee} ${name}`,
    endToEndId: `${mandateId}-${name}`,
    details: { bankTransactionCode: 'PMNT-RDDT-ESDD', mandateId, creditorId: lender },
  });
  spend(3, 5, debit('Havel Energy', 'MND-4711', 8900));
  spend(5, 5, debit('Mobilfunk Eins', 'MND-0815', 2499 + dice.between(0, 3) * 100));
  if (index % 6 === 3) spend(15, 5, debit('Spree Insurance', 'MND-2207', 18_640));
  if (index % 12 !== 7) return;
  // A direct debit that the PSU returns.
  const wrong = debit('Lottery Club', 'MND-9999', 2900);
  spend(9, 5, wrong);
  spend(11, 9, {
    ...wrong,
    minor: 2900n,
    remittance: `Return: ${wrong.remittance}`,
    details: {
      ...wrong.details,
      bankTransactionCode: 'PMNT-RDDT-UPDD',
      additionalInformation: 'Returned by the customer (MD06)',
    },
  });
}

function shopping({ name, index }: Month, dice: Dice, spend: Spend): void {
  for (let times = dice.between(7, 10); times > 0; times -= 1) {
    const [shop, town, , from, to] = dice.pick(shops);
    spend(dice.between(1, 28), dice.between(8, 20), {
      minor: -BigInt(dice.between(from, to)),
      name: shop,
      remittance: `${shop}, ${town}`,
      details: { bankTransactionCode: 'PMNT-CCRD-POSD' },
    });
  }
  spend(dice.between(2, 26), 12, {
    minor: -BigInt(dice.between(2, 10) * 1000),
    name: 'Cash machine Mitte',
    remittance: 'Cash withdrawal',
    details: { bankTransactionCode: 'PMNT-CCRD-CWDL' },
  });
  if (index % 5 === 1) {
    const [shop, town, , from, to] = dice.pick(shops);
    spend(dice.between(6, 25), 14, {
      minor: BigInt(dice.between(from, to)),
      name: shop,
      remittance: `Refund ${shop}, ${town}`,
      details: { bankTransactionCode: 'PMNT-CCRD-RIMB' },
    });
  }
  if (index % 2 === 0) return;
  const day = dice.between(4, 24);
  const { shop, minor, original, exchange } = exchanged(dice, `${name}-${String(day).padStart(2, '0')}`);
  spend(day, 15, {
    minor: -minor,
    name: shop[0],
    remittance: `${shop[0]}, ${shop[1]} ${original.amount} ${original.currency}`,
    details: { bankTransactionCode: 'PMNT-CCRD-POSD', currencyExchange: [exchange] },
  });
  spend(day + 1, 4, {
    minor: -((minor * 175n + 5000n) / 10_000n),
    name: 'obk test bank',
    remittance: 'Fee for foreign currency 1.75 %',
    details: { bankTransactionCode: 'PMNT-CCRD-CHRG' },
  });
}

/** A sub-account in another currency: a sale each month, and what is bought of it. */
function foreignPast(iban: string, currency: string, before: string): Past[] {
  const dice = diceOf(`${iban} ${currency}`);
  return pastBefore(before, (month) => {
    const income = dice.between(400, 900) * 100;
    month.add(10, 9, {
      minor: BigInt(income),
      name: 'Overseas Trading Ltd',
      remittance: `Invoice ${month.name}`,
      endToEndId: `INV-${month.name}`,
      details: { bankTransactionCode: 'PMNT-RCDT-XBCT' },
    });
    month.add(20, 11, {
      minor: -BigInt(income - dice.between(0, 2000)),
      name: 'Web Hosting Inc',
      remittance: `Subscription ${month.name}`,
      details: { bankTransactionCode: 'PMNT-ICDT-XBCT' },
    });
  });
}

/** Three years of a credit card: what was bought, and on the 12th the invoice of the month before. */
function cardPast(pan: string, before: string): Past[] {
  const dice = diceOf(pan);
  const past = pastBefore(before, (month) => {
    for (let times = dice.between(3, 6); times > 0; times -= 1) {
      const day = dice.between(1, 27);
      const date = `${month.name}-${String(day).padStart(2, '0')}`;
      const foreign = dice.between(0, 9) === 0 ? exchanged(dice, date) : undefined;
      const [name, town, merchantCategoryCode, from, to] = foreign?.shop ?? dice.pick(shops);
      month.add(day + 1, dice.between(8, 20), {
        minor: -(foreign?.minor ?? BigInt(dice.between(from, to))),
        name,
        remittance: `${name}, ${town}`,
        details: {
          transactionDate: date,
          terminalId: `T${String(dice.between(10_000, 99_999))}`,
          cardAcceptorId: `A${merchantCategoryCode}${String(name.length)}`,
          cardAcceptorTown: town,
          merchantCategoryCode,
          maskedPAN: maskedPan(pan),
          ...(foreign && { originalAmount: foreign.original, currencyExchange: [foreign.exchange] }),
        },
      });
    }
  });
  const settled = [...invoicesOf(past)].map(([month, minor]): Past => ({
    bookedAt: `${month}-12T05:00:00.000Z`,
    minor,
    name: 'Current account',
    remittance: `Card invoice ${month}`,
    details: { transactionDate: `${month}-12`, maskedPAN: maskedPan(pan) },
  }));
  return [...past, ...settled.filter(({ bookedAt }) => bookedAt.slice(0, 10) < before)].sort((one, other) =>
    one.bookedAt < other.bookedAt ? -1 : 1,
  );
}

/** The invoices of a card by the month in which the account pays them. */
function cardInvoices(pan: string, before: string): ReadonlyMap<string, bigint> {
  const paid = cardPast(pan, before).filter(({ minor }) => minor > 0n);
  return new Map(paid.map(({ bookedAt, minor }) => [bookedAt.slice(0, 7), minor]));
}

function invoicesOf(past: readonly Past[]): ReadonlyMap<string, bigint> {
  const sums = new Map<string, bigint>();
  for (const { bookedAt, minor } of past) {
    const [year = 0, month = 1] = bookedAt.split('-').map(Number);
    const next = new Date(Date.UTC(year, month, 1)).toISOString().slice(0, 7);
    sums.set(next, (sums.get(next) ?? 0n) - minor);
  }
  return sums;
}
