// Everything that obk sends on its journeys, and all that the bank inside answers, judged by the referee, which has no part of obk's
// conversation or signature.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { judge } from '../../src/referee/judge.ts';
import { AnswerOrder } from '../../src/referee/answers/order.ts';
import { judgeAnswer } from '../../src/referee/answers/judge-answer.ts';
import { presets } from '../../src/standard/xs2a/variants.ts';
import { judgedAnswer } from '../helpers/judged-answer.ts';
import type { Exchange } from '../helpers/contract.ts';
import { isWhole, part, ranTable } from '../helpers/trials.ts';
import { approaches, everyCancellation, everyPerson, startTraveller } from './journeys.ts';
import type { Traveller } from './journeys.ts';

describe.each([
  ['v1', 0],
  ['v136', 1],
] as const)('obk as %s, by the referee', (name, at) => {
  let traveller: Traveller;
  beforeAll(async () => {
    traveller = await startTraveller(name);
  });
  afterAll(async () => {
    ranTable(`every PSU and approach of ${name}`);
    await traveller.close();
  });

  // The PSUs and approaches take turns.
  it.each([
    ['pays as every PSU', (as: Traveller) => everyPerson(as, part(as.bank.people, 4, at))],
    ['cancels in every approach', (as: Traveller) => everyCancellation(as, part(approaches, 4, at + 1))],
  ])('acts without a mistake: it %s', { timeout: 90_000 }, async (_what, travel) => {
    await travel(traveller);
    const { prefix } = presets[name];
    // The OAuth server has rules of its own.
    const exchanges = traveller.take().filter(({ path }) => path.startsWith(`${prefix}/`));
    expect(exchanges.length).toBeGreaterThan(isWhole ? 20 : 5);
    const order = new AnswerOrder({ variant: presets[name] });
    for (const exchange of exchanges) {
      const answer = judgedAnswer(exchange);
      const wrong = [...judgeAnswer(answer, { variant: presets[name] }).findings, ...order.next(answer)];
      expect(wrong, `${exchange.method} ${exchange.path}`).toEqual([]);
      const { findings } = await judge(requestOf(exchange), {
        variant: presets[name],
        now: new Date(),
        signing: {
          signature: 'required',
          signatureProfile: 'guidelines',
          keyId: 'exact',
          dateHeader: 'ignored',
        },
      });
      expect(findings, `${exchange.method} ${exchange.path}`).toEqual([]);
    }
  });
});

function requestOf({ method, path, requestHeaders, requestBody }: Exchange) {
  const pairs = Array.isArray(requestHeaders) ? requestHeaders : Object.entries(requestHeaders);
  const headers = pairs.map(([sent, value]): [string, string] => [String(sent), String(value)]);
  return { method, target: path, headers, body: Buffer.from(requestBody) };
}
