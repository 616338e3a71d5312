import { closeSync, fsyncSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { ObkError } from '../../base/errors.ts';
import type { Engine } from '../../client/ports/engine.ts';
import { linkIfFree, prepareTemporary, removeIfThere, syncDirectory } from '../files/atomic-file.ts';
import { guard } from '../files/file-errors.ts';
import { isThere } from './state-failures.ts';

/**
 * Copies a database, as it is at this moment, into a new file that only this user can read; durable when it resolves. Throws INPUT_INVALID
 * where something has that name.
 */
export async function copyState(from: Engine, to: string): Promise<void> {
  const written = <T>(action: () => T): T =>
    guard('STATE_NOT_WRITTEN', 'The copy could not be written.', to, action);
  if (isThere(to)) throw taken(to);
  const folder = dirname(to);
  const temporary = written(() => prepareTemporary(folder, '', false));
  try {
    await from.rows({ sql: 'VACUUM INTO ?1', values: [temporary] });
    written(() => {
      syncFile(temporary);
      if (!linkIfFree(temporary, to)) throw taken(to);
    });
  } finally {
    removeIfThere(temporary);
  }
  written(() => {
    syncDirectory(folder);
  });
}

function syncFile(path: string): void {
  const descriptor = openSync(path, 'r+');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

const taken = (path: string): ObkError =>
  new ObkError({
    code: 'INPUT_INVALID',
    title: 'The file exists already.',
    detail: `${path} is not replaced.`,
    hint: ['Give the name of a new file.'],
  });
