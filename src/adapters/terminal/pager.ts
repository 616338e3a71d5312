import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { Writable } from 'node:stream';
import { splitWords } from '../system/run-program.ts';

type Env = Readonly<Record<string, string | undefined>>;

/** A stream of a terminal. */
export type Screen = NodeJS.WritableStream & { isTTY?: boolean; columns?: number; rows?: number };

/** Output for a person: printed directly if it fits the screen, else through the pager. */
export interface Pager {
  stdout: Screen;
  /** Holds messages back until the pager has ended. */
  stderr: Screen;
  /** Shows what is still held back, and waits until the person has read; true where Ctrl-C ended the pager. */
  close(): Promise<boolean>;
}

/** Time to wait for a first screenful; afterwards the output is printed without a pager. */
const patienceMs = 1_000;

/** Holds a screenful back; what is longer goes to the pager, which is started then and killed when the signal aborts. */
export function openPager(options: {
  /** The program with its arguments. */
  command: string;
  stdout: Screen;
  stderr: Screen;
  env: Env;
  signal: AbortSignal;
  launch?: (words: readonly string[], env: Env) => ChildProcess;
}): Pager {
  const { command, stdout, stderr, env, signal, launch = start } = options;
  const { columns = 80, rows = 24 } = stdout;
  let held: Buffer[] | undefined = [];
  let lines = 0;
  let pager: ChildProcess | undefined;
  let impatient: NodeJS.Timeout | undefined;
  const told: string[] = [];

  const write = (to: NodeJS.WritableStream, chunk: Uint8Array | string): Promise<void> =>
    new Promise((resolve, reject) => {
      to.write(chunk, (error) => {
        if (error) reject(error);
        else resolve();
      });
    });

  /** From now on everything goes where it belongs. */
  async function release(to: NodeJS.WritableStream): Promise<void> {
    clearTimeout(impatient);
    const all = Buffer.concat(held ?? []);
    held = undefined;
    if (all.length > 0) await write(to, all);
  }

  /** The pager, or the screen itself where there is none. */
  async function open(): Promise<NodeJS.WritableStream> {
    const child = launch(splitWords(command) ?? [command], { LESS: 'FRX', LV: '-c', ...env });
    try {
      await once(child, 'spawn');
    } catch {
      return stdout;
    }
    pager = child;
    child.stdin?.on('error', () => undefined);
    signal.addEventListener('abort', () => child.kill());
    return child.stdin ?? stdout;
  }

  async function show(chunk: Buffer): Promise<void> {
    if (held === undefined) return write(pager?.stdin ?? stdout, chunk);
    held.push(chunk);
    lines += linesIn(chunk.toString('utf8'), columns);
    if (lines >= rows) return release(await open());
    impatient ??= setTimeout(() => {
      void release(stdout).catch(() => undefined);
    }, patienceMs);
  }

  const out = new Writable({
    write(chunk: Buffer, _encoding, done) {
      show(chunk).then(() => {
        done();
      }, done);
    },
  });
  out.on('error', () => undefined);

  return {
    stdout: Object.assign(out, { isTTY: true, columns, rows }),
    stderr: new Proxy(stderr, {
      get: (target, name) => {
        if (name === 'write') return tell;
        const value: unknown = Reflect.get(target, name);
        return typeof value === 'function' ? (value.bind(target) as unknown) : value;
      },
    }),
    async close() {
      if (held !== undefined) await release(stdout);
      let interrupted = false;
      if (pager !== undefined) {
        const ended = pager.exitCode === null && pager.signalCode === null ? once(pager, 'close') : undefined;
        pager.stdin?.end();
        await ended;
        interrupted = pager.signalCode === 'SIGINT';
        pager = undefined;
      }
      if (told.length > 0) await write(stderr, told.join(''));
      return interrupted;
    },
  };

  function tell(text: string | Uint8Array, ...more: unknown[]): boolean {
    const callback = more.at(-1);
    const done = typeof callback === 'function' ? (callback as (error?: Error | null) => void) : undefined;
    if (pager === undefined) return stderr.write(text, done);
    told.push(typeof text === 'string' ? text : Buffer.from(text).toString('utf8'));
    done?.();
    return true;
  }
}

function start([program = '', ...rest]: readonly string[], env: Env): ChildProcess {
  return spawn(program, rest, { stdio: ['pipe', 'inherit', 'inherit'], env });
}

/** The lines that a text takes on a screen; what colours it takes no room. */
function linesIn(text: string, columns: number): number {
  // eslint-disable-next-line no-control-regex
  const shown = text.replace(/\u001b\[[0-9;]*m/g, '').split('\n');
  const folded = shown.map((line) => Math.max(1, Math.ceil(line.length / columns)));
  return folded.reduce((sum, count) => sum + count, 0) - (shown.at(-1) === '' ? 1 : 0);
}
