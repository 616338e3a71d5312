import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Linter } from 'eslint';
import type { ESLint } from 'eslint';
import { describe, expect, it } from 'vitest';
import { drawn } from './helpers/architecture/drawings.ts';
import { unusedExports } from './helpers/architecture/exports.ts';
import { violations } from './helpers/architecture/house.ts';
import { allowed, planted } from './helpers/architecture/planted.ts';
import { idleRevealers } from './helpers/architecture/reveals.ts';
import { budgets, tokensByHouse, tokensIn } from './helpers/architecture/tokens.ts';
import { circleOfRows, circles, crowds } from './helpers/architecture/whole.ts';

const files = ['src', 'test', 'bin']
  .flatMap((folder) =>
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && /\.(ts|js)$/.test(entry.name))
      .map((entry) => join(entry.parentPath, entry.name)),
  )
  .concat('build.mjs');

const sources = files.map((path) => ({ path, text: readFileSync(path, 'utf8') }));

describe('the source tree', () => {
  it.each(sources)('keeps the rules in $path', (source) => {
    expect(violations(source)).toEqual([]);
  });

  it('has no circle of files, and no room that is too full or empty', () => {
    expect(circles(sources)).toEqual([]);
    expect(circleOfRows()).toEqual([]);
    expect(crowds(files)).toEqual([]);
  });

  it('exports nothing that no other file imports', () => {
    expect(unusedExports(sources)).toEqual([]);
  });

  it('has no part with more tokens than it may have', () => {
    const found = [...tokensByHouse(sources)];
    expect(found.map(([house]) => house).sort()).toEqual(Object.keys(budgets).sort());
    expect(found.filter(([house, count]) => count > (budgets[house] ?? 0))).toEqual([]);
  });

  it.each([
    ['const a = 1; // no token', 5],
    ['const a = `x${`y${{ b: 1 }.b}`}z`;', 15],
    ['const a = /[}`]/g.test(b) ? 4 / 2 / 1 : /`/;', 18],
  ])('counts the tokens of %s', (text, count) => {
    expect(tokensIn(text)).toBe(count);
  });

  it('has no row for a file that reveals less than it claims', () => {
    expect(idleRevealers(sources)).toEqual([]);
  });

  it.each(drawn())('is drawn in $file (`npm run graph -- --write`)', ({ is, due }) => {
    expect(is).toBe(due);
  });
});

describe('the list of functions above the bounds of lint', () => {
  const file = 'test/helpers/architecture/long-functions.txt';
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n');

  it('has no more lines than it had: this number is only ever made smaller', () => {
    expect(lines.length).toBeLessThanOrEqual(130);
  });

  it('is sorted, names each function once, and names files that exist', () => {
    expect(lines).toEqual([...new Set(lines)].sort());
    expect(lines.filter((line) => !existsSync(line.slice(0, line.indexOf(' '))))).toEqual([]);
  });

  it('is checked against the code by lint, in both directions', async () => {
    const module = join(import.meta.dirname, 'helpers/architecture/bounds.js');
    const { rules } = (await import(module)) as {
      rules: Linter.Config & { plugins: Record<string, ESLint.Plugin> };
    };
    const wrongIn = (filename: string, text: string): string[] =>
      new Linter().verify(text, [{ files: ['**/*.ts'], ...rules }], filename).map(({ message }) => message);
    const [path = '', name = ''] = (lines[0] ?? '').split(' ');

    expect(wrongIn(path, '')).toContainEqual(expect.stringContaining(`${path} ${name}`));
    expect(wrongIn(path, 'class A { b(c, d, e, f, g) {} }')).toContainEqual(
      expect.stringMatching(/^A\.b has too many parameters/),
    );
    expect(wrongIn('src/main.ts', 'const f = (a, b, c, d) => a;')).toEqual([]);
  });
});

describe('docs/architecture.md', () => {
  const page = readFileSync('docs/architecture.md', 'utf8');
  const named = [...page.matchAll(/`((?:src|test|bin)\/[\w./-]+)/g)].map(([, path = '']) => path);

  it.each([...new Set(named)])('names %s, which exists', (path) => {
    expect(existsSync(path)).toBe(true);
  });

  it('names files of every room that the walks go through', () => {
    expect(new Set(named).size).toBeGreaterThan(60);
  });
});

describe('test/README.md', () => {
  const page = readFileSync('test/README.md', 'utf8');
  const named = [...page.matchAll(/`([a-z-]+\.ts)/g)].map(([, name = '']) => name);

  it.each([...new Set(named)])('names the helper %s, which exists', (name) => {
    expect(existsSync(join('test/helpers', name))).toBe(true);
  });
});

describe('the check of the house', () => {
  it.each(planted)('finds a planted violation: %s: %s', (path, text, wrong) => {
    expect(violations({ path, text })).toEqual([expect.stringContaining(wrong)]);
  });

  it.each<[string, string, string]>([
    ['of types', "import type { B } from './b.ts';", "import type { A } from './a.ts';"],
    ['of import()', "const b = await import('./b.ts');", "import { a } from './a.ts';"],
    ['of a type that is named in place', "type B = import('./b.ts').B;", "export * from './a.ts';"],
  ])('finds a planted circle %s', (_of, a, b) => {
    const sources = [
      { path: 'src/client/call/a.ts', text: a },
      { path: 'src/client/call/b.ts', text: b },
    ];
    expect(circles(sources)).toEqual([['client/call/a', 'client/call/b', 'client/call/a']]);
  });

  it.each<[string, string, string]>([
    ['an unused value', 'export const left = 1; const all = left;', ''],
    ['an unused function', 'export function left() {}', "import { right } from './a.ts';"],
    ['an unused type', 'export interface left {}', ''],
    ['a name that is passed on', "export { left } from './c.ts';", ''],
    ['a name that is passed on by nobody', 'export const left = 1;', "export * from './a.ts';"],
    ['an unused part', 'export const { run, left } = f(); run();', "const { run } = await import('./a.ts');"],
  ])('finds %s', (_of, a, b) => {
    const sources = [
      { path: 'src/client/call/a.ts', text: a },
      { path: 'src/client/call/b.ts', text: b },
    ];
    expect(unusedExports(sources)).toEqual([
      'src/client/call/a.ts: exports left, and no other file takes it',
    ]);
    const taker = { path: 'test/x.test.ts', text: "import { left } from '../src/client/call/a.ts';" };
    expect(unusedExports([...sources, taker])).toEqual([]);
  });

  it('finds a circle of the rows, a crowded folder and a row without a room', () => {
    expect(circleOfRows({ 'client/a': ['b'], 'client/b': ['c'], 'client/c': ['a'] })).toHaveLength(4);
    const crowd = Array.from({ length: 25 }, (_, at) => `src/client/call/${String(at)}.ts`);
    expect(crowds(crowd)).toContain('src/client/call: 25 files, 24 is the limit');
    expect(crowds([])).toContain('client/call: the row of a room that has no file');
  });

  it.each(allowed)('allows in %s: %s', (path, text) => {
    expect(violations({ path, text })).toEqual([]);
  });
});
