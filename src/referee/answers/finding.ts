import { clippedText } from '../finding.ts';
import { MessageFindings } from '../place.ts';
import type { FindingPlace } from '../place.ts';
import { answerRules } from './rules.ts';
import type { AnswerRuleId, Level } from './rules.ts';

/** The part of an answer that a finding is about; `order` is the answer among others. */
export type AnswerPart = 'status' | 'header' | 'body' | 'order';

/** One thing that is wrong with an answer. */
export interface AnswerFinding {
  readonly rule: AnswerRuleId;
  readonly level: Level;
  readonly place: AnswerPart;
  /** The name of a header, or a JSON pointer (RFC 6901) into the body; empty for the status or the whole body. */
  readonly pointer: string;
  readonly what: string;
  readonly why: string;
  readonly source: string;
}

/** A body of many mistakes is told by its first ones, and each rule by a few of them. */
const mostOfRule = 20;

/** A place of an answer. */
export type AnswerPlace = FindingPlace<AnswerFinding, Level>;

/** Collects the findings about one answer. */
export class AnswerFindings extends MessageFindings<AnswerFinding, Level> {
  put({ part, pointer }: AnswerPlace, rule: AnswerRuleId, what: string, level?: Level): void {
    if (this.list.filter((one) => one.rule === rule).length >= mostOfRule) return;
    const { level: usual, says, source } = answerRules[rule];
    this.list.push({
      rule,
      level: level ?? usual,
      place: part,
      pointer: clippedText(pointer, 200),
      what: clippedText(what, 500),
      why: says,
      source,
    });
  }
}

/** A text of the answer as a sentence of a finding quotes it. */
export const quoted = (text: string): string => JSON.stringify(clippedText(text, 80));
