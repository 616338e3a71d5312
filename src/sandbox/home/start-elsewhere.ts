import { closeSync, openSync, rmSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
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

/** Whether this run makes the mark, and so is the one that starts the bank; a mark that is too old is of one that died. */
export function claimed(mark: string): boolean {
  try {
    const file = openSync(mark, 'wx', 0o600);
    writeSync(file, String(process.pid));
    closeSync(file);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') return true;
  }
  const age = Date.now() - (statSync(mark, { throwIfNoEntry: false })?.mtimeMs ?? Date.now());
  if (age > startMs) rmSync(mark, { force: true });
  return false;
}
