import { spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { seeded } from '../helpers/kill-cycles.ts';
import { part, ranTable } from '../helpers/trials.ts';

/** A small dist/ whose program says of each chunk how it was compiled; bin/compiled.js keeps its code in `folder`. */
const home = mkdtempSync(join(tmpdir(), 'obk-compiled-'));
const dist = join(home, 'dist');
const starter = join(home, 'start.cjs');
let folder: string;

/** Functions that are compiled only where they are called, as in a chunk of many commands. */
const chunk = (exported: string) =>
  `exports.one = () => [${'1,'.repeat(400)}].length;\nexports.two = () => [${'2,'.repeat(400)}].length;\nexports.self = '${exported}';\n`;

beforeAll(() => {
  mkdirSync(join(dist, 'chunks'), { recursive: true });
  writeFileSync(join(dist, 'chunks', 'shared-Aa11.cjs'), chunk('shared'));
  for (const name of ['one', 'two'])
    writeFileSync(
      join(dist, 'chunks', `${name}-Bb22.cjs`),
      `const shared = require('./shared-Aa11.cjs'); exports.run = () => shared.${name}() + require('node:os').EOL;`,
    );
  writeFileSync(
    join(dist, 'main.cjs'),
    `const shared = require('./chunks/shared-Aa11.cjs'), fs = require('node:fs');
     const [name, end = ''] = process.argv.slice(2);
     if (end === 'serve') setInterval(() => undefined, 1000);
     Promise.resolve().then(() => {
       const { run } = require('./chunks/' + name + '-Bb22.cjs');
       if (end === 'more') require('./chunks/two-Bb22.cjs').run();
       fs.writeSync(1, JSON.stringify({ said: shared.self + run(), chunks: globalThis.chunks }));
       process.exitCode = end === 'fail' ? 5 : 0;
     });`,
  );
  // How V8 got the code of each chunk: from what was kept, or from the source.
  writeFileSync(
    starter,
    `const vm = require('node:vm'), { Script } = vm;
     globalThis.chunks = {};
     vm.Script = class extends Script {
       constructor(source, options) {
         super(source, options);
         const name = require('node:path').basename(options.filename);
         if (name !== 'main.cjs') chunks[name.split('-')[0]] = options.cachedData ? !this.cachedDataRejected : false;
       }
     };
     if (process.env.USER_ID) process.geteuid = () => Number(process.env.USER_ID);
     require(${JSON.stringify(resolve('bin/compiled.js'))}).start(${JSON.stringify(dist)}, process.env.FOLDER);`,
  );
});
beforeEach(() => {
  folder = join(mkdtempSync(join(home, 'cache-')), 'obk', 'compiled');
});
afterAll(() => {
  ranTable('damages to compiled code');
  rmSync(home, { recursive: true, force: true });
});

function run(args: string, env: NodeJS.ProcessEnv = {}) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [starter, ...args.split(' ')], {
    encoding: 'utf8',
    timeout: 10_000,
    env: { ...process.env, FOLDER: folder, ...env },
  });
  const { said, chunks } = JSON.parse(stdout) as { said: string; chunks: Record<string, boolean> };
  expect({ said, stderr }).toEqual({ said: 'shared400\n', stderr: '' });
  return { status, chunks };
}

const source = { status: 0, chunks: { shared: false, one: false } };
const kept = { status: 0, chunks: { shared: true, one: true } };
const files = () => readdirSync(folder).sort();
const path = (name: string) => join(folder, files().find((file) => file.startsWith(name)) ?? '');
const times = () => files().map((name) => [name, statSync(join(folder, name)).mtimeMs]);

describe('compiled code', () => {
  it('is kept by the first run and used by the next, which writes nothing', () => {
    expect(run('one')).toEqual(source);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    expect(files().map((name) => name.split('.cjs')[0])).toEqual(['one-Bb22', 'shared-Aa11']);
    const before = times();
    expect(run('one')).toEqual(kept);
    expect(times()).toEqual(before);
  });

  it('grows once by what another command needs, if that ended well', () => {
    run('one');
    const size = statSync(path('shared')).size;
    expect(run('two fail')).toMatchObject({ status: 5, chunks: { shared: true, two: false } });
    expect(statSync(path('shared')).size).toBe(size);
    expect(run('two')).toMatchObject({ chunks: { shared: true, two: true } });
    expect(statSync(path('shared')).size).toBeGreaterThan(size + 400);
    const before = times();
    for (const name of ['one', 'two']) run(name);
    expect(times()).toEqual(before);
  });

  it('grows once by what the same command needs where it has more to do', () => {
    run('one');
    const size = statSync(path('shared')).size;
    run('one more');
    expect(statSync(path('shared')).size).toBeGreaterThan(size + 400);
    const before = times();
    for (const args of ['one', 'one more']) run(args);
    expect(times()).toEqual(before);
  });

  const random = seeded(31);
  const rewritten = (change: (bytes: Buffer) => Uint8Array) => (file: string) => {
    writeFileSync(file, change(readFileSync(file)));
  };
  const flipped = rewritten((bytes) => {
    const at = Math.floor(random() * bytes.length);
    bytes[at] = (bytes[at] ?? 0) ^ (1 << Math.floor(random() * 8));
    return bytes;
  });
  const damages: readonly [string, (file: string) => void][] = [
    ['empty', rewritten(() => Buffer.alloc(0))],
    ['cut in half', rewritten((bytes) => bytes.subarray(0, bytes.length >> 1))],
    ['one byte too long', rewritten((bytes) => Buffer.concat([bytes, Buffer.from('x')]))],
    ['full of zeros', rewritten((bytes) => bytes.fill(0))],
    ['with one bit flipped', flipped],
    ['with another bit flipped', flipped],
    ['with a third bit flipped', flipped],
    [
      'that of another chunk',
      (file) => {
        cpSync(path('one'), file);
      },
    ],
    [
      'of everybody',
      (file) => {
        chmodSync(file, 0o666);
      },
    ],
    [
      'a link',
      (file) => {
        renameSync(file, `${file}.moved`);
        symlinkSync(`${file}.moved`, file);
      },
    ],
    [
      'a folder',
      (file) => {
        rmSync(file);
        mkdirSync(file);
      },
    ],
  ];
  it.each(part(damages, 4, 3))('that is %s is not used', (what, damage) => {
    run('one');
    damage(path('shared'));
    const half = { status: 0, chunks: { shared: false, one: true } };
    expect(run('one')).toEqual(half);
    // And whole again, where it can be replaced.
    expect(run('one')).toEqual(what === 'a folder' ? half : kept);
  });

  it.each<[string, () => NodeJS.ProcessEnv]>([
    ['everybody may write to', () => (chmodSync(folder, 0o777), {})],
    ['everybody may read', () => (chmodSync(folder, 0o755), {})],
    ['stands where everybody may write', () => (chmodSync(join(folder, '..'), 0o777), {})],
    ['is of another user', () => ({ USER_ID: '54321' })],
  ])('in a folder that %s is neither used nor written', (_, foreign) => {
    run('one');
    const env = foreign();
    const before = times();
    expect(run('one', env)).toEqual(source);
    expect(run('two', env).chunks).toEqual({ shared: false, two: false });
    expect(times()).toEqual(before);
  });

  it('is not missed where nothing can be written', () => {
    writeFileSync(join(folder, '..', '..', 'obk'), '');
    for (const _ of [1, 2]) expect(run('one')).toEqual(source);
    // A folder of this system takes none: its answer is ENOENT, although the one above is there.
    for (const FOLDER of ['/proc/self/obk/compiled', '/dev/null/obk/compiled'])
      expect(run('one', { FOLDER })).toEqual(source);
  });

  it('is whole after eight first runs at once', async () => {
    const env = { ...process.env, FOLDER: folder };
    const codes = await Promise.all(
      Array.from({ length: 8 }, () => {
        const child = spawn(process.execPath, [starter, 'one'], { env, stdio: 'ignore' });
        return new Promise((done) => child.once('close', done));
      }),
    );
    expect(codes).toEqual(Array(8).fill(0));
    expect(files()).toHaveLength(2);
    expect(run('one')).toEqual(kept);
  });

  it('of earlier builds goes after a month', () => {
    run('one');
    const [old, young] = ['gone-Cc33.cjs.v20.0.0-x64', 'young-Dd44.cjs.v20.0.0-x64'];
    for (const name of [old, young]) writeFileSync(join(folder, name), '');
    const then = Date.now() / 1000 - 31 * 24 * 3600;
    utimesSync(join(folder, old), then, then);
    run('one');
    expect(files()).toContain(old);
    run('two');
    expect(files()).toContain(young);
    expect(files()).not.toContain(old);
  });

  it('of a server is kept while it runs', async () => {
    const child = spawn(process.execPath, [starter, 'one', 'serve'], {
      env: { ...process.env, FOLDER: folder },
    });
    try {
      await vi.waitFor(
        () => {
          // Both under their names: until it is whole, a file is written beside its place.
          expect(files().filter((name) => !name.endsWith('.tmp'))).toHaveLength(2);
        },
        { timeout: 10_000 },
      );
    } finally {
      child.kill('SIGKILL');
    }
    expect(run('one')).toEqual(kept);
  });
});
