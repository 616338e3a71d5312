// What a power cut may leave of the files of a run: from one trace of what it wrote, and of what it waited for.
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import type { Dice } from './dice.ts';

const bin = resolve(import.meta.dirname, '../../bin/obk.js');
const watched = ['pwrite64', 'write', 'writev', 'sendto', 'ftruncate', 'fsync', 'fdatasync', 'unlink'];

/** One step of the trace, in the order of the calls. */
export type Step =
  | { is: 'write'; file: string; at: number; bytes: Buffer }
  | { is: 'cut'; file: string; length: number }
  | { is: 'removed'; file: string }
  | { is: 'synced'; file: string }
  /** Bytes that left by a socket, or were printed. */
  | { is: 'left' | 'printed'; text: string };

export interface Trace {
  /** The files of the state before the run. */
  before: ReadonlyMap<string, Buffer>;
  steps: readonly Step[];
  code: number | null;
  stdout: string;
}

const decoded = (text: string): Buffer => Buffer.from(text.replaceAll('\\x', ''), 'hex');
const plain = (text: string): string => (text.startsWith('\\x') ? decoded(text).toString() : text);

/** Runs obk under strace and keeps each byte that it writes to the two files of its state, or to anybody. */
export async function traceOf(
  args: readonly string[],
  { env, cwd, stateDir }: { env: NodeJS.ProcessEnv; cwd: string; stateDir: string },
): Promise<Trace> {
  const folder = mkdtempSync(join(tmpdir(), 'obk-trace-'));
  const log = join(folder, 'log');
  const names = ['state.db', 'state.db-wal', 'log.db', 'log.db-wal'];
  const files = names.filter((name) => existsSync(join(stateDir, name)));
  const before = new Map(files.map((name) => [name, readFileSync(join(stateDir, name))]));
  const words = ['-f', '-y', '-xx', '-s', '200000', '-e', 'signal=none', '-e', `trace=${watched.join(',')}`];
  const child = spawn('strace', [...words, '-o', log, process.execPath, bin, ...args], {
    ...{ env, cwd, stdio: ['ignore', 'pipe', 'ignore'] },
  });
  let stdout = '';
  child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
  const code = await new Promise<number | null>((done, failed) => {
    child.on('error', failed);
    child.on('close', done);
  });
  const steps = stepsIn(readFileSync(log, 'utf8'), stateDir, names);
  rmSync(folder, { recursive: true, force: true });
  return { before, steps, code, stdout };
}

/** SQLite and the sockets are used by the first thread. */
function stepsIn(log: string, stateDir: string, names: readonly string[]): Step[] {
  const lines = log.split('\n');
  const first = lines[0]?.split(' ')[0];
  return lines.flatMap((line): Step[] => {
    const [, thread, call = '', rest = ''] = /^(\d+) +(\w+)\((.*)$/.exec(line) ?? [];
    if (thread !== first || / = -1 /.test(line)) return [];
    const [, number = '', shown = ''] = /^(\d+)<([^>]*)>/.exec(rest) ?? [];
    const text = (/"((?:\\x[0-9a-f]{2})*)"/.exec(rest) ?? [])[1] ?? '';
    if (call === 'unlink') {
      const file = plain(text);
      return file.startsWith(stateDir) ? [{ is: 'removed', file: basename(file) }] : [];
    }
    const path = plain(shown);
    if (path.startsWith('socket:') || number === '1') {
      const all = [...rest.matchAll(/"((?:\\x[0-9a-f]{2})*)"/g)].map(([, one = '']) => decoded(one));
      return [{ is: number === '1' ? 'printed' : 'left', text: Buffer.concat(all).toString() }];
    }
    const file = basename(path);
    if (!path.startsWith(`${stateDir}/`) || !names.includes(file)) return [];
    if (call === 'fsync' || call === 'fdatasync') return [{ is: 'synced', file }];
    if (call === 'ftruncate')
      return [{ is: 'cut', file, length: Number(/, (\d+)(?:\)| <unfinished)/.exec(rest)?.[1]) }];
    const at = Number(/, (\d+)(?:\) += | <unfinished)/.exec(rest)?.[1]);
    return call === 'pwrite64' ? [{ is: 'write', file, at, bytes: decoded(text) }] : [];
  });
}

interface OnDisk {
  durable: Buffer | undefined;
  /** What no wait has followed yet. */
  open: (Step & { file: string })[];
}

/** How much of what nobody waited for has come to the disk. */
export type Kept = 'nothing' | 'all' | 'some';

/** The files as a power cut after so many steps may leave them; what nobody waited for may come in any order. */
export function imageAfter(
  { before, steps }: Trace,
  count: number,
  kept: Kept,
  dice: Dice,
): Map<string, Buffer> {
  const files = new Map<string, OnDisk>(
    [...before].map(([name, bytes]) => [name, { durable: bytes, open: [] }]),
  );
  for (const step of steps.slice(0, count)) {
    if (!('file' in step)) continue;
    const its = files.get(step.file) ?? { durable: undefined, open: [] };
    files.set(step.file, its);
    if (step.is !== 'synced') its.open.push(step);
    else {
      its.durable = after(its.durable, its.open);
      its.open = [];
    }
  }
  const image = new Map<string, Buffer>();
  for (const [name, { durable, open }] of files) {
    const chosen =
      kept === 'nothing'
        ? []
        : kept === 'all'
          ? open
          : shuffled(
              open.filter(() => dice.maybe()),
              dice,
            );
    const bytes = after(durable, chosen);
    if (bytes !== undefined) image.set(name, bytes);
  }
  return image;
}

function shuffled<T>(list: readonly T[], dice: Dice): T[] {
  return list
    .map((one) => ({ one, at: dice.next() }))
    .sort((a, b) => a.at - b.at)
    .map(({ one }) => one);
}

function after(bytes: Buffer | undefined, steps: readonly Step[]): Buffer | undefined {
  let now = bytes;
  for (const step of steps) {
    if (step.is === 'removed') now = undefined;
    if (step.is === 'cut') {
      const cut = Buffer.alloc(step.length);
      now?.copy(cut);
      now = cut;
    }
    if (step.is !== 'write') continue;
    const end = step.at + step.bytes.length;
    const grown = Buffer.alloc(Math.max(now?.length ?? 0, end));
    now?.copy(grown);
    step.bytes.copy(grown, step.at);
    now = grown;
  }
  return now;
}

/** Puts an image into a folder of its own. */
export function placed(image: ReadonlyMap<string, Buffer>, folder: string): void {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  for (const [name, bytes] of image) writeFileSync(join(folder, name), bytes, { mode: 0o600 });
}
