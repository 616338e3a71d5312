import type { Command } from 'commander';
import { reference } from '../flags/flag-values.ts';

/** The flag that every command about the database takes. */
export function stateOptions(command: Command): Command {
  return command.option(
    '--url-from <REF>',
    'reference to the URL of the database, if not state.urlFrom: that of its owner',
    reference('--url-from'),
  );
}

/** A number of bytes as people read it. */
export function bytesText(bytes: number): string {
  if (bytes < 1024) return `${String(bytes)} B`;
  const units = ['KiB', 'MiB', 'GiB', 'TiB'];
  const power = Math.min(units.length, Math.floor(Math.log2(bytes) / 10));
  return `${(bytes / 1024 ** power).toFixed(1)} ${units[power - 1] ?? ''}`;
}
