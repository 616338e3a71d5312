import type { Ports } from '../ports.ts';
import { otherRuns } from './journal-runs.ts';
import { removeUnlessNeeded } from './old-run.ts';

const day = 24 * 60 * 60 * 1000;
/** The file that says how far it has come. */
const place = 'retention';
const done = 'done';

/**
 * Removes from the journal what is older than the setting says and needed by nothing: at most once a day, oldest first, and no
 * longer than `withinMs` in one run; the next run goes on. Stays what has no end, cannot be read, or is needed by an unknown
 * write, by an intent whose end is not known, or by a saved resource that is not final. Throws what the ports throw.
 */
export async function applyRetention(ports: Ports, withinMs: number): Promise<void> {
  const { settings, locks, usage, clock } = ports;
  const { retention } = await settings.read();
  if (retention === undefined) return;
  const now = clock.now().getTime();
  const [before] = await usage.read(place);
  const age = now - (before?.at ?? 0);
  if (before?.what === done && age >= 0 && age < day) return;
  await locks.exclusively(place, 0, async () => {
    const reached = await removeFrom(ports, now - daysOf(retention) * day, before?.what ?? done, withinMs);
    await usage.update(place, () => [{ at: now, what: reached }]);
  });
}

/** The days of the setting, such as 90d or 4w. */
export function daysOf(retention: string): number {
  return Number.parseInt(retention, 10) * (retention.endsWith('w') ? 7 : 1);
}

/** Continues after a run; returns the last one it reached, or that all is done. */
async function removeFrom(ports: Ports, before: number, behind: string, withinMs: number): Promise<string> {
  const { journal, clock } = ports;
  const began = clock.monotonic();
  const old = (await otherRuns(journal))
    .filter(({ run, startedAt }) => (behind === done || run > behind) && Date.parse(startedAt) < before)
    .reverse();
  const open = new Set((await journal.openRuns()).map(({ run }) => run));
  for (const { run } of old) {
    if (!open.has(run))
      await removeUnlessNeeded(ports, run, { open, reason: 'its run was old', dryRun: false });
    if (clock.monotonic() - began >= withinMs) return run;
  }
  return done;
}
