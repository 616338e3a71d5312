import { createRequire } from 'node:module';
import type { Clock } from '../ports.ts';
import { runProgram } from './run-program.ts';

/** Under this service name the entries stand in the keyring. */
const service = 'obk';
const limitMs = 3_000;
const maxBytes = 64 * 1024;

/** What was found, or why nothing was. */
export type KeyringAnswer = { value: string } | { missing: true } | { failed: string };

/**
 * Reads an entry of the system's keyring. In a process of its own, since a keyring that does not answer would hold a
 * thread of this one, and with it the end of the command.
 */
export async function readKeyring(
  id: string,
  options: { env: Readonly<Record<string, string | undefined>>; clock: Clock; module?: string },
): Promise<KeyringAnswer> {
  const { env, clock } = options;
  const module = options.module ?? resolveKeyring();
  if (module === undefined) return { failed: 'the optional package @napi-rs/keyring is not installed' };
  const script = `const { Entry } = require(process.argv[1]);
    const entry = new Entry(process.argv[2], process.argv[3], { linux: { store: 'secret-service' } });
    process.stdout.write(JSON.stringify({ value: entry.getPassword() }));`;
  const ended = await runProgram([process.execPath, '-e', script, module, service, id], {
    env,
    stdio: ['ignore', 'pipe', 'ignore'],
    clock,
    limitMs,
    maxBytes,
  });
  if (ended.kind === 'too-slow') return { failed: `it did not answer within ${limitMs / 1000} seconds` };
  if (ended.kind !== 'exit' || ended.code !== 0) return { failed: 'it cannot be reached' };
  const { value } = JSON.parse(ended.stdout.toString()) as { value: string | null };
  return value === null ? { missing: true } : { value };
}

function resolveKeyring(): string | undefined {
  try {
    return createRequire(import.meta.url).resolve('@napi-rs/keyring');
  } catch {
    return undefined;
  }
}
