import { isFailure } from '../../base/errors.ts';
import type { Psd2Role } from '../certificates/certificate-lint.ts';

/** One thing that was looked at: how it is, and what to do where it is not well. */
export interface Finding {
  check: string;
  state: 'ok' | 'warn' | 'fail';
  text: string;
  hint: string | null;
}

export const ok = (check: string, text: string): Finding => ({ check, state: 'ok', text, hint: null });

export const warn = (check: string, text: string, hint: string | null = null): Finding => ({
  ...{ check, state: 'warn', text, hint },
});

export const fail = (check: string, text: string, hint: string | null = null): Finding => ({
  ...{ check, state: 'fail', text, hint },
});

/** An error of obk as a finding. */
export function failOf(check: string, error: unknown): Finding {
  if (!isFailure(error)) throw error;
  const text = [error.title, error.detail].filter((part) => part !== undefined).join(' ');
  return fail(check, text, error.hint.find((hint) => hint.startsWith('obk ')) ?? error.hint[0] ?? null);
}

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
