// Loaded before obk: kills the process at the nth change of its state folder, lets one change fail, lets the disk be full from
// there on, or takes no change at all.
'use strict';
const fs = require('node:fs');
const process = require('node:process');
const { FAULT_AT: at, FAULT_KIND: kind, FAULT_FOLDER: folder, FAULT_REPORT: report } = process.env;

let count = 0;
const ours = new Set();
const inside = (path) => typeof path === 'string' && path.startsWith(folder);
const needsSpace = new Set(['openSync', 'writeSync', 'mkdirSync', 'linkSync']);

function strike(name) {
  count += 1;
  if (kind === 'kill' && count === Number(at)) process.kill(process.pid, 'SIGKILL');
  if (kind === 'full' && count >= Number(at) && needsSpace.has(name))
    throw Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' });
  if (kind === 'read-only') throw Object.assign(new Error('EROFS: read-only file system'), { code: 'EROFS' });
  if (kind === 'error' && count === Number(at))
    throw Object.assign(new Error('EIO: i/o error'), { code: 'EIO' });
}

for (const name of ['renameSync', 'linkSync', 'unlinkSync', 'mkdirSync']) {
  const real = fs[name];
  fs[name] = (...args) => {
    // A folder that is there already is not made anew.
    if (inside(args[0]) && !(name === 'mkdirSync' && fs.existsSync(args[0]))) strike(name);
    return real(...args);
  };
}
for (const name of ['writeSync', 'fsyncSync', 'ftruncateSync']) {
  const real = fs[name];
  fs[name] = (...args) => {
    if (ours.has(args[0])) strike(name);
    return real(...args);
  };
}
const open = fs.openSync;
fs.openSync = (...args) => {
  if (!inside(args[0])) return open(...args);
  // What is there already is not made, and no change.
  const creates = args[1] !== undefined && args[1] !== 'r' && !(args[1] === 'wx' && fs.existsSync(args[0]));
  if (creates) strike('openSync');
  const descriptor = open(...args);
  ours.add(descriptor);
  return descriptor;
};
const close = fs.closeSync;
fs.closeSync = (descriptor) => {
  ours.delete(descriptor);
  close(descriptor);
};

/** Each statement that writes, and each side of a commit, is a change of the state too. */
const codes = {
  full: [13, 'database or disk is full'],
  error: [10, 'disk I/O error'],
  'read-only': [8, 'attempt to write a readonly database'],
};
function struck(sql, does) {
  if (!/^\s*(BEGIN IMMEDIATE|COMMIT|INSERT|UPDATE|DELETE|CREATE)/i.test(sql)) return does();
  try {
    strike('writeSync');
  } catch (error) {
    const [errcode, message] = codes[kind] ?? [];
    throw errcode === undefined
      ? error
      : Object.assign(new Error(message), { code: 'ERR_SQLITE_ERROR', errcode });
  }
  const result = does();
  if (/^COMMIT/i.test(sql) && kind === 'kill') strike('fsyncSync');
  return result;
}
const struckConnection = (connection) => ({
  exec: (sql) => struck(sql, () => connection.exec(sql)),
  prepare: (sql) => {
    const statement = connection.prepare(sql);
    return {
      all: (...values) => statement.all(...values),
      run: (...values) => struck(sql, () => statement.run(...values)),
      setReadBigInts: (enabled) => statement.setReadBigInts(enabled),
    };
  },
  close: () => connection.close(),
});
const struckEngine = (engine) =>
  engine && {
    DatabaseSync: new Proxy(engine.DatabaseSync, {
      construct: (made, args) => {
        // As on a read-only file system, where a log of the engine can neither be made nor shared.
        if (kind === 'read-only' && inside(args[0]))
          throw Object.assign(new Error('unable to open database file'), {
            code: 'ERR_SQLITE_ERROR',
            errcode: 14,
          });
        const connection = new made(...args);
        return inside(args[0]) ? struckConnection(connection) : connection;
      },
    }),
  };
const Module = require('node:module');
const load = Module._load;
Module._load = function (name, ...rest) {
  const loaded = load.call(this, name, ...rest);
  return name === '@photostructure/sqlite' ? struckEngine(loaded) : loaded;
};
const builtin = process.getBuiltinModule;
process.getBuiltinModule = (name) => {
  const loaded = builtin.call(process, name);
  return name === 'node:sqlite' ? struckEngine(loaded) : loaded;
};
process.on('exit', () => {
  if (report !== undefined) fs.writeFileSync(report, String(count));
});
