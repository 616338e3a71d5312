import type { Journal } from '../ports/journal.ts';
import type { JournalRun, JournalRecord } from '../../settings/records/journal.ts';
import { ObkError } from '../../base/errors.ts';

/** The records of a run; undefined where its file is damaged. */
export async function readable(
  journal: Journal,
  { run }: Pick<JournalRun, 'run'>,
): Promise<readonly JournalRecord[] | undefined> {
  try {
    return await journal.read(run);
  } catch (error) {
    if (error instanceof ObkError && ['STATE_UNREADABLE', 'STATE_NEWER'].includes(error.code))
      return undefined;
    throw error;
  }
}
