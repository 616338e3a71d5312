import { ObkError } from '../../base/errors.ts';
import { line } from '../../base/command-line.ts';
import { nearest } from '../../base/nearest.ts';
import type { BankSettings } from '../records/profile.ts';
import type { Framework } from '../../standard/xs2a/variants.ts';
import { readFile, unusable } from './read-file.ts';
import type { Settings } from './read-file.ts';
import { bankTemplates } from './templates.ts';
import type { BankTemplate } from './templates.ts';
import { isTemplateName } from './template-name.ts';

/** How the description of a bank is read: a file, and for which framework a template is wanted, of which `own` is what it says. */
export interface ReadBank {
  readonly file: (path: string) => Promise<Uint8Array>;
  readonly framework: (own: Framework | undefined) => Framework | Promise<Framework>;
}

/** How far a description may stand from the last one that it extends. */
const deepest = 8;

/**
 * Returns the settings of a template or a file, with those that it extends below its own; notes stay. Throws USAGE for a
 * template that there is not; CONFIG_UNREADABLE for a file that is wrong by itself, a circle, and too many above each other;
 * SECRET_REFERENCE for one that refers to something of this machine.
 */
export async function readBank(what: string, how: ReadBank): Promise<BankSettings> {
  const seen: string[] = [];
  let settings: Settings = {};
  let by: string | undefined;
  for (let next: string | undefined = what; next !== undefined;) {
    if (seen.includes(next)) throw unusable(what, [`it extends itself: ${[...seen, next].join(' > ')}`]);
    if (seen.length >= deepest)
      throw unusable(what, [`it extends more than ${String(deepest)} descriptions`]);
    seen.push(next);
    const found: Settings = isTemplateName(next)
      ? await settingsOf(templateNamed(next, by), how, settings['framework'] as Framework | undefined)
      : await fileNamed(next, how, by);
    const { meta, ...rest } = found;
    const { extends: parent, ...own } = isObject(meta) ? meta : {};
    settings = merged({ ...rest, ...(Object.keys(own).length === 0 ? {} : { meta: own }) }, settings);
    by = next;
    next = typeof parent === 'string' ? beside(next, parent) : undefined;
  }
  return settings;
}

/** A file beside the one that extends it; obk reads no other place for a stranger's file. */
function beside(file: string, parent: string): string {
  if (isTemplateName(parent)) return parent;
  const folder = /^(.*[\\/])/.exec(file)?.[1] ?? '';
  if (isTemplateName(file) || file === '-' || /[\\/]/.test(parent))
    throw unusable(file, [`it extends ${JSON.stringify(parent)}, which is no template (obk bank list)`]);
  return folder + parent;
}

async function settingsOf(
  template: BankTemplate,
  { framework }: ReadBank,
  above: Framework | undefined,
): Promise<Settings> {
  const { settings, byFramework } = template;
  if (byFramework === undefined) return { ...settings };
  return merged({ ...settings }, { ...byFramework[await framework(above ?? settings.framework)] });
}

/** The settings of a file; what the file that extends it says is at fault where there is none. */
async function fileNamed(path: string, { file }: ReadBank, by: string | undefined): Promise<Settings> {
  const bytes = await file(path).catch((error: unknown) => {
    if (!(error instanceof ObkError)) throw error;
    const why = error.detail ?? error.title;
    if (by !== undefined) throw unusable(by, [`meta.extends: ${why}`], error);
    throw new ObkError({
      code: 'CONFIG_UNREADABLE',
      title: `The file ${path} cannot be read.`,
      detail: why,
      hint: ['obk bank list   # the templates', 'obk help bank schema'],
      cause: error,
    });
  });
  return readFile(bytes, path);
}

/** Returns the template of that name, which a file may extend. Throws USAGE with the nearest ones, CONFIG_UNREADABLE of the file. */
function templateNamed(name: string, by: string | undefined): BankTemplate {
  const found = bankTemplates.find((template) => template.name === name);
  if (found !== undefined) return found;
  const names = bankTemplates.map((template) => template.name);
  if (by !== undefined) {
    const near = nearest(name, names);
    const meant =
      near.length === 0 ? `There are: ${names.join(', ')}.` : `Did you mean ${near.join(' or ')}?`;
    throw unusable(by, [`meta.extends: There is no template ${JSON.stringify(name)}. ${meant}`]);
  }
  throw usage(
    `There is no template ${JSON.stringify(name)}; there are: ${names.join(', ')}.`,
    ...nearest(name, names).map((near) => line`--bank ${near}`),
    line`--bank ./${name}   # a file of this name`,
    'obk bank list',
  );
}

/** The settings of one object over those of another; lists are taken whole. */
export function merged(below: Settings, above: Settings): Settings {
  const both = Object.entries(above).map(([key, own]) => {
    const under: unknown = Object.hasOwn(below, key) ? below[key] : undefined;
    return [key, isObject(under) && isObject(own) ? merged(under, own) : own] as const;
  });
  return { ...below, ...Object.fromEntries(both) };
}

const isObject = (value: unknown): value is Settings =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function usage(title: string, ...hint: string[]): ObkError {
  return new ObkError({ code: 'USAGE', title, hint });
}
