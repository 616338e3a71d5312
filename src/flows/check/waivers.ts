import type { Waiver } from '../../records/bank-descriptor.ts';
import type { CaseFinding, CaseResult, WaiverResult } from '../../records/check-run.ts';
import { listedRules } from './rule-list.ts';

/** What a finding is about besides itself. */
interface About {
  operation: string;
  status: number | null;
}

const known = new Set(listedRules.map(({ rule }) => rule));
const isCurrent = ({ until }: Waiver, today: string): boolean => until === undefined || until >= today;

/** Whether a waiver is about a finding; `*` in its pointer is any one step. */
function isAbout(waiver: Waiver, finding: CaseFinding, { operation, status }: About): boolean {
  const pattern = waiver.pointer?.split('/');
  const steps = finding.pointer.split('/');
  return (
    waiver.rule === finding.rule &&
    (waiver.operation ?? operation) === operation &&
    (status === null || (waiver.status ?? status) === status) &&
    (pattern === undefined ||
      (pattern.length === steps.length && pattern.every((step, at) => step === '*' || step === steps[at])))
  );
}

/** The waivers of a bank's description for one check: which findings they take, and what became of each. */
export class Waivers {
  readonly #all: readonly Waiver[];
  readonly #today: string;
  readonly #used = new Set<Waiver>();

  constructor(all: readonly Waiver[] = [], today: string) {
    // Those of the reader of answers have rules of their own.
    this.#all = all.filter(({ rule }) => known.has(rule));
    this.#today = today;
  }

  /** The finding, with the reason for which it is taken where one is current. */
  apply(finding: CaseFinding, about: About): CaseFinding {
    const fitting = this.#all.filter((waiver) => isAbout(waiver, finding, about));
    for (const waiver of fitting) this.#used.add(waiver);
    const taken = fitting.find((waiver) => isCurrent(waiver, this.#today));
    return taken === undefined ? finding : { ...finding, waived: taken.reason };
  }

  /** Takes note of the findings of a case that an earlier run has tried. */
  remember({ findings, operation }: CaseResult): void {
    for (const finding of findings) this.apply(finding, { operation, status: null });
  }

  /** What became of each: one that fits nothing any more is obsolete, as far as what it is about was tried. */
  results(cases: readonly CaseResult[]): WaiverResult[] {
    const conclusive = cases.filter(({ verdict }) => /^(pass|fail|waived)$/.test(verdict));
    const isWhole = cases.every(({ verdict }) => verdict !== 'inconclusive' && verdict !== 'not tested');
    return this.#all.map((waiver) => {
      const { rule, operation, pointer, reason, until, issue, owner } = waiver;
      const isTried =
        operation === undefined ? isWhole : conclusive.some((one) => one.operation === operation);
      const verdict = !isCurrent(waiver, this.#today)
        ? 'expired'
        : this.#used.has(waiver)
          ? 'used'
          : isTried
            ? 'obsolete'
            : 'not tested';
      return {
        rule,
        ...(operation !== undefined && { operation }),
        ...(pointer !== undefined && { pointer }),
        reason,
        ...(until !== undefined && { until }),
        ...(issue !== undefined && { issue }),
        ...(owner !== undefined && { owner }),
        verdict,
      };
    });
  }
}
