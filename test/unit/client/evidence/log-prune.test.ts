import { describe, expect, it } from 'vitest';
import { ObkError } from '../../../../src/base/errors.ts';
import { prune } from '../../../../src/client/evidence/log-prune.ts';
import type { OldRuns } from '../../../../src/client/evidence/log-prune.ts';
import { intentState } from '../../../../src/client/resources/intent-state.ts';
import type { Ports } from '../../../../src/client/ports.ts';
import type { Intents } from '../../../../src/client/ports/intents.ts';
import type { Journal } from '../../../../src/client/ports/journal.ts';
import type { JournalRecord } from '../../../../src/settings/records/journal.ts';
import { intent, resource } from '../../../helpers/adapter-homes.ts';
import { fakeClock, journalState, memoryJournal, memoryStore } from '../../../helpers/fakes/index.ts';

const state = () => journalState();
const at = (day: number) => `2026-11-${String(day).padStart(2, '0')}T10:00:00.000Z`;

const prepared = (operation: string, more: object = {}) =>
  ({
    type: 'prepared',
    at: at(1),
    exchange: 'e1',
    operation,
    method: operation.startsWith('get') ? 'GET' : 'POST',
    url: 'https://bank.example/v1',
    headers: [],
    body: '',
    bodySha256: '',
    requestId: 'r-of-this-run',
    write: !operation.startsWith('get'),
    ...more,
  }) as JournalRecord;
const answered = (body: string, outcome: 'DONE' | 'REJECTED' | 'UNKNOWN' = 'DONE') =>
  ({
    type: 'answered',
    at: at(1),
    exchange: 'e1',
    outcome,
    status: 201,
    headers: [],
    body,
    durationMs: 1,
  }) as JournalRecord;
const sending = { type: 'sending', at: at(1), exchange: 'e1' } as const;
const ended = { type: 'ended', at: at(1), exit: 0 } as const;

async function write(runs: ReturnType<typeof state>, run: string, day: number, ...records: JournalRecord[]) {
  const journal = memoryJournal({ state: runs, run });
  const head: JournalRecord = {
    type: 'run',
    at: at(day),
    version: '1',
    command: 'x',
    profile: run.startsWith('other') ? 'other' : 'acme',
    environment: 'test',
    pid: 1,
  };
  for (const record of [head, ...records]) await journal.append(record);
  return journal;
}

const read = [prepared('getAccountList'), sending, answered('{}'), ended];

function ports(
  runs: ReturnType<typeof state>,
  store = memoryStore(),
  changes: Partial<Journal> = {},
  ofIntents: Partial<Intents> = {},
) {
  const journal = memoryJournal({ state: runs, run: 'pruning' });
  return {
    journal: { ...journal, ...changes },
    intents: { ...journal.intents, ...ofIntents },
    ...store,
    clock: fakeClock(),
  } as unknown as Ports;
}

const all: OldRuns = { allBut: 0 };

describe('pruning the log', () => {
  const standard = async () => {
    const runs = state();
    for (const day of [1, 2, 3, 4]) await write(runs, `run-${String(day)}`, day, ...read);
    await write(runs, 'other-5', 5, ...read);
    return runs;
  };

  it.each<[string, OldRuns, string | undefined, string[]]>([
    ['all, oldest first', all, undefined, ['run-1', 'run-2', 'run-3', 'run-4', 'other-5']],
    ['all but the newest', { allBut: 3 }, undefined, ['run-1', 'run-2']],
    ['what is older', { before: new Date(at(3)) }, undefined, ['run-1', 'run-2']],
    ['nothing that is younger', { before: new Date(at(1)) }, undefined, []],
    ['all but the newest of a profile', { allBut: 1 }, 'acme', ['run-1', 'run-2', 'run-3']],
  ])('removes %s', async (_, old, profile, removed) => {
    const runs = await standard();
    const before = [...runs.runs.keys()];
    const wish = profile === undefined ? {} : { profile };
    const planned = await prune(ports(runs), old, { ...wish, dryRun: true });
    expect([...runs.runs.keys()]).toEqual(before);
    const done = await prune(ports(runs), old, { ...wish, dryRun: false });
    expect(done.removed).toEqual(removed);
    expect(planned).toEqual(done);
    expect([...runs.runs.keys()]).toEqual(before.filter((run) => !removed.includes(run)));
  });

  it('stops where a file cannot be removed, and leaves all others as they were', async () => {
    const runs = await standard();
    const broken = ports(runs);
    const remove: Journal['remove'] = async (run) => {
      if (run === 'run-2') throw new ObkError({ code: 'STATE_NOT_WRITTEN', title: 'disk' });
      runs.runs.delete(run);
    };
    await expect(
      prune({ ...broken, journal: { ...broken.journal, remove } }, all, { dryRun: false }),
    ).rejects.toMatchObject({ code: 'STATE_NOT_WRITTEN' });
    expect([...runs.runs.keys()]).toEqual(['run-2', 'run-3', 'run-4', 'other-5']);
  });
});

describe('pruning the log', () => {
  const created = answered('{"paymentId":"p1","transactionStatus":"RCVD"}');
  const post = prepared('initiatePayment');

  it.each<[string, JournalRecord[], string]>([
    ['a run without an end', read.slice(0, 3), 'notEnded'],
    ['a write that left and has no end', [post, sending, ended], 'unknown'],
    ['a write whose outcome is unknown', [post, sending, answered('', 'UNKNOWN'), ended], 'unknown'],
    ['what made a saved payment', [post, sending, created, ended], 'resource'],
    ['what made something by an answer that cannot be read', [post, answered('<a/>'), ended], 'resource'],
    [
      'what a person says has made a saved payment',
      [
        post,
        sending,
        answered('', 'UNKNOWN'),
        {
          ...{ type: 'resolved', at: at(2), exchange: 'e1', resolution: 'created', by: 'person' },
          resource: { paymentId: 'p1' },
        },
        ended,
      ],
      'resource',
    ],
  ])('keeps %s', async (_, records, why) => {
    const runs = state();
    await write(runs, 'run-1', 1, ...records);
    const store = memoryStore();
    await store.resources.save(resource({ id: 'p1', requestId: 'r-of-this-run' }));
    const { removed, kept } = await prune(ports(runs, store), all, { dryRun: false });
    expect(removed).toEqual([]);
    expect(Object.entries(kept).filter(([, count]) => count > 0)).toEqual([[why, 1]]);
    expect(runs.runs.has('run-1')).toBe(true);
  });

  const withIntent = async (...records: JournalRecord[]) => {
    const runs = state();
    const first = prepared('initiatePayment', { intent: intent().hash });
    await memoryJournal({ state: runs, run: 'run-1' }).intents.claim(intent({ run: 'run-1' }));
    await write(runs, 'run-1', 1, first, sending, ...records, ended);
    return runs;
  };

  it.each([
    ['RCVD', 'resource'],
    [undefined, 'resource'],
    ['ACSC', undefined],
    ['RJCT', undefined],
  ])('keeps what made a payment that is not final, and nothing of a final one: %s', async (status, why) => {
    const runs = await withIntent(created);
    const store = memoryStore();
    await store.resources.save(resource({ id: 'p1', ...(status !== undefined && { status }) }));
    const planned = await prune(ports(runs, store), all, { dryRun: true });
    expect((await ports(runs).intents.find(intent().hash))?.settled).toBeUndefined();
    const done = await prune(ports(runs, store), all, { dryRun: false });
    expect(planned).toEqual(done);
    expect(done.removed).toEqual(why === undefined ? ['run-1'] : []);
    expect(done.kept.resource).toBe(why === undefined ? 0 : 1);
    // Whatever went, the payment is not sent again.
    const left = await ports(runs).intents.find(intent().hash);
    const stands = left && (await intentState(ports(runs).journal, left));
    expect(stands).toMatchObject(
      why === undefined ? { kind: 'resolved', created: true, paymentId: 'p1' } : { kind: 'answered' },
    );
  });

  it('keeps what an intent needs whose end is recorded nowhere else', async () => {
    const runs = await withIntent(answered('', 'UNKNOWN'));
    const closed: Partial<Journal> = { openRuns: () => Promise.resolve([]) };
    const { kept } = await prune(ports(runs, memoryStore(), closed), all, { dryRun: false });
    expect(kept.intent).toBe(1);
    expect(runs.runs.has('run-1')).toBe(true);
  });

  it('removes what an intent points to whose end it records itself', async () => {
    const runs = state();
    await memoryJournal({ state: runs, run: 'run-1' }).intents.claim(intent({ run: 'run-1' }));
    const journal = await write(
      runs,
      'run-1',
      1,
      prepared('initiatePayment', { intent: intent().hash }),
      sending,
      answered('', 'REJECTED'),
      ended,
    );
    const end = { created: false, at: at(2), by: 'person', reason: 'asked' } as const;
    await journal.intents.settle(intent().hash, end);
    expect((await prune(ports(runs), all, { dryRun: false })).removed).toEqual(['run-1']);
    const left = await ports(runs).intents.find(intent().hash);
    expect(left && (await intentState(ports(runs).journal, left))).toEqual({
      kind: 'resolved',
      created: false,
    });
  });

  it('keeps what is resolved while it is looked at', async () => {
    const runs = state();
    await write(runs, 'run-1', 1, post, sending, ended);
    const store = memoryStore();
    const settle = memoryJournal({ state: runs, run: 'settling' });
    // Another process notes that the payment exists, just when the unknown writes were read.
    const looking = ports(runs, store);
    const openRuns: Journal['openRuns'] = async () => {
      await store.resources.save(resource({ id: 'p1', requestId: 'r-of-this-run' }));
      await settle.resolve('run-1', {
        type: 'resolved',
        at: at(2),
        exchange: 'e1',
        resolution: 'created',
        by: 'person',
      });
      return looking.journal.openRuns();
    };
    const { removed } = await prune({ ...looking, journal: { ...looking.journal, openRuns } }, all, {
      dryRun: false,
    });
    expect(removed).toEqual([]);
  });

  it('keeps what does not name its profile', async () => {
    const runs = state();
    const journal = memoryJournal({ state: runs, run: 'run-1' });
    for (const record of [prepared('initiatePayment'), sending, created, ended]) await journal.append(record);
    expect((await prune(ports(runs), all, { dryRun: false })).kept.unreadable).toBe(1);
  });

  it('keeps what cannot be read', async () => {
    const runs = state();
    await write(runs, 'run-1', 1, ...read);
    const damaged: Partial<Journal> = {
      read: () => Promise.reject(new ObkError({ code: 'STATE_UNREADABLE', title: 'damaged' })),
    };
    const { kept } = await prune(ports(runs, memoryStore(), damaged), all, { dryRun: false });
    expect(kept.unreadable).toBe(1);
  });

  it('keeps a run whose intent cannot be read', async () => {
    const runs = await withIntent(created);
    const damaged: Partial<Intents> = {
      find: () => Promise.reject(new ObkError({ code: 'STATE_UNREADABLE', title: 'damaged' })),
    };
    await expect(
      prune(ports(runs, memoryStore(), {}, damaged), all, { dryRun: false }),
    ).rejects.toMatchObject({
      code: 'STATE_UNREADABLE',
    });
    expect(runs.runs.has('run-1')).toBe(true);
  });
});
