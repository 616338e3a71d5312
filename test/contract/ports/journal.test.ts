import { afterEach, describe, expect, it } from 'vitest';
import { createJournal } from '../../../src/adapters/file-journal.ts';
import type { Journal } from '../../../src/ports/journal.ts';
import type { JournalRecord } from '../../../src/records/journal.ts';
import { deadIdentity, freshHome, intent, livingProcess } from '../../helpers/adapter-homes.ts';
import { fakeClock, fakeIds, journalState, memoryJournal } from '../../helpers/fakes/index.ts';

/** Journals of one state directory; `of` says what has become of the process that owns the journal. */
interface World {
  open(of?: 'this process' | 'a living process' | 'a dead process'): Journal;
}

const ends: (() => Promise<void>)[] = [];

const drivers: [string, () => World][] = [
  [
    'in memory',
    () => {
      const state = journalState();
      let count = 0;
      return {
        open: (of) => {
          const journal = memoryJournal({ state, run: `run-${++count}` });
          if (of === 'a dead process') journal.die();
          return journal;
        },
      };
    },
  ],
  [
    'in files',
    () => {
      const { stateDir } = freshHome();
      const clock = fakeClock();
      const ids = fakeIds();
      return {
        open: (of = 'this process') => {
          clock.advance(1);
          if (of === 'this process') return createJournal({ stateDir, clock, ids });
          if (of === 'a dead process')
            return createJournal({ stateDir, clock, ids, processInfo: deadIdentity() });
          const other = livingProcess();
          ends.push(other.end);
          return createJournal({ stateDir, clock, ids, processInfo: other.identity });
        },
      };
    },
  ],
];

afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

let second = 0;
function now(): string {
  return new Date(Date.UTC(2026, 10, 21, 10, 0, ++second)).toISOString();
}

function runRecord(): JournalRecord {
  return {
    type: 'run',
    at: now(),
    version: '1',
    command: 'payment init',
    profile: 'acme',
    environment: 'test',
    pid: 1,
  };
}

function prepared(
  exchange: string,
  changes: Partial<Extract<JournalRecord, { type: 'prepared' }>> = {},
): JournalRecord {
  return {
    type: 'prepared',
    at: now(),
    exchange,
    operation: 'initiatePayment',
    method: 'POST',
    url: 'https://bank.example/v1/payments/sepa-credit-transfers',
    headers: [['X-Request-ID', 'r']],
    body: '{"masked":true}',
    bodySha256: 'x',
    requestId: 'r',
    write: true,
    exact: { headers: [['X-Request-ID', 'r']], body: '{"amount":"1.00","ü":"€"}' },
    ...changes,
  };
}

const sending = (exchange: string): JournalRecord => ({ type: 'sending', at: now(), exchange });

const answered = (exchange: string, outcome: 'DONE' | 'REJECTED' | 'UNKNOWN'): JournalRecord => ({
  type: 'answered',
  at: now(),
  exchange,
  outcome,
  status: 201,
  headers: [],
  body: '{}',
  durationMs: 1,
});

const failed = (exchange: string, outcome: 'NOT_SENT' | 'UNKNOWN'): JournalRecord => ({
  type: 'failed',
  at: now(),
  exchange,
  outcome,
  reason: 'timeout',
  detail: 'no answer',
  durationMs: 1,
});

const resolved = (exchange: string): Extract<JournalRecord, { type: 'resolved' }> => ({
  type: 'resolved',
  at: now(),
  exchange,
  resolution: 'not-created',
  by: 'person',
  reason: 'the account shows nothing',
});

async function write(journal: Journal, ...records: JournalRecord[]): Promise<void> {
  for (const record of records) await journal.append(record, { durable: true });
}

describe.each(drivers)('a journal %s', (_name, make) => {
  it('starts with nothing and leaves nothing before its first record', async () => {
    const world = make();
    const journal = world.open();
    expect(journal.run).not.toBe('');
    expect(await journal.runs()).toEqual([]);
    expect(await journal.openRuns()).toEqual([]);
    expect(await journal.read(journal.run)).toEqual([]);
    expect(await journal.read('nobody')).toEqual([]);
    expect(await journal.exact(journal.run, 'e1')).toBeUndefined();
    expect(await journal.intent('a'.repeat(64))).toBeUndefined();
    expect(await journal.newestIntent('acme')).toBeUndefined();
    expect(await journal.intentsLike('acme', 'f'.repeat(64))).toEqual([]);
  });

  it('gives back what was appended, in order, without the exact bytes', async () => {
    const world = make();
    const journal = world.open();
    const head = runRecord();
    const { exact, ...rest } = prepared('e1') as Extract<JournalRecord, { type: 'prepared' }>;
    const end: JournalRecord = { type: 'ended', at: now(), exit: 0 };
    await journal.append(head, { durable: false });
    await write(journal, { ...rest, exact: exact! }, sending('e1'));
    await journal.append(end, { durable: false });
    const records = await world.open().read(journal.run);
    expect(records.map(({ type }) => type)).toEqual(['run', 'prepared', 'sending', 'ended']);
    expect(records[0]).toEqual(head);
    expect(records[1]).toEqual(rest);
    expect(records[3]).toEqual(end);
  });

  it('lists runs, newest first', async () => {
    const world = make();
    const journals = [world.open(), world.open(), world.open()];
    for (const journal of journals) await write(journal, runRecord());
    const runs = await world.open().runs();
    expect(runs.map(({ run }) => run)).toEqual(journals.map(({ run }) => run).reverse());
    for (const { startedAt } of runs) expect(new Date(startedAt).toISOString()).toBe(startedAt);
  });

  const open: [string, JournalRecord[], boolean][] = [
    ['only prepared', [], false],
    ['sending', [sending('e1')], true],
    ['answered DONE', [sending('e1'), answered('e1', 'DONE')], false],
    ['answered REJECTED', [sending('e1'), answered('e1', 'REJECTED')], false],
    ['answered UNKNOWN', [sending('e1'), answered('e1', 'UNKNOWN')], true],
    ['failed UNKNOWN', [sending('e1'), failed('e1', 'UNKNOWN')], true],
    ['failed NOT_SENT', [failed('e1', 'NOT_SENT')], false],
    ['failed NOT_SENT after the mark', [sending('e1'), failed('e1', 'NOT_SENT')], false],
  ];

  it.each(open)('a write that is %s counts as it should', async (_case, records, isOpen) => {
    const world = make();
    const journal = world.open();
    await write(journal, runRecord(), prepared('e1'), ...records);
    const other = world.open();
    expect((await other.openRuns()).map(({ run }) => run)).toEqual(isOpen ? [journal.run] : []);
    // The bytes are there as long as somebody might need them to find out.
    const over = records.some((record) => 'outcome' in record && record.outcome !== 'UNKNOWN');
    expect(await other.exact(journal.run, 'e1')).toEqual(
      over ? undefined : { headers: [['X-Request-ID', 'r']], body: '{"amount":"1.00","ü":"€"}' },
    );
  });

  it('does not count reads', async () => {
    const world = make();
    const journal = world.open();
    await write(journal, runRecord(), prepared('e1', { write: false, method: 'GET' }), sending('e1'));
    expect(await journal.openRuns()).toEqual([]);
    expect(await journal.exact(journal.run, 'e1')).toBeUndefined();
  });

  it('counts a run whose other write is open', async () => {
    const world = make();
    const journal = world.open();
    await write(journal, runRecord(), prepared('e1'), sending('e1'), answered('e1', 'DONE'));
    await write(journal, prepared('e2'), sending('e2'), failed('e2', 'UNKNOWN'));
    expect(await journal.openRuns()).toHaveLength(1);
    expect(await journal.exact(journal.run, 'e1')).toBeUndefined();
    expect(await journal.exact(journal.run, 'e2')).toBeDefined();
  });

  it('resolves a write of an earlier run', async () => {
    const world = make();
    const earlier = world.open('a dead process');
    await write(earlier, runRecord(), prepared('e1'), sending('e1'));
    const later = world.open();
    const record = resolved('e1');
    await later.resolve(earlier.run, record);
    expect((await later.read(earlier.run)).at(-1)).toEqual(record);
    expect(await later.openRuns()).toEqual([]);
    expect(await later.exact(earlier.run, 'e1')).toBeUndefined();
    await expect(later.resolve('nobody', resolved('e1'))).rejects.toMatchObject({
      code: 'STATE_NOT_WRITTEN',
      exit: 3,
    });
  });

  it('gives an intent to one run only', async () => {
    const world = make();
    const first = world.open();
    const mine = intent({ run: first.run });
    expect(await first.claim(mine)).toEqual({ claimed: true });
    const second = world.open();
    const claim = await second.claim(intent({ run: second.run, createdAt: '2026-11-21T11:00:00.000Z' }));
    expect(claim).toMatchObject({ claimed: false, intent: mine });
    expect(await second.intent(mine.hash)).toEqual({ ...mine, sent: false });
    const other = intent({ hash: 'c'.repeat(64), run: second.run });
    expect(await second.claim(other)).toEqual({ claimed: true });
  });

  it('gives it to one of many that ask at once', async () => {
    const world = make();
    const journals = Array.from({ length: 8 }, () => world.open());
    const claims = await Promise.all(journals.map((journal) => journal.claim(intent({ run: journal.run }))));
    expect(claims.filter(({ claimed }) => claimed)).toHaveLength(1);
  });

  it('lets a dead owner’s intent be taken over, once', async () => {
    const world = make();
    const dead = world.open('a dead process');
    await dead.claim(intent({ run: dead.run }));
    const journals = [world.open(), world.open(), world.open()];
    const claim = await journals[0]!.claim(intent({ run: journals[0]!.run }));
    expect(claim).toMatchObject({ claimed: false, ownerAlive: false });
    const taken = await Promise.all(
      journals.map((journal) => journal.takeOver(intent({ run: journal.run }), dead.run)),
    );
    expect(taken.filter(Boolean)).toHaveLength(1);
    const winner = journals[taken.indexOf(true)]!;
    expect((await winner.intent(intent().hash))?.run).toBe(winner.run);
  });

  it('keeps a living owner’s intent', async () => {
    const world = make();
    const living = world.open('a living process');
    await living.claim(intent({ run: living.run }));
    const journal = world.open();
    expect(await journal.claim(intent({ run: journal.run }))).toMatchObject({
      claimed: false,
      ownerAlive: true,
    });
    expect(await journal.takeOver(intent({ run: journal.run }), living.run)).toBe(false);
  });

  it('does not take over what is on its way', async () => {
    const world = make();
    const dead = world.open('a dead process');
    const { hash } = intent();
    await dead.claim(intent({ run: dead.run }));
    await write(dead, runRecord(), prepared('e1', { intent: hash }), sending('e1'));
    const journal = world.open();
    expect(await journal.takeOver(intent({ run: journal.run }), dead.run)).toBe(false);
    await write(dead, failed('e1', 'NOT_SENT'));
    expect(await journal.takeOver(intent({ run: journal.run }), dead.run)).toBe(true);
  });

  it('does not mark as sending what another run has taken over', async () => {
    const world = make();
    const slow = world.open('a dead process');
    const { hash } = intent();
    await slow.claim(intent({ run: slow.run }));
    await write(slow, runRecord(), prepared('e1', { intent: hash }));
    const journal = world.open();
    expect(await journal.takeOver(intent({ run: journal.run }), slow.run)).toBe(true);
    await expect(write(slow, sending('e1'))).rejects.toMatchObject({ code: 'INTENT_IN_PROGRESS', exit: 8 });
    expect((await journal.read(slow.run)).some(({ type }) => type === 'sending')).toBe(false);
    await write(journal, runRecord(), prepared('e2', { intent: hash }), sending('e2'));
  });

  it('notes the resource of an intent', async () => {
    const journal = make().open();
    await journal.claim(intent({ run: journal.run }));
    await journal.noteResource(intent().hash, 'p1');
    expect((await journal.intent(intent().hash))?.resourceId).toBe('p1');
    await journal.noteResource('0'.repeat(64), 'p2');
    expect(await journal.intent('0'.repeat(64))).toBeUndefined();
  });

  it('finds intents by content and the newest by profile', async () => {
    const world = make();
    const dead = world.open('a dead process');
    const make4 = (n: number, changes: object) =>
      intent({
        hash: String(n).repeat(64),
        run: dead.run,
        createdAt: `2026-11-21T1${n}:00:00.000Z`,
        ...changes,
      });
    await dead.claim(make4(1, {}));
    await dead.claim(make4(3, {}));
    await dead.claim(make4(2, {}));
    await dead.claim(make4(4, { fingerprint: 'e'.repeat(64) }));
    await dead.claim(make4(5, { profile: 'other' }));
    const hours = (list: readonly { createdAt: string }[]) =>
      list.map(({ createdAt }) => createdAt.slice(11, 13));
    const journal = world.open();
    expect(hours(await journal.intentsLike('acme', 'f'.repeat(64)))).toEqual(['13', '12', '11']);
    expect(hours(await journal.intentsLike('other', 'f'.repeat(64)))).toEqual(['15']);
    expect(hours([(await journal.newestIntent('acme'))!])).toEqual(['14']);
    // Whoever asks in vain for an older one does not become the newest, and who takes it over does.
    await journal.claim(make4(1, { run: journal.run, createdAt: '2026-11-21T18:00:00.000Z' }));
    expect(hours([(await journal.newestIntent('acme'))!])).toEqual(['14']);
    await journal.takeOver(make4(1, { run: journal.run, createdAt: '2026-11-21T19:00:00.000Z' }), dead.run);
    expect(hours([(await journal.newestIntent('acme'))!])).toEqual(['19']);
    expect(hours(await journal.intentsLike('acme', 'f'.repeat(64)))).toEqual(['19', '13', '12']);
  });

  it('tells which runs intents point to', async () => {
    const world = make();
    const dead = world.open('a dead process');
    const runs = async () => new Set((await dead.intentRuns()).keys());
    expect(await runs()).toEqual(new Set());
    await dead.claim(intent({ run: dead.run }));
    await dead.claim(intent({ run: dead.run, hash: 'c'.repeat(64), profile: 'other' }));
    expect(await runs()).toEqual(new Set([dead.run]));
    const journal = world.open();
    await journal.takeOver(intent({ run: journal.run }), dead.run);
    expect(await runs()).toEqual(new Set([dead.run, journal.run]));
  });

  it('notes the end of a run at no intent that another has taken over', async () => {
    const world = make();
    const dead = world.open('a dead process');
    await dead.claim(intent({ run: dead.run }));
    const journal = world.open();
    const { hash } = intent();
    const end = { created: false, at: '2026-11-21T19:00:00.000Z', by: 'pruning', reason: 'old' } as const;
    await journal.takeOver(intent({ run: journal.run }), dead.run);
    await journal.settleIntent(hash, end, { run: dead.run });
    expect((await journal.intent(hash))?.settled).toBeUndefined();
    await journal.settleIntent(hash, end, { run: journal.run });
    expect((await journal.intent(hash))?.settled).toEqual(end);
  });

  it('removes a run with all that is kept of it, and no other', async () => {
    const world = make();
    const [earlier, other] = [world.open('a dead process'), world.open('a dead process')];
    for (const journal of [earlier, other]) await write(journal, runRecord(), prepared('e1'));
    const journal = world.open();
    await journal.remove(earlier.run);
    await journal.remove(earlier.run);
    expect((await journal.runs()).map(({ run }) => run)).toEqual([other.run]);
    expect(await journal.read(earlier.run)).toEqual([]);
    expect(await journal.exact(earlier.run, 'e1')).toBeUndefined();
    expect(await journal.exact(other.run, 'e1')).toBeDefined();
  });
});
