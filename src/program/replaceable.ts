import type { Context, Globals } from '../context.ts';
import { ObkError } from '../errors.ts';

/** Beginnings of files that may be replaced: a HAR file of obk, a report in JUnit XML. */
const own = {
  trace: /^\s*\{\s*"log"\s*:\s*\{[^[]{0,200}"creator"\s*:\s*\{\s*"name"\s*:\s*"obk"/,
  // A CI may have put the report of another tool there, which it replaces at each run as well.
  reportJunit: /^(<\?xml[^>]*>\s*)?<testsuites?\b/,
} as const;
const flags = { trace: '--trace', reportJunit: '--report-junit' } as const;

/** Throws INPUT_INVALID, before anything is done, where --trace or --report-junit would replace a file that obk has not written. */
export async function needReplaceable(
  { ports: { files } }: Pick<Context, 'ports'>,
  globals: Globals,
): Promise<void> {
  for (const kind of ['trace', 'reportJunit'] as const) {
    const path = globals[kind];
    if (path === undefined || path === '-') continue;
    // Anything but a regular file is refused even with --force, before anything is done.
    const text = Buffer.from((await files.beginning(path, 4096)) ?? []).toString('utf8');
    if (globals.force === true || text === '' || own[kind].test(text)) continue;
    throw new ObkError({
      code: 'INPUT_INVALID',
      title: 'A file is not overwritten.',
      detail: `${path} exists already, and is none that ${flags[kind]} has written. Nothing was done.`,
      hint: [`${flags[kind]} with another name`, '--force   # to replace it'],
    });
  }
}
