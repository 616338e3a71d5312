import { createRequire } from 'node:module';
import { ObkError } from '../errors.ts';
import type { ErrorCode } from '../errors.ts';

/** Values that may be bound to a statement; integers always come back as bigint, bytes as Uint8Array. */
export type SqlValue = string | bigint | number | Uint8Array | null;

/** What obk uses of node:sqlite (https://nodejs.org/api/sqlite.html). All of it is in Node 22.13; what came later is not used. */
export interface Engine {
  DatabaseSync: new (path: string, options?: { readOnly: boolean }) => Connection;
}

export interface Connection {
  exec(sql: string): void;
  prepare(sql: string): {
    all(...values: SqlValue[]): unknown[];
    run(...values: SqlValue[]): { changes: number | bigint };
    setReadBigInts(enabled: boolean): void;
  };
  close(): void;
}

/** The part of obk that needs SQLite: the code of the error where there is none, and its name at the beginning of a sentence. */
export interface SqliteUser {
  code: ErrorCode;
  name: string;
}

/** SQLite, of Node or of the package. Throws the error of `user` where neither is there. */
export function sqliteFor(user: SqliteUser): Engine {
  const own = ofNode();
  if (own !== undefined) return own;
  try {
    // To import it, a package would load the loader of ES modules.
    return createRequire(import.meta.url)('@photostructure/sqlite') as Engine;
  } catch (cause) {
    throw unavailable(user, cause as NodeJS.ErrnoException);
  }
}

/** Node has SQLite without a flag from 22.13 on; on 22 it warns that this is experimental, which an operator need not read. */
function ofNode(): Engine | undefined {
  // eslint-disable-next-line @typescript-eslint/unbound-method -- it is put back as it was
  const { emitWarning } = process;
  process.emitWarning = (...warning: unknown[]): void => {
    if (!String(warning[0]).startsWith('SQLite is an experimental feature'))
      Reflect.apply(emitWarning, process, warning);
  };
  try {
    return process.getBuiltinModule('node:sqlite') as Engine | undefined;
  } finally {
    process.emitWarning = emitWarning;
  }
}

function unavailable({ code, name }: SqliteUser, cause: NodeJS.ErrnoException): ObkError {
  // The single executable has tried every place that it may use for its native library.
  if (cause.code === 'NATIVE_NOT_LOADED')
    return new ObkError({
      code,
      title: `${name} cannot unpack SQLite.`,
      detail: `It needs a folder in which this user may write and run programs. Tried: ${cause.message.replaceAll('\n', '; ')}.`,
      hint: [
        'export TMPDIR=FOLDER',
        'Or put obk-sqlite.node, which npm run package makes, beside the executable.',
      ],
      cause,
    });
  return new ObkError({
    code,
    title: `${name} needs SQLite, which Node ${process.versions.node} does not have.`,
    detail: `Node has it from 22.13 on. For Node 20 there is the optional package @photostructure/sqlite, which cannot be loaded: ${firstLine(cause.message)}.`,
    hint: ['npm install --include=optional', 'Or take Node 22.13 or newer.'],
    cause,
  });
}

const firstLine = (text: string): string => text.split('\n', 1)[0] ?? '';
