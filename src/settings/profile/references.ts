import { isNote } from './notes.ts';
import { innerRow } from './row.ts';
import type { SettingRow } from './row.ts';
import { profileRow } from './table.ts';

/** A setting that makes obk read or run something of this machine: a reference to a secret, or a program that signs. */
export interface SettingReference {
  /** Its dotted key. */
  setting: string;
  reference: string;
  /** The header that it fills, where it is that of a rule. */
  header?: string;
}

/**
 * Every reference in settings of any shape, in their order: what the table calls one, the signer, and below names that the table
 * does not know whatever ends in From. Notes (`why`, `source`) are texts for people, whatever their names are.
 */
export function referencesIn(settings: unknown): readonly SettingReference[] {
  return below(profileRow, settings, '');
}

function below(row: SettingRow | undefined, value: unknown, at: string): readonly SettingReference[] {
  if (typeof value !== 'object' || value === null) return [];
  const { name: header } = value as { name?: unknown };
  return Object.entries(value).flatMap(([name, inner]: [string, unknown]) => {
    if (row !== undefined && !Array.isArray(value) && isNote(row, name)) return [];
    const setting = Array.isArray(value) ? `${at}[${name}]` : at === '' ? name : `${at}.${name}`;
    const own = innerRow(row, name);
    if (typeof inner !== 'string') return below(own, inner, setting);
    if (!refers(own, name)) return [];
    return [
      {
        setting,
        reference: inner,
        ...(name === 'valueFrom' && typeof header === 'string' ? { header } : {}),
      },
    ];
  });
}

const refers = (row: SettingRow | undefined, name: string): boolean =>
  name === 'signer' || (row === undefined ? /From$/.test(name) : row.kind === 'reference');

/** The name of the setting or header that a reference fills, for people. */
export function referenceName({ setting, header }: SettingReference): string {
  return header === undefined ? setting : `header ${header}`;
}
