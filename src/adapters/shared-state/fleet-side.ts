import { ObkError } from '../../base/errors.ts';
import type { Clock } from '../../client/ports/clock.ts';
import type { Database } from '../postgres/database.ts';
import type { Machine } from '../postgres/machine.ts';
import { fleetCodec } from '../postgres/own-key.ts';
import type { Vault } from '../postgres/vault.ts';
import { keyOf } from '../../client/state/contents.ts';
import { unopened } from '../../client/state/sealed-rows.ts';
import type { Side } from './copy-rows.ts';
import { fleetState } from './fleet-state.ts';
import type { FleetState } from './fleet-state.ts';

/** A database of several machines, to be looked into or moved. */
export interface Within {
  database: Database;
  vault: Vault;
  clock: Clock;
}

/** Whoever looks has made nothing itself. */
const nobody: Machine = { id: '', host: '' };

/** What is kept in the database, for whoever looks at it without being a run. */
export function stateWithin({ database, vault, clock }: Within): FleetState {
  return fleetState({ database, codec: fleetCodec(vault), clock, run: 'none', machine: nobody });
}

/** The rows of the database. Whoever reads one that does not open gets STATE_UNREADABLE. */
export function fleetSide(within: Within): Side {
  const codec = fleetCodec(within.vault);
  const { engine, usage } = stateWithin(within);
  return {
    engine: () => engine,
    codec,
    usage,
    unread: (of, found) => unopened(codec, of, found, () => lost(`${of.name} ${keyOf(of, found)}`)),
  };
}

function lost(what: string): ObkError {
  return new ObkError({
    code: 'STATE_UNREADABLE',
    title: 'A row of the state cannot be read, so it is not moved.',
    detail: `${what}: it does not hold what obk wrote.`,
    hint: ['obk state doctor'],
  });
}
