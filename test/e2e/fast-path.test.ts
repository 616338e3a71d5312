import { execFileSync, spawnSync } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

/** bin/obk.js beside a small dist/ of its own, whose main says what it was given. */
const home = mkdtempSync(join(tmpdir(), 'obk-fast-'));
const bin = join(home, 'bin', 'obk.js');

const pages: Record<string, string> = {
  '': 'USAGE  obk NOUN VERB\n',
  payment: 'USAGE  obk payment VERB\n',
  'payment init': 'EXIT CODES\n  of obk payment init\n',
  'payment get': 'obk payment get\n',
  'consent get': 'obk consent get\n',
  consent: 'obk consent\n',
  basket: 'obk basket\n',
  'basket list': 'obk basket list\n',
  accounts: 'obk accounts\n',
  'accounts list': 'obk accounts list\n',
  help: 'obk help\n',
  'help exit-codes': '0 ok\n',
  __complete: 'hidden\n',
};
const tree: Record<string, { names: string[]; runs: boolean; shown: boolean }> = {
  '': { names: ['payment', 'consent', 'basket', 'accounts', 'help'], runs: false, shown: true },
  payment: { names: ['init', 'get'], runs: false, shown: true },
  'payment init': { names: [], runs: true, shown: true },
  'payment get': { names: [], runs: true, shown: true },
  consent: { names: ['get'], runs: false, shown: true },
  'consent get': { names: [], runs: true, shown: true },
  basket: { names: ['list'], runs: false, shown: true },
  'basket list': { names: [], runs: true, shown: true },
  accounts: { names: ['list'], runs: true, shown: true },
  'accounts list': { names: [], runs: true, shown: true },
  help: { names: ['exit-codes'], runs: true, shown: true },
  'help exit-codes': { names: [], runs: true, shown: true },
  __complete: { names: [], runs: true, shown: false },
};
const elsewhere = { show: ['view', 'get'], pay: ['payment init'], ls: ['list'], logs: ['log'] };

function obk(
  args: string[],
  options: { node?: string[]; env?: NodeJS.ProcessEnv; bin?: string; cwd?: string } = {},
) {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [...(options.node ?? []), options.bin ?? bin, ...args],
    { encoding: 'utf8', timeout: 10_000, env: { ...process.env, ...options.env }, cwd: options.cwd },
  );
  return { status, stdout, stderr };
}

beforeAll(() => {
  cpSync('bin', join(home, 'bin'), { recursive: true });
  writeFileSync(join(home, 'package.json'), '{"type":"module","version":"7.8.9"}');
  mkdirSync(join(home, 'dist', 'help'), { recursive: true });
  writeFileSync(
    join(home, 'dist', 'main.cjs'),
    'require("./chunks/say-Aa11.cjs").say(...process.argv.slice(2));',
  );
  mkdirSync(join(home, 'dist', 'chunks'));
  writeFileSync(
    join(home, 'dist', 'chunks', 'say-Aa11.cjs'),
    'exports.say = (...words) => console.log("main", ...words);',
  );
  writeFileSync(join(home, 'dist', 'help', 'tree.json'), JSON.stringify({ commands: tree, elsewhere }));
  for (const [path, text] of Object.entries(pages)) {
    const name = ['obk', ...path.split(' ')].filter(Boolean).join('.');
    writeFileSync(join(home, 'dist', 'help', `${name}.txt`), text);
  }
});
afterAll(() => {
  rmSync(home, { recursive: true, force: true });
});

describe('pages', () => {
  it.each<[string, string]>([
    ['--help', ''],
    ['-h', ''],
    ['help', ''],
    ['payment --help', 'payment'],
    ['payment -h --wrong', 'payment'],
    ['payment help', 'payment'],
    ['help payment', 'payment'],
    ['payment init --help', 'payment init'],
    ['payment init --amount 1 --no-such-flag -h', 'payment init'],
    ['payment get some-id --help', 'payment get'],
    ['payment init help', 'payment init'],
    ['payment help init', 'payment init'],
    ['help payment init', 'payment init'],
    ['help help', 'help'],
    ['help exit-codes', 'help exit-codes'],
    ['accounts --help', 'accounts'],
  ])('obk %s prints one page on stdout', (line, path) => {
    expect(obk(line.split(' '))).toEqual({ status: 0, stdout: pages[path], stderr: '' });
  });

  it.each<[string, string]>([
    ['', ''],
    ['payment', 'payment'],
  ])('a noun alone (obk %s) prints its page on stderr and exits 2', (line, path) => {
    expect(obk(line.split(' ').filter(Boolean))).toEqual({ status: 2, stdout: '', stderr: pages[path] });
  });
});

describe('wrong commands', () => {
  it.each<[string, string, string[]]>([
    ['paymnt', 'obk has no command "paymnt"', ['obk payment']],
    ['paymnet init --amount 1', 'obk has no command "paymnet"', ['obk payment']],
    ['pay', 'obk has no command "pay"', ['obk payment init']],
    ['payment Show', 'obk payment has no command "Show"', ['obk payment get']],
    ['logs', 'obk has no command "logs"', ['obk --help']],
    ['PAYM', 'obk has no command "PAYM"', ['obk payment']],
    ['payment accounts', 'obk payment has no command "accounts"', ['obk accounts']],
    ['payment basket @last', 'obk payment has no command "basket"', ['obk basket list']],
    ['payment intt', 'obk payment has no command "intt"', ['obk payment init']],
    ['get', 'obk has no command "get"', ['obk payment get', 'obk consent get']],
    ['payment xyzzy', 'obk payment has no command "xyzzy"', ['obk payment --help']],
    ['paymnt --help', 'obk has no command "paymnt"', ['obk payment']],
    ['help paymnt', 'obk has no command "paymnt"', ['obk payment']],
    ['constructor', 'obk has no command "constructor"', ['obk --help']],
    ['__complet', 'obk has no command "__complet"', ['obk --help']],
    ['\u001b[2J', 'obk has no command "\\u001b[2J"', ['obk --help']],
  ])('obk %s', (line, what, tries) => {
    const { status, stdout, stderr } = obk(line.split(' '));
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
    expect(stderr).toBe(`✗ ${what}.\n  Try:  ${tries.join('\n        ')}\n`);
  });
});

describe('words that no command has', () => {
  it.each<[string[], string, string]>([
    [[''], 'obk has no command ""', 'obk --help'],
    [['', '--help'], 'obk has no command ""', 'obk --help'],
    [['help', ''], 'obk has no command ""', 'obk --help'],
    [['', 'payment', 'init'], 'obk has no command ""', 'obk --help'],
    [['payment', ''], 'obk payment has no command ""', 'obk payment --help'],
    [['payment', '', '-h'], 'obk payment has no command ""', 'obk payment --help'],
    [['help', 'payment', ''], 'obk payment has no command ""', 'obk payment --help'],
    [[' '], 'obk has no command " "', 'obk --help'],
    [['payment init'], 'obk has no command "payment init"', 'obk payment init'],
    [['help', 'payment init'], 'obk has no command "payment init"', 'obk payment init'],
    [['help', 'help exit-codes'], 'obk has no command "help exit-codes"', 'obk help exit-codes'],
    [['help', '../package'], 'obk has no command "../package"', 'obk --help'],
    [['help', '__proto__'], 'obk has no command "__proto__"', 'obk --help'],
    [['help', 'toString'], 'obk has no command "toString"', 'obk --help'],
    [['\n'], 'obk has no command "\\n"', 'obk --help'],
    [['x'.repeat(20_000)], `obk has no command "${'x'.repeat(20_000)}"`, 'obk --help'],
  ])('%j', (args, what, tried) => {
    expect(obk(args)).toEqual({ status: 2, stdout: '', stderr: `✗ ${what}.\n  Try:  ${tried}\n` });
  });
});

describe('everything else is for the program', () => {
  it.each([
    'payment init',
    'payment init --amount 1',
    'payment init -- --help',
    'payment init --help sca',
    'payment init -h all',
    'payment get id',
    'payment --json',
    'payment --profile x init --help',
    '--profile x payment init --help',
    'paymnt --json',
    'paymnt --as json',
    'accounts',
    'accounts --json',
    'accounts something',
    'version --json',
    'help exit-codes --json',
    '-- --help',
  ])('obk %s', (line) => {
    expect(obk(line.split(' '))).toEqual({ status: 0, stdout: `main ${line}\n`, stderr: '' });
  });
});

describe('version, and what the machine lacks', () => {
  it.each(['--version', '-V', 'version'])('obk %s', (line) => {
    expect(obk([line])).toEqual({ status: 0, stdout: '7.8.9\n', stderr: '' });
  });

  it.each(['18.20.0', '20.18.3'])('Node %s is too old, whatever is asked', (node) => {
    const old = join(home, 'old.cjs');
    writeFileSync(
      old,
      `const v = '${node}';
       Object.defineProperty(process, 'version', { value: 'v' + v });
       Object.defineProperty(process, 'versions', { value: { ...process.versions, node: v } });`,
    );
    const stderr = `✗ obk needs Node.js 20.19 or newer; this is v${node}.\n`;
    expect(obk(['--version'], { node: ['--require', old] })).toEqual({ status: 1, stdout: '', stderr });
  });

  it('says that nothing is built', () => {
    const bare = join(home, 'bare');
    cpSync('bin', join(bare, 'bin'), { recursive: true });
    const answer = obk(['--help'], { bin: join(bare, 'bin', 'obk.js') });
    expect(answer).toEqual({ status: 1, stdout: '', stderr: 'not built: npm run build\n' });
  });

  it.each<[string, (dist: string) => void, string[]]>([
    [
      'a page is missing',
      (dist) => {
        rmSync(join(dist, 'help', 'obk.payment.txt'));
      },
      ['payment', '--help'],
    ],
    [
      'the tree is broken',
      (dist) => {
        writeFileSync(join(dist, 'help', 'tree.json'), '{');
      },
      ['payment'],
    ],
    [
      'the program is broken',
      (dist) => {
        writeFileSync(join(dist, 'main.cjs'), '((');
      },
      ['payment', 'init'],
    ],
    ['completion is missing', () => undefined, ['__complete', '--', '']],
  ])('says in one line that %s', (_, damage, args) => {
    const damaged = mkdtempSync(join(tmpdir(), 'obk-damaged-'));
    cpSync(home, damaged, { recursive: true });
    damage(join(damaged, 'dist'));
    const { status, stdout, stderr } = obk(args, {
      bin: join(damaged, 'bin', 'obk.js'),
      env: { NODE_DISABLE_COMPILE_CACHE: '1' },
    });
    rmSync(damaged, { recursive: true });
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
    expect(stderr).toMatch(/^✗ obk could not start: .+\n {2}Install it again\.\n$/);
  });

  it('fails when the output is lost, and not when the reader has gone', () => {
    const full = spawnSync(process.execPath, [bin, '--help'], {
      stdio: ['ignore', openSync('/dev/full', 'w'), 'pipe'],
    });
    expect({ status: full.status, stderr: String(full.stderr) }).toEqual({
      status: 1,
      stderr: '✗ The output could not be written: ENOSPC\n',
    });
    const script = '"$1" "$2" --help | true; printf %s "${PIPESTATUS[0]}"';
    expect(execFileSync('bash', ['-c', script, '-', process.execPath, bin], { encoding: 'utf8' })).toBe('0');
  });
});

describe('compiled code', () => {
  it.each<[string, (cache: string) => NodeJS.ProcessEnv, boolean]>([
    ['the cache folder', (cache) => ({ XDG_CACHE_HOME: cache }), true],
    ['a relative one', () => ({ XDG_CACHE_HOME: 'cache' }), false],
    ['a home', (cache) => ({ XDG_CACHE_HOME: '', HOME: cache }), true],
    ['the folder of Node', (cache) => ({ XDG_CACHE_HOME: 'none', NODE_COMPILE_CACHE: `${cache}/obk` }), true],
    ['none', (cache) => ({ XDG_CACHE_HOME: cache, NODE_DISABLE_COMPILE_CACHE: '1' }), false],
  ])('is kept in %s', (_, envOf, kept) => {
    const cache = mkdtempSync(join(home, 'cache-'));
    const env = { NODE_COMPILE_CACHE: undefined, ...envOf(cache) };
    for (const run of ['first', 'second'])
      expect(obk(['payment', 'init'], { env, cwd: cache }), run).toMatchObject({ status: 0 });
    const files = readdirSync(cache, { recursive: true }).map(String);
    // Node 22.1 and later do it themselves.
    expect(files.some((name) => /^(\.cache\/)?obk\/(compiled\/say-Aa11\.cjs\.v20|v\d+).*/.test(name))).toBe(
      kept,
    );
  });
});

describe('what an answer loads', () => {
  const log = join(home, 'loaded.json');
  const spy = join(home, 'spy.cjs');
  beforeAll(() => {
    writeFileSync(
      spy,
      `process.on('exit', () => require('fs').writeFileSync(${JSON.stringify(log)}, JSON.stringify({
         files: Object.keys(require.cache), builtins: process.moduleLoadList })));`,
    );
  });
  const loaded = (line: string) => {
    obk(line.split(' '), { node: ['--require', spy] });
    return JSON.parse(readFileSync(log, 'utf8')) as { files: string[]; builtins: string[] };
  };
  /** What Node itself has loaded by the time any script runs. */
  const network = (builtins: string[]) =>
    builtins.filter((name) => /NativeModule (net|tls|http|https|tty)$/.test(name));

  it.each(['--version', '--help', 'payment init --help', 'paymnt', 'pay', 'payment ls', 'payment'])(
    'obk %s: one file',
    (line) => {
      const { files, builtins } = loaded(line);
      expect(files).toEqual([spy, bin]);
      expect(network(builtins)).toEqual([]);
    },
  );

  it('sees more when there is more', () => {
    expect(network(loaded('payment init').builtins)).not.toEqual([]);
  });
});
