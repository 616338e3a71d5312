import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { order, split, startWalk } from '../walk/walk.ts';
import type { Walk } from '../walk/walk.ts';

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

  it('a report of the newest says that it is not about the failure, which has one of its own', async () => {
    const ran = await walk.run(['report', '@last', '-o', 'last.html']);
    expect(ran.code, ran.stderr).toBe(0);
    expect(ran.stderr).toContain(`payment ${paymentId}; a later run failed: obk report @failed`);
    const { run } = await json('log show @failed');
    expect(await json('report @failed -o failed.html')).toMatchObject({
      id: run,
      noun: null,
      exchanges: [{}],
    });
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
