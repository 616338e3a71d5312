import type { Command } from 'commander';
import { line } from '../../command-line.ts';
import type { Context } from '../../context.ts';
import { ObkError } from '../../errors.ts';
import { put } from '../../flows/profile/signing-settings.ts';
import type { SavedProfile } from '../../records/profile.ts';
import { nearest } from '../../nearest.ts';
import { oneOf, usageError } from '../flags/flag-values.ts';
import { bankKeys, isOpenBankKey, withBankKey } from './bank-flags.ts';
import { withSettings } from './settings-flags.ts';

/** The settings by dotted keys, each with the flag that sets it: the flag holds the check. */
const flagOf: Readonly<Record<string, string>> = {
  extends: '--extends',
  without: '--without',
  environment: '--environment',
  baseUrl: '--base-url',
  framework: '--framework',
  prefix: '--prefix',
  surface: '--surface',
  origins: '--origin',
  allowHttp: '--allow-http',
  timeoutMs: '--timeout',
  certificate: '--certificate',
  key: '--key',
  keyPassphraseFrom: '--key-passphrase-from',
  signer: '--signer',
  tlsCertificate: '--tls-certificate',
  tlsKey: '--tls-key',
  tlsKeyPassphraseFrom: '--tls-key-passphrase-from',
  caCertificates: '--ca',
  'tls.ciphers': '--tls-ciphers',
  'tls.serverName': '--tls-server-name',
  redirectUri: '--redirect-uri',
  nokRedirectUri: '--nok-redirect-uri',
  'redirect.state': '--redirect-state',
  'oauth.clientId': '--oauth-client-id',
  'oauth.scope': '--oauth-scope',
  'oauth.metadata': '--oauth-metadata',
  'oauth.issuer': '--oauth-issuer',
  'oauth.preStepScope': '--oauth-pre-step-scope',
  'auth.consent': '--auth-consent',
  'prefer.redirect': '--redirect',
  'prefer.explicit': '--explicit',
  'prefer.rejectNoFunds': '--reject-no-funds',
  'notification.uri': '--notification-uri',
  'notification.content': '--notification-content',
  brandLogging: '--brand-logging',
  'lint.charset': '--lint-charset',
  'psu.id': '--psu-id',
  'psu.idType': '--psu-id-type',
  'psu.corporateId': '--psu-corporate-id',
  'psu.corporateIdType': '--psu-corporate-id-type',
  'psu.ipAddress': '--psu-ip',
  'psu.passwordFrom': '--psu-password-from',
  'psu.otpFrom': '--otp-from',
  'psu.scaMethod': '--sca-method',
  'passwordEncryption.key': '--psu-password-key',
  'passwordEncryption.algorithm': '--psu-password-algorithm',
  debtor: '--debtor',
};

/** Settings that only a file or `config set` gives. */
const readOf: Readonly<Record<string, (text: string) => string>> = {
  tokenStore: oneOf('tokenStore', ['file', 'keyring']),
  'answers.digest': oneOf('answers.digest', ['verify', 'warn', 'off']),
  currency: (text) => {
    if (/^[A-Z]{3}$/.test(text)) return text;
    throw usageError(`currency takes a code such as EUR; not ${JSON.stringify(text)}.`);
  },
};

/** Every key of a profile; `signing.` and `psu.context.` go on with names of their own. */
const settingKeys: readonly string[] = [...Object.keys(flagOf), ...Object.keys(readOf), ...bankKeys];

const needed = ['environment', 'framework', 'prefix', 'surface'];
const isOpen = (key: string) => /^(signing|psu\.context)\../.test(key) || isOpenBankKey(key);

/** Throws USAGE naming the nearest, unless it is a key of a profile or one of the further ones. */
export function checkKey(key: string, further: readonly string[] = []): void {
  const known = [...further, ...settingKeys];
  if (known.includes(key) || isOpen(key)) return;
  const near = nearest(key, known);
  const below = known.filter((name) => name.startsWith(`${key}.`));
  throw usageError(
    `There is no setting ${JSON.stringify(key)}.`,
    ...(near.length > 0 ? near : below.length > 0 ? below.slice(0, 5) : ['obk config list']),
  );
}

/** Throws USAGE unless a profile can do without these keys, or groups of keys, of the one that it extends. */
export function checkNotTaken(keys: readonly string[] = []): void {
  for (const key of keys.filter((one) => one !== '')) {
    if (needed.includes(key) || key === 'extends' || key === 'without')
      throw usageError(`A profile cannot be without ${key}.`);
    if (!settingKeys.some((known) => known.startsWith(`${key}.`)) && key !== 'signing') checkKey(key);
  }
}

/** The profile with one setting changed; the text is checked as its flag does. `flags` is a command that has them. */
export function withKey(
  context: Context,
  flags: Command,
  before: SavedProfile,
  key: string,
  text: string,
): SavedProfile {
  checkKey(key);
  if (key === 'without') checkNotTaken(text.split(','));
  if (text === '') throw usageError(`${key} takes a value.`, line`obk config unset ${key}`);
  try {
    const read = readOf[key];
    if (read !== undefined) return put(before, key.split('.'), read(text)) as SavedProfile;
    if (bankKeys.includes(key) || isOpenBankKey(key)) return withBankKey(before, key, text);
    const [flag, values] = asFlag(key, text);
    const option = flags.options.find(({ long }) => long === flag);
    if (option === undefined) throw new Error(`no flag ${flag}`);
    const value = values.reduce<unknown>(
      (earlier, one) => (option.parseArg === undefined ? one : option.parseArg(one, earlier)),
      undefined,
    );
    return withSettings(context, before, { [option.attributeName()]: value });
  } catch (error) {
    if (!(error instanceof ObkError)) throw error;
    const { code, title, detail, hint } = error;
    throw new ObkError({
      code,
      title: `${key}: ${title}`,
      hint,
      cause: error,
      ...(detail === undefined ? {} : { detail }),
    });
  }
}

/** The profile with many settings, each through the check of its flag, in the order of the keys: some need an earlier one. */
export function withKeys(
  context: Context,
  flags: Command,
  before: SavedProfile,
  settings: object,
): SavedProfile {
  const place = (key: string) => settingKeys.indexOf(key);
  return settingsByKey(settings)
    .sort(([a], [b]) => place(a) - place(b))
    .reduce((profile, [key, value]) => withKey(context, flags, profile, key, textOf(key, value)), before);
}

function textOf(key: string, value: unknown): string {
  // The one text that may be empty, and as its flag takes it.
  if (key === 'prefix' && value === '') return '/';
  if (key === 'headers.rules' || key === 'meta.sources') return JSON.stringify(value);
  if (Array.isArray(value) && value.every((one) => typeof one === 'string')) return value.join(',');
  if (typeof value === 'string' || typeof value === 'boolean' || typeof value === 'number')
    return String(value);
  throw usageError(`${key} is of the wrong kind.`);
}

/** How the flag writes what stands in the file. */
function asFlag(key: string, text: string): [flag: string, values: readonly string[]] {
  if (key.startsWith('signing.')) return ['--set', [`${key}=${text}`]];
  if (key.startsWith('psu.context.'))
    return ['--psu-context', [`${key.slice('psu.context.'.length)}=${text}`]];
  const flag = flagOf[key] ?? '';
  if (key === 'origins' || key === 'without') return [flag, text.split(',')];
  if (key === 'timeoutMs' && /^\d+$/.test(text)) return [flag, [`${text}ms`]];
  if (key === 'allowHttp' || key.startsWith('prefer.')) {
    return [flag, [text === 'true' ? 'yes' : text === 'false' ? 'no' : text]];
  }
  return [flag, [text]];
}

/** The profile without a setting, known or not; what goes with it goes too. */
export function withoutKey(before: SavedProfile, key: string): SavedProfile {
  checkKey(key, [
    'activeProfile',
    'retention',
    ...Object.keys(before),
    ...settingsByKey(before).map(([name]) => name),
  ]);
  if (needed.includes(key) && before.extends === undefined)
    throw usageError(`A profile cannot be without ${key}.`, line`obk config set ${key} VALUE`);
  const path = key === 'passwordEncryption.key' ? ['passwordEncryption'] : key.split('.');
  return put(before, path, undefined) as SavedProfile;
}

/** The settings of a profile by their keys; lists stay whole. */
export function settingsByKey(profile: object, lead = ''): (readonly [key: string, value: unknown])[] {
  return Object.entries(profile).flatMap(([name, value]: [string, unknown]) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? settingsByKey(value, `${lead}${name}.`)
      : [[lead + name, value] as const],
  );
}
