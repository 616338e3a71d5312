import { builtInName } from '../../flows/profiles.ts';
import type { Outcome } from '../../outcome.ts';
import type { Profile } from '../../ports.ts';
import { flatten } from '../../render/fields.ts';
import { definitions } from '../../render/wrap.ts';
import { cellText } from '../../render/table.ts';
import type { Register, Run } from '../register.ts';
import { profileNamed } from './profile-name.ts';

interface Options {
  name?: string;
}

export const register: Register = (parent, start) =>
  start(
    parent.command('show').argument('[name]', 'the profile; the active one if not given'),
    { examples: ['obk profile show', 'obk profile show sandbox --json'], exits: [3] },
    run,
  );

export const run: Run<Options> = async (context, options) => {
  const settings = await context.ports.store.settings();
  const { env } = context.process;
  const name =
    options.name ??
    context.globals.profile ??
    (env['OBK_PROFILE'] === '' ? undefined : env['OBK_PROFILE']) ??
    settings.activeProfile ??
    builtInName;
  return profileOutcome(name, profileNamed(settings, name));
};

/** A profile as every command of this noun shows it. */
export function profileOutcome(name: string, profile: Profile, next?: readonly string[]): Outcome {
  return {
    kind: 'data',
    data: { name, ...profile },
    text: (style) =>
      definitions(
        flatten({ name, ...profile }).map(([key, value]) => [key, cellText(value)] as const),
        { indent: 0, width: Math.max(style.width, 40) },
      ).join('\n'),
    name,
    ...(next === undefined ? {} : { next }),
  };
}
