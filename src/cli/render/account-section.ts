/** One account in one currency, as a part of a page. */
import type { ReportBalance } from '../../standard/formats/rows/report-reader.ts';
import { cut } from './account-sums.ts';
import type { AccountSums, Flow } from './account-sums.ts';
import { Html, html } from './html.ts';
import { parseAmount } from '../../standard/formats/money/amount.ts';

/** The bytes that are left for the accounts of a page. */
export interface Room {
  left: number;
}

const largest = 10;
const mostDays = 370;
const mostBalances = 20;
const spanTitles = { day: 'Day', month: 'Month', year: 'Year' } as const;

/** The account as a section; what there is no room for is left out, and its number said. */
export function accountSection(
  sums: AccountSums,
  balances: readonly ReportBalance[],
  { id, room }: { id: string; room: Room },
): Html {
  const opening = openingBalance(sums, balances);
  const points = pointsOf(sums, opening);
  // The parts are written in the order of their weight, so that the long ones get what is left.
  const head = html`<h2 id="${id}">
      ${sums.account === '' ? 'Account without a number' : sums.account},
      ${sums.currency === '' ? 'no currency' : sums.currency}
    </h2>
    ${facts(sums, opening)} ${remarks(sums, opening)} ${drawing(sums, opening, points)}
    ${monthTable(sums, room)} ${partyTable(sums)} ${balanceTable(balances)}`;
  room.left -= bytes(head);
  const days = dayTable(sums, points, room);
  return html`<section aria-labelledby="${id}">${head} ${days} ${rowTable(sums, room)}</section>`;
}

const bytes = ({ text }: Html): number => Buffer.byteLength(text);

/** The parts that there is room for, from the first on. */
function fitting(parts: readonly Html[], room: Room): readonly Html[] {
  for (const [at, part] of parts.entries()) {
    const size = bytes(part);
    if (size > room.left) return parts.slice(0, at);
    room.left -= size;
  }
  return parts;
}

function facts(sums: AccountSums, { minor, from }: OpeningBalance): Html {
  const { booked, pending, first, last } = sums;
  const net = booked.in + booked.out;
  const begins = from === 'nothing' ? [] : [['Opening balance', sums.written(minor)]];
  const ends = from === 'nothing' ? [] : [['Balance after the last booking', sums.written(minor + net)]];
  const still = pending.in + pending.out;
  const waiting = [
    ['Pending', `in ${sums.written(pending.in)}, out ${sums.written(pending.out)}, ${count(pending.count)}`],
    ...(from === 'nothing' ? [] : [['Balance with what is pending', sums.written(minor + net + still)]]),
  ];
  const pairs = [
    ['Time', first === '' ? 'none' : first === last ? first : `${first} to ${last}`],
    ['Entries', String(sums.count)],
    ...begins,
    ['In', sums.written(booked.in)],
    ['Out', sums.written(booked.out)],
    ['Net', sums.written(net)],
    ...ends,
    ...(pending.count === 0 ? [] : waiting),
  ];
  return html`<dl>
    ${pairs.map(
      ([name = '', value = '']) =>
        html`<dt>${name}</dt>
          <dd>${value}</dd>`,
    )}
  </dl>`;
}

const count = (entries: number) => (entries === 1 ? '1 entry' : `${String(entries)} entries`);

function remarks({ unsummed, statusless, parties }: AccountSums, { from }: OpeningBalance): Html | null {
  const { amount, sign, day } = unsummed;
  const said = [
    from === 'closing' &&
      'The opening balance is worked out from the closing one; it holds if no entry in between is missing here.',
    from === 'nothing' && 'The report tells no opening balance of this time; the line begins at zero.',
    amount > 0 && `${count(amount)} without an amount that can be added: in no sum.`,
    sign > 0 && `${count(sign)} of which nothing tells whether it is a debit or a credit: in no sum.`,
    day > 0 && `${count(day)} without a day: in the sums, and in no day or month.`,
    statusless > 0 && `${count(statusless)} without a status: taken for booked.`,
    parties.lossy &&
      'There are too many counterparties to tell all apart: the sums by counterparty may miss a part.',
  ].filter((one) => one !== false);
  return said.length === 0
    ? null
    : html`<ul class="soft">
        ${said.map((one) => html`<li>${one}</li>`)}
      </ul>`;
}

function pointsOf({ days }: AccountSums, { minor }: OpeningBalance): readonly BalancePoint[] {
  let balance = minor;
  return days.ordered.map(([day, flow]) => {
    balance += flow.in + flow.out;
    return { day, minor: balance };
  });
}

function drawing(sums: AccountSums, opening: OpeningBalance, points: readonly BalancePoint[]): Html | null {
  const { currency, pending } = sums;
  const [from, to] = [points[0], points.at(-1)];
  if (from === undefined || to === undefined) return null;
  const expected = pending.count === 0 ? undefined : to.minor + pending.in + pending.out;
  const values = [opening.minor, ...points.map(({ minor }) => minor)];
  const [least, most] = extent(expected === undefined ? values : [...values, expected]).map((minor) =>
    sums.written(minor),
  );
  const label = `Balance by ${sums.days.span} from ${from.day} to ${to.day}: from ${sums.written(opening.minor)} to ${sums.written(to.minor)} ${currency}, least ${least ?? ''}, most ${most ?? ''}`;
  return html`<h3>Balance over time</h3>
    <figure>
      <p class="scale"><span>Most: ${most ?? ''} ${currency}</span></p>
      <div class="balance">${balanceDrawing(opening.minor, points, { expected, label })}</div>
      <p class="scale">
        <span>${from.day}</span> <span>Least: ${least ?? ''} ${currency}</span> <span>${to.day}</span>
      </p>
      <figcaption>
        The balance after the bookings of each
        ${sums.days.span}${expected === undefined ? '.' : '; the dashed line is what is pending.'}
      </figcaption>
    </figure>`;
}

/** A cell that says its column itself, for a page too narrow for columns. */
const cell = (title: string, content: string, kind = ''): Html =>
  html`<td data-title="${title}" ${kind === '' ? null : new Html(` class="${kind}"`)}>${content}</td>`;

function table(
  titles: readonly (readonly [string, string?])[],
  rows: readonly Html[],
  kind: 'rows' | 'rows transactions' = 'rows',
): Html {
  return html`<table class="${kind}">
    <thead>
      <tr>
        ${titles.map(([title, kind = '']) => html`<th scope="col" class="${kind}">${title}</th>`)}
      </tr>
    </thead>
    <tbody>
      ${rows}
    </tbody>
  </table>`;
}

function monthTable(sums: AccountSums, room: Room): Html | null {
  const { months } = sums;
  const title = spanTitles[months.span];
  const all = months.ordered;
  if (all.length === 0) return null;
  // The last ones say the most.
  const rows = [...all].reverse().map(
    ([key, flow]) =>
      html`<tr>
        ${cell(title, key)} ${flowCells(sums, flow)}
      </tr>`,
  );
  const kept = fitting(rows.slice(0, 240), { left: room.left / 4 });
  return html`<h3>In and out by ${months.span}</h3>
    ${table([[title], ...flowTitles], kept)} ${cutNote(kept.length, all.length, `${months.span}s`, 'last')}`;
}

const flowTitles = [
  ['In', 'num'],
  ['Out', 'num'],
  ['Net', 'num'],
] as const;

const flowCells = (sums: AccountSums, flow: Flow): Html =>
  html`${cell('In', sums.written(flow.in), 'num')} ${cell('Out', sums.written(flow.out), 'num')}
  ${cell('Net', sums.written(flow.in + flow.out), 'num')}`;

function partyTable(sums: AccountSums): Html | null {
  const parties = sums.parties.largest(largest);
  if (parties.length === 0) return null;
  const rows = parties.map(
    (flow) =>
      html`<tr>
        ${cell('With', flow.name)} ${cell('Account', flow.account)}
        ${cell('Entries', String(flow.count), 'num')} ${flowCells(sums, flow)}
      </tr>`,
  );
  return html`<h3>Largest counterparties</h3>
    ${table([['With'], ['Account'], ['Entries', 'num'], ...flowTitles], rows)}`;
}

function balanceTable(balances: readonly ReportBalance[]): Html | null {
  if (balances.length === 0) return null;
  const rows = balances.slice(0, mostBalances).map(
    ({ balanceType, amount, currency, referenceDate, marks }) =>
      html`<tr>
        ${cell('Type', cut(balanceType, 70))} ${cell('Day', cut(referenceDate, 10))}
        ${cell('Amount', `${cut(amount, 40)} ${cut(currency, 40)}${marks === undefined ? '' : ' (its sign is unknown)'}`, 'num')}
      </tr>`,
  );
  return html`<h3>Balances in the report</h3>
    ${table([['Type'], ['Day'], ['Amount', 'num']], rows)}
    ${cutNote(rows.length, balances.length, 'balances', 'first')}`;
}

function dayTable(sums: AccountSums, points: readonly BalancePoint[], room: Room): Html | null {
  if (points.length === 0) return null;
  const { span } = sums.days;
  const rows = points
    .slice(-mostDays)
    .reverse()
    .map(
      ({ day, minor }) =>
        html`<tr>
          ${cell(spanTitles[span], day)} ${cell('Balance', sums.written(minor), 'num')}
        </tr>`,
    );
  const part: Room = { left: room.left / 2 };
  const kept = fitting(rows, part);
  room.left -= room.left / 2 - part.left;
  return html`<details>
    <summary>Balance by ${span}</summary>
    ${table([[spanTitles[span]], ['Balance', 'num']], kept)}
    ${cutNote(kept.length, points.length, `${span}s`, 'last')}
  </details>`;
}

function rowTable(sums: AccountSums, room: Room): Html | null {
  if (sums.count === 0) return html`<p>No transactions.</p>`;
  const rows = sums.shown.map(
    ({ day, amount, party, text, status }) =>
      html`<tr>
        ${cell('Booked', day)} ${cell('Amount', amount, 'num')} ${cell('With', party)} ${cell('Text', text)}
        ${cell('Status', status)}
      </tr>`,
  );
  const kept = fitting(rows, room);
  const note = cutNote(kept.length, sums.count, 'transactions', 'first');
  return html`<h3>Transactions</h3>
    ${note}
    ${table([['Booked'], ['Amount', 'num'], ['With'], ['Text'], ['Status']], kept, 'rows transactions')}`;
}

/** Says how much of a list is shown, where it is not all. */
function cutNote(shown: number, all: number, what: string, which: 'first' | 'last'): Html | null {
  if (shown >= all) return null;
  const rest = what === 'transactions' ? ' The sums are of all of them; -o csv writes all of them.' : '';
  return html`<p>Shown: the ${which} ${shown} of ${all} ${what}.${rest}</p>`;
}

/** A balance in minor units from a day on. */
interface BalancePoint {
  /** YYYY-MM-DD, or the month or year alone. */
  day: string;
  minor: bigint;
}

const [width, height, margin] = [1000, 300, 6] as const;
/** The width that is left for what is pending. */
const pendingWidth = 60;
const dayMs = 24 * 60 * 60 * 1000;
const dayStart = (day: string) => Date.parse(`${day}-01-01`.slice(0, 10));

/** Draws the steps from the opening balance through each day, and pending ones as a dashed step after the last; without text, to any width. */
function balanceDrawing(
  opening: bigint,
  points: readonly BalancePoint[],
  { expected, label }: { expected: bigint | undefined; label: string },
): Html {
  const values = [
    opening,
    ...points.map(({ minor }) => minor),
    ...(expected === undefined ? [] : [expected]),
  ];
  const [least, most] = extent(values);
  const y = (minor: bigint): number => {
    if (most === least) return height / 2;
    const room = BigInt((height - 2 * margin) * 10);
    return margin + Number(((most - minor) * room) / (most - least)) / 10;
  };
  const right = expected === undefined ? width : width - pendingWidth;
  const from = dayStart(points[0]?.day ?? '') - dayMs;
  const time = dayStart(points.at(-1)?.day ?? '') - from;
  const x = (day: string) => Math.round(((dayStart(day) - from) / time) * right * 10) / 10;
  const steps = points.map(({ day, minor }) => `H${String(x(day))}V${String(y(minor))}`).join('');
  const end = y(points.at(-1)?.minor ?? opening);
  const zero = least < 0n && most > 0n ? y(0n) : undefined;
  const before = right === width ? steps : `${steps}H${String(right)}`;
  return html`<svg
    viewBox="0 0 ${width} ${height}"
    preserveAspectRatio="none"
    role="img"
    aria-label="${label}"
  >
    ${zero === undefined ? null : html`<path class="zero" d="M0 ${zero}H${width}" />`}
    <path class="booked" d="M0 ${y(opening)}${new Html(before)}" />
    ${
      expected === undefined
        ? null
        : html`<path class="pending" d="M${right} ${end}h${pendingWidth / 2}V${y(expected)}H${width}" />`
    }
  </svg>`;
}

/** The least and the greatest of some values. */
function extent(values: readonly bigint[]): [bigint, bigint] {
  let [least, most] = [values[0] ?? 0n, values[0] ?? 0n];
  for (const value of values) {
    if (value < least) least = value;
    if (value > most) most = value;
  }
  return [least, most];
}

/** The balance before the first entry in minor units, and how it is known. */
interface OpeningBalance {
  minor: bigint;
  from: 'opening' | 'closing' | 'nothing';
}

/** Returns the opening balance that the report tells, else what the closing one leads back to, else zero. */
function openingBalance(sums: AccountSums, balances: readonly ReportBalance[]): OpeningBalance {
  const { first, last, booked, currency } = sums;
  const minorOf = ({ amount }: ReportBalance) => {
    const parsed = parseAmount(amount, currency);
    return parsed.ok ? parsed.value.minor : undefined;
  };
  const sure = balances.filter(({ marks }) => marks === undefined);
  const day = ({ referenceDate = '' }: ReportBalance) => referenceDate;
  const opening = sure
    .filter((one) => one.balanceType === 'openingBooked' && (first === '' || day(one) <= first))
    .reduce<ReportBalance | undefined>(
      (least, one) => (least === undefined || day(one) < day(least) ? one : least),
      undefined,
    );
  const begins = opening === undefined ? undefined : minorOf(opening);
  if (begins !== undefined) return { minor: begins, from: 'opening' };
  const closing = sure
    .filter((one) => one.balanceType === 'closingBooked' && (day(one) === '' || day(one) >= last))
    .reduce<ReportBalance | undefined>(
      (most, one) => (most === undefined || day(one) >= day(most) ? one : most),
      undefined,
    );
  const ends = closing === undefined ? undefined : minorOf(closing);
  if (ends !== undefined) return { minor: ends - booked.in - booked.out, from: 'closing' };
  return { minor: 0n, from: 'nothing' };
}
