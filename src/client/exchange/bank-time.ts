import type { Target } from './target.ts';

/** The time at the bank: the sandbox's clock, else our clock corrected by the bank's last Date header. */
export async function bankTime({ ports, ownBank, run, state }: Target): Promise<Date> {
  if (ownBank !== undefined && !run.dryRun) return new Date((await ports.bank.control('getClock')).now);
  return new Date(ports.clock.now().getTime() + state.aheadMs);
}

/** How far a Date header is ahead of our clock, in milliseconds; undefined where there is none that can be read. */
export function aheadOf(header: string | undefined, now: Date): number | undefined {
  const told = Date.parse(header ?? '');
  return Number.isNaN(told) ? undefined : told - now.getTime();
}
