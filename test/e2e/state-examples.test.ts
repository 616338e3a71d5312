import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { helpExamples } from '../../src/cli/program/pages.ts';
import { wordsOf } from '../helpers/example-words.ts';
import { insideOf } from '../helpers/inside.ts';
import { createObk, payShop } from '../helpers/obk.ts';
import type { Obk } from '../helpers/obk.ts';
import { hasPostgres, stateEnvironment, testDatabase } from '../helpers/postgres.ts';
import type { TestDatabase } from '../helpers/postgres.ts';

/** Every example of the pages of a shared state runs as it stands, in the order of the pages, with one database. */
const examples = (await helpExamples()).filter(({ path }) => path.startsWith('state '));

/** What is about the files of a home. */
const isOfHome = (path: string, example: string) =>
  ['state verify', 'state backup'].includes(path) || example.includes('--recovered');

it('there are some', () => {
  expect(examples.length).toBeGreaterThan(8);
});

describe.skipIf(!hasPostgres())('every example of a shared state', () => {
  let obk: Obk;
  let database: TestDatabase;
  let daily: Readonly<Record<string, string>>;
  let owner: string;

  beforeAll(async () => {
    obk = createObk();
    await obk.json([...payShop, '--json', '--psu-id', 'embedded-choice', '--no-input']);
    database = testDatabase();
    daily = stateEnvironment((await database.url()).reveal());
    owner = (await database.adminUrl()).reveal();
    // A state is not exported while somebody else is connected.
    await database.end();
  }, 60_000);
  afterAll(async () => {
    await database.end();
    obk.close();
  });

  /** What SQLite has saved of the state, which is gone. */
  async function saved(): Promise<void> {
    await insideOf(obk).run(['state', 'backup', 'recovered.db']);
    for (const end of ['', '-wal', '-shm'])
      rmSync(join(obk.env['XDG_STATE_HOME'] ?? '', 'obk', `state.db${end}`), { force: true });
  }

  it.each(examples.map(({ path, example }) => [example, path] as const))('%s', async (example, path) => {
    const { program, args, env } = wordsOf(example);
    expect(program).toBe('obk');
    // The tables are made by their owner, also where the example does not say so.
    const as = path === 'state init' ? { ...daily, OBK_STATE_URL: owner } : daily;
    if (example.includes('--recovered')) await saved();
    const { code, stderr } = await insideOf(obk).run(args, {
      env: isOfHome(path, example) ? env : { ...as, OBK_OWNER_URL: owner, ...env },
    });
    expect({ code, stderr: code === 0 ? '' : stderr }).toEqual({ code: 0, stderr: '' });
  });
});
