import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { Noun } from '../../standard/sca/operations.ts';
import { readIfThere } from '../files/atomic-file.ts';
import { guard } from '../files/file-errors.ts';
import { jsonObjectIn } from '../files/json-in.ts';
import type { Machine } from '../postgres/machine.ts';
import { damaged } from './state-home.ts';

/** A file of an exported home, one line of JSON for each run and resource that a machine has made: the files of a home have no place for it. */
export const machinesFile = 'machines.ndjson';

/** A run, or a resource by its hash: who erases a payment here need not look for its id there. */
export const runLine = (run: string, machine: string, host: string | null): string =>
  `${JSON.stringify({ run, machine, host })}\n`;
export const resourceLine = (profile: string, noun: string, id: string, machine: string): string =>
  `${JSON.stringify({ resource: hashOf(profile, noun, id), machine })}\n`;

function hashOf(profile: string, noun: string, id: string): string {
  return createHash('sha256')
    .update(JSON.stringify([profile, noun, id]))
    .digest('hex');
}

/** Which machine has made what of a home; that of the home itself where nothing else is said. */
export interface Machines {
  ofRun(run: string): { id: string; host: string | null };
  ofResource(profile: string, noun: Noun, id: string): string;
}

/** Throws STATE_UNREADABLE where the file is damaged. */
export function machinesIn(stateDir: string, own: Machine): Machines {
  const path = join(stateDir, machinesFile);
  const text = guard('STATE_UNREADABLE', 'A file of this home cannot be read.', path, () =>
    readIfThere(path),
  );
  const runs = new Map<string, { id: string; host: string | null }>();
  const resources = new Map<string, string>();
  for (const line of text?.split('\n') ?? []) {
    if (line === '') continue;
    const {
      run,
      resource,
      machine,
      host = null,
    } = (jsonObjectIn(line) ?? {}) as Readonly<Record<string, unknown>>;
    if (typeof machine !== 'string' || (host !== null && typeof host !== 'string')) throw damaged(path);
    if (typeof run === 'string') runs.set(run, { id: machine, host });
    else if (typeof resource === 'string') resources.set(resource, machine);
    else throw damaged(path);
  }
  return {
    ofRun: (run) => runs.get(run) ?? own,
    ofResource: (profile, noun, id) => resources.get(hashOf(profile, noun, id)) ?? own.id,
  };
}
