/** What came in and went out of accounts: by time, by counterparty, with the first rows, in memory that has a bound. */
import { isDayText } from '../../base/values.ts';
import { cleanLine } from '../../base/clean.ts';
import { formatMinor, parseAmount } from '../../standard/formats/money/amount.ts';
import type { PrintedRow } from './table.ts';

/** Money that came in and went out, in minor units; `out` is negative. */
export interface Flow {
  in: bigint;
  out: bigint;
  count: number;
}

/** The cells of a transaction as they are shown: on one line, and cut. */
export interface ShownRow {
  day: string;
  amount: string;
  party: string;
  text: string;
  status: string;
}

const emptyFlow = (): Flow => ({ in: 0n, out: 0n, count: 0 });

function add(flow: Flow, minor: bigint): void {
  if (minor < 0n) flow.out += minor;
  else flow.in += minor;
  flow.count += 1;
}

/** The lengths of a day, a month and a year in YYYY-MM-DD. */
const spans = { day: 10, month: 7, year: 4 } as const;
export type Span = keyof typeof spans;

/** Flows by day or month; where there are too many, by the next longer span. */
class FlowsByTime {
  span: Span;
  #flows = new Map<string, Flow>();
  readonly #most: number;

  constructor(span: Span, most: number) {
    this.span = span;
    this.#most = most;
  }

  add(day: string, minor: bigint): void {
    const key = day.slice(0, spans[this.span]);
    const flow = this.#flows.get(key) ?? emptyFlow();
    add(flow, minor);
    this.#flows.set(key, flow);
    if (this.#flows.size > this.#most && this.span !== 'year') this.#lengthen();
  }

  /** The flows in the order of time. */
  get ordered(): readonly (readonly [string, Flow])[] {
    return [...this.#flows].sort(([one], [other]) => (one < other ? -1 : 1));
  }

  #lengthen(): void {
    this.span = this.span === 'day' ? 'month' : 'year';
    const longer = new Map<string, Flow>();
    for (const [key, flow] of this.#flows) merge(longer, key.slice(0, spans[this.span]), flow);
    this.#flows = longer;
  }
}

function merge(flows: Map<string, Flow>, key: string, flow: Flow): void {
  const sum = flows.get(key) ?? emptyFlow();
  sum.in += flow.in;
  sum.out += flow.out;
  sum.count += flow.count;
  flows.set(key, sum);
}

/** So many counterparties are told apart; of more of them the smaller half is given up. */
const mostParties = 4000;
const moved = (flow: Flow) => flow.in - flow.out;
const byMoved = (one: Flow, other: Flow) =>
  moved(one) === moved(other) ? 0 : moved(one) > moved(other) ? -1 : 1;

/** Flows by counterparty. */
class FlowsByParty {
  /** Whether some were given up, so that sums may miss a part. */
  lossy = false;
  #flows = new Map<string, Flow & { name: string; account: string }>();

  add({ counterpartyName, counterpartyAccount }: PrintedRow, minor: bigint): void {
    const [name, account] = [cut(counterpartyName, 70), cut(counterpartyAccount, 40)];
    if (name === '' && account === '') return;
    // The name of a holder is written in many ways, the number of the account in one.
    const key = account === '' ? `name ${name}` : `account ${account}`;
    const flow = this.#flows.get(key) ?? { ...emptyFlow(), name, account };
    if (flow.name === '') flow.name = name;
    add(flow, minor);
    this.#flows.set(key, flow);
    if (this.#flows.size <= mostParties) return;
    this.lossy = true;
    const kept = [...this.#flows].sort(([, one], [, other]) => byMoved(one, other));
    this.#flows = new Map(kept.slice(0, mostParties / 2));
  }

  /** The largest by what came in and went out together. */
  largest(count: number): readonly (Flow & { name: string; account: string })[] {
    return [...this.#flows.values()].sort(byMoved).slice(0, count);
  }
}

/** At most so many rows of an account are shown. */
const mostRows = 2000;

/** The sums of one account in one currency. */
export class AccountSums {
  readonly account: string;
  readonly currency: string;
  readonly booked = emptyFlow();
  readonly pending = emptyFlow();
  readonly days = new FlowsByTime('day', 1500);
  readonly months = new FlowsByTime('month', 240);
  readonly parties = new FlowsByParty();
  readonly shown: ShownRow[] = [];
  count = 0;
  /** The first and last booking day. */
  first = '';
  last = '';
  /** Rows that are in no sum, and booked ones that are in no day. */
  readonly unsummed = { amount: 0, sign: 0, day: 0 };
  /** Rows whose status the report does not tell; they are taken for booked. */
  statusless = 0;

  constructor(account: string, currency: string) {
    this.account = account;
    this.currency = currency;
  }

  see(row: PrintedRow): void {
    this.count += 1;
    const day = dayOf(row);
    if (this.shown.length < mostRows) this.shown.push(shownRow(row, day));
    const { amount, bookingStatus, marks } = row;
    if (bookingStatus === 'information') return;
    const parsed = typeof amount === 'string' ? parseAmount(amount, this.currency) : undefined;
    if (parsed?.ok !== true) this.unsummed.amount += 1;
    else if (Array.isArray(marks) && marks.includes('sign-unknown')) this.unsummed.sign += 1;
    else if (bookingStatus === 'pending') add(this.pending, parsed.value.minor);
    else {
      if (bookingStatus === undefined) this.statusless += 1;
      this.#book(row, day, parsed.value.minor);
    }
  }

  /** Writes minor units of this currency. */
  written(minor: bigint): string {
    return formatMinor(minor, this.currency);
  }

  #book(row: PrintedRow, day: string | undefined, minor: bigint): void {
    add(this.booked, minor);
    this.parties.add(row, minor);
    if (day === undefined) {
      this.unsummed.day += 1;
      return;
    }
    if (this.first === '' || day < this.first) this.first = day;
    if (day > this.last) this.last = day;
    this.days.add(day, minor);
    this.months.add(day, minor);
  }
}

/** The booking day, or where there is none the value day or that of the transaction. */
function dayOf({ bookingDate, valueDate, transactionDate }: PrintedRow): string | undefined {
  for (const day of [bookingDate, valueDate, transactionDate])
    if (typeof day === 'string' && isDayText(day) && !Number.isNaN(Date.parse(day))) return day;
  return undefined;
}

function shownRow(row: PrintedRow, day: string | undefined): ShownRow {
  const { amount, amountAsSent, currency, bookingStatus, marks } = row;
  const written = [amount ?? amountAsSent, currency].map((part) => cut(part, 40));
  const odd = Array.isArray(marks) ? marks.map((mark) => cut(mark, 40)) : [];
  return {
    day: day ?? '',
    amount: written.join(' ').trim(),
    party: [cut(row['counterpartyName'], 70), cut(row['counterpartyAccount'], 40)].join(' ').trim(),
    text: cut(row['remittanceInformationUnstructured'] ?? row['remittanceInformationStructured'], 140),
    status: [cut(bookingStatus, 40), ...odd].filter((part) => part !== '').join(', '),
  };
}

// A million rows are mostly of these.
const plain = /^[ -~]*$/;

/** Foreign text on one line, cut; nothing that follows what may be shown is looked at. */
export function cut(value: unknown, width: number): string {
  if (typeof value !== 'string') return '';
  return value.length <= width && plain.test(value) ? value : cleanLine(value.slice(0, width * 2), width);
}
