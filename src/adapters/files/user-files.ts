import {
  accessSync,
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  mkdtempSync,
  openSync,
  readFileSync,
  readSync,
  readdirSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
  open,
  read,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, sep, resolve } from 'node:path';
import { line } from '../../base/command-line.ts';
import { ObkError } from '../../base/errors.ts';
import type { Files, ProjectFile } from '../../client/ports/files.ts';
import { Secret } from '../../base/secret.ts';
import { createExclusively, isMissing, makeDirectory, writeAtomically } from './atomic-file.ts';
import { promised, reasonFor } from './file-errors.ts';
import { isDevice, isPipe, readDevice, readPipe } from './read-pipe.ts';
import { collectedEarly } from '../system/collected-early.ts';
import { readWhole } from '../system/read-stream.ts';
import { typedPath } from './typed-path.ts';
import { setImmediate } from 'node:timers/promises';
import { promisify } from 'node:util';
import { createHash } from 'node:crypto';
import { homeFolder } from './home-folder.ts';

/** The files that the user names. */
export type UserFiles = Omit<Files, 'savePicture' | 'removePicture'>;

async function* bytesOf(source: NodeJS.ReadableStream): AsyncGenerator<Uint8Array> {
  if (!source.readable) throw new Error('it has been read already');
  for await (const chunk of source) yield typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
}

export function createFiles(options: {
  cwd: string;
  env: Readonly<Record<string, string | undefined>>;
  /** Opened only where a file is called `-`. */
  stdin: () => NodeJS.ReadableStream;
  platform?: string;
}): UserFiles {
  const { cwd, env, stdin, platform = process.platform } = options;
  const absolute = (path: string) => typedPath(path, { cwd, env });

  return {
    absolute,
    project: () => promised(() => findProjectFile({ cwd, env })),

    listing: (path) =>
      promised(() => {
        const folder = absolute(path);
        if (!(statSync(folder, { throwIfNoEntry: false })?.isDirectory() ?? false)) return undefined;
        return readdirSync(folder).sort();
      }),

    remove: (path) =>
      promised(() => {
        rmSync(absolute(path), { force: true });
      }),

    read: async (path) => {
      try {
        if (path === '-') return await readWhole(stdin());
        const file = absolute(path);
        if (isPipe(file)) return await readPipe(file);
        return isDevice(file) ? readDevice(file) : readFileSync(file);
      } catch (cause) {
        throw invalid('A file cannot be read.', reasonFor(path === '-' ? 'stdin' : path, cause), cause);
      }
    },

    async *stream(path) {
      try {
        yield* collectedEarly(path === '-' ? bytesOf(stdin()) : filePieces(absolute(path)));
      } catch (cause) {
        throw invalid('A file cannot be read.', reasonFor(path === '-' ? 'stdin' : path, cause), cause);
      }
    },

    beginning: (path, bytes) =>
      promised(() => {
        const target = absolute(path);
        refuseSpecial(target);
        let file: number;
        try {
          // Guards against a pipe or link put there at this moment: O_NONBLOCK does not wait for it, O_NOFOLLOW does
          // not read through it.
          file = openSync(target, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
        } catch {
          return undefined;
        }
        try {
          const begun = Buffer.alloc(bytes);
          return fstatSync(file).isFile() ? begun.subarray(0, readSync(file, begun)) : undefined;
        } finally {
          closeSync(file);
        }
      }),

    write: (path, content, { force, folder = false }) =>
      promised(() => {
        const bytes = content instanceof Secret ? Buffer.from(content.reveal()) : content;
        try {
          const target = absolute(path);
          refuseSpecial(target);
          if (folder) makeDirectory(dirname(target));
          if (force) writeAtomically(target, bytes);
          else if (!createExclusively(target, bytes)) {
            throw invalid('A file is not overwritten.', `${path} exists already`, undefined, ['--force']);
          }
        } catch (cause) {
          if (cause instanceof ObkError) throw cause;
          const detail = `${reasonFor(path, cause)}.`;
          throw new ObkError({ code: 'OUTPUT_LOST', title: 'A file could not be written.', detail, cause });
        }
      }),

    needPlace: (path) =>
      promised(() => {
        const folder = dirname(path);
        try {
          accessSync(join(absolute(folder), '.'), constants.W_OK | constants.X_OK);
        } catch (cause) {
          const detail = `${reasonFor(folder, cause)}. Nothing was done.`;
          const hint = isMissing(cause) ? [line`mkdir -p ${folder}`] : [];
          throw new ObkError({
            code: 'OUTPUT_LOST',
            title: `${path} could not be written.`,
            detail,
            hint,
            cause,
          });
        }
      }),

    isWithin: (folder, path) =>
      promised(() => {
        try {
          const [above, real] = [realpathSync(absolute(folder)), realpathSync(absolute(path))];
          return real === above || real.startsWith(above.endsWith(sep) ? above : above + sep);
        } catch {
          return true;
        }
      }),
    isPrivate: (path) =>
      promised(() => {
        if (platform === 'win32' || path === '-') return true;
        try {
          return (statSync(absolute(path)).mode & 0o077) === 0;
        } catch (error) {
          if (isMissing(error)) return true;
          throw error;
        }
      }),

    edit: async (text, suffix) => {
      const { runProgram, splitWords } = await import('../system/run-program.ts');
      const editor = env['VISUAL'] || env['EDITOR'] || (platform === 'win32' ? 'notepad' : 'vi');
      const words = splitWords(editor) ?? [];
      if (words.length === 0) throw invalid('No editor could be started.', `"${editor}" is no command`);
      const directory = mkdtempSync(join(tmpdir(), 'obk-'));
      try {
        const path = join(directory, `text${/^\.[a-z0-9]{1,10}$/.exec(suffix)?.[0] ?? '.txt'}`);
        writeFileSync(path, text, { mode: 0o600, flag: 'wx' });
        const ended = await runProgram([...words, path], { env, stdio: 'inherit' });
        if (ended.kind === 'not-started') {
          throw invalid('No editor could be started.', `${editor} was not found`, undefined, [
            'Set VISUAL or EDITOR to an editor of this machine.',
          ]);
        }
        if (ended.kind !== 'exit' || ended.code !== 0) {
          throw new ObkError({ code: 'NOT_CONFIRMED', title: 'The editor ended without saving.' });
        }
        return readFileSync(path, 'utf8');
      } finally {
        rmSync(directory, { recursive: true, force: true });
      }
    },
  };
}

/** Anything but a regular file would be replaced by one, be it a device. */
function refuseSpecial(path: string): void {
  try {
    if (lstatSync(path).isFile()) return;
  } catch (error) {
    if (isMissing(error)) return;
    throw error;
  }
  throw invalid('A file is not written.', `${path} exists and is not a regular file`);
}

function invalid(title: string, detail: string, cause?: unknown, hint: string[] = []): ObkError {
  return new ObkError({ code: 'INPUT_INVALID', title, detail: `${detail}.`, hint, cause });
}

// Four times what Node reads at once: a long report costs less time.
const pieceBytes = 256 * 1024;

const opened = promisify(open);
const readInto = promisify(read);

/**
 * Returns the bytes of a file in pieces, each true until the next is asked for: all are read into one buffer. A stream has a new
 * one for each, which V8 frees only when it collects old objects: of a long file tens of megabytes lay there meanwhile.
 */
export async function* filePieces(path: string): AsyncGenerator<Uint8Array> {
  const file = await opened(path, 'r');
  const buffer = Buffer.allocUnsafeSlow(pieceBytes);
  try {
    // A pipe is waited for by a thread; to wake that for what a file has at once takes longer than to read it.
    const isFile = fstatSync(file).isFile();
    for (;;) {
      const bytesRead = isFile
        ? readSync(file, buffer, 0, pieceBytes, null)
        : (await readInto(file, buffer, 0, pieceBytes, null)).bytesRead;
      if (bytesRead === 0) return;
      yield buffer.subarray(0, bytesRead);
      // Signals and timers are not kept waiting until the end of the file.
      if (isFile) await setImmediate();
    }
  } finally {
    closeSync(file);
  }
}

const name = '.obk.json';
const maxBytes = 64 * 1024;

/** Looks into the working folder and those above it, up to the home folder or the root. */
export function findProjectFile(options: {
  cwd: string;
  env: Readonly<Record<string, string | undefined>>;
  /** That of the user, where the system has such. */
  uid?: number | undefined;
}): ProjectFile | undefined {
  const { cwd, env, uid = process.getuid?.() } = options;
  const home = homeFolder(env);
  const ends = [home, realOf(home)];
  for (let folder = resolve(cwd); ; folder = dirname(folder)) {
    const found = fileAt(join(folder, name), uid);
    if (found !== undefined) return found;
    if (ends.includes(folder) || dirname(folder) === folder) return undefined;
  }
}

function fileAt(link: string, uid: number | undefined): ProjectFile | undefined {
  const stat = attempt(() => statSync(link, { throwIfNoEntry: false }));
  // Anything but a regular file (a pipe) might never end.
  if (stat?.isFile() !== true) return undefined;
  const path = realOf(link) ?? link;
  const bytes = stat.size > maxBytes ? undefined : attempt(() => readFileSync(path));
  return {
    path,
    ...(bytes === undefined ? {} : { text: bytes.toString('utf8') }),
    sha256: bytes === undefined ? '' : createHash('sha256').update(bytes).digest('hex'),
    foreign: uid !== undefined && stat.uid !== uid && stat.uid !== 0,
  };
}

function realOf(path: string): string | undefined {
  return attempt(() => realpathSync(path));
}

/** Undefined where the system refuses: a file of a stranger must not keep obk from working. */
function attempt<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
