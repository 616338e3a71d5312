import { ObkError } from '../errors.ts';
import { line } from '../command-line.ts';
import { nearest } from '../nearest.ts';
import type { BankSettings } from '../records/profile.ts';
import { isJsonObject, readJson, toPlain } from '../xs2a/json.ts';
import type { Framework } from '../xs2a/variants.ts';
import { bankTemplates } from './templates.ts';
import type { BankTemplate } from './templates.ts';

/** How the description of a bank is read: a file, and for which framework a template is wanted. */
export interface ReadBank {
  readonly file: (path: string) => Promise<Uint8Array>;
  readonly framework: () => Framework | Promise<Framework>;
  /** Judges a file before it is merged with what it extends. */
  readonly check?: (settings: Settings, file: string) => void;
}

type Settings = Readonly<Record<string, unknown>>;

/** How far a description may stand from the last one that it extends. */
const deepest = 8;

/** True for what is a template's name; anything with a dot or a slash is a file, and `-` is stdin. */
export const isTemplateName = (what: string): boolean => /^[a-z0-9][a-z0-9_-]*$/i.test(what);

/**
 * Returns the settings of a template or a file, with those that it extends below its own; notes stay. Throws USAGE for a
 * template that there is not, a circle, and too many above each other; INPUT_INVALID for what is no JSON object.
 */
export async function readBank(what: string, how: ReadBank): Promise<BankSettings> {
  const seen: string[] = [];
  let settings: Settings = {};
  for (let next: string | undefined = what; next !== undefined;) {
    if (seen.includes(next)) throw usage(`${what} extends itself: ${[...seen, next].join(' > ')}.`);
    if (seen.length >= deepest) throw usage(`${what} extends more than ${String(deepest)} descriptions.`);
    seen.push(next);
    const found: Settings = isTemplateName(next)
      ? await settingsOf(templateNamed(next), how)
      : await fileNamed(next, how);
    const { meta, ...rest } = found;
    const { extends: parent, ...own } = isObject(meta) ? meta : {};
    settings = merged({ ...rest, ...(Object.keys(own).length === 0 ? {} : { meta: own }) }, settings);
    next = typeof parent === 'string' ? beside(next, parent) : undefined;
  }
  return settings;
}

/** A file beside the one that extends it; obk reads no other place for a stranger's file. */
function beside(file: string, parent: string): string {
  if (isTemplateName(parent)) return parent;
  const folder = /^(.*[\\/])/.exec(file)?.[1] ?? '';
  if (isTemplateName(file) || file === '-' || /[\\/]/.test(parent))
    throw usage(`${file} extends ${JSON.stringify(parent)}, which is no template.`, 'obk bank list');
  return folder + parent;
}

async function settingsOf(template: BankTemplate, { framework }: ReadBank): Promise<Settings> {
  const { settings, byFramework } = template;
  if (byFramework === undefined) return { ...settings };
  return merged({ ...settings }, { ...byFramework[await framework()] });
}

async function fileNamed(path: string, { file, check }: ReadBank): Promise<Settings> {
  const json = readJson(await file(path), { code: 'INPUT_INVALID' });
  if (!isJsonObject(json)) throw usage(`${path} is no JSON object.`, line`obk bank lint ${path}`);
  const settings = toPlain(json) as Settings;
  check?.(settings, path);
  return settings;
}

/** Returns the template of that name. Throws USAGE with the nearest ones. */
function templateNamed(name: string): BankTemplate {
  const found = bankTemplates.find((template) => template.name === name);
  if (found !== undefined) return found;
  const names = bankTemplates.map((template) => template.name);
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
