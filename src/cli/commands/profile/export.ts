import type { Flags, OptionsOf, Register, Run } from '../../command.ts';
import { needSound } from '../../../client/profile/check-settings.ts';
import { saysEnvironment } from '../../../client/profile/inheritance.ts';
import { referenceName, referencesIn } from '../../../settings/profile/references.ts';
import type { Profile } from '../../../settings/records/profile.ts';
import { toJson } from '../../render/json.ts';
import { rowsByKey } from '../../../settings/profile/keys.ts';
import { chosenProfile } from '../run/with-target.ts';
import { profileNamed, savedNamed } from './profile-name.ts';
import { settingsByKey } from './setting-keys.ts';

const flags = (command: Flags) => command.argument('[name]', 'the profile; the active one if not given');

type Options = OptionsOf<typeof flags>;

export const register: Register = (command, start) =>
  start(
    flags(command),
    {
      about: 'Print a profile as JSON for another machine; secrets, keys and certificates stay here',
      examples: ['obk profile export acme --output acme.json', 'obk profile export sandbox'],
      exits: [3],
      more: ['obk help profile import', 'obk help references'],
    },
    run,
  );

const run: Run<Options> = async (context, options) => {
  const { notices } = context.ports;
  const name = options.name ?? (await chosenProfile(context)).name;
  const settings = await context.ports.settings.read();
  const profile = profileNamed(settings, name);
  needSound(settings, name, profile);
  const { extends: parent } = savedNamed(settings, name);
  if (parent !== undefined)
    notices.say(`What ${name} takes over from ${parent} is written out; the copy extends no profile.`);
  const needs = neededBy(profile);
  if (needs.length > 0) notices.say('The machine that imports it must provide:');
  for (const [key, value] of needs) notices.say(`  ${key}: ${value}`);
  const { environment, ...rest } = profile;
  const said = saysEnvironment(settings, name, savedNamed(settings, name));
  const data = { obkProfile: 1, name, settings: said ? { environment, ...rest } : rest };
  return { kind: 'data', data, text: () => toJson(data, { pretty: true }), name };
};

/** The things outside the profile that it refers to: files, programs and references to secrets. */
export function neededBy(profile: Profile): (readonly [key: string, value: string])[] {
  const own = settingsByKey(profile).flatMap(([key, value]) =>
    typeof value === 'string' && rowsByKey.get(key)?.kind === 'path' ? [[key, value] as const] : [],
  );
  return [...own, ...referencesIn(profile).map((one) => [referenceName(one), one.reference] as const)];
}
