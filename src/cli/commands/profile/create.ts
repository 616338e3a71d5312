import type { Flags, OptionsOf, Register, Run } from '../../command.ts';
import { line } from '../../../base/command-line.ts';
import type { Context } from '../../context.ts';
import { bringsKey, pairsOf } from '../../../client/certificates/profile-files.ts';
import { withSoundProfile } from '../../../client/profile/check-settings.ts';
import { resolved } from '../../../client/profile/inheritance.ts';
import { needSafeAddresses } from '../../../client/profile/plain-http.ts';
import type { SavedProfile } from '../../../settings/records/profile.ts';
import { presets } from '../../../standard/xs2a/variants.ts';
import { demand, usageError } from '../flags/flag-values.ts';
import { givenFor } from '../flags/prompts.ts';
import { frameworkAfter, readBank, tellTemplate, underTemplate } from './bank-file.ts';
import { environmentAnswer, wantsEnvironment } from './environment-answer.ts';
import { checkedFiles, passphrases } from './checked-files.ts';
import { lead } from './lead.ts';
import { checkOwnName } from './profile-name.ts';
import { checkNotTaken, flagsOf, withKeys } from './setting-keys.ts';
import { trustedBank } from './trusted-bank.ts';
import { settingsOptions, withSettings } from './settings-flags.ts';
import { tellOverridden, tellUnlikely } from './tell-unlikely.ts';
import type { SettingsOptions } from './settings-flags.ts';
import { profileOutcome } from './show.ts';

const flags = (command: Flags) =>
  settingsOptions(
    command
      .argument('[name]', 'a-z, 0-9, _ and -')
      .option('--use', 'make it the active profile')
      .option('--no-check', 'save it whatever its files hold, and whether they are there'),
  );

type Options = OptionsOf<typeof flags>;

export const register: Register = (command, start) =>
  start(
    flags(command),
    {
      about: 'Create a profile: a bank, and the certificate to sign with',
      examples: [
        'obk profile create acme --base-url https://api.acme.example/psd2 --environment test --certificate qseal.pem --key qseal.key',
        'obk profile create acme-live --extends acme --environment production',
        'obk profile create acme-xs2a --base-url https://api.acme.example/psd2 --environment test --bank adorsys-xs2a --certificate qseal.pem --key qseal.key',
      ],
      exits: [3],
      more: ['obk help profile edit', 'obk help bank list', 'obk help references'],
    },
    run,
  );

const standard: SavedProfile = presets.v1;

const run: Run<Options> = async (context, options) => {
  checkNotTaken(options.without);
  if (options.name !== undefined) checkOwnName(options.name);
  const own = (options.extends ?? '') === '' ? standard : { extends: options.extends ?? '' };
  const settings = await context.ports.settings.read();
  const before = resolved(settings, options.name ?? 'NAME', own);
  const startWith = async (given: SettingsOptions) => {
    const some = underTemplate(given);
    const read = await readBank(context, some.bank, (its) => frameworkAfter(some, its ?? before.framework));
    const ownUrl = givenFor(context, 'baseUrl', some.baseUrl) ?? before.baseUrl;
    return withKeys(context, own, await trustedBank(context, some.bank, read, ownUrl));
  };
  const start = await startWith(options);
  const known = resolved(settings, options.name ?? 'NAME', start);
  const signs = (options.signing ?? known.signing?.mode) !== 'none';
  const needsKey = signs && (options.signer ?? known.signer ?? '') === '';
  const given = (name: 'baseUrl' | 'certificate' | 'key') => givenFor(context, name, options[name]);
  const has = (name: 'baseUrl' | 'certificate' | 'key') => (given(name) ?? known[name]) !== undefined;
  const address = given('baseUrl');
  const located: SavedProfile = {
    ...start,
    ...(address === undefined ? {} : { baseUrl: address }),
    ...(options.environment === undefined ? {} : { environment: options.environment }),
  };
  const named = (givenFor(context, 'environment', options.environment) ?? '') !== '';
  const missing = [
    options.name === undefined && 'NAME',
    !has('baseUrl') && '--base-url',
    !named && wantsEnvironment(settings, options.name ?? 'NAME', located) && '--environment',
    !has('certificate') && signs && '--certificate (or --signing none)',
    !has('key') && needsKey && !(await hasKeyInside(context, options.certificate)) && '--key',
  ];
  if (!context.ports.person.present) demand(missing, 'obk profile create --help');
  const { person, notices } = context.ports;
  const [baseUrl, certificate, key] = [given('baseUrl'), given('certificate'), given('key')];
  const all: Options = {
    ...options,
    ...(baseUrl === undefined ? {} : { baseUrl }),
    ...(certificate === undefined || !signs ? {} : { certificate }),
    ...(key === undefined || !needsKey ? {} : { key }),
  };
  const isLed = person.present && missing.some((flag) => flag !== false && flag !== '--environment');
  const led = isLed
    ? await lead({ context, settings, start, startWith, options: all, asked: passphrases(context) })
    : undefined;
  const told: Options = underTemplate(led?.options ?? all);
  const name = told.name ?? '';
  checkOwnName(name);
  if (Object.hasOwn((await context.ports.settings.read()).profiles, name)) throw exists(name);
  const from = led?.start ?? start;
  const made = withSettings(context, from, told);
  needSafeAddresses(settings, name, made);
  const environment = await environmentAnswer(context, settings, name, made);
  const profile = environment === undefined ? made : { ...made, environment };
  needSafeAddresses(settings, name, profile);
  const { taken, write } = await checkedFiles(context, settings, name, {
    own: profile,
    check: options.check,
    ...(led === undefined ? {} : { asked: led.asked }),
  });
  await write();
  const after = await context.ports.settings.update((settings) => {
    if (Object.hasOwn(settings.profiles, name)) throw exists(name);
    const first = settings.activeProfile === undefined && Object.keys(settings.profiles).length === 0;
    return {
      ...withSoundProfile(settings, name, taken(profile)),
      ...(options.use === true || first ? { activeProfile: name } : {}),
    };
  });
  if (led !== undefined) {
    const flags = [
      ...flagsOf(taken(profile), from),
      ...(told.bank === undefined ? [] : ['--bank', told.bank]),
    ];
    notices.say('The same without a question:');
    notices.say(`  ${line`obk profile create ${name} ${flags}`}`);
    tellAsked(context, name, taken(profile));
  }
  const use = after.activeProfile === name ? [] : [line`obk profile use ${name}`];
  tellUnlikely(context, after, name);
  tellTemplate(context, led?.options ?? all);
  tellOverridden(context, told, from, taken(profile));
  return profileOutcome(after, name, [line`obk doctor --profile ${name}`, ...use]);
};

/** Tells how a run asks for no passphrase any more. */
function tellAsked({ ports: { notices } }: Context, name: string, profile: SavedProfile): void {
  const flags = pairsOf(profile).flatMap((pair) =>
    pair.passphraseFrom === 'prompt' ? [pair.flags.passphrase, 'env:NAME'] : [],
  );
  if (flags.length === 0) return;
  notices.say('Each run asks for the passphrase. It can be read from elsewhere (obk help references):');
  notices.say(`  ${line`obk profile edit ${name} ${flags}`}`);
}

const hasKeyInside = async ({ ports }: Context, path: string | undefined) =>
  path !== undefined && bringsKey(ports, path);

function exists(name: string): Error {
  return usageError(`There is a profile ${name} already.`, line`obk profile edit ${name}`);
}
