import type { Flags } from '../../command.ts';
import type { StateMigrated, StateSite } from '../../../client/ports/state-store.ts';
import { reference } from '../flags/flag-values.ts';

/** The flag that every command about the state takes: with it, it is about a database. */
export const stateOptions = <Own>(command: Flags<Own>) =>
  command.option(
    '--url-from <REF>',
    'reference to the URL of the database, if not state.urlFrom: that of its owner',
    reference('--url-from'),
  );

/** A number of bytes as people read it. */
export function bytesText(bytes: number): string {
  if (bytes < 1024) return `${String(bytes)} B`;
  const units = ['KiB', 'MiB', 'GiB', 'TiB'];
  const power = Math.min(units.length, Math.floor(Math.log2(bytes) / 10));
  return `${(bytes / 1024 ** power).toFixed(1)} ${units[power - 1] ?? ''}`;
}

/** Where the state is, in words. */
export const siteText = ({ place, schema }: StateSite): string =>
  schema === null ? place : `schema ${schema} of ${place}`;

/** The outcome of a migration in one line. */
export function migratedText({ before, after, ...site }: StateMigrated): string {
  const where = siteText(site);
  if (before === after) return `Nothing to do: ${where} is of version ${String(after)}.`;
  return before === 0
    ? `Made: ${where}, version ${String(after)}.`
    : `Migrated: ${where}, from version ${String(before)} to ${String(after)}.`;
}
