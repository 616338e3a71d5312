import { describe, expect, it } from 'vitest';
import { conversations, intents, records, resources, uses } from '../../../../src/client/state/tables.ts';
import type { Table } from '../../../../src/client/state/tables.ts';
import { conversation, freshHome, intent, resource } from '../../../helpers/adapter-homes.ts';
import { fakeClock, startOfTime } from '../../../helpers/fakes/index.ts';
import { stateAtHome } from '../../../helpers/file-store.ts';
import { rewrite } from '../../../helpers/state-file.ts';

describe('a row that is whole and does not hold what obk writes is STATE_UNREADABLE', () => {
  const unreadable = { code: 'STATE_UNREADABLE', exit: 3 };

  /** A home, and how the record in a column of its first row becomes another. */
  function planted(file: 'state' | 'log', of: Table, column = 'record') {
    const { stateDir } = freshHome();
    const open = () => stateAtHome({ stateDir, clock: fakeClock() });
    const plant = (record: unknown) => {
      rewrite(stateDir, file, of, (row) => ({ ...row, [column]: Buffer.from(JSON.stringify(record)) }));
    };
    return { open, plant };
  }

  it.each([
    ['startedAt', undefined],
    ['startedAt', 'yesterday'],
    ['steering', { scaStatus: 1 }],
    ['unknownLinks', null],
    ['sent', [null]],
    ['parent', null],
    ['parent', { kind: 1, id: 'p1' }],
  ])('is STATE_UNREADABLE as a conversation with %s: %j', async (name, value) => {
    const { open, plant } = planted('state', conversations);
    await open().resources.saveConversation('acme', conversation());
    const all = () => open().resources.conversations('acme', 'payment', 'p1');
    plant({ ...conversation(), later: 1 });
    expect(await all()).toEqual([{ ...conversation(), later: 1 }]);
    plant({ ...conversation(), [name]: value });
    await expect(all()).rejects.toMatchObject(unreadable);
  });

  it.each([
    ['id', 1],
    ['id', 'p2'],
    ['profile', 'other'],
    ['noun', 'consent'],
    ['links', undefined],
    ['links', { self: 1 }],
    ['createdAt', 'yesterday'],
    ['status', null],
  ])('is STATE_UNREADABLE as a payment with %s: %j', async (name, value) => {
    const { open, plant } = planted('state', resources);
    await open().resources.save(resource());
    plant({ ...resource(), later: 1 });
    expect(await open().resources.find('acme', 'payment', 'p1')).toEqual({ ...resource(), later: 1 });
    plant({ ...resource(), [name]: value });
    await expect(open().resources.find('acme', 'payment', 'p1')).rejects.toMatchObject(unreadable);
    await expect(open().resources.list('acme', 'payment')).rejects.toMatchObject(unreadable);
  });

  it('is not a payment with an id that no text may hold', async () => {
    const { open } = planted('state', resources);
    for (const id of ['p\0x', '\ud800', 'é', '../x']) await open().resources.save(resource({ id }));
    expect(await open().resources.list('acme', 'payment')).toHaveLength(4);
  });

  it.each([null, [], 'x', 1, true])('is STATE_UNREADABLE as a payment that is %j', async (record) => {
    const { open, plant } = planted('state', resources);
    await open().resources.save(resource());
    plant(record);
    await expect(open().resources.list('acme', 'payment')).rejects.toMatchObject(unreadable);
  });

  it.each([
    ['headers', true],
    ['headers', [true]],
    ['at', 5],
    ['type', '__proto__'],
    ['status', '200'],
    ['messages', [null]],
  ])('is STATE_UNREADABLE as a record of the journal with %s: %j', async (name, value) => {
    const { open, plant } = planted('log', records);
    const record = {
      ...({ type: 'answered', at: startOfTime, exchange: 'e', outcome: 'DONE', status: 200 } as const),
      ...{ headers: [], body: '', durationMs: 1 },
    };
    await open().journal.append(record);
    plant({ ...record, later: 1 });
    expect(await open().journal.read('run')).toEqual([{ ...record, later: 1 }]);
    plant({ ...record, [name]: value });
    await expect(open().journal.read('run')).rejects.toMatchObject({
      ...unreadable,
      detail: expect.stringContaining('Run run') as string,
    });
  });

  it.each([
    ['chosen', 'text'],
    ['summary', true],
    ['hash', 1],
    ['bodyHash', undefined],
    ['createdAt', 'yesterday'],
  ])('is STATE_UNREADABLE as an intent with %s: %j', async (name, value) => {
    const { open, plant } = planted('state', intents);
    await open().intents.claim(intent());
    const { run: _, ...record } = intent();
    plant({ ...record, later: 1 });
    expect(await open().intents.find(intent().hash)).toMatchObject({ later: 1, run: 'run', sent: false });
    plant({ ...record, [name]: value });
    await expect(open().intents.find(intent().hash)).rejects.toMatchObject(unreadable);
    expect(await open().intents.broken('')).toMatchObject([{ hash: intent().hash, profile: 'acme' }]);
  });

  it.each([
    ['created', 'no'],
    ['at', 5],
    ['by', undefined],
  ])('is STATE_UNREADABLE as an intent whose end has %s: %j', async (name, value) => {
    const { open, plant } = planted('state', intents, 'ending');
    const end = { created: false, at: startOfTime, by: 'person', reason: 'none' } as const;
    await open().intents.claim(intent());
    await open().intents.settle(intent().hash, end);
    plant({ ...end, [name]: value });
    await expect(open().intents.find(intent().hash)).rejects.toMatchObject(unreadable);
    await expect(open().intents.claim(intent({ run: 'later' }))).rejects.toMatchObject(unreadable);
  });

  it.each([{ uses: 'x' }, { uses: [{ at: 'x', what: 'y' }] }, { uses: [null] }, {}, null])(
    'is STATE_UNREADABLE as a count of calls that is %j',
    async (record) => {
      const { open, plant } = planted('log', uses);
      await open().usage.update('acme', () => [{ at: 1, what: 'x' }]);
      plant(record);
      await expect(open().usage.read('acme')).rejects.toMatchObject(unreadable);
      await expect(open().usage.update('acme', () => [])).rejects.toMatchObject(unreadable);
    },
  );
});
