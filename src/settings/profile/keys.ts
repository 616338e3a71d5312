import { isObject } from './finding.ts';
import { innerRow } from './row.ts';
import type { Flag, SettingRow } from './row.ts';
import { profileRow, profileRows } from './table.ts';
import { preferenceRows } from './tpp.ts';

/** The rows by dotted key; a group stands as its members. Keys below `signing` are free, as in a map. */
export const rowsByKey: ReadonlyMap<string, SettingRow> = new Map(leaves(profileRows, ''));

function leaves(rows: Readonly<Record<string, SettingRow>>, lead: string): (readonly [string, SettingRow])[] {
  return Object.entries(rows).flatMap(([name, row]) =>
    row.kind === 'group' && row.whole === undefined
      ? leaves(row.members, `${lead}${name}.`)
      : [[lead + name, row] as const],
  );
}

/** The settings that every profile has, its own or taken over: none can be removed. */
export const neededSettings: readonly string[] = ['environment', 'framework', 'prefix', 'surface'];

/** The settings that have a flag of their own, in the order in which they are set. */
export const flaggedSettings: readonly (readonly [key: string, row: SettingRow & Flag])[] = [
  ...rowsByKey,
].filter((entry): entry is [string, SettingRow & Flag] => entry[1].flag !== undefined);

/** The dotted key of a row of the profile. */
const keyOf = (row: SettingRow): string => [...rowsByKey].find(([, one]) => one === row)?.[0] ?? '';

/** What a run or the profile may prefer, each with the dotted key and the row of its setting. */
export const preferences = (Object.keys(preferenceRows) as (keyof typeof preferenceRows)[]).map((name) => ({
  name,
  row: preferenceRows[name],
  header: preferenceRows[name].header,
  key: keyOf(preferenceRows[name]),
}));

const isOpen = (row: SettingRow) => row.kind === 'map' || row.kind === 'group';

/** The keys that can be set one by one. */
export const settingKeys: readonly string[] = [...rowsByKey].flatMap(([key, row]) =>
  isOpen(row) ? [] : [key],
);

/** The values in force of the settings that nobody has set, by dotted key. */
export const defaults: Readonly<Record<string, unknown>> = Object.fromEntries(
  [...rowsByKey].flatMap(([key, row]) => ('otherwise' in row ? [[key, row.otherwise]] : [])),
);

/** The value of a setting by its dotted key; undefined where it is not set. */
export function valueAt(settings: object, key: string): unknown {
  return key
    .split('.')
    .reduce<unknown>(
      (value, name) => (isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined),
      settings,
    );
}

/** The words that a setting may be. A key that is no choice is a bug. */
export function wordsOf(key: string): readonly string[] {
  const row = rowsByKey.get(key);
  if (row?.kind !== 'choice') throw new Error(`${key} is no choice`);
  return row.values;
}

/** True for a dotted key that the table of settings has. */
export const isSetting = (key: string): boolean =>
  key.split('.').reduce<SettingRow | undefined>(innerRow, profileRow) !== undefined;

/** True if a key ends in a free name: of an operation, a header, or a link of the bank. */
export function isOpenKey(key: string): boolean {
  return [...rowsByKey].some(([lead, row]) => {
    const name = key.startsWith(`${lead}.`) ? key.slice(lead.length + 1) : '';
    return name !== '' && (row.kind === 'group' || (row.kind === 'map' && !name.includes('.')));
  });
}
