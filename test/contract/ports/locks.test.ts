import { describe, expect, it } from 'vitest';
import { lockFiles } from '../../../src/adapters/lock-files.ts';
import type { Locks } from '../../../src/ports/locks.ts';
import { freshHome } from '../../helpers/adapter-homes.ts';
import { fakeClock, memoryLocks } from '../../helpers/fakes/index.ts';

const drivers: [string, () => Locks][] = [
  ['in memory', memoryLocks],
  ['in files', () => lockFiles({ ...freshHome(), clock: fakeClock() })],
];

describe.each(drivers)('locks %s', (_name, open) => {
  it('let one action of a name run at a time, and the next after one that failed', async () => {
    const locks = open();
    let inside = 0;
    const action = async () => {
      inside += 1;
      expect(inside).toBe(1);
      await Promise.resolve();
      inside -= 1;
      throw new Error('over');
    };
    const all = Array.from({ length: 4 }, () => locks.exclusively('refresh-acme', 60_000, action));
    for (const one of await Promise.allSettled(all))
      expect(one).toMatchObject({ reason: { message: 'over' } });
  });
});
