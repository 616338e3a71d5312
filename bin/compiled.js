'use strict';
// Keeps the compiled code of dist/ between runs, since Node 20 does not: reading and compiling the source is a third of a short
// run. The name of a chunk is a hash of its content, so its code fits as long as the name and Node are the same. V8 itself checks
// neither the content nor who wrote it: what stands here was written by this user alone, and has a hash of its own.
const { createHash } = require('crypto');
const fs = require('fs');
const { dirname, join } = require('path');
const { setTimeout } = require('timers');
const vm = require('vm');

// As Node wraps a module; to load the part `module` for it would cost a millisecond.
const { wrap } = module.constructor;

const { O_NOFOLLOW, O_NONBLOCK, O_RDONLY } = fs.constants;
const hashSize = 32;
const largest = 16 * 1024 * 1024;
const keptMs = 30 * 24 * 3_600_000;
/** A server keeps what it has used to start: an hour later V8 has thrown that away. */
const serverMs = 2_000;

/** Whether nobody but this user, or root, can put or replace a file in this folder; `folder` without links. */
function isOwn(folder) {
  const [uid, gid] = [process.geteuid(), process.getegid()];
  for (let at = folder; ; at = dirname(at)) {
    const seen = fs.lstatSync(at);
    if (at === folder) {
      if (seen.uid !== uid || (seen.mode & 0o077) !== 0) return false;
    } else {
      const others = (seen.mode & 0o002) !== 0 || ((seen.mode & 0o020) !== 0 && seen.gid !== gid);
      // In a folder with the sticky bit others cannot replace what is ours.
      if ((seen.uid !== uid && seen.uid !== 0) || (others && (seen.mode & 0o1000) === 0)) return false;
    }
    if (at === dirname(at)) return true;
  }
}

/** The folder by its true name; undefined where there is none, or not one of our own. */
function ownFolder(folder) {
  try {
    const real = fs.realpathSync(folder);
    return isOwn(real) ? real : undefined;
  } catch {
    return undefined;
  }
}

const fileOf = (name) => name.replace('chunks/', '') + '.' + process.version + '-' + process.arch;
const hashOf = (name, bytes) =>
  createHash('sha256')
    .update(fileOf(name) + '\n')
    .update(bytes)
    .digest();

/** A file: the code, the commands that it was compiled for, the length of these, the hash of it all. */
function write(folder, name, code, commands) {
  const list = Buffer.from(JSON.stringify(commands));
  const size = Buffer.alloc(4);
  size.writeUInt32LE(list.length);
  const bytes = Buffer.concat([code, list, size]);
  const file = join(folder, fileOf(name));
  const fresh = file + '.' + process.pid + '.tmp';
  try {
    fs.writeFileSync(fresh, Buffer.concat([bytes, hashOf(name, bytes)]), { mode: 0o600, flag: 'wx' });
    fs.renameSync(fresh, file);
  } catch (error) {
    fs.rmSync(fresh, { force: true });
    throw error;
  }
}

function read(folder, name) {
  let fd;
  try {
    fd = fs.openSync(join(folder, fileOf(name)), O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
    const { size, uid, mode } = fs.fstatSync(fd);
    if (uid !== process.geteuid() || (mode & 0o170077) !== 0o100000) return undefined;
    if (size < hashSize + 4 || size > largest) return undefined;
    const all = Buffer.allocUnsafeSlow(size);
    if (fs.readSync(fd, all, 0, size, 0) !== size) return undefined;
    const bytes = all.subarray(0, size - hashSize);
    if (!hashOf(name, bytes).equals(all.subarray(size - hashSize))) return undefined;
    const end = bytes.length - 4 - bytes.readUInt32LE(bytes.length - 4);
    return {
      code: bytes.subarray(0, end),
      commands: JSON.parse(bytes.toString('utf8', end, bytes.length - 4)),
    };
  } catch {
    return undefined;
  } finally {
    if (fd !== undefined) fs.closeSync(fd);
  }
}

/** What no run has written for a month is of an earlier build, or is written again. */
function sweep(folder) {
  const now = Date.now();
  for (const name of fs.readdirSync(folder)) {
    const file = join(folder, name);
    if (now - fs.lstatSync(file).mtimeMs > keptMs) fs.rmSync(file, { force: true });
  }
}

/** Runs main.cjs of `dist`, with the code that earlier runs have left in `folder`, and leaves there what is new. */
function start(dist, folder) {
  const own = ownFolder(folder);
  const modules = new Map();
  const used = [];
  let started = false;
  // The chunk that the program asks for first, once it runs, is that of the command.
  let command;

  const compile = (name) => {
    const filename = join(dist, name);
    // The build writes other characters as escapes.
    const source = wrap(fs.readFileSync(filename, 'latin1'));
    const isChunk = name.startsWith('chunks/');
    const kept = isChunk && own !== undefined ? read(own, name) : undefined;
    const script = new vm.Script(source, {
      filename,
      columnOffset: -wrap('').indexOf('\n'),
      cachedData: kept && kept.code,
    });
    const commands = kept === undefined || script.cachedDataRejected ? undefined : kept.commands;
    if (isChunk) used.push({ name, script, commands });
    return script.runInThisContext();
  };

  const load = (name) => {
    const before = modules.get(name);
    if (before !== undefined) return before.exports;
    if (started && command === undefined) command = name;
    const run = compile(name);
    const module = { exports: {} };
    modules.set(name, module);
    const folderOf = dirname(name);
    const ask = (id) => (id.startsWith('.') ? load(join(folderOf, id)) : require(id));
    run.call(module.exports, module.exports, ask, module, join(dist, name), join(dist, folderOf));
    return module.exports;
  };

  let kept = false;
  const keep = () => {
    if (kept) return;
    kept = true;
    const well = command !== undefined && !process.exitCode;
    const fresh = used.filter(
      ({ commands }) => commands === undefined || (well && !commands.includes(command)),
    );
    if (fresh.length === 0) return;
    try {
      if (own === undefined) fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
      const to = own ?? ownFolder(folder);
      if (to === undefined) return;
      for (const { name, script, commands = [] } of fresh)
        write(to, name, script.createCachedData(), well ? commands.concat(command) : commands);
      if (fresh.some(({ commands }) => commands === undefined)) sweep(to);
    } catch {
      // A disk that is full or cannot be written to: the next run compiles again.
    }
  };
  process.once('exit', keep);
  setTimeout(keep, serverMs).unref();

  load('main.cjs');
  started = true;
}

module.exports = { start };
