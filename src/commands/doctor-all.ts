import type { Context } from '../context.ts';
import { exitCodes, isFailure } from '../errors.ts';
import { expiryOf } from '../flows/certificates/read-certificates.ts';
import type { CertificateExpiry } from '../flows/certificates/read-certificates.ts';
import { isUsable } from '../flows/consents/usual-consent.ts';
import { listPending } from '../flows/payments/pending.ts';
import { resolved } from '../flows/profile/inheritance.ts';
import type { Outcome } from '../outcome.ts';
import type { Settings } from '../records/profile.ts';

const soonDays = 30;
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
export async function allProfiles(context: Context): Promise<Outcome> {
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
      { key: 'consents', title: 'CONSENTS', align: 'right' },
      { key: 'consentUntil', title: 'UNTIL' },
      { key: 'tokens', title: 'TOKENS', align: 'right' },
      { key: 'pending', title: 'PENDING', align: 'right' },
      { key: 'lastGoodCall', title: 'LAST GOOD CALL' },
      { key: 'environment', title: 'ENVIRONMENT', wide: true },
      { key: 'certificate', title: 'CERTIFICATE', wide: true },
      { key: 'tokenUntil', title: 'TOKEN UNTIL', wide: true },
      { key: 'error', title: 'ERROR', wide: true },
    ],
    rows,
    nameKey: 'profile',
    empty: 'There is no profile.',
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
    const certificates = await expiryOf(ports, name, profile, soonDays);
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
      state: first === undefined || first.state === 'ok' ? 'ok' : first.state === 'soon' ? 'soon' : 'bad',
      certificate: first?.path ?? null,
      certificateDaysLeft: first?.daysLeft ?? null,
      consents: consents.length,
      consentUntil: earliest(ends.consents),
      tokens: tokens.length,
      tokenUntil: earliest(ends.tokens),
      pending: pending.length,
      lastGoodCall,
      error: first?.error ?? null,
    };
  } catch (error) {
    if (!isFailure(error)) throw error;
    return { ...nothing, profile: name, state: 'bad', lastGoodCall, error: error.title };
  }
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
  for (const { run } of runs) {
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
