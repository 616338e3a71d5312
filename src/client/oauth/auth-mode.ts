import { line } from '../../base/command-line.ts';
import { ObkError } from '../../base/errors.ts';
import type { AuthMode } from '../../settings/records/bank-descriptor.ts';
import { operation } from '../../standard/xs2a/operations.ts';
import type { Operation, OperationId } from '../../standard/xs2a/operations.ts';
import type { Target } from '../exchange/target.ts';

/** When a token for an operation is got, as the bank says; undefined where it says nothing. */
export function authModeOf({ profile }: Pick<Target, 'profile'>, id: OperationId): AuthMode | undefined {
  return profile.auth?.operations?.[id] ?? profile.auth?.mode;
}

/** The operations that begin something: before them there is no token of a PSU. */
const beginning: readonly OperationId[] = ['initiatePayment', 'createConsent', 'createSigningBasket'];

/** Whether the bank takes an operation with the token of the TPP itself alone, whoever has logged in. */
export function isOfTpp({ profile }: Pick<Target, 'profile'>, id: OperationId): boolean {
  const { mode, operations } = profile.auth ?? {};
  const own = operations?.[id];
  if (own !== undefined) return own === 'clientCredentials';
  return mode === 'clientCredentials' && beginning.includes(id);
}

/** Throws AUTH_NEEDED where the bank takes an operation after a login alone (pre-step) and there is no token of one. */
export function needLogin(target: Target, op: Operation): void {
  if (authModeOf(target, op.id) !== 'preStep' || target.run.dryRun) return;
  const { name, psu } = target;
  throw new ObkError({
    code: 'AUTH_NEEDED',
    title: `The bank of the profile ${name} takes ${op.id} with the token of a login alone.`,
    detail: 'auth.mode is preStep, and no token of this PSU is here; the request was not sent.',
    hint: [line`obk auth login --profile ${name}${psu.id === undefined ? [] : ['--psu-id', psu.id]}`],
  });
}

/** The scope that the bank has for the service of an operation; none that names a resource, which a token of the TPP has not. */
export function scopeOfService({ profile }: Pick<Target, 'profile'>, id: OperationId): string | undefined {
  const keys = { PIS: 'pis', AIS: 'ais', PIIS: 'piis', SBS: 'pis' } as const;
  const scope = profile.auth?.scope?.[keys[operation(id).service]];
  return scope?.includes('{') === true ? undefined : scope;
}

/** The scopes of all services for a login; undefined where the bank has none of its own. */
export function scopesOfLogin({ profile }: Pick<Target, 'profile'>): string | undefined {
  const { pis, ais, piis } = profile.auth?.scope ?? {};
  const words = [pis, ais, piis].filter((one) => one !== undefined && !one.includes('{'));
  return words.length === 0 ? undefined : [...new Set(words)].join(' ');
}
