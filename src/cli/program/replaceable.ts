import type { Context, Globals } from '../context.ts';
import { ObkError } from '../../base/errors.ts';

const junit = /^(<\?xml[^>]*>\s*)?<testsuites?\b/;

/** The flags that name a report, and the beginnings of files that may be replaced by it. */
const reports = {
  trace: ['--trace', /^\s*\{\s*"log"\s*:\s*\{[^[]{0,200}"creator"\s*:\s*\{\s*"name"\s*:\s*"obk"/],
  // A CI may have put the report of another tool there, which it replaces at each run as well.
  reportJunit: ['--report-junit', junit],
  junit: ['--junit', junit],
  html: ['--html', /^\s*<!doctype html\b/i],
} as const;

type Kind = keyof typeof reports;

/** What a command is asked to write beside its result. */
export type Reports = Partial<Record<Kind, string>> & Pick<Globals, 'force'>;

/**
 * Throws, before anything is done, INPUT_INVALID where a report would replace a file that is none, and OUTPUT_LOST where it could
 * not be written once payments were made.
 */
export async function needReplaceable(
  { ports: { files } }: Pick<Context, 'ports'>,
  kind: Kind,
  { [kind]: path, force = false }: Reports,
): Promise<void> {
  if (path === undefined || path === '-') return;
  const [flag, own] = reports[kind];
  // Anything but a regular file is refused even with --force, before anything is done.
  const text = Buffer.from((await files.beginning(path, 4096)) ?? []).toString('utf8');
  await files.needPlace(path);
  if (force || text === '' || own.test(text)) return;
  throw new ObkError({
    code: 'INPUT_INVALID',
    title: 'A file is not overwritten.',
    detail: `${path} exists already, and is none that ${flag} has written. Nothing was done.`,
    hint: [`${flag} with another name`, '--force   # to replace it'],
  });
}
