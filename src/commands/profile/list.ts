import type { Register, Run } from '../../command.ts';
import { builtInName, wishedName } from '../../flows/profile/choose-profile.ts';
import { wishOf } from '../run/with-target.ts';
import { profileNamed, savedNamed } from './profile-name.ts';

export const register: Register = (parent, start) =>
  start<object>(
    parent.command('list'),
    {
      about: 'List the profiles; active is the one that commands in this folder work with',
      examples: ['obk profile list', 'obk profile list -o name'],
      more: ['obk help profile use', 'obk help config trust'],
    },
    run,
  );

const run: Run<object> = async (context) => {
  const settings = await context.ports.settings.read();
  const active = wishedName(settings, await wishOf(context)) ?? builtInName;
  const names = new Set([...Object.keys(settings.profiles), builtInName]);
  const rows = [...names].sort().map((name) => {
    const profile = profileNamed(settings, name);
    return {
      active: name === active,
      name,
      environment: profile.environment,
      baseUrl: profile.baseUrl ?? null,
      framework: profile.framework,
      prefix: profile.prefix,
      surface: profile.surface,
      extends: savedNamed(settings, name).extends ?? null,
    };
  });
  return {
    kind: 'rows',
    columns: [
      { key: 'active', title: 'ACTIVE' },
      { key: 'name', title: 'NAME' },
      { key: 'environment', title: 'ENVIRONMENT' },
      { key: 'baseUrl', title: 'BASE URL' },
      { key: 'framework', title: 'FRAMEWORK' },
      { key: 'prefix', title: 'PREFIX' },
      { key: 'surface', title: 'SURFACE', wide: true },
      { key: 'extends', title: 'EXTENDS', wide: true },
    ],
    rows,
    nameKey: 'name',
    empty: 'There are no profiles.',
  };
};
