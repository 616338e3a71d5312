import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { order, split, startWalk } from '../walk/walk.ts';
import type { Walk } from '../walk/walk.ts';
import { fakePerson } from '../../../../helpers/fakes/index.ts';
import { runInside } from '../../../../helpers/inside.ts';

let walk: Walk;
let paymentId: string;

const json = async (line: string) => (await walk.json(line)) as Record<string, unknown>;

beforeAll(async () => {
  walk = await startWalk();
  paymentId = await walk.payment();
  await walk.json('sandbox fault add initiatePayment status 400');
  expect((await walk.run(split(`payment init ${order} --amount 2.00`))).code).toBe(5);
  await walk.json(`payment status ${paymentId}`);
});
afterAll(() => walk.close());

describe('after a refusal and a read', () => {
  it('@last is the read, and @failed the refusal', async () => {
    expect(await json('log show @last')).toMatchObject({ command: 'payment status', exit: 0 });
    const failed = await json('log show @failed');
    expect(failed).toMatchObject({ command: 'payment init', exit: 5 });
    expect(await json('log har @failed')).toMatchObject({
      log: { entries: [{ response: { status: 400 } }] },
    });
    expect(await json('log curl @failed')).toMatchObject([{ operation: 'initiatePayment' }]);
  });

  it.each([['@last'], ['@last', '--unmasked']])(
    'a report of the newest (%s %s) is not written unasked: a script has to say which is meant',
    async (...words) => {
      const ran = await walk.run(['report', ...words, '--output', 'last.html', '--json']);
      expect(ran).toMatchObject({ code: 2, stdout: '' });
      const { error } = JSON.parse(ran.stderr.trim().split('\n').at(-1) ?? '') as { error: object };
      expect(error).toMatchObject({
        code: 'ID_AMBIGUOUS',
        title: `@last may be the payment ${paymentId} or the later run that failed.`,
        hint: [
          expect.stringMatching(new RegExp(`^obk report ${paymentId} .*--output last.html .*# the payment$`)),
          expect.stringMatching(/^obk report @failed .*--output last.html .*# the run that failed$/),
        ],
      });
      expect(existsSync(join(walk.folder, 'last.html'))).toBe(false);
    },
  );

  it.each([
    ['@failed', null],
    ['payment', 'payment'],
  ])('a person is asked, and answers %s', async (answer, noun) => {
    const person = fakePerson({ present: true }).answer('report-of', noun === null ? answer : paymentId);
    const asked = await runInside(split('report @last --force --output asked.html --json'), {
      ...{ cwd: walk.folder, env: walk.env, ports: { person }, terminal: true },
    });
    expect(JSON.parse(asked.stdout)).toMatchObject({ noun });
  });

  it.each([['report --output failed.html'], ['report @failed --force --output failed.html']])(
    '%s is that of the failure',
    async (line) => {
      const { run } = await json('log show @failed');
      expect(await json(line)).toMatchObject({ id: run, noun: null, exchanges: [{}] });
    },
  );

  it('the page of the failure has nothing of the payment', () => {
    const page = readFileSync(join(walk.folder, 'failed.html'), 'utf8');
    expect(page).toContain('initiatePayment');
    expect(page).not.toContain(paymentId);
  });

  it('there is no other', async () => {
    const { code, stdout, stderr } = await walk.run(['log', 'show', '@failed-1']);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain('There are fewer than 2 runs that called a bank and failed.');
  });

  it('a failure of the payment itself is part of its report', async () => {
    await walk.json('sandbox fault add getPaymentInitiationStatus status 403');
    expect((await walk.run(['payment', 'status', paymentId])).code).not.toBe(0);
    const ran = await walk.run(['report', '@last', '-o', 'last.html', '--force']);
    expect(ran.stderr).not.toContain('@failed');
  });
});
