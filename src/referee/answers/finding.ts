import { clippedText } from '../finding.ts';
import { answerRules } from './rules.ts';
import type { AnswerRuleId, Level } from './rules.ts';

/** The part of an answer that a finding is about; `order` is the answer among others. */
export type AnswerPlace = 'status' | 'header' | 'body' | 'order';

/** One thing that is wrong with an answer. */
export interface AnswerFinding {
  readonly rule: AnswerRuleId;
  readonly level: Level;
  readonly place: AnswerPlace;
  /** The name of a header, or a JSON pointer (RFC 6901) into the body; empty for the status or the whole body. */
  readonly pointer: string;
  readonly what: string;
  readonly why: string;
  readonly source: string;
}

/** A body of many mistakes is told by its first ones, and each rule by a few of them. */
const mostOfRule = 20;

/** Collects the findings about one answer. */
export class AnswerFindings {
  readonly list: AnswerFinding[] = [];

  add(id: AnswerRuleId, place: AnswerPlace, pointer: string, what: string, level?: Level): void {
    if (this.list.filter((one) => one.rule === id).length >= mostOfRule) return;
    const rule = answerRules[id];
    this.list.push({
      rule: id,
      level: level ?? rule.level,
      place,
      pointer: clippedText(pointer, 200),
      what: clippedText(what, 500),
      why: rule.says,
      source: rule.source,
    });
  }
}

/** A text of the answer as a sentence of a finding quotes it. */
export const quoted = (text: string): string => JSON.stringify(clippedText(text, 80));
