import { beforeAll, expect, it } from 'vitest';
import { judge } from '../../../src/referee/judge.ts';
import { Dice } from '../../helpers/dice.ts';
import { rightDay, rightOperations, rightRequest } from '../../helpers/right-requests.ts';
import { signed } from '../../helpers/signed-by-hand.ts';
import { makeSeals } from './seals.ts';

let made: Awaited<ReturnType<typeof makeSeals>>;
beforeAll(async () => {
  made = await makeSeals();
});

const prefixes = { '1.3.2': '/v1', '1.3.6': '/v136' } as const;
const count = 3000;

it(`finds nothing in ${count} right requests of every operation, framework and approach, written by hand`, async () => {
  const { certificates, seals } = made;
  const dice = new Dice(15);
  const seen = new Set<string>();
  for (let at = 0; at < count; at += 1) {
    const framework = at % 2 === 0 ? '1.3.2' : '1.3.6';
    const operation = rightOperations[(at >> 1) % rightOperations.length] ?? '';
    const plain = rightRequest(dice, framework, operation);
    const request = at % 3 === 0 ? plain : signed(plain, at % 5 < 2 ? seals.rsa : seals.ec);
    const judged = await judge(request, {
      variant: { framework, prefix: prefixes[framework], surface: 'framework' },
      now: rightDay,
      certificates,
    });
    expect(judged.operation?.id).toBe(operation);
    const { method, target, body } = request;
    if (judged.findings.length > 0)
      expect.fail(`${JSON.stringify(judged.findings)}\n${method} ${target}\n${body.toString()}`);
    seen.add(`${framework} ${operation}`);
  }
  expect(seen.size).toBe(rightOperations.length * 2);
}, 120_000);
