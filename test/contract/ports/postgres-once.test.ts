import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { ownIdentity } from '../../../src/adapters/system/process-identity.ts';
import type { ProcessIdentity } from '../../../src/adapters/system/process-identity.ts';
import type { FleetState } from '../../../src/adapters/shared-state/fleet-state.ts';
import { createDatabase } from '../../../src/adapters/postgres/database.ts';
import { createClock } from '../../../src/adapters/system/system-clock.ts';
import { intent } from '../../helpers/adapter-homes.ts';
import { bundled } from '../../helpers/bundled.ts';
import { cuttingProxy } from '../../helpers/cutting-proxy.ts';
import { failedWith } from '../../helpers/failed-with.ts';
import { failed, prepared, runRecord, sending, write } from '../../helpers/journal-records.ts';
import { endLeases, fleetIn, hasPostgres, testDatabase, testKey } from '../../helpers/postgres.ts';
import { trials } from '../../helpers/trials.ts';

const shared = testDatabase();
/** Of the row of the campaign sixteen processes with 200 payments; in `npm test` two with fifty. */
const isMany = trials('fleet', 0).count > 0;
const [processes, most] = isMany ? [16, 200] : [2, 50];

/** The lines of a process that makes `count` payments, as it writes them; `until` kills it at such a line. */
async function claims(run: string, { until, count = most }: { until?: RegExp; count?: number } = {}) {
  const url = (await shared.url()).reveal();
  const script = bundled(join(import.meta.dirname, '../../helpers/claiming-process.ts'));
  const child = spawn(process.execPath, [script, JSON.stringify({ url, key: testKey, run, count })], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let text = '';
  child.stdout.on('data', (chunk: Buffer) => {
    text += chunk.toString();
    if (until?.test(text) === true) child.kill('SIGKILL');
  });
  await new Promise((resolve) => child.once('close', resolve));
  return text.split('\n').filter((line) => line !== '');
}

/** A process that sends a payment which is refused, killed where it says `stopAt`. */
async function refusedAndKilled(run: string, hash: string, stopAt: string): Promise<void> {
  const url = (await shared.url()).reveal();
  const script = bundled(join(import.meta.dirname, '../../helpers/claiming-process.ts'));
  const child = spawn(process.execPath, [script, JSON.stringify({ url, key: testKey, run, hash, stopAt })], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let text = '';
  child.stdout.on('data', (chunk: Buffer) => {
    text += chunk.toString();
    if (text.includes(stopAt)) child.kill('SIGKILL');
  });
  await new Promise((resolve) => child.once('close', resolve));
  expect(child.signalCode).toBe('SIGKILL');
}

interface Row {
  turn: number;
  run: string;
  state: string;
}

let looking: ReturnType<typeof shared.administer> | undefined;
async function rows(): Promise<readonly Row[]> {
  const administrator = await (looking ??= shared.administer());
  return administrator.rows<Row>('SELECT hash::int AS turn, run, state FROM obk.intent ORDER BY 1');
}

const turnsOf = (lines: readonly string[], word: string): number[] =>
  lines.filter((line) => line.startsWith(word)).map((line) => Number(line.split(' ')[1]));

describe.skipIf(!hasPostgres())('intents in PostgreSQL', () => {
  beforeEach(() => {
    shared.empty();
  });
  afterAll(() => shared.end());

  it('are each won by one of several processes', { timeout: isMany ? 300_000 : 20_000 }, async () => {
    const both = (
      await Promise.all(Array.from({ length: processes }, (_, at) => claims(`run-${String(at)}`)))
    ).flat();
    const each = Array.from({ length: most }, (_, turn) => turn);
    expect(turnsOf(both, 'claimed').sort((a, b) => a - b)).toEqual(each);
    expect(turnsOf(both, 'sent').sort((a, b) => a - b)).toEqual(each);
    expect((await rows()).map(({ turn, state }) => [turn, state])).toEqual(
      each.map((turn) => [turn, 'sending']),
    );
  });

  it(
    'are each sent at most once where one of two is killed, and nobody takes over what left',
    { timeout: 60_000 },
    async () => {
      const [killed, other] = await Promise.all([claims('killed', { until: /sent/ }), claims('other')]);
      const sent = [...turnsOf(killed, 'sent'), ...turnsOf(other, 'sent')];
      expect(new Set(sent).size).toBe(sent.length);
      const all = await rows();
      expect(all.map(({ state }) => state)).toEqual(Array.from({ length: most }, () => 'sending'));
      // What left without a line to say so is still that of the process which died: at most the one it was at.
      const unsaid = all.filter(({ turn }) => !sent.includes(turn));
      expect(unsaid.length).toBeLessThanOrEqual(1);
      for (const { run } of unsaid) expect(run).toBe('killed');
    },
  );

  const own = (url: typeof shared.url, run = 'mine', processInfo?: ProcessIdentity) => {
    const database = createDatabase({ url, clock: createClock(), patienceMs: 3_000 });
    return { database, ...fleetIn(database, { run, ...(processInfo !== undefined && { processInfo }) }) };
  };
  const elsewhere = { bootId: 'another', namespace: 'another', startTime: '1', pid: 1, host: 'another' };

  let requests = 0;
  /** Prepares a request of a payment, and lets it leave; `now` is called in between. */
  async function send({ journal }: FleetState, hash: string, now: () => void = () => undefined) {
    const exchange = `e${String((requests += 1))}`;
    await write(journal, runRecord(), prepared(exchange, { intent: hash }));
    now();
    await journal.append(sending(exchange));
    return exchange;
  }
  const sentOf = async ({ journal }: FleetState, run: string) =>
    (await journal.read(run)).filter(({ type }) => type === 'sending').length;

  it('are won by one of many that want the same', { timeout: 300_000 }, async () => {
    const many = isMany ? 100 : 8;
    const claimed = await Promise.all(
      Array.from({ length: many }, (_, at) => claims(`run-${String(at)}`, { count: 1 })),
    );
    expect(turnsOf(claimed.flat(), 'claimed')).toEqual([0]);
    expect(turnsOf(claimed.flat(), 'sent')).toEqual([0]);
    expect(await rows()).toMatchObject([{ turn: 0, state: 'sending' }]);
  });

  it.each(['before', 'after'] as const)('leave once where the connection is cut %s COMMIT', async (when) => {
    const proxy = await cuttingProxy(await shared.url());
    const mine = own(() => proxy.url());
    const hash = '1'.padStart(64, '0');
    proxy.cutAtCommit(when);
    expect(await mine.intents.claim(intent({ hash, run: 'mine' }))).toMatchObject({ claimed: true });
    await send(mine, hash, () => {
      proxy.cutAtCommit(when);
    });
    expect(await rows()).toEqual([{ turn: 1, run: 'mine', state: 'sending' }]);
    expect(await sentOf(mine, 'mine')).toBe(1);
    // The same request, once more, is refused: what became of the first is not known.
    expect(await failedWith(send(mine, hash))).toMatchObject({ code: 'INTENT_IN_PROGRESS', exit: 8 });
    await mine.database.close();
    proxy.close();
  });

  it.each(['before', 'after'] as const)(
    'do not leave where the server is lost %s COMMIT, and count as sent where that was received there',
    async (when) => {
      const proxy = await cuttingProxy(await shared.url());
      const mine = own(() => proxy.url());
      const hash = '7'.padStart(64, '0');
      await mine.intents.claim(intent({ hash, run: 'mine' }));
      const left = send(mine, hash, () => {
        proxy.cutAtCommit(when);
        proxy.close();
      });
      expect(await failedWith(left)).toMatchObject({ code: 'STATE_UNREACHABLE', exit: 3 });
      const other = own(shared.url, 'other');
      await expect
        .poll(rows)
        .toEqual([{ turn: 7, run: 'mine', state: when === 'before' ? 'claimed' : 'sending' }]);
      const open = await other.journal.openWrites();
      expect(open.map(({ intent: of }) => of)).toEqual(when === 'before' ? [] : [hash]);
      for (const { database } of [mine, other]) await database.close();
    },
  );

  it('are not released by an owner whose lease is over and whom another machine has followed', async () => {
    const [there, here] = [own(shared.url, 'slow', elsewhere), own(shared.url, 'next')];
    const mine = intent({ hash: '2'.padStart(64, '0'), run: 'slow' });
    expect(await there.intents.claim(mine)).toMatchObject({ claimed: true });
    const next = { ...mine, run: 'next' };
    expect(await here.intents.takeOver(next, 'slow')).toBeUndefined();
    await endLeases(await shared.administer());
    expect(await here.intents.takeOver(next, 'slow')).toBeDefined();
    expect(await failedWith(send(there, mine.hash))).toMatchObject({ code: 'INTENT_IN_PROGRESS', exit: 8 });
    expect(await sentOf(here, 'slow')).toBe(0);
    for (const { database } of [there, here]) await database.close();
  });

  it('are not taken over once they left, however long ago their lease was over', async () => {
    const [there, here] = [own(shared.url, 'there', elsewhere), own(shared.url, 'here')];
    const mine = intent({ hash: '3'.padStart(64, '0'), run: 'there' });
    await there.intents.claim(mine);
    await send(there, mine.hash);
    await endLeases(await shared.administer());
    expect(await here.intents.takeOver({ ...mine, run: 'here' }, 'there')).toBeUndefined();
    expect(await rows()).toEqual([{ turn: 3, run: 'there', state: 'sending' }]);
    for (const { database } of [there, here]) await database.close();
  });

  it.each([
    ['before it has recorded the refusal', 'answer', false],
    ['after it has recorded the refusal', 'recorded', true],
  ] as const)('are left by a killed run %s', async (_, at, free) => {
    const hash = '5'.padStart(64, '0');
    const run = '20261123T100000000Z-refused';
    await refusedAndKilled(run, hash, at);
    const { database, intents, journal } = own(shared.url, 'another');
    expect(await rows()).toEqual([{ turn: 5, run, state: free ? 'returned' : 'sending' }]);
    // A refusal that somebody else finds later, in the name of the run, is no proof of what this one knew.
    expect((await journal.openWrites()).map(({ intent: of }) => of)).toEqual(free ? [] : [hash]);
    expect((await intents.takeOver(intent({ hash, run: 'another' }), run)) !== undefined).toBe(free);
    expect(await rows()).toEqual([
      free ? { turn: 5, run: 'another', state: 'claimed' } : { turn: 5, run, state: 'sending' },
    ]);
    await database.close();
  });

  it('are released only by the run that sent them', async () => {
    const [own1, other] = [own(shared.url), own(shared.url, 'another')];
    const mine = intent({ hash: '6'.padStart(64, '0'), run: 'mine' });
    await own1.intents.claim(mine);
    const first = await send(own1, mine.hash);
    await write(other.journal, runRecord(), failed(first, 'NOT_SENT'));
    expect(await rows()).toMatchObject([{ state: 'sending' }]);
    await own1.journal.append(failed(first, 'NOT_SENT'));
    expect(await rows()).toMatchObject([{ state: 'returned' }]);
    // The same run may try once more, unless somebody was quicker.
    const second = await send(own1, mine.hash);
    expect(await rows()).toMatchObject([{ state: 'sending' }]);
    expect(await other.intents.takeOver({ ...mine, run: 'another' }, 'mine')).toBeUndefined();
    await own1.journal.append(failed(second, 'NOT_SENT'));
    expect(await other.intents.takeOver({ ...mine, run: 'another' }, 'mine')).toBeDefined();
    expect(await failedWith(send(own1, mine.hash))).toMatchObject({ exit: 8 });
    for (const { database } of [own1, other]) await database.close();
  });

  it('are not taken over by a run that looked before they left', async () => {
    const proxy = await cuttingProxy(await shared.url());
    const slow = own(() => proxy.url(), 'slow', { ...ownIdentity(), pid: 4_194_303 });
    const later = own(shared.url, 'later');
    const mine = intent({ hash: '4'.padStart(64, '0'), run: 'slow' });
    await slow.intents.claim(mine);
    // A moment ago it was free to be taken: its process is dead, and nothing had left.
    proxy.stallAt(['UPDATE intent'], 500);
    const administrator = await shared.administer();
    const left = send(slow, mine.hash);
    const isReading = async () => {
      const held = await administrator.rows("SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND granted");
      return held.length > 2;
    };
    await expect.poll(isReading, { timeout: 10_000, interval: 5 }).toBe(true);
    const taking = later.intents.takeOver({ ...mine, run: 'later' }, 'slow');
    await left;
    expect(await taking).toBeUndefined();
    expect(await rows()).toEqual([{ turn: 4, run: 'slow', state: 'sending' }]);
    for (const { database } of [slow, later]) await database.close();
    proxy.close();
  });

  it('show nothing of key, amount, name and content to readers of the tables', async () => {
    const { database, intents } = own(shared.url);
    const summary = { amount: '4711.42', currency: 'EUR', creditorName: 'Erika Muster' };
    await intents.claim(intent({ run: 'mine', key: 'rent-of-erika', summary }));
    const end = { created: true, at: '2026-11-21T10:00:00Z', by: 'person', reason: 'Erika said so' } as const;
    await intents.settle(intent().hash, end);
    const [row] = await (
      await shared.administer()
    ).rows<{ text: string }>(
      "SELECT i::text || encode(record, 'escape') || encode(ending, 'escape') AS text FROM obk.intent i",
    );
    for (const word of [...['4711.42', 'Erika', 'rent-of', intent().fingerprint, intent().bodyHash]])
      expect(row?.text).not.toContain(word);
    expect(await intents.find(intent().hash)).toMatchObject({ key: 'rent-of-erika', summary, settled: end });
    await database.close();
  });
});
