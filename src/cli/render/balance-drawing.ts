/** A balance over time as a drawing without text, which scales to any width; the words stand around it. */
import { Html, html } from './html.ts';

/** A balance in minor units from a day on. */
export interface BalancePoint {
  /** YYYY-MM-DD, or the month or year alone. */
  day: string;
  minor: bigint;
}

const [width, height, margin] = [1000, 300, 6] as const;
/** The width that is left for what is pending. */
const pendingWidth = 60;
const dayMs = 24 * 60 * 60 * 1000;
const dayStart = (day: string) => Date.parse(`${day}-01-01`.slice(0, 10));

/** Draws the steps from the opening balance through each day, and pending ones as a dashed step after the last. */
export function balanceDrawing(
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
export function extent(values: readonly bigint[]): [bigint, bigint] {
  let [least, most] = [values[0] ?? 0n, values[0] ?? 0n];
  for (const value of values) {
    if (value < least) least = value;
    if (value > most) most = value;
  }
  return [least, most];
}
