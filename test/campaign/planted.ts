import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { copyProject, project } from './copy.ts';
import type { Mistake, Row } from './rows.ts';
import { runRow } from './run-row.ts';

/** Plants a mistake of the row in a copy of the project, and tells whether its tests found it there, with their first word on it. */
export async function plant(
  row: Row,
  { file, find, replace, trials }: Mistake,
  seed: number,
): Promise<{ found: boolean; word: string }> {
  const folder = mkdtempSync(join(tmpdir(), 'obk-planted-'));
  try {
    copyProject(folder);
    symlinkSync(join(project, 'node_modules'), join(folder, 'node_modules'));
    const source = readFileSync(join(project, file), 'utf8');
    const parts = source.split(find);
    if (parts.length !== 2)
      return {
        found: false,
        word: `the place of the mistake stands ${String(parts.length - 1)} times in ${file}`,
      };
    writeFileSync(join(folder, file), parts.join(replace));
    const built = spawnSync(process.execPath, ['build.mjs'], { cwd: folder, encoding: 'utf8' });
    if (built.status !== 0)
      return { found: false, word: `with the mistake it does not build: ${built.stderr}` };
    const { violations } = await runRow(row, trials, seed, folder);
    const [first = 'nothing'] = violations;
    return { found: violations.length > 0, word: (first.split('\n')[0] ?? '').slice(0, 200) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
