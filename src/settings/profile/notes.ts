import { error, isObject } from './finding.ts';
import type { SettingFinding } from './finding.ts';
import { oneLine } from './bank-texts.ts';
import { innerRow } from './row.ts';
import type { SettingRow } from './row.ts';

/** What may stand beside the settings of a bank anywhere: why it is so, and who says it. */
export const noteNames: readonly string[] = ['why', 'source'];

/** True where a member is a note: in a group, and in a map whose names are known, so that no own name is taken for one. */
export function isNote(row: SettingRow, name: string): boolean {
  if (!noteNames.includes(name)) return false;
  if (row.kind === 'group') return !Object.hasOwn(row.members, name);
  return row.kind === 'map' && row.name(name) !== undefined;
}

/** Returns the findings about a note: a line, a list of lines, or lines by the settings beside it. */
export function checkNote(value: unknown, at: string): readonly SettingFinding[] {
  const wrong = 'It must be a line of text, a list of lines, or an object with a line for each setting.';
  const isLine = (one: unknown) => typeof one === 'string' && oneLine(one) === undefined;
  const isLines = (one: unknown) => isLine(one) || (Array.isArray(one) && one.every(isLine));
  const isRight = isObject(value) ? Object.values(value).every(isLines) : isLines(value);
  return isRight ? [] : [error(at, wrong)];
}

/** The settings without their notes, as everything but their display wants them. */
export function withoutNotes<T>(row: SettingRow, value: T): T {
  return bare(row, value) as T;
}

function bare(row: SettingRow | undefined, value: unknown): unknown {
  if (Array.isArray(value))
    return value.map((one: unknown) => bare(row?.kind === 'list' ? row.of : undefined, one));
  if (row === undefined || !isObject(value) || (row.kind !== 'group' && row.kind !== 'map')) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => !isNote(row, name))
      .map(([name, inner]) => [name, bare(innerRow(row, name), inner)]),
  );
}
