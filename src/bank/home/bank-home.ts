import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { defaultBank, isBankName } from '../../base/profile-name.ts';
import type { Claim } from './bank-address.ts';
import { damage } from '../books/damage.ts';
import type { StartDetached } from './detached.ts';
import type { Launch } from './launch.ts';
import { openLedger } from '../books/ledger.ts';
import type { Ledger } from '../books/ledger.ts';
import type { Secret } from '../../base/secret.ts';

/** The folder of one bank and what every part of it needs; each bank of a home has a ledger and a token of its own. */
export interface BankHome {
  name: string;
  folder: string;
  /** The folder of the keys and trusted authorities that all banks of this home share. */
  shared: string;
  clock: { now(): Date };
  /** The bank by the secret in its folder. */
  claim(): Claim;
  /** The file with the token of the bank that runs. */
  tokenFile: string;
  /** A new secret for a bank that has just begun to listen: what an earlier one knew is worth nothing. */
  newToken(): string;
  /** Where the folder is or would be. */
  path: string;
  /** Where the ledger is or would be. */
  ledgerPath: string;
  /** Closes the ledger; its next use opens it again. */
  close(): void;
  /** The ledger of the folder, opened at its first use. */
  ledger(): Ledger;
}

/** Where the folders of the banks with a name of their own are. */
export const namedBanks = (stateDir: string): string => join(stateDir, 'sandbox', 'banks');

/** The names of the banks that have such a folder. */
export function bankNames(stateDir: string): string[] {
  try {
    return readdirSync(namedBanks(stateDir)).filter(isBankName).sort();
  } catch {
    return [];
  }
}

/** The folder of the bank of this name; nothing is created before it is used. */
export function openBankHome(settings: BankSettings, name: string = defaultBank): BankHome {
  const shared = join(settings.stateDir, 'sandbox');
  const folder = name === defaultBank ? shared : join(namedBanks(settings.stateDir), name);
  const tokenFile = join(folder, 'admin-token');
  const ledgerPath = join(folder, 'ledger.db');
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
    name,
    get folder() {
      make();
      return folder;
    },
    get shared() {
      make();
      return shared;
    },
    clock: settings.clock,
    claim() {
      return { name, token: () => readToken(tokenFile) };
    },
    tokenFile,
    newToken() {
      make();
      return writeToken(tokenFile);
    },
    ledger() {
      make();
      ledger ??= openLedger(ledgerPath, settings.clock.now());
      return ledger;
    },
    path: folder,
    ledgerPath,
    close() {
      ledger?.close();
      ledger = undefined;
    },
  };
}

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
  /** Starts a bank that outlives this process; without it that cannot be done. */
  startDetached?: StartDetached;
  /** The bank that is addressed: a name, or a URL; without it the only one that runs. */
  at?: string;
  /** The file with the CA certificates of a bank that is addressed by a URL of https and is none of this home. */
  ca?: string;
  /** The tenant whose ledger is meant. */
  tenant?: string;
  /** The reference to the access key that calls of the interface show. */
  accessKeyFrom?: string;
  /** Reads it. */
  accessKey?: () => Promise<Secret>;
  /** The token of a bank that is addressed by a URL and is none of this home. */
  token?: () => Promise<Secret | undefined>;
}
