import type { Credentials, ResourceToken } from '../ports.ts';
import type { Secret } from '../secret.ts';
import type { OperationId } from '../xs2a/operations.ts';
import type { CallInput } from './prepare.ts';
import { scaOperations } from './sca-operations.ts';
import type { Target } from './target.ts';

/** A verifier whose code has not come after a day is for an authorization request that nobody finishes. */
const verifierMs = 24 * 60 * 60_000;

/** Keeps the PKCE verifier of an authorization request, by its state, until its code comes. */
export async function keepVerifier(target: Target, state: string, verifier: Secret): Promise<void> {
  const { store, clock } = target.ports;
  const now = clock.now();
  const oldest = new Date(now.getTime() - verifierMs).toISOString();
  await store.updateCredentials(target.name, (before) => ({
    ...before,
    verifiers: [
      ...(before.verifiers ?? []).filter((one) => one.at > oldest && one.state !== state),
      { state, verifier, at: now.toISOString() },
    ],
  }));
}

/** Whether a code for this state could still be redeemed here. */
export async function hasVerifier(target: Target, state: string): Promise<boolean> {
  const { verifiers = [] } = await target.ports.store.credentials(target.name);
  return verifiers.some((one) => one.state === state);
}

/** Takes the verifier of a state away: whoever gets it may send the code, and nobody else ever again. */
export async function takeVerifier(target: Target, state: string): Promise<Secret | undefined> {
  let taken: Secret | undefined;
  await target.ports.store.updateCredentials(target.name, ({ verifiers = [], ...before }) => {
    taken = verifiers.find((one) => one.state === state)?.verifier;
    const left = verifiers.filter((one) => one.state !== state);
    return { ...before, ...(left.length > 0 && { verifiers: left }) };
  });
  return taken;
}

/** Keeps a token beside those of other PSUs and resources; what has expired goes. */
export async function keepToken(target: Target, token: ResourceToken): Promise<void> {
  const { store, clock } = target.ports;
  const now = clock.now().toISOString();
  const stays = (one: ResourceToken) =>
    (one.expiresAt === undefined || one.expiresAt > now) && !isSamePlace(one, token);
  await store.updateCredentials(target.name, (before): Credentials => ({
    ...before,
    tokens: [...(before.tokens ?? []).filter(stays), token],
  }));
}

function isSamePlace(a: ResourceToken, b: ResourceToken): boolean {
  return a.resource === b.resource && a.authorisationId === b.authorisationId;
}

/**
 * The token that a call carries: that of its resource, got for the same PSU; else that of the profile (an OAuth pre-step).
 * Integrated OAuth binds a token to one resource, and what one signatory allowed is not the other's.
 */
export async function tokenFor(target: Target, input: CallInput): Promise<Secret | undefined> {
  const id = resourceIdOf(input);
  if (id === undefined) return target.token;
  const { tokens = [] } = await target.ports.store.credentials(target.name);
  const own = tokens.filter((one) => one.resource === id);
  if (own.length === 0) return target.token;
  const authorisationId = input.resource?.authorisationId ?? input.params?.authorisationId;
  const exact = own.find((one) => authorisationId !== undefined && one.authorisationId === authorisationId);
  const psuId = input.headers?.find(([name]) => name.toLowerCase() === 'psu-id')?.[1] ?? target.psu.id;
  // Where nobody says whose it is, another authorisation may be that of another PSU.
  const cancels = input.operation === scaOperations.cancellation.start && own.length === 1;
  const ofAnybody = authorisationId === undefined && (!starts.has(input.operation) || cancels);
  const fitting = own.filter((one) =>
    psuId === undefined || one.psuId === undefined ? ofAnybody : one.psuId === psuId,
  );
  return (exact ?? fitting.at(-1))?.token ?? target.token;
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
