import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { errorExits, ObkError } from '../../base/errors.ts';
import type { ErrorCode } from '../../base/errors.ts';
import type { ServedBank } from '../door.ts';
import { Secret } from '../../base/secret.ts';

/** A bank that goes on when the process that started it has ended. */
export type StartDetached = (
  words: readonly string[],
  warn: (message: string) => void,
  signal: AbortSignal,
) => Promise<{ bank: ServedBank; link: Secret }>;

/**
 * Starts banks with `program`, the words that start obk, in a session of their own. A bank inherits folder, environment and
 * standard input, but no output: who reads that of this process need not wait for the bank to end.
 */
export function detachedStarter(settings: {
  program: readonly [string, ...string[]];
  cwd: string;
  env: Readonly<Record<string, string | undefined>>;
}): StartDetached {
  const { program, cwd, env } = settings;
  const [file, ...before] = program;
  return async (words, warn, signal) => {
    const child = spawn(file, [...before, 'sandbox', ...words, '--json', '--no-input'], {
      detached: true,
      stdio: ['inherit', 'pipe', 'pipe'],
      cwd,
      env,
    });
    const end = () => child.kill('SIGTERM');
    signal.addEventListener('abort', end, { once: true });
    let failure: ObkError | undefined;
    const told = createInterface({ input: child.stderr });
    told.on('line', (text) => {
      const { warning, error } = saidIn(text);
      if (error !== undefined) failure = failureOf(error);
      else warn(warning ?? text);
    });
    try {
      const answer = await new Promise<string>((resolve, reject) => {
        createInterface({ input: child.stdout }).once('line', resolve);
        child.once('error', reject);
        child.once('close', (code) => {
          signal.throwIfAborted();
          reject(failure ?? endedWith(code));
        });
      });
      const bank = JSON.parse(answer) as ServedBank;
      return { bank, link: new Secret(`${bank.windowUrl}#token=${readFileSync(bank.tokenFile, 'utf8')}`) };
    } finally {
      signal.removeEventListener('abort', end);
      child.stdout.destroy();
      child.stderr.destroy();
      child.unref();
    }
  };
}

/** One line of stderr of a run with `--json`. */
function saidIn(text: string): { warning?: string; error?: Partial<ToldError> } {
  try {
    return JSON.parse(text) as ReturnType<typeof saidIn>;
  } catch {
    return {};
  }
}

interface ToldError {
  code: string;
  title: string;
  detail: string | null;
  hint: readonly string[];
}

const failureOf = ({ code = '', title = '', detail, hint = [] }: Partial<ToldError>): ObkError =>
  new ObkError({
    code: code in errorExits ? (code as ErrorCode) : 'SANDBOX_UNAVAILABLE',
    title,
    ...(typeof detail === 'string' && { detail }),
    hint,
  });

const endedWith = (code: number | null): ObkError =>
  new ObkError({
    code: 'SANDBOX_UNAVAILABLE',
    title: `The bank inside ended before it answered (${code === null ? 'by a signal' : `exit ${String(code)}`}).`,
    hint: ['obk sandbox start --port 0   # without --detach it says what happens'],
  });
