import { existsSync, statfsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { ObkError } from '../../base/errors.ts';

/** PROC_SUPER_MAGIC of linux/magic.h. */
const proc = 0x9fa0;

/**
 * Throws CONFIG_UNREADABLE (exit 3) for a folder that is missing and below /proc, however it is named: there a new folder is answered
 * ENOENT although its parent exists, and `mkdir` of Node 20 with `recursive` makes that parent again for ever.
 */
export function needMakeable(folder: string): void {
  let above = resolve(folder);
  if (existsSync(above)) return;
  while (!existsSync(above) && dirname(above) !== above) above = dirname(above);
  if (process.platform !== 'linux' || statfsSync(above).type !== proc) return;
  throw new ObkError({
    code: 'CONFIG_UNREADABLE',
    title: 'A folder cannot be made in the system of processes.',
    detail: `${folder}: ${above} is of /proc, which takes no folders.`,
    hint: ['HOME, or OBK_CONFIG_DIR and OBK_STATE_DIR, name the folders that obk writes to.'],
  });
}
