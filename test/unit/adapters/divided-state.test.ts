import { existsSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { pidSpace } from '../../../src/adapters/system/process-identity.ts';
import {
  conversation,
  deadIdentity,
  freshHome,
  fullFiles,
  intent,
  resource,
} from '../../helpers/adapter-homes.ts';
import { fakeClock, fakeIds } from '../../helpers/fakes/index.ts';
import { fileJournal, fileStore } from '../../helpers/file-store.ts';
import { prepared, runRecord, sending } from '../../helpers/journal-records.ts';

const day = 24 * 60 * 60 * 1000;

/** The folders that grow, as an earlier obk left them: each file in the folder itself, and of an intent one marker. */
function asEarlier(stateDir: string): void {
  for (const path of ['resources/acme/payment', 'conversations/acme/payment', 'intents/of/acme']) {
    const root = join(stateDir, path);
    if (!existsSync(root)) continue;
    for (const name of readdirSync(root, { recursive: true, encoding: 'utf8' }))
      if (/^(?:\d{6}|[0-9a-f]{2})[\\/].*Z_/.test(name))
        renameSync(join(root, name), join(root, basename(name)));
    for (const name of readdirSync(root))
      if (!name.includes('_')) rmSync(join(root, name), { recursive: true });
  }
  const intents = join(stateDir, 'intents');
  if (existsSync(intents))
    for (const name of readdirSync(intents))
      if (name.endsWith('.claimed') || name === 'tmp') rmSync(join(intents, name), { recursive: true });
}

/** Every file of a home that finds an intent. */
const markersIn = (stateDir: string): string[] =>
  readdirSync(join(stateDir, 'intents'), { recursive: true, withFileTypes: true })
    .filter((one) => one.isFile() && !one.name.endsWith('.json'))
    .map(({ parentPath, name }) => join(parentPath, name));

async function claimed(changes: object = {}, sent = false) {
  const { stateDir } = freshHome();
  const clock = fakeClock();
  const dead = fileJournal({ stateDir, clock, ids: fakeIds(), processInfo: deadIdentity() });
  // One that was there before, so that all is in place.
  await dead.intents.claim(intent({ run: dead.run, hash: 'd'.repeat(64), fingerprint: 'e'.repeat(64) }));
  await dead.intents.like('acme', 'e'.repeat(64));
  const one = intent({ run: dead.run, ...changes });
  await dead.intents.claim(one);
  if (sent) {
    await dead.append(runRecord(), { durable: true });
    await dead.append(prepared('e1', { intent: one.hash }), { durable: true });
    await dead.append(sending('e1'), { durable: true });
  }
  const like = async () => {
    const later = fileJournal({ stateDir, clock, ids: fakeIds() });
    return (await later.intents.like('acme', one.fingerprint)).map(({ hash }) => hash);
  };
  return { stateDir, clock, one, like };
}

describe('an intent is found by its content', () => {
  it('though any one of the files is lost that find it', async () => {
    const { stateDir, one, like } = await claimed();
    const markers = markersIn(stateDir);
    expect(markers.length).toBeGreaterThan(5);
    for (const lost of markers) {
      renameSync(lost, `${stateDir}/lost`);
      expect(await like(), lost).toEqual([one.hash]);
      renameSync(`${stateDir}/lost`, lost);
    }
  });

  it('though all of them are lost, as where empty files are cleared away', async () => {
    const { stateDir, one, like } = await claimed();
    for (const lost of markersIn(stateDir)) rmSync(lost);
    expect(await like()).toEqual([one.hash]);
    rmSync(join(stateDir, 'intents', 'of'), { recursive: true });
    expect(await like()).toEqual([one.hash]);
  });

  it('after more than a day too, where its outcome is unknown and a marker is lost', async () => {
    const { stateDir, clock, one, like } = await claimed({ createdAt: '2026-11-01T10:00:00.000Z' }, true);
    clock.advance(30 * day);
    for (const lost of markersIn(stateDir).filter((path) => path.includes(one.fingerprint))) {
      renameSync(lost, `${stateDir}/lost`);
      expect(await like(), lost).toEqual([one.hash]);
      renameSync(`${stateDir}/lost`, lost);
    }
  });

  it('where an earlier obk has left it', async () => {
    const { stateDir, one, like } = await claimed();
    asEarlier(stateDir);
    expect(readdirSync(join(stateDir, 'intents', 'of', 'acme'))).toHaveLength(2);
    expect(await like()).toEqual([one.hash]);
    const later = fileJournal({ stateDir, clock: fakeClock(), ids: fakeIds() });
    expect((await later.intents.newest('acme'))?.hash).toBe(one.hash);
  });
});

it.each([true, false])('an intent that is lost is missed, left by an earlier obk: %j', async (earlier) => {
  const { stateDir, one } = await claimed();
  if (earlier) asEarlier(stateDir);
  rmSync(join(stateDir, 'intents', `${one.hash}.json`));
  const later = fileJournal({ stateDir, clock: fakeClock(), ids: fakeIds() });
  const missing = { code: 'STATE_UNREADABLE', detail: expect.stringContaining('missing') };
  // Under its key another payment may be meant.
  const other = intent({ run: later.run, fingerprint: 'a'.repeat(64) });
  await expect(later.intents.claim(other)).rejects.toMatchObject(missing);
  await expect(later.intents.like('acme', one.fingerprint)).rejects.toMatchObject(missing);
});

it('what a kill has left half written beside the intents is swept by the next run', async () => {
  const { stateDir } = await claimed();
  const half = join(stateDir, 'intents', 'tmp', `.obk-${pidSpace()}-${String(deadIdentity().pid)}-00.tmp`);
  writeFileSync(half, '');
  const later = fileJournal({ stateDir, clock: fakeClock(), ids: fakeIds() });
  await later.intents.noteResource('d'.repeat(64), 'p1');
  expect(existsSync(half)).toBe(false);
});

describe('payments and their authorisations', () => {
  const at = (hour: string) => `2026-11-21T${hour}:00:00.000Z`;

  it('that an earlier obk has left are listed in their order, found and replaced', async () => {
    const home = freshHome();
    const open = () => fileStore({ ...home, clock: fakeClock() }).resources;
    const left = open();
    for (const [id, hour] of [
      ['p1', '10'],
      ['p3', '12'],
    ] as const)
      await left.save(resource({ id, createdAt: at(hour) }));
    await left.saveConversation('acme', conversation({ parent: { kind: 'payment', id: 'p1' } }));
    asEarlier(home.stateDir);
    expect(readdirSync(join(home.stateDir, 'resources/acme/payment'))).toHaveLength(2);
    const now = open();
    for (const [id, hour] of [
      ['p2', '11'],
      ['p4', '12'],
    ] as const)
      await now.save(resource({ id, createdAt: at(hour) }));
    const ids = async () => (await open().list('acme', 'payment')).map(({ id }) => id);
    expect(await ids()).toEqual(['p4', 'p3', 'p2', 'p1']);
    expect((await open().find('acme', 'payment', 'p3'))?.id).toBe('p3');
    await open().save(resource({ id: 'p3', createdAt: at('12'), status: 'ACSC' }));
    expect((await open().find('acme', 'payment', 'p3'))?.status).toBe('ACSC');
    expect(await ids()).toEqual(['p4', 'p3', 'p2', 'p1']);
    expect(fullFiles(join(home.stateDir, 'resources'))).toHaveLength(4);
    const parent = { kind: 'payment', id: 'p1' } as const;
    expect(await open().conversations('acme', 'payment', 'p1')).toHaveLength(1);
    await open().saveConversation('acme', conversation({ parent, authorisationId: 'a1' }));
    expect((await open().conversations('acme', 'payment', 'p1')).map((one) => one.authorisationId)).toEqual([
      'a1',
    ]);
    expect(fullFiles(join(home.stateDir, 'conversations'))).toHaveLength(1);
  });

  it('are found by their id though what finds them is lost', async () => {
    const home = freshHome();
    const open = () => fileStore({ ...home, clock: fakeClock() }).resources;
    await open().save(resource({ id: 'p1' }));
    const root = join(home.stateDir, 'resources/acme/payment');
    const [hint = ''] = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((name) =>
      /^[0-9a-f]{2}.20/.test(name),
    );
    rmSync(join(root, dirname(hint)), { recursive: true });
    expect((await open().find('acme', 'payment', 'p1'))?.id).toBe('p1');
  });
});
