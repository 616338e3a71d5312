import { statSync } from 'node:fs';
import { namesIn } from './atomic-file.ts';

/** A directory whose last change is older than this shows each further one: clocks of file systems tick this often. */
const settledNs = 100_000_000n;

const listings = new Map<string, { changedAt: bigint; names: readonly string[] }>();

/** The names in a directory as `namesIn`; one that has not changed since is not read again. Throws the system's errors. */
export function listing(directory: string): readonly string[] {
  const changedAt = statSync(directory, { bigint: true, throwIfNoEntry: false })?.mtimeNs;
  if (changedAt === undefined) return [];
  const before = listings.get(directory);
  if (before?.changedAt === changedAt) return before.names;
  const names = namesIn(directory);
  const now = BigInt(Date.now()) * 1_000_000n;
  if (now - changedAt > settledNs) listings.set(directory, { changedAt, names });
  else listings.delete(directory);
  return names;
}
