import { builtInName, builtInProfile } from '../../flows/profiles.ts';
import type { Settings } from '../../ports.ts';
import type { Register, Run } from '../register.ts';

export const register: Register = (parent, start) =>
  start<object>(
    parent.command('list'),
    { examples: ['obk profile list', 'obk profile list -o name'], more: ['obk help profile use'] },
    run,
  );

export const run: Run<object> = async (context) => {
  const settings = await context.ports.store.settings();
  const active = settings.activeProfile ?? builtInName;
  const profiles: Settings['profiles'] = { ...settings.profiles, [builtInName]: builtInProfile };
  const rows = Object.keys(profiles)
    .sort()
    .map((name) => {
      const profile = profiles[name] ?? builtInProfile;
      return {
        active: name === active,
        name,
        environment: profile.environment,
        baseUrl: profile.baseUrl ?? null,
        framework: profile.framework,
        prefix: profile.prefix,
        surface: profile.surface,
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
    ],
    rows,
    nameKey: 'name',
    empty: 'There are no profiles.',
  };
};
