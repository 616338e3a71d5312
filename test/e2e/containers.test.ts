import { spawn, spawnSync } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';

const root = resolve(import.meta.dirname, '../..');
/** Where another user finds the program: the folders above the clone may be closed to him. */
const elsewhere = '/mnt';
const start = ['sandbox', 'start', '--open', '--port', '0', '--json'];

/** Whether this machine can do so; said aloud where it cannot. */
function can(what: string, ...command: [string, ...string[]]): boolean {
  const [file, ...args] = command;
  const works = spawnSync(file, args, { stdio: 'ignore' }).status === 0;
  if (!works) process.stderr.write(`SKIPPED: ${what} cannot be tried here (${command.join(' ')})\n`);
  return works;
}

const cleanup: (() => unknown)[] = [];
afterEach(async () => {
  for (const clean of cleanup.splice(0).reverse()) await clean();
});

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'obk-containers-'));
  chmodSync(path, 0o777);
  cleanup.push(() => {
    rmSync(path, { recursive: true, force: true, maxRetries: 3 });
  });
  return path;
}

interface Bank {
  baseUrl: string;
  pid: number;
  certificatePath: string;
  database: string;
}

/** A bank in a surrounding that is made by a program in front of it; nothing of this environment but PATH. */
async function inside(
  before: readonly string[],
  env: NodeJS.ProcessEnv,
  program = root,
): Promise<{ child: ChildProcess; bank: Bank; stderr: () => string }> {
  const [file = '', ...args] = [...before, process.execPath, join(program, 'bin/obk.js'), ...start];
  const child = spawn(file, args, {
    cwd: '/',
    env: { PATH: process.env['PATH'], ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  cleanup.push(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGKILL');
    await once(child, 'close');
  });
  let [stdout, stderr] = ['', ''];
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  const bank = await new Promise<Bank>((found, reject) => {
    child.stdout.on('data', (chunk: Buffer) => {
      stdout += chunk.toString();
      if (stdout.includes('\n')) found(JSON.parse(stdout) as Bank);
    });
    child.once('close', (code) => {
      reject(new Error(`the bank ended with ${String(code)}: ${stderr}`));
    });
  });
  return { child, bank, stderr: () => stderr };
}

/** The status of a call of nobody in particular. */
function call({ baseUrl }: Bank): Promise<number | undefined> {
  return new Promise((found, reject) => {
    const headers = { 'X-Request-ID': '99391c7e-ad88-49ec-a2ad-99ddcb1f7721', 'PSU-IP-Address': '192.0.2.1' };
    request(
      `${baseUrl}/v1/payments/sepa-credit-transfers/none-such/status`,
      { headers, agent: false },
      (answer) => {
        answer.resume().on('end', () => {
          found(answer.statusCode);
        });
      },
    )
      .on('error', reject)
      .end();
  });
}

const ended = async (child: ChildProcess): Promise<unknown> => {
  if (child.exitCode === null) await once(child, 'close');
  return child.exitCode;
};

describe('the bank in a container', () => {
  const moved = [
    'unshare',
    '--mount',
    'sh',
    '-c',
    `mount --bind "$0" ${elsewhere} && exec "$@"`,
    root,
  ] as const;
  const asNobody = (uid: string) =>
    [...moved, 'setpriv', `--reuid=${uid}`, `--regid=${uid}`, '--clear-groups'] as const;
  const canBe = (uid: string) =>
    can('another user', ...asNobody(uid), 'test', '-r', join(elsewhere, 'bin/obk.js'));

  // 65534 has a home that is not there; the other one is no user of this machine at all.
  it.each(['65534', '54321'])('runs as user %s without a home, and leaves nothing behind', async (uid) => {
    if (!canBe(uid)) return;
    const temporary = folder();
    const { child, bank, stderr } = await inside(asNobody(uid), { TMPDIR: temporary }, elsewhere);
    expect(await call(bank)).toBe(404);
    expect(stderr()).toContain('the bank inside keeps what it has in');
    expect(bank.database).toMatch(temporary);
    expect(readFileSync(bank.certificatePath, 'utf8')).toContain('BEGIN CERTIFICATE');
    child.kill('SIGTERM');
    expect(await ended(child)).toBe(0);
    expect(readdirSync(temporary)).toEqual([]);
  });

  it('runs on a file system that is read-only', async () => {
    const readOnly = 'mount -o bind,ro / / && mount -o remount,bind,ro / && ! touch /none-such 2>/dev/null';
    const away = ['unshare', '--mount', 'sh', '-c', `${readOnly} && exec "$@"`, 'sh'] as const;
    if (!can('a file system that is read-only', ...away, process.execPath, '--version')) return;
    if (!can('a folder of memory', 'test', '-w', '/dev/shm')) return;
    const { child, bank } = await inside(away, { HOME: '/none-such', TMPDIR: '/none-such' });
    expect(await call(bank)).toBe(404);
    expect(bank.database).toMatch(/^\/dev\/shm\/obk-bank-/);
    child.kill('SIGTERM');
    expect(await ended(child)).toBe(0);
  });

  it.each(['SIGTERM', 'SIGINT'] as const)('as process 1 ends at %s, and leaves no child', async (signal) => {
    const first = ['unshare', '--pid', '--fork', '--mount-proc', '--kill-child'] as const;
    if (!can('a process 1', ...first, process.execPath, '--version')) return;
    const home = folder();
    const { child, bank } = await inside(first, { HOME: home });
    expect(bank.pid).toBe(1);
    expect(await call(bank)).toBe(404);
    const children = (pid: number | string) =>
      readFileSync(`/proc/${String(pid)}/task/${String(pid)}/children`, 'utf8')
        .split(' ')
        .filter(Boolean);
    const [served = ''] = children(child.pid ?? 0);
    expect(children(served)).toEqual([]);
    process.kill(Number(served), signal);
    expect(await ended(child)).toBe(0);
  });

  it('keeps to a ledger that it may read only, and says so', async () => {
    if (!canBe('65534')) return;
    const home = folder();
    const usual = await inside([], { HOME: home });
    usual.child.kill('SIGTERM');
    await ended(usual.child);
    for (const path of ['.local', '.local/state', '.local/state/obk', '.local/state/obk/sandbox'])
      chmodSync(join(home, path), 0o755);
    const bank = inside(asNobody('65534'), { HOME: home, TMPDIR: folder() }, elsewhere);
    await expect(bank).rejects.toThrow(/ended with 3: .*SANDBOX_UNAVAILABLE/);
  });
});
