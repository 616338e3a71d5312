import type { Files } from '../../client/ports/files.ts';

/** So many runs of journeys are kept to be compared, however young they are. */
export const mostKept = 500;

type Store = Pick<Files, 'listing' | 'read' | 'remove'>;

/** The folder of the runs of journeys that are kept, below that of the state. */
export const keptFolder = (state: string): string => `${state}/journeys`;

/** The names of the files of kept runs, oldest first. */
export async function keptRuns(files: Pick<Files, 'listing'>, state: string): Promise<string[]> {
  const all = (await files.listing(keptFolder(state))) ?? [];
  return all.filter((name) => name.endsWith('.json'));
}

/** Removes kept runs that began before a time, and all but the newest ones; returns how many that are (or would be). */
export async function pruneKept(
  files: Store,
  state: string,
  { before, allBut, dryRun = false }: { before?: Date; allBut?: number; dryRun?: boolean },
): Promise<number> {
  const names = await keptRuns(files, state);
  const most = allBut ?? Infinity;
  const old = names.filter((name, at) => {
    const began = beginOf(name);
    const isOld = before !== undefined && began !== undefined && began < before.getTime();
    return isOld || names.length - at > most;
  });
  if (!dryRun) for (const name of old) await files.remove(`${keptFolder(state)}/${name}`);
  return old.length;
}

/** Removes the kept runs that name a PSU; returns how many that are (or would be). */
export async function eraseKept(
  files: Store,
  state: string,
  psuId: string,
  dryRun: boolean,
): Promise<number> {
  const inJson = JSON.stringify(psuId).slice(1, -1);
  let count = 0;
  for (const name of await keptRuns(files, state)) {
    const path = `${keptFolder(state)}/${name}`;
    if (!Buffer.from(await files.read(path)).includes(inJson)) continue;
    count += 1;
    if (!dryRun) await files.remove(path);
  }
  return count;
}

/** A run is named by the time at which it began, such as 20261123T105124518Z; undefined for any other name. */
function beginOf(name: string): number | undefined {
  const [, ...parts] = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)(\d{3})Z/.exec(name) ?? [];
  const [year = NaN, month = NaN, day = NaN, hour = NaN, minute = NaN, second = NaN, ms = NaN] =
    parts.map(Number);
  const at = Date.UTC(year, month - 1, day, hour, minute, second, ms);
  return Number.isNaN(at) ? undefined : at;
}
