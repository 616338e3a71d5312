import type { CommandPorts, Context, LoadOfRun } from '../context.ts';
import type { Person } from '../../client/ports/person.ts';
import { atEndOf } from './at-end.ts';
import type { Closers } from './at-end.ts';
import { listenerPort } from './listener-port.ts';

/** The parts of a run that it shares with none before it. */
interface OwnParts {
  /** Where it keeps what it makes. */
  state: Partial<CommandPorts>;
  load: LoadOfRun;
  person: ((scripted: Person) => Person) | undefined;
}

/** A further run of a command line: what its words, settings and environment decide is that of the first. */
export function runAgain(first: Context, { state, load, person }: OwnParts): Context {
  const closers: Closers = [];
  const ports: CommandPorts = { ...first.ports, ...state, listener: listenerPort(closers) };
  if (person !== undefined) ports.person = person(first.ports.person);
  return {
    ...first,
    ports,
    load,
    inUse: undefined,
    proved: new Map(),
    seen: undefined,
    ...atEndOf(closers),
  };
}
