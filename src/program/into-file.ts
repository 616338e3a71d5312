import { openOutput } from '../adapters/files/output-file.ts';
import type { Process, Globals } from '../context.ts';
import { exitCodes } from '../errors.ts';
import type { ExitCode } from '../errors.ts';

/** Exit codes with a document on stdout. */
const withResult: readonly ExitCode[] = [
  exitCodes.ok,
  exitCodes.pending,
  exitCodes.declined,
  exitCodes.expectation,
  exitCodes.unknown,
];

/** Runs a command whose stdout is the file of --output, which appears when it is whole, or not at all. */
export async function intoFile(
  host: Process,
  { output = '', force = false }: Globals,
  work: (host: Process) => Promise<ExitCode>,
): Promise<ExitCode> {
  const file = openOutput(output, { cwd: host.cwd, force, id: String(host.pid) });
  try {
    const exit = await work({ ...host, stdout: file.stream });
    if (withResult.includes(exit)) file.commit();
    return exit;
  } finally {
    file.drop();
  }
}
