import { randomBytes } from 'node:crypto';
import { statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Clock } from '../../client/ports/clock.ts';
import type { Files } from '../../client/ports/files.ts';
import { createExclusively, makeDirectory, namesIn, refuseUnsafe, removeIfThere } from './atomic-file.ts';
import { guard, promised } from './file-errors.ts';

const notWritten = 'A picture of the bank could not be saved.';
/** Age after which a picture is removed, since no bank would still accept an answer to its challenge. */
const oldMs = 24 * 60 * 60 * 1000;

/** Pictures of challenges, each in a file that only the user can read, under an unused name. */
export function pictureFiles(stateDir: string, clock: Clock): Pick<Files, 'savePicture' | 'removePicture'> {
  const directory = join(stateDir, 'pictures');

  function removeOld(): void {
    for (const path of namesIn(directory).map((name) => join(directory, name))) {
      const stat = statSync(path, { throwIfNoEntry: false });
      if (stat !== undefined && clock.now().getTime() - stat.mtimeMs > oldMs) removeIfThere(path);
    }
  }

  return {
    savePicture: (bytes, suffix) =>
      promised(() =>
        guard('STATE_NOT_WRITTEN', notWritten, directory, () => {
          makeDirectory(stateDir);
          makeDirectory(directory);
          refuseUnsafe(directory);
          removeOld();
          for (;;) {
            const path = join(directory, `${randomBytes(9).toString('hex')}.${suffix}`);
            if (createExclusively(path, bytes)) return path;
          }
        }),
      ),
    removePicture: (path) =>
      promised(() => {
        // The path comes from a file of the state: it may lead nowhere else.
        if (dirname(path) !== directory) return;
        guard('STATE_NOT_WRITTEN', 'A picture of the bank could not be removed.', path, () => {
          removeIfThere(path);
        });
      }),
  };
}
