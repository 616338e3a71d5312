import { join } from 'node:path';
import { profileFolder, profileOfFolder } from '../../profile-name.ts';
import type { Intent } from '../../records/journal.ts';
import { createMarker, makeDirectory } from '../files/atomic-file.ts';
import { guard } from '../files/file-errors.ts';
import { listing } from '../files/listing.ts';
import { checkProfileName, compactTime, safeName, timeInName } from '../files/safe-name.ts';

/** The facts in a marker's file name. */
export interface Marker {
  name: string;
  profile: string;
  createdAt: string;
  fingerprint: string;
  hash: string;
}

type Marked = Pick<Intent, 'profile' | 'createdAt' | 'fingerprint' | 'hash'>;

/** Empty files, one folder for each profile, that find an intent by time and content: their names say everything. */
export function intentMarkers(root: string) {
  const folderOf = (profile: string) => join(root, profileFolder(checkProfileName(profile)));
  const nameOf = ({ createdAt, fingerprint, hash }: Marked) =>
    `${compactTime(createdAt)}_${safeName(fingerprint)}_${safeName(hash)}`;

  function names(folder: string): readonly string[] {
    return guard('STATE_UNREADABLE', 'The intents cannot be read.', folder, () => listing(folder));
  }

  return {
    nameOf,

    add(intent: Marked): void {
      const folder = folderOf(intent.profile);
      makeDirectory(folder);
      createMarker(join(folder, nameOf(intent)));
    },

    /** Whether there was an intent of this hash. */
    has({ profile, hash }: Marked): boolean {
      const end = `_${safeName(hash)}`;
      return names(folderOf(profile)).some((name) => name.endsWith(end));
    },

    /** Newest first; those of one content, or all. */
    *of(profile: string, fingerprint?: string): Generator<Marker> {
      const all = names(folderOf(profile));
      const part = fingerprint === undefined ? '' : `_${safeName(fingerprint)}_`;
      const found = part === '' ? all : all.filter((name) => name.includes(part));
      // Most ask for the newest only.
      const newest = found.reduce((one, other) => (other > one ? other : one), '');
      const first = parse(profile, newest);
      if (first !== undefined) yield first;
      // By their text: a name begins with its time.
      for (const name of found.toSorted().reverse().slice(1)) {
        const marker = parse(profile, name);
        if (marker !== undefined) yield marker;
      }
    },

    /** The hashes of all profiles. */
    hashes(): Set<string> {
      return new Set(
        names(root).flatMap((folder) =>
          names(join(root, folder)).map((name) => name.slice(name.lastIndexOf('_') + 1)),
        ),
      );
    },

    all(): Marker[] {
      return names(root).flatMap((folder) =>
        names(join(root, folder)).flatMap((name) => parse(profileOfFolder(folder) ?? folder, name) ?? []),
      );
    },
  };
}

function parse(profile: string, name: string): Marker | undefined {
  const createdAt = timeInName(name);
  const [, fingerprint, hash] = name.split('_');
  if (createdAt === undefined || fingerprint === undefined || hash === undefined) return undefined;
  return { name, profile, createdAt, fingerprint, hash };
}
