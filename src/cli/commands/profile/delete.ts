import type { Flags, OptionsOf, Register, Run } from '../../command.ts';
import { line } from '../../../base/command-line.ts';
import { ObkError } from '../../../base/errors.ts';
import { childrenOf, savedAs } from '../../../client/profile/inheritance.ts';
import type { Settings } from '../../../settings/records/profile.ts';
import { question } from '../flags/prompts.ts';
import { checkOwnName, savedNamed } from './profile-name.ts';

const flags = (command: Flags) => command.argument('<name>', 'the profile').option('-y, --yes', 'do not ask');

type Options = OptionsOf<typeof flags>;

export const register: Register = (command, start) =>
  start(
    flags(command),
    {
      about: 'Delete a profile with its tokens; its payments and its journal stay',
      examples: ['obk profile delete acme --yes'],
      exits: [3],
    },
    run,
  );

const run: Run<Options> = async (context, { name, yes }) => {
  checkOwnName(name);
  const settings = await context.ports.settings.read();
  savedNamed(settings, name);
  const { environment } = savedAs(settings, name);
  needChildless(settings, name);
  if (yes !== true && (context.ports.person.present || (environment ?? 'production') === 'production')) {
    const agreed = await context.ports.person.confirm(
      question('yes', `Delete the profile ${name} (${environment ?? 'environment unknown'})?`),
    );
    if (!agreed) throw new ObkError({ code: 'NOT_CONFIRMED', title: 'Nothing was deleted.' });
  }
  await context.ports.credentials.forget(name);
  const seen: { active: boolean; other?: string | undefined } = { active: false };
  await context.ports.settings.update((before) => {
    savedNamed(before, name);
    needChildless(before, name);
    const { [name]: _, ...profiles } = before.profiles;
    const { activeProfile, rollovers = [], ...rest } = before;
    const others = rollovers.filter(({ profile }) => profile !== name);
    seen.active = activeProfile === name;
    seen.other = Object.keys(profiles)[0];
    return {
      ...rest,
      ...(others.length === 0 ? {} : { rollovers: others }),
      ...(activeProfile === undefined || seen.active ? {} : { activeProfile }),
      profiles,
    };
  });
  const wasActive = seen.active;
  return {
    kind: 'data',
    data: { name, deleted: true, wasActive },
    text: () =>
      wasActive
        ? `Deleted the profile ${name}. It was the active one; now none is.`
        : `Deleted the profile ${name}.`,
    name,
    ...(wasActive
      ? { next: [seen.other === undefined ? 'obk profile create' : line`obk profile use ${seen.other}`] }
      : {}),
  };
};

function needChildless(settings: Settings, name: string): void {
  const children = childrenOf(settings, name);
  if (children.length === 0) return;
  throw new ObkError({
    code: 'PROFILE_INVALID',
    title: `The profile ${name} is not deleted: ${children.join(', ')} ${children.length === 1 ? 'extends' : 'extend'} it.`,
    hint: children.flatMap((child) => [
      line`obk profile show ${child}`,
      line`obk profile edit ${child} --extends NAME`,
    ]),
  });
}
