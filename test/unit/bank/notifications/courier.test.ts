import type { ServerResponse } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openLedger } from '../../../../src/bank/books/ledger.ts';
import type { Ledger } from '../../../../src/bank/books/ledger.ts';
import { Courier } from '../../../../src/bank/notifications/courier.ts';
import { pushesAfter } from '../../../../src/bank/notifications/pushes.ts';
import { addFault } from '../../../../src/bank/rules/faults.ts';
import { commanded } from '../../../../src/bank/control/by-command.ts';
import { listenForPushes } from '../../../helpers/push-listener.ts';
import type { PushListener } from '../../../helpers/push-listener.ts';

const clock = { now: () => new Date() };
const limits = { timeoutMs: 2000, answerBytes: 4096, lookMs: 20, holdMs: 300 };
const listeners: PushListener[] = [];
let ledger: Ledger;
let courier: Courier;

beforeEach(() => {
  ledger = openLedger(':memory:', clock.now());
  courier = new Courier(
    {
      ledger,
      clock,
      wallClock: clock,
      identity: () => {
        throw new Error('all pushes here are by plain http');
      },
    },
    limits,
  );
});
afterEach(async () => {
  courier.close();
  await Promise.all(listeners.splice(0).map((one) => one.close()));
  ledger.close();
});

const listening = async (options: Parameters<typeof listenForPushes>[0] = {}): Promise<PushListener> => {
  const listener = await listenForPushes(options);
  listeners.push(listener);
  return listener;
};
const silent = () => listening({ answer: () => undefined });

/** A payment whose TPP wants to be told at `uri`. */
const wish = (id: string, uri: string) => {
  ledger.main.run(
    `INSERT INTO wishes (resourceId, kind, framework, operation, path, uri, content)
     VALUES (?, 'payment', '1.3.6', 'initiatePayment', '/v136/payments/p', ?, 'PROCESS')`,
    id,
    uri,
  );
};
const becomes = (id: string, ...statuses: string[]) => {
  for (const [at, status] of statuses.entries())
    ledger.main.run(
      "INSERT INTO changes (resourceId, subject, before, after) VALUES (?, 'resource', ?, ?)",
      id,
      statuses[at - 1] ?? 'RCVD',
      status,
    );
  courier.look();
};
const steered = async (id: 'reset' | 'saveSnapshot' | 'restoreSnapshot') => {
  await commanded(id, { path: { name: 'before' } }).here({ ledger, clock });
  courier.look();
};
const ids = (count: number) => Array.from({ length: count }, (_, number) => `payment-${String(number)}`);
const noted = () => pushesAfter(ledger.log, 0);

describe('a slow TPP among many notifications', () => {
  it('holds up no other TPP', async () => {
    const [slow, quick] = [await silent(), await listening()];
    for (const id of ids(100)) {
      wish(id, slow.uri);
      becomes(id, 'ACTC');
    }
    wish('other', quick.uri);
    becomes('other', 'ACTC');
    await quick.arrived(1);
    expect(noted().map(({ resourceId }) => resourceId)).not.toContain('payment-0');
  });

  it('receives all of them, each once, also beyond what is on its way at a time', async () => {
    const listener = await listening();
    for (const id of ids(100)) wish(id, listener.uri);
    for (const id of ids(100)) becomes(id, 'ACTC', 'ACSC');
    await listener.arrived(200);
    await expect.poll(() => noted().length).toBe(200);
    expect(listener.pushes).toHaveLength(200);
    for (const id of ids(100))
      expect(
        listener.pushes.flatMap(({ json }) => (json.paymentId === id ? [json.transactionStatus] : [])),
      ).toEqual(['ACTC', 'ACSC']);
  });
});

describe('a notification that waits', () => {
  const resets: [name: string, before: 'saveSnapshot'[], reset: 'reset' | 'restoreSnapshot'][] = [
    ['a reset', [], 'reset'],
    ['a restore', ['saveSnapshot'], 'restoreSnapshot'],
  ];
  it.each(resets)('is dropped with %s, and recorded by none', async (_, before, reset) => {
    for (const command of before) await steered(command);
    const waiting: ServerResponse[] = [];
    const listener = await listening({ answer: (_incoming, outgoing) => waiting.push(outgoing) });
    for (const id of ids(20)) {
      wish(id, listener.uri);
      becomes(id, 'ACTC', 'ACSC');
    }
    await listener.arrived(8);
    await steered(reset);
    for (const outgoing of waiting) outgoing.writeHead(200).end();
    const next = await listening();
    wish('payment-0', next.uri);
    becomes('payment-0', 'ACTC');
    expect((await next.arrived(1))[0]!.json).toEqual({ paymentId: 'payment-0', transactionStatus: 'ACTC' });
    await expect.poll(() => noted().length).toBe(1);
    expect(listener.pushes).toHaveLength(8);
    expect(next.pushes).toHaveLength(1);
  });

  it.each(resets)('is dropped with %s where it is to be overtaken', async (_, before, reset) => {
    for (const command of before) await steered(command);
    const listener = await listening();
    const heldBack = (id: string) => {
      addFault(ledger.log, { operation: 'initiatePayment', kind: 'push-out-of-order', count: 1 });
      wish(id, listener.uri);
      becomes(id, 'ACTC');
    };
    heldBack('payment-0');
    await steered(reset);
    wish('payment-0', listener.uri);
    becomes('payment-0', 'RJCT');
    await listener.arrived(1);
    // What is held back later comes later.
    heldBack('payment-1');
    await listener.arrived(2);
    expect(listener.pushes.map(({ json }) => json.transactionStatus)).toEqual(['RJCT', 'ACTC']);
    expect(listener.pushes[1]!.json.paymentId).toBe('payment-1');
  });
});

it('a push that the ledger cannot record ends nothing, and the next one is sent', async () => {
  const listener = await listening();
  wish('payment-0', listener.uri);
  ledger.main.exec("CREATE TRIGGER full BEFORE INSERT ON pushes BEGIN SELECT RAISE(ABORT, 'disk full'); END");
  becomes('payment-0', 'ACTC');
  await listener.arrived(1);
  becomes('payment-0', 'ACSC');
  await listener.arrived(2);
  ledger.main.exec('DROP TRIGGER full');
  becomes('payment-0', 'RJCT');
  await listener.arrived(3);
  await expect
    .poll(() => noted().at(-1)?.body)
    .toEqual({ paymentId: 'payment-0', transactionStatus: 'RJCT' });
  expect(listener.pushes).toHaveLength(3);
});
