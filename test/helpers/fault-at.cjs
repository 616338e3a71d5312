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
    if (inside(args[0])) strike(name);
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
  const creates = args[1] !== undefined && args[1] !== 'r';
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
process.on('exit', () => {
  if (report !== undefined) fs.writeFileSync(report, String(count));
});
