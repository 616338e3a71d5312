import { answerRules } from '../../referee/answers/rules.ts';
import type { AnswerRule, Level } from '../../referee/answers/rules.ts';
import { refusalRules } from '../../referee/answers/refusals.ts';
import type { RefusalRule } from '../../referee/answers/refusals.ts';
import { rules } from '../../referee/rules.ts';
import type { Rule } from '../../referee/rules.ts';
import { toleratedRules } from './tolerated-findings.ts';

/** A rule as it is listed: whom it binds, how, what it says, where that is written, and an example of a breach. */
export interface ListedRule {
  rule: string;
  side: 'request' | 'answer';
  area: string;
  level: Level;
  says: string;
  source: string;
  /** What a bank answers to a breach, or an answer that breaks the rule. */
  example: string;
}

const levels = { error: 'must', warning: 'should', note: 'may' } as const;

const ofRequests = Object.entries<Rule>(rules).map(
  ([rule, { severity, why, source, status, code }]): ListedRule => ({
    rule,
    side: 'request',
    area: 'requests',
    level: levels[severity],
    says: why,
    source,
    example: `a bank answers ${[String(status), code].join(' ').trim()}`,
  }),
);

const ofAnswers = Object.entries<AnswerRule>({ ...answerRules, ...toleratedRules }).map(
  ([rule, { area, level, says, source, example }]): ListedRule => ({
    ...{ rule, side: 'answer', area, level, says, source, example },
  }),
);

const ofRefusals = Object.entries<RefusalRule>(refusalRules).map(
  ([rule, { level, says, source, example }]): ListedRule => ({
    ...{ rule, side: 'answer', area: 'refusals', level, says, source, example },
  }),
);

/** Every rule of both sides, in the order in which a call is read. */
export const listedRules: readonly ListedRule[] = [...ofRequests, ...ofAnswers, ...ofRefusals];
