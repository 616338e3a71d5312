import { defined } from '../../base/defined.ts';
import { createHmac, randomBytes, randomInt, timingSafeEqual } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import type { TenantsBy } from '../../settings/doors/doors.ts';
import { isBankName } from '../../base/profile-name.ts';

/** Where the bank of this folder is or was. */
export interface SavedAddress {
  schemaVersion: 1;
  port?: number;
  /** The process that serves it there, or did last. */
  servedBy?: number;
  /** Origins that links of the ledger may still carry. */
  formerOrigins: string[];
  /** What `sandbox start` said of it; not there for a bank that a run of obk has started for itself. */
  started?: StartedBank;
}

/** What `sandbox start` said of the bank that it started. */
export interface StartedBank {
  httpsPort?: number;
  /** The file of its ledger, or `:memory:`. */
  database: string;
  /** In front of the paths of the interface. */
  basePath?: string;
  /** What its tenants are named after. */
  tenants?: TenantsBy;
}

/** Below this path of a bank is what steers it. */
export const controlPath = '/sandbox/api';

/** Where a bank shows itself to a tester's browser. */
export const windowPath = '/sandbox/';
/** A free port refuses at once; a busy bank is waited for, since a second one would serve its ledger. */
const identityMs = 3000;
/** Below the ports that systems use for outgoing connections. */
const chosenPorts = [20_000, 32_000] as const;
/** How many former origins are worth remembering. */
const remembered = 20;

/** The saved addresses; an unreadable file counts as none, since a new port does no harm. */
export function readAddress(folder: string): SavedAddress {
  const none: SavedAddress = { schemaVersion: 1, formerOrigins: [] };
  const path = join(folder, 'address.json');
  if (!existsSync(path)) return none;
  try {
    const saved = JSON.parse(readFileSync(path, 'utf8')) as Partial<SavedAddress>;
    return { ...none, ...saved, formerOrigins: saved.formerOrigins ?? [] };
  } catch {
    return none;
  }
}

/** The port of the default ledger; chosen once, so that processes that start together agree on it. */
export function agreedPort(folder: string): number {
  const { port } = readAddress(folder);
  if (port !== undefined) return port;
  const chosen: SavedAddress = { ...readAddress(folder), port: randomInt(...chosenPorts) };
  const path = join(folder, 'address.json');
  try {
    writeFileSync(path, `${JSON.stringify(chosen)}\n`, { mode: 0o600, flag: 'wx' });
  } catch {
    // Another process was faster, or the file is of a bank that was started by hand.
  }
  return readAddress(folder).port ?? rememberPort(folder, chosen.port ?? 0).port ?? 0;
}

/** Saves the addresses whole. */
function writeAddress(folder: string, address: SavedAddress): void {
  const path = join(folder, 'address.json');
  const temporary = `${path}.${process.pid}`;
  writeFileSync(temporary, `${JSON.stringify(address)}\n`, { mode: 0o600 });
  renameSync(temporary, path);
}

/** Remembers that this process serves the ledger of the folder on the port, and the origin of the port before. */
export function rememberPort(folder: string, port: number, started?: StartedBank): SavedAddress {
  const { started: _before, ...address } = readAddress(folder);
  const saved = { ...address, servedBy: process.pid, ...defined({ started }) };
  if (saved.port === port) {
    writeAddress(folder, saved);
    return saved;
  }
  const former = saved.port === undefined ? [] : [originOf(saved.port)];
  const origins = [...former, ...saved.formerOrigins].filter((origin) => origin !== originOf(port));
  const changed = { ...saved, port, formerOrigins: [...new Set(origins)].slice(0, remembered) };
  writeAddress(folder, changed);
  return changed;
}

/** The http origin of a bank on this machine. */
export function originOf(port: number): string {
  return `http://127.0.0.1:${port}`;
}

/** Whether the process that served the ledger last still runs: if it says nothing, it is busy. */
export function isServed(folder: string): boolean {
  const { servedBy } = readAddress(folder);
  return servedBy !== undefined && servedBy !== process.pid && lives(servedBy);
}

/** Whether a process is there. */
export function lives(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Which bank is meant, and the secret by which it shows that it is: a file of the same folder. */
export interface Claim {
  /** The name of the bank. */
  name: string;
  /** Undefined where no bank was ever started. */
  token: () => string | undefined;
}

/** A bank's statements about itself, besides its proof. */
export interface BankFacts {
  pid: number;
  /** It ends after so long without a call; null where it does not. */
  idleMs: number | null;
}

/** The listener on a port, if any. */
export type PortOwner = ({ who: 'ours' } & BankFacts) | { who: 'other' } | { who: 'nobody' };

/** Whether this bank answers on the port; false after three seconds. */
export async function answersFor(port: number, claim: Claim): Promise<boolean> {
  return (await whoAnswers(port, claim)).who === 'ours';
}

/**
 * Finds out what listens on the port: this bank, which proves that it knows the token of its folder; another program
 * (which may say nothing for three seconds, or repeat a bank's earlier answer); or nothing.
 */
export function whoAnswers(port: number, claim: Claim): Promise<PortOwner> {
  const nonce = randomBytes(16).toString('hex');
  return new Promise((resolve) => {
    let text = '';
    const outgoing = request(
      { host: '127.0.0.1', port, path: `/sandbox/identity?nonce=${nonce}`, agent: false },
      (incoming) => {
        incoming.setEncoding('utf8');
        incoming.on('data', (chunk: string) => {
          text += chunk;
          if (text.length > 1000) outgoing.destroy();
        });
        incoming.on('end', () => {
          resolve(proven(text, { nonce, port }, claim));
        });
        incoming.on('error', () => undefined);
      },
    );
    const deadline = setTimeout(() => outgoing.destroy(), identityMs);
    outgoing.on('error', (error: NodeJS.ErrnoException) => {
      resolve({ who: error.code === 'ECONNREFUSED' ? 'nobody' : 'other' });
    });
    outgoing.on('close', () => {
      clearTimeout(deadline);
      resolve({ who: 'other' });
    });
    outgoing.end();
  });
}

/** The content of a proof: a nonce of this call, and the port, so that a proof cannot be relayed from elsewhere. */
interface Asked {
  nonce: string;
  port: number;
}

function proven(text: string, asked: Asked, { name, token }: Claim): PortOwner {
  const secret = token();
  try {
    const { pid, idleMs, proof } = JSON.parse(text) as Partial<BankFacts> & { proof?: unknown };
    if (secret === undefined || typeof pid !== 'number' || typeof proof !== 'string') return { who: 'other' };
    const facts = { pid, idleMs: typeof idleMs === 'number' ? idleMs : null };
    const right = Buffer.from(proofOf(facts, asked, name, secret));
    const told = Buffer.from(proof);
    const same = told.length === right.length && timingSafeEqual(told, right);
    return same ? { who: 'ours', ...facts } : { who: 'other' };
  } catch {
    return { who: 'other' };
  }
}

function proofOf({ pid, idleMs }: BankFacts, { nonce, port }: Asked, name: string, token: string): string {
  const told = JSON.stringify([nonce, port, name, pid, idleMs]);
  return createHmac('sha256', token).update(told).digest('hex');
}

/** A bank's statement about itself at /sandbox/identity. */
export function identityOf(
  facts: BankFacts,
  asked: Asked,
  { name, token, ledger }: { name: string; token: string; ledger: string | undefined },
): string {
  return JSON.stringify({ bank: 'obk sandbox', ...facts, ledger, proof: proofOf(facts, asked, name, token) });
}

/** Whether somebody may give a bank this name: a number alone is the port of a bank without a name. */
export function isGivenName(text: string): boolean {
  return isBankName(text) && !/^\d+$/.test(text);
}
