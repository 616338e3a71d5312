// Each bit of a row that decides about money, flipped behind the back of obk: nothing of it is taken as true.
import { afterEach, describe, expect, it } from 'vitest';
import type { Sqlite } from '../../../../src/base/sqlite/open.ts';
import type { SqlValue } from '../../../../src/client/ports/engine.ts';
import { deadIdentity, freshHome, intent } from '../../../helpers/adapter-homes.ts';
import { fakeClock } from '../../../helpers/fakes/index.ts';
import { stateAtHome } from '../../../helpers/file-store.ts';
import {
  answered,
  failed,
  prepared,
  resolved,
  runRecord,
  sending,
  write,
} from '../../../helpers/journal-records.ts';
import { opened } from '../../../helpers/state-file.ts';

const run = '20261121T100000000Z-dead';
const later = '20261121T110000000Z-later';
const { hash, fingerprint } = intent();
const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

interface Scene {
  dead: ReturnType<typeof stateAtHome>;
  home: ReturnType<typeof stateAtHome>;
  file: Sqlite;
}

/** A payment that left in a process that is dead, as the run after it finds it. */
async function scene(): Promise<Scene> {
  const { stateDir } = freshHome();
  const clock = fakeClock();
  const dead = stateAtHome({ stateDir, clock, run, processInfo: deadIdentity() });
  await dead.intents.claim(intent({ run }));
  await write(dead.journal, runRecord(), prepared('e1', { intent: hash }), sending('e1'));
  const home = stateAtHome({ stateDir, clock, run: later });
  const file = opened(stateDir, 'state');
  ends.push(
    () => {
      file.close();
    },
    () => dead.close(),
    () => home.close(),
  );
  return { dead, home, file };
}

type Flip = { column: string; bit: number; flipped: SqlValue; isText: boolean };

/** Every value that one flipped bit makes of a column. */
function flipsOf(column: string, value: SqlValue | undefined): Flip[] {
  if (value === null || value === undefined) return [];
  if (typeof value === 'bigint')
    return Array.from({ length: 64 }, (_, bit) => ({
      ...{ column, bit, isText: false },
      flipped: BigInt.asIntN(64, value ^ (1n << BigInt(bit))),
    }));
  const isText = typeof value === 'string';
  const bytes = isText ? Buffer.from(value) : Buffer.from(value as Uint8Array);
  return Array.from({ length: bytes.length * 8 }, (_, bit) => {
    const flipped = Buffer.from(bytes);
    flipped[bit >> 3] = (flipped[bit >> 3] ?? 0) ^ (1 << (bit & 7));
    return { column, bit, flipped, isText };
  });
}

/** Does something for each flipped bit of the first row of a table, which is whole again afterwards. */
async function eachFlip(
  file: Sqlite,
  table: string,
  look: (flip: Flip, name: string) => Promise<void>,
  chosen: (flip: Flip) => boolean = () => true,
): Promise<number> {
  const [row = {}] = file.prepare(`SELECT * FROM ${table}`).all([]) as Record<string, SqlValue>[];
  const flips = Object.entries(row)
    .flatMap(([column, value]) => flipsOf(column, value))
    .filter(chosen);
  for (const flip of flips) {
    const { column, bit, flipped, isText } = flip;
    // Text that is no UTF-8 any more can only be bound as bytes.
    const set = (value: string) => file.prepare(`UPDATE ${table} SET ${column} = ${value}`);
    expect(set(isText ? 'CAST(?1 AS TEXT)' : '?1').run([flipped])).toBe(1);
    await look(flip, `${column} bit ${String(bit)}`);
    expect(set('?1').run([row[column] ?? null])).toBe(1);
  }
  return flips.length;
}

/** What came of a question: its answer, or the code of the refusal. */
const outcome = (asked: Promise<unknown>): Promise<unknown> =>
  asked.catch((error: unknown) => (error as { code?: string }).code ?? error);

const scenes: [string, (made: Scene) => Promise<void>, string][] = [
  ['that left', () => Promise.resolve(), 'sending'],
  [
    'that was made',
    async ({ dead }) => {
      await write(dead.journal, answered('e1', 'DONE'));
      await dead.intents.noteResource(hash, 'payment-1');
    },
    'made',
  ],
  [
    'that was settled as made',
    ({ dead }) =>
      dead.intents.settle(
        hash,
        { created: true, at: '2026-11-21T12:00:00.000Z', by: 'person', reason: 'seen' },
        { resourceId: 'p' },
      ),
    'sending',
  ],
];

describe.each(scenes)('an intent %s', (what, prepare, state) => {
  it(
    'is found as it was, or refused and named as broken, whichever bit is flipped',
    { timeout: 240_000 },
    async () => {
      const made = await scene();
      await prepare(made);
      const { home, file } = made;
      expect(file.prepare('SELECT state FROM intent').all([])).toEqual([{ state }]);
      const mine = intent({ run: later });
      const before = await home.intents.find(hash);
      // Those of one payment all, of the others what they have besides, and a part of the rest.
      const chosen = ({ column, bit }: Flip) =>
        what === 'that left' || ['state', 'ending', 'resource_id'].includes(column) || bit % 29 === 0;
      const count = await eachFlip(
        file,
        'intent',
        async ({ column }, name) => {
          const found = await outcome(home.intents.find(hash));
          // Where its own name is another, none of this name is there; a claim still sees it.
          expect(found, name).toBe(column === 'hash' ? undefined : 'STATE_UNREADABLE');
          expect(await outcome(home.intents.claim(mine)), name).toBe('STATE_UNREADABLE');
          expect(await outcome(home.intents.takeOver(mine, run)), name).toBeOneOf([
            'STATE_UNREADABLE',
            undefined,
          ]);
          // By this it is looked for; whoever pays with its key is refused all the same.
          const alike = column === 'content' ? [] : 'STATE_UNREADABLE';
          expect(await outcome(home.intents.like('acme', fingerprint)), name).toEqual(alike);
          expect(await home.intents.broken(''), name).toHaveLength(1);
          expect(await home.intents.named(''), name).toEqual([]);
        },
        chosen,
      );
      expect(count).toBeGreaterThan(what === 'that left' ? 4_000 : 200);
      expect(await home.intents.find(hash)).toEqual(before);
      expect(await home.intents.broken('')).toEqual([]);
    },
  );
});

describe('a damaged row of an intent', () => {
  it('is repaired whatever is damaged of it', { timeout: 120_000 }, async () => {
    const { home, file } = await scene();
    const once = ({ column, bit }: Flip) =>
      column !== 'hash' && (bit % 61 === 0 || (column === 'fence' && bit > 50));
    const [row = {}] = file.prepare('SELECT * FROM intent').all([]) as Record<string, SqlValue>[];
    const restore = file.prepare(
      `UPDATE intent SET ${Object.keys(row)
        .map((name, at) => `${name} = ?${String(at + 1)}`)
        .join(', ')}`,
    );
    await eachFlip(
      file,
      'intent',
      async (_flip, name) => {
        const [broken] = await home.intents.broken(hash.slice(0, 8));
        expect(broken?.hash, name).toBe(hash);
        const repaired = intent({
          run: '',
          bodyHash: '',
          createdAt: broken?.createdAt ?? '2026-11-21T10:00:00.000Z',
        });
        await home.intents.repair({ hash, path: '' }, repaired);
        expect(await home.intents.find(hash), name).toEqual({ ...repaired, sent: true });
        expect(await home.intents.broken(''), name).toEqual([]);
        // What is whole is not repaired.
        await home.intents.repair({ hash, path: '' }, intent({ run: 'other' }));
        expect((await home.intents.find(hash))?.run, name).toBe('');
        restore.run(Object.values(row));
      },
      once,
    );
  });

  it.each([
    ['an answer', () => answered('e1', 'DONE')],
    ['a refusal', () => answered('e1', 'REJECTED')],
    ['the proof that nothing left', () => failed('e1', 'NOT_SENT')],
  ])('is not repaired by %s', async (_case, record) => {
    const { dead, home, file } = await scene();
    const [row] = file.prepare('SELECT content FROM intent').all([]) as { content: Uint8Array }[];
    const content = Buffer.from(row?.content ?? []);
    content[0] = (content[0] ?? 0) ^ 1;
    file.prepare('UPDATE intent SET content = ?1').run([content]);
    await write(dead.journal, record());
    await expect(home.intents.find(hash)).rejects.toMatchObject({ code: 'STATE_UNREADABLE' });
    await expect(home.intents.claim(intent({ run: later }))).rejects.toMatchObject({
      code: 'STATE_UNREADABLE',
    });
    expect(await home.journal.read(run)).toHaveLength(4);
  });

  it('lets nothing leave', async () => {
    const { home, file } = await scene();
    const mine = intent({ run: later, hash: 'c'.repeat(64), fingerprint: 'd'.repeat(64) });
    await home.intents.claim(mine);
    await write(home.journal, runRecord(), prepared('e2', { intent: mine.hash }));
    file.prepare("UPDATE intent SET state = 'claimec' WHERE run = ?1").run([later]);
    await expect(write(home.journal, sending('e2'))).rejects.toMatchObject({
      code: 'STATE_UNREADABLE',
      exit: 3,
    });
    expect((await home.journal.read(later)).map(({ type }) => type)).toEqual(['run', 'prepared']);
  });
});

describe('an open write of the log', () => {
  it(
    'stays listed without a fact, and its bytes are refused, whichever bit is flipped',
    { timeout: 120_000 },
    async () => {
      const { home, file } = await scene();
      const [before] = await home.journal.openWrites();
      const bytes = await home.journal.exact(run, 'e1');
      const count = await eachFlip(file, 'open_write', async ({ column }, name) => {
        const listed = await home.journal.openWrites();
        expect(listed, name).toHaveLength(1);
        const [one] = listed;
        expect(Object.keys(one ?? {}).sort(), name).toEqual(['alive', 'exchange', 'run']);
        if (column !== 'run') expect(one?.run, name).toBe(run);
        if (column !== 'exchange') expect(one?.exchange, name).toBe('e1');
        const exact = await outcome(home.journal.exact(run, 'e1'));
        // Under another name its bytes are not there.
        expect(exact, name).toBe(column === 'run' || column === 'exchange' ? undefined : 'STATE_UNREADABLE');
      });
      expect(count).toBeGreaterThan(2_000);
      expect(await home.journal.openWrites()).toEqual([before]);
      expect(await home.journal.exact(run, 'e1')).toEqual(bytes);
    },
  );

  it('is closed by a person where it is damaged', async () => {
    const { home, file } = await scene();
    file.prepare('UPDATE open_write SET at = at + 1').run([]);
    await home.journal.resolve(run, resolved('e1'));
    expect(await home.journal.openWrites()).toEqual([]);
  });
});
