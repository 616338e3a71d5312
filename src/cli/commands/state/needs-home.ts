import { ObkError } from '../../../base/errors.ts';
import { line } from '../../../base/command-line.ts';
import type { Context } from '../../context.ts';

/** Throws INPUT_INVALID where the state of this run is in PostgreSQL, with what is used there instead. */
export async function needHome(context: Context, instead: (schema: string) => string): Promise<void> {
  const place = await context.statePlace();
  if (place.store === 'files') return;
  throw new ObkError({
    code: 'INPUT_INVALID',
    title: 'The state of this run is in PostgreSQL, not in the files of a home.',
    hint: [instead(place.schema ?? 'obk')],
  });
}

export const dump = (schema: string): string => line`pg_dump --schema=${schema} --file=FILE`;
