import type { BankProcess } from '../../ports/bank.ts';
import { originOf, readAddress, whoAnswers } from './bank-address.ts';
import { defaultName } from './bank-home.ts';
import type { BankHome } from './bank-home.ts';

const endMs = 5_000;

/** The process that serves the default ledger, once it has proved that it does; undefined where none runs. */
export async function whatRuns(house: BankHome): Promise<BankProcess | undefined> {
  const { port } = readAddress(house.folder);
  if (port === undefined) return undefined;
  const found = await whoAnswers(port, house.claim(defaultName));
  if (found.who !== 'ours') return undefined;
  return { baseUrl: originOf(port), pid: found.pid, idleMs: found.idleMs };
}

/** Ends the bank's process and waits until it has gone; returns the process that ran. */
export async function stopBank(house: BankHome): Promise<BankProcess | undefined> {
  const running = await whatRuns(house);
  // A bank in this process ends with it.
  if (running === undefined || running.pid === process.pid) return undefined;
  process.kill(running.pid, 'SIGTERM');
  for (const until = performance.now() + endMs; performance.now() < until;) {
    if (!lives(running.pid)) return running;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  // An ended process stays in the table until its parent has waited for it.
  if ((await whatRuns(house)) !== undefined) process.kill(running.pid, 'SIGKILL');
  return running;
}

function lives(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
