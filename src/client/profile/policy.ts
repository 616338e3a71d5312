import { ObkError } from '../../base/errors.ts';
import type { Policy } from '../../settings/records/policy.ts';

/**
 * Throws POLICY where the administrator of this machine forbids this environment, or work without checking
 * certificates.
 */
export function needAllowed(
  policy: Policy | undefined,
  { environment, insecure }: { environment: string; insecure: boolean },
): void {
  if (policy === undefined) return;
  const { environments, insecure: mayBeInsecure } = policy;
  if (environments !== undefined && !environments.some((one) => one === environment))
    throw forbidden(policy, `The policy of this machine does not allow ${environment} profiles.`);
  if (insecure && mayBeInsecure === false) throw forbidden(policy, '--insecure is not used on this machine.');
}

/** Throws POLICY for a reference that runs a program, where the administrator allows none. */
export function needAllowedReference(policy: Policy | undefined, reference: string): void {
  if (policy?.commandReferences === false && reference.startsWith('cmd:'))
    throw forbidden(policy, 'References to programs (cmd:) are not run on this machine.');
}

/** The error of what the administrator of this machine does not allow. */
export function forbidden({ path }: Policy, title: string): ObkError {
  return new ObkError({
    code: 'POLICY',
    title,
    detail: `${path} says so, and no flag, variable or profile changes it; nothing was sent.`,
    hint: ['obk whoami   # what the administrator of this machine allows'],
  });
}
