import { createHash } from 'node:crypto';
import { hostname } from 'node:os';

/** One home on one host, as the journal of all machines tells it from the others. */
export interface Machine {
  id: string;
  /** For people: several homes of a host have the same. */
  host: string;
}

/** Two homes of one host are two machines: neither means the other by `@last`, as with files. */
export function machineOf(stateDir: string, host = hostname()): Machine {
  const hash = createHash('sha256').update(JSON.stringify([host, stateDir]));
  return { id: hash.digest('hex').slice(0, 32), host };
}
