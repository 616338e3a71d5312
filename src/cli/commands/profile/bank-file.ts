import type { Context } from '../../context.ts';
import { line } from '../../../base/command-line.ts';
import { readBank as readDescription } from '../../../settings/banks/read-bank.ts';
import type { ReadBank } from '../../../settings/banks/read-bank.ts';
import { parseFile } from '../../../settings/banks/read-file.ts';
import { bankTemplates } from '../../../settings/banks/templates.ts';
import { put } from '../../../client/profile/signing-settings.ts';
import type { BankSettings, SavedProfile } from '../../../settings/records/profile.ts';
import { presets } from '../../../standard/xs2a/variants.ts';
import type { Framework } from '../../../standard/xs2a/variants.ts';
import { usageError } from '../flags/flag-values.ts';
import { settingsByKey } from './setting-keys.ts';
import type { SettingsOptions } from './settings-flags.ts';

/** A file as profile export prints it, or with the settings of a bank alone. Throws CONFIG_UNREADABLE, USAGE. */
export async function readSettings(
  bytes: Uint8Array,
  file: string,
): Promise<{ of: 'profile' | 'bank'; name?: string; settings: Readonly<Record<string, unknown>> }> {
  const document = await parseFile(bytes, file);
  const { obkProfile, name, settings } = document;
  if (obkProfile === undefined) return { of: 'bank', settings: document };
  if (obkProfile === 1 && typeof name === 'string' && typeof settings === 'object' && settings !== null)
    return { of: 'profile', name, settings: settings as Record<string, unknown> };
  throw usageError(`${file} is not what obk profile export prints.`, 'obk profile export NAME --output FILE');
}

/**
 * The settings of a bank from a template or a file, checked; empty without either. A plain name is always a template,
 * anything with a dot or a slash is a file, and - is stdin. Throws USAGE for an unknown template, CONFIG_UNREADABLE for a
 * wrong file, SECRET_REFERENCE for one that would read or run something here, PROFILE_INVALID for a waiver of no rule.
 */
export async function readBank(
  { ports }: Context,
  what: string | undefined,
  framework: ReadBank['framework'],
): Promise<BankSettings> {
  if (what === undefined) return {};
  const settings = await readDescription(what, {
    file: (path) => ports.files.read(path),
    framework,
  });
  if (settings.waivers !== undefined) {
    const { needKnownRules } = await import('../../../client/profile/waived-rules.ts');
    needKnownRules(settings, line`obk bank lint ${what}`);
  }
  return settings;
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

/**
 * The flags under a template: its framework and prefix are those of the software, whatever `--variant` says; `--framework` and
 * `--prefix` each say more than both.
 */
export function underTemplate<Options extends SettingsOptions>(options: Options): Options {
  const { framework, prefix, surface } = templateOf(options)?.settings ?? {};
  if (options.variant === undefined || (framework ?? prefix) === undefined) return options;
  const { variant, ...others } = options;
  const preset = presets[variant];
  return {
    ...(others as Options),
    framework: options.framework ?? framework ?? preset.framework,
    prefix: options.prefix ?? prefix ?? preset.prefix,
    surface: options.surface ?? surface ?? preset.surface,
  };
}

const templateOf = ({ bank }: SettingsOptions) => bankTemplates.find(({ name }) => name === bank);

/** Says where a template goes before `--variant`. */
export function tellTemplate({ ports: { notices } }: Context, options: SettingsOptions): void {
  const { variant, bank = '' } = options;
  const used = underTemplate(options);
  if (variant === undefined || used === options) return;
  const { framework = '', prefix = '' } = used;
  const preset = presets[variant];
  if (framework === preset.framework && prefix === preset.prefix) return;
  notices.warn(
    `The template ${bank} sets framework ${framework} and prefix ${prefix === '' ? 'none' : prefix}; --variant ${variant} does not change them.`,
  );
}

/** The framework that a profile will speak once the flags are read. */
export function frameworkAfter(
  { framework, variant }: Pick<SettingsOptions, 'framework' | 'variant'>,
  before: Framework,
): Framework {
  return framework ?? (variant === undefined ? before : presets[variant].framework);
}
