import type { Flags, OptionsOf, Register, Run } from '../../command.ts';
import { isBuiltIn } from '../../../base/profile-name.ts';
import { profileNamed } from './profile-name.ts';

const flags = (command: Flags) => command.argument('<name>', 'the profile');

type Options = OptionsOf<typeof flags>;

export const register: Register = (command, start) =>
  start(flags(command), { examples: ['obk profile use sandbox'], exits: [3] }, run);

const run: Run<Options> = async (context, { name }) => {
  const settings = await context.ports.settings.update((before) => {
    profileNamed(before, name);
    return { ...before, activeProfile: name };
  });
  const { environment, baseUrl } = profileNamed(settings, name);
  return {
    kind: 'data',
    data: { name, environment, baseUrl: baseUrl ?? null },
    text: (style) => {
      const where = environment === 'production' ? style.bad('PRODUCTION') : environment;
      const bank = isBuiltIn(name) ? 'the bank inside' : (baseUrl ?? 'no address');
      return `Active profile: ${style.bold(name)} · ${where} · ${bank}`;
    },
    name,
  };
};
