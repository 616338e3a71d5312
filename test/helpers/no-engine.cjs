// Loaded before obk: as on a machine for which there is no SQLite.
'use strict';
const Module = require('node:module');
const process = require('node:process');

const builtIn = process.getBuiltinModule?.bind(process);
if (builtIn !== undefined)
  process.getBuiltinModule = (id) => (id === 'node:sqlite' ? undefined : builtIn(id));

const find = Module._resolveFilename;
Module._resolveFilename = (name, ...more) => {
  if (name === '@photostructure/sqlite')
    throw Object.assign(new Error(`Cannot find module '${name}'`), { code: 'MODULE_NOT_FOUND' });
  return find(name, ...more);
};
