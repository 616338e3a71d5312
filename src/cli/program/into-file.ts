import { openOutput } from '../../adapters/files/output-file.ts';
import type { Process, Globals } from '../context.ts';
import { exitCodes } from '../../base/errors.ts';
import type { ExitCode } from '../../base/errors.ts';

/** Exit codes of errors with a document on stdout. */
const withDocument: readonly ExitCode[] = [
  exitCodes.pending,
  exitCodes.declined,
  exitCodes.expectation,
  exitCodes.unknown,
];

/**
 * Runs a command whose stdout is the file of --output, which appears when it is whole, whatever its exit code, or not at all:
 * the command calls `whole` once its result is printed.
 */
export async function intoFile(
  host: Process,
  { output = '', force = false }: Globals,
  work: (host: Process, whole: () => void) => Promise<ExitCode>,
): Promise<ExitCode> {
  const file = openOutput(output, { cwd: host.cwd, force, id: String(host.pid) });
  try {
    const printed = { whole: false };
    const exit = await work({ ...host, stdout: file.stream }, () => {
      printed.whole = true;
    });
    if (printed.whole || withDocument.includes(exit)) file.commit();
    return exit;
  } finally {
    file.drop();
  }
}
