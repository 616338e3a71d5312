import { basename, dirname, join } from 'node:path';
import { ObkError } from '../../base/errors.ts';
import type { Resources } from '../../client/ports/resources.ts';
import { profileFolder } from '../../base/profile-name.ts';
import type { SavedResource } from '../../settings/records/resources.ts';
import type { Noun } from '../../standard/sca/operations.ts';
import type { Conversation } from '../../standard/sca/state.ts';
import {
  createMarker,
  makeDirectory,
  readIfThere,
  refuseUnsafe,
  removeIfThere,
  sweep,
  writeAtomically,
} from '../files/atomic-file.ts';
import { hourOf, isShard, newestByHour, shardOf } from './divided-folder.ts';
import { guard, newer, promised } from '../files/file-errors.ts';
import { jsonIn } from '../files/json-in.ts';
import { hasShape } from '../files/kept-shape.ts';
import type { Shape } from '../files/kept-shape.ts';
import { listing } from '../files/listing.ts';
import { nounOfParent } from './noun-of-parent.ts';
import { checkProfileName, compactTime, newestFirst, safeName } from '../files/safe-name.ts';

/** Files of earlier versions do not say what was sent. */
type SavedConversation = Omit<Conversation, 'sent'> & Partial<Pick<Conversation, 'sent'>>;

/** The members that must be valid in each file; members added by a newer obk are left alone. */
const shapes = {
  resource: {
    ...{
      id: 'text',
      createdAt: 'instant',
      updatedAt: 'instant?',
      usableSince: 'instant?',
      environment: 'text',
      prefix: 'text',
    },
    ...{ baseUrl: 'text?', service: 'text?', product: 'text?', intent: 'text?', status: 'text?' },
    ...{
      links: 'textsByName',
      redirect: 'object?',
      prefer: 'object?',
      basket: 'object?',
      summary: 'object?',
      consent: 'object?',
    },
  },
  parent: { kind: 'text', id: 'text', service: 'text?', product: 'text?' },
  conversation: {
    ...{ parent: 'object', startedAt: 'instant', authorisationId: 'text?', changedAt: 'instant?' },
    ...{ approach: 'text?', scaStatus: 'text?', steering: 'textsByName', standing: 'textsByName' },
    ...{
      unknownLinks: 'texts',
      certificateLink: 'text?',
      scaMethods: 'objects?',
      chosenScaMethod: 'object?',
      challengeData: 'object?',
    },
    ...{ psuMessage: 'text?', fees: 'object?', psuId: 'text?', psu: 'object?', returnState: 'text?' },
    ...{
      oauth: 'object?',
      sent: 'objects?',
      steps: 'number?',
      entered: 'flag?',
      refused: 'flag?',
      inDoubt: 'object?',
    },
    ...{ abandoned: 'texts?', others: 'texts?' },
  },
} as const satisfies Readonly<Record<string, Shape>>;

const notRead = 'A saved resource cannot be read.';
const notWritten = 'A resource could not be saved.';
/** The names about an id. */
type About = (id: string) => readonly string[];

/** In place of an authorisation id that the bank has not given yet. */
const none = '-';

/**
 * One file for each resource and each conversation, so that parallel runs lose nothing. The names begin with the time of
 * creation and end with the id (or a hash of it), so that finding one reads one. A resource stands in the folder of its hour,
 * with an empty file of its name in the folder of its id, which finds it; a conversation in the folder of its parent's id.
 */
export function resourceFiles(stateDir: string): Resources {
  const swept = new Set<string>();
  /** Paths that this process has saved. */
  const mine = new Set<string>();

  function folder(kind: 'resources' | 'conversations', profile: string, noun: Noun): string {
    return join(stateDir, kind, profileFolder(checkProfileName(profile)), noun);
  }

  const byNames = new WeakMap<readonly string[], About>();

  function names(directory: string): readonly string[] {
    return guard('STATE_UNREADABLE', notRead, directory, () => {
      const all = listing(directory);
      if (all.length > 0) refuseUnsafe(directory);
      return all;
    });
  }

  /** Finds the files of a directory: a run that asks for one id looks through the names, only one that asks for more makes a map of them all. */
  function filesOf(directory: string): About {
    const all = names(directory);
    const before = byNames.get(all);
    if (before !== undefined) return before;
    const files = all.filter(isFile);
    let asked = false;
    let ids: ReadonlyMap<string, readonly string[]> | undefined;
    const found: About = (id) => {
      if (asked) return (ids ??= byId(files)).get(id) ?? [];
      asked = true;
      return files.filter((name) => name.includes(id) && idIn(name) === id);
    };
    byNames.set(all, found);
    return found;
  }

  /** The names about an id, newest first, each with whether an earlier obk left the file in the directory itself. */
  function about(directory: string, id: string): { name: string; beside: boolean }[] {
    const safe = safeName(id);
    const own = filesOf(join(directory, shardOf(safe)))(safe);
    const left = filesOf(directory)(safe);
    return [
      ...own.map((name) => ({ name, beside: false })),
      ...left.map((name) => ({ name, beside: true })),
    ].sort((a, b) => newestFirst(a.name, b.name));
  }

  /** The paths of the files about the resource of an id, newest first. */
  const ofResource = (directory: string, id: string): string[] =>
    about(directory, id).map(({ name, beside }) => join(directory, beside ? name : join(hourOf(name), name)));

  /** The paths of the conversations about an id, newest first. */
  const ofParent = (directory: string, id: string): string[] =>
    about(directory, id).map(({ name, beside }) =>
      join(directory, beside ? name : join(shardOf(safeName(id)), name)),
    );

  /** The paths of all resources, newest first; a folder is listed when it is reached. */
  function* walk(directory: string): Generator<string> {
    for (const paths of newestByHour(directory, names, isFile))
      for (const path of paths) yield join(directory, path);
  }

  /** Replaces every file of the same thing by one. */
  function save(
    directory: string,
    path: string,
    value: object,
    earlier: () => readonly string[],
    beforehand: () => void = () => undefined,
  ): void {
    guard('STATE_NOT_WRITTEN', notWritten, path, () => {
      makeDirectory(stateDir);
      makeDirectory(directory);
      if (!swept.has(directory)) sweep(directory, listing(directory));
      swept.add(directory);
      makeDirectory(dirname(path));
      // A file saved by this process has no other name, so what is there is not searched again.
      const others = mine.has(path) ? [] : earlier().filter((one) => one !== path);
      beforehand();
      writeAtomically(path, `${JSON.stringify(value, undefined, 2)}\n`, directory);
      for (const other of others) removeIfThere(other);
      mine.add(path);
    });
  }

  function read<T extends object>(path: string, check: (json: Partial<T>) => boolean): T[] {
    const text = guard('STATE_UNREADABLE', notRead, path, () => readIfThere(path));
    // Removed since its name was read: another process has replaced it.
    return text === undefined ? [] : [parse(text, path, check)];
  }

  const readResource = (path: string, profile: string, noun: Noun) =>
    read<SavedResource>(
      path,
      (json) => json.profile === profile && json.noun === noun && hasShape(json, shapes.resource),
    );

  const readConversation = (path: string) =>
    read<SavedConversation>(
      path,
      (json) => hasShape(json, shapes.conversation) && hasShape(json.parent, shapes.parent),
    ).map(({ sent = [], ...conversation }): Conversation => ({ ...conversation, sent }));

  /** The resource of the first of these files that is there. */
  function firstOf(
    paths: Iterable<string>,
    profile: string,
    noun: Noun,
    id: string,
  ): SavedResource | undefined {
    for (const path of paths) {
      const [found] = readResource(path, profile, noun);
      if (found === undefined) continue;
      if (found.id !== id) throw damaged(path, 'it is about another one');
      return found;
    }
    return undefined;
  }

  return {
    save: (resource) =>
      promised(() => {
        const safe = safeName(resource.id);
        const directory = folder('resources', resource.profile, resource.noun);
        const name = `${compactTime(resource.createdAt)}_${safe}.json`;
        const shard = join(directory, shardOf(safe));
        const earlier = () => ofResource(directory, resource.id);
        save(directory, join(directory, hourOf(name), name), resource, earlier, () => {
          makeDirectory(shard);
          for (const other of filesOf(shard)(safe)) if (other !== name) removeIfThere(join(shard, other));
          createMarker(join(shard, name));
        });
      }),
    list: (profile, noun, limit = Infinity) =>
      promised(() => {
        const found: SavedResource[] = [];
        let left = limit;
        for (const path of walk(folder('resources', profile, noun))) {
          if ((left -= 1) < 0) break;
          found.push(...readResource(path, profile, noun));
        }
        return found;
      }),
    batches: (profile, noun) =>
      promised(() => {
        const paths = walk(folder('resources', profile, noun));
        async function* read() {
          for (;;) {
            const some = [...take(paths, batch)];
            if (some.length === 0) return;
            yield await promised(() => some.flatMap((path) => readResource(path, profile, noun)));
          }
        }
        return read();
      }),
    ids: (profile) =>
      promised(() => {
        const told: string[] = [];
        let unread = batch;
        for (const noun of nouns)
          for (const path of walk(folder('resources', profile, noun))) {
            const id = idInName(basename(path));
            if (id !== undefined) told.push(id);
            else if ((unread -= 1) < 0) return undefined;
            else told.push(...readResource(path, profile, noun).map((one) => one.id));
          }
        return told;
      }),
    listBeginning: (profile, noun, prefix) =>
      promised(() =>
        [...walk(folder('resources', profile, noun))]
          .filter((path) => mayNameBeginning(basename(path), prefix))
          .flatMap((path) => readResource(path, profile, noun))
          .filter(({ id }) => id.startsWith(prefix)),
      ),
    find: (profile, noun, id) =>
      promised(() => {
        const directory = folder('resources', profile, noun);
        const safe = safeName(id);
        const found = firstOf(ofResource(directory, id), profile, noun, id);
        if (found !== undefined) return found;
        // A power loss may have taken what finds it.
        const same = [...walk(directory)].filter(
          (path) => path.includes(safe) && idIn(basename(path)) === safe,
        );
        return firstOf(same, profile, noun, id);
      }),
    saveConversation: (profile, conversation) =>
      promised(() => {
        const { kind, id } = conversation.parent;
        const directory = folder('conversations', profile, nounOfParent(kind));
        const start = compactTime(conversation.startedAt);
        const parent = `_${safeName(id)}_${kind}_`;
        const { authorisationId, psuId } = conversation;
        // Several PSUs may start at the same time.
        const ofPsu = psuId === undefined ? none : `${none}_${safeName(psuId)}`;
        const end = `${parent}${authorisationId === undefined ? ofPsu : safeName(authorisationId)}.json`;
        // It may have got its id, or its PSU, only now.
        const unnamed = [none, ofPsu].map((last) => `${start}${parent}${last}.json`);
        const isSame = (path: string) => path.endsWith(end) || unnamed.includes(basename(path));
        const path = join(directory, shardOf(safeName(id)), start + end);
        save(directory, path, conversation, () => ofParent(directory, id).filter(isSame));
      }),
    removeConversation: (profile, { parent, startedAt, authorisationId, psuId }) =>
      promised(() => {
        const directory = folder('conversations', profile, nounOfParent(parent.kind));
        guard('STATE_NOT_WRITTEN', notWritten, directory, () => {
          for (const path of ofParent(directory, parent.id)) {
            const [one] = readConversation(path);
            const isIt =
              one?.parent.kind === parent.kind &&
              one.startedAt === startedAt &&
              one.authorisationId === authorisationId &&
              one.psuId === psuId;
            if (isIt) removeIfThere(path);
          }
        });
      }),
    conversations: (profile, noun, parentId) =>
      promised(() => {
        const directory = folder('conversations', profile, noun);
        return ofParent(directory, parentId)
          .flatMap((path) => readConversation(path))
          .filter((conversation) => conversation.parent.id === parentId);
      }),
  };
}

/** The paths of all conversations in a directory of them. Throws the system's errors. */
export function conversationsIn(directory: string): string[] {
  const all = listing(directory);
  const folders = ['', ...all.filter(isShard)].map((name) => join(directory, name));
  return folders.flatMap((one) =>
    listing(one)
      .filter(isFile)
      .map((name) => join(one, name)),
  );
}

const isFile = (name: string): boolean => name.endsWith('.json');

/** The next of them, so many at most. */
function* take<Item>(items: Iterator<Item>, count: number): Generator<Item> {
  for (let left = count; left > 0; left -= 1) {
    const next = items.next();
    if (next.done === true) return;
    yield next.value;
  }
}

const nouns = ['payment', 'consent', 'basket'] as const satisfies readonly Noun[];

/** So many files are read at once. */
const batch = 200;

/** The id of a resource that its file is named by; undefined where the name holds a hash of it. */
function idInName(name: string): string | undefined {
  const id = name.slice(name.indexOf('_') + 1, -'.json'.length);
  return id.startsWith('~') ? undefined : id;
}

/** Whether a file may be that of an id that begins so; a name that holds the hash of an id does not tell. */
function mayNameBeginning(name: string, prefix: string): boolean {
  const id = name.slice(name.indexOf('_') + 1);
  return id.startsWith('~') || id.startsWith(prefix);
}

/** The id in `TIME_ID.json` of a resource, or in `TIME_ID_KIND_…` of a conversation. */
function idIn(name: string): string {
  const start = name.indexOf('_') + 1;
  const end = name.indexOf('_', start);
  return end < 0 ? name.slice(start, -'.json'.length) : name.slice(start, end);
}

/** The names by their ids, each sorted as they are. */
function byId(names: readonly string[]): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const name of names) {
    const id = idIn(name);
    const same = found.get(id);
    if (same === undefined) found.set(id, [name]);
    else same.push(name);
  }
  return found;
}

function parse<T extends object>(text: string, path: string, check: (json: Partial<T>) => boolean): T {
  const json = jsonIn(text);
  if (json === undefined) throw damaged(path, 'it is not valid JSON');
  if (typeof json !== 'object' || json === null) throw damaged(path, 'it is not a JSON object');
  const { schemaVersion } = json as { schemaVersion?: unknown };
  if (typeof schemaVersion === 'number' && schemaVersion > 1) {
    throw newer(path, schemaVersion);
  }
  let whole = false;
  try {
    whole = schemaVersion === 1 && check(json);
  } catch {
    // A field of the wrong kind.
  }
  if (!whole) throw damaged(path, 'it does not hold what obk wrote');
  return json as T;
}

function damaged(path: string, why: string): ObkError {
  return new ObkError({
    code: 'STATE_UNREADABLE',
    title: notRead,
    detail: `${path}: ${why}.`,
    hint: [`mv '${path}' '${path}.damaged'   # obk goes on without it`],
  });
}
