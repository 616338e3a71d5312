'use strict';
// The start of the single executable, which carries the build of obk and its packages as assets. JavaScript is compiled
// from them and never written to a disk. Native libraries are files, since the system loads nothing else: the one beside
// the executable, the one in the user's cache, or a fresh one that is gone once it is loaded.
const crypto = require('node:crypto');
const fs = require('node:fs');
const Module = require('node:module');
const path = require('node:path');
const vm = require('node:vm');
const { getRawAsset } = require('node:sea');

// Without /proc it is what the caller typed.
process.execPath = path.resolve(process.execPath);
/** A path that is no file and no folder on any disk: it goes through the executable. */
const root = process.execPath + '/';
const asset = (name) => Buffer.from(getRawAsset(name));

/** Each asset that is a file, each package with the asset that it is, each native library with its asset, size and hash. */
const { files, packages, natives } = JSON.parse(asset('contents.json').toString());
const known = new Set(files);
const nameOf = (file) => {
  const name = typeof file === 'string' ? path.posix.normalize(file) : '';
  return name.startsWith(root) && known.has(name.slice(root.length)) ? name.slice(root.length) : undefined;
};

/** The file system for the few modules that read files of the program. */
const withFiles = {
  ...fs,
  existsSync: (file) => nameOf(file) !== undefined || fs.existsSync(file),
  readFileSync(file, options) {
    const name = nameOf(file);
    if (name === undefined) return fs.readFileSync(file, options);
    const encoding = typeof options === 'string' ? options : options?.encoding;
    return encoding ? asset(name).toString(encoding) : asset(name);
  },
};
const readers = /^bin\/obk\.js$|^dist\/complete\.cjs$|^packages\/jq\.cjs$/;

const loaded = new Map();
const requireOf = (from) => {
  const find = (id) => {
    if (id.startsWith('.')) return path.posix.join(path.posix.dirname(from), id);
    return packages[id] ?? (Object.hasOwn(natives, id) ? id : undefined);
  };
  const own = (id) => {
    const part = id.replace(/^node:/, '');
    if (part === 'fs' && readers.test(from)) return withFiles;
    if (part === 'module') return { ...Module, createRequire: () => own };
    if (Module.isBuiltin(id)) return require(id);
    const name = find(id);
    if (Object.hasOwn(natives, name ?? '')) return native(name);
    if (name === undefined || !known.has(name)) throw missing(id);
    return load(name);
  };
  own.resolve = (id) => {
    const name = find(id);
    if (name === undefined) throw missing(id);
    return id;
  };
  return own;
};

function missing(id) {
  return Object.assign(new Error('The executable does not carry ' + id), { code: 'MODULE_NOT_FOUND' });
}

function load(name) {
  const before = loaded.get(name);
  if (before !== undefined) return before.exports;
  const module = { exports: {} };
  loaded.set(name, module);
  const filename = root + name;
  const parameters = ['exports', 'require', 'module', '__filename', '__dirname'];
  const run = vm.compileFunction(asset(name).toString(), parameters, { filename });
  run.call(module.exports, module.exports, requireOf(name), module, filename, path.dirname(filename));
  return module.exports;
}

/** Loads a native library, once; throws with code NATIVE_NOT_LOADED, and with each place that was tried in the message. */
function native(id) {
  const before = loaded.get(id);
  if (before !== undefined) return before.exports;
  const { name, size, sha256 } = natives[id];
  const tried = [];
  for (const place of [beside, cached, fresh]) {
    const exports = place({ name, size, sha256, content: () => asset(name) }, tried);
    if (exports === undefined) continue;
    loaded.set(id, { exports });
    return exports;
  }
  throw Object.assign(new Error(tried.join('\n')), { code: 'NATIVE_NOT_LOADED' });
}

function opened(file, tried) {
  const module = { exports: {} };
  try {
    process.dlopen(module, file);
    return module.exports;
  } catch (error) {
    tried.push(file + ': ' + error.message.replace(file + ': ', ''));
    return undefined;
  }
}

/** Whether a file is byte for byte the library of this executable, and nobody but this user, or root, can change it. */
function isOurs(file, { size, sha256 }, owners) {
  const there = fs.lstatSync(file, { throwIfNoEntry: false });
  if (!there?.isFile() || there.size !== size || !owners.includes(there.uid) || (there.mode & 0o022) !== 0)
    return false;
  return crypto.createHash('sha256').update(fs.readFileSync(file)).digest('hex') === sha256;
}

/** `obk-sqlite.node` in the folder of the executable, as an image with a read-only file system has it. */
function beside(library, tried) {
  const file = path.join(path.dirname(process.execPath), 'obk-' + library.name);
  try {
    return isOurs(file, library, [0, process.geteuid()]) ? opened(file, tried) : undefined;
  } catch {
    return undefined;
  }
}

/** The user's cache, by the hash of the content; a folder that others may change is left alone. */
function cached(library, tried) {
  const { XDG_CACHE_HOME, HOME } = process.env;
  const isSet = (folder) => folder !== undefined && path.isAbsolute(folder);
  const base = isSet(XDG_CACHE_HOME) ? XDG_CACHE_HOME : isSet(HOME) ? path.join(HOME, '.cache') : undefined;
  if (base === undefined) return undefined;
  try {
    const folder = path.join(base, 'obk');
    fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
    needOwn(folder);
    const file = path.join(fs.realpathSync(folder), library.sha256.slice(0, 16) + '-' + library.name);
    if (!isOurs(file, library, [process.geteuid()])) replace(file, library);
    return opened(file, tried);
  } catch (error) {
    tried.push(error.message);
    return undefined;
  }
}

/** Throws unless this user alone, or root, can put something into a folder, or another one in its place. */
function needOwn(folder) {
  const user = process.geteuid();
  if (!fs.lstatSync(folder).isDirectory()) throw new Error(folder + ': it is a link, or no folder');
  const own = fs.realpathSync(folder);
  for (let at = own; ; at = path.dirname(at)) {
    const { uid, mode } = fs.statSync(at);
    const isOthers = at === own ? uid !== user : uid !== user && uid !== 0;
    const isOpen = (mode & 0o022) !== 0 && (at === own || (mode & 0o1000) === 0);
    if (isOthers || isOpen) throw new Error(at + ': other users may change what stands in it');
    if (at === path.dirname(at)) return;
  }
}

/** Writes the library in one step, and takes away those of other versions. */
function replace(file, { name, content }) {
  const folder = path.dirname(file);
  const part = file + '.' + process.pid + '.tmp';
  try {
    fs.rmSync(part, { force: true });
    fs.writeFileSync(part, content(), { mode: 0o700, flag: 'wx' });
    fs.renameSync(part, file);
  } finally {
    fs.rmSync(part, { force: true });
  }
  const others = fs.readdirSync(folder).filter((other) => other.endsWith('-' + name));
  for (const other of others)
    if (other !== path.basename(file)) fs.rmSync(path.join(folder, other), { force: true });
}

/** Where no cache can be written: a file of this process alone, which the system keeps while it is loaded. */
function fresh(library, tried) {
  for (const base of new Set([process.env.TMPDIR || '/tmp', '/dev/shm'])) {
    let folder;
    try {
      folder = fs.mkdtempSync(path.join(base, 'obk-'));
      const file = path.join(folder, library.name);
      fs.writeFileSync(file, library.content(), { mode: 0o700, flag: 'wx' });
      const exports = opened(file, tried);
      if (exports !== undefined) return exports;
    } catch (error) {
      tried.push(error.message);
    } finally {
      if (folder !== undefined) fs.rmSync(folder, { recursive: true, force: true });
    }
  }
  return undefined;
}

// Where Node has its script stands the executable: nothing else has to be named to start it again.
process.argv[1] = process.execPath;
if (process.argv[2] === '__keyring') {
  const { keyringScript } = load('packages/keyring-script.cjs');
  process.argv.splice(1, 2);
  vm.compileFunction(keyringScript, ['require'])(requireOf('packages/keyring-script.cjs'));
} else load('bin/obk.js');
