import { cleanLine } from '../../../base/clean.ts';
import type { Flags, OptionsOf, Register, Run } from '../../command.ts';
import { line } from '../../../base/command-line.ts';
import type { Context } from '../../context.ts';
import { InteractionNeeded, ObkError } from '../../../base/errors.ts';
import { withSoundProfile } from '../../../client/profile/check-settings.ts';
import { resolved } from '../../../client/profile/inheritance.ts';
import { needSafeAddresses } from '../../../client/profile/plain-http.ts';
import { referenceName, referencesIn } from '../../../settings/profile/references.ts';
import type { Profile } from '../../../settings/records/profile.ts';
import { presets } from '../../../standard/xs2a/variants.ts';
import { oneOf, usageError } from '../flags/flag-values.ts';
import { environments } from '../flags/global-options.ts';
import { question } from '../flags/prompts.ts';
import { readSettings } from './bank-file.ts';
import { settleCredentials } from './credentials-answer.ts';
import { environmentAnswer } from './environment-answer.ts';
import { neededBy } from './export.ts';
import { checkOwnName } from './profile-name.ts';
import { withKeys } from './setting-keys.ts';
import { profileOutcome } from './show.ts';

const flags = (command: Flags) =>
  command
    .argument('<file>', 'what profile export printed; - for stdin')
    .option('--name <NAME>', 'another name than in the file')
    .option(
      '--environment <E>',
      'sandbox, test or production: instead of what the file says',
      oneOf('--environment', environments),
    )
    .option('--trust-references', 'take over references to secrets and programs (OBK_TRUST_REFERENCES)')
    .option('--force', 'replace a profile of this name, or the file of --output');

type Options = OptionsOf<typeof flags>;

export const register: Register = (command, start) =>
  start(
    flags(command),
    {
      about: 'Take a profile over from a file; every setting is checked',
      examples: ['obk profile import acme.json --name acme-copy'],
      exits: [3],
      more: ['obk help profile export'],
    },
    run,
  );

const run: Run<Options> = async (context, { file, force = false, ...options }) => {
  const { files, notices } = context.ports;
  const { name: own, settings } = await readSettings(await files.read(file), file);
  if (own === undefined)
    throw usageError(
      `${file} is not what obk profile export prints.`,
      line`obk profile create NAME --bank ${file}`,
    );
  const name = options.name ?? own;
  checkOwnName(name);
  const { requestIdSemantics, ...known } = settings;
  if (requestIdSemantics !== undefined && requestIdSemantics !== 'unknown')
    notices.warn('requestIdSemantics reads as unknown: only you can say it (obk config set).');
  const read = withKeys(context, presets.v1, known);
  const told = options.environment === undefined ? read : { ...read, environment: options.environment };
  const saved = await context.ports.settings.read();
  needSafeAddresses(saved, name, told);
  const environment = await environmentAnswer(context, { settings: saved, name, own: told });
  const profile = environment === undefined ? told : { ...told, environment };
  await needTrust(context, resolved(withSoundProfile(saved, name, profile), name, profile));
  if (force) await settleCredentials(context, saved, withSoundProfile(saved, name, profile), undefined);
  const after = await context.ports.settings.update((before) => {
    if (Object.hasOwn(before.profiles, name) && !force)
      throw usageError(`There is a profile ${name} already.`, '--name NAME', '--force   # to replace it');
    return withSoundProfile(before, name, profile);
  });
  const needs = neededBy(resolved(after, name, profile));
  if (needs.length > 0) notices.say('This machine must provide:');
  for (const [key, value] of needs) notices.say(`  ${key}: ${value}`);
  return profileOutcome(after, name, [line`obk doctor --profile ${name}`, line`obk profile use ${name}`]);
};

/** References in a file from others are shown and agreed to before any of it is kept. */
async function needTrust({ ports: { notices, person } }: Context, profile: Profile): Promise<void> {
  const found = referencesIn(profile).map((one) => cleanLine(`${referenceName(one)} from ${one.reference}`));
  if (found.length === 0) return;
  const asked = question(
    'trustReferences',
    `The file reads or runs this here: ${found.join('; ')}. Take it over?`,
  );
  try {
    if (await person.confirm(asked)) {
      for (const one of found) notices.say(`Trusted: ${one}`);
      return;
    }
  } catch (error) {
    if (!(error instanceof InteractionNeeded)) throw error;
    throw new InteractionNeeded(error.flags, {
      detail: ['The file reads or runs this here:', ...found.map((one) => `  ${one}`)].join('\n'),
    });
  }
  throw new ObkError({ code: 'NOT_CONFIRMED', title: 'Nothing was imported.' });
}
