import { statSync } from 'node:fs';
import { open } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { ObkError } from '../../base/errors.ts';

const tail = '\n]}}\n';

/** A HAR that is whole after each call, however long it grows. */
export interface HarFile {
  append(entry: object): Promise<void>;
  close(): Promise<void>;
}

/** Begins a HAR for its owner alone. Throws INPUT_INVALID where there is a file already, unless `force` replaces it. */
export async function openHar(path: string, version: string, force: boolean): Promise<HarFile> {
  const file = await opened(path, force);
  const creator = JSON.stringify({ name: 'obk', version });
  const head = `{"log":{"version":"1.2","creator":${creator},"entries":[`;
  let end = Buffer.byteLength(head);
  await file.write(head + tail, 0);
  let last: Promise<unknown> = Promise.resolve();
  let count = 0;
  return {
    append(entry) {
      const text = `${count === 0 ? '' : ','}\n${JSON.stringify(entry)}`;
      count += 1;
      const at = end;
      end += Buffer.byteLength(text);
      const done = last.then(() => file.write(text + tail, at));
      last = done.catch(() => undefined);
      return done.then(() => undefined);
    },
    async close() {
      await last;
      await file.close();
    },
  };
}

async function opened(path: string, force: boolean): Promise<FileHandle> {
  try {
    return await open(path, force ? 'w' : 'wx', 0o600);
  } catch (cause) {
    const isThere =
      (cause as NodeJS.ErrnoException).code === 'EEXIST' &&
      statSync(path, { throwIfNoEntry: false })?.isFile();
    throw new ObkError({
      code: 'INPUT_INVALID',
      title: isThere === true ? `${path} is there already.` : `${path} cannot be written.`,
      detail: cause instanceof Error ? cause.message : String(cause),
      hint: isThere === true ? ['--force   # replaces it'] : [],
      cause,
    });
  }
}
