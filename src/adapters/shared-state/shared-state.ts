import { defined } from '../../base/defined.ts';
import type { Clock } from '../../client/ports/clock.ts';
import type { CredentialStore } from '../../client/ports/credentials.ts';
import type { Gate } from '../../client/ports/gate.ts';
import type { Locks } from '../../client/ports/locks.ts';
import type { StateWaits } from '../../base/waits.ts';
import type { KeptState } from '../../client/state/kept-state.ts';
import type { TokenStore } from '../../settings/records/profile.ts';
import type { Secret } from '../../base/secret.ts';
import { ownIdentity } from '../system/process-identity.ts';
import type { ProcessIdentity } from '../system/process-identity.ts';
import { createDatabase } from '../postgres/database.ts';
import { machineOf } from '../postgres/machine.ts';
import { fleetCodec, ownKey } from '../postgres/own-key.ts';
import { postgresCredentials } from '../postgres/postgres-credentials.ts';
import { postgresLocks } from '../postgres/postgres-locks.ts';
import { createVault } from '../postgres/vault.ts';
import { fleetState } from './fleet-state.ts';
import { guarded } from './guarded-port.ts';

/** The ports of a state that machines share, on one connection; a lock has one of its own. */
export interface SharedState extends KeptState {
  credentials: CredentialStore;
  locks: Locks;
  close(): Promise<void>;
}

/** Opens nothing yet: the connection is made at the first use. */
export function sharedState(options: {
  url: () => Promise<Secret>;
  /** The name of the schema, if not obk. */
  schema?: string | undefined;
  /** The key that seals, and those before it. */
  keys: readonly [Secret, ...Secret[]];
  clock: Clock;
  waits?: StateWaits;
  run: string;
  /** The folder of the state of this machine: with its host it tells a machine from the others. */
  stateDir: string;
  /** The token store that the settings choose for a profile. */
  chosen: (profile: string) => Promise<TokenStore | undefined>;
  processInfo?: ProcessIdentity;
  /** With it, what the run notes is put together until it is passed. */
  gate?: Gate;
  /** Called at the end, with the number of rows that only a key which this run does not have can open. */
  unread?: (keyId: string, rows: number) => void;
}): SharedState {
  const { url, schema, keys, clock, waits, run, stateDir, chosen, gate } = options;
  const processInfo = options.processInfo ?? ownIdentity();
  const within = { url, clock, ...waits, ...defined({ schema }) };
  const database = createDatabase(within);
  const vault = createVault(keys);
  const machine = machineOf(stateDir);
  const codec = fleetCodec(vault);
  const fleet = fleetState({ database, codec, clock, run, machine, processInfo, gate });
  const { resources, journal, intents, usage } = fleet;
  const needKey = ownKey({ database, vault });
  /** What seals fails where the key is another. */
  const sealing = <Port extends object>(port: Port, ...names: readonly (keyof Port)[]): Port =>
    guarded(needKey, port, ...names);
  return {
    credentials: sealing(
      postgresCredentials({ database, vault, chosen, codec }),
      ...(['update', 'forget', 'machineKey'] as const),
    ),
    resources: sealing(resources, 'save', 'saveMade', 'saveConversation', 'claimConversation'),
    locks: postgresLocks(within),
    journal: sealing(journal, 'append', 'resolve'),
    intents: sealing(intents, 'claim', 'takeOver', 'settle', 'repair'),
    usage: sealing(usage, 'update'),
    commit: () => fleet.commit(),
    close: async () => {
      await fleet.commit().finally(async () => {
        for (const [keyId, rows] of codec.counts()) options.unread?.(keyId, rows);
        await database.close();
      });
    },
  };
}
