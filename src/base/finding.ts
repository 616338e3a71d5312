import { isFailure } from './errors.ts';

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

/** An error of obk as a finding, with what mends it where that is not what the error says. */
export function failOf(check: string, error: unknown, hint?: string): Finding {
  if (!isFailure(error)) throw error;
  const text = [error.title, error.detail].filter((part) => part !== undefined).join(' ');
  return fail(check, text, hint ?? error.hint.find((one) => one.startsWith('obk ')) ?? error.hint[0] ?? null);
}
