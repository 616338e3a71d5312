import type { Context } from '../context.ts';
import { ObkError, exitCodes } from '../errors.ts';
import type { Row, RowsOutcome } from '../outcome.ts';

/** A list that goes on until Ctrl-C, which is how it usually ends: quietly, with the exit code of the signal. */
export function followed(
  { signal }: Context,
  rows: AsyncIterable<Row>,
): Pick<RowsOutcome, 'rows' | 'live' | 'exitAtEnd'> {
  async function* quietly() {
    try {
      yield* rows;
    } catch (error) {
      if (!signal.aborted || error !== signal.reason) throw error;
    }
  }
  const exitAtEnd = () => {
    const reason: unknown = signal.aborted ? signal.reason : undefined;
    return reason instanceof ObkError ? reason.exit : exitCodes.ok;
  };
  return { rows: quietly(), live: true, exitAtEnd };
}
