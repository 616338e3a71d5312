import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { ObkError } from '../../base/errors.ts';
import type { JournalRecord, Made, OpenWrite } from '../../settings/records/journal.ts';
import type { Header } from '../../settings/records/wire.ts';
import {
  createExclusively,
  isMissing,
  namesIn,
  readIfThere,
  removeIfThere,
  syncDirectory,
  writeAtomically,
} from '../files/atomic-file.ts';
import { guard } from '../files/file-errors.ts';
import { jsonIn } from '../files/json-in.ts';
import { isIdentity } from '../system/process-identity.ts';
import type { ProcessIdentity } from '../system/process-identity.ts';
import { newestFirst, safeName } from '../files/safe-name.ts';
import { isSealed, seal, unsealFile } from '../files/sealed.ts';

type Exact = { headers: readonly Header[]; body: string };
type Prepared = Extract<JournalRecord, { type: 'prepared' }>;

/** The facts in the mark of a write: enough to go on if the journal of its run is lost. */
export type Mark = Omit<OpenWrite, 'run' | 'exchange' | 'alive'> & {
  schemaVersion: 1;
  owner: ProcessIdentity;
  exact: Exact | null;
};

/** A mark as it is found. */
export interface Found {
  run: string;
  /** The id of the exchange, from the file name. */
  exchange: string;
  /** The request was let go. */
  sent: boolean;
  /** Undefined where an older obk wrote it, or it is damaged. */
  mark: Mark | undefined;
}

const notRead = 'The journal cannot be read.';
const nameOfMark = /^([^.]+)\.([^.]+?)(\.sent)?\.json$/;

/** One small file for each write that is not over: found without reading the history, and kept apart from its journal. */
export function openWriteFiles(directory: string, fileName: (run: string) => string) {
  const pathOf = (run: string, exchange: string, sent = false) =>
    join(directory, `${fileName(run)}.${safeName(exchange)}${sent ? '.sent' : ''}.json`);

  function textOf(run: string, exchange: string): { path: string; text: string } | undefined {
    for (const sent of [true, false]) {
      const path = pathOf(run, exchange, sent);
      const text = guard('STATE_UNREADABLE', notRead, path, () => readIfThere(path));
      if (text !== undefined) return { path, text };
    }
    return undefined;
  }

  function remove(run: string, exchange: string): void {
    removeIfThere(pathOf(run, exchange));
    removeIfThere(pathOf(run, exchange, true));
  }

  return {
    remove,

    create(run: string, record: Prepared, profile: string | undefined, owner: ProcessIdentity): void {
      const { exchange, operation, at, requestId, bodySha256, intent, resource, exact = null } = record;
      const mark: Mark = {
        ...{ schemaVersion: 1, operation, at, requestId, bodySha256, owner, exact },
        ...(profile === undefined ? {} : { profile }),
        ...(intent === undefined ? {} : { intent }),
        ...(resource === undefined ? {} : { resource }),
      };
      createExclusively(pathOf(run, exchange), seal(mark));
    },

    /** From now on the write counts as sent, even where its journal is lost. */
    markSent(run: string, exchange: string): void {
      try {
        renameSync(pathOf(run, exchange), pathOf(run, exchange, true));
      } catch (error) {
        if (isMissing(error)) return;
        throw error;
      }
      syncDirectory(directory);
    },

    keep(run: string, exchange: string, made: Made, owner: ProcessIdentity): void {
      const found = textOf(run, exchange);
      const before = found === undefined ? undefined : parse(found.text);
      const mark = before ?? { schemaVersion: 1, owner, exact: null };
      writeAtomically(found?.path ?? pathOf(run, exchange, true), seal({ ...mark, made }));
    },

    /** Newest run first. */
    list(): Found[] {
      const names = guard('STATE_UNREADABLE', notRead, directory, () => namesIn(directory));
      return names.sort(newestFirst).flatMap((name) => {
        const [, run, exchange, sent] = nameOfMark.exec(name) ?? [];
        if (run === undefined || exchange === undefined) return [];
        const path = join(directory, name);
        const text = guard('STATE_UNREADABLE', notRead, path, () => readIfThere(path));
        if (text === undefined) return [];
        return [{ run, exchange, sent: sent !== undefined, mark: parse(text) }];
      });
    },

    removeAll(run: string): void {
      const own = `${fileName(run)}.`;
      for (const name of namesIn(directory)) if (name.startsWith(own)) removeIfThere(join(directory, name));
    },

    exact(run: string, exchange: string): Exact | undefined {
      const found = textOf(run, exchange);
      if (found === undefined) return undefined;
      const exact = isSealed(found.text) ? parse(found.text)?.exact : plainExact(found.text);
      if (exact === null) return undefined;
      if (exact !== undefined) return exact;
      throw new ObkError({
        code: 'STATE_UNREADABLE',
        title: notRead,
        detail: `${found.path}: it does not hold what obk wrote.`,
        hint: ['obk pending list'],
      });
    },
  };
}

function parse(text: string): Mark | undefined {
  const mark = unsealFile(text) as Partial<Mark> | undefined;
  return mark?.schemaVersion === 1 && isIdentity(mark.owner) ? (mark as Mark) : undefined;
}

/** A mark of an older obk, which holds the exact bytes alone. */
function plainExact(text: string): Exact | null | undefined {
  const exact = jsonIn(text) as Exact | null | undefined;
  if (exact === null || exact === undefined) return exact;
  return typeof exact.body === 'string' && Array.isArray(exact.headers) ? exact : undefined;
}
