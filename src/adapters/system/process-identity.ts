import { createHash } from 'node:crypto';
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import { isUnderWayHere } from './runs-here.ts';

/** Distinguishes a process from every other one, even after its pid was reused. */
export interface ProcessIdentity {
  pid: number;
  /** In clock ticks after the boot of the machine; empty where the system does not tell. */
  startTime: string;
  bootId: string;
  /** The pid namespace: pids of another one mean nothing here. */
  namespace: string;
  /** The machine, or the container; absent where an older obk wrote it. */
  host?: string;
}

let own: ProcessIdentity | undefined;
let space: string | undefined;

export function ownIdentity(): ProcessIdentity {
  own ??= {
    pid: process.pid,
    startTime: statOf(process.pid)?.startTime ?? '',
    bootId: attempt(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()) ?? hostname(),
    namespace: attempt(() => readlinkSync('/proc/self/ns/pid')) ?? '',
    host: hostname(),
  };
  return own;
}

/** A foreign process is of another boot or pid namespace: whether it lives cannot be seen from here. */
export function lifeOf(other: ProcessIdentity): 'alive' | 'dead' | 'foreign' {
  const { bootId, namespace } = ownIdentity();
  if (other.bootId !== bootId || other.namespace !== namespace) return 'foreign';
  if (!isRunning(other.pid)) return 'dead';
  const stat = statOf(other.pid);
  if (!stat) return 'alive';
  // A zombie has done all that it will ever do.
  return stat.startTime === other.startTime && stat.state !== 'Z' ? 'alive' : 'dead';
}

/** How long a process of another container or machine counts as alive, since it cannot be checked. */
const foreignLifeMs = 24 * 60 * 60 * 1000;

/** The same of a run in a process: one that has ended is dead although `own` goes on, as a journey does after a step. */
export function lifeOfRun(
  run: string,
  owner: ProcessIdentity,
  own: ProcessIdentity,
): ReturnType<typeof lifeOf> {
  const life = lifeOf(owner);
  return life === 'alive' && owner.pid === own.pid && !isUnderWayHere(run) ? 'dead' : life;
}

/** Whether a run in a process may still do what it began at that time. */
export function mayLive(
  run: string,
  other: ProcessIdentity,
  own: ProcessIdentity,
  { began, now }: { began: string | undefined; now: Date },
): boolean {
  const life = lifeOfRun(run, other, own);
  if (life !== 'foreign') return life === 'alive';
  // After a reboot the owner is certainly dead; in another container of this boot it cannot be told.
  if (other.bootId !== own.bootId) return false;
  return now.getTime() - Date.parse(began ?? '') < foreignLifeMs;
}

/** Whether it was a process of this machine before it was started anew: such a one is dead. */
export function isOfEarlierBoot({ bootId, host }: ProcessIdentity): boolean {
  const own = ownIdentity();
  return bootId !== own.bootId && (host === undefined || host === own.host);
}

/** Whether any process of this pid namespace has the pid now. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: it lives and is somebody else's.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** A short name for the world that our pids belong to. */
export function pidSpace(): string {
  const { bootId, namespace } = ownIdentity();
  space ??= createHash('sha256').update(`${bootId} ${namespace}`).digest('hex').slice(0, 8);
  return space;
}

export function isIdentity(value: unknown): value is ProcessIdentity {
  if (typeof value !== 'object' || value === null) return false;
  const { pid, startTime, bootId, namespace } = value as Record<string, unknown>;
  return Number.isInteger(pid) && [startTime, bootId, namespace].every((text) => typeof text === 'string');
}

function statOf(pid: number): { state: string; startTime: string } | undefined {
  const text = attempt(() => readFileSync(`/proc/${pid}/stat`, 'utf8'));
  // The second field is the name of the program, in brackets, and may hold anything.
  const fields = text?.slice(text.lastIndexOf(')') + 2).split(' ');
  const [state, startTime] = [fields?.[0], fields?.[19]];
  return state === undefined || startTime === undefined ? undefined : { state, startTime };
}

function attempt<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
