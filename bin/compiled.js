'use strict';
// Keeps the compiled code of dist/ between runs, since Node 20 does not: reading and compiling the source is a third of a short
// run. The name of a chunk is a hash of its content, so its code fits as long as the name and Node are the same. V8 itself checks
// neither the content nor who wrote it: what stands here was written by this user alone, and has a hash of its own.
const { hash } = require('crypto');
const fs = require('fs');
const { dirname, join } = require('path');
const { setTimeout } = require('timers');
const vm = require('vm');

// As Node wraps a module; to load the part `module` for it would cost a millisecond.
const [head, tail] = module.constructor.wrap('\0').split('\0');

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

/** Makes a folder and those above it. Not by `recursive`: below /proc Node 20 would make the one above again for ever. */
function makeFolder(folder) {
  try {
    fs.mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    if (error.code === 'EEXIST') return;
    if (error.code !== 'ENOENT' || fs.existsSync(dirname(folder))) throw error;
    makeFolder(dirname(folder));
    makeFolder(folder);
  }
}

const fileOf = (name) => name.replace('chunks/', '') + '.' + process.version + '-' + process.arch;

/**
 * One piece of memory for every file, since a fresh one costs more than to read into it: V8 copies what it keeps. At the
 * beginning it is aligned, as V8 wants the code.
 */
let memory = Buffer.allocUnsafeSlow(1024 * 1024);

/** Reads a file into the memory from `at` on, with room for `more` behind it, and gives where it ends there. */
function readInto(fd, size, at, more) {
  if (at + size + more > memory.length) memory = Buffer.allocUnsafeSlow(at + size + more);
  let end = at;
  for (let read = 1; read > 0 && end < at + size; end += read)
    read = fs.readSync(fd, memory, end, at + size - end, end - at);
  return end;
}

/** The function that a module is, as Node wraps it; the build writes other characters than ASCII as escapes. */
function sourceOf(filename) {
  const fd = fs.openSync(filename, O_RDONLY);
  try {
    const end = readInto(fd, fs.fstatSync(fd).size, head.length, tail.length);
    memory.latin1Write(head, 0);
    memory.latin1Write(tail, end);
    return memory.latin1Slice(0, end + tail.length);
  } finally {
    fs.closeSync(fd);
  }
}

/** A file: the code, the ways that commands took when it was compiled, the length of these, the hash of it all and of the name. */
function write(folder, name, code, commands) {
  const list = Buffer.from(JSON.stringify(commands));
  const size = Buffer.alloc(4);
  size.writeUInt32LE(list.length);
  const bytes = Buffer.concat([code, list, size]);
  const file = join(folder, fileOf(name));
  const fresh = file + '.' + process.pid + '.tmp';
  const sum = hash('sha256', Buffer.concat([bytes, Buffer.from(fileOf(name))]), 'buffer');
  try {
    fs.writeFileSync(fresh, Buffer.concat([bytes, sum]), { mode: 0o600, flag: 'wx' });
    fs.renameSync(fresh, file);
  } catch (error) {
    fs.rmSync(fresh, { force: true });
    throw error;
  }
}

/** What `write` has left; it stands in the memory, until the next file is read. */
function read(folder, name) {
  let fd;
  try {
    const file = fileOf(name);
    fd = fs.openSync(folder + '/' + file, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
    const { size, uid, mode } = fs.fstatSync(fd);
    if (uid !== process.geteuid() || (mode & 0o170077) !== 0o100000) return undefined;
    if (size < hashSize + 4 || size > largest) return undefined;
    if (readInto(fd, size, 0, file.length) !== size) return undefined;
    const end = size - hashSize;
    const sum = memory.latin1Slice(end, size);
    // The name in the place of the hash, so that both are read in one piece.
    memory.latin1Write(file, end);
    if (hash('sha256', memory.subarray(0, end + file.length), 'latin1') !== sum) return undefined;
    const codeEnd = end - 4 - memory.readUInt32LE(end - 4);
    return {
      code: memory.subarray(0, codeEnd),
      commands: JSON.parse(memory.toString('utf8', codeEnd, end - 4)),
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
  const root = join(dist, '/');
  const modules = new Map();
  const used = [];
  let started = false;
  // The chunk that the program asks for first, once it runs, is that of the command.
  let command;

  const compile = (name) => {
    const filename = root + name;
    const source = sourceOf(filename);
    const isChunk = name.startsWith('chunks/');
    const kept = isChunk && own !== undefined ? read(own, name) : undefined;
    const script = new vm.Script(source, {
      filename,
      columnOffset: -head.length,
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
    // Not by `join`, which takes a path apart character by character: a run asks a hundred times.
    const folderOf = name.slice(0, name.lastIndexOf('/') + 1);
    const ask = (id) => {
      if (id.startsWith('.//')) return load(folderOf + id.slice(2));
      return id.startsWith('.') ? load(join(folderOf, id)) : require(id);
    };
    run.call(module.exports, module.exports, ask, module, root + name, (root + folderOf).slice(0, -1));
    return module.exports;
  };

  let kept = false;
  const keep = () => {
    if (kept) return;
    kept = true;
    const well = command !== undefined && !process.exitCode;
    // With how many files it took: a command that had more to do has used more of each.
    const way = command + ' ' + used.length;
    const fresh = used.filter(({ commands }) => commands === undefined || (well && !commands.includes(way)));
    if (fresh.length === 0) return;
    try {
      if (own === undefined) makeFolder(folder);
      const to = own ?? ownFolder(folder);
      if (to === undefined) return;
      for (const { name, script, commands = [] } of fresh)
        write(to, name, script.createCachedData(), well ? commands.concat(way) : commands);
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
