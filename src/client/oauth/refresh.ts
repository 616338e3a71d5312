import { defined } from '../../base/defined.ts';
import { line } from '../../base/command-line.ts';
import type { BankRefusal } from '../../base/errors.ts';
import { ObkError } from '../../base/errors.ts';
import type { AccessToken } from '../../settings/records/credentials.ts';
import { secretFingerprint, sha256Hex } from '../../signing/digest.ts';
import type { LinkSet } from '../../standard/xs2a/links.ts';
import type { CallInput } from '../exchange/prepared.ts';
import type { Target } from '../exchange/target.ts';
import { guardIssuer } from './own-issuer.ts';
import { changeTokens, isSamePlace, psuOf, storedTokenFor, tokensOf } from './tokens.ts';

/** So long before its end a token is refreshed: clocks differ, and a call takes its time. */
const skewMs = 30_000;

/** The result of a refresh: a newer token, or why there is none. */
export type Refreshed = { token: AccessToken } | { why: ObkError };

/** A name that distinguishes a token wherever it is shown. */
export const fingerprint = ({ token }: AccessToken): string => secretFingerprint(token);

/** Refreshes the token of a call that is near its end, before anything is sent. Throws AUTH_NEEDED where it is over. */
export async function freshen(target: Target, input: CallInput): Promise<void> {
  const token = await storedTokenFor(target, input);
  if (token?.expiresAt === undefined || timeLeft(target, token) > skewMs) return;
  const refreshed = await refresh(target, token);
  if ('token' in refreshed || timeLeft(target, token) > 0) return;
  // A bank may let calls of integrated OAuth pass without; after a pre-step there is none without its token.
  if (token.resource === undefined || token.refreshToken !== undefined) throw refreshed.why;
}

/** After TOKEN_EXPIRED: the same once more, or undefined where the call carried no stored token. */
export async function refreshAfterRefusal(target: Target, input: CallInput): Promise<Refreshed | undefined> {
  const token = await storedTokenFor(target, input);
  return token === undefined ? undefined : refresh(target, token);
}

/** A refusal for an expired token, with what helps now that a refresh was tried. */
export function afterRefresh(error: BankRefusal, refreshed: Refreshed): BankRefusal {
  if ('why' in refreshed) return withHint(error, refreshed.why.hint);
  const detail = 'The token had expired and is refreshed now; the bank has done nothing.';
  return withHint(error, ['Run the same command again.'], detail);
}

/** A refusal for a missing or wrong token, with the command that gets one; a token put by hand is its owner's business. */
export async function withLogin(
  target: Target,
  input: CallInput,
  error: BankRefusal,
  { known }: LinkSet,
): Promise<BankRefusal> {
  if (!/^TOKEN_/.test(error.bankCode ?? '') || target.token !== undefined) return error;
  const token = await storedTokenFor(target, input);
  if (token === undefined && known.scaOAuth === undefined) return error;
  const psuId = await psuOf(target, input);
  return withHint(error, [loginCommand(target, token ?? { ...defined({ psuId }) })]);
}

function withHint(error: BankRefusal, hint: readonly string[], why?: string): BankRefusal {
  return error.with({ hint, ...defined({ detail: why }) });
}

/**
 * Exchanges the refresh token of a token, in one process at a time; who waited finds the new one. The refresh token is
 * marked before it leaves, and one whose answer was lost is never sent again: servers that rotate take that for theft.
 * Throws CREDENTIALS_ELSEWHERE where the profile names another issuer by now.
 */
export async function refresh(target: Target, seen: AccessToken): Promise<Refreshed> {
  const { locks } = target.ports;
  if (seen.refreshToken === undefined || seen.server === undefined)
    return { why: loginNeeded(target, seen, 'There is no refresh token for it.') };
  guardIssuer(target, seen.server.issuer);
  const { limits, name } = target;
  // Whoever holds it may wait for its state first, and then calls the server.
  return locks.exclusively(lockOf(name, seen), 2 * limits.deadlineMs, async () => {
    const now = (await tokensOf(target)).find((one) => isSamePlace(one, seen));
    if (now?.refreshToken === undefined || now.server === undefined)
      return { why: loginNeeded(target, seen, 'It was removed in the meantime.') };
    if (fingerprint(now) !== fingerprint(seen)) return { token: now };
    const over = refreshOver(target, now);
    if (over !== undefined) return { why: loginNeeded(target, seen, over) };
    // Where a refresh token works again and again, a lost answer has used up nothing.
    const again = target.profile.auth?.refresh?.rotates === false;
    if (now.refreshSentAt !== undefined && !again) {
      const detail = `The answer to its refresh of ${now.refreshSentAt} was lost, and it is not repeated.`;
      return { why: loginNeeded(target, seen, detail) };
    }
    return exchange(target, now, again);
  });
}

/** Each PSU of a profile has tokens of its own, and none waits for another. */
function lockOf(name: string, { psuId }: AccessToken): string {
  return psuId === undefined ? `refresh-${name}` : `refresh-${name}-${sha256Hex(psuId).slice(0, 16)}`;
}

const isSame = (one: AccessToken, other: AccessToken) =>
  isSamePlace(one, other) && fingerprint(one) === fingerprint(other);

/**
 * Notes at a token that its refresh token leaves now; false where another process has done so, or has put a newer one there. A lock
 * that is held by a connection goes with it: this is what keeps the token from being sent twice.
 */
async function mark(target: Target, old: AccessToken, again: boolean): Promise<boolean> {
  const { clock, journal } = target.ports;
  const sent = { refreshSentAt: clock.now().toISOString(), refreshRun: journal.run };
  let isMine = false;
  await changeTokens(target, (tokens) => {
    isMine = false;
    return tokens.map((one) => {
      // A change may be made twice, where its end was lost.
      const isFree = one.refreshSentAt === undefined || again || one.refreshRun === sent.refreshRun;
      if (!isSame(one, old) || !isFree) return one;
      isMine = true;
      return { ...one, ...sent };
    });
  });
  return isMine;
}

/** The token that another process has put in the place of this one. */
async function newerThan(target: Target, old: AccessToken): Promise<AccessToken | undefined> {
  const now = (await tokensOf(target)).find((one) => isSamePlace(one, old));
  return now === undefined || isSame(now, old) ? undefined : now;
}

async function exchange(target: Target, old: AccessToken, again: boolean): Promise<Refreshed> {
  const { GrantRefused, refreshGrant } = await import('./oauth-grants.ts');
  const { server, refreshToken } = old;
  if (server === undefined || refreshToken === undefined) throw new Error('nothing to refresh with');
  if (!(await mark(target, old, again))) {
    const newer = await newerThan(target, old);
    if (newer !== undefined) return { token: newer };
    return { why: loginNeeded(target, old, 'Another process is refreshing it.') };
  }
  try {
    const purpose = { about: {}, again: [loginCommand(target, old)] };
    const granted = await refreshGrant(target, server, refreshToken, purpose);
    // Without a new one, the refresh token goes on being good (RFC 6749 section 6), unless each works once.
    const { expiresAt: _, refreshSentAt: __, refreshRun: ___, refreshToken: spent, ...kept } = old;
    const isGood = target.profile.auth?.refresh?.rotates !== true;
    const token = { ...kept, ...(isGood && spent !== undefined && { refreshToken: spent }), ...granted };
    await replace(target, old, token).catch((error: unknown) => unkept(target, old, error));
    target.ports.notices.trace(
      1,
      `token refreshed${token.expiresAt === undefined ? '' : `, until ${token.expiresAt}`}`,
    );
    return { token };
  } catch (error) {
    if (!(error instanceof ObkError)) throw error;
    if (error instanceof GrantRefused) {
      // Its refresh token may be spent because another process has a newer one: that is good, and stays.
      const newer = await newerThan(target, old);
      if (newer !== undefined) return { token: newer };
      await changeTokens(target, (tokens) => tokens.filter((one) => !isSame(one, old)));
      await eraseTokens(target, (one) => isSame(one, old));
      return { why: error };
    }
    // Nothing has left, or the server has answered without taking it.
    if (error.code === 'NOT_SENT' || error.code === 'AUTH_NEEDED') await replace(target, old, old);
    if (!['NOT_SENT', 'AUTH_NEEDED', 'ANSWER_LOST', 'ANSWER_UNREADABLE'].includes(error.code)) throw error;
    return { why: error };
  }
}

/** The server has given a new token, and where it takes each refresh token once the old one is good for nothing. */
function unkept(target: Target, old: AccessToken, error: unknown): never {
  if (!(error instanceof ObkError)) throw error;
  throw new ObkError({
    code: error.code,
    title: 'The new token could not be kept, and is lost.',
    detail: error.detail ?? error.title,
    hint: [...error.hint, loginCommand(target, old)],
    cause: error,
  });
}

async function replace(target: Target, old: AccessToken, token: AccessToken): Promise<void> {
  await changeTokens(target, (tokens) => tokens.map((one) => (isSame(one, old) ? token : one)));
}

/** Why a refresh token is good no more, by what the bank says of its life; undefined while it is, or where nothing is said. */
function refreshOver({ ports, profile }: Target, { refreshFrom, since }: AccessToken): string | undefined {
  const { lifetimes, refresh: rules } = profile.auth ?? {};
  const now = ports.clock.now().getTime();
  const ends = (from: string | undefined, seconds: number | undefined) =>
    from === undefined || seconds === undefined ? Infinity : Date.parse(from) + seconds * 1000;
  const own = ends(refreshFrom ?? since, lifetimes?.refreshS);
  if (own <= now)
    return `Its refresh token ended at ${new Date(own).toISOString()} (auth.lifetimes.refreshS); nothing was sent.`;
  const days = rules?.chainDays;
  const chain = ends(since, days === undefined ? undefined : days * 86_400);
  return chain > now
    ? undefined
    : `The bank wants a login every ${String(days)} days (auth.refresh.chainDays), and the last was at ${String(since)}; nothing was sent.`;
}

/** Erases tokens, from the copy of the last version too. */
export async function eraseTokens(
  target: { name: string; ports: Pick<Target['ports'], 'credentials'> },
  which: (token: AccessToken) => boolean,
): Promise<void> {
  const { credentials } = target.ports;
  await credentials.update(target.name, ({ tokens = [], ...before }) => {
    const left = tokens.filter((one) => !which(one));
    return { ...before, ...(left.length > 0 && { tokens: left }) };
  });
  // Write twice: each write keeps the previous version as .bak, so only the second removes the secret from the backup
  // too.
  await credentials.update(target.name, (before) => before);
}

/** The command that gets a token anew. */
export function loginCommand(
  { name }: Pick<Target, 'name'>,
  { psuId, resource, noun }: Pick<AccessToken, 'psuId' | 'resource' | 'noun'>,
): string {
  if (resource !== undefined) return line`obk ${noun ?? 'payment'} authorise ${resource} --new`;
  return line`obk auth login --profile ${name}${psuId === undefined ? [] : ['--psu-id', psuId]}`;
}

function loginNeeded(target: Target, token: AccessToken, detail: string): ObkError {
  const over = timeLeft(target, token) <= 0;
  return new ObkError({
    code: 'AUTH_NEEDED',
    title: over
      ? `The access token ended at ${token.expiresAt ?? ''}.`
      : 'The access token cannot be refreshed.',
    detail,
    hint: [loginCommand(target, token)],
  });
}

/** Milliseconds; a token whose server names no end lasts. */
function timeLeft({ ports }: Target, { expiresAt }: AccessToken): number {
  return expiresAt === undefined ? Infinity : Date.parse(expiresAt) - ports.clock.now().getTime();
}
