import { line } from '../../base/command-line.ts';
import { ObkError } from '../../base/errors.ts';
import type { AccessToken, Credentials } from '../../settings/records/credentials.ts';
import { nouns, scaOperations } from '../../standard/sca/operations.ts';
import type { Secret } from '../../base/secret.ts';
import { operation } from '../../standard/xs2a/operations.ts';
import type { Operation, OperationId } from '../../standard/xs2a/operations.ts';
import { loginsIn } from '../exchange/logins.ts';
import type { CallInput } from '../exchange/prepared.ts';
import type { Target } from '../exchange/target.ts';
import { readIfReached } from '../exchange/unwritable.ts';
import { authModeOf, isOfTpp } from './auth-mode.ts';

/** A verifier whose code has not come after a day belongs to an abandoned authorization request. */
const verifierMs = 24 * 60 * 60_000;

/** Keeps the PKCE verifier of an authorization request, by its state, until its code comes. */
export async function keepVerifier(target: Target, state: string, verifier: Secret): Promise<void> {
  const { credentials, clock } = target.ports;
  const now = clock.now();
  const oldest = new Date(now.getTime() - verifierMs).toISOString();
  await credentials.update(target.name, (before) => ({
    ...before,
    verifiers: [
      ...(before.verifiers ?? []).filter((one) => one.at > oldest && one.state !== state),
      { state, verifier, at: now.toISOString() },
    ],
  }));
}

/** Whether a code for this state could still be redeemed here. */
export async function hasVerifier(target: Target, state: string): Promise<boolean> {
  const { verifiers = [] } = await target.ports.credentials.read(target.name);
  return verifiers.some((one) => one.state === state);
}

/** Takes the verifier of a state out of the store, so that only this caller can send the code. */
export async function takeVerifier(target: Target, state: string): Promise<Secret | undefined> {
  let taken: Secret | undefined;
  await target.ports.credentials.update(target.name, ({ verifiers = [], ...before }) => {
    taken = verifiers.find((one) => one.state === state)?.verifier;
    const left = verifiers.filter((one) => one.state !== state);
    return { ...before, ...(left.length > 0 && { verifiers: left }) };
  });
  return taken;
}

/** Tokens of a run at a bank whose tokens are kept on no machine (auth.store). */
const held = new WeakMap<Target['state'], readonly AccessToken[]>();

/** The tokens that this run may use: those that are kept, or those that it has got itself where none may be kept. */
export async function tokensOf(target: Target): Promise<readonly AccessToken[]> {
  if (target.profile.auth?.store === 'never') return held.get(target.state) ?? [];
  const { credentials } = target.ports;
  return (await readIfReached(target.ports, () => credentials.read(target.name), {})).tokens ?? [];
}

/** Changes the tokens where this bank has them: among the credentials, or in this run alone. */
export async function changeTokens(
  target: Target,
  change: (tokens: readonly AccessToken[]) => readonly AccessToken[],
): Promise<void> {
  if (target.profile.auth?.store === 'never') {
    held.set(target.state, change(held.get(target.state) ?? []));
    return;
  }
  await target.ports.credentials.update(target.name, ({ tokens = [], ...before }): Credentials => {
    const after = change(tokens);
    return { ...before, ...(after.length > 0 && { tokens: after }) };
  });
}

/** Keeps a token beside those of other PSUs and resources; what has expired goes. */
export async function keepToken(target: Target, token: AccessToken): Promise<void> {
  const now = target.ports.clock.now().toISOString();
  const stays = (one: AccessToken) =>
    (one.expiresAt === undefined || one.expiresAt > now || one.refreshToken !== undefined) &&
    !isSamePlace(one, token);
  await changeTokens(target, (tokens) => [
    ...tokens.filter(stays),
    { ...token, since: now, ...placeOf(target) },
  ]);
}

/** Where a token was got, if the profile does not declare it. */
function placeOf({ ownOrigins, links }: Target): Pick<AccessToken, 'origin'> {
  const { origin } = new URL(links.base);
  return ownOrigins === undefined || ownOrigins.includes(origin) ? {} : { origin };
}

/** Whether two tokens are for the same: an authorisation of a resource, or the calls of one PSU. */
export function isSamePlace(a: AccessToken, b: AccessToken): boolean {
  if (a.resource !== b.resource) return false;
  return a.resource === undefined ? a.psuId === b.psuId : a.authorisationId === b.authorisationId;
}

/** The token that a call carries; OBK_TOKEN, and one put by hand, go before that of a login. */
export async function tokenFor(target: Target, input: CallInput): Promise<Secret | undefined> {
  if (input.anonymous === true) return undefined;
  const stored = await storedTokenFor(target, input);
  if (stored !== undefined || target.token !== undefined) return stored?.token ?? target.token;
  const mode = authModeOf(target, input.operation);
  if (mode === 'none' || mode === 'integrated' || isOfTpp(target, input.operation)) return undefined;
  if (target.logins.length > 1 && (await psuOf(target, input)) === undefined) throw whoseCall(target);
  return undefined;
}

/**
 * The stored token of a call: that of its resource, got for the same PSU; else that with which this PSU has logged in.
 * Integrated OAuth binds a token to one resource, and what one signatory allowed is not the other's. A bank that takes integrated
 * OAuth alone refuses the token of a login, and one that takes none gets none.
 */
export async function storedTokenFor(target: Target, input: CallInput): Promise<AccessToken | undefined> {
  const id = resourceIdOf(input);
  const mode = authModeOf(target, input.operation);
  if (mode === 'none' || isOfTpp(target, input.operation)) return undefined;
  if (id === undefined && target.logins.length === 0) return undefined;
  const tokens = await tokensOf(target);
  const psuId = await psuOf(target, input);
  const byLogin = target.token === undefined && mode !== 'integrated';
  const login = byLogin ? loginOf(tokens, psuId) : undefined;
  const own = id === undefined || byHeader(target, input) ? [] : tokens.filter((one) => one.resource === id);
  if (own.length === 0) return login;
  const authorisationId = input.resource?.authorisationId ?? input.params?.authorisationId;
  const exact = own.find((one) => authorisationId !== undefined && one.authorisationId === authorisationId);
  // Without a named PSU, a token of another authorisation may belong to another PSU.
  const cancels = input.operation === scaOperations.cancellation.start && own.length === 1;
  const ofAnybody = authorisationId === undefined && (!starts.has(input.operation) || cancels);
  const fitting = own.filter((one) =>
    psuId === undefined || one.psuId === undefined ? ofAnybody : one.psuId === psuId,
  );
  return exact ?? fitting.at(-1) ?? login;
}

/** The token of a PSU's login (OAuth pre-step); without a PSU-ID, that of the only login there is. */
export function loginOf(tokens: readonly AccessToken[], psuId: string | undefined): AccessToken | undefined {
  const logins = loginsIn(tokens);
  if (psuId !== undefined) return logins.find((one) => one.psuId === psuId);
  return logins.length === 1 ? logins[0] : undefined;
}

/** Some banks read the consent of account calls from Consent-ID alone. */
function byHeader({ profile }: Target, input: CallInput): boolean {
  return profile.auth?.consent === 'header' && readsAccounts(operation(input.operation));
}

/** Whether an operation reads accounts, under a consent. */
export function readsAccounts({ parent }: Pick<Operation, 'parent'>): boolean {
  return parent === 'account' || parent === 'card-account';
}

/**
 * The PSU of a call: named by its flow or its header, else the PSU of the run, else the one with whom its resource is
 * authorised. If there are several of the latter, any may read and none may act for another.
 */
export async function psuOf(target: Target, input: CallInput): Promise<string | undefined> {
  const { psuId, headers = [] } = input;
  const named = psuId ?? headers.find(([name]) => name.toLowerCase() === 'psu-id')?.[1] ?? target.psu.id;
  const id = resourceIdOf(input);
  if (named !== undefined || id === undefined || target.logins.length === 0) return named;
  const { resources } = target.ports;
  const found = new Set<string>();
  for (const noun of nouns)
    for (const one of await resources.conversations(target.name, noun, id))
      if (one.psuId !== undefined) found.add(one.psuId);
  const any = [...found].find((one) => loginOf(target.logins, one) !== undefined) ?? [...found][0];
  return found.size === 1 || operation(input.operation).method === 'GET' ? any : undefined;
}

function whoseCall({ logins }: Target): ObkError {
  return new ObkError({
    code: 'AUTH_NEEDED',
    title: 'Several PSUs have logged in, and this call names none of them.',
    hint: logins.map(({ psuId }) => line`--psu-id ${psuId ?? 'ID'}`),
  });
}

const starts: ReadonlySet<OperationId> = new Set(Object.values(scaOperations).map(({ start }) => start));

/** Which resource a call is about: one of its path, or the consent that it reads under. */
function resourceIdOf({ params, resource, headers = [] }: CallInput): string | undefined {
  const consent = headers.find(([name]) => name.toLowerCase() === 'consent-id')?.[1];
  return (
    params?.paymentId ??
    params?.consentId ??
    params?.basketId ??
    resource?.paymentId ??
    resource?.consentId ??
    resource?.basketId ??
    consent
  );
}
