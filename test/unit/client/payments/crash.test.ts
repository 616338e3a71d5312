import { describe, expect, it } from 'vitest';
import type { ObkError } from '../../../../src/base/errors.ts';
import { homeEngines, stateOn } from '../../../../src/adapters/sqlite/home-state.ts';
import { initiatePayment } from '../../../../src/client/payments/pay.ts';
import { listPending } from '../../../../src/client/payments/pending.ts';
import type { Engine } from '../../../../src/client/ports/engine.ts';
import { unknownWrites } from '../../../../src/client/resources/unknown-writes.ts';
import { createGate } from '../../../../src/client/ports/gate.ts';
import { freshHome } from '../../../helpers/adapter-homes.ts';
import { failedWith } from '../../../helpers/failed-with.ts';
import { fakeListener } from '../../../helpers/fakes/index.ts';
import { runRecord } from '../../../helpers/journal-records.ts';
import { world } from '../../../helpers/world.ts';
import type { World } from '../../../helpers/world.ts';
import { created, hash, once, order, path } from '../orders.ts';

class Crash extends Error {}

/** A commit of one of the two files, and whether the process dies before it or once it is durable. */
interface Death {
  file: 'state' | 'log';
  commit: number;
  done: boolean;
}

type End = 'sends' | 'reuses' | 12;

/** Where a process dies, whether the request arrived, and what a second one with the same intent key comes to. */
const crashes: readonly (readonly [name: string, death: Death | 'wire', arrives: boolean, then: End])[] = [
  ['before anything is durable', { file: 'state', commit: 1, done: false }, false, 'sends'],
  ['once it may leave', { file: 'state', commit: 1, done: true }, false, 12],
  ['before its records, once it may leave', { file: 'log', commit: 1, done: false }, false, 12],
  ['once it is recorded', { file: 'log', commit: 1, done: true }, false, 12],
  ['on the wire', 'wire', true, 12],
  ['before what the bank said is durable', { file: 'state', commit: 2, done: false }, true, 12],
  ['once it is', { file: 'state', commit: 2, done: true }, true, 'reuses'],
  ['before the answer is recorded', { file: 'log', commit: 2, done: false }, true, 'reuses'],
];

/** Engines of a process that dies at one commit: from then on nothing of it reaches the files. */
function dying(stateDir: string, death?: Death): Record<'state' | 'log', Engine> {
  const files = homeEngines(stateDir);
  const life = { dead: false };
  const isDead = () => life.dead;
  const one = (file: Death['file']): Engine => {
    let commits = 0;
    return {
      ...files[file],
      rows: (asked) => (isDead() ? Promise.reject(new Crash()) : files[file].rows(asked)),
      change: async (scope, decide) => {
        if (isDead()) throw new Crash();
        const decided: unknown[] = [];
        const dies = () => {
          decided.push(scope);
          if (death?.file !== file || commits + 1 !== death.commit) return;
          life.dead = true;
          if (!death.done) throw new Crash();
        };
        const result = await files[file].change(scope, (found) => {
          const decision = decide(found);
          if (decision.changes.length > 0) dies();
          return decision;
        });
        if (decided.length > 0) commits += 1;
        if (decided.length > 0 && isDead()) throw new Crash();
        return result;
      },
    };
  };
  return { state: one('state'), log: one('log') };
}

describe('a crash, followed by the same intent key,', () => {
  it.each(crashes)('makes one payment: %s', async (_, death, arrives, then) => {
    const { stateDir } = freshHome();
    let arrivals = 0;
    const run = async (name: string, dies?: Death | 'wire'): Promise<World> => {
      const there = await world({
        environment: 'sandbox',
        listener: fakeListener({ port: 40_000 + arrivals }),
      });
      const unkept = (error: ObkError) => Promise.reject(error);
      // A process of its own, of which nothing lives on.
      const processInfo = { pid: 999_999, startTime: name };
      const { usage: _, ...state } = stateOn(dying(stateDir, dies === 'wire' ? undefined : dies), {
        ...{ run: `20261121T100000000Z-${name}`, clock: there.clock, gate: createGate(unkept) },
        ...(dies !== undefined && { processInfo: processInfo as never }),
      });
      Object.assign(there.target.ports, state);
      await state.journal.append(runRecord());
      if (dies === 'wire')
        there.http.expect('POST', path, {
          ...created,
          check: () => {
            throw new Crash();
          },
        });
      there.http.expect('POST', path, created);
      const send = there.http.send.bind(there.http);
      there.target.ports.http = {
        ...there.http,
        send: (request, options) =>
          send(request, {
            ...options,
            onSending: async () => {
              await options.onSending?.();
              arrivals += 1;
            },
          }),
      };
      return there;
    };

    const first = await run('first', death);
    await failedWith(initiatePayment(first.target, order, once));
    expect(arrivals).toBe(arrives ? 1 : 0);

    const second = await run('second');
    const outcome = await initiatePayment(second.target, order, once).catch(
      (error: unknown) => error as ObkError,
    );
    expect(arrivals).toBe(then === 'sends' || arrives ? 1 : 0);
    if (then === 12) {
      expect(outcome).toMatchObject({ exit: 12, intent: hash });
      await expect(unknownWrites(second.target.ports, 'acme')).resolves.toMatchObject([{ intent: { hash } }]);
      return;
    }
    expect(outcome).toMatchObject({
      reused: then === 'reuses',
      resource: { id: 'pay-1' },
      // Without it nothing would be authorised, and the run would say that all is well.
      conversation: { parent: { id: 'pay-1' } },
    });
    await expect(listPending(second.target.ports, 'acme')).resolves.toMatchObject([
      { kind: 'open', resource: { id: 'pay-1' } },
    ]);
    if (then !== 'reuses') return;

    const saved = await second.target.ports.resources.find('acme', 'payment', 'pay-1');
    const sent = first.http.requests[0];
    // The bank compares the redirect address of every later call with the first one.
    expect(saved?.redirect?.uri).toBe(sent?.header('TPP-Redirect-URI'));
    expect(saved?.redirect?.nokUri).toBe(sent?.header('TPP-Nok-Redirect-URI'));
    expect(saved?.redirect?.listener?.path).toBe(new URL(saved?.redirect?.uri ?? '').pathname);
    expect((await second.target.ports.intents.find(hash))?.resourceId).toBe('pay-1');
  });
});
