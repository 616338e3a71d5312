import { spawn, spawnSync } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { benchEnv } from './measure.ts';
import type { Timed } from './measure.ts';

/** Where benches run: a temporary home, the built obk, and a standalone bank at the first need. */
export interface Machine {
  home: string;
  env: NodeJS.ProcessEnv;
  obk(args: readonly string[], exit?: number): Timed;
  node(args: readonly string[]): Timed;
  /** Runs obk to its end and gives its stdout. */
  read(args: readonly string[]): string;
  bank(): Promise<{ baseUrl: string }>;
  close(): Promise<void>;
}

/** A machine on this Node with a home of its own. */
export function nodeMachine(): Machine {
  const home = mkdtempSync(join(tmpdir(), 'obk-bench-'));
  const bin = resolve(import.meta.dirname, '../../bin/obk.js');
  const env = benchEnv({
    HOME: home,
    XDG_CONFIG_HOME: join(home, 'config'),
    XDG_STATE_HOME: join(home, 'state'),
    XDG_CACHE_HOME: join(home, 'cache'),
  });
  for (const name of Object.keys(env)) if (name.startsWith('OBK_')) Reflect.deleteProperty(env, name);
  let running: { child: ChildProcess; ready: Promise<{ baseUrl: string }> } | undefined;
  return {
    home,
    env,
    obk: (args, exit = 0) => ({ argv: [process.execPath, bin, ...args], env, exit }),
    node: (args) => ({ argv: [process.execPath, ...args], env }),
    read(args) {
      const done = spawnSync(process.execPath, [bin, ...args], { env, encoding: 'utf8' });
      if (done.status !== 0)
        throw new Error(`obk ${args.join(' ')}: exit ${String(done.status)}\n${done.stderr}`);
      return done.stdout;
    },
    bank() {
      if (running === undefined) {
        const child = spawn(process.execPath, [bin, 'sandbox', 'start', '--port', '0', '--json'], { env });
        running = { child, ready: firstAddress(child) };
      }
      return running.ready;
    },
    async close() {
      if (running === undefined) return;
      const { child } = running;
      const ended = new Promise((done) => child.once('close', done));
      child.kill('SIGTERM');
      await ended;
    },
  };
}

/** The first JSON line that `sandbox start --json` prints. */
function firstAddress(child: ChildProcess): Promise<{ baseUrl: string }> {
  return new Promise((done, failed) => {
    let text = '';
    let errors = '';
    child.stderr?.on('data', (chunk: Buffer) => (errors += chunk.toString()));
    child.stdout?.on('data', (chunk: Buffer) => {
      text += chunk.toString();
      const end = text.indexOf('\n');
      if (end >= 0) done(JSON.parse(text.slice(0, end)) as { baseUrl: string });
    });
    child.once('close', (code) => {
      failed(new Error(`the bank ended with ${String(code)}: ${errors}`));
    });
  });
}
