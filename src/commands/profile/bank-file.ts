import type { Context } from '../../context.ts';
import { ObkError } from '../../errors.ts';
import { referencesIn } from '../../flows/setting-references.ts';
import { checkDescriptor } from '../../flows/descriptor-shape.ts';
import { isJsonObject, readJson, toPlain } from '../../xs2a/json.ts';
import { usageError } from '../flags.ts';

/** A file as profile export prints it, or with the settings of a bank alone. Throws INPUT_INVALID, USAGE. */
export function readSettings(
  bytes: Uint8Array,
  file: string,
): { of: 'profile' | 'bank'; name?: string; settings: Readonly<Record<string, unknown>> } {
  const json = readJson(bytes, { code: 'INPUT_INVALID' });
  const document = isJsonObject(json) ? (toPlain(json) as Record<string, unknown>) : { obkProfile: null };
  const { obkProfile, name, settings } = document;
  if (obkProfile === undefined) return { of: 'bank', settings: document };
  if (obkProfile === 1 && typeof name === 'string' && typeof settings === 'object' && settings !== null)
    return { of: 'profile', name, settings: settings as Record<string, unknown> };
  throw usageError(`${file} is not what obk profile export prints.`, 'obk profile export NAME --output FILE');
}

/**
 * What a file says of a bank, checked; empty without a file. Throws USAGE for the first setting that is wrong, and
 * SECRET_REFERENCE where the file would read or run something here: whoever wrote it could send that to an address of theirs.
 */
export async function readBank({ ports }: Context, file: string | undefined): Promise<object> {
  if (file === undefined) return {};
  const { of, settings } = readSettings(await ports.files.read(file), file);
  if (of === 'profile') throw usageError(`${file} is a whole profile.`, `obk profile import ${file}`);
  refuseReferences(settings, file);
  const [first] = checkDescriptor(settings, 'bank');
  if (first === undefined) return settings;
  throw usageError(`${file}: ${first.setting}: ${first.text}`, `obk bank lint ${file}`);
}

function refuseReferences(settings: object, file: string): void {
  const [first] = referencesIn(settings);
  if (first === undefined) return;
  const { setting, header } = first;
  throw new ObkError({
    code: 'SECRET_REFERENCE',
    title: `${file} refers to something of this machine: ${setting}.`,
    detail:
      'The file of a bank is data, and reads no secret, file or program. Take the reference out and give it yourself.',
    hint: [
      header === undefined
        ? 'obk help references'
        : `obk profile edit NAME --bank ${file} --header-rule 'default ${header} from REFERENCE'`,
    ],
  });
}
