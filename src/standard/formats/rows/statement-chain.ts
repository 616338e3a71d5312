/** Whether the statements of an account follow each other: each opens with what the one before it closed with. */
import { accountIdentity } from './account-identity.ts';
import type { ReportBalance, ReportProblem } from './report-reader.ts';

interface Statement {
  /** The number of the report that it stands in. */
  readonly report: number;
  readonly opening: ReportBalance;
  closing?: ReportBalance;
}

/** So many statements are remembered; nothing is said of those after them. */
const most = 10_000;

/** Takes the balances of reports in any order of their statements. */
export class StatementChain {
  readonly #accounts = new Map<string, Statement[]>();
  #last: Statement | undefined;
  #count = 0;
  #report = 0;

  /** Begins with the next report. */
  next(): void {
    this.#report += 1;
    this.#last = undefined;
  }

  balance(balance: ReportBalance): void {
    const { balanceType, marks, account = '', currency } = balance;
    if (marks !== undefined) return;
    if (balanceType === 'openingBooked' || balanceType === 'previouslyClosedBooked') {
      // Some banks tell both balances of the same statement.
      const { opening } = this.#last ?? {};
      if (opening?.account === balance.account && opening?.currency === currency) return;
      this.#count += 1;
      if (this.#count > most) return;
      const key = JSON.stringify([accountIdentity(account), currency]);
      const statements = this.#accounts.get(key) ?? [];
      this.#accounts.set(key, statements);
      this.#last = { report: this.#report, opening: balance };
      statements.push(this.#last);
    } else if (balanceType === 'closingBooked') {
      const { opening } = this.#last ?? {};
      if (this.#last === undefined || opening?.account !== balance.account || opening?.currency !== currency)
        return;
      this.#last.closing = balance;
      this.#last = undefined;
    }
  }

  /** Returns where a statement seems to be missing; overlapping ones are not compared, nor those without days. */
  gaps(): ReportProblem[] {
    const problems: ReportProblem[] = [];
    for (const statements of this.#accounts.values()) {
      let last: Statement | undefined;
      for (const statement of inOrder(statements)) {
        const { opening } = statement;
        const { closing } = last ?? {};
        last = statement;
        if (closing?.referenceDate === undefined || opening.referenceDate === undefined) continue;
        if (opening.referenceDate < closing.referenceDate || opening.amount === closing.amount) continue;
        const of = opening.account === undefined ? '' : ` of ${opening.account}`;
        const detail = `the statement${of} that opens on ${opening.referenceDate} with ${opening.amount} ${opening.currency} follows one that closed on ${closing.referenceDate} with ${closing.amount}: one may be missing between them`;
        problems.push({ code: 'balance-gap', detail });
      }
    }
    return problems;
  }
}

const dayOf = ({ opening, closing }: Statement): string =>
  closing?.referenceDate ?? opening.referenceDate ?? '';

/**
 * The statements by day, without those that an earlier report has, too; of those of one day each after the one that closed with
 * what it opens with.
 */
function* inOrder(statements: readonly Statement[]): Generator<Statement> {
  const byDay = new Map<string, Statement[]>();
  const reports = new Map<string, number>();
  for (const one of statements) {
    const { report, opening, closing } = one;
    const day = dayOf(one);
    const content = JSON.stringify([day, opening.referenceDate, opening.amount, closing?.amount]);
    if ((reports.get(content) ?? report) !== report) continue;
    reports.set(content, report);
    const same = byDay.get(day);
    if (same === undefined) byDay.set(day, [one]);
    else same.push(one);
  }
  let last: Statement | undefined;
  for (const day of [...byDay.keys()].sort())
    for (const one of chained(byDay.get(day) ?? [], last)) yield (last = one);
}

/** The statements of one day: from the one before them, or from one to which none of the others leads, each with what follows. */
function* chained(day: readonly Statement[], before: Statement | undefined): Generator<Statement> {
  const left = new Set(day);
  const byOpening = new Map<string, Statement[]>();
  for (const one of day) {
    const { amount } = one.opening;
    const same = byOpening.get(amount);
    if (same === undefined) byOpening.set(amount, [one]);
    else same.push(one);
  }
  const closed = new Set(day.map(({ closing }) => closing?.amount));
  const first = day.filter(({ opening }) => !closed.has(opening.amount));
  for (const start of [before, ...first, ...day]) {
    let one = start;
    if (one !== undefined && left.delete(one)) yield one;
    else if (one !== before) continue;
    for (;;) {
      const following = byOpening.get(one?.closing?.amount ?? '');
      one = following?.find((other) => left.has(other));
      if (one === undefined) break;
      left.delete(one);
      following?.splice(0, following.indexOf(one) + 1);
      yield one;
    }
  }
}
