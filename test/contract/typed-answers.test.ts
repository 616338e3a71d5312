// Answers that are typed by the framework's schemas: those with one thing wrong are found by its rule and place, and nothing else.
import { describe, expect, it } from 'vitest';
import { judgeAnswer } from '../../src/referee/answers/judge-answer.ts';
import { AnswerOrder } from '../../src/referee/answers/order.ts';
import { playedAs } from '../helpers/deviation-scenes.ts';
import { judgedAnswer } from '../helpers/judged-answer.ts';
import { typedAnswers, typedExchange } from '../helpers/typed-answers.ts';
import type { Change, TypedAnswer } from '../helpers/typed-answers.ts';
import { unusualAnswers, wrongAnswers } from '../helpers/typed-deviations.ts';

function found(name: TypedAnswer, ...changes: readonly Change[]): string[] {
  const answer = judgedAnswer(typedExchange(name, changes));
  const all = [
    ...judgeAnswer(answer, { variant: playedAs }).findings,
    ...new AnswerOrder({ variant: playedAs }).next(answer),
  ];
  return all.map(({ rule, pointer }) => `${rule} ${pointer}`.trim());
}

describe('answers typed by hand', () => {
  it.each(Object.keys(typedAnswers) as TypedAnswer[])('are right: %s', (name) => {
    expect(found(name)).toEqual([]);
  });

  it.each(wrongAnswers)('are caught where wrong: %s with %j', (name, change, rule, pointer) => {
    expect(found(name, change)).toEqual([`${rule} ${pointer}`.trim()]);
  });

  it.each(unusualAnswers)('are accepted where tolerable: %s with %j', (name, changes) => {
    expect(found(name, ...changes)).toEqual([]);
  });
});
