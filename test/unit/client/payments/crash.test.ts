import { describe, expect, it } from 'vitest';
import type { ObkError } from '../../../../src/base/errors.ts';
import { initiatePayment } from '../../../../src/client/payments/pay.ts';
import { listPending } from '../../../../src/client/payments/pending.ts';
import { unknownWrites } from '../../../../src/client/resources/unknown-writes.ts';
import { absorb } from '../../../../src/standard/sca/state.ts';
import { fakeListener, journalState, memoryJournal, memoryStore } from '../../../helpers/fakes/index.ts';
import { world } from '../../../helpers/world.ts';
import type { World } from '../../../helpers/world.ts';
import { created, hash, once, order, path } from '../orders.ts';
import { failedWith } from '../../../helpers/failed-with.ts';

class Crash extends Error {}

/** Where a process dies, and what a second one with the same intent key comes to. */
const crashes: Record<
  string,
  { crash: (there: World) => void; arrives: boolean; then: 'sends' | 'reuses' | 12 }
> = {
  'before prepared': {
    crash: (there) => {
      dieAtRecord(there, 'prepared', false);
    },
    arrives: false,
    then: 'sends',
  },
  'after prepared': {
    crash: (there) => {
      dieAtRecord(there, 'prepared', true);
    },
    arrives: false,
    then: 'sends',
  },
  'before sending': {
    crash: (there) => {
      dieAtRecord(there, 'sending', false);
    },
    arrives: false,
    then: 'sends',
  },
  'after sending': {
    crash: (there) => {
      dieAtRecord(there, 'sending', true);
    },
    arrives: false,
    then: 12,
  },
  'on the wire': {
    crash: (there) => {
      there.http.expect('POST', path, {
        ...created,
        check: () => {
          throw new Crash();
        },
      });
    },
    arrives: true,
    then: 12,
  },
  'before answered': {
    crash: (there) => {
      dieAtRecord(there, 'answered', false);
    },
    arrives: true,
    then: 'reuses',
  },
  'before the answer is kept': {
    crash: (there) => {
      dieIn(there.journal, 'keep', false);
    },
    arrives: true,
    then: 12,
  },
  'after answered': {
    crash: (there) => {
      dieAtRecord(there, 'answered', true);
    },
    arrives: true,
    then: 'reuses',
  },
  'before its id is noted': {
    crash: (there) => {
      dieIn(there.journal.intents, 'noteResource', false);
    },
    arrives: true,
    then: 'reuses',
  },
  'before the conversation is saved': {
    crash: (there) => {
      dieIn(there.store.resources, 'saveConversation', false);
    },
    arrives: true,
    then: 'reuses',
  },
  'before the payment is saved': {
    crash: (there) => {
      dieIn(there.store.resources, 'save', false);
    },
    arrives: true,
    then: 'reuses',
  },
  'after the payment is saved': {
    crash: (there) => {
      dieIn(there.store.resources, 'save', true);
    },
    arrives: true,
    then: 'reuses',
  },
  'after the conversation is saved': {
    crash: (there) => {
      dieIn(there.store.resources, 'saveConversation', true);
    },
    arrives: true,
    then: 'reuses',
  },
  'after all is saved': {
    crash: (there) => {
      dieIn(there.journal, 'saved', true);
    },
    arrives: true,
    then: 'reuses',
  },
};

/** From this record on nothing reaches the disk any more. */
function dieAtRecord({ journal }: World, type: string, written: boolean): void {
  const append = journal.append.bind(journal);
  let dead = false;
  journal.append = async (record) => {
    if (dead || (record.type === type && !written)) {
      dead = true;
      throw new Crash();
    }
    await append(record);
    if (record.type !== type) return;
    dead = true;
    throw new Crash();
  };
}

function dieIn<Name extends string>(
  port: Record<Name, (...args: never[]) => Promise<unknown>>,
  name: Name,
  done: boolean,
): void {
  const work = port[name].bind(port);
  port[name] = async (...args) => {
    if (done) await work(...args);
    throw new Crash();
  };
}

describe('a crash, and the same intent key again', () => {
  it.each(Object.entries(crashes))('%s', async (_, { crash, arrives, then }) => {
    const state = journalState();
    const shared = memoryStore();
    let arrivals = 0;
    const run = async (plan?: (there: World) => void): Promise<World> => {
      // The disk is shared, the methods that die are not.
      const there = await world({
        environment: 'sandbox',
        store: { ...shared, resources: { ...shared.resources } },
        journal: memoryJournal({ state }),
        listener: fakeListener({ port: 40_000 + arrivals }),
      });
      plan?.(there);
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

    const first = await run(crash);
    expect(await failedWith(initiatePayment(first.target, order, once))).toBeInstanceOf(Crash);
    first.journal.die();
    expect(arrivals).toBe(arrives ? 1 : 0);
    // Another process may have gone on with the payment meanwhile.
    const [before] = await shared.resources.conversations('acme', 'payment', 'pay-1');
    if (before !== undefined) {
      const got = absorb(before, {
        method: 'POST',
        status: 201,
        hasLinks: true,
        links: {},
        unknownLinks: [],
        authorisationId: 'auth-1',
        scaStatus: 'psuAuthenticated',
      });
      await shared.resources.saveConversation('acme', got);
    }

    const second = await run();
    const outcome = await initiatePayment(second.target, order, once).catch(
      (error: unknown) => error as ObkError,
    );
    if (then === 12) {
      expect(outcome).toMatchObject({ exit: 12, intent: hash });
      await expect(unknownWrites(second.target.ports, 'acme')).resolves.toMatchObject([{ intent: { hash } }]);
    } else {
      expect(outcome).toMatchObject({
        reused: then === 'reuses',
        resource: { id: 'pay-1' },
        // Without it nothing would be authorised, and the run would say that all is well.
        conversation: { parent: { id: 'pay-1' } },
      });
      await expect(listPending(second.target.ports, 'acme')).resolves.toMatchObject([
        { kind: 'open', resource: { id: 'pay-1' } },
      ]);
      expect(arrivals).toBe(1);
    }
    expect(arrivals).toBeLessThanOrEqual(1);
    if (then !== 'reuses') return;

    const saved = await shared.resources.find('acme', 'payment', 'pay-1');
    const sent = first.http.requests[0];
    // The bank compares the redirect address of every later call with the first one.
    expect(saved?.redirect?.uri).toBe(sent?.header('TPP-Redirect-URI'));
    expect(saved?.redirect?.nokUri).toBe(sent?.header('TPP-Nok-Redirect-URI'));
    expect(saved?.redirect?.listener?.path).toBe(new URL(saved?.redirect?.uri ?? '').pathname);
    expect((await second.journal.intents.find(hash))?.resourceId).toBe('pay-1');
    if (before !== undefined && !(outcome instanceof Error)) {
      expect(outcome.conversation?.scaStatus).toBe('psuAuthenticated');
    }
  });
});
