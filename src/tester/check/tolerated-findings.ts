import type { CaseFinding } from '../../settings/records/check-run.ts';
import type { Toleration } from '../../settings/records/wire.ts';
import type { AnswerRule } from '../../referee/answers/rules.ts';

/** The rule that the reader of answers judges, not the referee: each thing that it took all the same is a finding. */
export const toleratedRules = {
  'answer-tolerated': {
    area: 'members',
    level: 'may',
    says: 'An answer can be read without reading anything into it.',
    source: 'file, schema of the answer; guidelines 14',
    example: 'paymentId as a number',
  },
} as const satisfies Record<string, AnswerRule>;

/** What obk tolerated in an answer, as findings about the bank. */
export const toleratedFindings = (tolerated: readonly Toleration[]) =>
  tolerated.map(({ at, what }) => {
    const rule = 'answer-tolerated';
    const { level, says, source } = toleratedRules[rule];
    const place = at.startsWith('/') ? 'body' : 'header';
    return { side: 'answer', rule, level, place, pointer: at, what, why: says, source } satisfies CaseFinding;
  });
