import type { Psd2Role } from '../certificates/certificate-lint.ts';

/** The checks to run. */
export interface DoctorOptions {
  /** Nothing but what is on this machine. */
  offline: boolean;
  /** Roles that the certificates must have. */
  needs: readonly Psd2Role[];
  env: Readonly<Record<string, string | undefined>>;
  /** Whether the bank may be called: a first call registers the TPP at some. */
  mayCall: () => Promise<boolean>;
}
