import { createRequire } from 'node:module';
import type { Clock } from '../../client/ports/clock.ts';
import { keyringScript } from './keyring-script.ts';
import { runProgram } from '../system/run-program.ts';

/** Under this service name the entries stand in the keyring. */
const service = 'obk';
const limitMs = 3_000;
const maxBytes = 1024 * 1024;

/** The entry found, or why there is none. */
export type KeyringAnswer = { value: string } | { missing: true } | { failed: string };

/** Where the keyring is looked for: `module` in place of the package. */
export interface KeyringOptions {
  env: Readonly<Record<string, string | undefined>>;
  clock: Clock;
  module?: string;
}

/** The work of one request, in this order: write entries (and read them back), remove, read. */
export interface KeyringRequest {
  set?: readonly (readonly [id: string, value: string])[];
  drop?: readonly string[];
  get?: readonly string[];
}

/** The values of `get` in its order, null for an entry that is not there; or why nothing was done, `hangs` after the limit. */
export type KeyringReply = { values: readonly (string | null)[] } | { failed: string; hangs?: true };

/**
 * Asks the system's keyring. In a process of its own, since a keyring that does not answer would hold a thread of this
 * one, and with it the end of the command; what it needs goes by a pipe, never by the arguments.
 */
export async function askKeyring(
  request: KeyringRequest,
  { env, clock, module = resolveKeyring() }: KeyringOptions,
): Promise<KeyringReply> {
  if (module === undefined) return { failed: 'the optional package @napi-rs/keyring is not installed' };
  // The single executable is no Node that could run any script.
  const program = process.argv[1] === process.execPath ? ['__keyring'] : ['-e', keyringScript];
  const ended = await runProgram([process.execPath, ...program, module, service], {
    env,
    stdio: ['pipe', 'pipe', 'ignore'],
    input: Buffer.from(JSON.stringify(request)),
    clock,
    limitMs,
    maxBytes,
  });
  if (ended.kind === 'too-slow')
    return { failed: `it did not answer within ${limitMs / 1000} seconds`, hangs: true };
  if (ended.kind !== 'exit' || ended.code !== 0) return { failed: 'it cannot be reached' };
  const reply = JSON.parse(ended.stdout.toString()) as KeyringReply;
  return 'failed' in reply ? { failed: `it cannot be reached (${reply.failed})` } : reply;
}

/** Reads one entry of the system's keyring. */
export async function readKeyring(id: string, options: KeyringOptions): Promise<KeyringAnswer> {
  const reply = await askKeyring({ get: [id] }, options);
  if ('failed' in reply) return { failed: reply.failed };
  const [value = null] = reply.values;
  return value === null ? { missing: true } : { value };
}

function resolveKeyring(): string | undefined {
  try {
    return createRequire(import.meta.url).resolve('@napi-rs/keyring');
  } catch {
    return undefined;
  }
}
