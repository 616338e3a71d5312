import { accessSync, constants, readFileSync, statSync } from 'node:fs';
import { ObkError } from '../../base/errors.ts';
import type { Clock } from '../../client/ports/clock.ts';
import type { Secrets } from '../../client/ports/secrets.ts';
import { Secret } from '../../base/secret.ts';
import { promised, reasonFor } from '../files/file-errors.ts';
import { isPipe, readPipe } from '../files/read-pipe.ts';
import { readWhole } from '../system/read-stream.ts';
import { runProgram, splitWords } from '../system/run-program.ts';
import { createClock } from '../system/system-clock.ts';

const commandMs = 10_000;
const maxBytes = 64 * 1024;

/** The sources of references; `warn` is called for a secret file that others can read. */
export interface SecretsOptions {
  env: Readonly<Record<string, string | undefined>>;
  stdin: NodeJS.ReadableStream & { isTTY?: boolean };
  clock?: Clock;
  warn?: (message: string) => void;
  /** Ends the program of `cmd:` when it aborts. */
  signal?: AbortSignal;
}

/** Reads `stdin | env:NAME | file:PATH | cmd:COMMAND | keyring:ID`, each reference once per run, a program anew where that is wished for. */
export function createSecrets(options: SecretsOptions): Secrets {
  const read = new Map<string, Promise<Secret>>();
  return {
    read: (reference, purpose, { anew, withinMs = commandMs } = { anew: false }) => {
      const kept = anew && reference.startsWith('cmd:') ? undefined : read.get(reference);
      const secret = kept ?? readReference(reference, purpose, withinMs, options);
      read.set(reference, secret);
      return secret;
    },
    check: (reference, purpose) =>
      promised(() => {
        const [, kind, rest = ''] = /^(env|file):([^]*)$/.exec(reference) ?? [];
        const why =
          kind === 'env' ? unset(rest, options.env) : kind === 'file' ? unreadable(rest) : undefined;
        if (why !== undefined) throw notRead(purpose, why);
      }),
  };
}

async function readReference(
  reference: string,
  purpose: string,
  withinMs: number,
  options: SecretsOptions,
): Promise<Secret> {
  try {
    const bytes = await bytesOf(reference, withinMs, options);
    const text = typeof bytes === 'string' ? bytes : new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    const value = text.replace(/\r?\n$/, '');
    if (value === '') throw new Unread('The reference leads to an empty text.');
    return new Secret(value);
  } catch (error) {
    // Nothing of the value, nor of a reference that might be one by mistake, may get into an error.
    const detail = error instanceof Unread ? error.message : 'The reference leads to text that is not UTF-8.';
    throw notRead(purpose, detail);
  }
}

function notRead(purpose: string, detail: string): ObkError {
  return new ObkError({
    code: 'SECRET_REFERENCE',
    title: `No secret for: ${purpose}`,
    detail,
    hint: ['obk help references   # prompt | stdin | env:NAME | file:PATH | cmd:COMMAND | keyring:ID'],
  });
}

function unset(name: string, env: SecretsOptions['env']): string | undefined {
  return env[name] === undefined ? `The environment variable ${name} is not set.` : undefined;
}

/** A pipe may be read once, so it is only looked at. */
function unreadable(path: string): string | undefined {
  try {
    accessSync(path, constants.R_OK);
    if (statSync(path).isDirectory()) return `${path}: it is a directory.`;
    return undefined;
  } catch (error) {
    return `${reasonFor(path, error)}.`;
  }
}

/** Why a reference cannot be read, in words without secrets. */
class Unread extends Error {}

async function bytesOf(
  reference: string,
  withinMs: number,
  options: SecretsOptions,
): Promise<Uint8Array | string> {
  const { env, clock = createClock(), warn, signal } = options;
  const [, kind = '', rest = ''] = /^(stdin$|env:|file:|cmd:|keyring:)([^]*)$/.exec(reference) ?? [];
  switch (kind) {
    case 'stdin':
      return readStdin(options.stdin);
    case 'env:': {
      const why = unset(rest, env);
      if (why !== undefined) throw new Unread(why);
      return env[rest] ?? '';
    }
    case 'file:':
      return readSecretFile(rest, warn);
    case 'cmd:':
      return outputOf(rest, withinMs, { env, clock, signal });
    case 'keyring:': {
      const { readKeyring } = await import('./secret-stores.ts');
      const answer = await readKeyring(rest, { env, clock });
      if ('value' in answer) return answer.value;
      if ('failed' in answer) throw new Unread(`The keyring cannot be used: ${answer.failed}.`);
      throw new Unread(`The keyring has no entry ${JSON.stringify(rest)} of the service obk.`);
    }
    default:
      throw new Unread('A reference is needed here, never the secret itself.');
  }
}

async function readStdin(stdin: SecretsOptions['stdin']): Promise<Uint8Array> {
  if (stdin.isTTY === true) throw new Unread('stdin is a terminal and would show it; use prompt.');
  try {
    return await readWhole(stdin, maxBytes);
  } catch (error) {
    throw new Unread(`stdin: ${(error as Error).message}.`);
  }
}

async function readSecretFile(path: string, warn: SecretsOptions['warn']): Promise<Uint8Array> {
  try {
    const stat = statSync(path);
    if (stat.size > maxBytes) throw new Error(`it is longer than ${maxBytes} bytes`);
    if (process.platform !== 'win32' && (stat.mode & 0o077) !== 0) {
      warn?.(`Others can read ${path}, which holds a secret (chmod 600 helps).`);
    }
    return isPipe(path) ? await readPipe(path, maxBytes) : readFileSync(path);
  } catch (error) {
    throw new Unread(`${reasonFor(path, error)}.`);
  }
}

async function outputOf(
  command: string,
  limitMs: number,
  { env, clock, signal }: Pick<SecretsOptions, 'env'> & { clock: Clock; signal: AbortSignal | undefined },
): Promise<Uint8Array> {
  const words = splitWords(command);
  const [program] = words ?? [];
  if (!words || program === undefined) {
    throw new Unread('The command of cmd: is empty or has an open quote or backslash.');
  }
  const ended = await runProgram(words, {
    env,
    // The program's stderr goes to the person.
    stdio: ['ignore', 'pipe', 'inherit'],
    clock,
    limitMs,
    maxBytes,
    ...(signal && { signal }),
  });
  switch (ended.kind) {
    case 'exit':
      if (ended.code === 0) return ended.stdout;
      throw new Unread(`The program ${program} ended with exit code ${ended.code}.`);
    case 'not-started':
      throw new Unread(`The program ${program} could not be started.`);
    case 'too-slow':
      throw new Unread(`The program ${program} did not end within ${limitMs / 1000} seconds.`);
    case 'too-much':
      throw new Unread(`The program ${program} wrote more than ${maxBytes} bytes.`);
    case 'killed':
      throw new Unread(`The program ${program} was killed.`);
  }
}
