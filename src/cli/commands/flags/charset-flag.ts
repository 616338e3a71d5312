import { oneOf } from './flag-values.ts';

/** Reads `--charset`: the set of characters of a file that does not say it itself. */
export const charsetFlag = oneOf('--charset', [
  ...['utf-8', 'utf-16', 'utf-16le', 'utf-16be', 'iso-8859-1', 'iso-8859-2', 'iso-8859-15'],
  ...['windows-1250', 'windows-1252', 'cp437', 'cp850', 'cp852', 'din-66003'],
] as const);
