// Builds dist/: the bundle of src/, split so that a command loads only what it needs, and the help pages that
// bin/obk.js prints without loading it. Files that did not change are not touched, so that a build beside a
// running obk disturbs nothing.
import { rolldown } from 'rolldown';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { pageScript, scriptFolders } from './page-scripts.mjs';

const root = dirname(fileURLToPath(import.meta.url));
const dist = join(root, 'dist');
const written = new Set();

/** Replaces a file of dist/ in one step, and only when its content is another. */
function put(name, content) {
  const file = join(dist, name);
  const bytes = Buffer.from(content);
  written.add(file);
  if (existsSync(file) && readFileSync(file).equals(bytes)) return;
  mkdirSync(dirname(file), { recursive: true });
  const fresh = `${file}.${process.pid}.tmp`;
  writeFileSync(fresh, bytes);
  renameSync(fresh, file);
}

/**
 * What is never reached: of undici's client in HTTP/1.1 with bodies of bytes and a limit of its own for headers half of
 * its size, node:http2 and node:http; of commander the help pages and programs of their own; of chalk what it finds out
 * about the terminal, since the style says which colours there are.
 */
const unused = [
  /[\\/]undici[\\/]lib[\\/](?:web[\\/]fetch[\\/]body|dispatcher[\\/]client-h2)\.js$/,
  /[\\/]commander[\\/]lib[\\/]help\.js$/,
  /[\\/]chalk[\\/]source[\\/]vendor[\\/]supports-color[\\/]index\.js$/,
];
const unusedBuiltins = { 'node:http': /[\\/]undici[\\/]/, 'node:child_process': /[\\/]commander[\\/]/ };
const leftOut = new Set();
const lean = {
  name: 'lean',
  resolveId: {
    filter: { id: /^node:(?:http|child_process)$/ },
    handler: (id, importer = '') => (unusedBuiltins[id].test(importer) ? `\0unused ${id}` : undefined),
  },
  load: {
    filter: { id: [...unused, /^\0unused /] },
    handler: (id) => (leftOut.add(id), id.includes('chalk') ? 'export default {};' : 'module.exports = {};'),
  },
};

/** V8 compiles at once what stands as a function in parentheses; an arrow there it would read twice. */
const atOnce = {
  name: 'compile-at-once',
  renderChunk: (code) => code.replace(/^(var require_.* = .*\(\()\((.*)\) => \{$/gm, '$1function($2) {'),
};

/**
 * A native import needs the loader of ES modules, which takes its time, and which neither kept code nor the single executable
 * has: what is left are parts of Node.
 */
const required = {
  name: 'required',
  renderChunk(code, { fileName }) {
    const parts = /(?<![\w$.])import\(([`'"])(node:[\w/]+)\1\)/g;
    const without = code.replace(parts, 'Promise.resolve().then(()=>require("$2"))');
    const [left] = /(?<![\w$.])import\([`'"][^)]*\)/.exec(without) ?? [];
    if (left !== undefined)
      throw new Error(`${fileName}: nothing but parts of Node can be imported, not ${left}`);
    return without;
  },
};

/**
 * A binding that another file takes as a plain property, not as a getter: of more than a hundred getters V8 makes a dictionary, and
 * a call across files would go through its runtime. What may be written to later keeps its getter.
 */
const plainExports = {
  name: 'plain-exports',
  renderChunk(code) {
    const getter =
      /^Object\.defineProperty\(exports, (["'])([\w$]+)\1, \{\s*enumerable: true,\s*get: function \(\) \{\s*return ([\w$]+);\s*\}\s*\}\);$/gm;
    const declared = code.matchAll(/^(?:const|class|(?:async )?function\*?) ([\w$]+)/gm);
    const fixed = new Set([...declared].map(([, name]) => name));
    return code.replace(getter, (whole, _quote, name, binding) =>
      fixed.has(binding) ? `exports.${name} = ${binding};` : whole,
    );
  },
};

/** Other characters as escapes: a file that has one is read by the character, and takes twice the memory. */
const ascii = (code) =>
  code.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** Bundles to CommonJS, which starts faster than ES modules, and gives the files. */
async function bundle(input, output, ...plugins) {
  const bundler = await rolldown({
    cwd: root,
    input,
    platform: 'node',
    transform: { target: 'node20' },
    plugins: [lean, atOnce, plainExports, required, ...plugins],
    checks: { ineffectiveDynamicImport: false },
    // As shared files without all that their modules need ask for.
    preserveEntrySignatures: 'allow-extension',
    // Native or WebAssembly: they load their own files, and the optional ones may be missing.
    external: ['@photostructure/sqlite', '@napi-rs/keyring', 'jq-web'],
  });
  const { output: files } = await bundler.generate({
    format: 'cjs',
    entryFileNames: '[name].cjs',
    chunkFileNames: 'chunks/[name]-[hash].cjs',
    comments: false,
    // Names stay, for stack traces.
    minify: { compress: true, mangle: false, codegen: { removeWhitespace: true } },
    ...output,
  });
  await bundler.close();
  for (const { fileName, code } of files) put(fileName, ascii(code));
  return files;
}

/** What starts the built-in bank, and what it loads then. */
const bank = [
  'cli/commands/sandbox/start',
  'bank/process/standalone',
  'bank/interface/api',
  'bank/config/read-bank',
  'bank/config/fill',
];

/** What every call of the interface needs. */
const core = [
  'cli/commands/run/with-target',
  'client/oauth/refresh',
  'client/call/bank-headers',
  'client/exchange/transmit',
  'client/call/rate-limit',
  'client/exchange/addresses',
  'client/profile/state-place',
  'signing/organization-identifier',
];

/**
 * The files that nearly every command loads: each has what the modules in `of` load at once, where `with` is given only what those load
 * as well, and never what those in `without` load, which have no use for the rest of such a file. A module is in the first that takes
 * it. The bundler splits all others; docs/decisions.md has the measurements.
 */
const shared = [
  {
    name: 'start',
    of: ['cli/program/run', 'base/errors', 'cli/render/wrap', 'settings/banks/template-name'],
  },
  {
    name: 'store',
    of: [
      'adapters/settings/conf-settings',
      'adapters/secrets/conf-credentials',
      'adapters/files/lock-files',
      'adapters/files/picture-files',
      'adapters/files/user-files',
      'adapters/sqlite/home-state',
      'adapters/sqlite/earlier-state',
    ],
    without: bank,
  },
  { name: 'facts', of: core, with: bank },
  { name: 'core', of: core, without: bank },
  {
    name: 'saved',
    of: [
      'cli/commands/run/find-resource',
      'cli/commands/flags/watch-options',
      'cli/commands/output/exit-of-status',
      'cli/commands/output/rejected-lines',
      'cli/commands/flags/prompts',
      'client/payments/payment-status',
    ],
    without: bank,
  },
];

async function bundleProgram() {
  const imports = new Map();
  const graph = { name: 'graph', moduleParsed: ({ id, importedIds }) => void imports.set(id, importedIds) };
  const closures = new Map();
  const isOf = (names, id) => {
    if (!closures.has(names)) closures.set(names, closure(names, imports));
    return closures.get(names).has(id);
  };
  const groups = shared.map(({ name, of, with: also = of, without = [] }) => ({
    name,
    test: (id) => isOf(of, id) && isOf(also, id) && !isOf(without, id),
  }));
  const files = await bundle(
    { main: 'src/main.ts', pages: 'src/cli/program/pages.ts' },
    { codeSplitting: { groups, includeDependenciesRecursively: false } },
    graph,
  );
  const meta = files.map(({ fileName, modules, imports: atOnce, dynamicImports: later }) => [
    fileName,
    { modules: Object.keys(modules).map((id) => relative(root, id)), atOnce, later },
  ]);
  put('meta.json', JSON.stringify(Object.fromEntries(meta)));
  if (leftOut.size !== 6) throw new Error('undici, commander or chalk has moved what it need not load');
}

/** Modules of src/ with all that they import statically, and what that imports. */
function closure(names, imports) {
  const found = new Set(names.map((name) => join(root, 'src', `${name}.ts`)));
  const missing = [...found].filter((id) => !imports.has(id));
  if (missing.length > 0) throw new Error(`no modules of the program: ${missing.join(', ')}`);
  for (const id of found) for (const imported of imports.get(id) ?? []) found.add(imported);
  return found;
}

/**
 * One text per command; the tree that finds it, `{ 'payment init': { names, runs, shown } }`, and the words that other programs
 * have for a command, which lead to it.
 */
async function writeHelp() {
  const { helpTexts, elsewhere } = await import(pathToFileURL(join(dist, 'pages.cjs')).href);
  const texts = await helpTexts();
  const tree = {};
  for (const [path, { text, subcommands, hidden = false, runs = subcommands.length === 0 }] of Object.entries(
    texts,
  )) {
    const names = subcommands.filter((name) => !texts[`${path} ${name}`.trim()]?.hidden);
    tree[path] = { names, runs, shown: !hidden };
    put(join('help', `${['obk', ...path.split(' ')].filter(Boolean).join('.')}.txt`), text.trimEnd() + '\n');
  }
  put(
    join('help', 'tree.json'),
    JSON.stringify({ commands: tree, elsewhere: Object.fromEntries(elsewhere.commands) }),
  );
}

/** What the shells are told at a TAB. */
async function writeCompletion() {
  const { completion } = await import(pathToFileURL(join(dist, 'pages.cjs')).href);
  for (const [file, text] of Object.entries(await completion())) put(join('completion', file), text);
}

/** The manual page, which npm links where it is installed for all. */
async function writeManual() {
  const { manual } = await import(pathToFileURL(join(dist, 'pages.cjs')).href);
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  put(join('man', 'obk.1'), await manual(version));
}

/** The scripts in completions/, which are committed; a test compares them. */
async function writeScripts() {
  const { completionScript, scriptFiles, shells } = await import(pathToFileURL(join(dist, 'pages.cjs')).href);
  for (const shell of shells)
    writeFileSync(join(root, 'completions', scriptFiles[shell]), completionScript(shell));
}

/** What an earlier build left. */
function sweep() {
  for (const entry of readdirSync(dist, { recursive: true, withFileTypes: true })) {
    const file = join(entry.parentPath, entry.name);
    if (entry.isFile() && !written.has(file)) rmSync(file, { force: true });
  }
}

/** The journeys as a module, which is committed; a test compares them. */
function writeJourneys() {
  const names = readdirSync(join(root, 'journeys')).filter((name) => name.endsWith('.yaml'));
  const text = (name) => readFileSync(join(root, 'journeys', name), 'utf8');
  const all = Object.fromEntries(names.sort().map((name) => [name.replace(/\.yaml$/, ''), text(name)]));
  putInSource('src/tester/journeys/shipped.json', `${JSON.stringify(all, undefined, 2)}\n`);
}

/** Replaces a file of the sources that the build makes, only when its content is another. */
function putInSource(name, content) {
  const file = join(root, name);
  if (!existsSync(file) || readFileSync(file, 'utf8') !== content) writeFileSync(file, content);
}

writeJourneys();
for (const folder of scriptFolders) putInSource(`${folder}.json`, await pageScript(folder));
await bundleProgram();
// What answers a TAB is a file by itself, since it must cost nothing.
await bundle({ complete: 'src/cli/completion/complete.ts' }, { codeSplitting: false });
await writeHelp();
await writeCompletion();
await writeManual();
if (process.argv.includes('--completions')) await writeScripts();
sweep();
