import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { hasPrograms } from '../helpers/programs.ts';
import { ranTable, runsWhole } from '../helpers/trials.ts';

const root = resolve(import.meta.dirname, '../..');
const work = mkdtempSync(join(tmpdir(), 'obk-package-'));
const executable = join(work, 'out/obk');
const image = join(work, 'out/root');
const beside = join(image, 'usr/bin/obk-sqlite.node');
/** Whether the Node that is packed has no SQLite of its own, so that the executable carries a native library. */
const carriesSqlite = process.getBuiltinModule('node:sqlite') === undefined;
const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };

/** Whether this machine can do so; said aloud where it cannot. */
function can(what: string, works: boolean): boolean {
  if (!works) process.stderr.write(`SKIPPED: ${what}\n`);
  return works;
}

function isInstalled(name: string): boolean {
  try {
    createRequire(import.meta.url).resolve(name);
    return true;
  } catch {
    return false;
  }
}

const canPack =
  runsWhole('the single executable') &&
  can(
    'the executable cannot be made here: postject is not installed',
    isInstalled('postject') && process.platform === 'linux',
  ) &&
  hasPrograms('ldd');
const succeeds = (file: string, ...args: string[]) =>
  spawnSync(file, args, { stdio: 'ignore', timeout: 10_000 }).status === 0;
const canIsolate =
  canPack &&
  can(
    'a folder cannot be made the whole file system here (unshare, mount, chroot)',
    succeeds(
      'unshare',
      '--mount',
      '--pid',
      '--fork',
      'sh',
      '-c',
      'mount -t tmpfs none /mnt && chroot / true',
    ),
  );

beforeAll(() => {
  chmodSync(work, 0o755);
  if (!canPack) return;
  const { status, stderr } = spawnSync(process.execPath, [join(root, 'package.mjs'), join(work, 'out')], {
    encoding: 'utf8',
  });
  expect([status, stderr.replace(/^Wrote single executable.*\n/m, '')]).toEqual([0, '']);
}, 120_000);

afterAll(() => {
  ranTable('the single executable and its image');
  rmSync(work, { recursive: true, force: true, maxRetries: 3 });
});

const cleanup: (() => unknown)[] = [];
afterEach(() => {
  for (const clean of cleanup.splice(0)) clean();
});

let homes = 0;
function home(): string {
  const path = join(work, `home-${String((homes += 1))}`);
  mkdirSync(path, { mode: 0o700 });
  return path;
}

/** Runs the executable with nothing of this environment. */
function obk(args: readonly string[], env: NodeJS.ProcessEnv, input = '') {
  const { status, stdout, stderr } = spawnSync(executable, args, {
    cwd: '/',
    env: { PATH: '', ...env },
    input,
    encoding: 'utf8',
    timeout: 20_000,
  });
  return { status, stdout, stderr };
}

const shop = ['--creditor-name', 'Shop', '--creditor-account', 'DE89370400440532013000'];
const pay = [
  ...['payment', 'init', '--profile', 'sandbox', '--product', 'sepa-credit-transfers', ...shop],
  ...['--amount', '1.00', '--no-input', '--json'],
];

describe.runIf(canPack)('the single executable', () => {
  it('is obk without Node: version, pages, wrong words, completion, --jq, certificates', () => {
    const env = { HOME: home() };
    expect(obk(['--version'], env)).toEqual({ status: 0, stdout: `${version}\n`, stderr: '' });
    expect(obk(['payment', 'init', '--help'], env).stdout).toBe(
      readFileSync('dist/help/obk.payment.init.txt', 'utf8'),
    );
    expect(obk(['paymnt'], env)).toMatchObject({ status: 2, stdout: '' });
    expect(obk(['__complete', '--', 'sandbox', 'stat'], env).stdout).toMatch(/^status\t/);
    // What knows every command: the pages again, and what a journey may call.
    expect(obk(['help', 'payment', 'init', '--color', 'never'], env)).toMatchObject({
      status: 0,
      stderr: '',
    });
    expect(obk(['journey', 'list', '-o', 'name'], env).stdout).toMatch(/^pay-redirect$/m);
    const made = obk(
      [
        'cert',
        'create',
        '--type',
        'qwac',
        '--org-id',
        'PSDDE-BAFIN-123456',
        '--dir',
        env.HOME,
        '--jq',
        '.ca',
      ],
      env,
    );
    expect(made).toMatchObject({ status: 0, stdout: `${join(env.HOME, 'ca.pem')}\n` });
    // The keyring is asked by a process of its own, which is the executable again.
    const asked = obk(['__keyring', '@napi-rs/keyring', 'obk-test'], env, '{}');
    expect(asked).toEqual({ status: 0, stdout: '{"values":[]}', stderr: '' });
  });

  it('starts a bank in the background that is the executable, pays there, and ends it', () => {
    const env = { HOME: home(), OBK_SANDBOX_IDLE: '20s' };
    const paid = obk([...pay, '--psu-id', 'redirect'], env);
    expect(paid).toMatchObject({ status: 0 });
    const { pid } = JSON.parse(obk(['sandbox', 'status', '--json'], env).stdout) as { pid: number };
    expect(readlinkSync(`/proc/${String(pid)}/exe`)).toBe(executable);
    expect(obk(['sandbox', 'psu', 'approve', '@last'], env)).toMatchObject({ status: 0 });
    const { stdout } = obk(['payment', 'status', '@last', '--jq', '.transactionStatus'], env);
    expect(stdout.trim()).toMatch(/^AC[SC]/);
    expect(obk(['sandbox', 'stop'], env)).toMatchObject({ status: 0 });
  });

  describe.runIf(carriesSqlite)('keeps its database in the cache', () => {
    const kept = (cache: string) => readdirSync(join(cache, 'obk'));
    const people = (cache: string, more: NodeJS.ProcessEnv = {}) =>
      obk(['sandbox', 'people', 'redirect'], { HOME: home(), XDG_CACHE_HOME: cache, ...more }).status;
    const own = () => readFileSync(beside);

    it('for this user alone, once', () => {
      const cache = home();
      expect(people(cache)).toBe(0);
      const [name = '', ...more] = kept(cache);
      expect([name, ...more]).toEqual([expect.stringMatching(/^[0-9a-f]{16}-sqlite\.node$/)]);
      const file = join(cache, 'obk', name);
      expect(readFileSync(file).equals(own())).toBe(true);
      expect([statSync(file).mode & 0o777, statSync(join(cache, 'obk')).mode & 0o777]).toEqual([
        0o700, 0o700,
      ]);
      const before = statSync(file).ino;
      expect(people(cache)).toBe(0);
      expect(statSync(file).ino).toBe(before);
    });

    it.each([
      [
        'damaged',
        (file: string) => {
          writeFileSync(file, Buffer.alloc(own().length));
        },
      ],
      [
        'cut off',
        (file: string) => {
          writeFileSync(file, own().subarray(0, 4096));
        },
      ],
      [
        'open to others',
        (file: string) => {
          chmodSync(file, 0o777);
        },
      ],
      [
        'a link',
        (file: string) => {
          rmSync(file);
          symlinkSync(beside, file);
        },
      ],
    ])('and writes it anew where it is %s; that of another version goes', (_, spoil) => {
      const cache = home();
      expect(people(cache)).toBe(0);
      const file = join(cache, 'obk', kept(cache)[0]!);
      writeFileSync(join(cache, 'obk', '0123456789abcdef-sqlite.node'), 'of another version');
      spoil(file);
      expect(people(cache)).toBe(0);
      expect(kept(cache).map((name) => join(cache, 'obk', name))).toEqual([file]);
      expect(readFileSync(file).equals(own())).toBe(true);
      expect(statSync(file).mode & 0o777).toBe(0o700);
    });

    it('and never in a folder that others may change, nor by a link', () => {
      const open = home();
      mkdirSync(join(open, 'obk'));
      chmodSync(join(open, 'obk'), 0o777);
      const below = home();
      chmodSync(below, 0o777);
      const linked = home();
      symlinkSync(home(), join(linked, 'obk'));
      for (const cache of [open, below, linked]) {
        const TMPDIR = home();
        expect(people(cache, { TMPDIR })).toBe(0);
        expect([kept(cache), readdirSync(TMPDIR)]).toEqual([[], []]);
      }
      if (process.getuid?.() !== 0) return;
      const foreign = home();
      mkdirSync(join(foreign, 'obk'));
      chownSync(join(foreign, 'obk'), 54321, 54321);
      expect(people(foreign)).toBe(0);
      expect(kept(foreign)).toEqual([]);
    });
  });
});

/** What a Containerfile says, by instruction; lists are read. */
function containerfile(): Record<string, string> {
  const lines = readFileSync(join(work, 'out/Containerfile'), 'utf8').split('\n');
  const said = lines.filter((text) => text !== '' && !text.startsWith('#'));
  return Object.fromEntries(
    said.map((text) => [text.split(' ', 1)[0] ?? '', text.slice(text.indexOf(' ') + 1)]),
  );
}

/** The list of an instruction, with the port that this machine gives in place of the one that stands there. */
const listOf = (text: string, port: number) =>
  (JSON.parse(text.slice(text.indexOf('['))) as string[]).map((word) => word.replace('8080', String(port)));

/** Mounts that make `$0` the whole of a container's file system: read-only, with a /tmp that runs no programs. */
const readOnly = 'mount --bind "$0" "$0" && mount -o remount,bind,ro "$0" && mount -t proc proc "$0/proc"';
const tmpfs = 'mount -t tmpfs -o mode=1777,noexec none "$0/tmp"';

/** Runs a program in that container, as process 1 and as nobody; what is in `env` is all of its environment. */
function contain(mounts: string, folder: string, words: readonly string[], env: NodeJS.ProcessEnv = {}) {
  const before = [
    ...['--mount', '--pid', '--fork', '--kill-child', 'sh', '-c'],
    `PATH=/usr/sbin:/usr/bin:/sbin:/bin; ${mounts} && unset PATH PWD OLDPWD && exec "$CHROOT" --userspec=65534:65534 "$0" "$@"`,
  ];
  return {
    file: 'unshare',
    args: [...before, folder, ...words],
    env: { ...env, PATH: process.env['PATH'], CHROOT: '/usr/sbin/chroot' },
  };
}

describe.runIf(canPack)('the image', () => {
  it('holds what the executable needs and nothing more', () => {
    const files = readdirSync(image, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ name }) => name);
    expect(files.filter((name) => !/^(lib.*|ld-.*)\.so/.test(name)).sort()).toEqual([
      'group',
      'obk',
      ...(carriesSqlite ? ['obk-sqlite.node'] : []),
      'passwd',
    ]);
  });

  it('runs as its Containerfile says: nobody, read-only, process 1, healthy, until SIGTERM', async () => {
    if (!canIsolate) return;
    const port = 20_000 + (process.pid % 10_000);
    const said = containerfile();
    expect(said).toMatchObject({
      FROM: 'scratch',
      COPY: 'root/ /',
      USER: '65534:65534',
      STOPSIGNAL: 'SIGTERM',
    });
    const [name = '', value = ''] = (said['ENV'] ?? '').split('=');
    const { file, args, env } = contain(
      `${readOnly} && ${tmpfs}`,
      image,
      [...listOf(said['ENTRYPOINT'] ?? '', port), ...listOf(said['CMD'] ?? '', port), '--json'],
      { [name]: value },
    );
    const container = spawn(file, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
    cleanup.push(() => container.kill('SIGKILL'));
    let stderr = '';
    container.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
    const first = Promise.race([
      once(container.stdout, 'data'),
      once(container, 'close').then(() => {
        throw new Error(stderr);
      }),
    ]);
    const { baseUrl, pid } = JSON.parse(String((await first)[0])) as { baseUrl: string; pid: number };
    expect([baseUrl, pid]).toEqual([`http://127.0.0.1:${String(port)}`, 1]);
    expect((await fetch(`${baseUrl}/sandbox/api/health`)).status).toBe(200);
    const [served = ''] = readFileSync(
      `/proc/${String(container.pid)}/task/${String(container.pid)}/children`,
      'utf8',
    ).split(' ');
    const inside = (...words: string[]) =>
      spawnSync(
        'nsenter',
        [
          '--target',
          served,
          '--mount',
          '--pid',
          '/usr/sbin/chroot',
          '--userspec=65534:65534',
          image,
          ...words,
        ],
        { env: { PATH: process.env['PATH'], [name]: value }, encoding: 'utf8', timeout: 15_000 },
      );
    const health = listOf(said['HEALTHCHECK'] ?? '', port);
    expect(inside(...health)).toMatchObject({ status: 0 });
    expect(inside('/usr/bin/obk', ...pay, '--psu-id', 'embedded-none')).toMatchObject({ status: 0 });
    process.kill(Number(served), 'SIGTERM');
    const [code] = (await once(container, 'close')) as [number];
    expect(code).toBe(0);
    // Nothing answers any more.
    expect(obk(health.slice(1), { HOME: home() }).status).toBe(2);
  });

  it.each([
    [
      'without a database beside it and a place that runs programs',
      `${readOnly} && ${tmpfs}`,
      /cannot unpack SQLite.*failed to map.*TMPDIR=FOLDER/,
      carriesSqlite,
    ],
    [
      'without a folder that it can write',
      readOnly,
      /finds no folder that it can write.*read-only.*OBK_STATE_DIR=FOLDER/,
      true,
    ],
  ])('%s says so', (_, mounts, message, fails) => {
    if (!canIsolate || !fails) return;
    const alone = join(work, 'alone');
    if (!existsSync(alone)) spawnSync('cp', ['-a', '--link', image, alone]);
    rmSync(join(alone, 'usr/bin/obk-sqlite.node'), { force: true });
    const { file, args, env } = contain(mounts, alone, [
      '/usr/bin/obk',
      'sandbox',
      'start',
      '--open',
      '--port',
      '0',
      '--json',
    ]);
    const { status, stderr } = spawnSync(file, args, { env, encoding: 'utf8', timeout: 15_000 });
    expect({ status, stderr }).toMatchObject({ status: 3, stderr: expect.stringMatching(message) });
  });
});
