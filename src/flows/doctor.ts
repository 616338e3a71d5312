import type { Psd2Role } from './certificate-lint.ts';
import { checkBank, checkConnection } from './doctor-bank.ts';
import type { Finding } from './doctor-finding.ts';
import { checkLocally } from './doctor-local.ts';
import type { Target } from './target.ts';

export type { Finding } from './doctor-finding.ts';

/** What is looked at. */
export interface DoctorOptions {
  /** Nothing but what is on this machine. */
  offline: boolean;
  /** Roles that the certificates must have. */
  needs: readonly Psd2Role[];
  env: Readonly<Record<string, string | undefined>>;
  /** Whether the bank may be called: a first call registers the TPP at some. */
  mayCall: () => Promise<boolean>;
}

/** Checks a profile step by step, and moves no money; what depends on a failed step is left out. */
export async function examine(target: Target, options: DoctorOptions): Promise<Finding[]> {
  const local = await checkLocally(target, options);
  if (options.offline) return local;
  const { findings, reached } = await checkConnection(target);
  const bank = reached ? await checkBank(target, options) : [];
  return [...local, ...findings, ...bank];
}
