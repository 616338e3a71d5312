import { describe, expect, it } from 'vitest';
import { lockFiles } from '../../../src/adapters/files/lock-files.ts';
import { postgresLocks } from '../../../src/adapters/postgres/postgres-locks.ts';
import { createClock } from '../../../src/adapters/system/system-clock.ts';
import type { Locks } from '../../../src/client/ports/locks.ts';
import { freshHome } from '../../helpers/adapter-homes.ts';
import { fakeClock, memoryLocks } from '../../helpers/fakes/index.ts';
import { testDatabase } from '../../helpers/postgres.ts';
import { withItsServer } from './state-homes.ts';

const shared = testDatabase();
const drivers: [string, () => Locks][] = [
  ['in memory', memoryLocks],
  ['in files', () => lockFiles({ ...freshHome(), clock: fakeClock() })],
  ['in postgres', () => postgresLocks({ url: shared.url, clock: createClock() })],
];

describe.each(drivers)('the locks %s', (name, open) => {
  withItsServer(name);

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
