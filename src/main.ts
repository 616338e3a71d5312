import { defined } from './base/defined.ts';
import { writeSync } from 'node:fs';
import pkg from '../package.json' with { type: 'json' };
import { ObkError, exitCodes } from './base/errors.ts';
import type { ExitCode } from './base/errors.ts';
import { run } from './cli/program/run.ts';

const graceMs = 5_000;
const lingerMs = 1_000;
const interrupt = new AbortController();
let settled = false;
let stdinUsed = false;

/** Straight to the terminal: nothing may be lost in a stream when the process is about to end. */
function tell(text: string): void {
  try {
    writeSync(2, text);
  } catch {
    // stderr is gone, so there is no way to report this.
  }
}

function endAtOnce(code: ExitCode): never {
  settled = true;
  if (process.stderr.isTTY) tell('\u001b[?25h');
  process.exit(code);
}

function stop(code: ExitCode, error: ObkError): void {
  if (interrupt.signal.aborted) endAtOnce(code);
  if (code === exitCodes.interrupted && process.stderr.isTTY) {
    tell('\nStopping … (Ctrl-C again to end at once)\n');
  }
  interrupt.abort(error);
  // After an interrupt the process must not wait for ever.
  setTimeout(endAtOnce, graceMs, code).unref();
}

process.on('SIGINT', () => {
  stop(exitCodes.interrupted, new ObkError({ code: 'INTERRUPTED', title: 'Interrupted.' }));
});
process.on('SIGTERM', () => {
  stop(exitCodes.terminated, new ObkError({ code: 'TERMINATED', title: 'Terminated.' }));
});
// Every write has its own callback; a stream that fails in between must not end the process by itself.
process.stdout.on('error', () => undefined);
process.stderr.on('error', () => undefined);

process.on('exit', () => {
  if (settled) return;
  // Nothing is left to wait for, and the command has not come to an end: a bug, but never a silent one.
  process.exitCode = exitCodes.internal;
  tell(
    '✗ obk stopped before its work was done. This is a bug; see obk pending list for what is unfinished.\n',
  );
});

const script = process.argv[1];
// The single executable is its own script.
const ownProgram: [string, ...string[]] | undefined =
  script === undefined ? undefined : [process.execPath, ...(script === process.execPath ? [] : [script])];

const code = run(
  {
    argv: process.argv.slice(2),
    env: process.env,
    // Opened on first use: an untouched stdin does not keep the process alive.
    get stdin() {
      stdinUsed = true;
      return process.stdin;
    },
    stdout: process.stdout,
    stderr: process.stderr,
    version: pkg.version,
    pid: process.pid,
    cwd: process.cwd(),
    platform: process.platform,
    ...defined({ program: ownProgram }),
  },
  { signal: interrupt.signal },
);

code.then(
  (exit) => {
    settled = true;
    process.exitCode = exit;
    if (stdinUsed) process.stdin.pause();
    // All output is written by now: what is still open (a pipe on stdin, an idle socket) may end with us.
    setTimeout(() => process.exit(exit), lingerMs).unref();
  },
  (error: unknown) => {
    settled = true;
    process.exitCode = exitCodes.internal;
    tell(`✗ ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
  },
);
