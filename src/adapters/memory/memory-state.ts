import type { Ports } from '../../client/ports.ts';
import type { CredentialStore } from '../../client/ports/credentials.ts';
import type { Resources } from '../../client/ports/resources.ts';
import type { Credentials } from '../../settings/records/credentials.ts';
import type { Secret } from '../../base/secret.ts';
import { memoryIntents } from './memory-intents.ts';
import { journalState, memoryJournal } from './memory-journal.ts';
import { memoryLocks, memoryResources } from './memory-resources.ts';
import { memoryUsage } from './memory-usage.ts';

/** The ports of what is kept. */
type MemoryState = Pick<Ports, 'credentials' | 'resources' | 'locks' | 'journal' | 'intents' | 'usage'>;

/**
 * The state of one journey under load, in memory and forgotten with it. The credentials of the home and what is saved there are
 * known and never changed. Reads are not recorded; writes are, so that none of it is sent twice.
 */
export function memoryState(
  { credentials: home, find }: { credentials: CredentialStore; find: Resources['find'] },
  run: string,
  key: Secret,
): MemoryState {
  const resources = memoryResources();
  const state = journalState();
  const journal = memoryJournal({ state, run });
  const own = new Map<string, Credentials>();
  const read = async (profile: string) => own.get(profile) ?? home.read(profile);
  return {
    resources: {
      ...resources,
      find: async (...of) => (await resources.find(...of)) ?? find(...of),
    },
    locks: memoryLocks(),
    usage: memoryUsage(),
    intents: memoryIntents({ state, run, journal }),
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
