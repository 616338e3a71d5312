import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { spawn as openTerminal } from '@lydell/node-pty';
import { giveKeys } from './bank-keys.ts';
import { bound } from './bound.ts';

const bin = resolve(import.meta.dirname, '../../bin/obk.js');

/** What a run left behind; stdout and stderr apart. */
export interface Ran {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** How a run differs from the usual. */
export interface RunOptions {
  env?: NodeJS.ProcessEnv;
  /** Given and closed; without it stdin is /dev/null. */
  input?: string;
  /** Stdin is a pipe that never says anything. */
  open?: boolean;
  /** Milliseconds until the run counts as hanging where nothing else runs; 10 s unless given. */
  bound?: number;
}

/** The built obk with a home of its own. */
export interface Obk {
  home: string;
  env: NodeJS.ProcessEnv;
  /** A folder for files that a test writes; the working directory of every run. */
  folder: string;
  run(args: readonly string[], options?: RunOptions): Promise<Ran>;
  /** As `run`, but throws unless it ended with 0, and gives the JSON on stdout. */
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- tests look into documents of every shape
  json(args: readonly string[], options?: RunOptions): Promise<any>;
  start(args: readonly string[], options?: RunOptions): ChildProcess;
  terminal(args: readonly string[], options?: { env?: NodeJS.ProcessEnv; columns?: number }): Terminal;
  close(): void;
}

/** A pseudo-terminal in which obk runs; both streams come out of it as one. */
export interface Terminal {
  /** Everything that was written so far, escapes included. */
  raw(): string;
  /** The same without escapes. */
  text(): string;
  write(text: string): void;
  /** Waits until the text appears behind everything that was awaited before. */
  see(text: string | RegExp): Promise<void>;
  ended: Promise<number>;
  kill(): void;
}

/** A fresh home in which a bank finds its keys: for tests of a bank that is started, not of its first start. */
export async function createObkWithKeys(extra: NodeJS.ProcessEnv = {}): Promise<Obk> {
  const obk = createObk(extra);
  await giveKeys(join(obk.home, 'state', 'obk'), new Date());
  return obk;
}

/** A fresh home; `close` removes it. */
export function createObk(extra: NodeJS.ProcessEnv = {}): Obk {
  const home = mkdtempSync(join(tmpdir(), 'obk-e2e-'));
  const folder = join(home, 'work');
  mkdirSync(folder);
  const env: NodeJS.ProcessEnv = {
    ...process.env,
    HOME: home,
    XDG_CONFIG_HOME: join(home, 'config'),
    XDG_STATE_HOME: join(home, 'state'),
    XDG_CACHE_HOME: join(home, 'cache'),
    LANG: 'C.UTF-8',
    ...extra,
  };
  const start: Obk['start'] = (args, options = {}) => {
    const child = spawn(process.execPath, [bin, ...args], {
      cwd: folder,
      env: { ...env, ...options.env },
      stdio: [options.input === undefined && options.open !== true ? 'ignore' : 'pipe', 'pipe', 'pipe'],
    });
    if (options.input !== undefined) child.stdin?.end(options.input);
    return child;
  };
  const run: Obk['run'] = (args, options = {}) =>
    new Promise((resolveRun, reject) => {
      const child = start(args, options);
      const out: Buffer[] = [];
      const err: Buffer[] = [];
      child.stdout?.on('data', (chunk: Buffer) => out.push(chunk));
      child.stderr?.on('data', (chunk: Buffer) => err.push(chunk));
      const timer = setTimeout(() => {
        child.kill('SIGKILL');
        reject(new Error(`obk ${args.join(' ')} hangs\n${Buffer.concat(err).toString()}`));
      }, bound(options.bound));
      child.once('error', reject);
      child.once('close', (code) => {
        clearTimeout(timer);
        resolveRun({
          code,
          stdout: Buffer.concat(out).toString(),
          stderr: Buffer.concat(err).toString(),
        });
      });
    });
  return {
    home,
    env,
    folder,
    start,
    run,
    async json(args, options) {
      const ran = await run([...args, '--json'], options);
      if (ran.code !== 0) throw new Error(`obk ${args.join(' ')}: exit ${String(ran.code)}\n${ran.stderr}`);
      return JSON.parse(ran.stdout);
    },
    terminal: (args, options = {}) =>
      terminal(args, { ...env, ...options.env }, folder, options.columns ?? 100),
    close: () => {
      endBank(join(home, 'state', 'obk'));
      rmSync(home, { recursive: true, force: true, maxRetries: 3 });
    },
  };
}

/** Ends the bank that runs in a home have started, if it is still there. */
export function endBank(stateDir: string): void {
  try {
    const text = readFileSync(join(stateDir, 'sandbox', 'address.json'), 'utf8');
    const { servedBy } = JSON.parse(text) as { servedBy?: number };
    const command = readFileSync(`/proc/${String(servedBy)}/cmdline`, 'utf8');
    // Pids are given away again: only what is a bank is ended.
    if (servedBy !== undefined && command.includes('sandbox\0start')) process.kill(servedBy, 'SIGKILL');
  } catch {
    // There is none.
  }
}

function terminal(args: readonly string[], env: NodeJS.ProcessEnv, cwd: string, columns: number): Terminal {
  const pty = openTerminal(process.execPath, [bin, ...args], {
    name: 'xterm-256color',
    cols: columns,
    rows: 40,
    cwd,
    env,
  });
  let raw = '';
  let seen = 0;
  const watchers = new Set<() => void>();
  // eslint-disable-next-line no-control-regex
  const text = () => raw.replace(/\u001b\][^\u0007]*\u0007|\u001b\[[0-9;?]*[A-Za-z]/g, '');
  pty.onData((data) => {
    raw += data;
    for (const watch of [...watchers]) watch();
  });
  const ended = new Promise<number>((resolveEnd) => {
    pty.onExit(({ exitCode, signal }) => {
      resolveEnd(signal !== undefined && signal > 0 ? 128 + signal : exitCode);
      for (const watch of [...watchers]) watch();
    });
  });
  return {
    raw: () => raw,
    text,
    write: (typed) => {
      pty.write(typed);
    },
    see: (wanted) =>
      new Promise((resolveSee, reject) => {
        const timer = setTimeout(() => {
          watchers.delete(look);
          reject(new Error(`never saw ${String(wanted)} in:\n${text().slice(seen)}`));
        }, bound());
        const look = () => {
          const all = text();
          const found =
            typeof wanted === 'string'
              ? all.indexOf(wanted, seen)
              : all.slice(seen).search(wanted) + (all.slice(seen).search(wanted) < 0 ? 0 : seen);
          if (found < 0) return;
          seen = found + (typeof wanted === 'string' ? wanted.length : 1);
          clearTimeout(timer);
          watchers.delete(look);
          resolveSee();
        };
        watchers.add(look);
        look();
      }),
    ended,
    kill: () => {
      pty.kill('SIGKILL');
    },
  };
}

/** The first payment flags that every test needs. */
export const shop = [
  '--product',
  'sepa-credit-transfers',
  '--creditor-account',
  'DE89370400440532013000',
  '--creditor-name',
  'Shop',
] as const;

/** A payment of 1.00 to the shop at a bank that is typed by hand: no account of the bank inside has this IBAN. */
export const payShop = [
  ...['payment', 'init', ...shop, '--amount', '1.00'],
  ...['--debtor', 'DE65990010000000002443'],
] as const;
