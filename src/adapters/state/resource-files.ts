import { join } from 'node:path';
import { ObkError } from '../../errors.ts';
import type { Resources } from '../../ports/resources.ts';
import { profileFolder } from '../../profile-name.ts';
import type { SavedResource } from '../../records/resources.ts';
import type { Noun } from '../../sca/operations.ts';
import type { Conversation } from '../../sca/state.ts';
import {
  makeDirectory,
  readIfThere,
  refuseUnsafe,
  removeIfThere,
  sweep,
  writeAtomically,
} from '../files/atomic-file.ts';
import { guard, newer, promised } from '../files/file-errors.ts';
import { jsonIn } from '../files/json-in.ts';
import { hasShape } from '../files/kept-shape.ts';
import type { Shape } from '../files/kept-shape.ts';
import { listing } from '../files/listing.ts';
import { nounOfParent } from './noun-of-parent.ts';
import { checkProfileName, compactTime, safeName } from '../files/safe-name.ts';

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
    ...{ oauth: 'object?', sent: 'objects?', steps: 'number?', inDoubt: 'object?' },
    ...{ abandoned: 'texts?', others: 'texts?' },
  },
} as const satisfies Readonly<Record<string, Shape>>;

const notRead = 'A saved resource cannot be read.';
const notWritten = 'A resource could not be saved.';
interface Sorted {
  names: readonly string[];
  /** Those about an id: a run that asks for one looks through the names, only one that asks for more makes a map of them all. */
  about(id: string): readonly string[];
}

/** In place of an authorisation id that the bank has not given yet. */
const none = '-';

/**
 * One file for each resource and each conversation, so that parallel runs lose nothing. The names begin with the time of
 * creation and end with the id (or a hash of it), so that finding one reads one.
 */
export function resourceFiles(stateDir: string): Resources {
  const swept = new Set<string>();
  /** Paths that this process has saved. */
  const mine = new Set<string>();

  function folder(kind: 'resources' | 'conversations', profile: string, noun: Noun): string {
    return join(stateDir, kind, profileFolder(checkProfileName(profile)), noun);
  }

  const sorted = new WeakMap<readonly string[], Sorted>();

  /** The files of a directory, newest first, and by the id that they are about. */
  function look(directory: string): Sorted {
    return guard('STATE_UNREADABLE', notRead, directory, () => {
      const all = listing(directory);
      const before = sorted.get(all);
      if (before !== undefined) return before;
      const names = all
        .filter((name) => name.endsWith('.json'))
        .sort()
        .reverse();
      if (names.length > 0) refuseUnsafe(directory);
      let asked = false;
      let ids: ReadonlyMap<string, readonly string[]> | undefined;
      const found = {
        names,
        about: (id: string) => {
          if (asked) return (ids ??= byId(names)).get(id) ?? [];
          asked = true;
          return names.filter((name) => name.includes(id) && idIn(name) === id);
        },
      };
      sorted.set(all, found);
      return found;
    });
  }

  const names = (directory: string): readonly string[] => look(directory).names;
  /** Newest first. */
  const about = (directory: string, id: string): readonly string[] => look(directory).about(safeName(id));

  /** Replaces every file of the same thing by one. */
  function save(
    directory: string,
    name: string,
    value: object,
    id: string,
    isSame: (name: string) => boolean,
  ): void {
    guard('STATE_NOT_WRITTEN', notWritten, join(directory, name), () => {
      makeDirectory(stateDir);
      makeDirectory(directory);
      if (!swept.has(directory)) sweep(directory, listing(directory));
      swept.add(directory);
      const path = join(directory, name);
      // A file saved by this process has no other name, so the folder, which may hold thousands, is not searched again.
      const earlier = mine.has(path) ? [] : about(directory, id).filter((one) => one !== name && isSame(one));
      writeAtomically(path, `${JSON.stringify(value, undefined, 2)}\n`);
      for (const other of earlier) removeIfThere(join(directory, other));
      mine.add(path);
    });
  }

  function read<T extends object>(
    directory: string,
    name: string,
    check: (json: Partial<T>) => boolean,
  ): T[] {
    const path = join(directory, name);
    const text = guard('STATE_UNREADABLE', notRead, path, () => readIfThere(path));
    // Removed since its name was read: another process has replaced it.
    return text === undefined ? [] : [parse(text, path, check)];
  }

  const readResource = (directory: string, name: string, profile: string, noun: Noun) =>
    read<SavedResource>(
      directory,
      name,
      (json) => json.profile === profile && json.noun === noun && hasShape(json, shapes.resource),
    );

  const readConversation = (directory: string, name: string) =>
    read<SavedConversation>(
      directory,
      name,
      (json) => hasShape(json, shapes.conversation) && hasShape(json.parent, shapes.parent),
    ).map(({ sent = [], ...conversation }): Conversation => ({ ...conversation, sent }));

  return {
    save: (resource) =>
      promised(() => {
        const end = `_${safeName(resource.id)}.json`;
        const directory = folder('resources', resource.profile, resource.noun);
        const name = compactTime(resource.createdAt) + end;
        save(directory, name, resource, resource.id, (other) => other.endsWith(end));
      }),
    list: (profile, noun, limit) =>
      promised(() => {
        const directory = folder('resources', profile, noun);
        return names(directory)
          .slice(0, limit)
          .flatMap((name) => readResource(directory, name, profile, noun));
      }),
    batches: (profile, noun) =>
      promised(() => {
        const directory = folder('resources', profile, noun);
        const all = names(directory);
        async function* read() {
          for (let at = 0; at < all.length; at += batch) {
            const some = all.slice(at, at + batch);
            yield await promised(() => some.flatMap((name) => readResource(directory, name, profile, noun)));
          }
        }
        return read();
      }),
    ids: (profile) =>
      promised(() => {
        const told: string[] = [];
        let unread = batch;
        for (const noun of nouns) {
          const directory = folder('resources', profile, noun);
          for (const name of names(directory)) {
            const id = idInName(name);
            if (id !== undefined) told.push(id);
            else if ((unread -= 1) < 0) return undefined;
            else told.push(...readResource(directory, name, profile, noun).map((one) => one.id));
          }
        }
        return told;
      }),
    listBeginning: (profile, noun, prefix) =>
      promised(() => {
        const directory = folder('resources', profile, noun);
        return names(directory)
          .filter((name) => mayNameBeginning(name, prefix))
          .flatMap((name) => readResource(directory, name, profile, noun))
          .filter(({ id }) => id.startsWith(prefix));
      }),
    find: (profile, noun, id) =>
      promised(() => {
        const directory = folder('resources', profile, noun);
        const [name] = about(directory, id);
        const [found] = name === undefined ? [] : readResource(directory, name, profile, noun);
        if (name !== undefined && found !== undefined && found.id !== id)
          throw damaged(join(directory, name), 'it is about another one');
        return found;
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
        const isSame = (name: string) => name.endsWith(end) || unnamed.includes(name);
        save(directory, start + end, conversation, id, isSame);
      }),
    removeConversation: (profile, { parent, startedAt, authorisationId, psuId }) =>
      promised(() => {
        const directory = folder('conversations', profile, nounOfParent(parent.kind));
        guard('STATE_NOT_WRITTEN', notWritten, directory, () => {
          for (const name of about(directory, parent.id)) {
            const [one] = readConversation(directory, name);
            const isIt =
              one?.parent.kind === parent.kind &&
              one.startedAt === startedAt &&
              one.authorisationId === authorisationId &&
              one.psuId === psuId;
            if (isIt) removeIfThere(join(directory, name));
          }
        });
      }),
    conversations: (profile, noun, parentId) =>
      promised(() => {
        const directory = folder('conversations', profile, noun);
        return about(directory, parentId)
          .flatMap((name) => readConversation(directory, name))
          .filter((conversation) => conversation.parent.id === parentId);
      }),
  };
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
