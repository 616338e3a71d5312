// Random histories of three processes that share one state: they claim, send, hear, save, settle, are pruned and die.
import { ObkError } from '../../src/base/errors.ts';
import { beginRun } from '../../src/adapters/system/runs-here.ts';
import { createGate } from '../../src/client/ports/gate.ts';
import type { Gate } from '../../src/client/ports/gate.ts';
import type { Wish } from '../../src/client/ports/intents.ts';
import type { KeptState } from '../../src/client/state/kept-state.ts';
import type { Intent, JournalRecord } from '../../src/settings/records/journal.ts';
import { conversation, intent as anIntent, resource } from './adapter-homes.ts';
import type { Dice } from './dice.ts';
import type { FakeClock } from './fakes/index.ts';
import { prepared as aPrepared } from './journal-records.ts';

/** A state, as one of the processes opens it for a run. */
export type Open = (options: { process: number; run: string; clock: FakeClock; gate?: Gate }) => KeptState;

/** One run, in each of the states. */
interface Going {
  run: string;
  states: readonly KeptState[];
  /** By state. */
  wishes: (Wish | undefined)[];
  end: () => void;
  /** Those of its requests that have left, and are not over. */
  open: string[];
  prepared: { exchange: string; intent?: string }[];
}

type Resolved = Extract<JournalRecord, { type: 'resolved' }>;

/** What a history has done: how many steps, and what each state said otherwise than the first. */
export interface History {
  steps: number;
  unlike: string[];
}

export const processes = 3;
const keys = ['a', 'b', 'c', 'd'].map((letter) => letter.repeat(64));

/** Lets one history happen in all states at once: each step is the same in all of them, and so is the time. */
export async function historyIn(opens: readonly Open[], dice: Dice, clock: FakeClock): Promise<History> {
  const going: (Going | undefined)[] = [];
  const unlike: string[] = [];
  const left: { run: string; exchange: string; intent?: string }[] = [];
  let count = 0;
  const at = () => {
    clock.advance(1 + dice.below(1_000));
    return clock.now().toISOString();
  };

  /** The same in each state; what it says there is compared. */
  async function all(
    name: string,
    its: Going,
    does: (state: KeptState, index: number) => Promise<unknown>,
  ): Promise<void> {
    const said: string[] = [];
    for (const [index, state] of its.states.entries())
      said.push(
        await does(state, index).then(
          (value) => shown(value),
          (error: unknown) => {
            if (error instanceof ObkError || (error as Error).name === 'IntentHeld')
              return `${(error as Error).constructor.name} ${String((error as { code?: string }).code)}`;
            throw error;
          },
        ),
      );
    if (said.some((one) => one !== said[0])) unlike.push(`${its.run} ${name}: ${said.join(' | ')}`);
  }

  function begin(process: number): Going {
    count += 1;
    const run = `${clock.now().toISOString().replace(/[-:.]/g, '')}-${String(count)}`;
    const gated = dice.maybe();
    const states = opens.map((open) => {
      const gate = gated ? { gate: createGate(() => Promise.resolve()) } : {};
      return open({ process, run, clock, ...gate });
    });
    return { run, states, wishes: [], end: beginRun(run), open: [], prepared: [] };
  }

  const intentFor = (its: Going): Intent => {
    const hash = dice.pick(keys);
    return anIntent({
      ...{ run: its.run, hash, createdAt: at(), chosen: dice.maybe() },
      fingerprint: dice.pick(['f', 'g']).repeat(64),
      endToEndIdentification: dice.text(20),
    });
  };

  const steps: Record<string, (its: Going) => Promise<void>> = {
    claim: async (its) => {
      const mine = intentFor(its);
      const looks = dice.maybe();
      await all('claims', its, async ({ intents }, index) => {
        const seen = looks ? await intents.like('acme', mine.fingerprint) : undefined;
        const claim = await intents.claim(mine, seen);
        if (claim.claimed) its.wishes[index] = claim.wish;
        return [seen, claim.claimed ? 'claimed' : claim];
      });
      if (dice.below(4) > 0) its.prepared.push({ exchange: `e${String((count += 1))}`, intent: mine.hash });
    },
    takeOver: async (its) => {
      const mine = intentFor(its);
      await all('takes over', its, async ({ intents }, index) => {
        const found = await intents.find(mine.hash);
        const wish = await intents.takeOver(mine, found?.run ?? 'nobody');
        its.wishes[index] = wish ?? its.wishes[index];
        return [found, wish !== undefined];
      });
      its.prepared.push({ exchange: `e${String((count += 1))}`, intent: mine.hash });
    },
    drop: async (its) => {
      await all('drops', its, async (_, index) => {
        const wish = its.wishes[index];
        its.wishes[index] = undefined;
        return wish?.drop();
      });
    },
    plain: async (its) => {
      its.prepared.push({ exchange: `e${String((count += 1))}` });
    },
    leave: async (its) => {
      const one = its.prepared.pop();
      if (one === undefined) return;
      const { exchange, intent } = one;
      const prepare = aPrepared(exchange, { at: at(), ...(intent === undefined ? {} : { intent }) });
      const sends: JournalRecord = { type: 'sending', at: at(), exchange };
      await all('prepares', its, ({ journal }) => journal.append(prepare));
      await all('sends', its, ({ journal }) => journal.append(sends));
      its.open.push(exchange);
      left.push({ run: its.run, ...one });
    },
    hear: async (its) => {
      const exchange = its.open.pop();
      if (exchange === undefined) return;
      const about = { at: at(), exchange, durationMs: 1 };
      const record: JournalRecord = dice.maybe()
        ? {
            ...{ type: 'answered', ...about, status: 201, headers: [], body: '{}' },
            outcome: dice.pick(['DONE', 'REJECTED', 'UNKNOWN']),
          }
        : {
            ...{ type: 'failed', ...about, reason: 'timeout', detail: 'no answer' },
            outcome: dice.pick(['NOT_SENT', 'UNKNOWN']),
          };
      await all('hears', its, ({ journal }) => journal.append(record));
    },
    save: async (its) => {
      const made = resource({
        ...{ id: dice.pick(['p1', 'p\u00fc2']), createdAt: at(), updatedAt: at(), status: dice.text(8) },
        ...(dice.maybe() && { intent: dice.pick(keys) }),
      });
      const started = conversation({
        parent: { kind: 'payment', id: made.id, service: 'payments', product: 'sepa-credit-transfers' },
        startedAt: at(),
        ...(dice.maybe()
          ? { authorisationId: dice.pick(['a1', 'a2']) }
          : { psuId: dice.pick(['anna', 'b b']) }),
      });
      const how = dice.below(4);
      await all('saves', its, ({ resources }) =>
        how === 0
          ? resources.save(made)
          : how === 1
            ? resources.saveMade({ resource: made, conversation: started })
            : how === 2
              ? resources.saveConversation('acme', started)
              : resources.removeConversation('acme', started),
      );
    },
    note: async (its) => {
      const hash = dice.pick(keys);
      await all('notes', its, ({ intents }) => intents.noteResource(hash, 'p1'));
    },
    settle: async (its) => {
      const hash = dice.pick(keys);
      const by = dice.pick(['person', 'person', 'pruning'] as const);
      const end = { created: dice.maybe(), by, at: at(), reason: dice.text(12) };
      const of = dice.maybe() ? { resourceId: 'p2' } : dice.maybe() ? { run: its.run } : {};
      await all('settles', its, ({ intents }) => intents.settle(hash, end, of));
    },
    resolve: async (its) => {
      const one = left[dice.below(left.length)];
      if (one === undefined) return;
      const record: Resolved = {
        ...{ type: 'resolved', at: at(), exchange: one.exchange, by: 'person', reason: 'seen' },
        resolution: dice.pick(['created', 'not-created']),
      };
      const closes = dice.below(4) === 0;
      await all('resolves', its, ({ journal }) =>
        closes ? journal.close(one.run, one.exchange) : journal.resolve(one.run, record),
      );
    },
    prune: async (its) => {
      const one = left[dice.below(left.length)];
      // What is pruned has ended.
      if (one === undefined || going.some((other) => other?.run === one.run)) return;
      await all('prunes', its, ({ journal }) => journal.remove(one.run));
    },
    look: async (its) => {
      await all('looks', its, async ({ intents, journal, resources }) => [
        await journal.openWrites(),
        await intents.newest('acme'),
        // Of several intents of one run it names any, but one that is not settled before one that is.
        [...(await intents.runs())].map(([run, { settled }]) => [run, settled !== undefined]).sort(),
        await intents.broken(''),
        await intents.named('a'),
        await resources.list('acme', 'payment'),
        await resources.conversations('acme', 'payment', 'p1'),
      ]);
    },
    wait: async () => {
      clock.advance(dice.pick([61_000, 3_600_000, 90_000_000]));
    },
  };
  const names = Object.keys(steps);
  // What makes a history go on is thrown more often.
  const often = [...names, 'claim', 'leave', 'leave', 'leave', 'hear', 'hear', 'takeOver'];

  async function ended(process: number, dies: boolean): Promise<void> {
    const its = going[process];
    if (its === undefined) return;
    going[process] = undefined;
    if (!dies) {
      await all('ends', its, ({ journal }) =>
        journal.append({ type: 'ended', at: clock.now().toISOString(), exit: 0 }),
      );
      await all('commits', its, (state) => state.commit());
    }
    its.end();
  }

  const length = 15 + dice.below(25);
  for (let step = 0; step < length; step += 1) {
    const process = dice.below(processes);
    let its = going[process];
    if (its === undefined) {
      its = going[process] = begin(process);
      const record: JournalRecord = {
        ...{ type: 'run', at: at(), version: '1', command: 'payment init', profile: 'acme' },
        ...{ environment: 'test', pid: 1 },
      };
      await all('begins', its, ({ journal }) => journal.append(record));
    }
    if (dice.below(9) === 0) await ended(process, dice.maybe());
    else await steps[dice.pick(often)]?.(its);
  }
  for (let process = 0; process < processes; process += 1) await ended(process, dice.maybe());
  return { steps: length, unlike };
}

/** As text, in which the order of members does not count; the host of a process is that of a machine of a fleet. */
export function shown(value: unknown): string {
  return JSON.stringify(value, (name, one: unknown) => {
    if (name === 'host' || typeof one === 'function') return undefined;
    if (typeof one !== 'object' || one === null || Array.isArray(one))
      return typeof one === 'bigint' ? String(one) : one;
    return Object.fromEntries(Object.entries(one).sort(([a], [b]) => (a < b ? -1 : 1)));
  });
}
