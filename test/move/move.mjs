// Renames the files of src and test/unit into the ten houses, and rewrites what names them: `node test/move/move.mjs .`
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { execFileSync } from 'node:child_process';
import { basename, dirname, join, relative, resolve, normalize } from 'node:path';
import { createRequire } from 'node:module';
import { newOf } from './map.mjs';
const root = resolve(process.argv[2]);
const require = createRequire(join(root, 'package.json'));
const ts = require('typescript');
const git = (...a) => execFileSync('git', a, { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 28 });
const files = git('ls-files').split('\n').filter(Boolean);
const moved = new Map();
for (const f of files) if (f.startsWith('src/')) moved.set(f, 'src/' + newOf(f.slice(4)));
// tests of units
const srcByBase = new Map();
for (const f of files)
  if (/^src\/.*\.(ts|json)$/.test(f)) {
    const b = basename(f).replace(/\.(d\.)?(ts|json)$/, '');
    srcByBase.set(b, [...(srcByBase.get(b) ?? []), f.slice(4)]);
  }
const room = (p) => p.split('/')[0];
for (const f of files) {
  if (!f.startsWith('test/unit/')) continue;
  const t = f.slice(10);
  if (f.endsWith('.test.ts')) {
    const b = basename(t, '.test.ts');
    const hits = srcByBase.get(b) ?? [];
    const same = hits.find((h) => dirname(h) === dirname(t) || (dirname(t) === '.' && dirname(h) === '.'));
    const near = hits.filter(
      (h) => room(h) === room(t) && !files.includes('test/unit/' + h.replace(/\.\w+$/, '.test.ts')),
    );
    const hit = same ?? (near.length === 1 ? near[0] : undefined);
    if (hit !== undefined && !KEEP().has(t)) {
      moved.set(f, 'test/unit/' + newOf(hit).replace(/[^/]*$/, '') + basename(t));
      continue;
    }
  }
  const n = newOf(t.replace('.test.ts', '.ts')) ?? special(t);
  if (n === undefined) {
    console.log('no house for', t);
    continue;
  }
  moved.set(f, 'test/unit/' + n.replace(/[^/]*$/, '') + basename(t));
}
function KEEP() {
  return new Set(process.env.KEEP?.split(',') ?? []);
}
function special(t) {
  return {
    'ci-report.test.ts': 'ci-report.test.ts',
    'package.test.ts': 'package.test.ts',
    'command-line-words.test.ts': 'base/x',
    'foreign-names.test.ts': 'cli/x',
    'long-texts.test.ts': 'cli/x',
    'printed-commands.test.ts': 'cli/x',
  }[t];
}
const targets = new Set(moved.values());
if (targets.size !== moved.size) {
  const seen = new Map();
  for (const [a, b] of moved) {
    if (seen.has(b)) console.log('CLASH', a, seen.get(b), b);
    seen.set(b, a);
  }
  process.exit(1);
}
const newPath = (f) => moved.get(f) ?? f;
const isDir = (p) => files.some((f) => f.startsWith(p + '/'));
function dirOf(p) {
  // a folder of src or test/unit -> its new place, where there is one
  for (const pre of ['src', 'test/unit']) {
    if (p === pre) return p;
    if (p.startsWith(pre + '/')) {
      const n = newOf(p.slice(pre.length + 1) + '/x');
      if (n) return pre + '/' + n.slice(0, -2);
    }
  }
  return p;
}
function target(p) {
  // path in repo (file, file without .ts, folder)
  if (files.includes(p)) return newPath(p);
  if (files.includes(p + '.ts')) return newPath(p + '.ts').slice(0, -3);
  if (isDir(p)) return dirOf(p);
  return undefined;
}
const fileSet = new Set(files);
files.includes = (f) => fileSet.has(f);
let changes = 0;
function literal(text, at) {
  // relative path
  if (/^\.\.?\//.test(text) && !/\s/.test(text)) {
    const [path, ...rest] = text.split('?');
    const trailing = path.endsWith('/') ? '/' : '';
    const full = normalize(join(dirname(at), path)).replace(/\/$/, '');
    const to = target(full);
    if (to === undefined) return text;
    const from = dirname(newPath(at));
    let rel = relative(from, to);
    if (!rel.startsWith('.')) rel = './' + rel;
    return rel + trailing + (rest.length ? '?' + rest.join('?') : '');
  }
  return inText(text);
}
function inText(text) {
  return text.replace(/(?<![\w/.-])((?:src|test\/unit)\/[\w./*-]*[\w*])(\/?)/g, (whole, path, slash) => {
    const to = target(path);
    return to === undefined ? whole : to + slash;
  });
}
function rewriteTs(f, text) {
  const kind = f.endsWith('.ts') ? ts.ScriptKind.TS : ts.ScriptKind.JS;
  const sf = ts.createSourceFile(f, text, ts.ScriptTarget.Latest, true, kind);
  const edits = [];
  const see = (n) => {
    if (ts.isStringLiteralLike(n) && !ts.isTemplateHead?.(n)) {
      const raw = text.slice(n.getStart(sf) + 1, n.getEnd() - 1);
      const to = literal(raw, f);
      if (to !== raw) edits.push([n.getStart(sf) + 1, n.getEnd() - 1, to]);
    }
    ts.forEachChild(n, see);
  };
  see(sf);
  // import types: import('x') inside types are literals too (handled). Comments:
  let out = text;
  for (const [a, b, to] of edits.sort((x, y) => y[0] - x[0])) {
    out = out.slice(0, a) + to + out.slice(b);
    changes++;
  }
  return out.replace(/(\/\/|\*).*$/gm, (c) => inText(c));
}
const contents = new Map();
for (const f of files) {
  if (/^(package-lock|CHANGELOG|LICENSE)/.test(f) || /\.(png|sta|zip|snap)$/.test(f)) continue;
  const path = join(root, f);
  if (!existsSync(path)) continue;
  const text = readFileSync(path, 'utf8');
  let out;
  if (/\.(ts|mjs|js|cjs)$/.test(f)) out = rewriteTs(f, text);
  else if (
    (/\.(md|json|run|sh|yml|yaml)$/.test(f) &&
      (/^(docs|\.ci)\//.test(f) ||
        ['CONTRIBUTING.md', 'README.md', 'SECURITY.md', 'package.json', 'tsconfig.json'].includes(f))) ||
    f.startsWith('.ci/')
  )
    out = inText(text);
  else continue;
  if (f === 'build.mjs') {
    const from = out.indexOf('const shared = ['),
      to = out.indexOf('\n];', from);
    const groups = out.slice(from, to).replace(/(name: )?'([a-z0-9][\w-]*(?:\/[\w-]+)*)'/g, (w, name, p) => {
      if (name) return w;
      const n = files.includes('src/' + p + '.ts')
        ? newOf(p + '.ts').slice(0, -3)
        : isDir('src/' + p) && newOf(p + '/x')
          ? newOf(p + '/x').slice(0, -2)
          : undefined;
      return n === undefined ? w : `'${n}'`;
    });
    out = (out.slice(0, from) + groups + out.slice(to)).replace(
      "'src', 'journeys', 'shipped.json'",
      "'src', 'tester', 'journeys', 'shipped.json'",
    );
  }
  if (out !== text) contents.set(f, out);
}
for (const [f, out] of contents) writeFileSync(join(root, f), out);
for (const [a, b] of moved)
  if (a !== b) {
    mkdirSync(join(root, dirname(b)), { recursive: true });
    git('mv', a, b);
  }
console.log(moved.size, 'moved', contents.size, 'rewritten', changes, 'literals');
