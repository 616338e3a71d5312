// What is sealed shows nothing in a dump, and passes from one key to the next while both are in use.
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { rekey } from '../../../src/adapters/shared-state/rekey.ts';
import { tables } from '../../../src/adapters/postgres/schema.ts';
import { sealedColumns } from '../../../src/adapters/postgres/sealed-columns.ts';
import { createVault } from '../../../src/adapters/postgres/vault.ts';
import type { JournalRecord } from '../../../src/records/journal.ts';
import { Secret } from '../../../src/secret.ts';
import { conversation, intent, resource } from '../../helpers/adapter-homes.ts';
import { failedWith } from '../../helpers/failed-with.ts';
import { leaked } from '../../helpers/leaks.ts';
import { hasPostgres, testDatabase, testKey, testState } from '../../helpers/postgres.ts';
import { answered, prepared, runRecord, sending } from '../../helpers/journal-records.ts';

const shared = testDatabase();
const other = '77'.repeat(32);
const vaultOf = (...keys: [string, ...string[]]) =>
  createVault(keys.map((key) => new Secret(key)) as [Secret, ...Secret[]]);

/** One text of its own for each thing that must not be read, wherever it is kept. */
const canaries = {
  name: 'Zoë-Canary-4711',
  account: 'DE02120300000000202051',
  body: '{"remittance":"body-canary-8812"}',
  header: 'Bearer-canary-header-5523',
  token: 'token-canary-11d7a0',
  refresh: 'refresh-canary-77b1',
  verifier: 'verifier-canary-90aa',
  psu: 'psu-canary-erika',
  url: 'https://bank.example/v1/payments/url-canary-31',
  usage: 'consent-canary DE0212',
  key: 'intent-key-canary',
};

async function fill(keys: readonly string[] = [testKey]): Promise<void> {
  const state = testState({ ...shared, keys });
  const made = { creditorName: canaries.name, creditorAccount: canaries.account };
  const payment = resource({ summary: made });
  const unnamed = conversation({ psuId: canaries.psu });
  await state.intents.claim(intent({ run: state.journal.run, key: canaries.key, summary: made }));
  const records: JournalRecord[] = [
    runRecord(),
    prepared('x1', {
      ...{ url: canaries.url, body: canaries.body, headers: [['Authorization', canaries.header]] },
      exact: { headers: [['Authorization', canaries.header]], body: canaries.body },
    }),
    sending('x1'),
    { ...(answered('x1', 'UNKNOWN') as Extract<JournalRecord, { type: 'answered' }>), body: canaries.body },
  ];
  for (const record of records) await state.journal.append(record, { durable: true });
  await state.journal.keep('x1', { resource: payment, conversation: unnamed });
  await state.resources.save(payment);
  await state.resources.saveConversation('acme', unnamed);
  await state.credentials.update('acme', () => ({
    token: new Secret(canaries.token),
    tokens: [
      { psuId: canaries.psu, token: new Secret(canaries.token), refreshToken: new Secret(canaries.refresh) },
    ],
    verifiers: [{ state: 's', verifier: new Secret(canaries.verifier), at: '2026-11-21T10:00:00.000Z' }],
  }));
  await state.credentials.machineKey();
  await state.usage.update(canaries.usage, () => [{ at: 1_000, what: canaries.account }]);
  await state.close();
}

/** What a dump of all tables holds: every value of every row as text. */
async function dump(): Promise<string> {
  const administrator = await shared.administer();
  const all: string[] = [];
  for (const table of tables) {
    const rows = await administrator.rows<{ text: string }>(`SELECT t::text AS text FROM ${table} AS t`);
    expect(rows.length, table).toBeGreaterThan(0);
    all.push(...rows.map(({ text }) => text));
  }
  return all.join('\n');
}

async function known(keys: readonly string[]) {
  const state = testState({ ...shared, keys });
  const found = {
    intents: await state.intents.like('acme', intent({}).fingerprint),
    records: await state.journal.read(state.journal.run),
    open: await state.journal.openWrites(),
    resources: await state.resources.list('acme', 'payment'),
    conversations: await state.resources.conversations('acme', 'payment', 'p1'),
    token: (await state.credentials.read('acme')).token?.reveal(),
    machine: (await state.credentials.machineKey()).reveal(),
    usage: (await state.usage.read(canaries.usage)).map(({ what }) => what),
  };
  await state.close();
  return found;
}

describe.skipIf(!hasPostgres())('the key of a shared state', () => {
  beforeEach(() => {
    shared.empty();
  });
  afterAll(() => shared.end());

  it('is what a dump needs to tell anything', async () => {
    await fill();
    expect(leaked(await dump(), Object.values(canaries))).toEqual([]);
  });

  it('is in every column that can be sealed', async () => {
    const columns = await (
      await shared.administer()
    ).rows<{ at: string }>(
      `SELECT table_name || '.' || column_name AS at FROM information_schema.columns
        WHERE table_schema = 'obk' AND data_type = 'bytea' ORDER BY 1`,
    );
    // Ids of banks and keyed hashes.
    const clear = [
      'conversation.parent',
      'conversation.slot',
      'intent.content',
      'intent.resource_id',
      'resource.id',
      'usage.key',
    ];
    const sealed = sealedColumns.map(({ table, column }) => `${table}.${column}`);
    expect(columns.map(({ at }) => at)).toEqual([...clear, ...sealed].sort());
  });

  it('passes to another: all is there before, between and after', async () => {
    await fill();
    const before = await known([testKey]);
    expect(before.usage).toEqual([canaries.account]);
    expect(before.intents).toHaveLength(1);
    expect(await known([other, testKey])).toEqual(before);
    const database = shared.open();
    // Killed after the first table: what is done is done.
    const stopped = rekey(database, vaultOf(other, testKey), ({ kind }) => {
      if (kind === 'records of the journal') throw new Error('killed');
    });
    await expect(stopped).rejects.toThrow('killed');
    expect(await known([testKey, other])).toEqual(before);
    expect(await known([other, testKey])).toEqual(before);
    const done = await rekey(database, vaultOf(other, testKey), () => undefined);
    expect(
      done.every(({ kind, sealed }) => ['intents', 'records of the journal'].includes(kind) || sealed > 0),
    ).toBe(true);
    expect(await known([other])).toEqual(before);
    expect((await rekey(database, vaultOf(other), () => undefined)).every(({ sealed }) => sealed === 0)).toBe(
      true,
    );
  });

  it('counts in one row for machines that have the two keys in another order', async () => {
    const both = [
      testState({ ...shared, keys: [testKey, other] }),
      testState({ ...shared, keys: [other, testKey] }),
    ];
    await Promise.all(
      Array.from({ length: 20 }, (_, turn) =>
        both[turn % 2]!.usage.update('calls', (uses) => [...uses, { at: turn, what: String(turn) }]),
      ),
    );
    expect(await both[0]!.usage.read('calls')).toHaveLength(20);
    for (const one of both) await one.close();
  });

  it('is not thrown away while values of another are there, and a damaged value stops no other', async () => {
    await fill();
    const database = shared.open();
    const lost = rekey(database, vaultOf(other), () => undefined);
    expect(await failedWith(lost)).toMatchObject({
      code: 'STATE_UNREADABLE',
      detail: expect.stringContaining('nothing was changed') as unknown,
    });
    await (
      await shared.administer()
    ).rows('UPDATE intent SET record = set_byte(record, 60, 255 - get_byte(record, 60))');
    const damaged = rekey(database, vaultOf(other, testKey), () => undefined);
    expect(await failedWith(damaged)).toMatchObject({
      code: 'STATE_UNREADABLE',
      title: expect.stringMatching(/^1 values/) as unknown,
    });
    expect((await known([other, testKey]).catch(() => undefined)) ?? 'damaged').toBe('damaged');
    const state = testState({ ...shared, keys: [other] });
    expect((await state.credentials.read('acme')).token?.reveal()).toBe(canaries.token);
    await state.close();
  });
});
