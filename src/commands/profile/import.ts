import type { Command } from 'commander';
import { resolved, withProfile } from '../../flows/inherit.ts';
import { presets } from '../../xs2a/variants.ts';
import { usageError } from '../flags.ts';
import type { Register, Run } from '../register.ts';
import { readSettings } from './bank-file.ts';
import { neededBy } from './export.ts';
import { checkOwnName } from './profile-name.ts';
import { withKeys } from './setting-keys.ts';
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
    const { name: own, settings } = readSettings(await files.read(file), file);
    if (own === undefined)
      throw usageError(
        `${file} is not what obk profile export prints.`,
        `obk profile create NAME --bank ${file}`,
      );
    const name = options.name ?? own;
    checkOwnName(name);
    const profile = withKeys(context, flags, { environment: 'test', ...presets.v1 }, settings);
    const after = await store.updateSettings((before) => {
      if (Object.hasOwn(before.profiles, name) && !force)
        throw usageError(`There is a profile ${name} already.`, '--name NAME', '--force   # to replace it');
      return withProfile(before, name, profile);
    });
    const needs = neededBy(resolved(after, name, profile));
    if (needs.length > 0) notices.say('This machine must provide:');
    for (const [key, value] of needs) notices.say(`  ${key}: ${value}`);
    return profileOutcome(after, name, [`obk doctor --profile ${name}`, `obk profile use ${name}`]);
  };
