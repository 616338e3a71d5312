import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { copyProject, project } from './copy.ts';
import { findPart } from './mutants/parts.ts';
import type { Mistake, Row } from './rows.ts';
import { runRow } from './run-row.ts';

/** The file of a mistake with it in place; undefined where its place is gone, or is not one. */
export function withMistake(mistake: Mistake): { file: string; text: string } | undefined {
  if ('at' in mistake) {
    const part = findPart(mistake.at, project);
    if (part === undefined) return undefined;
    const { path: file, node, source } = part;
    const text = source.getFullText();
    return { file, text: text.slice(0, node.getStart()) + mistake.becomes + text.slice(node.getEnd()) };
  }
  const { file, find, replace } = mistake;
  const parts = readFileSync(join(project, file), 'utf8').split(find);
  return parts.length === 2 ? { file, text: parts.join(replace) } : undefined;
}

/** Plants a mistake of the row in a copy of the project, and tells whether its tests found it there, with their first word on it. */
export async function plant(
  row: Row,
  mistake: Mistake,
  seed: number,
): Promise<{ found: boolean; word: string }> {
  const folder = mkdtempSync(join(tmpdir(), 'obk-planted-'));
  try {
    copyProject(folder);
    symlinkSync(join(project, 'node_modules'), join(folder, 'node_modules'));
    const changed = withMistake(mistake);
    if (changed === undefined) return { found: false, word: 'the place of the mistake is gone' };
    writeFileSync(join(folder, changed.file), changed.text);
    const built = spawnSync(process.execPath, ['build.mjs'], { cwd: folder, encoding: 'utf8' });
    if (built.status !== 0)
      return { found: false, word: `with the mistake it does not build: ${built.stderr}` };
    const { violations } = await runRow(row, mistake.trials, seed, folder);
    const [first = 'nothing'] = violations;
    return { found: violations.length > 0, word: (first.split('\n')[0] ?? '').slice(0, 200) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
