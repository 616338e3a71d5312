import { randomBytes } from 'node:crypto';
import { mkdirSync, chmodSync, existsSync, readFileSync, writeFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Claim } from './bank-address.ts';
import { damage } from '../books/damage.ts';
import type { Launch } from './launch.ts';
import { openLedger } from '../books/ledger.ts';
import type { Ledger } from '../books/ledger.ts';

/** The name of the bank of the default ledger. */
export const defaultName = 'default';

/** The folder of the bank and what every part of it needs. */
export interface BankHome {
  folder: string;
  clock: { now(): Date };
  /** The default bank, or that of another ledger, by the secret in this folder. */
  claim(name: string): Claim;
  /** A new secret for a bank that has just begun to listen: what an earlier one knew is worth nothing. */
  newToken(name: string): string;
  /** Where the folder is or would be. */
  path: string;
  /** Closes the default ledger; its next use opens it again. */
  close(): void;
  /** The default ledger, opened at its first use. */
  ledger(): Ledger;
}

export function openBankHome(settings: BankSettings): BankHome {
  const folder = join(settings.stateDir, 'sandbox');
  let ledger: Ledger | undefined;
  let made = false;
  const make = () => {
    if (made) return;
    try {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      chmodSync(folder, 0o700);
    } catch (error) {
      throw damage(error, folder);
    }
    made = true;
  };
  return {
    get folder() {
      make();
      return folder;
    },
    clock: settings.clock,
    claim(name) {
      return { name, token: () => readToken(join(folder, tokenFile(name))) };
    },
    newToken(name) {
      make();
      return writeToken(join(folder, tokenFile(name)));
    },
    ledger() {
      make();
      ledger ??= openLedger(join(folder, 'ledger.db'), settings.clock.now());
      return ledger;
    },
    path: folder,
    close() {
      ledger?.close();
      ledger = undefined;
    },
  };
}

const tokenFile = (name: string): string => (name === defaultName ? 'admin-token' : 'standalone-token');

function readToken(path: string): string | undefined {
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined;
}

function writeToken(path: string): string {
  const token = randomBytes(24).toString('base64url');
  const fresh = `${path}.${String(process.pid)}`;
  try {
    writeFileSync(fresh, token, { mode: 0o600 });
    renameSync(fresh, path);
  } catch (error) {
    rmSync(fresh, { force: true });
    throw error;
  }
  return token;
}

/** Where the bank keeps its folder, and its clock. */
export interface BankSettings {
  stateDir: string;
  clock: { now(): Date };
  /** Told that the folder cannot be written; without it that is an error. */
  warn?: (message: string) => void;
  /** Starts a bank in a process of its own; without it the bank runs inside this process. */
  launch?: Launch;
}
