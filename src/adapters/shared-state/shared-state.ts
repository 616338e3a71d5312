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
import { foreignRows, ownKey } from '../postgres/own-key.ts';
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
  /** Called at the end, with the number of rows that only a key which this run does not have can open. */
  unread?: (keyId: string, rows: number) => void;
}): SharedState {
  const { url, schema, keys, clock, run, stateDir, chosen } = options;
  const processInfo = options.processInfo ?? ownIdentity();
  const within = { url, clock, ...(schema !== undefined && { schema }) };
  const database = createDatabase(within);
  const vault = createVault(keys);
  const machine = machineOf(stateDir);
  const foreign = foreignRows(vault);
  const intents = postgresIntents({ database, vault, processInfo, foreign });
  const journal = postgresJournal({
    ...{ database, vault, run, machine, intents, clock, processInfo, foreign },
    listen: async (wake) => {
      const [{ openListener }, { serverAddress }] = await Promise.all([
        import('../postgres/session.ts'),
        import('../postgres/server-address.ts'),
      ]);
      return openListener(serverAddress(await url()), { clock, ...listening, channel, wake });
    },
  });
  const needKey = ownKey({ database, vault });
  /** The port, of which what seals fails where the key is another. */
  function sealing<Port extends object>(port: Port, ...names: (keyof Port)[]): Port {
    const guarded = names.map((name) => [
      name,
      async (...given: unknown[]) => {
        await needKey();
        return (port[name] as (...given: unknown[]) => unknown)(...given);
      },
    ]);
    return { ...port, ...(Object.fromEntries(guarded) as Partial<Port>) };
  }
  return {
    credentials: sealing(
      postgresCredentials({ database, vault, chosen, foreign }),
      ...(['update', 'forget', 'machineKey'] as const),
    ),
    resources: sealing(
      postgresResources({ database, vault, machine: machine.id, foreign }),
      ...(['save', 'saveConversation'] as const),
    ),
    locks: postgresLocks(within),
    journal: sealing(journal, 'append', 'resolve', 'keep'),
    intents: sealing(intents, 'claim', 'takeOver', 'settle', 'repair'),
    usage: sealing(postgresUsage({ database, vault, clock }), 'update'),
    close: () => {
      for (const [keyId, rows] of foreign.counts()) options.unread?.(keyId, rows);
      return database.close();
    },
  };
}
