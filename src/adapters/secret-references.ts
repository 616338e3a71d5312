import { spawn } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { ObkError } from '../errors.ts';
import type { Secrets } from '../ports.ts';
import { Secret } from '../secret.ts';

/** What references are read from. */
export interface SecretsOptions {
  env: Readonly<Record<string, string | undefined>>;
  stdin: NodeJS.ReadableStream;
  /** Tells of files that others can read. */
  warn?: (line: string) => void;
}

/** How long a command may take, and how much it may print. */
const commandMs = 10_000;
const maxBytes = 64 * 1024;
const keyringMs = 3_000;

type Reader = (rest: string, purpose: string) => Promise<string>;

/** Reads `stdin | env:NAME | file:PATH | cmd:COMMAND | keyring:ID`, each reference once per run. */
export function createSecrets({ env, stdin, warn = () => undefined }: SecretsOptions): Secrets {
  const read = new Map<string, Promise<Secret>>();
  const readers: Readonly<Record<string, Reader>> = {
    stdin: () => fromStdin(stdin),
    env: (name) => Promise.resolve(fromEnvironment(env, name)),
    file: (path) => Promise.resolve(fromFile(path, warn)),
    cmd: (command) => fromCommand(command, env),
    keyring: (id) => fromKeyring(id),
  };
  return {
    read(reference, purpose) {
      const known = read.get(reference);
      if (known !== undefined) return known;
      const made = readReference(readers, reference, purpose);
      read.set(reference, made);
      return made;
    },
  };
}

async function readReference(
  readers: Readonly<Record<string, Reader>>,
  reference: string,
  purpose: string,
): Promise<Secret> {
  const [, scheme = '', , rest = ''] = /^([a-z]+)(:(.*))?$/s.exec(reference) ?? [];
  const reader = Object.hasOwn(readers, scheme) ? readers[scheme] : undefined;
  if (reader === undefined || (scheme === 'stdin') !== (rest === '')) {
    // The text itself is not repeated: somebody may have typed the secret in place of a reference.
    throw refused(
      `The reference for ${purpose} is not one.`,
      'A secret is never given itself, but by where it is.',
    );
  }
  const value = (await reader(rest, purpose)).replace(/\r?\n$/, '');
  if (value === '') throw refused(`The reference for ${purpose} gives nothing.`, `${scheme} is empty.`);
  return new Secret(value);
}

function refused(title: string, detail: string, cause?: unknown): ObkError {
  return new ObkError({
    code: 'SECRET_REFERENCE',
    title,
    detail,
    hint: ['obk help references   # prompt | stdin | env:NAME | file:PATH | cmd:COMMAND | keyring:ID'],
    cause,
  });
}

function fromEnvironment(env: SecretsOptions['env'], name: string): string {
  const value = env[name];
  if (value === undefined)
    throw refused(`The variable ${name} is not set.`, 'A reference env:NAME names a variable.');
  return value;
}

function fromFile(path: string, warn: (line: string) => void): string {
  try {
    const stat = statSync(path);
    if (stat.size > maxBytes) throw new Error('it is larger than 64 kB');
    if (process.platform !== 'win32' && (stat.mode & 0o077) !== 0) {
      warn(`${path} holds a secret and can be read by others: chmod 600 ${path}`);
    }
    return readFileSync(path, 'utf8');
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException;
    throw refused(
      `The secret file ${path} cannot be read.`,
      code === 'ENOENT' ? 'There is no such file.' : message,
      cause,
    );
  }
}

async function fromStdin(stdin: NodeJS.ReadableStream): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of stdin) {
    const bytes = Buffer.from(chunk);
    size += bytes.length;
    if (size > maxBytes) throw refused('Standard input is too long for a secret.', 'The limit is 64 kB.');
    chunks.push(bytes);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** Runs a command without a shell; its words may be quoted with ' or ". Its stderr goes to the terminal. */
function fromCommand(command: string, env: SecretsOptions['env']): Promise<string> {
  const [program, ...args] = splitWords(command);
  if (program === undefined)
    throw refused('The reference cmd: names no command.', 'Such as cmd:pass show bank.');
  return new Promise((done, fail) => {
    const child = spawn(program, args, {
      env,
      shell: false,
      stdio: ['ignore', 'pipe', 'inherit'],
      timeout: commandMs,
      killSignal: 'SIGKILL',
    });
    const chunks: Buffer[] = [];
    let size = 0;
    child.stdout.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > maxBytes) child.kill('SIGKILL');
      else chunks.push(chunk);
    });
    child.once('error', (cause: NodeJS.ErrnoException) => {
      const why = cause.code === 'ENOENT' ? 'There is no such program.' : cause.message;
      fail(refused(`The command ${program} could not be started.`, why, cause));
    });
    child.once('close', (code, signal) => {
      if (code === 0) {
        done(Buffer.concat(chunks).toString('utf8'));
        return;
      }
      const why =
        size > maxBytes
          ? 'It printed more than 64 kB.'
          : signal === null
            ? `It ended with exit code ${String(code)}.`
            : `It was ended by ${signal}; the limit is ${String(commandMs / 1000)} seconds.`;
      fail(refused(`The command ${program} gave no secret.`, why));
    });
  });
}

/** Splits at blanks outside quotes; a backslash keeps the next character, but for those between single quotes. */
export function splitWords(text: string): string[] {
  const words: string[] = [];
  let word: string | undefined;
  let quote = '';
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charAt(at);
    if (character === '\\' && quote !== "'" && at + 1 < text.length) {
      at += 1;
      word = (word ?? '') + text.charAt(at);
    } else if (quote !== '') {
      if (character === quote) quote = '';
      else word = (word ?? '') + character;
    } else if (character === '"' || character === "'") {
      quote = character;
      word ??= '';
    } else if (/\s/.test(character)) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else {
      word = (word ?? '') + character;
    }
  }
  if (quote !== '') throw refused('The reference cmd: has an open quote.', 'Every quote must be closed.');
  if (word !== undefined) words.push(word);
  return words;
}

async function fromKeyring(id: string): Promise<string> {
  try {
    const { AsyncEntry } = await import('@napi-rs/keyring');
    const value = await new AsyncEntry('obk', id).getPassword(AbortSignal.timeout(keyringMs));
    if (value === undefined) throw new Error('it has no such entry');
    return value;
  } catch (cause) {
    throw refused(`The keyring gives no secret ${id}.`, (cause as Error).message, cause);
  }
}
