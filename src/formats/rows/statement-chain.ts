/** Whether the statements of an account follow each other: each opens with what the one before it closed with. */
import { accountIdentity } from './account-identity.ts';
import type { ReportBalance, ReportProblem } from './report-reader.ts';

interface Statement {
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
      this.#last = { opening: balance };
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
      const days = (one: Statement) => one.closing?.referenceDate ?? one.opening.referenceDate ?? '';
      const ordered = statements.toSorted((one, other) =>
        days(one) < days(other) ? -1 : days(one) > days(other) ? 1 : 0,
      );
      for (const [at, { opening }] of ordered.entries()) {
        const { closing } = ordered[at - 1] ?? {};
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
