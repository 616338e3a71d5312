import { dirname, join } from 'node:path';
import { line } from '../../../base/command-line.ts';
import type { Context } from '../../context.ts';
import { ObkError } from '../../../base/errors.ts';
import { withImported, writeImports } from '../../../client/certificates/import-certificate.ts';
import { pairsOf } from '../../../client/certificates/profile-files.ts';
import type { FileFault, Pair, PassphraseOf } from '../../../client/certificates/profile-files.ts';
import { takeFiles } from '../../../client/certificates/take-files.ts';
import { doubledPrefix } from '../../../client/profile/doubled-prefix.ts';
import { resolved } from '../../../client/profile/inheritance.ts';
import type { Profile, SavedProfile, Settings } from '../../../settings/records/profile.ts';
import type { Secret } from '../../../base/secret.ts';

/** The files that a profile takes in place of PKCS#12: `write` writes them, `taken` puts them into its settings. */
interface Checked {
  taken: (own: SavedProfile) => SavedProfile;
  write: () => Promise<void>;
}

/** What is tried of a profile, as it would be used. */
interface Tried {
  own: SavedProfile;
  /** What it was; only a change is tried. */
  before?: Partial<Profile>;
  /** False for --no-check. */
  check?: boolean | undefined;
  /** Passphrases that were said already. */
  asked?: Passphrases;
}

export type Passphrases = ReturnType<typeof passphrases>;

const watched = [
  ...pairsOf({}).flatMap(({ keys }) => keys),
  'caCertificates',
  'baseUrl',
  'prefix',
] as const satisfies readonly (keyof Profile)[];

/**
 * Tries the files and the address of a profile before it is saved. Throws the error of the first fault, with all of them and the
 * flags that mend each.
 */
export async function checkedFiles(
  context: Context,
  settings: Settings,
  name: string,
  { own, before = {}, check = true, asked = passphrases(context) }: Tried,
): Promise<Checked> {
  const whole = resolved(settings, name, own);
  if (!check || watched.every((key) => whole[key] === before[key]))
    return { taken: (same) => same, write: () => Promise.resolve() };
  const folder = folderOf(context);
  const passphrase = asked(whole);
  const { imports, faults } = await takeFiles(context.ports, whole, { folder, name, passphrase });
  const doubled = doubledPrefix(whole);
  if (faults.length > 0 || doubled !== undefined) throw refused(name, faults, doubled?.flags);
  const references = new Map(pairsOf(whole).map(({ use, passphraseFrom }) => [use, passphraseFrom] as const));
  return {
    taken: (profile) =>
      imports.reduce(
        (made, { imported }) => withImported(made, imported, lasting(references.get(imported.as))),
        profile,
      ),
    write: () => writeImports(context.ports, imports, false),
  };
}

/** Where files go that are made for profiles: beside the settings. */
export const folderOf = ({ directories }: Context) => join(dirname(directories.settings), 'certificates');

/** A passphrase from stdin is not there the next time. */
const lasting = (reference: string | undefined) =>
  reference === undefined || reference === 'stdin' ? 'prompt' : reference;

/** Asks for each passphrase once; undefined where nobody can say it. */
export function passphrases({ ports: { person, secrets } }: Context) {
  const known = new Map<Pair['use'], Secret>();
  return (profile: Partial<Profile>) =>
    async (use: Pair['use'], file?: string): ReturnType<PassphraseOf> => {
      const before = known.get(use);
      const pair = pairsOf(profile).find((one) => one.use === use);
      if (before !== undefined || pair === undefined) return before;
      const { passphraseFrom: reference, flags } = pair;
      const isAsked = reference === undefined || reference === 'prompt' || reference === 'stdin';
      if (isAsked && !person.present) return undefined;
      const text = `Passphrase of ${file ?? pair.key ?? pair.certificate ?? ''}`;
      const read = isAsked
        ? await person.askSecret({
            id: 'key-passphrase',
            flag: flags.passphrase,
            env: '',
            text,
            again: false,
          })
        : await secrets.read(reference, 'the passphrase of the key');
      known.set(use, read);
      return read;
    };
}

function refused(
  name: string,
  faults: readonly FileFault[],
  address: readonly string[] | undefined,
): ObkError {
  const all = faults.map((one) => ({ text: one.text, way: one.command?.() ?? line`${one.flags}` }));
  if (address !== undefined)
    all.push({
      text: 'The address holds a version, and the prefix would add another.',
      way: line`${address}`,
    });
  return new ObkError({
    code: faults[0]?.code ?? 'PROFILE_INVALID',
    title: `The profile ${name} was not saved: it could not be used.`,
    detail: all.map(({ text }) => text).join('\n'),
    hint: [...all.map(({ way }) => way), '--no-check   # save it as it is'],
  });
}
