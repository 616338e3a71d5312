import type { Flags, OptionsOf, Register, Run } from '../../command.ts';
import type { SavedProfile, Settings } from '../../../settings/records/profile.ts';
import { days, usageError } from '../flags/flag-values.ts';
import { profileNamed, checkOwnName, savedNamed } from '../profile/profile-name.ts';
import { checkKey, withKey, withoutKey, settingsByKey } from '../profile/setting-keys.ts';
import { line } from '../../../base/command-line.ts';
import { defined } from '../../../base/defined.ts';
import type { Context } from '../../context.ts';
import { withProfile } from '../../../client/profile/inheritance.ts';
import { needSafeAddresses } from '../../../client/profile/plain-http.ts';
import type { DataOutcome } from '../../outcome.ts';
import { cellText } from '../../render/table.ts';
import { settleCredentials } from '../profile/credentials-answer.ts';
import { environmentOfMoved } from '../profile/environment-answer.ts';
import { savedName } from '../run/with-target.ts';

const setFlags = (command: Flags) =>
  command
    .argument('<key>', 'such as baseUrl, psu.id, activeProfile or retention')
    .argument('<value>', 'checked as the flag of profile edit checks it');

type SetOptions = OptionsOf<typeof setFlags>;

const registerSet: Register = (command, start) =>
  start(
    setFlags(command),
    {
      about: 'Change one setting of the active profile, or of --profile',
      examples: [
        'obk config set debtor DE89370400440532013000 --profile acme',
        'obk config set signing.keyId.issuer rfc2253 --profile acme',
        'obk config set activeProfile sandbox',
        'obk config set retention 90d',
        'obk config set state.urlFrom env:OBK_STATE_URL',
      ],
      exits: [3],
      more: ['obk help profile edit', 'obk help config unset'],
    },
    runSet,
  );

const runSet: Run<SetOptions> = async (context, { key, value }) => {
  checkKey(key, ownKeys);
  if (isOfAll(context, key))
    return changeOfAll(context, key, (before) => withKey(context, before as SavedProfile, key, value));
  if (!isOwnKey(key)) {
    const outcome = await changeProfile(context, key, (before) => withKey(context, before, key, value));
    if (key === 'requestIdSemantics' && value === 'replay')
      context.ports.notices.warn(
        'obk goes by it: at a bank that takes a known X-Request-ID anew, pending resolve --replay pays twice.',
      );
    return outcome;
  }
  if (key === 'retention') {
    const retention = retentionOf(value);
    await context.ports.settings.update((before) => ({ ...before, retention }));
    return changed(key, retention, null);
  }
  await context.ports.settings.update((before) => {
    profileNamed(before, value);
    return { ...before, activeProfile: value };
  });
  return changed(key, value, null);
};

function retentionOf(text: string): string {
  const count = days('retention')(text);
  if (count > 0) return `${String(count)}d`;
  throw usageError('retention takes at least 1d.', 'obk config unset retention   # nothing goes by itself');
}

const unsetFlags = (command: Flags) => command.argument('<key>', 'such as debtor or psu.id');

type UnsetOptions = OptionsOf<typeof unsetFlags>;

const registerUnset: Register = (command, start) =>
  start(
    unsetFlags(command),
    {
      about: 'Remove one setting of the active profile, or of --profile',
      examples: ['obk config unset debtor --profile acme'],
      exits: [3],
      more: ['obk help config set'],
    },
    runUnset,
  );

const runUnset: Run<UnsetOptions> = async (context, { key }) => {
  if (isOfAll(context, key))
    return changeOfAll(context, key, (before) => withoutKey(before as SavedProfile, key));
  if (!isOwnKey(key)) {
    const outcome = await changeProfile(context, key, (before) => withoutKey(before, key));
    const { profile, value } = outcome.data as { profile: string; value: unknown };
    if (value === null) return outcome;
    return { ...outcome, next: [line`obk profile edit ${profile} --without ${key}   # nor from its parent`] };
  }
  await context.ports.settings.update(({ [key]: _, ...rest }) => rest);
  return changed(key, undefined, null);
};

/** The settings of this user, whatever the profile. */
export const ownKeys = ['activeProfile', 'retention'] as const;

function isOwnKey(key: string): key is (typeof ownKeys)[number] {
  return (ownKeys as readonly string[]).includes(key);
}

/** Where the state is says a profile only if one is named: it is usually that of all. */
function isOfAll({ globals }: Context, key: string): boolean {
  return key.startsWith('state.') && globals.profile === undefined;
}

/** Changes where the state of all profiles is. */
async function changeOfAll(
  { ports }: Context,
  key: string,
  change: (before: object) => object,
): Promise<DataOutcome> {
  const { state } = await ports.settings.update((before) => {
    const { state: _, ...rest } = before;
    const after = change(before.state === undefined ? {} : { state: before.state }) as Pick<
      Settings,
      'state'
    >;
    return { ...rest, ...after };
  });
  return changed(key, new Map(settingsByKey({ state: state ?? {} })).get(key), null);
}

/** Changes the profile of this run as it is saved, whatever variables say. */
async function changeProfile(
  context: Context,
  key: string,
  change: (before: SavedProfile) => SavedProfile,
): Promise<DataOutcome> {
  const name = await savedName(context);
  checkOwnName(name);
  if (key === 'tokenStore') await moveTokens(context, name, change);
  const before = await context.ports.settings.read();
  const own = change(savedNamed(before, name));
  needSafeAddresses(before, name, own);
  const environment = await environmentOfMoved(context, { settings: before, name, own }, [
    line`obk profile edit ${name} --environment test   # or production, before its address is changed`,
  ]);
  const withChange = (settings: Settings) =>
    withProfile(settings, name, {
      ...change(savedNamed(settings, name)),
      ...defined({ environment }),
    });
  await settleCredentials(context, before, withChange(before), undefined);
  const settings = await context.ports.settings.update(withChange);
  const { extends: parent, without } = savedNamed(settings, name);
  const after = { ...profileNamed(settings, name), extends: parent, without };
  const value = new Map(settingsByKey(after)).get(key);
  return changed(key, value, name);
}

/** Tokens move before the setting changes: a keyring that does not take them leaves all as it was. */
async function moveTokens(
  { ports: { settings, credentials } }: Context,
  name: string,
  change: (before: SavedProfile) => SavedProfile,
): Promise<void> {
  const { tokenStore = 'file' } = change(savedNamed(await settings.read(), name));
  await credentials.moveTokens(name, tokenStore);
}

/** The result of a change. */
function changed(key: string, value: unknown, profile: string | null): DataOutcome {
  const where = profile === null ? '' : ` (profile ${profile})`;
  return {
    kind: 'data',
    data: { key, value: value ?? null, profile },
    text: () => (value === undefined ? `${key} is not set${where}.` : `${key} = ${cellText(value)}${where}`),
    name: key,
  };
}

export const register = {
  set: registerSet,
  unset: registerUnset,
};
