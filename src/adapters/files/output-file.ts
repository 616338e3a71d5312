import { closeSync, linkSync, lstatSync, openSync, renameSync, writeSync, fsyncSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { Writable } from 'node:stream';
import { ObkError } from '../../base/errors.ts';
import { isMissing, removeIfThere } from './atomic-file.ts';
import { reasonFor } from './file-errors.ts';

/** A file that appears only when it is whole; until then it has another name. */
export interface OutputFile {
  stream: NodeJS.WritableStream;
  commit(): void;
  drop(): void;
}

/**
 * Opens the file of --output beside its place (mode 0600), before anything is done: a place that cannot be written must
 * not be found out after a payment. Throws INPUT_INVALID for an existing file, OUTPUT_LOST for one that cannot be made.
 */
export function openOutput(path: string, options: { cwd: string; force: boolean; id: string }): OutputFile {
  const target = resolve(options.cwd, path);
  const fresh = join(dirname(target), `.obk-${options.id}.tmp`);
  refuseOther(path, target, options.force);
  const file = attempt(path, () => openSync(fresh, 'wx', 0o600));
  let open = true;
  const close = () => {
    if (open) closeSync(file);
    open = false;
  };
  const stream = new Writable({
    decodeStrings: true,
    write(chunk: Buffer, _encoding, done) {
      try {
        for (let at = 0; at < chunk.length;) at += writeSync(file, chunk, at);
        done();
      } catch (error) {
        done(error as Error);
      }
    },
  });
  return {
    stream,
    commit: () => {
      attempt(path, () => {
        fsyncSync(file);
        close();
        if (options.force) renameSync(fresh, target);
        else {
          // Unlike a rename, a link never replaces what appeared meanwhile.
          linkSync(fresh, target);
          removeIfThere(fresh);
        }
      });
    },
    drop: () => {
      close();
      removeIfThere(fresh);
    },
  };
}

function refuseOther(path: string, target: string, force: boolean): void {
  try {
    const found = lstatSync(target);
    if (force && found.isFile()) return;
    throw new ObkError({
      code: 'INPUT_INVALID',
      title: 'A file is not overwritten.',
      detail: found.isFile() ? `${path} exists already.` : `${path} is not a regular file.`,
      hint: found.isFile() ? ['--force'] : [],
    });
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
}

function attempt<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (cause) {
    const detail = `${reasonFor(path, cause)}.`;
    throw new ObkError({ code: 'OUTPUT_LOST', title: 'A file could not be written.', detail, cause });
  }
}
