import { line } from '../../command-line.ts';
import type { Context } from '../../context.ts';
import { ObkError } from '../../errors.ts';
import { bankTemplates } from '../../flows/profile/bank-templates.ts';
import type { BankTemplate } from '../../flows/profile/bank-templates.ts';
import { checkSettings } from '../../settings/table.ts';
import { referencesIn } from '../../flows/profile/setting-references.ts';
import { put } from '../../flows/profile/signing-settings.ts';
import type { SavedProfile } from '../../records/profile.ts';
import { nearest } from '../../nearest.ts';
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
): Promise<object> {
  if (what === undefined) return {};
  if (/^[a-z0-9][a-z0-9_-]*$/i.test(what)) return templateNamed(what).settings[await framework()];
  const { of, settings } = readSettings(await ports.files.read(what), what);
  if (of === 'profile') throw usageError(`${what} is a whole profile.`, line`obk profile import ${what}`);
  refuseReferences(settings, what);
  const [first] = checkSettings(settings, 'bank');
  if (first === undefined) return settings;
  throw usageError(`${what}: ${first.setting}: ${first.text}`, line`obk bank lint ${what}`);
}

/** The settings without what the template of this name has for another framework alone; `bank` is what it has for this one. */
export function withoutTemplate(before: SavedProfile, what: string | undefined, bank: object): SavedProfile {
  const template = bankTemplates.find(({ name }) => name === what);
  if (template === undefined) return before;
  const own = new Set(settingsByKey(bank).map(([key]) => key));
  const keys = Object.values(template.settings).flatMap((settings) => settingsByKey(settings));
  const gone = keys.filter(([key]) => !own.has(key)).map(([key]) => key.split('.'));
  return gone.reduce<object>((rest, path) => put(rest, path, undefined), before) as SavedProfile;
}

function templateNamed(name: string): BankTemplate {
  const found = bankTemplates.find((template) => template.name === name);
  if (found !== undefined) return found;
  const names = bankTemplates.map((template) => template.name);
  throw usageError(
    `There is no template ${JSON.stringify(name)}; there are: ${names.join(', ')}.`,
    ...nearest(name, names).map((near) => line`--bank ${near}`),
    line`--bank ./${name}   # a file of this name`,
    'obk bank list',
  );
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
