import { line } from '../../base/command-line.ts';
import { usageError } from '../commands/flags/flag-values.ts';
import type { Globals } from '../context.ts';
import type { Loaded } from './load.ts';

/** Throws unless a command line with `-o html` can be answered by one page, before anything is done. */
export function needPage({ entry, page }: Loaded, parsed: Globals, tty: boolean): void {
  if (page.html !== true)
    throw usageError(
      `-o html is for lists of transactions; obk ${entry.path} has no page.`,
      line`obk help ${entry.path.split(' ')}`,
    );
  const others = [
    ['--json', parsed.json],
    ['--fields', parsed.fields],
    ['--jq', parsed.jq],
    ['--meta', parsed.meta],
    ['--raw', (parsed as { raw?: true }).raw],
  ] as const;
  const other = others.find(([, given]) => given !== undefined && given !== false);
  if (other !== undefined)
    throw usageError(`-o html writes a page, and ${other[0]} something else: give one of them.`);
  if (tty && (parsed.output === undefined || parsed.output === '-'))
    throw usageError('A page is not for a terminal.', '-o html --output FILE.html   # or into a pipe');
}
