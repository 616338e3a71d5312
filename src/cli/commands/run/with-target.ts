import { defined } from '../../../base/defined.ts';
import { line } from '../../../base/command-line.ts';
import type { Context } from '../../context.ts';
import { beginPatience } from '../../../client/call/patience.ts';
import { openTarget } from '../../../client/exchange/open-target.ts';
import { DryRun } from '../../../client/exchange/prepared.ts';
import type { RunOptions, Target } from '../../../client/exchange/target.ts';
import { beforeSending } from '../../../client/exchange/unwritable.ts';
import { chooseProfile, requireEnvironment, wishedName } from '../../../client/profile/choose-profile.ts';
import { builtInName } from '../../../base/profile-name.ts';
import type { ChosenProfile, ProfileOptions } from '../../../client/profile/choose-profile.ts';
import { declaredOrigins } from '../../../client/profile/declared-origins.ts';
import { needLoadAllowed } from '../../../client/profile/load-allowed.ts';
import { needAllowed } from '../../../client/profile/policy.ts';
import { unsaidEnvironment } from '../../../client/profile/unsaid-environment.ts';
import { ObkError } from '../../../base/errors.ts';
import type { Outcome } from '../../outcome.ts';
import type { Profile, Settings } from '../../../settings/records/profile.ts';
import { nearest } from '../../../base/nearest.ts';
import { presetNames, presets } from '../../../standard/xs2a/variants.ts';
import { oneOf, yesNo } from '../flags/flag-values.ts';
import { connectionVariables } from '../flags/global-options.ts';
import type { WireOptions } from '../flags/global-options.ts';
import { checkInputs, withPsuIp } from '../flags/needed-inputs.ts';
import { bankInLines, inBank } from './in-bank.ts';
import { journalWithHead } from './journal-head.ts';
import { observers } from './observe.ts';
import { projectOf } from './project.ts';
import { curlCommand } from '../../../client/evidence/write-curl.ts';
import type { Prepared } from '../../../client/exchange/prepared.ts';
import { viewOfPrepared } from '../../../client/exchange/exchange-view.ts';
import { dryRunDocument, dryRunText } from '../../render/exchange.ts';
import { put } from '../../../client/profile/signing-settings.ts';
import { preferences } from '../../../settings/profile/keys.ts';

/** Chooses the profile of this run: flag, OBK_PROFILE, project file, active profile, sandbox. */
export async function chosenProfile(context: Context, wire: WireOptions = {}): Promise<ChosenProfile> {
  const { load } = context;
  if (load === undefined) return choose(context, wire);
  const { chosen, inUse } = await load.ofLine(`profile ${wire.baseUrl ?? ''}`, async () => ({
    chosen: await choose(context, wire),
    inUse: context.inUse,
  }));
  context.inUse = inUse;
  return chosen;
}

async function choose(context: Context, wire: WireOptions): Promise<ChosenProfile> {
  const { globals, ports } = context;
  const settings = await ports.settings.read();
  const wish = await wishOf(context);
  const { project } = wish;
  const wished = chooseProfile(settings, wish);
  if (wished.builtIn) needOwnAddress(context, wire);
  const chosen = { ...wished, name: await inBank(ports, wished.name) };
  const { flag, env: _, ...bare } = wish;
  const unasked = wishedName(settings, bare) ?? (isBlank(settings) ? builtInName : undefined);
  // With an explicit profile the next steps name it too, so that they stay right if another one becomes active.
  const usual = flag === undefined && unasked === chosen.name;
  const bank = chosen.builtIn ? await bankInLines(ports) : {};
  // The name of the default bank alone leaves to the run which bank is meant.
  const shown =
    chosen.name === builtInName && bank.at !== undefined ? `${builtInName}@${bank.at}` : chosen.name;
  context.inUse = { name: shown, usual: usual && shown === chosen.name, builtIn: chosen.builtIn, bank };
  const inVersion = { ...chosen.profile, ...versionOf(context) };
  const profile = chosen.builtIn ? inVersion : overridden(context, inVersion, wire);
  if (chosen.unsaid === true) profile.environment = unsaidEnvironment(profile);
  requireEnvironment({ ...chosen, profile }, globals.requireEnvironment, project);
  tellChoice(context, chosen, wish);
  return {
    ...chosen,
    inLines: bank,
    declared: declaredOrigins(chosen.profile),
    profile: preferring(context, profile),
  };
}

/** Says which profile was chosen where no flag names it, and why one has the rails of production. */
function tellChoice(context: Context, chosen: ChosenProfile, { project }: ProfileOptions): void {
  const { notices } = context.ports;
  const { name, origin } = chosen;
  if (chosen.unsaid === true && chosen.profile.environment === 'production') warnOfUnsaid(context, chosen);
  if (origin === 'built-in')
    notices.say(`No profile is configured: using the bank inside (profile ${name}).`);
  if (origin === 'env') notices.trace(1, `--profile ${name} from OBK_PROFILE`);
  if (origin === 'project') notices.trace(1, `--profile ${name} from ${String(project?.path)}`);
}

/** Why a profile has the rails of production, and how to say what it is. */
function warnOfUnsaid({ ports }: Context, { name }: ChosenProfile): void {
  const way = line`obk profile edit ${name} --environment test`;
  ports.notices.warn(
    `The environment of ${name} is not set, so it counts as production: ${way} (or production).`,
  );
}

/** Whether a run without any profile uses the sandbox. */
const isBlank = ({ profiles }: Settings) => Object.keys(profiles).length === 0;

/** The sources that may name the profile of this run. */
export async function wishOf(context: Context): Promise<ProfileOptions> {
  const { globals, ports } = context;
  const env = valueOf(context, 'OBK_PROFILE');
  return {
    ...defined({ flag: globals.profile, env }),
    project: await projectOf(context),
    connectionVariables: connectionVariables.filter((name) => valueOf(context, name) !== undefined),
    near: nearest,
    present: ports.person.present,
  };
}

/** The profile that a run works with, unless there is none but the bank inside. */
export async function wishedProfile(context: Context, settings: Settings): Promise<string | undefined> {
  return wishedName(settings, await wishOf(context));
}

/** The name of the profile of this run; a saved one that cannot be used has one all the same, for the command that mends it. */
export async function savedName(context: Context): Promise<string> {
  try {
    return (await chosenProfile(context)).name;
  } catch (error) {
    const settings = await context.ports.settings.read();
    const wished = await wishedProfile(context, settings);
    const isInvalid = error instanceof ObkError && error.code === 'PROFILE_INVALID';
    if (!isInvalid || wished === undefined || !Object.hasOwn(settings.profiles, wished)) throw error;
    return wished;
  }
}

/** Opens the bank of this run and works with it; a dry run returns the request instead of an answer. */
export async function withTarget(
  context: Context,
  wire: WireOptions,
  work: (target: Target) => Promise<Outcome>,
): Promise<Outcome> {
  try {
    return await work(await openBank(context, wire));
  } catch (error) {
    if (error instanceof DryRun) return dryRunOutcome(context, error.prepared);
    if (context.maySend()) throw error;
    return beforeSending(() => Promise.reject(error as Error));
  }
}

/** Opens the bank of this run; a dry run ends in a DryRun that nobody but `withTarget` turns into its result. */
export async function openBank(context: Context, wire: WireOptions): Promise<Target> {
  const chosen = await chosenProfile(context, wire);
  const { ports } = context;
  if (chosen.builtIn && context.load === undefined) tellUnused(context);
  const psu = psuOf(context, wire);
  const policy = context.policy();
  needAllowed(policy, { environment: chosen.profile.environment, insecure: wire.insecure === true });
  const hasToken = !chosen.builtIn && valueOf(context, 'OBK_TOKEN') !== undefined;
  const run: RunOptions = {
    ...(hasToken ? { token: await ports.secrets.read('env:OBK_TOKEN', 'the access token') } : {}),
    ...defined({ policy }),
    dryRun: wire.dryRun === true,
    signal: context.signal,
    ...(wire.insecure === true ? { insecure: true } : {}),
    showsProxy: context.globals.curl === true,
    ...defined({
      requestId: wire.requestId,
      sendCredentialsTo: wire.sendCredentialsTo,
      timeoutMs: wire.timeout,
    }),
    ...(wire.wait === true ? { waits: true } : {}),
    ...defined({ rate: wire.rate }),
    ...(context.load === undefined ? {} : { load: context.load, rate: 'off' as const }),
    ...(Object.keys(psu).length === 0 ? {} : { psu }),
    ...observers(context, chosen),
  };
  const journal = journalWithHead(context, chosen, run.insecure === true);
  const opened = await openTarget({ ...ports, journal }, chosen, run);
  context.proved = opened.state.proved;
  if (context.load !== undefined) {
    const { load } = context;
    await load.ofLine('allowed', () => {
      needLoadAllowed(opened);
      return Promise.resolve();
    });
  }
  const isMoved = unsaidEnvironment({ origins: chosen.declared ?? [] }) === 'test';
  // The address of this run alone leads off this machine; it is a usable one.
  if (chosen.unsaid === true && isMoved && opened.environment === 'production') warnOfUnsaid(context, chosen);
  if (ports.person.present) tellPlace(opened);
  const target = await withPsuIp(context, opened, wire);
  const inputs = () => checkInputs(context, target, wire);
  await (context.load === undefined ? inputs() : context.load.ofLine('inputs', inputs));
  if (wire.waitMs !== undefined) beginPatience(target, wire.waitMs);
  return target;
}

const alarming = 'PRODUCTION';

/** Tells a person where the run works, before money moves. */
function tellPlace({ name, environment, links, variant, ports }: Target): void {
  const isProduction = environment === 'production';
  const line = ` · ${links.base} · ${variant.prefix}`;
  // It stands before all that a profile or a bank is called.
  if (isProduction) ports.notices.place(`${alarming} · profile ${name}${line}`, alarming);
  else ports.notices.place(`profile ${name} · ${environment}${line}`);
}

function valueOf(context: Context, name: string): string | undefined {
  const value = context.process.env[name];
  return value === undefined || value === '' ? undefined : value;
}

/** The version of the interface that OBK_VERSION chooses, at the bank inside as at any other. */
function versionOf(context: Context): Partial<Profile> {
  const version = valueOf(context, 'OBK_VERSION');
  return version === undefined ? {} : presets[oneOf('OBK_VERSION', presetNames)(version)];
}

function overridden(context: Context, profile: Profile, wire: WireOptions): Profile {
  const { files } = context.ports;
  const baseUrl = wire.baseUrl ?? valueOf(context, 'OBK_BASE_URL');
  const file = (name: string) => {
    const path = valueOf(context, name);
    return path === undefined ? undefined : files.absolute(path);
  };
  const changes = {
    baseUrl,
    certificate: file('OBK_CERT'),
    key: file('OBK_KEY'),
    caCertificates: file('OBK_CACERT'),
    tlsCertificate: file('OBK_TLS_CERT'),
    tlsKey: file('OBK_TLS_KEY'),
    tlsKeyPassphraseFrom: valueOf(context, 'OBK_TLS_KEY_PASSPHRASE_FROM'),
    keyPassphraseFrom: valueOf(context, 'OBK_KEY_PASSPHRASE_FROM'),
  };
  const { urls: _, ...elsewhere } = profile;
  return {
    // Another address for this run replaces all addresses of the bank.
    ...(baseUrl === undefined ? profile : elsewhere),
    ...(defined(changes) as Partial<Profile>),
  };
}

function psuOf(context: Context, wire: WireOptions): NonNullable<Profile['psu']> {
  const env = (name: string) => valueOf(context, name);
  return defined({
    id: wire.psuId ?? env('OBK_PSU_ID'),
    idType: wire.psuIdType ?? env('OBK_PSU_ID_TYPE'),
    corporateId: wire.psuCorporateId ?? env('OBK_PSU_CORPORATE_ID'),
    corporateIdType: wire.psuCorporateIdType ?? env('OBK_PSU_CORPORATE_ID_TYPE'),
    ipAddress: wire.psuIp ?? env('OBK_PSU_IP'),
    context: wire.psuContext,
  });
}

const passphrases = ['OBK_KEY_PASSPHRASE_FROM', 'OBK_TLS_KEY_PASSPHRASE_FROM'];

/**
 * The built-in bank has an address, a key and certificates of its own. Throws USAGE where the run names another address, since
 * the run would otherwise reach a bank that was not meant.
 */
function needOwnAddress({ process: { env } }: Pick<Context, 'process'>, wire: WireOptions): void {
  const given = Object.entries({ '--base-url': wire.baseUrl, OBK_BASE_URL: env['OBK_BASE_URL'] }).filter(
    ([, address]) => address !== undefined && address !== '',
  );
  const [first] = given;
  if (first === undefined) return;
  const names = given.map(([name]) => name).join(' and ');
  // An address may hold a password, which no line repeats.
  const address = String(first[1]).replace(/\/\/[^/]*@/, '//');
  throw new ObkError({
    code: 'USAGE',
    title: `${names} cannot be used at the built-in bank, which has an address of its own.`,
    detail: '--profile NAME chooses the profile of another bank. Nothing was sent.',
    hint: [
      'obk profile list   # then add --profile NAME',
      line`obk profile create NAME --base-url ${address}`,
      ...(env['OBK_BASE_URL'] ? ['unset OBK_BASE_URL   # to use the built-in bank'] : []),
    ],
  });
}

/** One notice about the variables of a connection, which the built-in bank has no use for; the version applies there too. */
function tellUnused({ process: { env }, ports }: Pick<Context, 'process' | 'ports'>): void {
  const set = [...connectionVariables, ...passphrases].filter((name) => Boolean(env[name]));
  const unused = set.filter((name) => name !== 'OBK_VERSION');
  const notices = [
    ...(unused.length === 0 ? [] : [`The built-in bank does not use ${unused.join(', ')}.`]),
    ...(env['OBK_VERSION'] ? [`OBK_VERSION: the built-in bank is called in ${env['OBK_VERSION']}.`] : []),
  ];
  if (notices.length > 0) ports.notices.say(notices.join(' '));
}

/** The exact signed request in place of its answer; secrets in it are cut out. */
function dryRunOutcome(context: Context, prepared: Prepared): Outcome {
  const curl = context.globals.curl === true ? curlCommand(prepared) : undefined;
  const document = dryRunDocument(viewOfPrepared(prepared), curl);
  return {
    kind: 'data',
    data: document,
    text: (style) => dryRunText(document, style),
    name: document.requestId,
  };
}

/** The profile as the variables of this run prefer it. */
function preferring(context: Context, profile: Profile): Profile {
  return preferences.reduce((all, { key, row: { variable = '' } }) => {
    const text = context.process.env[variable] ?? '';
    return text === '' ? all : (put(all, key.split('.'), yesNo(variable)(text) === 'yes') as Profile);
  }, profile);
}
