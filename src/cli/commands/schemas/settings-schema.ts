import type { SettingRow } from '../../../settings/profile/row.ts';
import { profileRows } from '../../../settings/profile/table.ts';
import { list, map, number, object, oneOf, text, truth } from '../../../base/schema.ts';
import type { Schema } from '../../../base/schema.ts';

/** The schema of a setting, from its row. */
export function schemaOf(row: SettingRow): Schema {
  switch (row.kind) {
    case 'choice':
      return oneOf(...row.values);
    case 'yes-no':
      return truth;
    case 'number':
    case 'duration':
      return number;
    case 'list':
      return list(schemaOf(row.of));
    case 'map':
      return map(schemaOf(row.of));
    case 'group': {
      const names = Object.keys(row.members);
      const members = (some: readonly string[]) => schemasOf(row.members, some);
      return object(members(row.needs), members(names.filter((name) => !row.needs.includes(name))));
    }
    default:
      return text;
  }
}

function schemasOf(
  rows: Readonly<Record<string, SettingRow>>,
  names: readonly string[],
): Readonly<Record<string, Schema>> {
  return Object.fromEntries(
    Object.entries(rows).flatMap(([name, row]) =>
      names.includes(name) ? [[name, schemaOf(row)] as const] : [],
    ),
  );
}

const rows: Readonly<Record<string, SettingRow>> = profileRows;
const needed = ['environment', 'framework', 'prefix', 'surface'];

/** The settings that every profile has, and the others. */
export const settings = {
  required: schemasOf(rows, needed),
  optional: schemasOf(
    rows,
    Object.keys(rows).filter((name) => !needed.includes(name)),
  ),
};
