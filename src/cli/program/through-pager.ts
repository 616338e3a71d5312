import type { Process } from '../context.ts';
import { ObkError, exitCodes } from '../../base/errors.ts';
import type { ExitCode } from '../../base/errors.ts';
import { isOn } from '../render/style.ts';

/** Commands whose output may be long enough for a pager: lists of transactions, and texts. */
const longReads = new Set(['transactions', 'explain', 'help']);

/** The pager for what a command prints; undefined unless a person at a terminal reads it and wants one. */
export function pagerFor(
  { stdout, env }: Pick<Process, 'stdout' | 'env'>,
  path: readonly string[],
  flags: { noPager?: boolean },
): string | undefined {
  const wanted = path.some((word) => longReads.has(word)) && flags.noPager !== true;
  const watched = stdout.isTTY === true && stdout.rows !== undefined;
  if (!wanted || !watched || isOn(env['CI']) || env['TERM'] === 'dumb') return undefined;
  const command = (env['OBK_PAGER'] ?? env['PAGER'] ?? 'less').trim();
  return command === '' || command === 'cat' ? undefined : command;
}

/** Runs a command whose output goes to the pager where it is longer than the screen. */
export async function throughPager(
  host: Process,
  command: string,
  signal: AbortSignal,
  work: (host: Process) => Promise<ExitCode>,
): Promise<ExitCode> {
  const { openPager } = await import('../../adapters/terminal/pager.ts');
  const { stdout, stderr, env } = host;
  const pager = openPager({ command, stdout, stderr, env, signal });
  // Not copied: to look at stdin opens it.
  const there = Object.assign(Object.create(host) as Process, { stdout: pager.stdout, stderr: pager.stderr });
  let exit: ExitCode = exitCodes.ok;
  let interrupted = false;
  try {
    exit = await work(there);
  } finally {
    interrupted = await pager.close();
  }
  if (exit !== exitCodes.ok) return exit;
  const reason: unknown = signal.aborted ? signal.reason : undefined;
  if (reason instanceof ObkError) return reason.exit;
  // Ctrl-C goes to both processes, and the news that the pager is gone may come before the signal.
  return interrupted ? exitCodes.interrupted : exitCodes.ok;
}
