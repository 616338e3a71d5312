import type { Journal } from '../ports/journal.ts';
import type { JournalRun, JournalRecord } from '../../settings/records/journal.ts';
import { ObkError, SealedElsewhere } from '../../base/errors.ts';

/** The records of a run, or why they cannot be read: `sealed` with a key that this run does not have, or `damaged`. */
export async function recordsOf(
  journal: Journal,
  { run }: Pick<JournalRun, 'run'>,
): Promise<readonly JournalRecord[] | 'sealed' | 'damaged'> {
  try {
    return await journal.read(run);
  } catch (error) {
    if (error instanceof SealedElsewhere) return 'sealed';
    if (error instanceof ObkError && ['STATE_UNREADABLE', 'STATE_NEWER'].includes(error.code))
      return 'damaged';
    throw error;
  }
}

/** The records of a run; undefined where they cannot be read. */
export async function readable(
  journal: Journal,
  run: Pick<JournalRun, 'run'>,
): Promise<readonly JournalRecord[] | undefined> {
  const records = await recordsOf(journal, run);
  return typeof records === 'string' ? undefined : records;
}
