import { spawnSync } from 'node:child_process';
import fs, { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { unknownCommand } from '../../src/cli/program/usage.ts';
import { runInside } from '../helpers/inside.ts';
import { part, ranTable } from '../helpers/trials.ts';

/** By the name of each file: what it was made of, and what it loads at once or later. */
type Metafile = Record<string, { modules: string[]; atOnce: string[]; later: string[] }>;
interface Help {
  commands: Record<string, { names: string[]; runs: boolean; shown: boolean }>;
  elsewhere: Record<string, string[]>;
}

const read = (path: string): unknown => JSON.parse(readFileSync(path, 'utf8'));
type Versions = Record<string, string>;
const manifest = read('package.json') as { dependencies: Versions; optionalDependencies: Versions };
/** Parsing the command line needs commander, a message may need colour; whatever else is heavy waits. */
const heavy = Object.keys({ ...manifest.dependencies, ...manifest.optionalDependencies }).filter(
  (name) => !['commander', 'chalk'].includes(name),
);

/** The modules in a bundle and in all that it loads. */
function modulesFrom(meta: Metafile, entry: string, loading: ('atOnce' | 'later')[]): Set<string> {
  const seen = new Set<string>();
  const modules = new Set<string>();
  const queue = [entry];
  for (let name = queue.pop(); name !== undefined; name = queue.pop()) {
    const file = meta[name];
    if (file === undefined || seen.has(name)) continue;
    seen.add(name);
    for (const path of file.modules) modules.add(path);
    queue.push(...loading.flatMap((when) => file[when]));
  }
  return modules;
}

/** The packages among them. */
function packagesFrom(...of: Parameters<typeof modulesFrom>): Set<string> {
  const found = [...modulesFrom(...of)].map((path) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1]);
  return new Set(found.filter((name) => name !== undefined));
}

function run(file: string, args: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [file, ...args], {
    encoding: 'utf8',
    timeout: 10_000,
  });
  return { status, stdout, stderr };
}

/** As `run` of bin/obk.js, without a process: what it answers at once, before it loads anything. */
function answer(args: string[]) {
  const load = createRequire(import.meta.url);
  const written: Record<number, string> = {};
  const write = vi.spyOn(fs, 'writeSync').mockImplementation(((fd: number, bytes: Buffer, from: number) => {
    written[fd] = (written[fd] ?? '') + bytes.toString('utf8', from);
    return bytes.length - from;
  }) as typeof fs.writeSync);
  const before = [process.argv, process.exitCode] as const;
  process.argv = [process.execPath, 'obk', ...args];
  try {
    Reflect.deleteProperty(load.cache, load.resolve('../../bin/obk.js'));
    load('../../bin/obk.js');
    return { status: process.exitCode, stdout: written[1] ?? '', stderr: written[2] ?? '' };
  } finally {
    [process.argv, process.exitCode] = before;
    write.mockRestore();
  }
}

const xml = 'standard/formats/xml/xml';

describe.skipIf(!existsSync('src/main.ts'))('dist', () => {
  it('starts without the heavy packages, and has them for later', () => {
    const meta = read('dist/meta.json') as Metafile;
    const atStart = packagesFrom(meta, 'main.cjs', ['atOnce']);
    expect(atStart).toContain('commander');
    expect(heavy.filter((name) => atStart.has(name))).toEqual([]);
    expect(packagesFrom(meta, 'main.cjs', ['atOnce', 'later'])).toContain('undici');
    expect(packagesFrom(meta, 'main.cjs', ['atOnce', 'later'])).toContain('pg');
  });

  it('shares no heavy package among the commands', () => {
    const meta = read('dist/meta.json') as Metafile;
    const shared = Object.keys(meta).filter((name) => /^chunks\/(?:core|store)-/.test(name));
    expect(shared).toHaveLength(2);
    const packages = shared.flatMap((name) => [...packagesFrom(meta, name, ['atOnce'])]);
    expect(heavy.filter((name) => packages.includes(name))).toEqual([]);
  });

  it.each([
    ['payment/status', ['cli/commands/run/lead', 'standard/xs2a/check', 'cli/program/help']],
    ['payment/init', [xml, 'standard/formats/payments/csv', 'standard/formats/payments/pain001']],
    ['consent/create', ['cli/commands/payment/order', xml]],
    ['accounts/accounts', ['cli/commands/payment/order', xml, 'standard/formats/camt/camt']],
  ])('%s loads none of %j before it is needed', (command, needless) => {
    const meta = read('dist/meta.json') as Metafile;
    const of = `src/cli/commands/${command}.ts`;
    expect(needless.filter((path) => !existsSync(`src/${path}.ts`))).toEqual([]);
    const [name] = Object.entries(meta).find(([, { modules }]) => modules.includes(of)) ?? [''];
    const modules = modulesFrom(meta, name, ['atOnce']);
    expect(modules).toContain('src/cli/commands/run/with-target.ts');
    expect(needless.filter((path) => modules.has(`src/${path}.ts`))).toEqual([]);
    // Asked for by import() in every run: it must bring no file of its own.
    expect(modules).toContain('src/client/profile/state-place.ts');
  });

  it('has nearly all bindings that files take of each other as plain properties', () => {
    const files = readdirSync('dist/chunks').map((name) => readFileSync(join('dist/chunks', name), 'utf8'));
    const count = (form: RegExp) => files.reduce((sum, code) => sum + [...code.matchAll(form)].length, 0);
    const getters = count(
      /Object\.defineProperty\(exports,"[\w$]+",\{enumerable:!0,get:function\(\)\{return [\w$]+\}/g,
    );
    expect(count(/\bexports\.[\w$]+=/g)).toBeGreaterThan(20 * getters);
  });

  it('answers a TAB with what Node has loaded anyway', () => {
    const parts = readFileSync('dist/complete.cjs', 'utf8').matchAll(/require\("([^"]+)"\)/g);
    expect([...parts].map(([, part]) => part).sort()).toEqual(['node:fs', 'node:path']);
  });

  it.each([
    'cli/commands/sandbox/start',
    'bank/process/standalone',
    'bank/interface/api',
    'bank/config/read-bank',
  ])('%s loads none of what only the client has a use for', (path) => {
    const meta = read('dist/meta.json') as Metafile;
    const has = ({ modules }: { modules: string[] }) => modules.includes(`src/${path}.ts`);
    const [name] = Object.entries(meta).find(([, file]) => has(file)) ?? [''];
    const modules = [...modulesFrom(meta, name, ['atOnce'])];
    expect(modules).toContain(`src/${path}.ts`);
    expect(
      modules.filter((one) =>
        /^src\/(client\/(?!redaction|ports)|settings\/banks\/(?!template-name)|cli\/commands\/run)/.test(one),
      ),
    ).toEqual([]);
  });

  const { commands: tree, elsewhere } = existsSync('dist/help/tree.json')
    ? (read('dist/help/tree.json') as Help)
    : { commands: {}, elsewhere: {} };
  it('has a page for the tool itself', () => {
    expect(tree['']?.names).toEqual(expect.arrayContaining(['payment', 'profile', 'sandbox']));
  });

  it.each(Object.keys(tree))('obk %s --help: the fast path prints what the program prints', async (path) => {
    const args = [...path.split(' ').filter(Boolean), '--help'];
    const fast = answer(args);
    expect(fast).toMatchObject({ status: 0, stderr: '' });
    if (path === '') expect(run('bin/obk.js', args)).toEqual(fast);
    const { code, stdout, stderr } = await runInside(args, { env: process.env, cwd: process.cwd() });
    expect({ status: code, stdout, stderr }).toEqual(fast);
  });

  it.each(['paymnt', 'paymnt init --amount 1', 'payment inti', 'payment', 'sandbox nothing-like-it'])(
    'obk %s: the fast path refuses as the program does',
    (line) => {
      const fast = run('bin/obk.js', line.split(' '));
      expect(fast).toMatchObject({ status: 2, stdout: '' });
      expect(run('dist/main.cjs', line.split(' '))).toEqual(fast);
    },
  );

  it.each([[['']], [['help', '']], [['payment', '']], [['payment init']], [['help', 'payment init']]])(
    'obk %j: the program refuses as the fast path does',
    async (args) => {
      const { code, stdout, stderr } = await runInside(args, { env: process.env, cwd: process.cwd() });
      expect({ status: code, stdout, stderr }).toEqual(answer(args));
    },
  );

  /** Words that are no command: those of other programs, and the names of commands, misspelt. */
  const wrong = [
    ...['login', '', 'constructor', '__proto__', ...Object.keys(elsewhere)],
    ...Object.keys(tree).flatMap((path) => {
      const name = path.split(' ').at(-1) ?? '';
      return [
        name,
        name.toUpperCase(),
        name.slice(1),
        name.slice(0, -1),
        `${name.slice(0, 2)}x${name.slice(2)}`,
      ];
    }),
  ];
  const nouns = Object.keys(tree).filter(
    (path) => tree[path]?.names.length !== 0 && tree[path]?.runs === false,
  );
  const guessed = [...new Set(wrong)];
  afterAll(() => {
    ranTable(`${String(guessed.length)} wrong words after each noun`);
  });
  // Each noun meets other words here.
  it.each(nouns.map((path, at) => [path, at] as const))(
    'obk %s with a word that is no command: the fast path guesses as the program does',
    (path, at) => {
      const words = path.split(' ').filter(Boolean);
      for (const word of part(guessed, 12, at)) {
        if (Object.hasOwn(tree, [...words, word].join(' ')) || word === 'help') continue;
        const { title, hint } = unknownCommand(words, word);
        const tries = hint.map((line, at) => `${at === 0 ? '  Try:  ' : '        '}${line}\n`);
        const stderr = `✗ ${title}\n${tries.join('')}`;
        expect(answer([...words, word])).toEqual({ status: 2, stdout: '', stderr });
      }
    },
  );

  it('finds what a misspelt flag was to be, with what the bundle leaves out of the parser', () => {
    const { status, stdout, stderr } = run('bin/obk.js', ['payment', 'init', '--amout', '1']);
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
    expect(stderr).toContain('obk payment init has no flag --amout.\n  Try:  --amount\n');
  });
});
