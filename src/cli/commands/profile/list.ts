import type { Register, Run } from '../../command.ts';
import { wishedName } from '../../../client/profile/choose-profile.ts';
import { savedAs } from '../../../client/profile/inheritance.ts';
import { builtInName, profileOfBank } from '../../../base/profile-name.ts';
import { inBank } from '../run/in-bank.ts';
import { wishOf } from '../run/with-target.ts';
import { profileNamed, savedNamed, whyUnusable } from './profile-name.ts';

export const register: Register = (command, start) =>
  start(
    command,
    {
      about: 'List the profiles; active is the one that commands in this folder work with',
      examples: ['obk profile list', 'obk profile list -o name'],
      more: ['obk help profile use', 'obk help config trust'],
    },
    run,
  );

const run: Run<object> = async (context) => {
  const settings = await context.ports.settings.read();
  const wished = wishedName(settings, await wishOf(context)) ?? builtInName;
  // Where several banks run and none is addressed, none of them is the active one.
  const active = await inBank(context.ports, wished).catch(() => wished);
  const banks = (await context.ports.bank.names()).map((bank) => profileOfBank(bank));
  const names = new Set([...Object.keys(settings.profiles), builtInName, ...banks]);
  const rows = [...names].sort().map((name) => {
    const wrong = whyUnusable(settings, name);
    if (wrong !== undefined) context.ports.notices.warn([wrong.title, ...wrong.hint.slice(0, 1)].join(' '));
    const profile = wrong === undefined ? profileNamed(settings, name) : savedAs(settings, name);
    return {
      active: name === active,
      name,
      environment: profile.environment ?? null,
      baseUrl: profile.baseUrl ?? null,
      framework: profile.framework ?? null,
      prefix: profile.prefix ?? null,
      surface: profile.surface ?? null,
      extends: textOrNull(savedNamed(settings, name).extends),
      error: wrong === undefined ? null : [wrong.title, wrong.detail].filter(Boolean).join(' '),
    };
  });
  return {
    kind: 'rows',
    columns: [
      { key: 'active', title: 'ACTIVE' },
      { key: 'name', title: 'NAME' },
      { key: 'environment', title: 'ENVIRONMENT', whole: true },
      { key: 'baseUrl', title: 'BASE URL', whole: true, spare: 3 },
      { key: 'framework', title: 'FRAMEWORK', spare: 1 },
      { key: 'prefix', title: 'PREFIX', spare: 2 },
      { key: 'surface', title: 'SURFACE', wide: true },
      { key: 'extends', title: 'EXTENDS', wide: true },
      { key: 'error', title: 'WRONG', wide: true },
    ],
    rows,
    nameKey: 'name',
    empty: 'There are no profiles.',
  };
};

const textOrNull = (value: unknown) => (typeof value === 'string' ? value : null);
