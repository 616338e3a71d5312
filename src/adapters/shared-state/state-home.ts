import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { line } from '../../base/command-line.ts';
import { ObkError } from '../../base/errors.ts';
import type { CredentialStore } from '../../client/ports/credentials.ts';
import type { Use } from '../../client/ports/usage.ts';
import { profileFolder, profileOfFolder } from '../../base/profile-name.ts';
import type { JournalRecord } from '../../settings/records/journal.ts';
import type { SavedResource } from '../../settings/records/resources.ts';
import type { Noun } from '../../standard/sca/operations.ts';
import type { Conversation } from '../../standard/sca/state.ts';
import { namesIn } from '../files/atomic-file.ts';
import { guard } from '../files/file-errors.ts';
import { storedIntents } from '../state/intent-files.ts';
import type { StoredIntent } from '../state/intent-files.ts';
import { readLines } from '../state/journal-lines.ts';
import { jsonIn } from '../files/json-in.ts';
import { openWriteFiles } from '../state/open-write-files.ts';
import type { Found } from '../state/open-write-files.ts';
import { isRunning, lifeOf } from '../system/process-identity.ts';
import { conversationsIn, resourceFiles } from '../state/resource-files.ts';
import { runFiles } from '../state/run-files.ts';
import { timeInName } from '../files/safe-name.ts';

/** The files of a home, to be moved: where they are, and who reads its tokens. */
export interface HomeFiles {
  stateDir: string;
  credentials: CredentialStore;
  /** The profiles of the settings, whose credentials may be there. */
  profiles: readonly string[];
}

const nouns = ['payment', 'consent', 'basket'] as const satisfies readonly Noun[];
const unlisted = 'A folder cannot be read.';
const day = 24 * 60 * 60 * 1000;

/** The runs of a home, oldest first. */
export function runsOf(stateDir: string): string[] {
  const files = runFiles(join(stateDir, 'journal'));
  return guard('STATE_UNREADABLE', unlisted, stateDir, () => [...files.hours()].reverse().flat());
}

export const recordsOf = (stateDir: string, run: string): JournalRecord[] =>
  readLines(runFiles(join(stateDir, 'journal')).pathOf(run));

export const openWritesOf = (stateDir: string): Found[] =>
  openWriteFiles(join(stateDir, 'journal', 'open'), (run) => run).list();

export const intentsOf = (stateDir: string): StoredIntent[] => storedIntents(stateDir);

/** The resources of a home with all conversations, those too whose resource is not saved. */
export async function* resourcesOf(stateDir: string): AsyncGenerator<{
  profile: string;
  resources: readonly SavedResource[];
  conversations: readonly Conversation[];
}> {
  const files = resourceFiles(stateDir);
  for (const profile of profilesIn(join(stateDir, 'resources')))
    for (const noun of nouns)
      for await (const resources of await files.batches(profile, noun))
        yield { profile, resources, conversations: [] };
  for (const profile of profilesIn(join(stateDir, 'conversations')))
    for (const noun of nouns) {
      const folder = folderOf(join(stateDir, 'conversations'), profile, noun);
      const paths = guard('STATE_UNREADABLE', unlisted, folder, () => conversationsIn(folder));
      const parents = new Set(paths.map(parentIn));
      for (const id of parents)
        yield { profile, resources: [], conversations: await files.conversations(profile, noun, id) };
    }
}

/** The counts of calls by the names of their files. */
export function usesOf(stateDir: string): { name: string; uses: readonly Use[] }[] {
  const folder = join(stateDir, 'usage');
  return filesIn(folder)
    .filter((name) => name.endsWith('.json'))
    .map((name) => {
      const path = join(folder, name);
      const json = jsonIn(
        guard('STATE_UNREADABLE', 'The count of calls cannot be read.', path, () =>
          readFileSync(path, 'utf8'),
        ),
      );
      const rows = (json as { uses?: unknown } | undefined)?.uses;
      const uses = (Array.isArray(rows) ? rows : []).map((row: unknown): Use => {
        const [at, what] = Array.isArray(row) ? (row as unknown[]) : [];
        if (typeof at !== 'number' || typeof what !== 'string') throw damaged(path);
        return { at, what };
      });
      return { name: name.slice(0, -'.json'.length), uses };
    });
}

/** Throws LOCK_BUSY while a run of this home goes on: what it writes next would be left behind. */
export function needQuiet(stateDir: string, now: Date): void {
  const busy = openWritesOf(stateDir).find(
    ({ mark }) => mark !== undefined && mark.owner.pid !== process.pid && lifeOf(mark.owner) === 'alive',
  );
  if (busy !== undefined) throw goingOn(busy.run);
  for (const run of runsOf(stateDir).reverse()) {
    if (now.getTime() - Date.parse(timeInName(run) ?? '') > day) return;
    const records = recordsOf(stateDir, run);
    const head = records.find((record) => record.type === 'run');
    if (head === undefined || records.some(({ type }) => type === 'ended')) continue;
    if (head.pid !== process.pid && isRunning(head.pid))
      throw goingOn(`${run} (process ${String(head.pid)})`);
  }
}

function goingOn(run: string): ObkError {
  return new ObkError({
    code: 'LOCK_BUSY',
    title: 'A run is going on in this home, so nothing is moved.',
    detail: `Run ${run} has not ended: what it does next would be left behind.`,
    hint: ['obk log list --limit 5'],
  });
}

function parentIn(path: string): string {
  const text = guard('STATE_UNREADABLE', 'A saved resource cannot be read.', path, () =>
    readFileSync(path, 'utf8'),
  );
  const { parent } = (jsonIn(text) ?? {}) as { parent?: { id?: unknown } };
  if (typeof parent?.id === 'string') return parent.id;
  throw damaged(path);
}

export function damaged(path: string): ObkError {
  return new ObkError({
    code: 'STATE_UNREADABLE',
    title: 'A file of this home is damaged, so nothing is moved.',
    detail: `${path} does not hold what obk wrote.`,
    hint: [line`mv ${path} ${`${path}.damaged`}   # obk goes on without it`],
  });
}

const filesIn = (folder: string): string[] =>
  guard('STATE_UNREADABLE', unlisted, folder, () => namesIn(folder)).sort();

const folderOf = (root: string, profile: string, noun: Noun): string =>
  join(root, profileFolder(profile), noun);

const profilesIn = (root: string): string[] => filesIn(root).map((name) => profileOfFolder(name) ?? name);
