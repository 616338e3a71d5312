import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Where a program is on PATH. */
export function pathOf(program: string): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '');
  return folders.map((folder) => join(folder, program)).find(isExecutable);
}

/** Whether all of these programs are on PATH; stderr names those that are not, because tests are skipped for them. */
export function hasPrograms(...programs: string[]): boolean {
  const absent = programs.filter((program) => pathOf(program) === undefined);
  for (const program of absent)
    process.stderr.write(`SKIPPED: ${program} is not on PATH, what needs it is not tested\n`);
  return absent.length === 0;
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
