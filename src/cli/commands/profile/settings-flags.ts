import type { Flags } from '../../command.ts';
import type { Context } from '../../context.ts';
import { madeWrong } from '../../../client/profile/check-settings.ts';
import { put } from '../../../client/profile/signing-settings.ts';
import { flaggedSettings, rowsByKey } from '../../../settings/profile/keys.ts';
import type { Flag, SettingRow } from '../../../settings/profile/row.ts';
import type { Environment, SavedProfile } from '../../../settings/records/profile.ts';
import { presetNames, presets } from '../../../standard/xs2a/variants.ts';
import type { Framework, PresetName, Surface } from '../../../standard/xs2a/variants.ts';
import { oneOf, several, usageError } from '../flags/flag-values.ts';
import { psuContext } from '../flags/psu-context.ts';
import type { PsuContext } from '../flags/psu-context.ts';
import { settingOption, readSetting } from '../flags/setting-option.ts';
import { bankFlags, changedBank } from './bank-flags.ts';
import type { BankFlags } from './bank-flags.ts';
import { changedSigning, signingFlags } from './signing-flags.ts';
import type { SigningFlags } from './signing-flags.ts';
import { weakWords } from '../../../settings/profile/ciphers.ts';
import { versionPath } from '../../../settings/profile/texts.ts';
import { checkIban } from '../../../standard/xs2a/check.ts';
import { checkedUrl } from '../flags/address-flags.ts';

/** Flags that set what a profile holds. Those that others read have a name here; the rest is read by the rows of settings. */
export interface SettingsOptions extends SigningFlags, BankFlags {
  signer?: string;
  extends?: string;
  without?: readonly string[];
  variant?: PresetName;
  psuContext?: PsuContext;
  environment?: Environment;
  baseUrl?: string;
  framework?: Framework;
  prefix?: string;
  surface?: Surface;
  certificate?: string;
  key?: string;
  keyPassphraseFrom?: string;
  tlsCertificate?: string;
  tlsKey?: string;
  tlsKeyPassphraseFrom?: string;
  ca?: string;
  redirectUri?: string;
  oauthMetadata?: string;
  oauthIssuer?: string;
  psuIp?: string;
  psuPasswordKey?: string;
}

const inheritance = (command: Flags) =>
  command
    .option('--extends <NAME>', 'take over what another profile says, secrets apart')
    .option('--without <KEY>', 'setting that is not taken over, such as debtor or psu.id (several)', several);

const variantFlag = (command: Flags) =>
  command.option(
    '--variant <V>',
    `${presetNames.join(' or ')}: sets framework and prefix`,
    oneOf('--variant', presetNames),
  );

const contextFlag = (command: Flags) =>
  command.option(
    '--psu-context <NAME=VALUE>',
    'further PSU- header, such as User-Agent (several)',
    psuContext,
  );

/** The flags as help groups them: settings by their keys, and flags that are not a single setting. */
const groups: Readonly<Record<string, readonly (string | ((command: Flags) => Flags))[]>> = {
  'BANK FLAGS': [
    ...[inheritance, 'environment', 'baseUrl', variantFlag, 'framework', 'prefix', 'surface'],
    ...['origins', 'allowHttp', 'timeoutMs'],
  ],
  'DESCRIPTOR FLAGS': [bankFlags],
  'CERTIFICATE FLAGS': [
    ...['certificate', 'key', 'keyPassphraseFrom', 'tlsCertificate', 'tlsKey', 'tlsKeyPassphraseFrom'],
    ...['caCertificates', 'tls.ciphers'],
  ],
  'SIGNING FLAGS': ['signer', signingFlags],
  'REDIRECT FLAGS': [
    ...['redirectUri', 'nokRedirectUri', 'redirect.state', 'oauth.clientId', 'oauth.scope'],
    ...['oauth.metadata', 'oauth.issuer', 'oauth.preStepScope', 'auth.consent'],
  ],
  'PREFERENCE FLAGS': [
    ...['prefer.redirect', 'prefer.explicit', 'prefer.decoupled', 'prefer.rejectNoFunds'],
    ...['notification.uri', 'notification.content', 'brandLogging', 'lint.charset'],
  ],
  'PSU FLAGS': [
    ...['psu.id', 'psu.idType', 'psu.corporateId', 'psu.corporateIdType', 'psu.ipAddress', contextFlag],
    ...['psu.passwordFrom', 'psu.otpFrom', 'psu.scaMethod'],
    ...['passwordEncryption.key', 'passwordEncryption.algorithm', 'debtor', 'debtorName', 'initiatingParty'],
  ],
};

/** Adds the flags for every setting of a profile. */
export function settingsOptions<Own>(command: Flags<Own>): Flags<Own & SettingsOptions> {
  for (const [title, parts] of Object.entries(groups)) {
    command.optionsGroup(title);
    for (const part of parts) {
      const row = typeof part === 'string' ? rowsByKey.get(part) : undefined;
      if (typeof part !== 'string') part(command);
      else if (row !== undefined) settingOption(command, row, readOwnSetting);
    }
  }
  return command;
}

/** The name by which a flag's value is among the options: `--psu-ip` is psuIp. */
export const optionName = (flag: string): string =>
  flag.slice(2).replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** The profile with what the flags set; an empty value removes a setting. Paths become absolute. */
export function withSettings(context: Context, before: SavedProfile, options: SettingsOptions): SavedProfile {
  const preset = options.variant === undefined ? {} : presets[options.variant];
  const own = flaggedSettings.flatMap(([key, row]) => {
    const given: unknown = Reflect.get(options, optionName(row.flag));
    return given === undefined ? [] : [[key.split('.'), valueOf(context, row, given)] as const];
  });
  const further = Object.entries({
    extends: options.extends,
    without: options.extends === '' ? '' : options.without && notTaken(before, options, options.without),
    signing: changedSigning(before.signing, options),
  }).flatMap(([key, value]) => (value === undefined ? [] : [[[key], value] as const]));
  const facts = Object.entries(options.psuContext ?? {}).map(
    ([name, value]) => [['psu', 'context', name], value] as const,
  );
  const changed = [...further, ...own, ...facts].reduce<object>(
    (profile, [path, value]) => put(profile, path, value === '' && path[0] !== 'prefix' ? undefined : value),
    { ...before, ...preset },
  );
  const banks = Object.entries(changedBank(before, options)).reduce(
    (profile, [group, value]) => put(profile, [group], value === '' ? undefined : value),
    changed,
  );
  const after = withoutLoneAlgorithm(banks as SavedProfile, options);
  const [wrong] = madeWrong(before, after);
  if (wrong !== undefined) throw usageError(`${wrong.setting}: ${wrong.text}`, 'obk help profile edit');
  return after;
}

/** The value that a flag gives a setting; empty where it takes it away. */
function valueOf({ ports }: Context, row: SettingRow & Flag, given: unknown): unknown {
  if (Array.isArray(given)) {
    const texts = given.map(String).filter((text) => text !== '');
    return texts.length === 0 ? '' : texts.map((text) => readOwnSetting(row, text));
  }
  if (given === true) return true;
  if (typeof given !== 'string' || given === '') return given;
  if (row.kind === 'path') return ports.files.absolute(given);
  const value = readOwnSetting(row, given);
  // Plain http is forbidden where nothing allows it.
  return row.flag === '--allow-http' && value === false ? '' : value;
}

/** The settings that are not taken over from the profile that is extended. */
function notTaken(
  before: SavedProfile,
  options: SettingsOptions,
  given: readonly string[],
): readonly string[] | '' {
  const keys = given.filter((key) => key !== '');
  if (keys.length === 0) return '';
  if ((options.extends ?? before.extends) === undefined)
    throw usageError('--without goes with --extends.', '--extends NAME');
  return keys;
}

/** Without the key of the bank no password is encrypted, by whatever algorithm. */
function withoutLoneAlgorithm(profile: SavedProfile, { psuPasswordKey }: SettingsOptions): SavedProfile {
  const { key, algorithm } = profile.passwordEncryption ?? {};
  if (key !== undefined || algorithm === undefined) return profile;
  if (psuPasswordKey === '') return put(profile, ['passwordEncryption'], undefined) as SavedProfile;
  throw usageError('--psu-password-algorithm needs a key.', '--psu-password-key FILE');
}

/** The value of a setting of a profile from the text of its flag; a path is as it was typed. Throws USAGE. */
const readOwnSetting = (row: SettingRow & Partial<Flag>, text: string): string | number | boolean =>
  ownReaders[row.flag ?? '']?.(text) ?? readSetting(row, text);

/** What is read otherwise than others of its kind. */
const ownReaders: Readonly<Record<string, (text: string) => string>> = {
  '--base-url': checkedUrl('--base-url'),
  '--origin': checkedUrl('--origin'),
  '--prefix'(text) {
    const prefix = text.replace(/\/+$/, '');
    if (text !== '' && versionPath(prefix) === undefined) return prefix;
    throw usageError(
      `--prefix takes a path such as /v1; not ${JSON.stringify(text)}.`,
      '--prefix /   # where the bank has no version in its paths',
    );
  },
  '--debtor'(text) {
    const checked = checkIban(text);
    if (checked.ok) return checked.value;
    throw usageError(`--debtor ${JSON.stringify(text)}: ${checked.why}.`);
  },
  '--tls-ciphers'(list) {
    const bad = weakWords(list);
    if (bad === undefined) return list;
    throw usageError(`--tls-ciphers ${JSON.stringify(list.slice(0, 200))}: ${bad}`);
  },
  '--signer'(text) {
    if (/^cmd:(\/|[A-Za-z]:[\\/])/.test(text)) return text;
    throw usageError(
      `--signer takes cmd: and an absolute path; not ${JSON.stringify(text)}.`,
      '--signer "cmd:/usr/local/bin/sign --slot 1"',
    );
  },
};
