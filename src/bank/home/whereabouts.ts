import { defined } from '../../base/defined.ts';
import type { BankProcess } from '../door.ts';
import { controlPath, lives, originOf, readAddress, whoAnswers } from './bank-address.ts';
import type { BankHome } from './bank-home.ts';

const endMs = 5_000;

/** The process that serves the bank of this folder, once it has proved that it does; undefined where none runs. */
export async function whatRuns(house: BankHome): Promise<BankProcess | undefined> {
  const { port } = readAddress(house.path);
  const claim = house.claim();
  // A bank that has ended takes its secret away: without that nobody could prove to be it, so nobody is asked.
  if (port === undefined || claim.token() === undefined) return undefined;
  const found = await whoAnswers(port, claim);
  return found.who === 'ours' ? { ...describeRunning(house, found.idleMs), pid: found.pid } : undefined;
}

/** A bank of this process as it saved its address. */
export function describeRunning(house: BankHome, idleMs: number | null): BankProcess {
  const { port = 0, started } = readAddress(house.path);
  const { httpsPort, basePath = '', database = house.ledgerPath, tenants } = started ?? {};
  const origin = originOf(port);
  return {
    name: house.name,
    baseUrl: origin + basePath,
    ...(httpsPort !== undefined && { httpsBaseUrl: `https://127.0.0.1:${String(httpsPort)}${basePath}` }),
    controlUrl: origin + controlPath,
    tokenFile: house.tokenFile,
    database,
    pid: process.pid,
    idleMs,
    ...defined({ tenants }),
  };
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
