/** What a camt report says of all its entries (TxsSummry), compared with those that it has. */
import { formatMinor, parseAmount } from '../money/amount.ts';
import { signedAmountAt } from './camt-money.ts';
import { at, textAt } from './camt-node.ts';
import type { ReportProblem } from '../rows/report-reader.ts';
import { reportAmount } from '../rows/report-values.ts';
import type { XmlNode } from '../xml/xml-scan.ts';

/** The entries of one direction, or all of them: how many, and the sum of their sizes in minor units. */
interface Sum {
  count: number;
  minor: bigint;
}
const noSum = (): Sum => ({ count: 0, minor: 0n });

/** Counts and adds the entries that follow a summary; where an amount cannot be added, the sums are not compared. */
export class EntrySummary {
  readonly #told: XmlNode;
  /** Entries before the summary, of which the sums are not known. */
  readonly #before: number;
  readonly #all = { credit: noSum(), debit: noSum() };
  /** Those that are booked alone, because some banks sum up these. */
  readonly #booked = { credit: noSum(), debit: noSum() };
  #currency: string | undefined;
  #unsure = false;

  constructor(told: XmlNode, before: number) {
    this.#told = told;
    this.#before = before;
    this.#unsure = before > 0;
  }

  /** Takes an element Ntry. */
  entry(node: XmlNode): void {
    const signed = signedAmountAt(node);
    const direction = textAt(node, 'CdtDbtInd') === 'DBIT' ? 'debit' : 'credit';
    const parsed = signed === undefined ? undefined : parseAmount(signed.amount, signed.currency);
    this.#currency ??= signed?.currency;
    if (parsed?.ok !== true || signed?.signUnknown === true || signed?.currency !== this.#currency)
      this.#unsure = true;
    const minor = parsed?.ok === true ? parsed.value.minor : 0n;
    const status = textAt(node, 'Sts') ?? textAt(node, 'Sts', 'Cd') ?? 'BOOK';
    for (const sums of status === 'BOOK' ? [this.#all, this.#booked] : [this.#all]) {
      sums[direction].count += 1;
      sums[direction].minor += minor < 0n ? -minor : minor;
    }
  }

  /** Returns what the summary says and the entries do not. */
  differences(): ReportProblem[] {
    const problems: ReportProblem[] = [];
    const rows = [
      ['TtlNtries', 'entries', (of) => together(of.credit, of.debit)],
      ['TtlCdtNtries', 'credit entries', (of) => of.credit],
      ['TtlDbtNtries', 'debit entries', (of) => of.debit],
    ] as const satisfies readonly (readonly [string, string, (of: { credit: Sum; debit: Sum }) => Sum])[];
    for (const [name, what, sumOf] of rows) {
      const told = at(this.#told, name);
      const [every, booked] = [sumOf(this.#all), sumOf(this.#booked)];
      const count = textAt(told, 'NbOfNtries');
      const counted = name === 'TtlNtries' ? every.count + this.#before : every.count;
      const isCounted = name === 'TtlNtries' || this.#before === 0;
      if (isCounted && count !== undefined && /^[0-9]{1,15}$/.test(count))
        if (Number(count) !== counted && Number(count) !== booked.count) {
          const detail = `the report announces ${count} ${what} and has ${String(counted)}`;
          problems.push({ code: 'count-differs', detail });
        }
      const sum = this.#differs(textAt(told, 'Sum'), [every.minor, booked.minor]);
      if (sum !== undefined) problems.push(sumDiffers(what, sum));
    }
    const net = this.#netDiffers();
    return net === undefined ? problems : [...problems, net];
  }

  #netDiffers(): ReportProblem | undefined {
    const total = at(this.#told, 'TtlNtries');
    // Since version 03 the sum and its direction stand together.
    const net = at(total, 'TtlNetNtry') ?? total;
    const size = textAt(net, 'Amt') ?? textAt(net, 'TtlNetNtryAmt');
    const direction = textAt(net, 'CdtDbtInd');
    if (size === undefined || (direction !== 'CRDT' && direction !== 'DBIT')) return undefined;
    const told = direction === 'DBIT' ? `-${size}` : size;
    const values = [this.#all, this.#booked].map(({ credit, debit }) => credit.minor - debit.minor);
    const differs = this.#differs(told, values);
    return differs && sumDiffers('entries, credits less debits', differs);
  }

  /** The texts of a sum that was announced and of the one that is there, where they are not the same. */
  #differs(
    told: string | undefined,
    sums: readonly bigint[],
  ): readonly [told: string, is: string] | undefined {
    const currency = this.#currency;
    const [first = 0n] = sums;
    if (this.#unsure || told === undefined || currency === undefined) return undefined;
    const parsed = parseAmount(reportAmount(told, currency) ?? '', currency);
    if (!parsed.ok || sums.includes(parsed.value.minor)) return undefined;
    return [`${told} ${currency}`, `${formatMinor(first, currency)} ${currency}`];
  }
}

const together = (credit: Sum, debit: Sum): Sum => ({
  count: credit.count + debit.count,
  minor: credit.minor + debit.minor,
});

function sumDiffers(what: string, [told, is]: readonly [string, string]): ReportProblem {
  return {
    code: 'sum-differs',
    detail: `the report announces a sum of ${told} of its ${what}, and it is ${is}`,
  };
}
