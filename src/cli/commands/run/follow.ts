import type { Context } from '../../context.ts';
import { ObkError, exitCodes } from '../../../base/errors.ts';
import type { ExitCode } from '../../../base/errors.ts';
import type { DataOutcome, Outcome, PrintedRow, RowsOutcome } from '../../outcome.ts';

/**
 * A list that goes on until Ctrl-C, which is how it usually ends: quietly, with the exit code of the signal. With --jq each
 * row is filtered by itself as it comes, since there is no whole list ever.
 */
export function followed(context: Context, list: RowsOutcome & { rows: AsyncIterable<PrintedRow> }): Outcome {
  const { signal, globals } = context;
  async function* quietly(): AsyncGenerator<PrintedRow> {
    try {
      yield* list.rows;
    } catch (error) {
      if (!signal.aborted || error !== signal.reason) throw error;
    }
  }
  const exitAtEnd = () => {
    const reason: unknown = signal.aborted ? signal.reason : undefined;
    return reason instanceof ObkError ? reason.exit : exitCodes.ok;
  };
  async function* each(): AsyncGenerator<DataOutcome, ExitCode> {
    for await (const row of quietly()) yield { kind: 'data', data: row, text: () => '' };
    return exitAtEnd();
  }
  if (globals.jq !== undefined) return { kind: 'watch', results: each() };
  return { ...list, rows: quietly(), live: true, exitAtEnd };
}
