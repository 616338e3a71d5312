import { closeSync, openSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { damage } from '../books/damage.ts';
import { agreedPort, whoAnswers } from './bank-address.ts';
import type { Claim } from './bank-address.ts';
import type { Launch } from './launch.ts';

/** A bank that is not there by then will not come. */
const patienceMs = 30_000;
/** Time after which the process that starts a bank has succeeded or died. */
const startMs = 10_000;

/**
 * Has a bank started in a process of its own, by one of all the runs that want it at the same time, and waits for it.
 * Returns its port; undefined if it does not come up.
 */
export async function startElsewhere(
  folder: string,
  claim: Claim,
  launch: Launch,
): Promise<number | undefined> {
  const mark = join(folder, 'starting');
  const launching = { failed: false };
  let mine = false;
  try {
    for (const until = performance.now() + patienceMs; performance.now() < until && !launching.failed;) {
      const port = agreedPort(folder);
      const there = await whoAnswers(port, claim);
      if (there.who === 'ours') return port;
      if (!mine && claimed(mark)) {
        mine = true;
        // Between the look and the mark another run may have had its bank started.
        if ((await whoAnswers(agreedPort(folder), claim)).who === 'ours') continue;
        const launched = await launch(there.who === 'nobody' ? port : 0);
        if (launched === undefined) return undefined;
        void launched.failed.then(() => {
          launching.failed = true;
        });
      }
      await new Promise((resolve) => setTimeout(resolve, 15 + Math.random() * (mine ? 10 : 60)));
    }
    // Another one may have come up while the launched process found that it is not needed.
    const port = agreedPort(folder);
    return (await whoAnswers(port, claim)).who === 'ours' ? port : undefined;
  } finally {
    if (mine) rmSync(mark, { force: true });
  }
}

/**
 * Whether this run makes the mark, and so is the one that starts the bank; a mark that is too old is of one that died. It is
 * not made where its folder is just being taken away. Throws SANDBOX_UNAVAILABLE where the folder cannot be written.
 */
export function claimed(mark: string): boolean {
  try {
    closeSync(openSync(mark, 'wx', 0o600));
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return false;
    if (code !== 'EEXIST') throw damage(error, mark);
  }
  const age = Date.now() - (statSync(mark, { throwIfNoEntry: false })?.mtimeMs ?? Date.now());
  if (age > startMs) rmSync(mark, { force: true });
  return false;
}
