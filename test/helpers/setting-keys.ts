import { bankRow } from '../../src/settings/profile/table.ts';
import type { SettingRow } from '../../src/settings/profile/row.ts';

/** The sides of the interface that act on settings of a bank: obk as a client, and the bank inside. */
export type Side = 'tpp' | 'bank';

const joined = (key: string, name: string) => (key === '' ? name : `${key}.${name}`);

/**
 * Every setting of a bank that a side acts on, by its dotted key. A list and a map are one setting; the members that their
 * entries may have or lack are one each (`waivers[].pointer`, `ais.params.*.forbid`).
 */
export function settingsOf(side: Side, row: SettingRow = bankRow, key = ''): string[] {
  if (row.side !== undefined && row.side !== side) return [];
  switch (row.kind) {
    case 'group':
      return Object.entries(row.members).flatMap(([name, member]) =>
        settingsOf(side, member, joined(key, name)),
      );
    case 'list':
      return [key, ...membersOf(side, row.of, `${key}[]`)];
    case 'map':
      return [key, ...membersOf(side, row.of, `${key}.*`)];
    default:
      return [key];
  }
}

function membersOf(side: Side, row: SettingRow, key: string): string[] {
  if (row.kind !== 'group') return [];
  return Object.entries(row.members).flatMap(([name, member]) =>
    row.needs.includes(name) || (member.side !== undefined && member.side !== side) ? [] : [`${key}.${name}`],
  );
}

/** A setting that stands in a file, and the same file without it. */
export interface LeftOut {
  key: string;
  without: object;
}

/** Each setting of a file, left out once; without a group that it leaves empty. */
export function leftOut(settings: object, row: SettingRow = bankRow, key = ''): LeftOut[] {
  if (row.kind !== 'group') throw new Error(`${key} is no group`);
  return Object.entries(settings).flatMap(([name, value]: [string, unknown]) => {
    const member = row.members[name];
    if (member === undefined) throw new Error(`no setting ${joined(key, name)}`);
    const inner = entriesLeftOut(value, member, joined(key, name));
    return [
      ...inner.map((one) => ({ ...one, without: { ...settings, [name]: one.without } })),
      ...(member.kind === 'group' ? [] : [{ key: joined(key, name), without: less(settings, name) }]),
    ].map((one) => ({ ...one, without: filledOf(one.without) }));
  });
}

function entriesLeftOut(value: unknown, row: SettingRow, key: string): LeftOut[] {
  if (row.kind === 'group') return leftOut(value as object, row, key);
  if (row.kind !== 'list' && row.kind !== 'map') return [];
  const { of } = row;
  if (of.kind !== 'group') return [];
  const at = row.kind === 'list' ? `${key}[]` : `${key}.*`;
  const entries = Object.entries(value as object) as [string, object][];
  return entries.flatMap(([place, entry]) =>
    Object.keys(entry)
      .filter((name) => !of.needs.includes(name))
      .map((name) => {
        const changed = { [place]: less(entry, name) };
        const without = Array.isArray(value)
          ? Object.assign([...(value as unknown[])], changed)
          : { ...(value as object), ...changed };
        return { key: `${at}.${name}`, without };
      }),
  );
}

const less = (object: object, name: string): object =>
  Object.fromEntries(Object.entries(object).filter(([other]) => other !== name));

/** The members of an object without groups that hold nothing. */
const filledOf = (object: object): object =>
  Object.fromEntries(
    Object.entries(object).filter(
      ([, value]: [string, unknown]) =>
        typeof value !== 'object' || value === null || Array.isArray(value) || Object.keys(value).length > 0,
    ),
  );
