import { isObject } from './finding.ts';
import { isNote } from './notes.ts';
import { innerRow } from './row.ts';
import type { SettingRow } from './row.ts';

/**
 * Settings whose scalars are all texts, as YAML with the failsafe schema has them, with numbers and truth values where the table
 * has such; what is none stays a text, for the check to refuse.
 */
export function typed(row: SettingRow | undefined, value: unknown): unknown {
  if (typeof value === 'string') return scalar(row, value);
  if (Array.isArray(value))
    return value.map((one: unknown) => typed(row?.kind === 'list' ? row.of : undefined, one));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name,
      row !== undefined && isNote(row, name) ? inner : typed(innerRow(row, name), inner),
    ]),
  );
}

function scalar(row: SettingRow | undefined, text: string): unknown {
  switch (row?.kind) {
    case 'yes-no':
      return text === 'true' ? true : text === 'false' ? false : text;
    case 'number':
    case 'duration':
      return /^-?(0|[1-9]\d{0,14})(\.\d{1,6})?$/.test(text) ? Number(text) : text;
    default:
      return text;
  }
}
