import { dirname, sep } from 'node:path';
import { ObkError } from '../../base/errors.ts';
import type { Ports } from '../ports.ts';
import type { ProjectFile } from '../ports/files.ts';
import type { Environment, Settings } from '../../settings/records/profile.ts';

/** The settings of a project file: it can hold no secret, no address and no command. */
export interface ProjectSettings {
  profile?: string;
  requireEnvironment?: Environment;
}

/** The settings of a trusted project file, and its path. */
export interface Project extends ProjectSettings {
  path: string;
}

const environments: readonly unknown[] = ['sandbox', 'test', 'production'] satisfies Environment[];
const checks: Readonly<Record<keyof ProjectSettings, (value: unknown) => boolean>> = {
  profile: (value) => typeof value === 'string' && value !== '',
  requireEnvironment: (value) => environments.includes(value),
};

/** Finds the project of the working folder; a file that is not trusted is reported and ignored. */
export async function findProject({
  files,
  settings: saved,
  notices,
}: Pick<Ports, 'files' | 'settings' | 'notices'>): Promise<Project | undefined> {
  const file = await files.project();
  const settings = await saved.read();
  const { trustedProjects = {} } = settings;
  const trusts = Object.keys(trustedProjects).length > 0;
  const gone = trusts ? missingProject(settings, files.absolute('.obk.json'), file?.path) : undefined;
  if (gone !== undefined) throw missing(gone);
  if (file === undefined) return undefined;
  if (isTrusted(settings, file)) return { ...projectSettings(file), path: file.path };
  // A trusted file that has changed is an error: without its settings the active profile, perhaps of production, would
  // be used.
  if (Object.hasOwn(trustedProjects, file.path)) throw changed(file);
  const above = Object.keys(trustedProjects).find((path) => isBelow(file.path, path));
  if (above !== undefined) throw hidden(file, above);
  notices.warn(`${file.path} is ignored, as it is not trusted: obk config trust`);
  return undefined;
}

/** The nearest project file that was trusted for the folder of `here` and is not there any more; `found` is the one that is. */
export function missingProject(
  { trustedProjects = {} }: Settings,
  here: string,
  found: string | undefined,
): string | undefined {
  const inside = (path: string, of: string) => dirname(path) === dirname(of) || isBelow(path, of);
  const trusted = Object.keys(trustedProjects).filter((path) => inside(here, path));
  const nearest = trusted.sort((a, b) => b.length - a.length)[0];
  return nearest === undefined || (found !== undefined && inside(found, nearest)) ? undefined : nearest;
}

function missing(path: string): ObkError {
  return new ObkError({
    code: 'CONFIG_UNREADABLE',
    title: 'The project file that was trusted here is not there any more.',
    detail: `${path}. It chose the profile of this folder, so none is used in its place.`,
    hint: ['obk config trust --remove   # the folder has no project any more', 'obk profile list'],
  });
}

const isBelow = (path: string, trusted: string) =>
  dirname(path) !== dirname(trusted) &&
  `${dirname(path)}${sep}`.startsWith(dirname(trusted).replace(/[\\/]?$/, sep));

function changed({ path, sha256 }: ProjectFile): ObkError {
  return new ObkError({
    code: 'CONFIG_UNREADABLE',
    title: 'The project file has changed since it was trusted.',
    detail: `${path} (SHA-256 ${sha256 === '' ? 'unknown' : sha256}). It may choose another profile now, so none is used.`,
    hint: ['obk config trust   # once you have looked at it', 'obk config trust --remove'],
  });
}

function hidden({ path }: ProjectFile, above: string): ObkError {
  return new ObkError({
    code: 'CONFIG_UNREADABLE',
    title: 'A project file that is not trusted stands in front of one that is.',
    detail: `${path} would hide ${above}, so no profile is used.`,
    hint: ['obk config trust   # once you have looked at it'],
  });
}

/** Whether this very content was trusted at this very path. */
function isTrusted({ trustedProjects = {} }: Settings, { path, sha256 }: ProjectFile): boolean {
  return Object.hasOwn(trustedProjects, path) && trustedProjects[path] === sha256;
}

/** Reads the text of a project file. Throws CONFIG_UNREADABLE naming file and key. */
export function projectSettings({ path, text }: ProjectFile): ProjectSettings {
  if (text === undefined) throw unreadable(path, 'it cannot be read, or is too long');
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    throw unreadable(path, 'it is not valid JSON');
  }
  if (typeof json !== 'object' || json === null || Array.isArray(json))
    throw unreadable(path, 'it is not a JSON object');
  for (const [key, value] of Object.entries(json)) {
    if (!Object.hasOwn(checks, key)) throw unreadable(path, `it has an unknown key ${JSON.stringify(key)}`);
    if (!checks[key as keyof ProjectSettings](value))
      throw unreadable(path, `${key} is not ${key === 'profile' ? 'a name' : environments.join(', ')}`);
  }
  return json;
}

/** Settings that trust this content of the file; throws as `projectSettings`, and where the file is somebody else's. */
export function trusting(settings: Settings, file: ProjectFile): Settings {
  projectSettings(file);
  if (file.foreign) {
    throw new ObkError({
      code: 'CONFIG_UNREADABLE',
      title: 'The project file is not trusted.',
      detail: `${file.path} belongs to another user, who could change it.`,
      hint: ['Copy it, so that it is yours.'],
    });
  }
  return { ...settings, trustedProjects: { ...settings.trustedProjects, [file.path]: file.sha256 } };
}

/** Settings that do not trust any content of a file. */
export function distrusting({ trustedProjects = {}, ...settings }: Settings, path: string): Settings {
  const { [path]: _, ...rest } = trustedProjects;
  return Object.keys(rest).length === 0 ? settings : { ...settings, trustedProjects: rest };
}

function unreadable(path: string, why: string): ObkError {
  return new ObkError({
    code: 'CONFIG_UNREADABLE',
    title: 'The project file cannot be read.',
    detail: `${path}: ${why}. It takes profile and requireEnvironment.`,
  });
}
