// obk under strace: what it asks of the system, and how it lives where the system refuses one of these calls.
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Ran } from './obk.ts';

const bin = resolve(import.meta.dirname, '../../bin/obk.js');
// The campaign shares its machine with the load that it makes.
const bound = process.env['OBK_TEST_CAMPAIGN'] === undefined ? 15_000 : 60_000;

/** A call of the first thread: the nth of its name. */
export interface Call {
  name: string;
  at: number;
  line: string;
}

/** What strace does to a call: `error=EIO`, `signal=KILL`. */
export interface Strike {
  call: Pick<Call, 'name' | 'at'>;
  how: string;
  /** And to all of that name that follow. */
  onwards?: true;
}

export interface Traced extends Ran {
  calls: Call[];
  /** Whether the strike has met a call, and which, as strace shows it. */
  struck: boolean;
  met: string | undefined;
  hangs: boolean;
}

/** Runs obk under strace, which watches the calls of these names and strikes one of them. */
export function traced(
  args: readonly string[],
  options: { env: NodeJS.ProcessEnv; cwd: string; watch: readonly string[]; strike?: Strike },
): Promise<Traced> {
  const { env, cwd, watch, strike } = options;
  const folder = mkdtempSync(join(tmpdir(), 'obk-strace-'));
  const log = join(folder, 'log');
  const inject =
    strike === undefined
      ? []
      : [
          '-e',
          `inject=${strike.call.name}:${strike.how}:when=${String(strike.call.at)}${strike.onwards === true ? '+' : ''}`,
        ];
  const words = ['-f', '-y', '-s', '0', '-o', log, '-e', `trace=${watch.join(',')}`, ...inject];
  return new Promise((done, failed) => {
    const child = spawn('strace', [...words, process.execPath, bin, ...args], {
      ...{ env, cwd, stdio: ['ignore', 'pipe', 'pipe'] },
      // strace and obk end together where they hang.
      detached: true,
    });
    let [stdout, stderr, hangs] = ['', '', false];
    child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
    const timer = setTimeout(() => {
      hangs = true;
      process.kill(-(child.pid ?? 0), 'SIGKILL');
    }, bound);
    child.on('error', failed);
    child.on('close', (code) => {
      clearTimeout(timer);
      const calls = callsIn(readFileSync(log, 'utf8'));
      rmSync(folder, { recursive: true, force: true });
      const met = strike && calls.find(({ name, at }) => name === strike.call.name && at === strike.call.at);
      const struck = met !== undefined && /INJECTED|= \?$|<unfinished/.test(met.line);
      done({ code, stdout, stderr, calls, struck, met: met?.line, hangs });
    });
  });
}

/** Synchronous calls are made by the first thread, and strace counts for each thread apart. */
function callsIn(log: string): Call[] {
  const lines = log.split('\n');
  const first = lines[0]?.split(' ')[0];
  const count = new Map<string, number>();
  return lines.flatMap((line) => {
    const [, thread, name] = /^(\d+) +([a-z0-9_]+)\(/.exec(line) ?? [];
    if (name === undefined || thread !== first) return [];
    const at = (count.get(name) ?? 0) + 1;
    count.set(name, at);
    return [{ name, at, line }];
  });
}
