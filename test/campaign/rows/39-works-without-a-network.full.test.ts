// The demo (sandbox, payment, SCA) in a machine that is cut from every network but its own loopback; with strace, each address
// that is looked up or connected to is seen as well.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { hasPrograms } from '../../helpers/programs.ts';
import { trials } from '../../helpers/trials.ts';

const row = trials('39', 1);
const root = resolve(import.meta.dirname, '../../..');
const bin = join(root, 'bin/obk.js');
const home = mkdtempSync(join(tmpdir(), 'obk-cut-'));
afterAll(() => {
  rmSync(home, { recursive: true, force: true, maxRetries: 3 });
});

const unshare = ['unshare', '-n', '-r', '--', 'sh', '-c', 'ip link set lo up && exec "$0" "$@"'];
const hasNamespaces =
  hasPrograms('unshare', 'ip') && spawnSync(unshare[0]!, [...unshare.slice(1), 'true']).status === 0;
const hasStrace =
  hasPrograms('strace') && spawnSync('strace', ['-f', '-o', join(home, 'probe'), 'true']).status === 0;

const env = {
  ...{ PATH: process.env['PATH'], HOME: home, CI: 'true', NO_COLOR: '1', TMPDIR: process.env['TMPDIR'] },
  XDG_CONFIG_HOME: join(home, 'config'),
  XDG_STATE_HOME: join(home, 'state'),
  XDG_CACHE_HOME: join(home, 'cache'),
};
const demo = [process.execPath, '--import', 'tsx', join(root, 'test/demo/demo.ts')];
const run = (words: readonly string[]) =>
  spawnSync(words[0] ?? '', words.slice(1), { env, cwd: root, encoding: 'utf8', timeout: 120_000 });

it.skipIf(!hasNamespaces)(
  'the demo works where there is no network',
  { timeout: row.timeout(120_000) },
  () => {
    const cut = spawnSync('unshare', [...unshare.slice(1), 'cat', '/proc/net/dev'], { encoding: 'utf8' });
    expect(cut.stdout.split('\n').filter((line) => line.includes(':'))).toHaveLength(1);
    const ended = run([...unshare, ...demo]);
    expect(ended.status, ended.stderr).toBe(0);
    expect(ended.stdout).toContain('ACSC');
    row.report('the demo works in a cut network', 1);
  },
);

it.skipIf(!hasStrace)(
  'nobody is asked, and no other machine is called',
  { timeout: row.timeout(120_000) },
  () => {
    const trace = join(home, 'calls');
    const ended = run([
      ...[
        'strace',
        '-ff',
        '-qq',
        '--seccomp-bpf',
        '-e',
        'trace=connect,sendto,sendmsg,sendmmsg',
        '-o',
        trace,
      ],
      ...demo,
    ]);
    expect(ended.status, ended.stderr).toBe(0);
    const calls = readdirSync(home)
      .filter((name) => name.startsWith('calls.'))
      .flatMap((name) => readFileSync(join(home, name), 'utf8').split('\n'))
      .filter((line) => /AF_INET6?/.test(line));
    // It connects to the bank inside, so that the trace has seen something.
    expect(calls.length).toBeGreaterThan(0);
    const here = /inet_addr\("127\.|"::1"|"::ffff:127\./;
    expect(calls.filter((line) => !here.test(line))).toEqual([]);
    expect(calls.filter((line) => /htons\(53\)|htons\(853\)/.test(line))).toEqual([]);
    row.report(`${String(calls.length)} connections, all of them to this machine, 0 DNS queries`, 1);
  },
);

it('an obk without a configured address calls nobody', () => {
  for (const words of [['version'], ['help'], ['whoami'], ['profile', 'list'], ['doctor', '--offline']]) {
    const line = hasNamespaces
      ? [...unshare, process.execPath, bin, ...words]
      : [process.execPath, bin, ...words];
    const ended = run(line);
    expect([0, 3, 10], `${words.join(' ')}: ${ended.stderr}`).toContain(ended.status);
  }
});
