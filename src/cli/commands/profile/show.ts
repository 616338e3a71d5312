import { defined } from '../../../base/defined.ts';
import type { Flags, OptionsOf, Register, Run } from '../../command.ts';
import { needSound } from '../../../client/profile/check-settings.ts';
import { builtInName } from '../../../base/profile-name.ts';
import { lineage } from '../../../client/profile/inheritance.ts';
import type { Outcome } from '../../outcome.ts';
import type { Settings } from '../../../settings/records/profile.ts';
import { flatten } from '../../render/fields.ts';
import { cellText } from '../../render/table.ts';
import { definitions } from '../../render/wrap.ts';
import { projectOf } from '../run/project.ts';
import { profileNamed, savedNamed } from './profile-name.ts';
import { settingsByKey } from './setting-keys.ts';

const flags = (command: Flags) => command.argument('[name]', 'the profile; the active one if not given');

type Options = OptionsOf<typeof flags>;

export const register: Register = (command, start) =>
  start(
    flags(command),
    { examples: ['obk profile show', 'obk profile show sandbox --json'], exits: [3] },
    run,
  );

const run: Run<Options> = async (context, options) => {
  const settings = await context.ports.settings.read();
  const { env } = context.process;
  const name =
    options.name ??
    context.globals.profile ??
    (env['OBK_PROFILE'] === '' ? undefined : env['OBK_PROFILE']) ??
    (await projectOf(context))?.profile ??
    settings.activeProfile ??
    builtInName;
  // Settings that the schema of this document forbids are an error, so that it never breaks its own schema.
  needSound(settings, name, profileNamed(settings, name));
  return profileOutcome(settings, name);
};

/** A profile as every command of this noun shows it: with what it inherits, and from whom. */
export function profileOutcome(settings: Settings, name: string, next?: readonly string[]): Outcome {
  const { extends: parent, without } = savedNamed(settings, name);
  const profile = {
    name,
    ...defined({ extends: parent, without }),
    ...profileNamed(settings, name),
  };
  const inherited = inheritedKeys(settings, name);
  const from = (key: string) => {
    const giver = inherited[key] ?? inherited[key.replace(/\.\d+(\..*)?$/, '')];
    return giver === undefined ? '' : ` (from ${giver})`;
  };
  return {
    kind: 'data',
    data: { ...profile, ...(parent === undefined ? {} : { inherited }) },
    text: (style) =>
      definitions(
        flatten(profile).map(([key, value]) => [key, `${cellText(value)}${from(key)}`] as const),
        { indent: 0, width: Math.max(style.width, 40) },
      ).join('\n'),
    name,
    ...defined({ next }),
  };
}

/** The settings in force of a profile that it does not say itself, each with the profile that does. */
export function inheritedKeys(settings: Settings, name: string): Readonly<Record<string, string>> {
  const givers = lineage(settings, name, savedNamed(settings, name)).map((ancestor) => ({
    name: ancestor.name,
    keys: new Set(settingsByKey(ancestor.saved).map(([key]) => key)),
  }));
  return Object.fromEntries(
    settingsByKey(profileNamed(settings, name)).flatMap(([key]) => {
      const giver = givers.find(({ keys }) => keys.has(key))?.name ?? name;
      return giver === name ? [] : [[key, giver] as const];
    }),
  );
}
