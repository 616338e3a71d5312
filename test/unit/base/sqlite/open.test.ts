import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readlinkSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { openSqlite } from '../../../../src/base/sqlite/open.ts';
import { bundled } from '../../../helpers/bundled.ts';

const user = { code: 'SANDBOX_UNAVAILABLE', name: 'The test' } as const;
const cleanup: (() => void)[] = [];
afterEach(() => {
  for (const clean of cleanup.splice(0).reverse()) clean();
});

function open(path = ':memory:', busyMs = 100) {
  const database = openSqlite(path, { user, busyMs, synchronous: 'FULL' });
  cleanup.push(() => {
    database.close();
  });
  return database;
}

function newFile(): string {
  const folder = mkdtempSync(join(tmpdir(), 'obk-sqlite-'));
  cleanup.push(() => {
    rmSync(folder, { recursive: true });
  });
  return join(folder, 'own.db');
}

const node = (...args: string[]) => {
  const script = bundled(join(import.meta.dirname, 'sqlite-process.ts'));
  return spawnSync(process.execPath, [...args, script], { encoding: 'utf8' });
};
const preload = (code: string) => ['--import', `data:text/javascript,${encodeURIComponent(code)}`];
const withoutOwn = `const own = process.getBuiltinModule;
  process.getBuiltinModule = (name) => name === 'node:sqlite' ? undefined : own(name);`;

describe('the SQLite in use', () => {
  it('has the fix of the WAL that loses what was committed (3.51.3)', () => {
    const [row] = open().prepare('SELECT sqlite_version() AS version').all([]) as [{ version: string }];
    const [major = 0, minor = 0, patch = 0] = row.version.split('.').map(Number);
    process.stdout.write(`SQLite ${row.version}\n`);
    expect(major * 1e6 + minor * 1e3 + patch).toBeGreaterThanOrEqual(3_051_003);
  });

  it("is Node's where Node has one, else the package's; only the warning that it is experimental is held back", () => {
    const isOwn = process.getBuiltinModule('node:sqlite') !== undefined;
    const { stdout, stderr, status } = node();
    expect(status).toBe(0);
    expect((JSON.parse(stdout) as string[]).length > 0).toBe(!isOwn);
    expect(stderr.match(/\S*Warning: .*/g)).toEqual(['ExperimentalWarning: of another kind']);
    expect(JSON.parse(node(...preload(withoutOwn)).stdout)).not.toEqual([]);
  });

  it('holds back that one warning on any Node, and no other that comes with it', () => {
    const { stderr } = node(
      ...preload(`const own = process.getBuiltinModule;
        process.getBuiltinModule = (name) => {
          if (name === 'node:sqlite')
            for (const text of ['SQLite is an experimental feature and might change at any time', 'from beside it'])
              process.emitWarning(text, 'ExperimentalWarning');
          return own(name);
        };`),
    );
    expect(stderr.match(/\S*Warning: .*/g)).toEqual([
      'ExperimentalWarning: from beside it',
      'ExperimentalWarning: of another kind',
    ]);
  });

  it('is requested with a hint where there is none', () => {
    const absent = `import Module from 'node:module';
      ${withoutOwn}
      const load = Module._load;
      Module._load = (name, ...rest) => {
        if (name === '@photostructure/sqlite') throw Object.assign(new Error('Cannot find module\\nRequire stack: x'), { code: 'MODULE_NOT_FOUND' });
        return load(name, ...rest);
      };`;
    const { stderr, status } = node(...preload(absent));
    expect(status).toBe(1);
    expect(stderr).toContain("code: 'SANDBOX_UNAVAILABLE'");
    expect(stderr).toContain('The test needs SQLite, which Node');
    expect(stderr).toContain('cannot be loaded: Cannot find module.');
    expect(stderr).toContain('npm install --include=optional');
  });
});

describe('a database', () => {
  it('returns integers as bigint, bytes as Uint8Array, and accepts both, null and fractions', () => {
    const statement = open().prepare('SELECT ? AS value');
    const bytes = [Uint8Array.of(0, 255), new Uint8Array(0), new Uint8Array(new ArrayBuffer(0))];
    const values = [2n ** 63n - 1n, 1n, 1.5, 'text', '', null, ...bytes];
    for (const value of values) expect(statement.all([value])).toEqual([{ value }]);
  });

  it('waits for another connection as long as it was opened with', () => {
    expect(open(newFile(), 300).prepare('PRAGMA busy_timeout').all([])).toEqual([{ timeout: 300n }]);
  });

  it('counts the rows that a statement has changed', () => {
    const database = open();
    database.exec("CREATE TABLE one (name TEXT) STRICT; INSERT INTO one VALUES ('a'), ('b')");
    expect(database.prepare('UPDATE one SET name = ?').run(['c'])).toBe(2);
  });

  it('does not find a text by another that continues behind a NUL', () => {
    const database = open();
    database.exec("CREATE TABLE one (name TEXT) STRICT; INSERT INTO one VALUES ('id')");
    const find = database.prepare('SELECT name FROM one WHERE name = ?');
    expect([find.all(['id']), find.all(['id\0x'])]).toEqual([[{ name: 'id' }], []]);
    database.prepare('INSERT INTO one VALUES (?)').run(['id\0x']);
    expect(find.all(['id\0x'])).toEqual([{ name: 'id\uFFFDx' }]);
  });

  it('is undone once, and by itself where nothing is under way', () => {
    const database = open();
    database.exec('CREATE TABLE one (name TEXT) STRICT; BEGIN');
    database.exec("INSERT INTO one VALUES ('a')");
    for (let time = 0; time < 2; time += 1) database.rollBack();
    expect(database.prepare('SELECT * FROM one').all([])).toEqual([]);
  });

  it('is released again where it cannot be opened', () => {
    const path = newFile();
    writeFileSync(path, 'x'.repeat(5000));
    expect(() => open(path)).toThrow('not a database');
    const files = readdirSync('/proc/self/fd').map((name) => `/proc/self/fd/${name}`);
    const targets = files.filter((name) => existsSync(name)).map((name) => readlinkSync(name));
    expect(targets.length).toBeGreaterThan(0);
    expect(targets).not.toContain(path);
  });

  it('belongs to this user only, as do the files beside it', () => {
    const path = newFile();
    open(path).exec('CREATE TABLE one (name TEXT) STRICT');
    const files = readdirSync(join(path, '..')).sort();
    expect(files).toEqual(['own.db', 'own.db-shm', 'own.db-wal']);
    for (const name of files) expect(statSync(join(path, '..', name)).mode & 0o777).toBe(0o600);
  });
});
