/** What came in and went out in a list of transactions: the last line of its table. */
import { formatMinor, parseAmount } from '../../standard/formats/money/amount.ts';
import type { PrintedRow } from './table.ts';

interface Flow {
  in: bigint;
  out: bigint;
}

/** Adds up rows as they pass; standing orders that are only told of move nothing. */
export function flowLine(): { see: (row: PrintedRow) => void; line: () => string | undefined } {
  const flows = new Map<string, Flow>();
  let left = 0;
  return {
    see: ({ amount, currency, bookingStatus }) => {
      if (bookingStatus === 'information') return;
      const parsed =
        typeof amount === 'string' && typeof currency === 'string'
          ? parseAmount(amount, currency)
          : undefined;
      if (parsed?.ok !== true) {
        left += 1;
        return;
      }
      const { minor, currency: code } = parsed.value;
      const flow = flows.get(code) ?? { in: 0n, out: 0n };
      if (minor < 0n) flow.out += minor;
      else flow.in += minor;
      flows.set(code, flow);
    },
    line: () => {
      if (flows.size === 0) return undefined;
      const sums = [...flows].map(([code, { in: came, out }]) => {
        const [one, other, net] = [came, out, came + out].map((minor) => formatMinor(minor, code));
        return `in ${one ?? ''}, out ${other ?? ''}, net ${net ?? ''} ${code}`;
      });
      const without = left === 0 ? [] : [`${String(left)} without an amount that can be added`];
      return [...sums, ...without].join('; ');
    },
  };
}
