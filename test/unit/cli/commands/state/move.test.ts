// A home of real commands goes into a database and comes back as it was.
import { rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { postgresCredentials } from '../../../../../src/adapters/postgres/postgres-credentials.ts';
import { createCredentials } from '../../../../../src/adapters/secrets/conf-credentials.ts';
import { createClock } from '../../../../../src/adapters/system/system-clock.ts';
import { Secret } from '../../../../../src/base/secret.ts';
import { intent, resource } from '../../../../helpers/adapter-homes.ts';
import { prepared, runRecord, sending, write } from '../../../../helpers/journal-records.ts';
import { atHome, everythingAt, everythingIn, inDatabase, moved } from '../../../../helpers/moved-home.ts';
import { paidHome } from '../../../../helpers/paid-home.ts';
import type { PaidHome } from '../../../../helpers/paid-home.ts';
import {
  hasPostgres,
  stateEnvironment,
  testDatabase,
  testState,
  testVault,
} from '../../../../helpers/postgres.ts';

const shared = testDatabase();

const second = testDatabase();

describe.skipIf(!hasPostgres())('moving a home', () => {
  let paid: PaidHome;
  beforeAll(async () => {
    paid = await paidHome();
  });
  beforeEach(() => {
    shared.empty();
  });
  afterAll(async () => {
    await shared.end();
    await second.end();
    await paid.close();
  });

  it('into the database and back is the same, exact bytes and all, however often it is begun', async () => {
    const home = paid.whole.copy();
    const stateDir = join(home.folder, 'state');
    const out = join(home.folder, 'out', 'state');
    const counted = JSON.stringify(['consent', 'acme', 'c-ü']);
    const uses = [{ at: Date.now(), what: 'readBalances:' }];
    await atHome(stateDir, async ({ journal, usage }) => {
      await usage.update(counted, () => uses);
      await write(journal, runRecord(), prepared('e1'), sending('e1'), prepared('e2'));
    });
    const before = await everythingAt(stateDir);
    expect(before.rows.every((some) => some.length > 0)).toBe(true);
    expect(before.writes.length).toBeGreaterThan(1);
    const first = await moved(home, shared, 'state import');
    expect(first.find(({ kind }) => kind === 'intents')).toMatchObject({ moved: 5, same: 0 });
    expect(first.every(({ kind, moved: count }) => count > 0 || kind === 'credentials')).toBe(true);
    for (const { kind, moved: count } of await moved(home, shared, 'state import'))
      expect(count, kind).toBe(0);

    await moved(home, shared, 'state export --to out');
    for (const { kind, moved: count } of await moved(home, shared, 'state export --to out'))
      expect(count, kind).toBe(kind === 'credentials' ? 1 : 0);
    expect(await everythingAt(out)).toEqual(before);
    // The count of a key is found by that key.
    const there = testState(shared);
    for (const found of [
      await atHome(out, ({ usage }) => usage.read(counted)),
      await there.usage.read(counted),
    ]) {
      expect(found).toMatchObject([{ what: 'readBalances:' }]);
      expect(Math.abs((found[0]?.at ?? 0) - (uses[0]?.at ?? 0))).toBeLessThan(1000);
    }
    await there.close();
    // A state that is lost there is noticed as at home.
    for (const end of ['', '-wal', '-shm']) rmSync(join(out, `state.db${end}`), { force: true });
    expect(await atHome(out, ({ intents }) => intents.missing())).toBe(5);
    home.close();
  });

  it('does not forget that a write has left where only its intent says so', async () => {
    const home = paid.whole.copy();
    const elsewhere = testState({ ...shared, run: '20261121T110000000Z-elsewhere' });
    const [left, waiting] = ['a'.repeat(64), 'b'.repeat(64)];
    for (const hash of [left, waiting])
      await elsewhere.intents.claim(intent({ hash, run: elsewhere.journal.run }));
    await write(
      elsewhere.journal,
      ...[runRecord(), prepared('e1', { intent: left }), sending('e1'), prepared('e2', { intent: waiting })],
    );
    const open = (await elsewhere.journal.openWrites()).map(({ host: _, ...one }) => one);
    const exact = await elsewhere.journal.exact(elsewhere.journal.run, 'e1');
    expect(open.map(({ exchange }) => exchange)).toEqual(['e1']);
    await elsewhere.close();
    await moved(home, shared, 'state export --to out');
    await atHome(join(home.folder, 'out', 'state'), async ({ journal, intents }) => {
      expect(await journal.openWrites()).toEqual(
        open.map((one) => ({ ...one, alive: expect.any(Boolean) as boolean })),
      );
      expect(await journal.exact(elsewhere.journal.run, 'e1')).toEqual(exact);
      expect(await intents.find(left)).toMatchObject({ sent: true });
      expect(await intents.find(waiting)).toMatchObject({ sent: false });
    });
    home.close();
  });

  it('from the database into files and into another database loses nothing, not even whose it was', async () => {
    const home = paid.whole.copy();
    await moved(home, shared, 'state import');
    const elsewhere = testState({ ...shared, stateDir: '/elsewhere', run: '20261121T110000000Z-elsewhere' });
    await write(elsewhere.journal, runRecord(), prepared('e1'), sending('e1'));
    await elsewhere.resources.save(resource({ id: 'p-9' }));
    await elsewhere.credentials.update('acme', () => ({
      consentId: 'con-9',
      tokens: [{ token: new Secret('t') }],
    }));
    await elsewhere.credentials.machineKey();
    await elsewhere.usage.update('calls', () => [{ at: Date.now(), what: 'x' }]);
    await elsewhere.close();
    const before = await everythingIn(shared);
    expect(new Set(before.run?.map(({ machine }) => machine)).size).toBe(2);
    await moved(home, shared, 'state export --to out');
    const out = join(home.folder, 'out');
    const at = { OBK_CONFIG_DIR: join(out, 'config'), OBK_STATE_DIR: join(out, 'state') };
    const url = (await second.url()).reveal();
    const ran = await home.run(['state', 'import', '--json'], {
      env: { ...home.env, ...at, ...stateEnvironment(url) },
    });
    expect(ran.stderr).toBe('');
    expect(await everythingIn(second)).toEqual(before);
    home.close();
  });

  it('is the same state for the commands: nothing is paid twice, and what is unknown is unknown', async () => {
    const home = paid.whole.copy();
    const words = [
      ['payment', 'list', '--profile', 'acme', '--json'],
      ['pending', 'list', '--profile', 'acme', '--json'],
      ['log', 'list', '--profile', 'acme', '--json'],
    ];
    const before = await Promise.all(words.map((line) => home.run(line)));
    await moved(home, shared, 'state import');
    const there = await inDatabase(home, shared);
    for (const [at, line] of words.entries()) {
      const ran = await home.run(line, there);
      const found = JSON.parse(ran.stdout || '[]') as Record<string, unknown>[];
      const inFiles = JSON.parse(before[at]?.stdout || '[]') as Record<string, unknown>[];
      const isAdded = ([key, value]: [string, unknown], entry: number) =>
        ['host', 'run'].includes(key) && inFiles[entry]?.[key] === undefined && value !== null;
      const asInFiles = found.map((one, entry) =>
        Object.fromEntries(Object.entries(one).filter((member) => !isAdded(member, entry))),
      );
      expect(asInFiles, line.join(' ')).toEqual(inFiles);
      // What the files of one home need not say.
      if (line[0] === 'log') expect(found.every(({ host }) => host === hostname())).toBe(true);
    }
    for (const [amount, key] of [
      ['1.00', 'exempt'],
      ['201.00', 'lost'],
    ] as const) {
      await home.pay(amount, key, there);
      expect(paid.bank.made(amount), amount).toBe(1);
    }
    home.close();
  });

  it('takes the credentials of banks inside, and says whose key a password is known by', async () => {
    const home = paid.whole.copy();
    const credentials = createCredentials({
      ...{ configDir: join(home.folder, 'config'), stateDir: join(home.folder, 'state') },
      ...{ clock: createClock(), chosen: () => Promise.resolve(undefined) },
    });
    await credentials.update('sandbox@two', () => ({ consentId: 'con-of-two' }));
    await credentials.machineKey();
    await moved(home, shared, 'state import');
    const there = postgresCredentials({
      ...{ database: shared.open(), vault: testVault(), chosen: () => Promise.resolve(undefined) },
    });
    expect(await there.read('sandbox@two')).toEqual({ consentId: 'con-of-two' });
    const ofCredentials = async () =>
      (await moved(home, shared, 'state import')).find(({ kind }) => kind === 'credentials');
    expect(await ofCredentials()).not.toHaveProperty('note');
    writeFileSync(join(home.folder, 'state', 'machine.key'), `${'7'.repeat(64)}\n`);
    expect(await ofCredentials()).toMatchObject({ note: expect.stringContaining('--new') as unknown });
    home.close();
  });
});
