import { join, sep } from 'node:path';

// A folder that grows with the history is divided, so that a run lists the few names that it needs and not all of them. Names
// that an earlier obk has left in the folder itself stay there, and count as ever.

/** The folder of a name that begins with a time: by its month and its hour, so that the newest names stand together. */
export const hourOf = (name: string): string => name.slice(0, 6) + sep + name.slice(6, 11);

/** One of 256 folders for a text, always the same one. */
export function shardOf(text: string): string {
  let sum = 0;
  for (let at = 0; at < text.length; at += 1) sum = (sum * 31 + text.charCodeAt(at)) & 0xff;
  return sum.toString(16).padStart(2, '0');
}

export const isShard = (name: string): boolean => /^[0-9a-f]{2}$/.test(name);

/** The names of an hour: those in its folder, and those of it that stand in the root itself. */
interface Hour {
  hour: string;
  inFolder: readonly string[];
  beside: readonly string[];
}

/** The hours of a root, newest first: none is listed before it is asked for. */
function* hoursIn(
  root: string,
  list: (folder: string) => readonly string[],
  isName: (name: string) => boolean,
): Generator<Hour> {
  const all = list(root);
  const beside = new Map<string, string[]>();
  for (const name of all.filter(isName)) {
    const same = beside.get(hourOf(name));
    if (same === undefined) beside.set(hourOf(name), [name]);
    else same.push(name);
  }
  const months = all.filter((name) => /^\d{6}$/.test(name));
  for (const month of newest([...months, ...[...beside.keys()].map(monthOf)])) {
    const inMonth = months.includes(month) ? list(join(root, month)) : [];
    const hours = inMonth.filter((name) => /^\d\dT\d\d$/.test(name)).map((name) => month + sep + name);
    for (const hour of newest([...hours, ...[...beside.keys()].filter((one) => monthOf(one) === month)])) {
      const inFolder = hours.includes(hour) ? list(join(root, hour)).filter(isName) : [];
      yield { hour, inFolder, beside: beside.get(hour) ?? [] };
    }
  }
}

/**
 * The paths, below `root`, of the names that stand in the folders of their hours or in `root` itself: newest first, an hour at a
 * time. `list` gives the names in a folder; those that `isName` takes count.
 */
export function* newestByHour(
  root: string,
  list: (folder: string) => readonly string[],
  isName: (name: string) => boolean,
): Generator<readonly string[]> {
  for (const { hour, inFolder, beside } of hoursIn(root, list, isName)) {
    const paths = new Map(beside.map((name) => [name, name]));
    for (const name of inFolder) paths.set(name, hour + sep + name);
    yield newest([...paths.keys()]).map((name) => paths.get(name) ?? name);
  }
}

/** The same names alone, oldest first within an hour; of thousands of them no path is made. */
export function* namesByHour(
  root: string,
  list: (folder: string) => readonly string[],
  isName: (name: string) => boolean,
): Generator<readonly string[]> {
  for (const { inFolder, beside } of hoursIn(root, list, isName))
    yield beside.length === 0 ? inFolder.toSorted() : newest([...inFolder, ...beside]).reverse();
}

/** The path, below `root`, of the oldest name as `newestByHour` takes it; undefined where there is none. */
export function oldestByHour(
  root: string,
  list: (folder: string) => readonly string[],
  isName: (name: string) => boolean,
): string | undefined {
  const all = list(root);
  const beside = all.filter(isName).sort()[0];
  for (const month of all.filter((name) => /^\d{6}$/.test(name)).sort()) {
    const hours = list(join(root, month)).filter((name) => /^\d\dT\d\d$/.test(name));
    for (const hour of hours.sort()) {
      const first = list(join(root, month, hour))
        .filter(isName)
        .sort()[0];
      if (first === undefined) continue;
      return beside !== undefined && beside < first ? beside : join(month, hour, first);
    }
  }
  return beside;
}

const monthOf = (hour: string): string => hour.slice(0, 6);

/** Each once, the newest first. */
function newest(names: readonly string[]): string[] {
  return [...new Set(names)].sort().reverse();
}
