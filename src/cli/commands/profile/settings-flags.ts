import type { Command } from 'commander';
import type { Context } from '../../context.ts';
import { weakWords } from '../../../settings/profile/ciphers.ts';
import { wordsOf } from '../../../settings/profile/keys.ts';
import { versionPath } from '../../../settings/profile/texts.ts';
import { madeWrong } from '../../../client/profile/check-settings.ts';
import type { Environment, Profile, SavedProfile } from '../../../settings/records/profile.ts';
import { checkIban } from '../../../standard/xs2a/check.ts';
import { frameworkNames, presetNames, presets } from '../../../standard/xs2a/variants.ts';
import type { Framework, PresetName } from '../../../standard/xs2a/variants.ts';
import { duration, oneOf, oneOrNone, reference, several, usageError } from '../flags/flag-values.ts';
import { environments } from '../flags/global-options.ts';
import { preferenceOptions, preferencesOf } from '../flags/tpp-preferences.ts';
import type { PreferenceOptions } from '../flags/tpp-preferences.ts';
import { psuContext } from '../flags/psu-context.ts';
import type { PsuContext } from '../flags/psu-context.ts';
import { checkedUrl, checkedWeb } from './address-flags.ts';
import { bankFlags, changedBank } from './bank-flags.ts';
import type { BankFlags } from './bank-flags.ts';
import { changedSigning, signingFlags } from './signing-flags.ts';
import type { SigningFlags } from './signing-flags.ts';

/** Flags that set what a profile holds. */
export interface SettingsOptions extends PreferenceOptions, SigningFlags, BankFlags {
  extends?: string;
  without?: readonly string[];
  environment?: Environment;
  baseUrl?: string;
  variant?: PresetName;
  framework?: Framework;
  prefix?: string;
  surface?: 'service' | 'framework';
  certificate?: string;
  key?: string;
  keyPassphraseFrom?: string;
  tlsCertificate?: string;
  tlsKey?: string;
  tlsKeyPassphraseFrom?: string;
  ca?: string;
  tlsCiphers?: string;
  tlsServerName?: string;
  allowHttp?: 'yes' | 'no' | '';
  redirectUri?: string;
  nokRedirectUri?: string;
  redirectState?: 'query' | 'none' | '';
  oauthClientId?: string;
  oauthScope?: string;
  oauthMetadata?: string;
  oauthIssuer?: string;
  oauthPreStepScope?: string;
  authConsent?: NonNullable<NonNullable<Profile['auth']>['consent']> | '';
  origin?: readonly string[];
  psuId?: string;
  psuIdType?: string;
  psuCorporateId?: string;
  psuCorporateIdType?: string;
  psuIp?: string;
  psuContext?: PsuContext;
  psuPasswordFrom?: string;
  otpFrom?: string;
  scaMethod?: string;
  psuPasswordKey?: string;
  psuPasswordAlgorithm?: NonNullable<Profile['passwordEncryption']>['algorithm'] | '';
  debtor?: string;
  debtorName?: string;
  initiatingParty?: string;
  lintCharset?: 'warn' | 'error' | '';
  timeout?: number | '';
}

const durationOrNone = (text: string) => (text === '' ? '' : duration('--timeout')(text));

/** Adds the flags for every setting of a profile. */
export function settingsOptions(command: Command): Command {
  const bank = command
    .optionsGroup('BANK FLAGS')
    .option('--extends <NAME>', 'take over what another profile says, secrets apart')
    .option('--without <KEY>', 'setting that is not taken over, such as debtor or psu.id (several)', several)
    .option(
      '--environment <E>',
      'sandbox, test or production; needed where the bank is not on this machine',
      oneOf('--environment', environments),
    )
    .option('--base-url <URL>', 'address of the bank, without the version prefix')
    .option(
      '--variant <V>',
      `${presetNames.join(' or ')}: sets framework and prefix`,
      oneOf('--variant', presetNames),
    )
    .option('--framework <F>', frameworkNames.join(' or '), oneOf('--framework', frameworkNames))
    .option('--prefix <PATH>', 'path of the version: /v1; / where the bank has none', checkedPrefix)
    .option(
      '--surface <S>',
      'service, or framework where the bank offers more',
      oneOf('--surface', wordsOf('surface')),
    )
    .option('--origin <URL>', 'further address that links may point to (several)', several)
    .option(
      '--allow-http <YES|NO>',
      'plain http off this machine; never with a token, password or OTP',
      oneOrNone('--allow-http', ['yes', 'no']),
    )
    .option('--timeout <DURATION>', 'longest time of a call', durationOrNone);
  const certificates = bankFlags(bank.optionsGroup('DESCRIPTOR FLAGS'))
    .optionsGroup('CERTIFICATE FLAGS')
    .option('--certificate <FILE>', 'QSealC that signs (PEM)')
    .option('--key <FILE>', 'its private key (PEM)')
    .option('--key-passphrase-from <REF>', 'passphrase of the key (obk help references)')
    .option('--tls-certificate <FILE>', 'QWAC for mutual TLS (PEM)')
    .option('--tls-key <FILE>', 'its private key (PEM)')
    .option('--tls-key-passphrase-from <REF>', 'passphrase of the TLS key')
    .option('--ca <FILE>', 'further CA certificates (PEM)')
    .option('--tls-server-name <NAME>', 'name in the certificate of the bank, if not that of the address')
    .option('--tls-ciphers <LIST>', 'ciphers as OpenSSL names them, where a bank needs others');
  const redirect = signingFlags(certificates.optionsGroup('SIGNING FLAGS'))
    .optionsGroup('REDIRECT FLAGS')
    .option('--redirect-uri <URL>', 'TPP-Redirect-URI')
    .option('--nok-redirect-uri <URL>', 'TPP-Nok-Redirect-URI')
    .option(
      '--redirect-state <WHERE>',
      'query: each transaction adds a state of its own to these addresses; none',
      oneOrNone('--redirect-state', wordsOf('redirect.state')),
    )
    .option('--oauth-client-id <ID>', 'client_id, if not the organizationIdentifier of the certificate')
    .option('--oauth-scope <SCOPE>', 'scope of OAuth2 as SCA, such as "AIS:{consentId} offline_access"')
    .option('--oauth-metadata <URL>', 'metadata of the OAuth server, for obk auth login')
    .option('--oauth-issuer <URL>', 'or its issuer, from which the address follows')
    .option('--oauth-pre-step-scope <SCOPE>', 'scope of obk auth login (PIS AIS)')
    .option(
      '--auth-consent <WHERE>',
      'header, token or both (if not given): where account calls name the consent',
      oneOrNone('--auth-consent', wordsOf('auth.consent')),
    );
  return preferenceOptions(redirect.optionsGroup('PREFERENCE FLAGS'), 'payment')
    .option(
      '--lint-charset <LEVEL>',
      'warn or error: characters that not every bank takes, in SEPA payments',
      oneOrNone('--lint-charset', wordsOf('lint.charset')),
    )
    .optionsGroup('PSU FLAGS')
    .option('--psu-id <ID>', 'PSU-ID')
    .option('--psu-id-type <TYPE>', 'PSU-ID-Type')
    .option('--psu-corporate-id <ID>', 'PSU-Corporate-ID')
    .option('--psu-corporate-id-type <T>', 'PSU-Corporate-ID-Type')
    .option('--psu-ip <ADDRESS>', 'PSU-IP-Address')
    .option('--psu-context <NAME=VALUE>', 'further PSU- header, such as User-Agent (several)', psuContext)
    .option('--psu-password-from <REF>', 'password of the PSU (obk help references)')
    .option('--otp-from <REF>', 'one-time password (obk help references)')
    .option('--sca-method <ID>', 'SCA method to choose')
    .option('--psu-password-key <FILE>', 'key of the bank that encrypts passwords (PEM, JWK)')
    .option(
      '--psu-password-algorithm <A>',
      'RSA-OAEP-256 (if not given), or RSA-OAEP',
      oneOrNone('--psu-password-algorithm', wordsOf('passwordEncryption.algorithm')),
    )
    .option('--debtor <IBAN>', 'account that payments are made from')
    .option('--debtor-name <NAME>', 'name of its holder, in pain.001')
    .option('--initiating-party <NAME>', 'name of the party that starts payments, in pain.001');
}

/** The profile with what the flags set; an empty value removes a setting. Paths become absolute. */
export function withSettings(context: Context, before: SavedProfile, options: SettingsOptions): SavedProfile {
  const path = (text: string) => (text === '' ? '' : context.ports.files.absolute(text));
  const map = <V, T>(value: V | undefined, change: (given: V) => T): T | undefined =>
    value === undefined ? undefined : change(value);
  const changes: Record<string, unknown> = {
    extends: options.extends,
    without: options.extends === '' ? '' : map(options.without, (given) => notTaken(before, options, given)),
    environment: options.environment,
    baseUrl: map(options.baseUrl, checkedUrl('--base-url')),
    ...(options.variant === undefined ? {} : presets[options.variant]),
    ...defined({
      framework: options.framework,
      surface: options.surface,
    }),
    origins: map(options.origin, (given) => listed(given.map(checkedUrl('--origin')))),
    timeoutMs: options.timeout,
    certificate: map(options.certificate, path),
    key: map(options.key, path),
    keyPassphraseFrom: map(options.keyPassphraseFrom, reference('--key-passphrase-from')),
    signer: options.signer,
    signing: changedSigning(before.signing, options),
    tlsCertificate: map(options.tlsCertificate, path),
    tlsKey: map(options.tlsKey, path),
    tlsKeyPassphraseFrom: map(options.tlsKeyPassphraseFrom, reference('--tls-key-passphrase-from')),
    caCertificates: map(options.ca, path),
    tls: whole(
      merged(before.tls ?? {}, {
        ciphers: map(options.tlsCiphers, checkedCiphers),
        serverName: options.tlsServerName,
      }),
    ),
    allowHttp: map(options.allowHttp, (answer) => (answer === 'yes' ? true : '')),
    passwordEncryption: passwordEncryption(context, before, options),
    redirectUri: map(options.redirectUri, checkedWeb('--redirect-uri')),
    nokRedirectUri: map(options.nokRedirectUri, checkedWeb('--nok-redirect-uri')),
    redirect: map(options.redirectState, (state) => whole(merged(before.redirect ?? {}, { state }))),
    oauth: whole(
      merged(before.oauth ?? {}, {
        clientId: options.oauthClientId,
        scope: options.oauthScope,
        metadata: map(options.oauthMetadata, checkedWeb('--oauth-metadata')),
        issuer: map(options.oauthIssuer, checkedWeb('--oauth-issuer')),
        preStepScope: options.oauthPreStepScope,
      }),
    ),
    auth: map(options.authConsent, (consent) => whole(merged(before.auth ?? {}, { consent }))),
    debtor: map(options.debtor, checkedIban),
    debtorName: options.debtorName,
    initiatingParty: options.initiatingParty,
    ...preferred(before, options),
    lint: map(options.lintCharset, (charset) => whole(merged(before.lint ?? {}, { charset }))),
    ...changedBank(before, options),
  };
  const psu = merged(before.psu ?? {}, {
    id: options.psuId,
    idType: options.psuIdType,
    corporateId: options.psuCorporateId,
    corporateIdType: options.psuCorporateIdType,
    ipAddress: options.psuIp,
    context: map(options.psuContext, (given) => whole(merged(before.psu?.context ?? {}, given))),
    passwordFrom: map(options.psuPasswordFrom, reference('--psu-password-from')),
    otpFrom: map(options.otpFrom, reference('--otp-from')),
    scaMethod: options.scaMethod,
  });
  const prefix =
    options.prefix ?? (options.variant === undefined ? before.prefix : presets[options.variant].prefix);
  const after = {
    ...merged({ ...before }, { ...changes, psu: whole(psu) }),
    // The one setting that may be empty: of a bank without a version in its paths.
    ...defined({ prefix }),
  } as unknown as SavedProfile;
  const [wrong] = madeWrong(before, after);
  if (wrong !== undefined) throw usageError(`${wrong.setting}: ${wrong.text}`, 'obk help profile edit');
  return after;
}

/** The settings that are not taken over from the profile that is extended. */
function notTaken(
  before: SavedProfile,
  options: SettingsOptions,
  given: readonly string[],
): readonly string[] | '' {
  const keys = listed(given);
  if (keys !== '' && (options.extends ?? before.extends) === undefined)
    throw usageError('--without goes with --extends.', '--extends NAME');
  return keys;
}

function preferred(before: SavedProfile, options: SettingsOptions): Record<string, unknown> {
  const {
    notificationUri: uri,
    notificationContent: content,
    brandLogging,
    ...prefer
  } = preferencesOf(options);
  return {
    brandLogging,
    prefer: whole(merged(before.prefer ?? {}, prefer)),
    notification: whole(merged(before.notification ?? {}, { uri, content })),
  };
}

/** A group of settings; one without any goes. */
function whole(group: object): object | '' {
  return Object.keys(group).length === 0 ? '' : group;
}

function listed(texts: readonly string[]): readonly string[] | '' {
  const given = texts.filter((text) => text !== '');
  return given.length === 0 ? '' : given;
}

/** An empty key takes the whole setting away. */
function passwordEncryption(
  context: Context,
  { passwordEncryption: before }: SavedProfile,
  { psuPasswordKey: path, psuPasswordAlgorithm: algorithm }: SettingsOptions,
): Profile['passwordEncryption'] | '' {
  if (path === '') return '';
  const key = path === undefined ? before?.key : context.ports.files.absolute(path);
  if (key === undefined && algorithm !== undefined && algorithm !== '') {
    throw usageError('--psu-password-algorithm needs a key.', '--psu-password-key FILE');
  }
  return key === undefined
    ? undefined
    : (merged({ ...before }, { key, algorithm }) as unknown as Profile['passwordEncryption']);
}

function defined(values: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}

/** Merges changes: an undefined value changes nothing, an empty one removes the setting. */
function merged(before: object, changes: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const all = { ...before, ...defined(changes) };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== ''));
}

function checkedCiphers(list: string): string {
  const bad = list === '' ? undefined : weakWords(list);
  if (bad === undefined) return list;
  throw usageError(`--tls-ciphers ${JSON.stringify(list.slice(0, 200))}: ${bad}`);
}

function checkedPrefix(text: string): string {
  const prefix = text.replace(/\/+$/, '');
  if (text !== '' && versionPath(prefix) === undefined) return prefix;
  throw usageError(
    `--prefix takes a path such as /v1; not ${JSON.stringify(text)}.`,
    '--prefix /   # where the bank has no version in its paths',
  );
}

function checkedIban(text: string): string {
  if (text === '') return text;
  const checked = checkIban(text);
  if (checked.ok) return checked.value;
  throw usageError(`--debtor ${JSON.stringify(text)}: ${checked.why}.`);
}
