import { describe, expect, it } from 'vitest';
import type { Runs } from '../../../src/client/ports/journal.ts';
import type { JournalRecord, JournalRun } from '../../../src/settings/records/journal.ts';
import { intent } from '../../helpers/adapter-homes.ts';
import {
  answered,
  failed,
  now,
  prepared,
  resolved,
  runRecord,
  sending,
  write,
} from '../../helpers/journal-records.ts';
import { withItsServer, stateHomes } from './state-homes.ts';

const all = async (runs: Promise<Runs>): Promise<JournalRun[]> => {
  const found: JournalRun[] = [];
  for await (const run of await runs) found.push(run);
  return found;
};

describe.each(stateHomes)('the journal port %s', (name, make) => {
  withItsServer(name);

  it('contains nothing at first and leaves nothing before its first record', async () => {
    const world = make();
    const { journal } = world.open();
    expect(journal.run).not.toBe('');
    expect(await all(journal.runs())).toEqual([]);
    expect(await journal.openRuns()).toEqual([]);
    expect(await journal.read(journal.run)).toEqual([]);
    expect(await journal.read('nobody')).toEqual([]);
    expect(await journal.exact(journal.run, 'e1')).toBeUndefined();
  });

  it('returns what was appended, in order, without the exact bytes', async () => {
    const world = make();
    const { journal } = world.open();
    const head = runRecord();
    const { exact, ...rest } = prepared('e1') as Extract<JournalRecord, { type: 'prepared' }>;
    const end: JournalRecord = { type: 'ended', at: now(), exit: 0 };
    await journal.append(head);
    await write(journal, { ...rest, exact: exact! }, sending('e1'));
    await journal.append(end);
    const records = await world.open().journal.read(journal.run);
    expect(records.map(({ type }) => type)).toEqual(['run', 'prepared', 'sending', 'ended']);
    expect(records[0]).toEqual(head);
    expect(records[1]).toEqual(rest);
    expect(records[3]).toEqual(end);
  });

  it('lists runs, newest first', async () => {
    const world = make();
    const journals = [world.open(), world.open(), world.open()].map(({ journal }) => journal);
    for (const journal of journals) await write(journal, runRecord());
    const runs = await all(world.open().journal.runs());
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

  it.each(open)('counts a write that is %s as it should', async (_case, records, isOpen) => {
    const world = make();
    const { journal } = world.open();
    await write(journal, runRecord(), prepared('e1'), ...records);
    const { journal: other } = world.open();
    expect((await other.openRuns()).map(({ run }) => run)).toEqual(isOpen ? [journal.run] : []);
    // The bytes are there from the first one on, as long as somebody might need them to find out.
    const left = records.some(({ type }) => type === 'sending');
    const over = records.some((record) => 'outcome' in record && record.outcome !== 'UNKNOWN');
    expect(await other.exact(journal.run, 'e1')).toEqual(
      !left || over ? undefined : { headers: [['X-Request-ID', 'r']], body: '{"amount":"1.00","ü":"€"}' },
    );
  });

  it('does not count reads', async () => {
    const world = make();
    const { journal } = world.open();
    await write(journal, runRecord(), prepared('e1', { write: false, method: 'GET' }), sending('e1'));
    expect(await journal.openRuns()).toEqual([]);
    expect(await journal.exact(journal.run, 'e1')).toBeUndefined();
  });

  it('counts a run whose other write is open', async () => {
    const world = make();
    const { journal } = world.open();
    await write(journal, runRecord(), prepared('e1'), sending('e1'), answered('e1', 'DONE'));
    await write(journal, prepared('e2'), sending('e2'), failed('e2', 'UNKNOWN'));
    expect(await journal.openRuns()).toHaveLength(1);
    expect(await journal.exact(journal.run, 'e1')).toBeUndefined();
    expect(await journal.exact(journal.run, 'e2')).toBeDefined();
  });

  it('resolves a write of an earlier run', async () => {
    const world = make();
    const { journal: earlier } = world.open('a dead process');
    await write(earlier, runRecord(), prepared('e1'), sending('e1'));
    const { journal: later } = world.open();
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

  it('removes a run with all that is kept of it, and no other', async () => {
    const world = make();
    const { journal: earlier } = world.open('a dead process');
    const { journal: other } = world.open('a dead process');
    for (const journal of [earlier, other]) await write(journal, runRecord(), prepared('e1'), sending('e1'));
    const { journal } = world.open();
    await journal.remove(earlier.run);
    await journal.remove(earlier.run);
    expect((await all(journal.runs())).map(({ run }) => run)).toEqual([other.run]);
    expect(await journal.read(earlier.run)).toEqual([]);
    expect(await journal.exact(earlier.run, 'e1')).toBeUndefined();
    expect(await journal.exact(other.run, 'e1')).toBeDefined();
  });

  const write1 = prepared('e1', { intent: intent().hash });
  const again = prepared('e2', { intent: intent().hash });
  const ways: [string, JournalRecord[], boolean][] = [
    ['was not prepared', [], true],
    ['was only prepared', [write1], true],
    ['was sent', [write1, sending('e1')], false],
    [
      'was sent, and another one was not',
      [
        write1,
        sending('e1'),
        prepared('e2', { intent: 'c'.repeat(64) }),
        sending('e2'),
        failed('e2', 'NOT_SENT'),
      ],
      false,
    ],
    ['failed without an answer', [write1, sending('e1'), failed('e1', 'UNKNOWN')], false],
    ['was answered as nobody reads it', [write1, sending('e1'), answered('e1', 'UNKNOWN')], false],
    ['was made', [write1, sending('e1'), answered('e1', 'DONE')], false],
    ['was refused', [write1, sending('e1'), answered('e1', 'REJECTED')], true],
    ['never left', [write1, sending('e1'), failed('e1', 'NOT_SENT')], true],
    ['was refused before', [write1, sending('e1'), answered('e1', 'REJECTED'), again, sending('e2')], false],
    ['was refused, and prepared again', [write1, sending('e1'), answered('e1', 'REJECTED'), again], true],
  ];

  it.each(ways)('lets an intent whose write %s begin again, or not', async (_case, records, nothing) => {
    const world = make();
    const { run, journal, intents } = world.open('a dead process');
    for (const hash of [intent().hash, 'c'.repeat(64)]) await intents.claim(intent({ run, hash }));
    await write(journal, runRecord(), ...records);
    const later = world.open();
    expect((await later.intents.takeOver(intent({ run: later.run }), run)) !== undefined).toBe(nothing);
  });

  it('does not count the write of an intent that a person has resolved', async () => {
    const world = make();
    const { run, journal, intents } = world.open('a dead process');
    await intents.claim(intent({ run }));
    await write(journal, runRecord(), prepared('e1', { intent: intent().hash }), sending('e1'));
    const later = world.open();
    expect(await later.journal.openWrites()).toMatchObject([{ run, exchange: 'e1', alive: false }]);
    const end = { created: true, at: now(), by: 'person', reason: 'the bank said so' } as const;
    await later.intents.settle(intent().hash, end);
    expect(await later.journal.openWrites()).toEqual([]);
    expect(await later.journal.openRuns()).toEqual([]);
  });

  it.each([
    ['this process', false],
    ['a run under way in this process', true],
    ['a living process', true],
  ] as const)('shows for an open write whether its run may live: %s', async (of, alive) => {
    const world = make();
    const { run, journal } = world.open(of);
    await write(journal, runRecord(), prepared('e1'), sending('e1'));
    // Its own run knows that it does not wait any more.
    expect(await journal.openWrites()).toMatchObject([{ run, alive: false }]);
    if (name === 'memory') return;
    expect(await world.open().journal.openWrites()).toMatchObject([{ run, exchange: 'e1', alive }]);
  });
});
