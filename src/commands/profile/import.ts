import type { Command } from 'commander';
import type { Context } from '../../context.ts';
import type { Profile } from '../../ports.ts';
import { isJsonObject, readJson, toPlain } from '../../xs2a/json.ts';
import { presets } from '../../xs2a/variants.ts';
import { usageError } from '../flags.ts';
import type { Register, Run } from '../register.ts';
import { neededBy } from './export.ts';
import { checkOwnName } from './profile-name.ts';
import { settingKeys, settingsByKey, withKey } from './setting-keys.ts';
import { settingsOptions } from './settings-flags.ts';
import { profileOutcome } from './show.ts';

interface Options {
  file: string;
  name?: string;
  force?: boolean;
}

export const register: Register = (parent, start) =>
  start(
    parent
      .command('import')
      .argument('<file>', 'what profile export printed; - for stdin')
      .option('--name <NAME>', 'another name than in the file')
      .option('--force', 'replace a profile of this name, or the file of --output'),
    {
      about: 'Take a profile over from a file; every setting is checked',
      examples: ['obk profile import acme.json --name acme-copy'],
      exits: [3],
      more: ['obk help profile export'],
    },
    runWith(settingsOptions(parent.createCommand('settings'))),
  );

const runWith =
  (flags: Command): Run<Options> =>
  async (context, { file, force = false, ...options }) => {
    const { files, notices, store } = context.ports;
    const { name: own, settings } = exported(await files.read(file), file);
    const name = options.name ?? own;
    checkOwnName(name);
    const profile = imported(context, flags, settings);
    await store.updateSettings((before) => {
      if (Object.hasOwn(before.profiles, name) && !force)
        throw usageError(`There is a profile ${name} already.`, '--name NAME', '--force   # to replace it');
      return { ...before, profiles: { ...before.profiles, [name]: profile } };
    });
    const needs = neededBy(profile);
    if (needs.length > 0) notices.say('This machine must provide:');
    for (const [key, value] of needs) notices.say(`  ${key}: ${value}`);
    return profileOutcome(name, profile, [`obk doctor --profile ${name}`, `obk profile use ${name}`]);
  };

function exported(bytes: Uint8Array, file: string): { name: string; settings: object } {
  const json = readJson(bytes, { code: 'INPUT_INVALID' });
  const { obkProfile, name, settings } = isJsonObject(json) ? (toPlain(json) as Record<string, unknown>) : {};
  if (obkProfile === 1 && typeof name === 'string' && typeof settings === 'object' && settings !== null)
    return { name, settings };
  throw usageError(`${file} is not what obk profile export prints.`, 'obk profile export NAME --output FILE');
}

/** Each setting through the check of its flag, in the order of the keys: some need an earlier one. */
function imported(context: Context, flags: Command, settings: object): Profile {
  const place = (key: string) => settingKeys.indexOf(key);
  const start: Profile = { environment: 'test', ...presets.v1 };
  return settingsByKey(settings)
    .sort(([a], [b]) => place(a) - place(b))
    .reduce((before, [key, value]) => withKey(context, flags, before, key, textOf(key, value)), start);
}

function textOf(key: string, value: unknown): string {
  if (Array.isArray(value) && value.every((one) => typeof one === 'string')) return value.join(',');
  if (typeof value === 'string' || typeof value === 'boolean' || typeof value === 'number')
    return String(value);
  throw usageError(`${key} is of the wrong kind.`);
}
