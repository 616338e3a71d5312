// `obk state` against a server of its own: as the owner of the schema, and as the role that it prints.
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { createDatabase } from '../../../../../src/adapters/postgres/database.ts';
import { schemaVersion } from '../../../../../src/adapters/postgres/schema.ts';
import { createClock } from '../../../../../src/adapters/system/system-clock.ts';
import type { StateVerified } from '../../../../../src/client/ports/state-store.ts';
import { intent } from '../../../../helpers/adapter-homes.ts';
import { runInside } from '../../../../helpers/inside.ts';
import { oneError } from '../../../../helpers/one-error.ts';
import { hasPostgres, testDatabase, testKey, testState } from '../../../../helpers/postgres.ts';

const bare = testDatabase({ tables: false });
const shared = testDatabase();

interface Finding {
  check: string;
  state: string;
  text: string;
  hint: string | null;
}

describe.skipIf(!hasPostgres())('obk state', () => {
  const folder = mkdtempSync(join(tmpdir(), 'obk-state-'));
  const env = {
    ...process.env,
    OBK_CONFIG_DIR: join(folder, 'config'),
    OBK_STATE_DIR: join(folder, 'state'),
    OBK_STATE_URL_FROM: 'env:OBK_STATE_URL',
    OBK_STATE_KEY_FROM: 'env:OBK_STATE_KEY',
    OBK_STATE_KEY: testKey,
  };
  const run = async (
    words: string,
    { url = shared.url, ...more }: { url?: typeof shared.url; [name: string]: unknown } = {},
  ) =>
    runInside(words.split(' '), {
      ...{
        cwd: folder,
        env: { ...env, OBK_STATE_URL: (await url()).reveal(), ...(more as NodeJS.ProcessEnv) },
      },
    });
  const findings = async (more: Parameters<typeof run>[1] = {}): Promise<readonly Finding[]> => {
    const { stdout } = await run('state doctor --json', more);
    return (JSON.parse(stdout) as { findings: Finding[] }).findings;
  };
  const bad = async (more: Parameters<typeof run>[1] = {}) =>
    (await findings(more)).filter(({ state, check }) => state !== 'ok' && check !== 'durable');

  beforeEach(() => {
    shared.empty();
  });
  afterAll(async () => {
    await bare.end();
    await shared.end();
  });

  it('is made by its owner, and used by the role that the printed SQL makes', async () => {
    const owner = { url: bare.adminUrl, OBK_STATE_SCHEMA: 'team_a' };
    expect(oneError(await run('state status --json', owner)).code).toBe('STATE_UNREADABLE');
    expect(oneError(await run('state migrate --json', owner)).hint[0]).toMatch(/^obk state init/);
    expect((await bad(owner)).map(({ check, hint }) => [check, hint])).toEqual([
      ['schema', 'obk state init'],
    ]);
    const made = await run('state init --role team.runner-1', owner);
    expect(made).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^-- Made: schema team_a of /) as unknown,
    });
    const administrator = createDatabase({ url: bare.adminUrl, clock: createClock(), anySchema: true });
    await administrator.rows(made.stdout);
    // Both may be run again.
    expect((await run('state init --role team.runner-1', owner)).stdout).toMatch(/^-- Nothing to do:/);
    await administrator.rows(made.stdout);
    await administrator.close();
    const runner = async () => {
      const { Secret } = await import('../../../../../src/base/secret.ts');
      return new Secret((await bare.adminUrl()).reveal().replace('//keeper@', '//team.runner-1@'));
    };
    expect(await bad({ url: runner, OBK_STATE_SCHEMA: 'team_a' })).toEqual([]);
    const state = testState({ url: runner, schema: 'team_a' });
    expect(await state.intents.claim(intent({ run: 'one' }))).toMatchObject({ claimed: true });
    await state.usage.update('calls', () => [{ at: 1, what: 'x' }]);
    await state.credentials.update('acme', () => ({ consentId: 'c1' }));
    await state.locks.exclusively('it', 100, () => Promise.resolve());
    expect(await state.journal.openWrites()).toEqual([]);
    expect(await state.resources.list('acme', 'payment')).toEqual([]);
    await state.close();
    expect(oneError(await run('state migrate --json', { url: runner })).code).toBe('STATE_UNREADABLE');
  });

  it('is not touched where a newer obk has made it', async () => {
    const administrator = await shared.administer();
    await administrator.rows('INSERT INTO migration (version) VALUES ($1)', [schemaVersion + 1]);
    try {
      const owner = { url: shared.adminUrl };
      for (const verb of ['init', 'migrate', 'status'])
        expect(oneError(await run(`state ${verb} --json`, owner)).code).toBe('STATE_NEWER');
      expect(await bad()).toMatchObject([{ check: 'schema', hint: 'Use the newer obk.' }]);
    } finally {
      await administrator.rows('DELETE FROM migration WHERE version > $1', [schemaVersion]);
    }
  });

  it('says what is in it, and what is unknown', async () => {
    const state = testState(shared);
    await state.journal.append({
      type: 'run',
      at: '2026-11-21T10:00:00.000Z',
      version: '1',
      command: 'payment init',
      profile: 'acme',
      environment: 'test',
      pid: 1,
    });
    await state.resources.list('acme', 'payment');
    await state.credentials.update('shop', () => ({ consentId: 'c1' }));
    const { stdout, stderr } = await run('state status --json');
    expect(stderr).toBe('');
    await state.close();
    expect(JSON.parse(stdout)).toMatchObject({
      ...{ schema: 'obk', schemaVersion, supportedVersion: schemaVersion, profiles: ['acme', 'shop'] },
      engine: expect.stringMatching(/^PostgreSQL \d+\.\d+/) as unknown,
      // With the key that all machines share, which the first write has made.
      keys: [{ values: 3, known: true, current: true }],
      unknown: { count: 0, oldest: null },
    });
    const { kinds, sessions } = JSON.parse(stdout) as {
      kinds: { kind: string; count: number; bytes: number }[];
      sessions: { self: boolean }[];
    };
    expect(kinds.find(({ kind }) => kind === 'runs')).toMatchObject({ count: 1 });
    expect(kinds.every(({ bytes }) => bytes > 0)).toBe(true);
    expect(sessions.filter(({ self }) => self)).toHaveLength(1);
    expect(sessions.length).toBeGreaterThan(1);
  });

  it('is read row by row, and each that is damaged or of another key is named', async () => {
    const state = testState(shared);
    await state.intents.claim(intent({ run: 'one' }));
    await state.credentials.update('acme', () => ({ consentId: 'c1' }));
    await state.close();
    const verified = async (more: Parameters<typeof run>[1] = {}) => {
      const { code, stdout } = await run('state verify --json', more);
      const { places, faults } = JSON.parse(stdout) as StateVerified;
      return { code, rows: places[0]?.rows, faults: faults.map(({ table, key }) => [table, key]) };
    };
    const key = ['intent', intent().hash];
    expect(await verified()).toEqual({ code: 0, rows: 3, faults: [] });
    const administrator = await shared.administer();
    await administrator.rows("UPDATE intent SET state = 'made'");
    expect(await verified()).toEqual({ code: 10, rows: 3, faults: [key] });
    const other = await verified({ OBK_STATE_KEY: '11'.repeat(32) });
    expect(other).toMatchObject({ code: 10, rows: 3, faults: { length: 3 } });
  });

  it('names each thing that is wrong, and what mends it', async () => {
    const checks = async (more: Parameters<typeof run>[1] = {}) =>
      (await bad(more)).map(({ check, state, hint }) => [check, state, hint]);
    expect(await checks()).toEqual([]);
    // As the owner, as somebody with too little, with another key, at another place.
    expect(await checks({ url: shared.adminUrl })).toMatchObject([
      ['privileges', 'warn', expect.stringContaining('state init')],
    ]);
    const administrator = await shared.administer();
    await administrator.rows('REVOKE DELETE ON usage FROM obk');
    expect(await checks()).toMatchObject([
      ['privileges', 'fail', expect.stringContaining('state init --role obk')],
    ]);
    await administrator.rows('GRANT DELETE ON usage TO obk');
    const state = testState(shared);
    await state.credentials.update('acme', () => ({ consentId: 'c1' }));
    await state.close();
    const other = { OBK_STATE_KEY: '11'.repeat(32) };
    expect(await checks(other)).toMatchObject([['key', 'fail', expect.stringContaining('oldKeyFrom')]]);
    const both = { ...other, OBK_STATE_OLD_KEY_FROM: 'env:OBK_OLD', OBK_OLD: testKey };
    expect(await checks(both)).toEqual([['key', 'warn', 'obk state rekey']]);
    expect(await checks({ OBK_STATE_KEY: 'short' })).toMatchObject([
      ['key', 'fail', expect.stringContaining('openssl')],
    ]);
    expect(await checks({ OBK_STATE_URL: 'postgres://me:sesame@/state?host=/nowhere' })).toMatchObject([
      ['reachable', 'fail', 'Run it again when the database can be reached.'],
    ]);
    const shown = await run('state doctor', { OBK_STATE_URL: 'postgres://me:sesame@/state?host=/nowhere' });
    expect(shown.code).toBe(10);
    expect(shown.stdout + shown.stderr).not.toContain('sesame');
  });

  it('is named by doctor, with what is wrong, and never with a password', async () => {
    const said = async (more: Parameters<typeof run>[1] = {}) => {
      const { stdout } = await run('doctor --profile sandbox --offline --json', more);
      const { findings: all } = JSON.parse(stdout) as { findings: Finding[] };
      return all.filter(({ check }) => check === 'state').map(({ text }) => text);
    };
    expect(await said()).toEqual([expect.stringMatching(/^PostgreSQL \/.*, schema obk$/)]);
    expect(await said({ OBK_STATE_URL_FROM: '' })).toEqual([join(folder, 'state')]);
    const told = await run('doctor --profile sandbox --offline', {
      OBK_STATE_URL: 'postgres://me:sesame@/state?host=/nowhere',
    });
    expect(told.stdout + told.stderr).not.toContain('sesame');
  });

  it('asks for what is missing, and takes no secret on the command line', async () => {
    const nothing = { OBK_STATE_URL_FROM: '', OBK_STATE_KEY_FROM: '' };
    for (const verb of ['import', 'rekey', 'export --to x'])
      expect(oneError(await run(`state ${verb} --json`, nothing))).toMatchObject({ code: 'PROFILE_INVALID' });
    const given = await run('state status --json --url-from postgres://me:sesame@db/state');
    expect(oneError(given).code).toBe('USAGE');
    expect(given.stderr).not.toContain('sesame');
    // A schema is made by those who have no key.
    expect((await run('state init --json', { url: shared.adminUrl, OBK_STATE_KEY_FROM: '' })).code).toBe(0);
  });
});
