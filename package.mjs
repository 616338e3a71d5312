// Packs what the build made into out/: `obk`, a single executable that needs no Node (Node's own, with the build as
// assets), and an image of it for containers: `root`, the folder that it consists of, and the Containerfile beside that.
import { rolldown } from 'rolldown';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const source = dirname(fileURLToPath(import.meta.url));
const out = resolve(process.argv[2] ?? join(source, 'out'));
const require = createRequire(import.meta.url);

/** Ends with what is missing on this machine, and what to do about it. */
function end(what, next) {
  process.stderr.write(`✗ ${what}\n  Try:  ${next}\n`);
  process.exit(1);
}

if (process.platform !== 'linux')
  end(`The executable is made on Linux; this is ${process.platform}.`, 'obk runs here from npm');
if (!existsSync(join(source, 'dist/main.cjs'))) end('There is no build to pack.', 'npm run build');
const postject = optional('postject') ?? end('The package postject is not installed.', 'npm ci');
const libc = process.report.getReport().header.glibcVersionRuntime === undefined ? 'musl' : 'gnu';
const target = `linux-${process.arch}-${libc}`;
const sentinel = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2';
if (!readFileSync(process.execPath).includes(sentinel))
  end(`${process.execPath} cannot hold another program.`, 'take Node from nodejs.org or Debian');

function optional(name) {
  try {
    return require(name);
  } catch (error) {
    if (error.code === 'MODULE_NOT_FOUND') return undefined;
    throw error;
  }
}

/** One file of ours as one file of JavaScript. */
async function bundled(input) {
  const bundler = await rolldown({ cwd: source, input, platform: 'node', transform: { target: 'node20' } });
  const { output } = await bundler.generate({ format: 'cjs', codeSplitting: false });
  await bundler.close();
  return output[0].code;
}

/**
 * The database as a native library, where the Node that is packed has none of its own: the one of the package for this system,
 * which is all that the package's own JavaScript looks for.
 */
function nativeSqlite() {
  if (process.getBuiltinModule('node:sqlite') !== undefined) return undefined;
  const manifest = resolved('@photostructure/sqlite/package.json');
  const name = `@photostructure+sqlite.${libc === 'gnu' ? 'glibc' : libc}.node`;
  const file = join(dirname(manifest ?? ''), 'prebuilds', `linux-${process.arch}`, name);
  return existsSync(file) ? file : end(`@photostructure/sqlite for ${target} is not installed.`, 'npm ci');
}

/** The assets by name, and the tables that the loader reads. */
async function assetsOf() {
  const assets = new Map([
    ['bin/obk.js', readFileSync(join(source, 'bin/obk.js'))],
    ['package.json', readFileSync(join(source, 'package.json'))],
    ['packages/keyring-script.cjs', await bundled('src/adapters/secrets/keyring-script.ts')],
  ]);
  for (const entry of readdirSync(join(source, 'dist'), { recursive: true, withFileTypes: true })) {
    const file = join(entry.parentPath, entry.name);
    const name = relative(source, file);
    if (!entry.isFile() || /^dist\/(meta\.json|sbom\.|man\/)/.test(name)) continue;
    assets.set(name, readFileSync(file));
  }
  const packages = {};
  const jq = resolved('jq-web');
  if (jq !== undefined) {
    packages['jq-web'] = 'packages/jq.cjs';
    assets.set('packages/jq.cjs', readFileSync(jq));
    assets.set('packages/jq.wasm', readFileSync(join(dirname(jq), 'jq.wasm')));
  }
  const natives = {};
  for (const [id, name, file] of [
    ['@photostructure/sqlite', 'sqlite.node', nativeSqlite()],
    ['@napi-rs/keyring', 'keyring.node', resolved(`@napi-rs/keyring-${target}`)],
  ]) {
    if (file === undefined) continue;
    const content = readFileSync(file);
    const sha256 = createHash('sha256').update(content).digest('hex');
    natives[id] = { name, size: content.length, sha256 };
    assets.set(name, content);
  }
  allCarried(assets);
  assets.set('contents.json', JSON.stringify({ files: [...assets.keys()], packages, natives }));
  return assets;
}

/** Ends where a file of the build asks for another that is left out: the executable would find that out in somebody's hands. */
function allCarried(assets) {
  for (const [name, content] of assets) {
    if (!/^dist\/.*\.cjs$/.test(name)) continue;
    for (const [, , path] of String(content).matchAll(/\brequire\((["'`])(\.[^"'`]+)\1\)/g)) {
      const asked = join(dirname(name), path);
      if (!assets.has(asked))
        end(`${name} asks for ${asked}, which is not among what is packed.`, 'npm run build');
    }
  }
}

function resolved(name) {
  try {
    return require.resolve(name);
  } catch {
    return undefined;
  }
}

/** Node's own program with the assets in a note of it, as Node's documentation of single executables says. */
async function writeExecutable(file) {
  const folder = mkdtempSync(join(tmpdir(), 'obk-package-'));
  try {
    const assets = {};
    for (const [name, content] of await assetsOf()) {
      assets[name] = join(folder, String(Object.keys(assets).length));
      writeFileSync(assets[name], content);
    }
    const [config, blob] = [join(folder, 'config.json'), join(folder, 'blob')];
    const main = join(source, 'packaging/loader.cjs');
    writeFileSync(
      config,
      JSON.stringify({ main, output: blob, assets, disableExperimentalSEAWarning: true, useCodeCache: true }),
    );
    execFileSync(process.execPath, ['--experimental-sea-config', config], {
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    const fresh = `${file}.${process.pid}.tmp`;
    copyFileSync(process.execPath, fresh);
    chmodSync(fresh, 0o755);
    await quietly(() =>
      postject.inject(fresh, 'NODE_SEA_BLOB', readFileSync(blob), { sentinelFuse: sentinel }),
    );
    renameSync(fresh, file);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Postject warns of sections that it does not know, one line each. */
async function quietly(work) {
  const { log, warn } = console;
  console.log = console.warn = () => undefined;
  try {
    await work();
  } finally {
    Object.assign(console, { log, warn });
  }
}

/** The image: the executable, its database beside it if that is a library, and the shared libraries of both; nothing else. */
function writeRoot(root, executable) {
  rmSync(root, { recursive: true, force: true });
  const put = (from, to) => {
    mkdirSync(join(root, dirname(to)), { recursive: true });
    copyFileSync(from, join(root, to));
    chmodSync(join(root, to), 0o755);
  };
  const database = nativeSqlite();
  put(executable, 'usr/bin/obk');
  if (database !== undefined) put(database, 'usr/bin/obk-sqlite.node');
  const programs = database === undefined ? [executable] : [executable, database];
  const needed = programs.flatMap((file) =>
    [...execFileSync('ldd', [file], { encoding: 'utf8' }).matchAll(/^\s*(?:\S+ => )?(\/\S+) \(/gm)].map(
      ([, path]) => path,
    ),
  );
  for (const path of new Set(needed)) put(realpathSync(path), path.slice(1));
  mkdirSync(join(root, 'proc'));
  mkdirSync(join(root, 'tmp'));
  chmodSync(join(root, 'tmp'), 0o1777);
  mkdirSync(join(root, 'etc'), { recursive: true });
  writeFileSync(join(root, 'etc/passwd'), 'nobody:x:65534:65534:nobody:/nonexistent:/usr/bin/obk\n');
  writeFileSync(join(root, 'etc/group'), 'nogroup:x:65534:\n');
}

mkdirSync(out, { recursive: true });
const executable = join(out, 'obk');
await writeExecutable(executable);
writeRoot(join(out, 'root'), executable);
copyFileSync(join(source, 'packaging/Containerfile'), join(out, 'Containerfile'));
process.stdout.write(`${executable}\n${join(out, 'root')}\n${join(out, 'Containerfile')}\n`);
