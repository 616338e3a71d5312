import { createHash } from 'node:crypto';
import { formatMinor } from '../../standard/formats/money/amount.ts';
import { isoDay } from '../books/life-cycle.ts';

/** One transaction of the past of an account, in its currency; a debit is negative. */
export interface Past {
  /** ISO 8601, UTC. */
  bookedAt: string;
  minor: bigint;
  /** The other side. */
  name: string;
  iban?: string;
  remittance: string;
  endToEndId?: string;
  /** Members of the transaction as the wire has them. */
  details: Readonly<Record<string, unknown>>;
}

/** Whole numbers from a seed: the same text yields the same numbers. */
export interface Dice {
  /** From `from` to `to`, both included. */
  between(from: number, to: number): number;
  pick<T>(items: readonly [T, ...T[]]): T;
}

/** Mulberry32: small, quick, and good enough to make up shopping lists. */
export function diceOf(seed: string): Dice {
  let state = createHash('sha256').update(seed).digest().readUInt32BE();
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return (mixed ^ (mixed >>> 14)) >>> 0;
  };
  return {
    between: (from, to) => from + (next() % (to - from + 1)),
    pick: (items) => items[next() % items.length] ?? items[0],
  };
}

const monthsBack = 36;

/** A month of the past, and how to put a transaction into it. */
export interface Month {
  /** `2026-05`. */
  name: string;
  index: number;
  add(day: number, hour: number, past: Omit<Past, 'bookedAt'>): void;
}

/** The transactions of three years before a day (ISO date), oldest first, as `fill` puts them in month by month. */
export function pastBefore(day: string, fill: (month: Month) => void): Past[] {
  const [year = 0, month = 1] = day.split('-').map(Number);
  const all: Past[] = [];
  for (let index = 0; index <= monthsBack; index += 1) {
    const first = new Date(Date.UTC(year, month - 1 - monthsBack + index, 1));
    const name = isoDay(first).slice(0, 7);
    const last = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 0)).getUTCDate();
    fill({
      name,
      index,
      add(at, hour, past) {
        const date = `${name}-${String(Math.min(at, last)).padStart(2, '0')}`;
        if (date >= day) return;
        all.push({ ...past, bookedAt: `${date}T${String(hour).padStart(2, '0')}:00:00.000Z` });
      },
    });
  }
  return all.sort((one, other) =>
    one.bookedAt < other.bookedAt ? -1 : one.bookedAt > other.bookedAt ? 1 : 0,
  );
}

/** A shop: its name, where, the merchant category (ISO 18245), and from how much to how much in cents. */
export type Shop = readonly [name: string, town: string, category: string, from: number, to: number];

export const shops: readonly [Shop, ...Shop[]] = [
  ['Fresh Market', 'Berlin', '5411', 800, 9500],
  ['Corner Bakery', 'Berlin', '5462', 150, 1400],
  ['Drugstore Linden', 'Potsdam', '5912', 400, 4200],
  ['City Transport', 'Berlin', '4111', 300, 9900],
  ['Books and More', 'Leipzig', '5942', 700, 6400],
  ['Trattoria Sole', 'Berlin', '5812', 1800, 8800],
];

/** Where other currencies are spent, with the rate in ten-thousandths of a euro for one unit. */
const abroad: readonly [
  readonly [Shop, currency: string, rate: number],
  ...(readonly [Shop, string, number])[],
] = [
  [['Hudson Outfitters', 'New York', '5651', 2500, 18000], 'USD', 9012],
  [['Thames Bookshop', 'London', '5942', 900, 6000], 'GBP', 11534],
  [['Bergbahn Rigi', 'Luzern', '4111', 2400, 9800], 'CHF', 10517],
];

/** A payment in another currency: the amount in cents of the account, and the exchange as on the wire. */
export function exchanged(dice: Dice, quotationDate: string) {
  const [shop, currency, rate] = dice.pick(abroad);
  const [, , , from, to] = shop;
  const foreign = BigInt(dice.between(from, to));
  // Half up, in whole cents.
  const minor = (foreign * BigInt(rate) + 5000n) / 10_000n;
  return {
    shop,
    minor,
    original: { currency, amount: formatMinor(foreign, currency) },
    exchange: {
      sourceCurrency: currency,
      exchangeRate: `${String(Math.floor(rate / 10_000))}.${String(rate % 10_000).padStart(4, '0')}`,
      unitCurrency: currency,
      targetCurrency: 'EUR',
      quotationDate,
    },
  };
}
