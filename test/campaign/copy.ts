import { cpSync } from 'node:fs';
import { relative, resolve } from 'node:path';

/** The project that runs. */
export const project = resolve(import.meta.dirname, '../..');
const made = new Set(['.git', 'node_modules', 'dist', 'coverage']);

/** Copies the project as it stands, committed or not, into a folder; what was made or installed in it stays away. */
export function copyProject(folder: string): void {
  cpSync(project, folder, {
    recursive: true,
    filter: (path) => !made.has(relative(project, path)),
  });
}
