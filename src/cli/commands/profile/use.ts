import type { Register, Run } from '../../command.ts';
import { isBuiltIn } from '../../../base/profile-name.ts';
import { profileNamed } from './profile-name.ts';

interface Options {
  name: string;
}

export const register: Register = (parent, start) =>
  start(
    parent.command('use').argument('<name>', 'the profile'),
    { examples: ['obk profile use sandbox'], exits: [3] },
    run,
  );

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
