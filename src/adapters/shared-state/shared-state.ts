import type { Clock } from '../../client/ports/clock.ts';
import type { CredentialStore } from '../../client/ports/credentials.ts';
import type { Intents } from '../../client/ports/intents.ts';
import type { Journal } from '../../client/ports/journal.ts';
import type { Locks } from '../../client/ports/locks.ts';
import type { Resources } from '../../client/ports/resources.ts';
import type { Usage } from '../../client/ports/usage.ts';
import type { TokenStore } from '../../settings/records/profile.ts';
import type { Secret } from '../../base/secret.ts';
import { ownIdentity } from '../system/process-identity.ts';
import type { ProcessIdentity } from '../system/process-identity.ts';
import { createDatabase } from '../postgres/database.ts';
import { channel } from '../postgres/follow-records.ts';
import { machineOf } from '../postgres/machine.ts';
import { postgresCredentials } from '../postgres/postgres-credentials.ts';
import { postgresIntents } from '../postgres/postgres-intents.ts';
import { postgresJournal } from '../postgres/postgres-journal.ts';
import { postgresLocks } from '../postgres/postgres-locks.ts';
import { postgresResources } from '../postgres/postgres-resources.ts';
import { postgresUsage } from '../postgres/postgres-usage.ts';
import { createVault } from '../postgres/vault.ts';

/** The ports of a state that machines share, on one connection; a lock has one of its own. */
export interface SharedState {
  credentials: CredentialStore;
  resources: Resources;
  locks: Locks;
  journal: Journal;
  intents: Intents;
  usage: Usage;
  close(): Promise<void>;
}

/** A listener that does not come soon is tried again: the journal is asked meanwhile. */
const listening = { patienceMs: 2_000, limitMs: 5_000 };

/** Opens nothing yet: the connection is made at the first use. */
export function sharedState(options: {
  url: () => Promise<Secret>;
  /** The name of the schema, if not obk. */
  schema?: string | undefined;
  /** The key that seals, and those before it. */
  keys: readonly [Secret, ...Secret[]];
  clock: Clock;
  run: string;
  /** The folder of the state of this machine: with its host it tells a machine from the others. */
  stateDir: string;
  /** The token store that the settings choose for a profile. */
  chosen: (profile: string) => Promise<TokenStore | undefined>;
  processInfo?: ProcessIdentity;
}): SharedState {
  const { url, schema, keys, clock, run, stateDir, chosen } = options;
  const processInfo = options.processInfo ?? ownIdentity();
  const within = { url, clock, ...(schema !== undefined && { schema }) };
  const database = createDatabase(within);
  const vault = createVault(keys);
  const machine = machineOf(stateDir);
  const intents = postgresIntents({ database, vault, processInfo });
  const journal = postgresJournal({
    ...{ database, vault, run, machine, intents, clock, processInfo },
    listen: async (wake) => {
      const [{ openListener }, { serverAddress }] = await Promise.all([
        import('../postgres/session.ts'),
        import('../postgres/server-address.ts'),
      ]);
      return openListener(serverAddress(await url()), { clock, ...listening, channel, wake });
    },
  });
  return {
    credentials: postgresCredentials({ database, vault, chosen }),
    resources: postgresResources({ database, vault, machine: machine.id }),
    locks: postgresLocks(within),
    journal,
    intents,
    usage: postgresUsage({ database, vault, clock }),
    close: () => database.close(),
  };
}
