import type { Ports } from '../../client/ports.ts';
import type { Clock } from '../../client/ports/clock.ts';
import type { CredentialStore } from '../../client/ports/credentials.ts';
import type { Locks } from '../../client/ports/locks.ts';
import type { Resources } from '../../client/ports/resources.ts';
import type { Credentials } from '../../settings/records/credentials.ts';
import type { Secret } from '../../base/secret.ts';
import { passingEngine, stateOn } from './home-state.ts';

/** The ports of what is kept. */
type PassingState = Pick<Ports, 'credentials' | 'resources' | 'locks' | 'journal' | 'intents' | 'usage'>;

/**
 * The state of one journey under load, in memory and forgotten with it. The credentials of the home and what is saved there are
 * known and never changed. Reads are not recorded; writes are, so that none of it is sent twice.
 */
export function passingState(
  { credentials: home, find }: { credentials: CredentialStore; find: Resources['find'] },
  { run, clock, key }: { run: string; clock: Clock; key: Secret },
): PassingState {
  const engine = passingEngine();
  const { resources, journal, intents, usage } = stateOn({ state: engine, log: engine }, { run, clock });
  const own = new Map<string, Credentials>();
  const read = async (profile: string) => own.get(profile) ?? home.read(profile);
  return {
    resources: {
      ...resources,
      find: async (...of) => (await resources.find(...of)) ?? find(...of),
    },
    locks: locksHere(),
    usage,
    intents,
    journal: { ...journal, onlyWrites: true },
    credentials: {
      read,
      update: async (profile, change) => {
        own.set(profile, change({ ...(await read(profile)) }));
      },
      tokenStore: (profile) => home.tokenStore(profile),
      moveTokens: () => Promise.resolve(),
      forget: (profile) => {
        own.set(profile, {});
        return Promise.resolve();
      },
      machineKey: () => Promise.resolve(key),
    },
  };
}

/** Exclusion within this process, of everything by everything. */
function locksHere(): Locks {
  let last: Promise<unknown> = Promise.resolve();
  return {
    exclusively: (_name, _patienceMs, action) => {
      const mine = last.then(action, action);
      last = mine.catch(() => undefined);
      return mine;
    },
  };
}
