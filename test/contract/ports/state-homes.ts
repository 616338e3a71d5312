import { afterEach, beforeEach } from 'vitest';
import { homeEngines, stateOn } from '../../../src/adapters/sqlite/home-state.ts';
import { beginRun } from '../../../src/adapters/system/runs-here.ts';
import { ownIdentity } from '../../../src/adapters/system/process-identity.ts';
import type { ProcessIdentity } from '../../../src/adapters/system/process-identity.ts';
import type { Intents } from '../../../src/client/ports/intents.ts';
import type { Journal } from '../../../src/client/ports/journal.ts';
import { deadIdentity, freshHome, livingProcess } from '../../helpers/adapter-homes.ts';
import { fakeClock, journalState, memoryJournal } from '../../helpers/fakes/index.ts';
import { fleetIn, hasPostgres, testDatabase } from '../../helpers/postgres.ts';

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

/** Where a state is; that in memory is the one of the tests. */
export const places = ['memory', 'SQLite', 'PostgreSQL'] as const;
type Place = (typeof places)[number];

const ends: (() => Promise<void>)[] = [];

/** What holds, holds wherever a state is. */
export const stateHomes: readonly [Place, () => StateHome][] = places.map((place) => [
  place,
  () => stateHome(place),
]);

const shared = testDatabase();

/**
 * Skips the tests of a suite whose state homes need a PostgreSQL, where there is none, and ends after each what it has opened. A hook
 * of this file itself would be one of the first test file alone: in one process it is read once.
 */
export function withItsServer(place: string): void {
  afterEach(async () => {
    for (const end of ends.splice(0)) await end();
  });
  beforeEach(({ skip }) => {
    if (place === 'PostgreSQL' && !hasPostgres()) skip('PostgreSQL is not installed');
  });
}

function stateHome(place: Place): StateHome {
  const { stateDir } = freshHome();
  const clock = fakeClock();
  const state = journalState();
  let count = 0;
  if (place === 'PostgreSQL') {
    shared.empty();
    ends.push(() => shared.end());
  }

  function opened(run: string, processInfo: ProcessIdentity): Omit<Run, 'run'> {
    if (place === 'memory') {
      const journal = memoryJournal({ state, run });
      return { journal, intents: journal.intents };
    }
    if (place === 'SQLite') {
      const home = stateOn(homeEngines(stateDir), { run, clock, processInfo });
      ends.push(() => home.close());
      return home;
    }
    return fleetIn(shared.open(), { run, stateDir, processInfo });
  }

  return {
    open: (of = 'this process') => {
      clock.advance(1);
      const run = `20261121T10000${String(++count).padStart(4, '0')}Z-run`;
      const made = opened(run, identity(of));
      state.living.add(run);
      if (of === 'a run under way in this process') {
        const end = beginRun(run);
        ends.push(async () => {
          end();
        });
      }
      if (of === 'a dead process') state.living.delete(run);
      return { run, ...made };
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
