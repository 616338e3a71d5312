// Answers of the bank inside that are wrong in one thing each: the judge finds each by its rule and its place, and nothing else.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { judgeAnswer } from '../../src/referee/answers/judge-answer.ts';
import { AnswerOrder } from '../../src/referee/answers/order.ts';
import { answerRules } from '../../src/referee/answers/rules.ts';
import { startBank } from '../helpers/bank.ts';
import type { TestBank } from '../helpers/bank.ts';
import type { Exchange } from '../helpers/contract.ts';
import { openScenes, playedAs } from '../helpers/deviation-scenes.ts';
import { judgedAnswer } from '../helpers/judged-answer.ts';
import { deviations, lawfulAnswers } from '../helpers/planted-deviations.ts';
import { part, ranTable } from '../helpers/trials.ts';

let bank: TestBank;
let play: Awaited<ReturnType<typeof openScenes>>;
beforeAll(async () => {
  // Which entry of an account is the newest depends on the day: the deviations are planted on a fixed one.
  bank = await startBank({ doors: { rate: 'off' }, clock: { now: () => new Date('2026-11-24T10:00:00Z') } });
  bank.scenario({ surface: 'framework' });
  play = await openScenes(bank);
});
afterAll(() => bank.close());

/** Rule and place of what is found in the last answer; nothing is found in those before it. */
function found(exchanges: readonly Exchange[]): string[] {
  const order = new AnswerOrder({ variant: playedAs });
  const all = exchanges.map((exchange) => {
    const answer = judgedAnswer(exchange);
    return [...judgeAnswer(answer, { variant: playedAs }).findings, ...order.next(answer)];
  });
  expect(all.slice(0, -1).flat()).toEqual([]);
  return (all.at(-1) ?? []).map(({ rule, pointer }) => `${rule} ${pointer}`.trim());
}

describe('the referee of answers', () => {
  it.each([...new Set(deviations.map(([scene]) => scene))])(
    'has nothing against %s of the built-in bank',
    async (scene) => {
      expect(found(await play(scene))).toEqual([]);
    },
  );

  it.each(part(deviations, 4, 0))('catches %s with %s', async (scene, edit, rule, pointer) => {
    expect(found(await play(scene, edit))).toEqual([`${rule} ${pointer}`.trim()]);
  });

  it('catches at least 120 planted ones, of all rules but those that HTTP itself keeps', () => {
    expect(deviations.length).toBeGreaterThanOrEqual(120);
    const tried = new Set<string>(deviations.map(([, , rule]) => rule));
    expect(Object.keys(answerRules).filter((rule) => !tried.has(rule))).toEqual(['answer-body-unexpected']);
    ranTable(`${String(deviations.length)} deviations of answers`);
  });

  it.each(lawfulAnswers)('accepts %s with %s', async (scene, edit) => {
    expect(found(await play(scene, edit))).toEqual([]);
  });
});

describe('a link to another server', () => {
  const next = '/transactions/_links/next={"href":"https://other.example/v136/pages/7"}';
  it.each([
    ['is found where those of the bank are known', ['https://bank.example'], ['should answer-link-target']],
    ['is taken where the bank has that one, too', ['https://bank.example', 'https://other.example'], []],
    ['is taken where nothing is known of its servers', undefined, []],
  ])('%s', async (_case, known, expected) => {
    const [last] = (await play('transactions', next)).slice(-1);
    const origins = known && new Set(known);
    const { findings } = judgeAnswer({ ...judgedAnswer(last as Exchange), origins }, { variant: playedAs });
    expect(findings.map(({ level, rule }) => `${level} ${rule}`)).toEqual(expected);
  });
});

it('the referee of answers finds links that leave out the product', async () => {
  bank.scenario({ hrefs: 'without-product' });
  const [last] = (await play('pay')).slice(-1);
  bank.scenario({ hrefs: 'relative' });
  const { findings } = judgeAnswer(judgedAnswer(last as Exchange), { variant: playedAs });
  expect(new Set(findings.map(({ rule }) => rule))).toEqual(new Set(['answer-link-target']));
  expect(findings.map(({ pointer }) => pointer)).toContain('/_links/self');
});
