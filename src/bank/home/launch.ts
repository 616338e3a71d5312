import { spawn } from 'node:child_process';

/** The environment variables that a bank needs; none holds a secret. */
const kept = ['PATH', 'HOME', 'TMPDIR', 'LANG', 'LC_ALL', 'TZ', 'XDG_CACHE_HOME'];

/**
 * Starts banks with `program`, the words that start obk. They inherit no terminal, pipe, folder or other variable, and
 * end after `idle` without a call.
 */
export function launcher(settings: {
  program: readonly [string, ...string[]];
  stateDir: string;
  idle: string;
  env: Readonly<Record<string, string | undefined>>;
}): Launch {
  const { stateDir, idle, env } = settings;
  const [file, ...before] = settings.program;
  return (port) =>
    new Promise((resolve) => {
      const words = ['sandbox', 'start', '--port', String(port), '--idle', idle, '-q', '--json'];
      const child = spawn(file, [...before, ...words], {
        detached: true,
        stdio: 'ignore',
        cwd: '/',
        env: {
          ...Object.fromEntries(kept.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]]))),
          OBK_STATE_DIR: stateDir,
        },
      });
      child.unref();
      const failed = new Promise<void>((end) => {
        child.once('exit', () => {
          end();
        });
      });
      child.once('error', () => {
        resolve(undefined);
      });
      child.once('spawn', () => {
        resolve({ failed });
      });
    });
}

/** A bank that was started in a process of its own; `failed` resolves if that ends before it is of use. */
export interface Launched {
  failed: Promise<void>;
}

/** Starts a bank of the default ledger on a port, 0 for any. */
export type Launch = (port: number) => Promise<Launched | undefined>;
