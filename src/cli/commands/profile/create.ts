import type { Flags, OptionsOf, Register, Run } from '../../command.ts';
import { line } from '../../../base/command-line.ts';
import type { Context } from '../../context.ts';
import { bringsKey, pairsOf } from '../../../client/certificates/profile-files.ts';
import { withSoundProfile } from '../../../client/profile/check-settings.ts';
import { resolved } from '../../../client/profile/inheritance.ts';
import { needSafeAddresses } from '../../../client/profile/plain-http.ts';
import type { SavedProfile, Settings } from '../../../settings/records/profile.ts';
import { presets } from '../../../standard/xs2a/variants.ts';
import { demand, usageError } from '../flags/flag-values.ts';
import { givenFor } from '../flags/prompts.ts';
import { frameworkAfter, readBank, tellTemplate, underTemplate } from './bank-file.ts';
import { environmentAnswer, wantsEnvironment } from './environment-answer.ts';
import { checkedFiles, passphrases } from './checked-files.ts';
import { lead } from './lead.ts';
import type { Lead } from './lead-questions.ts';
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
      usual:
        'use extends environment base-url variant framework bank certificate key tls-certificate ' +
        'tls-key signing redirect-uri psu-id psu-ip debtor',
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
  const { ports } = context;
  const draft = await draftOf(context, options);
  const { settings, missing } = draft;
  if (!ports.person.present) demand(missing, 'obk profile create --help');
  const isLed = ports.person.present && missing.some((flag) => flag !== false && flag !== '--environment');
  const led = isLed ? await lead({ context, ...draft, asked: passphrases(context) }) : undefined;
  const { start, options: answered } = led ?? draft;
  const told: Options = underTemplate(answered);
  const name = told.name ?? '';
  checkOwnName(name);
  if (Object.hasOwn((await ports.settings.read()).profiles, name)) throw exists(name);
  const profile = await withEnvironment(context, draft, name, withSettings(context, start, told));
  const { taken, write } = await checkedFiles(context, settings, name, {
    own: profile,
    check: options.check,
    ...(led === undefined ? {} : { asked: led.asked }),
  });
  await write();
  const after = await ports.settings.update((settings) => {
    if (Object.hasOwn(settings.profiles, name)) throw exists(name);
    const first = settings.activeProfile === undefined && Object.keys(settings.profiles).length === 0;
    return {
      ...withSoundProfile(settings, name, taken(profile)),
      ...(options.use === true || first ? { activeProfile: name } : {}),
    };
  });
  if (led !== undefined) {
    const flags = [
      ...flagsOf(taken(profile), start),
      ...(told.bank === undefined ? [] : ['--bank', told.bank]),
    ];
    ports.notices.say('The same without a question:');
    ports.notices.say(`  ${line`obk profile create ${name} ${flags}`}`);
    tellAsked(context, name, taken(profile));
  }
  const use = after.activeProfile === name ? [] : [line`obk profile use ${name}`];
  tellUnlikely(context, after, name);
  tellTemplate(context, answered);
  tellOverridden(context, told, start, taken(profile));
  return profileOutcome(after, name, [line`obk doctor --profile ${name}`, ...use]);
};

/** A profile before anybody was asked. */
interface Draft extends Pick<Lead, 'settings' | 'start' | 'startWith'> {
  /** The flags, and those that a variable of the environment gives. */
  options: Options;
  /** The flags that are still to be given, for a message. */
  missing: readonly (string | false)[];
}

async function draftOf(context: Context, options: Options): Promise<Draft> {
  const own = (options.extends ?? '') === '' ? standard : { extends: options.extends ?? '' };
  const settings = await context.ports.settings.read();
  const name = options.name ?? 'NAME';
  const before = resolved(settings, name, own);
  const startWith = async (given: SettingsOptions) => {
    const some = underTemplate(given);
    const read = await readBank(context, some.bank, (its) => frameworkAfter(some, its ?? before.framework));
    const ownUrl = givenFor(context, 'baseUrl', some.baseUrl) ?? before.baseUrl;
    return withKeys(context, own, await trustedBank(context, some.bank, read, ownUrl));
  };
  const start = await startWith(options);
  const known = resolved(settings, name, start);
  const wanted = wantedOf(options, known);
  const told: Partial<Record<Wanted, string>> = Object.fromEntries(
    wanted.flatMap((one) => {
      const value = givenFor(context, one, options[one]);
      return value === undefined ? [] : [[one, value]];
    }),
  );
  const absent = wanted.filter((one) => (told[one] ?? known[one]) === undefined);
  const hasKey = absent.includes('key') && (await hasKeyInside(context, options.certificate));
  const lacks = (one: Wanted) => absent.includes(one) && wantedFlags[one];
  const missing = [
    options.name === undefined && 'NAME',
    lacks('baseUrl'),
    lacksEnvironment(context, settings, options, withUrl(start, told)) && '--environment',
    lacks('certificate'),
    !hasKey && lacks('key'),
  ];
  return { settings, start, startWith, options: { ...options, ...told }, missing };
}

/** What a profile does not work without, and the flags for it. */
const wantedFlags = {
  baseUrl: '--base-url',
  certificate: '--certificate (or --signing none)',
  key: '--key',
} as const;

type Wanted = keyof typeof wantedFlags;

function wantedOf(options: Options, known: SavedProfile): Wanted[] {
  if ((options.signing ?? known.signing?.mode) === 'none') return ['baseUrl'];
  const hasSigner = (options.signer ?? known.signer ?? '') !== '';
  return hasSigner ? ['baseUrl', 'certificate'] : ['baseUrl', 'certificate', 'key'];
}

const withUrl = (profile: SavedProfile, { baseUrl }: { baseUrl?: string }): SavedProfile =>
  baseUrl === undefined ? profile : { ...profile, baseUrl };

/** Whether nobody says if the bank is a test or a production one, where that cannot be seen from its address. */
function lacksEnvironment(
  context: Context,
  settings: Settings,
  options: Options,
  start: SavedProfile,
): boolean {
  const { environment, name = 'NAME' } = options;
  const isNamed = (givenFor(context, 'environment', environment) ?? '') !== '';
  const located: SavedProfile = environment === undefined ? start : { ...start, environment };
  return !isNamed && wantsEnvironment({ settings, name, own: located });
}

/** The profile with its environment, which may have to be asked for; its addresses must be safe before and after. */
async function withEnvironment(
  context: Context,
  { settings }: Draft,
  name: string,
  made: SavedProfile,
): Promise<SavedProfile> {
  needSafeAddresses(settings, name, made);
  const environment = await environmentAnswer(context, { settings, name, own: made });
  if (environment === undefined) return made;
  const profile = { ...made, environment };
  needSafeAddresses(settings, name, profile);
  return profile;
}

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
