// Two homes with one database: each sees the runs of both, and means its own by @last.
import { mkdtempSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readFile } from 'node:fs/promises';
import { runInside } from '../../../../helpers/inside.ts';
import { oneError } from '../../../../helpers/one-error.ts';
import { hasPostgres, stateEnvironment, testDatabase, testState } from '../../../../helpers/postgres.ts';
import { answered, failed, prepared, sending } from '../../../../helpers/journal-records.ts';
import type { ExitCode } from '../../../../../src/base/errors.ts';
import type { JournalRecord } from '../../../../../src/settings/records/journal.ts';

const shared = testDatabase();

interface Listed {
  run: string;
  host?: string;
}

describe.skipIf(!hasPostgres())('the journal of two homes', () => {
  const folder = mkdtempSync(join(tmpdir(), 'obk-fleet-'));
  const stateDirs = { a: join(folder, 'a'), b: join(folder, 'b'), c: join(folder, 'c') };
  type Home = keyof typeof stateDirs;
  const runs = { early: '20261121T100000000Z-aaaaaaaa', failed: '20261121T110000000Z-bbbbbbbb' };
  const late = '20261121T120000000Z-cccccccc';

  async function begun(home: Home, run: string, last: JournalRecord, exit?: ExitCode) {
    const state = testState({ url: shared.url, stateDir: stateDirs[home], run });
    const at = '2026-11-21T10:00:00.000Z';
    const head = { type: 'run', at, version: '1', command: 'payment init', profile: 'sandbox' } as const;
    const write = prepared(`${run}-e1`, { requestId: `request-${run}` });
    const end: JournalRecord[] = exit === undefined ? [] : [{ type: 'ended', at, exit }];
    for (const record of [
      { ...head, environment: 'sandbox', pid: 1 } as const,
      write,
      sending(`${run}-e1`),
      last,
      ...end,
    ])
      await state.journal.append(record);
    await state.close();
  }
  const run = async (home: Home, words: string) =>
    runInside(words.split(' '), {
      cwd: folder,
      env: {
        ...process.env,
        ...stateEnvironment((await shared.url()).reveal()),
        OBK_PROFILE: 'sandbox',
        OBK_CONFIG_DIR: join(folder, 'config'),
        OBK_STATE_DIR: stateDirs[home],
      },
    });
  const json = async <T>(home: Home, words: string) => {
    const ran = await run(home, `${words} --json`);
    expect(ran.stderr).toBe('');
    return JSON.parse(ran.stdout) as T;
  };

  beforeAll(async () => {
    await begun('a', runs.early, answered(`${runs.early}-e1`, 'DONE'), 0);
    await begun('a', runs.failed, answered(`${runs.failed}-e1`, 'REJECTED'), 7);
    await begun('b', late, failed(`${late}-e1`, 'UNKNOWN'), 12);
  });
  afterAll(() => shared.end());

  it.each(['a', 'b', 'c'] as const)('is listed whole in home %s, with hosts', async (home) => {
    const listed = await json<Listed[]>(home, 'log list');
    expect(listed.map((one) => [one.run, one.host])).toEqual(
      [late, runs.failed, runs.early].map((one) => [one, hostname()]),
    );
    const calls = await json<Listed[]>(home, 'log tail');
    expect(calls.map((one) => [one.run, one.host])).toEqual(
      [runs.early, runs.failed, late].map((one) => [one, hostname()]),
    );
    const [pending, ...others] = await json<Listed[]>(home, 'pending list');
    expect(pending).toMatchObject({ run: late, host: hostname(), kind: 'unknown' });
    expect(others).toEqual([]);
    // Columns of their own at the end: the others are where they are with files.
    const ends = async (words: string, from: number) =>
      (await run(home, words)).stdout.split('\n')[0]?.split('\t').slice(from);
    expect(await ends('log list', -1)).toEqual([hostname()]);
    expect(await ends('log tail', -1)).toEqual([hostname()]);
    expect(await ends('pending list', -2)).toEqual([hostname(), late]);
  });

  it('means by @last and @failed the runs of its own home', async () => {
    const named = async (home: Home, id: string) => (await json<Listed>(home, `log show ${id}`)).run;
    expect(await named('a', '@last')).toBe(runs.failed);
    expect(await named('a', '@last-1')).toBe(runs.early);
    expect(await named('a', '@failed')).toBe(runs.failed);
    expect(await named('b', '@last')).toBe(late);
    expect(await named('b', '@failed')).toBe(late);
    // By its id, each names those of the others too.
    expect(await named('b', runs.early)).toBe(runs.early);
    for (const [home, id] of [
      ['c', '@last'],
      ['b', '@last-1'],
      ['a', '@failed-1'],
    ] as const)
      expect(oneError(await run(home, `log show ${id} --json`))).toMatchObject({
        code: 'RESOURCE_NOT_SAVED',
        detail: expect.stringContaining('runs of this machine') as unknown,
      });
  });

  it('tells run and host in the report', async () => {
    const file = join(folder, 'report.html');
    const told = await json<{ runs: Listed[] }>('b', `report ${runs.failed} --output ${file}`);
    expect(told.runs).toEqual([{ run: runs.failed, host: hostname() }]);
    expect(await readFile(file, 'utf8')).toContain(`${runs.failed} on ${hostname()}`);
  });
});
