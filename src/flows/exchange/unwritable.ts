import { isFailure } from '../../errors.ts';
import type { Ports } from '../../ports.ts';
import type { Notices } from '../../ports/person.ts';

const told = new WeakSet<Notices>();

/** Keeps what was read, where that is possible: what a bank has told is worth more than the record of it. */
export async function keepIfPossible(
  ports: Pick<Ports, 'notices'>,
  keep: () => Promise<unknown>,
): Promise<void> {
  try {
    await keep();
  } catch (error) {
    if (!isFailure(error) || error.code !== 'STATE_NOT_WRITTEN') throw error;
    tellUnwritable(ports, error.detail ?? error.title);
  }
}

/** Says once in a run that nothing is kept of what it reads. */
export function tellUnwritable({ notices }: Pick<Ports, 'notices'>, why: string): void {
  if (told.has(notices)) return;
  told.add(notices);
  notices.warn(
    `Nothing of this run is kept (${why.replace(/\.$/, '')}): set OBK_CONFIG_DIR and OBK_STATE_DIR to other folders.`,
  );
}
