import { closeSync, constants, openSync, readSync, statSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';

const pauseMs = 10;
/** How long a writer may take to come: a script may start the two side by side. */
const patienceMs = 2000;
const chunkBytes = 65_536;

/** Whether a path leads to a pipe, as the <(COMMAND) of a shell does. */
export const isPipe = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isFIFO() ?? false;

/**
 * Reads a pipe to its end. To open one as a file waits for a writer, and nothing in this process goes on meanwhile, not even its
 * end by Ctrl-C: one that nobody writes to is an error.
 */
export async function readPipe(path: string, maxBytes = Infinity): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  let waitedMs = 0;
  const descriptor = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    for (;;) {
      const read = readNow(descriptor);
      if (read !== undefined && read.length > 0) {
        chunks.push(read);
        size += read.length;
        if (size > maxBytes) throw new Error(`it is longer than ${String(maxBytes)} bytes`);
        continue;
      }
      if (read !== undefined && chunks.length > 0) return Buffer.concat(chunks);
      if (read !== undefined) waitedMs += pauseMs;
      if (waitedMs > patienceMs) throw new Error('it is a pipe, and nobody writes to it');
      await pause(pauseMs);
    }
  } finally {
    closeSync(descriptor);
  }
}

/** What is there; nothing at the end, undefined where a writer is there and has not written yet. */
function readNow(descriptor: number): Buffer | undefined {
  const chunk = Buffer.alloc(chunkBytes);
  try {
    return chunk.subarray(0, readSync(descriptor, chunk));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EAGAIN') return undefined;
    throw error;
  }
}

/** More than anybody types or keeps at a device; one such as /dev/zero never ends, and nothing could stop its reading. */
const mostOfDevice = 1024 * 1024;

/** Whether a path leads to a device, a terminal included. */
export function isDevice(path: string): boolean {
  const stat = statSync(path, { throwIfNoEntry: false });
  return stat !== undefined && (stat.isCharacterDevice() || stat.isBlockDevice());
}

/** Reads a device to its end. */
export function readDevice(path: string): Buffer {
  const chunks: Buffer[] = [];
  const descriptor = openSync(path, 'r');
  try {
    for (let size = 0; ;) {
      const chunk = Buffer.alloc(chunkBytes);
      const read = readSync(descriptor, chunk);
      if (read === 0) return Buffer.concat(chunks);
      chunks.push(chunk.subarray(0, read));
      size += read;
      if (size > mostOfDevice) throw new Error('it is a device, and does not end');
    }
  } finally {
    closeSync(descriptor);
  }
}
