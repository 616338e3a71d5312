import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { postgresJournal } from '../../../src/adapters/postgres/postgres-journal.ts';
import { postgresIntents } from '../../../src/adapters/postgres/postgres-intents.ts';
import { ownIdentity } from '../../../src/adapters/system/process-identity.ts';
import { createDatabase } from '../../../src/adapters/postgres/database.ts';
import { createClock } from '../../../src/adapters/system/system-clock.ts';
import { deadIdentity, intent } from '../../helpers/adapter-homes.ts';
import { bundled } from '../../helpers/bundled.ts';
import { cuttingProxy } from '../../helpers/cutting-proxy.ts';
import { failedWith } from '../../helpers/failed-with.ts';
import { hasPostgres, testDatabase, testKey, testVault } from '../../helpers/postgres.ts';
import { trials } from '../../helpers/trials.ts';

const shared = testDatabase();
/** Of the row of the campaign sixteen processes with 200 payments; in `npm test` two with fifty. */
const isMany = trials('fleet', 0).count > 0;
const [processes, count] = isMany ? [16, 200] : [2, 50];

/** The lines of a process that makes `count` payments, as it writes them; `until` kills it at such a line. */
async function claims(run: string, until?: RegExp): Promise<string[]> {
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

async function rows(): Promise<readonly Row[]> {
  const administrator = await shared.administer();
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
    const each = Array.from({ length: count }, (_, turn) => turn);
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
      const [killed, other] = await Promise.all([claims('killed', /sent/), claims('other')]);
      const sent = [...turnsOf(killed, 'sent'), ...turnsOf(other, 'sent')];
      expect(new Set(sent).size).toBe(sent.length);
      const all = await rows();
      expect(all.map(({ state }) => state)).toEqual(Array.from({ length: count }, () => 'sending'));
      // What left without a line to say so is still that of the process which died: at most the one it was at.
      const unsaid = all.filter(({ turn }) => !sent.includes(turn));
      expect(unsaid.length).toBeLessThanOrEqual(1);
      for (const { run } of unsaid) expect(run).toBe('killed');
    },
  );

  const own = (url: typeof shared.url) => {
    const database = createDatabase({ url, clock: createClock(), patienceMs: 3_000 });
    return { database, intents: postgresIntents({ database, vault: testVault() }) };
  };

  it.each([
    ['before', false],
    ['after', true],
  ] as const)('know whether a request may leave where the connection is cut %s COMMIT', async (when, may) => {
    const proxy = await cuttingProxy(await shared.url());
    const { database, intents } = own(() => proxy.url());
    const mine = intent({ hash: '1'.padStart(64, '0'), run: 'mine' });
    proxy.cutAtCommit(when);
    expect(await intents.claim(mine)).toEqual({ claimed: true });
    proxy.cutAtCommit(when);
    const left = intents.letGo(mine.hash, mine.run, () => undefined);
    if (may) await left;
    else
      expect(await failedWith(left)).toMatchObject({
        ...{ code: 'STATE_UNREACHABLE', exit: 3 },
        title: 'The database with the state was lost, so nothing was sent.',
      });
    expect(await rows()).toEqual([{ turn: 1, run: 'mine', state: may ? 'sending' : 'claimed' }]);
    await database.close();
    proxy.close();
  });

  it('are not let go by an owner whose lease is over and whom another machine has followed', async () => {
    const slow = own(shared.url);
    const elsewhere = { bootId: 'another', namespace: 'another', startTime: '1', pid: 1, host: 'another' };
    const mine = intent({ hash: '2'.padStart(64, '0'), run: 'slow' });
    const there = postgresIntents({ ...slow, vault: testVault(), processInfo: elsewhere });
    expect(await there.claim(mine)).toEqual({ claimed: true });
    const next = { ...mine, run: 'next' };
    expect(await slow.intents.takeOver(next, 'slow')).toBe(false);
    const administrator = await shared.administer();
    await administrator.rows("UPDATE obk.intent SET leased_until = clock_timestamp() - interval '1 second'");
    expect(await slow.intents.takeOver(next, 'slow')).toBe(true);
    let recorded = false;
    const left = there.letGo(mine.hash, 'slow', () => {
      recorded = true;
    });
    expect(await failedWith(left)).toMatchObject({ code: 'INTENT_IN_PROGRESS', exit: 8 });
    expect(recorded).toBe(false);
    await slow.database.close();
  });

  it('are not taken over while their request is let go, however long its record takes', async () => {
    const [slow, later, looking] = [own(shared.url), own(shared.url), own(shared.url)];
    const processInfo = deadIdentity();
    const there = postgresIntents({ ...slow, vault: testVault(), processInfo });
    const mine = intent({ hash: '9'.padStart(64, '0'), run: 'slow' });
    await there.claim(mine);
    let owner: string | undefined;
    let taking: Promise<unknown> = Promise.resolve();
    await there.letGo(mine.hash, 'slow', async () => {
      // A moment ago it was free to be taken: nothing had left.
      taking = later.intents.takeOver({ ...mine, run: 'later' }, 'slow').catch(() => undefined);
      for (let turn = 0; turn < 50; turn++) await setImmediate();
      owner = (await looking.intents.find(mine.hash))?.run;
    });
    await taking;
    expect(owner).toBe('slow');
    for (const { database } of [slow, later, looking]) await database.close();
  });

  it('are not taken over once they left, however long ago their lease was over', async () => {
    const { database, intents } = own(shared.url);
    const elsewhere = { bootId: 'another', namespace: 'another', startTime: '1', pid: 1, host: 'another' };
    const there = postgresIntents({ database, vault: testVault(), processInfo: elsewhere });
    const mine = intent({ hash: '3'.padStart(64, '0'), run: 'there' });
    await there.claim(mine);
    await there.letGo(mine.hash, 'there', () => undefined);
    const administrator = await shared.administer();
    await administrator.rows("UPDATE obk.intent SET leased_until = clock_timestamp() - interval '1 year'");
    expect(await intents.takeOver({ ...mine, run: 'here' }, 'there')).toBe(false);
    expect(await rows()).toEqual([{ turn: 3, run: 'there', state: 'sending' }]);
    await database.close();
  });

  it.each([
    ['before it has recorded the refusal', 'answer', false],
    ['after it has recorded the refusal', 'recorded', true],
  ] as const)('of a run that is killed %s', async (_, at, free) => {
    const hash = '5'.padStart(64, '0');
    const run = '20261123T100000000Z-refused';
    await refusedAndKilled(run, hash, at);
    const { database, intents } = own(shared.url);
    expect(await rows()).toEqual([{ turn: 5, run, state: free ? 'returned' : 'sending' }]);
    // A refusal that somebody else finds later, in the name of the run, is no proof of what this one knew.
    const vault = testVault();
    const machine = { id: 'another', host: 'another' };
    const journal = postgresJournal({ database, vault, machine, run: 'another', intents });
    expect((await journal.openWrites()).map(({ intent: of }) => of)).toEqual(free ? [] : [hash]);
    expect(await intents.takeOver(intent({ hash, run: 'another' }), run)).toBe(free);
    expect(await rows()).toEqual([
      free ? { turn: 5, run: 'another', state: 'claimed' } : { turn: 5, run, state: 'sending' },
    ]);
    await database.close();
  });

  it('are given back by the run that sent them, and by no other', async () => {
    const { database, intents } = own(shared.url);
    const mine = intent({ hash: '6'.padStart(64, '0'), run: 'mine' });
    await intents.claim(mine);
    await intents.letGo(mine.hash, 'mine', () => undefined);
    await intents.giveBack(mine.hash, 'another');
    expect(await rows()).toMatchObject([{ state: 'sending' }]);
    await intents.giveBack(mine.hash, 'mine');
    expect(await rows()).toMatchObject([{ state: 'returned' }]);
    expect(await intents.hasLeft(mine.hash, 'mine')).toBe('no');
    // The same run may try once more, unless somebody was quicker.
    await intents.letGo(mine.hash, 'mine', () => undefined);
    expect(await rows()).toMatchObject([{ state: 'sending' }]);
    expect(await intents.takeOver({ ...mine, run: 'next' }, 'mine')).toBe(false);
    await intents.giveBack(mine.hash, 'mine');
    expect(await intents.takeOver({ ...mine, run: 'next' }, 'mine')).toBe(true);
    expect(await failedWith(intents.letGo(mine.hash, 'mine', () => undefined))).toMatchObject({ exit: 8 });
    await database.close();
  });

  it('are not taken over by who has looked before they left', async () => {
    const slow = own(shared.url);
    const later = own(shared.url);
    const dead = { ...ownIdentity(), pid: 4_194_303 };
    const there = postgresIntents({ ...slow, vault: testVault(), processInfo: dead });
    const mine = intent({ hash: '4'.padStart(64, '0'), run: 'slow' });
    await there.claim(mine);
    const administrator = await shared.administer();
    const isWaiting = async () => {
      const waiting = await administrator.rows(
        "SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock'",
      );
      return waiting.length > 0;
    };
    let taking: Promise<boolean> | undefined;
    await there.letGo(mine.hash, 'slow', async () => {
      // Whoever takes it over has seen it claimed by a dead process, and waits for the row.
      taking = later.intents.takeOver({ ...mine, run: 'later' }, 'slow');
      await expect.poll(isWaiting, { timeout: 10_000 }).toBe(true);
    });
    expect(await taking).toBe(false);
    expect(await rows()).toEqual([{ turn: 4, run: 'slow', state: 'sending' }]);
    for (const { database } of [slow, later]) await database.close();
  });

  it('show nothing of key, amount, name and content to who reads the tables', async () => {
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
