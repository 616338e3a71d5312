import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A keyring in a file, as the module that stands for @napi-rs/keyring. */
export interface FakeKeyring {
  /** The path to require. */
  module: string;
  /** What is in it, by id. */
  entries(): Record<string, string>;
  /** From now on every call throws this, or never ends for `hang`; `false` mends it. */
  fail(how: string | false): void;
  replace(entries: Record<string, string>): void;
  /** The command lines of the processes that have used it. */
  uses(): string[];
}

const source = `const fs = require('node:fs');
const at = (name) => __dirname + '/' + name;
const read = () => JSON.parse(fs.readFileSync(at('entries'), 'utf8'));
const write = (all) => fs.writeFileSync(at('entries'), JSON.stringify(all));
fs.appendFileSync(at('uses'), fs.readFileSync('/proc/self/cmdline', 'utf8') + '\\x01');
exports.Entry = class {
  constructor(service, id, options) {
    if (service !== 'obk' || options.linux.store !== 'secret-service') throw new Error('wrong entry');
    this.id = id;
    if (!fs.existsSync(at('fail'))) return;
    const how = fs.readFileSync(at('fail'), 'utf8');
    if (how === 'hang') for (;;) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
    throw new Error(how);
  }
  getPassword() { return read()[this.id] ?? null; }
  setPassword(value) { write({ ...read(), [this.id]: value }); }
  deletePassword() { const { [this.id]: gone, ...rest } = read(); write(rest); return gone !== undefined; }
};
`;

export function fakeKeyring(): FakeKeyring {
  const folder = mkdtempSync(join(process.env['HOME'] ?? tmpdir(), 'keyring-'));
  const at = (name: string) => join(folder, name);
  const entries = () => JSON.parse(readFileSync(at('entries'), 'utf8')) as Record<string, string>;
  writeFileSync(at('keyring.cjs'), source);
  writeFileSync(at('entries'), '{}');
  return {
    module: at('keyring.cjs'),
    entries,
    fail: (how) => {
      if (how === false) rmSync(at('fail'), { force: true });
      else writeFileSync(at('fail'), how);
    },
    replace: (all) => {
      writeFileSync(at('entries'), JSON.stringify(all));
    },
    uses: () => (existsSync(at('uses')) ? readFileSync(at('uses'), 'utf8').split('\x01').slice(0, -1) : []),
  };
}
