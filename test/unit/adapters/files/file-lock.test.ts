import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { withLock } from '../../../../src/adapters/files/file-lock.ts';
import { lifeOf, ownIdentity } from '../../../../src/adapters/system/process-identity.ts';
import type { ProcessIdentity } from '../../../../src/adapters/system/process-identity.ts';
import { createClock } from '../../../../src/adapters/system/system-clock.ts';
import { deadIdentity, freshHome, livingProcess } from '../../../helpers/adapter-homes.ts';
import { fakeClock } from '../../../helpers/fakes/index.ts';
import { spawnTask } from '../../../helpers/spawn-adapter.ts';

function freshFile(): string {
  const file = join(freshHome().stateDir, 'thing');
  mkdirSync(dirname(file), { recursive: true });
  return file;
}

const ends: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

describe('a process', () => {
  it('is recognised as this one, a dead one, a living one and one that got the pid later', async () => {
    const other = livingProcess();
    expect(lifeOf(ownIdentity())).toBe('alive');
    expect(lifeOf(deadIdentity())).toBe('dead');
    expect(lifeOf(other.identity)).toBe('alive');
    expect(lifeOf({ ...other.identity, startTime: '1' })).toBe('dead');
    expect(lifeOf({ ...other.identity, bootId: 'x' })).toBe('foreign');
    expect(lifeOf({ ...other.identity, namespace: 'pid:[1]' })).toBe('foreign');
    await other.end();
    expect(lifeOf(other.identity)).toBe('dead');
  });
});

describe('a lock', () => {
  it('is free, taken and free again, also when the action fails', async () => {
    const lock = `${freshFile()}.lock`;
    await withLock(lock, fakeClock(), () => {
      expect(existsSync(lock)).toBe(true);
    });
    const failing = withLock(lock, fakeClock(), () => {
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    expect(readdirSync(dirname(lock))).toEqual([]);
  });

  it('lets one at a time in within a process', async () => {
    const lock = `${freshFile()}.lock`;
    let inside = 0;
    const one = () =>
      withLock(lock, createClock(), async () => {
        inside += 1;
        await new Promise((resolve) => setImmediate(resolve));
        expect(inside).toBe(1);
        inside -= 1;
      });
    await Promise.all([one(), one(), one(), one()]);
  });

  const stale: [string, () => string][] = [
    ['a dead process', () => JSON.stringify(deadIdentity())],
    ['a process whose pid is given away', () => JSON.stringify({ ...ownIdentity(), startTime: '1' })],
    ['an earlier boot', () => JSON.stringify({ ...deadIdentity(), bootId: 'x' })],
    [
      'an earlier boot, by an older obk',
      () => JSON.stringify({ ...deadIdentity(), bootId: 'x', host: undefined }),
    ],
    ['nothing, after a power loss', () => ''],
    ['zeros, after a power loss', () => '\0'.repeat(100)],
  ];

  it.each(stale)('is taken over where it is of %s', async (_case, content) => {
    const lock = `${freshFile()}.lock`;
    writeFileSync(lock, content());
    expect(await withLock(lock, fakeClock(), () => 'in')).toBe('in');
    expect(readdirSync(dirname(lock))).toEqual([]);
  });

  it('is taken over although a taker was killed before', async () => {
    const lock = `${freshFile()}.lock`;
    writeFileSync(lock, JSON.stringify(deadIdentity()));
    writeFileSync(`${lock}.stale`, JSON.stringify({ ...deadIdentity(), startTime: '2' }));
    expect(await withLock(lock, fakeClock(), () => 'in')).toBe('in');
    expect(readdirSync(dirname(lock))).toEqual([]);
  });

  const held: [string, () => ProcessIdentity, RegExp][] = [
    ['a living process', () => living(), /held for 10 seconds by process \d+/],
    [
      'another machine',
      () => ({ ...deadIdentity(), bootId: 'x', host: 'elsewhere' }),
      /another machine or container/,
    ],
    [
      'another container',
      () => ({ ...deadIdentity(), namespace: 'pid:[1]' }),
      /another machine or container/,
    ],
  ];

  function living(): ProcessIdentity {
    const other = livingProcess();
    ends.push(other.end);
    return other.identity;
  }

  it.each(held)(
    'is waited for 10 seconds where it is of %s, and then refused by name',
    async (_case, owner, detail) => {
      const lock = `${freshFile()}.lock`;
      const content = JSON.stringify(owner());
      writeFileSync(lock, content);
      const clock = fakeClock();
      const started = clock.monotonic();
      const refused = withLock(lock, clock, () => 'in');
      await expect(refused).rejects.toMatchObject({ code: 'LOCK_BUSY', exit: 3 });
      await expect(refused).rejects.toMatchObject({ detail: expect.stringMatching(detail) });
      await expect(refused).rejects.toMatchObject({ detail: expect.stringContaining(lock) });
      expect(clock.monotonic() - started).toBeGreaterThanOrEqual(10_000);
      expect(clock.monotonic() - started).toBeLessThan(10_100);
      expect(readFileSync(lock, 'utf8')).toBe(content);
    },
  );

  it('keeps 8 processes apart, each 50 times, after the lock of a dead one', async () => {
    const file = freshFile();
    writeFileSync(file, '0');
    writeFileSync(`${file}.lock`, JSON.stringify(deadIdentity()));
    const tasks = Array.from({ length: 8 }, () => spawnTask('count', { ...freshHome(), file, count: 50 }));
    for (const { ended } of tasks) expect(await ended).toMatchObject({ code: 0 });
    expect(readFileSync(file, 'utf8')).toBe('400');
  }, 60_000);
});
