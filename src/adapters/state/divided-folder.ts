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

/**
 * The paths, below `root`, of the names that stand in the folders of their hours or in `root` itself: newest first, an hour at a
 * time. `list` gives the names in a folder; those that `isName` takes count.
 */
export function* newestByHour(
  root: string,
  list: (folder: string) => readonly string[],
  isName: (name: string) => boolean,
): Generator<readonly string[]> {
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
      const names = hours.includes(hour) ? list(join(root, hour)).filter(isName) : [];
      const paths = new Map((beside.get(hour) ?? []).map((name) => [name, name]));
      for (const name of names) paths.set(name, hour + sep + name);
      yield newest([...paths.keys()]).map((name) => paths.get(name) ?? name);
    }
  }
}

const monthOf = (hour: string): string => hour.slice(0, 6);

/** Each once, the newest first. */
function newest(names: readonly string[]): string[] {
  return [...new Set(names)].sort().reverse();
}
