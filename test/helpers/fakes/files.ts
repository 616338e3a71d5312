import { isAbsolute, join } from 'node:path';
import { ObkError } from '../../../src/base/errors.ts';
import type { Files } from '../../../src/client/ports/files.ts';
import { Secret } from '../../../src/base/secret.ts';

/** Files in memory, by absolute path (relative ones stand in /cwd); `-` is stdin. */
export interface MemoryFiles extends Files {
  readonly contents: Map<string, Uint8Array>;
  /** The saved pictures by their paths. */
  readonly pictures: ReadonlyMap<string, Uint8Array>;
}

/** `edit` is what the person does to a text in the editor. */
export function memoryFiles(
  start: Readonly<Record<string, string | Uint8Array>> = {},
  edit: (text: string) => string = (text) => text,
): MemoryFiles {
  const absolute = (path: string) => (isAbsolute(path) ? path : join('/cwd', path));
  const key = (path: string) => (path === '-' ? '-' : absolute(path));
  const pictures = new Map<string, Uint8Array>();
  let pictureNumber = 0;
  const contents = new Map<string, Uint8Array>();
  for (const [path, value] of Object.entries(start)) {
    contents.set(key(path), typeof value === 'string' ? Buffer.from(value) : value);
  }
  const read = async (path: string) => {
    const bytes = contents.get(key(path));
    if (!bytes) throw new ObkError({ code: 'INPUT_INVALID', title: `The file ${path} cannot be read.` });
    return bytes;
  };
  return {
    contents,
    pictures,
    savePicture: async (bytes, suffix) => {
      pictureNumber += 1;
      const path = `/state/pictures/${pictureNumber}.${suffix}`;
      pictures.set(path, bytes);
      return path;
    },
    removePicture: async (path) => {
      pictures.delete(path);
    },
    absolute,
    isWithin: () => Promise.resolve(true),
    needPlace: () => Promise.resolve(),
    read,
    stream: async function* (path) {
      yield await read(path);
    },
    listing: (path) => {
      const folder = `${key(path)}/`;
      const inside = [...contents.keys()].filter((one) => one.startsWith(folder));
      return Promise.resolve(inside.length === 0 ? undefined : inside.map((one) => one.slice(folder.length)));
    },
    remove: (path) => {
      contents.delete(key(path));
      return Promise.resolve();
    },
    beginning: async (path, bytes) => contents.get(key(path))?.subarray(0, bytes),
    write: async (path, content, { force }) => {
      if (!force && contents.has(key(path))) {
        throw new ObkError({ code: 'INPUT_INVALID', title: `The file ${path} exists already.` });
      }
      contents.set(
        key(path),
        content instanceof Secret ? Buffer.from(content.reveal()) : Uint8Array.from(content),
      );
    },
    isPrivate: async (path) => !path.includes('shared'),
    edit: async (text) => edit(text),
    project: async () => undefined,
  };
}
