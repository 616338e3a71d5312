import { line } from '../../base/command-line.ts';
import type { Flags, OptionsOf, Register, Run } from '../command.ts';
import type { Context } from '../context.ts';
import { exitCodes, isFailure } from '../../base/errors.ts';
import { examine } from '../../client/doctor/examine.ts';
import { fail, ok } from '../../base/finding.ts';
import type { Finding } from '../../base/finding.ts';
import type { Target } from '../../client/exchange/target.ts';
import { WrongSettings, needSound } from '../../client/profile/check-settings.ts';
import type { Outcome } from '../outcome.ts';
import type { Environment, Profile, Settings } from '../../settings/records/profile.ts';
import { findingsText } from '../render/findings.ts';
import { rolesOf } from './cert/lint.ts';
import { wireOptions } from './flags/global-options.ts';
import { question } from './flags/prompts.ts';
import { withTarget } from './run/with-target.ts';
import { fileFaults, pairsOf } from '../../client/certificates/profile-files.ts';
import { expiryOf } from '../../client/certificates/read-certificates.ts';
import type { CertificateExpiry } from '../../client/certificates/read-certificates.ts';
import { isUsable } from '../../client/consents/usual-consent.ts';
import { listPending } from '../../client/payments/pending.ts';
import { resolved } from '../../client/profile/inheritance.ts';
import type { Ports } from '../../client/ports.ts';

const flags = (command: Flags) =>
  wireOptions(
    command
      .optionsGroup('DOCTOR FLAGS')
      .option('--offline', 'look at files and certificates only')
      .option('--all', 'one line for each profile, from what is known here; no bank is asked')
      .option('--needs <ROLES>', 'roles that the certificates must have: PI,AI,IC', rolesOf('--needs'))
      .option('--yes', 'call the bank unasked (OBK_YES)'),
  );

type Options = OptionsOf<typeof flags>;

export const register: Register = (command, start) =>
  start(
    flags(command),
    {
      about: 'Check a profile step by step, up to one signed read; no money moves',
      examples: [
        'obk doctor',
        'obk doctor --offline --json',
        'obk doctor --all',
        'obk doctor --profile sandbox --needs PI,AI',
      ],
      exits: [10, 3],
      more: ['obk help cert lint', 'obk help sign explain', 'obk whoami'],
    },
    run,
  );

const run: Run<Options> = async (context, options) => {
  if (options.all === true) return allProfiles(context);
  try {
    return await examineTarget(context, options);
  } catch (error) {
    if (!(error instanceof WrongSettings)) throw error;
    const name = context.inUse?.name ?? '';
    const findings = error.findings.map(({ place, text, mend }) =>
      fail('settings', `${place}: ${text}`, mend),
    );
    return outcomeOf({ name, environment: error.environment }, findings);
  }
};

const examineTarget: Run<Options> = (context, options) => {
  const offline = options.offline === true || options.dryRun === true;
  return withTarget(context, { ...options, dryRun: offline }, async (target) => {
    const findings = await examine(target, {
      offline,
      needs: options.needs ?? [],
      env: context.process.env,
      mayCall: () => mayCall(context, target, options),
    });
    return outcomeOf(target, [...(await stateFindings(context, offline)), ...findings]);
  });
};

/** Where the state is, and what is wrong with it. */
async function stateFindings({ ports }: Context, offline: boolean): Promise<Finding[]> {
  const { stateStore } = ports;
  const { store, place, schema } = await stateStore.site();
  const checks = offline && store === 'postgres' ? [] : await stateStore.examine();
  const wrong = checks.filter(({ state }) => state !== 'ok');
  return [
    ok('state', store === 'files' ? place : `PostgreSQL ${place}, schema ${schema ?? ''}`),
    ...wrong.map(({ check, text, ...rest }) => ({ ...rest, check: 'state', text: `${check}: ${text}` })),
  ];
}

function outcomeOf(
  { name, environment }: { name: string; environment: Environment },
  findings: readonly Finding[],
): Outcome {
  const failed = findings.some(({ state }) => state === 'fail');
  return {
    kind: 'data',
    data: { profile: name, environment, ok: !failed, findings },
    text: (style) => findingsText(findings, style),
    exit: failed ? exitCodes.expectation : exitCodes.ok,
  };
}

/** A call to a sandbox needs no agreement; without a person only production demands --yes. */
async function mayCall(
  { ports }: Context,
  { name, environment }: Target,
  { yes }: Options,
): Promise<boolean> {
  const asked = question('yes', `At some banks the first call registers the TPP. Call the bank of ${name}?`);
  if (yes === true || environment === 'sandbox') return true;
  if (!ports.person.present && !ports.person.answered(asked)) return environment !== 'production';
  return ports.person.confirm(asked);
}

const soonDays = 30;
const shownBad = 3;
/** A history in which so many runs went well, all of other profiles, is not searched further. */
const farthest = 500;

/** How one profile is this morning, from what is known here; no bank is asked. Times are ISO 8601, UTC. */
interface ProfileState extends Record<string, unknown> {
  profile: string;
  environment: string | null;
  state: 'ok' | 'soon' | 'bad';
  /** The certificate that ends first. */
  certificate: string | null;
  certificateDaysLeft: number | null;
  consents: number;
  /** The last day of the consent that ends first. */
  consentUntil: string | null;
  tokens: number;
  /** When the token that ends first ends. */
  tokenUntil: string | null;
  pending: number;
  lastGoodCall: string | null;
  error: string | null;
}

/** One row for each profile: certificates, consents, tokens, what is pending, and the last call that went well. */
async function allProfiles(context: Context): Promise<Outcome> {
  const settings = await context.ports.settings.read();
  const names = Object.keys(settings.profiles).sort();
  const calls = await lastGoodCalls(context, names);
  const rows: ProfileState[] = [];
  for (const name of names) rows.push(await stateOf(context, settings, name, calls.get(name) ?? null));
  return {
    kind: 'rows',
    columns: [
      { key: 'profile', title: 'PROFILE' },
      { key: 'state', title: 'STATE' },
      { key: 'certificateDaysLeft', title: 'CERT DAYS', align: 'right' },
      { key: 'consents', title: 'CONSENTS', align: 'right', spare: 0 },
      { key: 'consentUntil', title: 'UNTIL', spare: 2 },
      { key: 'tokens', title: 'TOKENS', align: 'right', spare: 1 },
      { key: 'pending', title: 'PENDING', align: 'right' },
      { key: 'lastGoodCall', title: 'LAST GOOD CALL', spare: 3 },
      { key: 'environment', title: 'ENVIRONMENT', wide: true },
      { key: 'certificate', title: 'CERTIFICATE', wide: true },
      { key: 'tokenUntil', title: 'TOKEN UNTIL', wide: true },
      { key: 'error', title: 'WRONG', spare: 5 },
    ],
    rows,
    nameKey: 'profile',
    empty: 'There is no profile.',
    next: rows
      .filter(({ state }) => state === 'bad')
      .slice(0, shownBad)
      .map(({ profile }) => line`obk doctor --profile ${profile}`),
    exit: rows.some(({ state }) => state === 'bad') ? exitCodes.expectation : exitCodes.ok,
  };
}

async function stateOf(
  { ports }: Context,
  settings: Settings,
  name: string,
  lastGoodCall: string | null,
): Promise<ProfileState> {
  const own = settings.profiles[name];
  const nothing = {
    ...{ environment: null, certificate: null, certificateDaysLeft: null, consents: 0, consentUntil: null },
    ...{ tokens: 0, tokenUntil: null, pending: 0, error: null },
  };
  try {
    if (own === undefined) throw new Error('a profile that was listed is gone');
    const profile = resolved(settings, name, own);
    const wrong = await wrongIn(ports, settings, name, profile);
    const certificates = await expiryOf(ports, { name, profile }, soonDays);
    const [first] = certificates.toSorted((one, other) => leftOf(one) - leftOf(other));
    const today = ports.clock.now().toISOString().slice(0, 'YYYY-MM-DD'.length);
    const saved = await ports.resources.list(name, 'consent');
    const consents = saved.filter((one) => isUsable(one, today));
    const { tokens = [] } = await ports.credentials.read(name);
    const pending = await listPending(ports, name);
    const ends = {
      consents: consents.map(({ consent }) => consent?.validUntil),
      tokens: tokens.map(({ expiresAt }) => expiresAt),
    };
    return {
      ...nothing,
      profile: name,
      environment: profile.environment,
      state: wrong === null ? stateFor(first) : 'bad',
      certificate: first?.path ?? null,
      certificateDaysLeft: first?.daysLeft ?? null,
      consents: consents.length,
      consentUntil: earliest(ends.consents),
      tokens: tokens.length,
      tokenUntil: earliest(ends.tokens),
      pending: pending.length,
      lastGoodCall,
      error: wrong ?? first?.error ?? null,
    };
  } catch (error) {
    if (!isFailure(error)) throw error;
    return {
      ...nothing,
      profile: name,
      state: 'bad',
      lastGoodCall,
      error: [error.title, error.detail].filter(Boolean).join(' '),
    };
  }
}

/**
 * What makes a profile useless on this machine: its settings, a bank without an address, files that cannot be used. Nobody is asked
 * for a passphrase, and no program is run for one.
 */
async function wrongIn(
  ports: Ports,
  settings: Settings,
  name: string,
  profile: Profile,
): Promise<string | null> {
  needSound(settings, name, profile);
  if (profile.baseUrl === undefined && profile.urls?.perService === undefined)
    return 'It has no address of a bank.';
  const pairs = pairsOf(profile);
  const referenceOf = (use: string) => pairs.find((pair) => pair.use === use)?.passphraseFrom;
  const isReadable = (use: string) => /^(env|file):/.test(referenceOf(use) ?? '');
  const faults = await fileFaults(ports, profile, (use) =>
    isReadable(use)
      ? ports.secrets.read(referenceOf(use) ?? '', 'the passphrase of the key')
      : Promise.resolve(undefined),
  );
  const real = faults.filter(({ use, code }) => code !== 'KEY_PASSPHRASE' || isReadable(use));
  return real[0]?.text ?? null;
}

/** What the certificate that ends first says of a profile. */
function stateFor(first: CertificateExpiry | undefined): 'ok' | 'soon' | 'bad' {
  const { state = 'ok' } = first ?? {};
  return state === 'ok' || state === 'soon' ? state : 'bad';
}

/** One that cannot be read comes first. */
const leftOf = ({ daysLeft }: CertificateExpiry) => daysLeft ?? -Infinity;

const earliest = (times: readonly (string | undefined)[]): string | null =>
  times.flatMap((time) => time ?? []).sort()[0] ?? null;

/** When a bank last answered a call of each profile with success; the newest runs are read first, and no more than needed. */
async function lastGoodCalls(
  { ports: { journal } }: Context,
  names: readonly string[],
): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  const wanted = new Set(names);
  let read = 0;
  const isGood = (status: number | null) => status !== null && status >= 200 && status < 300;
  const runs = await journal.runsThat(
    ({ profile, calls }) =>
      wanted.has(profile) && !found.has(profile) && calls.some(({ status }) => isGood(status)),
  );
  for await (const { run } of runs) {
    if (found.size === wanted.size || read === farthest) break;
    read += 1;
    const records = await journal.read(run).catch((error: unknown) => {
      if (!isFailure(error)) throw error;
      return [];
    });
    const head = records.find((record) => record.type === 'run');
    const good = records.findLast((record) => record.type === 'answered' && isGood(record.status));
    if (head?.type === 'run' && good !== undefined && wanted.has(head.profile) && !found.has(head.profile))
      found.set(head.profile, good.at);
  }
  return found;
}
