import { line } from '../../command-line.ts';
import type { Context } from '../../context.ts';
import { ObkError } from '../../errors.ts';
import { readBank as readDescription } from '../../banks/read-bank.ts';
import { bankTemplates } from '../../banks/templates.ts';
import { checkSettings } from '../../settings/table.ts';
import { referencesIn } from '../../flows/profile/setting-references.ts';
import { put } from '../../flows/profile/signing-settings.ts';
import type { BankSettings, SavedProfile } from '../../records/profile.ts';
import { isJsonObject, readJson, toPlain } from '../../xs2a/json.ts';
import { presets } from '../../xs2a/variants.ts';
import type { Framework } from '../../xs2a/variants.ts';
import { usageError } from '../flags/flag-values.ts';
import { settingsByKey } from './setting-keys.ts';
import type { SettingsOptions } from './settings-flags.ts';

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
 * The settings of a bank from a template or a file, checked; empty without either. A plain name is always a template,
 * anything with a dot or a slash is a file, and - is stdin. Throws USAGE for an unknown template and for the first
 * wrong setting of a file; SECRET_REFERENCE if the file would read or run something here, since its author could send
 * that to an address of theirs.
 */
export async function readBank(
  { ports }: Context,
  what: string | undefined,
  framework: () => Framework | Promise<Framework>,
): Promise<BankSettings> {
  if (what === undefined) return {};
  return readDescription(what, {
    file: (path) => ports.files.read(path),
    framework,
    check: checkFile,
  });
}

function checkFile(settings: Readonly<Record<string, unknown>>, file: string): void {
  if (settings['obkProfile'] !== undefined)
    throw usageError(`${file} is a whole profile.`, line`obk profile import ${file}`);
  refuseReferences(settings, file);
  const [first] = checkSettings(settings, 'bank');
  if (first !== undefined)
    throw usageError(`${file}: ${first.setting}: ${first.text}`, line`obk bank lint ${file}`);
}

/** The settings without what the template of this name has for another framework alone; `bank` is what it has for this one. */
export function withoutTemplate(before: SavedProfile, what: string | undefined, bank: object): SavedProfile {
  const template = bankTemplates.find(({ name }) => name === what);
  if (template === undefined) return before;
  const own = new Set(settingsByKey(bank).map(([key]) => key));
  const keys = Object.values(template.byFramework ?? {}).flatMap((settings) => settingsByKey(settings));
  const gone = keys.filter(([key]) => !own.has(key)).map(([key]) => key.split('.'));
  return gone.reduce<object>((rest, path) => put(rest, path, undefined), before) as SavedProfile;
}

/** The framework that a profile will speak once the flags are read. */
export function frameworkAfter(
  { framework, variant }: Pick<SettingsOptions, 'framework' | 'variant'>,
  before: Framework,
): Framework {
  return framework ?? (variant === undefined ? before : presets[variant].framework);
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
        : line`obk profile edit NAME --bank ${file} --header-rule ${`default ${header} from REFERENCE`}`,
    ],
  });
}
