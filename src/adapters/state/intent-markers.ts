import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { profileFolder, profileOfFolder } from '../../base/profile-name.ts';
import type { Intent } from '../../settings/records/journal.ts';
import { createMarker, makeDirectory, syncDirectory } from '../files/atomic-file.ts';
import { hourOf, isShard, newestByHour, shardOf } from './divided-folder.ts';
import { guard } from '../files/file-errors.ts';
import { listing } from '../files/listing.ts';
import { checkProfileName, compactTime, newestFirst, safeName, timeInName } from '../files/safe-name.ts';

/** The facts in a marker's file name. */
export interface Marker {
  name: string;
  profile: string;
  createdAt: string;
  fingerprint: string;
  hash: string;
}

type Marked = Pick<Intent, 'profile' | 'createdAt' | 'fingerprint' | 'hash'>;

/**
 * Empty files, one folder for each profile, that find an intent by time and content: their names say everything. Each stands in
 * the folder of its hour and in that of its content, so that the loss of one hides no intent of late. Beside the intent, a file
 * named by its hash tells that it was there.
 */
export function intentMarkers(directory: string) {
  const root = join(directory, 'of');
  const folderOf = (profile: string) => join(root, profileFolder(checkProfileName(profile)));
  const nameOf = ({ createdAt, fingerprint, hash }: Marked) =>
    `${compactTime(createdAt)}_${safeName(fingerprint)}_${safeName(hash)}`;
  const folderOfContent = (profile: string, fingerprint: string) =>
    join(folderOf(profile), shardOf(safeName(fingerprint)));
  const foldersOf = (marked: Marked) => [
    join(folderOf(marked.profile), hourOf(nameOf(marked))),
    folderOfContent(marked.profile, marked.fingerprint),
  ];
  const claimed = (hash: string) => join(directory, `${safeName(hash)}.claimed`);
  /** There once every intent of a profile has its markers; empty as they are, so that what removes them all removes it. */
  const whole = (profile: string) => join(folderOf(profile), 'whole');

  function names(folder: string): readonly string[] {
    return guard('STATE_UNREADABLE', 'The intents cannot be read.', folder, () => listing(folder));
  }

  /** Newest first, with those that an earlier obk has left in the folder itself. */
  function* byTime(folder: string): Generator<string> {
    for (const paths of newestByHour(folder, names, isMarker)) for (const path of paths) yield basename(path);
  }

  function* allIn(folder: string): Generator<string> {
    yield* byTime(folder);
    for (const shard of names(folder).filter(isShard)) yield* names(join(folder, shard));
  }

  return {
    nameOf,

    /** The paths of all markers of an intent, where every other one has its own as well. */
    pathsOf: (marked: Marked): string[] => [
      ...foldersOf(marked).map((folder) => join(folder, nameOf(marked))),
      claimed(marked.hash),
      whole(marked.profile),
    ],

    add(intent: Marked): void {
      for (const folder of foldersOf(intent)) {
        makeDirectory(folder);
        createMarker(join(folder, nameOf(intent)));
        syncDirectory(folder);
      }
      // Its folder is synced before the request of the intent leaves.
      createMarker(claimed(intent.hash));
    },

    /** Whether there was an intent of this hash. */
    has({ profile, hash }: Marked): boolean {
      const end = `_${safeName(hash)}`;
      return existsSync(claimed(hash)) || names(folderOf(profile)).some((name) => name.endsWith(end));
    },

    isWhole: (profile: string): boolean => existsSync(whole(profile)),

    noteWhole(profile: string): void {
      makeDirectory(folderOf(profile));
      createMarker(whole(profile));
    },

    /** Those of one content, newest first; those since that time although the folder of their content lacks them. */
    like(profile: string, fingerprint: string, since: string): Marker[] {
      const folder = folderOf(profile);
      const from = compactTime(since);
      const found = new Set(
        [...names(folder), ...names(folderOfContent(profile, fingerprint))].filter(isMarker),
      );
      for (const name of byTime(folder)) {
        if (name < from) break;
        found.add(name);
      }
      const part = `_${safeName(fingerprint)}_`;
      return [...found]
        .filter((name) => name.includes(part))
        .sort(newestFirst)
        .flatMap((name) => parse(profile, name) ?? []);
    },

    /** Newest first. */
    *of(profile: string): Generator<Marker> {
      for (const name of byTime(folderOf(profile))) {
        const marker = parse(profile, name);
        if (marker !== undefined) yield marker;
      }
    },

    /** Those of all profiles. */
    all(): Marker[] {
      return names(root).flatMap((folder) =>
        [...new Set(allIn(join(root, folder)))].flatMap(
          (name) => parse(profileOfFolder(folder) ?? folder, name) ?? [],
        ),
      );
    },
  };
}

const isMarker = (name: string): boolean => name.includes('_');

function parse(profile: string, name: string): Marker | undefined {
  const createdAt = timeInName(name);
  const [, fingerprint, hash] = name.split('_');
  if (createdAt === undefined || fingerprint === undefined || hash === undefined) return undefined;
  return { name, profile, createdAt, fingerprint, hash };
}
