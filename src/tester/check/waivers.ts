import { defined } from '../../base/defined.ts';
import type { Waiver } from '../../settings/records/bank-descriptor.ts';
import type { CaseFinding, CaseResult, WaiverResult } from '../../settings/records/check-run.ts';
import { isAbout, isCurrent } from '../../client/call/waiver.ts';
import { listedRules } from './rule-list.ts';

/** An answer that was judged: what a waiver may be about. */
interface Judged {
  operation: string;
  /** Null where none came, or where it is not known any more. */
  status: number | null;
}

/** What was tried, so that a waiver which fits nothing says something. */
export interface Tried {
  answers: readonly Judged[];
  /** The rules for refusals that a wrong request has tried. */
  refusals: ReadonlySet<string>;
  /** Whether all that can be read was, and all that can be created. */
  reads: boolean;
  writes: boolean;
}

const areas: ReadonlyMap<string, string> = new Map(listedRules.map(({ rule, area }) => [rule, area]));
/** Areas whose rules are for answers that a check has only where it creates something, too. */
const ofWrites = new Set(['headers', 'links', 'authorisation', 'messages', 'requests']);

const isExpired = ({ until }: Waiver, today: string): boolean => until !== undefined && until < today;

/** The waivers of a bank's description for one check: which findings they take, and what became of each. */
export class Waivers {
  readonly #all: readonly Waiver[];
  readonly #today: string;
  readonly #used = new Set<Waiver>();

  constructor(all: readonly Waiver[] = [], today: string) {
    // Those of the reader of answers have rules of their own.
    this.#all = all.filter(({ rule }) => areas.has(rule));
    this.#today = today;
  }

  /** The finding, with the reason for which it is taken where one is current. */
  apply<One extends CaseFinding>(finding: One, about: Judged): One {
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
  results(tried: Tried): WaiverResult[] {
    return this.#all.map((waiver) => {
      const { rule, operation, pointer, status, reason, since, until, issue, owner } = waiver;
      const verdict = isExpired(waiver, this.#today)
        ? 'expired'
        : this.#used.has(waiver)
          ? 'used'
          : wasTried(waiver, tried)
            ? 'obsolete'
            : 'not tested';
      return {
        rule,
        ...defined({ operation, pointer, status }),
        reason,
        ...defined({ since, until, issue, owner }),
        verdict,
      };
    });
  }
}

/** Whether an answer came in which the finding of a waiver would have been. */
function wasTried({ rule, operation, status }: Waiver, tried: Tried): boolean {
  const area = areas.get(rule) ?? '';
  if (area === 'refusals') return tried.refusals.has(rule);
  if (operation === undefined && status === undefined)
    return tried.reads && (tried.writes || !ofWrites.has(area));
  const isFit = (one: number) =>
    status === undefined ? (area === 'messages' ? one >= 400 : one < 300) : one === status;
  return tried.answers.some(
    (one) =>
      (operation === undefined || one.operation === operation) && one.status !== null && isFit(one.status),
  );
}

/** Whether a check fails by this: a waiver that has ended, and one that nothing needs. */
export const isOldWaiver = ({ verdict }: WaiverResult): boolean =>
  verdict === 'expired' || verdict === 'obsolete';
