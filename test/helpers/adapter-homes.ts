import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { ownIdentity } from '../../src/adapters/system/process-identity.ts';
import type { ProcessIdentity } from '../../src/adapters/system/process-identity.ts';
import type { Intent } from '../../src/settings/records/journal.ts';
import type { Profile } from '../../src/settings/records/profile.ts';
import type { SavedResource } from '../../src/settings/records/resources.ts';
import type { Conversation } from '../../src/standard/sca/state.ts';

/** A fresh pair of directories below the home of this test file, which goes away with it. */
export function freshHome(): { configDir: string; stateDir: string } {
  const home = mkdtempSync(join(process.env['HOME'] ?? tmpdir(), 'case-'));
  return { configDir: join(home, 'config', 'obk'), stateDir: join(home, 'state', 'obk') };
}

/** The paths of the files below a folder, without the empty ones, whose names alone say something; in the order of their names. */
export function fullFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile() && statSync(path).size > 0)
    .sort((a, b) => (basename(a) < basename(b) ? -1 : 1));
}

/** The identity of a process that has ended. */
export function deadIdentity(): ProcessIdentity {
  return { ...ownIdentity(), pid: 4_194_303, startTime: '1' };
}

/** The identity of another process that lives until `end` is called. */
export function livingProcess(): { identity: ProcessIdentity; end: () => Promise<void> } {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1e6)'], { stdio: 'ignore' });
  const pid = child.pid ?? 0;
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const startTime = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
  return {
    identity: { ...ownIdentity(), pid, startTime },
    end: () =>
      new Promise((resolve) => {
        child.once('exit', () => {
          resolve();
        });
        child.kill('SIGKILL');
      }),
  };
}

export const profile: Profile = {
  environment: 'test',
  framework: '1.3.2',
  prefix: '/v1',
  surface: 'service',
  baseUrl: 'https://bank.example/v1',
};

export function resource(changes: Partial<SavedResource> = {}): SavedResource {
  return {
    schemaVersion: 1,
    profile: 'acme',
    environment: 'test',
    noun: 'payment',
    id: 'p1',
    createdAt: '2026-11-21T10:00:00.000Z',
    updatedAt: '2026-11-21T10:00:00.000Z',
    framework: '1.3.2',
    prefix: '/v1',
    baseUrl: 'https://bank.example/v1',
    links: { self: '/v1/payments/sepa-credit-transfers/p1' },
    ...changes,
  };
}

export function conversation(changes: Partial<Conversation> = {}): Conversation {
  return {
    schemaVersion: 1,
    parent: { kind: 'payment', id: 'p1', service: 'payments', product: 'sepa-credit-transfers' },
    startedAt: '2026-11-21T10:00:00.000Z',
    steering: {},
    standing: {},
    unknownLinks: [],
    sent: [],
    ...changes,
  };
}

export function intent(changes: Partial<Intent> = {}): Intent {
  return {
    schemaVersion: 1,
    hash: 'a'.repeat(64),
    profile: 'acme',
    key: 'k1',
    bodyHash: 'b'.repeat(64),
    fingerprint: 'f'.repeat(64),
    chosen: true,
    run: 'run',
    createdAt: '2026-11-21T10:00:00.000Z',
    summary: { amount: '1.00', currency: 'EUR', creditorName: 'Shop' },
    service: 'payments',
    product: 'sepa-credit-transfers',
    ...changes,
  };
}

/** Names that no profile may have, whichever port is asked. */
export const refusedNames = [
  ...['', 'A', 'a.b', '../a', 'a/b', 'é', '__proto__', '-a', 'a'.repeat(65)],
  ...['con', 'lpt1', 'nul', ' a'],
];
