import { diceOf, exchanged, pastBefore, shops } from './seeded-past.ts';
import type { Past } from './seeded-past.ts';
import { maskedPan } from '../books/iban.ts';

/** Three years of a credit card: what was bought, and on the 12th the invoice of the month before. */
export function cardPast(pan: string, before: string): Past[] {
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
export function cardInvoices(pan: string, before: string): ReadonlyMap<string, bigint> {
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
