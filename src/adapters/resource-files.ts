import { join } from 'node:path';
import { ObkError } from '../errors.ts';
import type { Noun, SavedResource, Store } from '../ports.ts';
import type { Conversation } from '../sca/state.ts';
import {
  makeDirectory,
  namesIn,
  readIfThere,
  refuseUnsafe,
  removeIfThere,
  sweep,
  writeAtomically,
} from './atomic-file.ts';
import { guard, promised } from './file-errors.ts';
import { checkProfileName, compactTime, newestFirst, safeName } from './safe-name.ts';

type ResourceFiles = Pick<
  Store,
  'saveResource' | 'resources' | 'resource' | 'saveConversation' | 'conversations'
>;

/** Files of earlier versions do not say what was sent. */
type SavedConversation = Omit<Conversation, 'sent'> & Partial<Pick<Conversation, 'sent'>>;

const notRead = 'A saved resource cannot be read.';
const notWritten = 'A resource could not be saved.';
/** In place of an authorisation id that the bank has not given yet. */
const none = '-';

/**
 * One file for each resource and each conversation, so that parallel runs lose nothing. The names begin with the time of
 * creation and end with the id (or a hash of it), so that finding one reads one.
 */
export function resourceFiles(stateDir: string): ResourceFiles {
  const swept = new Set<string>();

  function folder(kind: 'resources' | 'conversations', profile: string, noun: Noun): string {
    return join(stateDir, kind, checkProfileName(profile), noun);
  }

  function names(directory: string): string[] {
    return guard('STATE_UNREADABLE', notRead, directory, () => {
      const found = namesIn(directory).filter((name) => name.endsWith('.json'));
      if (found.length > 0) refuseUnsafe(directory);
      return found.sort(newestFirst);
    });
  }

  /** Replaces every file of the same thing by one. */
  function save(directory: string, name: string, value: object, isSame: (name: string) => boolean): void {
    guard('STATE_NOT_WRITTEN', notWritten, join(directory, name), () => {
      makeDirectory(stateDir);
      makeDirectory(directory);
      if (!swept.has(directory)) sweep(directory);
      swept.add(directory);
      const earlier = namesIn(directory).filter((other) => other !== name && isSame(other));
      writeAtomically(join(directory, name), `${JSON.stringify(value, undefined, 2)}\n`);
      for (const other of earlier) removeIfThere(join(directory, other));
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
      (json) =>
        json.profile === profile &&
        json.noun === noun &&
        [json.id, json.createdAt, json.environment, json.prefix].every((text) => typeof text === 'string') &&
        typeof json.links === 'object',
    );

  const readConversation = (directory: string, name: string) =>
    read<SavedConversation>(
      directory,
      name,
      (json) =>
        typeof json.parent?.id === 'string' &&
        [json.steering, json.standing].every((part) => typeof part === 'object') &&
        Array.isArray(json.sent ?? []),
    ).map(({ sent = [], ...conversation }): Conversation => ({ ...conversation, sent }));

  return {
    saveResource: (resource) =>
      promised(() => {
        const end = `_${safeName(resource.id)}.json`;
        const directory = folder('resources', resource.profile, resource.noun);
        save(directory, compactTime(resource.createdAt) + end, resource, (name) => name.endsWith(end));
      }),
    resources: (profile, noun, limit) =>
      promised(() => {
        const directory = folder('resources', profile, noun);
        return names(directory)
          .slice(0, limit)
          .flatMap((name) => readResource(directory, name, profile, noun));
      }),
    resource: (profile, noun, id) =>
      promised(() => {
        const directory = folder('resources', profile, noun);
        const end = `_${safeName(id)}.json`;
        const name = names(directory).find((other) => other.endsWith(end));
        const [found] = name === undefined ? [] : readResource(directory, name, profile, noun);
        return found?.id === id ? found : undefined;
      }),
    saveConversation: (profile, conversation) =>
      promised(() => {
        const { kind, id } = conversation.parent;
        const directory = folder('conversations', profile, kind === 'cancellation' ? 'payment' : kind);
        const start = compactTime(conversation.startedAt);
        const parent = `_${safeName(id)}_${kind}_`;
        const { authorisationId, psuId } = conversation;
        // Several PSUs may start at the same time.
        const ofPsu = psuId === undefined ? none : `${none}_${safeName(psuId)}`;
        const end = `${parent}${authorisationId === undefined ? ofPsu : safeName(authorisationId)}.json`;
        // It may have got its id, or its PSU, only now.
        const unnamed = [none, ofPsu].map((last) => `${start}${parent}${last}.json`);
        save(directory, start + end, conversation, (name) => name.endsWith(end) || unnamed.includes(name));
      }),
    conversations: (profile, noun, parentId) =>
      promised(() => {
        const directory = folder('conversations', profile, noun);
        const parent = `_${safeName(parentId)}_`;
        return names(directory)
          .filter((name) => name.startsWith(parent, name.indexOf('_')))
          .flatMap((name) => readConversation(directory, name))
          .filter((conversation) => conversation.parent.id === parentId);
      }),
  };
}

function parse<T extends object>(text: string, path: string, check: (json: Partial<T>) => boolean): T {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    throw damaged(path, 'it is not valid JSON');
  }
  if (typeof json !== 'object' || json === null) throw damaged(path, 'it is not a JSON object');
  const { schemaVersion } = json as { schemaVersion?: unknown };
  if (typeof schemaVersion === 'number' && schemaVersion > 1) {
    throw new ObkError({
      code: 'STATE_NEWER',
      title: 'A newer obk has written this file.',
      detail: `${path} has schemaVersion ${schemaVersion}; this obk knows 1.`,
    });
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
