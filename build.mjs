// Builds dist/: the bundle of src/, split so that a command loads only what it needs, and the help pages that
// bin/obk.js prints without loading it. Files that did not change are not touched, so that a build beside a
// running obk disturbs nothing.
import { build } from 'esbuild';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

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

/** CommonJS packages call require() through one function of esbuild's; only the file that has it needs the real one. */
function withRequire(text) {
  if (!/\btypeof require\b/.test(text)) return text;
  return `import{createRequire as $createRequire}from'node:module';const require=$createRequire(import.meta.url);\n${text}`;
}

/** What answers a TAB: one CommonJS file, since it must cost nothing. */
async function bundleCompletion() {
  const result = await build({
    absWorkingDir: root,
    entryPoints: ['src/completion/complete.ts'],
    outfile: 'dist/complete.cjs',
    bundle: true,
    format: 'cjs',
    platform: 'node',
    target: 'node20',
    minifySyntax: true,
    minifyWhitespace: true,
    charset: 'utf8',
    write: false,
    logLevel: 'warning',
  });
  for (const file of result.outputFiles) put(relative(dist, file.path), file.contents);
}

async function bundle(entryPoints) {
  const result = await build({
    absWorkingDir: root,
    entryPoints,
    outdir: 'dist',
    entryNames: '[name]',
    chunkNames: 'chunks/[name]-[hash]',
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    minifySyntax: true,
    minifyWhitespace: true,
    legalComments: 'none',
    charset: 'utf8',
    // Native or WebAssembly: they load their own files, and the optional ones may be missing.
    external: ['libsql', '@napi-rs/keyring', 'jq-web'],
    metafile: true,
    write: false,
    logLevel: 'warning',
  });
  for (const { path, text } of result.outputFiles) put(relative(dist, path), withRequire(text));
  put('meta.json', JSON.stringify(result.metafile));
}

/** One text per command, and the tree that finds it: `{ 'payment init': { names, runs, shown } }`. */
async function writeHelp() {
  const { helpTexts } = await import(pathToFileURL(join(dist, 'program.js')).href);
  const texts = await helpTexts();
  const tree = {};
  for (const [path, { text, subcommands, hidden = false, runs = subcommands.length === 0 }] of Object.entries(
    texts,
  )) {
    const names = subcommands.filter((name) => !texts[`${path} ${name}`.trim()]?.hidden);
    tree[path] = { names, runs, shown: !hidden };
    put(join('help', `${['obk', ...path.split(' ')].filter(Boolean).join('.')}.txt`), text.trimEnd() + '\n');
  }
  put(join('help', 'tree.json'), JSON.stringify(tree));
}

/** What the shells are told at a TAB. */
async function writeCompletion() {
  const { completion } = await import(pathToFileURL(join(dist, 'program.js')).href);
  put('completion.json', JSON.stringify(await completion()));
}

/** The scripts in completions/, which are committed; a test compares them. */
async function writeScripts() {
  const { completionScript, scriptFiles, shells } = await import(
    pathToFileURL(join(dist, 'program.js')).href
  );
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

await bundle(['src/main.ts', 'src/program.ts']);
await bundleCompletion();
await writeHelp();
await writeCompletion();
if (process.argv.includes('--completions')) await writeScripts();
sweep();
