import { afterEach, beforeEach } from 'vitest';
import { createJournal } from '../../../src/adapters/state/file-journal.ts';
import { intentFiles } from '../../../src/adapters/state/intent-files.ts';
import { beginRun } from '../../../src/adapters/system/runs-here.ts';
import { ownIdentity } from '../../../src/adapters/system/process-identity.ts';
import { machineOf } from '../../../src/adapters/postgres/machine.ts';
import { postgresIntents } from '../../../src/adapters/postgres/postgres-intents.ts';
import { postgresJournal } from '../../../src/adapters/postgres/postgres-journal.ts';
import type { ProcessIdentity } from '../../../src/adapters/system/process-identity.ts';
import type { Intents } from '../../../src/client/ports/intents.ts';
import type { Journal } from '../../../src/client/ports/journal.ts';
import { deadIdentity, freshHome, livingProcess } from '../../helpers/adapter-homes.ts';
import { fakeClock, fakeIds, journalState, memoryIntents, memoryJournal } from '../../helpers/fakes/index.ts';
import { hasPostgres, testDatabase, testVault } from '../../helpers/postgres.ts';

/** A run, as far as it writes what it does: with a driver of each port. */
export interface Run {
  run: string;
  journal: Journal;
  intents: Intents;
}

/** The runs of one state directory; `of` says what has become of the process of a run. */
export interface StateHome {
  open(of?: Owner): Run;
}

/** A run of this process that is under way is one of a journey, beside others. */
type Owner = 'this process' | 'a run under way in this process' | 'a living process' | 'a dead process';

const places = ['memory', 'files', 'postgres'] as const;
type Place = (typeof places)[number];

const ends: (() => Promise<void>)[] = [];

/**
 * Each driver of Journal beside each driver of Intents: what holds, holds for all of them. Only files and a database are
 * never found together: a state is in one of them.
 */
export const stateHomes: readonly [string, () => StateHome][] = places.flatMap((journal) =>
  places
    .filter((intents) => [journal, intents].includes('memory') || journal === intents)
    .map((intents): [string, () => StateHome] => [
      `a journal in ${journal} and intents in ${intents}`,
      () => stateHome(journal, intents),
    ]),
);

const shared = testDatabase();

/**
 * Skips the tests of a suite whose state homes need a PostgreSQL, where there is none, and ends after each what it has opened. A hook
 * of this file itself would be one of the first test file alone: in one process it is read once.
 */
export function withItsServer(name: string): void {
  afterEach(async () => {
    for (const end of ends.splice(0)) await end();
  });
  beforeEach(({ skip }) => {
    if (name.includes('postgres') && !hasPostgres()) skip('PostgreSQL is not installed');
  });
}

function stateHome(journalIn: Place, intentsIn: Place): StateHome {
  const { stateDir } = freshHome();
  const clock = fakeClock();
  const ids = fakeIds();
  const state = journalState();
  let count = 0;
  if ([journalIn, intentsIn].includes('postgres')) {
    shared.empty();
    ends.push(() => shared.end());
  }
  return {
    open: (of = 'this process') => {
      clock.advance(1);
      const files = { stateDir, clock, processInfo: identity(of) };
      const run = `20261121T10000${String(++count).padStart(4, '0')}Z-run`;
      const within = { database: shared.open(), vault: testVault(), processInfo: files.processInfo };
      // Each is made with the other, so each sees the other through this.
      const asked: Pick<Journal, 'cameToNothing' | 'openWrites'> = {
        cameToNothing: (other, hash) => journal.cameToNothing(other, hash),
        openWrites: () => journal.openWrites(),
      };
      const intents =
        intentsIn === 'memory'
          ? memoryIntents({ state, run, journal: asked })
          : intentsIn === 'files'
            ? intentFiles({ ...files, journal: asked })
            : postgresIntents(within);
      const journal =
        journalIn === 'memory'
          ? memoryJournal({ state, run, intents })
          : journalIn === 'files'
            ? createJournal({ ...files, ids, run, intents })
            : postgresJournal({ ...within, run, machine: machineOf(stateDir), intents });
      state.living.add(run);
      if (of === 'a run under way in this process') {
        const end = beginRun(run);
        ends.push(async () => {
          end();
        });
      }
      if (of === 'a dead process') state.living.delete(run);
      return { run, journal, intents };
    },
  };
}

function identity(of: Owner): ProcessIdentity {
  if (of === 'this process' || of === 'a run under way in this process') return ownIdentity();
  if (of === 'a dead process') return deadIdentity();
  const other = livingProcess();
  ends.push(other.end);
  return other.identity;
}
