import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { namesFile } from '../../base/profile-name.ts';
import type { Ledger } from '../books/ledger.ts';

/** The names as each ledger's file has them: most calls that steer change none. */
const noted = new WeakMap<Ledger, string>();

/** Writes down who the customers are now, for the TAB of a shell, which asks no bank. Nothing else depends on it. */
export function noteNames({ folder, ledger }: { folder?: string; ledger: Ledger }): void {
  if (folder === undefined) return;
  const file = join(folder, namesFile);
  try {
    const people = ledger.main.all<{ psuId: string }>('SELECT psuId FROM people ORDER BY position');
    const text = people.map(({ psuId }) => `${psuId}\n`).join('');
    if (noted.get(ledger) === text) return;
    const temporary = `${file}.${String(process.pid)}`;
    writeFileSync(temporary, text, { mode: 0o600 });
    renameSync(temporary, file);
    noted.set(ledger, text);
  } catch {
    // A full disk, or one that may only be read.
  }
}
