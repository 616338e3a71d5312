import type { Clock } from '../../client/ports/clock.ts';
import type { Change, Codec, Engine } from '../../client/ports/engine.ts';
import type { Gate } from '../../client/ports/gate.ts';
import type { Usage, Use } from '../../client/ports/usage.ts';
import { keptState } from '../../client/state/kept-state.ts';
import type { KeptState } from '../../client/state/kept-state.ts';
import type { Owners } from '../../client/state/owners.ts';
import { records } from '../../client/state/tables.ts';
import { jsonIn } from '../files/json-in.ts';
import { timeInName } from '../files/safe-name.ts';
import { isIdentity, lifeOfRun, ownIdentity } from '../system/process-identity.ts';
import type { ProcessIdentity } from '../system/process-identity.ts';
import type { Database } from '../postgres/database.ts';
import { channel, followRecords } from '../postgres/follow-records.ts';
import type { Machine } from '../postgres/machine.ts';
import { postgresEngine } from '../postgres/postgres-engine.ts';
import { guarded } from './guarded-port.ts';

/**
 * So long, by the clock of the server, a process of another machine counts as alive: one that holds an intent of which nothing has left,
 * and one that waits for the answer to a write.
 */
const leaseMs = { intent: 60_000, write: 600_000 };

/** Whoever follows wants the calls that are over; each notification waits for those of others at its commit. */
const tells = ({ sql, values }: Change): boolean =>
  sql.startsWith(`INSERT INTO ${records.name} `) &&
  ['answered', 'failed', 'resolved'].some((type) => values.includes(type));

/** What a run of one machine keeps in the database of all. */
export interface FleetState extends KeptState {
  engine: Engine;
}

export function fleetState(options: {
  database: Database;
  codec: Codec;
  clock: Clock;
  run: string;
  machine: Machine;
  processInfo?: ProcessIdentity;
  gate?: Gate | undefined;
}): FleetState {
  const { database, codec, clock, run, machine, gate, processInfo = ownIdentity() } = options;
  const time = serverTime(database, clock);
  const engine = postgresEngine({ database, clock, told: { channel, tells } });
  let ahead: Promise<number> | undefined;
  /** By how many milliseconds the clock of this machine is ahead of the server's: one number, so that a use stays what it is. */
  async function aheadOf(): Promise<number> {
    await time.ask();
    return clock.now().getTime() - time.now();
  }
  const leased = (ms: number) => leasedOwners(processInfo, time.now, ms);
  const state = keptState({
    ...{ state: engine, log: engine, codec, run, machine, clock, gate, startOf: timeInName },
    ...{ owners: leased(leaseMs.write), holders: leased(leaseMs.intent) },
    following: (follow, asRuns) => followRecords({ database, clock, follow, asRuns }),
  });
  return {
    ...{ engine, resources: state.resources, commit: () => state.commit() },
    // Whoever names its process, or asks whether another lives, needs the time of the server.
    journal: guarded(time.ask, state.journal, 'append', 'openWrites', 'openRuns'),
    intents: guarded(time.ask, state.intents, 'claim', 'takeOver', 'repair', 'like'),
    usage: byServerTime(state.usage, () => (ahead ??= aheadOf())),
  };
}

/** The clock of the server: asked once, and gone on with by one that never jumps. */
function serverTime(database: Database, clock: Clock) {
  let asked: Promise<void> | undefined;
  let known: { at: number; monotonic: number } | undefined;

  async function look(): Promise<void> {
    const [row] = await database.again(() =>
      database.rows<{ at: number }>('SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS at'),
    );
    known = { at: row?.at ?? 0, monotonic: clock.monotonic() };
  }
  return {
    ask: (): Promise<void> =>
      (asked ??= look().catch((error: unknown) => {
        asked = undefined;
        throw error;
      })),
    now: (): number => {
      if (known === undefined) throw new Error('the server was not asked for its time');
      return Math.round(known.at + clock.monotonic() - known.monotonic);
    },
  };
}

/** On this machine it is seen whether a process lives; elsewhere its lease says how long it may, by the clock of the server. */
function leasedOwners(own: ProcessIdentity, now: () => number, lease: number): Owners {
  return {
    get own() {
      return JSON.stringify({ ...own, at: now() });
    },
    mayLive: (run, owner) => {
      const other = jsonIn(owner);
      if (!isIdentity(other)) return false;
      const life = lifeOfRun(run, other, own);
      const { at } = other as { at?: unknown };
      return life === 'foreign' ? typeof at === 'number' && now() - at < lease : life === 'alive';
    },
    hostOf: (owner) => {
      const other = jsonIn(owner);
      return isIdentity(other) ? other.host : undefined;
    },
  };
}

/** The uses have the times of the server, since the clocks of machines differ; whoever asks gets them by its own. */
function byServerTime(usage: Usage, ahead: () => Promise<number>): Usage {
  const by = (uses: readonly Use[], ms: number) => uses.map((use) => ({ ...use, at: use.at + ms }));
  return {
    read: async (key) => by(await usage.read(key), await ahead()),
    update: async (key, change) => {
      const ms = await ahead();
      const after = await usage.update(key, (uses) => {
        const own = by(uses, ms);
        const changed = change(own);
        return changed === own ? uses : by(changed, -ms);
      });
      return by(after, ms);
    },
  };
}
