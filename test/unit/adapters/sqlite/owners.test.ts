// Whether the run that has an intent or an open write may still go on: by what is known of its process.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { ownIdentity } from '../../../../src/adapters/system/process-identity.ts';
import type { ProcessIdentity } from '../../../../src/adapters/system/process-identity.ts';
import { deadIdentity, freshHome, intent, livingProcess } from '../../../helpers/adapter-homes.ts';
import { fakeClock, fakeIds, startOfTime } from '../../../helpers/fakes/index.ts';
import { fileJournal } from '../../../helpers/file-store.ts';
import { prepared, runRecord, sending, write } from '../../../helpers/journal-records.ts';

const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

const statOf = (pid: number): string[] => {
  const stat = readFileSync(`/proc/${String(pid)}/stat`, 'utf8');
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
};

/** A process that has ended, and whose parent does not ask how. */
async function zombie(): Promise<ProcessIdentity> {
  // It ends after exec: the shell would take its end, and leave no zombie.
  const parent = spawn('sh', ['-c', 'sleep 0.5 & echo $!; exec sleep 1000'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  ends.push(() => parent.kill('SIGKILL'));
  const pid = Number(
    await new Promise((resolve) =>
      parent.stdout.once('data', (data) => {
        resolve(String(data));
      }),
    ),
  );
  await vi.waitUntil(() => statOf(pid)[0] === 'Z', { timeout: 30_000, interval: 5 });
  return { ...ownIdentity(), pid, startTime: statOf(pid)[19] ?? '' };
}

function living(): ProcessIdentity {
  const { identity, end } = livingProcess();
  ends.push(end);
  return identity;
}

const owners: [string, () => ProcessIdentity | Promise<ProcessIdentity>, string, boolean][] = [
  ['that lives', living, startOfTime, true],
  ['that has ended', deadIdentity, startOfTime, false],
  ['with a pid that another process has now', () => ({ ...living(), startTime: '1' }), startOfTime, false],
  ['that is a zombie', zombie, startOfTime, false],
  ['of an earlier boot', () => ({ ...living(), bootId: 'x' }), startOfTime, false],
  [
    'of another container, lately',
    () => ({ ...living(), namespace: 'pid:[1]' }),
    '2026-11-20T10:00:01.000Z',
    true,
  ],
  [
    'of another container, a day ago',
    () => ({ ...living(), namespace: 'pid:[1]' }),
    '2026-11-20T09:59:00.000Z',
    false,
  ],
];

describe.each(owners)('an owner %s', (_case, make, began, alive) => {
  async function opened() {
    const { stateDir } = freshHome();
    const before = fakeClock({ at: began });
    const processInfo = await make();
    const first = fileJournal({ stateDir, clock: before, ids: fakeIds(), processInfo });
    const later = fileJournal({
      stateDir,
      clock: fakeClock(),
      ids: fakeIds(),
      run: '20261121T100000000Z-later',
    });
    return { first, later };
  }

  it('keeps or loses an intent', async () => {
    const { first, later } = await opened();
    await first.intents.claim(intent({ run: first.run, createdAt: began }));
    const mine = intent({ run: later.run });
    expect(await later.intents.claim(mine)).toMatchObject({ claimed: false, ownerAlive: alive });
    expect(await later.intents.like('acme', mine.fingerprint)).toMatchObject([{ alive }]);
    expect((await later.intents.takeOver(mine, first.run)) !== undefined).toBe(!alive);
    expect((await later.intents.find(mine.hash))?.run).toBe(alive ? first.run : later.run);
  });

  it('keeps or loses an open write', async () => {
    const { first, later } = await opened();
    await write(first, runRecord(), prepared('e1'), sending('e1'));
    expect(await later.openWrites()).toMatchObject([{ run: first.run, exchange: 'e1', alive }]);
  });
});

it('an owner of another container is over once its run has recorded its end', async () => {
  const { stateDir } = freshHome();
  const processInfo = { ...living(), namespace: 'pid:[1]' };
  const first = fileJournal({ stateDir, clock: fakeClock(), ids: fakeIds(), run: 'first', processInfo });
  const later = fileJournal({ stateDir, clock: fakeClock(), ids: fakeIds(), run: 'later' });
  await first.intents.claim(intent({ run: 'first' }));
  await write(first, runRecord());
  const mine = intent({ run: 'later' });
  expect(await later.intents.claim(mine)).toMatchObject({ claimed: false, ownerAlive: true });
  await write(first, { type: 'ended', at: startOfTime, exit: 0 });
  expect(await later.intents.claim(mine)).toMatchObject({ claimed: false, ownerAlive: false });
  expect(await later.intents.like('acme', mine.fingerprint)).toMatchObject([{ alive: false }]);
  expect(await later.intents.takeOver(mine, 'first')).toBeDefined();
});

it('an owner is this process by pid and start', () => {
  expect(ownIdentity()).toMatchObject({
    pid: process.pid,
    startTime: expect.stringMatching(/^\d+$/) as string,
  });
});
