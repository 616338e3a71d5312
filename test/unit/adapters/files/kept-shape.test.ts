import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { hasShape } from '../../../../src/adapters/files/kept-shape.ts';
import type { Shape } from '../../../../src/adapters/files/kept-shape.ts';
import { seal, unsealFile } from '../../../../src/adapters/files/sealed.ts';
import { conversation, freshHome, fullFiles, intent } from '../../../helpers/adapter-homes.ts';
import { fakeClock, fakeIds, startOfTime } from '../../../helpers/fakes/index.ts';
import { runFiles } from '../../../../src/adapters/state/run-files.ts';
import { fileJournal, fileStore } from '../../../helpers/file-store.ts';

describe('a document has a shape', () => {
  const good: [Shape[string], unknown, unknown[]][] = [
    ['text', 'x', [1, null, ['x'], {}]],
    ['instant', startOfTime, ['yesterday', '', 5, null]],
    ['number', 1, ['1', null]],
    ['flag', false, ['false', 0, null]],
    ['object', {}, [[], null, 'x']],
    ['objects', [{}], [{}, [null], [[]], 'x']],
    ['texts', ['x'], ['x', [1], [null]]],
    ['textsByName', { a: 'x' }, [{ a: 1 }, { a: null }, ['x'], null]],
    ['pairs', [['a', 'b']], [[['a']], [['a', 1]], [true], 'x', {}]],
  ];
  it.each(good)('%s', (kind, value, others) => {
    expect(hasShape({ it: value }, { it: kind })).toBe(true);
    for (const other of others)
      expect(hasShape({ it: other }, { it: kind }), JSON.stringify(other)).toBe(false);
    expect(hasShape({}, { it: kind })).toBe(false);
    expect(hasShape({}, { it: `${kind}?` as Shape[string] })).toBe(true);
    expect(hasShape({ it: null }, { it: `${kind}?` as Shape[string] })).toBe(false);
  });
  it.each([null, [], 'x', 1])('%j has none', (json) => {
    expect(hasShape(json, {})).toBe(false);
  });
});

describe('a file that is whole and does not hold what obk writes is STATE_UNREADABLE', () => {
  it.each([
    ['startedAt', undefined],
    ['startedAt', 'yesterday'],
    ['steering', { scaStatus: 1 }],
    ['unknownLinks', null],
    ['sent', [null]],
    ['parent', null],
  ])('a conversation with %s: %j', async (name, value) => {
    const home = freshHome();
    const store = fileStore({ ...home, clock: fakeClock() });
    await store.resources.saveConversation('acme', conversation());
    const [file = ''] = fullFiles(join(home.stateDir, 'conversations', 'acme', 'payment'));
    writeFileSync(file, JSON.stringify({ ...conversation(), [name]: value }));
    await expect(store.resources.conversations('acme', 'payment', 'p1')).rejects.toMatchObject({
      code: 'STATE_UNREADABLE',
    });
  });

  it.each([
    ['headers', true],
    ['headers', [true]],
    ['at', 5],
    ['type', '__proto__'],
    ['status', '200'],
    ['messages', [null]],
  ])('a record of the journal with %s: %j', async (name, value) => {
    const { stateDir } = freshHome();
    const journal = fileJournal({ stateDir, clock: fakeClock(), ids: fakeIds() });
    const file = runFiles(join(stateDir, 'journal')).newPath(journal.run);
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    const record = {
      ...{ type: 'answered', at: startOfTime, exchange: 'e', outcome: 'DONE', status: 200 },
      ...{ headers: [], body: '', durationMs: 1 },
    };
    writeFileSync(file, seal(record));
    expect(await journal.read(journal.run)).toEqual([record]);
    writeFileSync(file, seal({ ...record, [name]: value }));
    const again = fileJournal({ stateDir, clock: fakeClock(), ids: fakeIds() });
    await expect(again.read(journal.run)).rejects.toMatchObject({ code: 'STATE_UNREADABLE' });
  });

  it.each([
    ['chosen', 'text'],
    ['sent', 'false'],
    ['settled', true],
    ['settled', { created: 'no' }],
    ['resourceId', 1],
    ['createdAt', 'yesterday'],
  ])('an intent with %s: %j', async (name, value) => {
    const { stateDir } = freshHome();
    const journal = fileJournal({ stateDir, clock: fakeClock(), ids: fakeIds() });
    await journal.intents.claim(intent({ run: journal.run }));
    const file = join(stateDir, 'intents', `${intent().hash}.json`);
    writeFileSync(file, seal({ ...unsealFile(readFileSync(file, 'utf8')), [name]: value }));
    await expect(journal.intents.find(intent().hash)).rejects.toMatchObject({ code: 'STATE_UNREADABLE' });
  });
});
