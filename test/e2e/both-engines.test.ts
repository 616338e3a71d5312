// One state by both engines: the SQLite of Node (from 22.13 on), and that of the package for Node 20.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { userInfo } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startExemptingBank } from '../helpers/exempting-bank.ts';
import type { ExemptingBank } from '../helpers/exempting-bank.ts';
import type { Ran } from '../helpers/obk.ts';
import { payArgs, payingHome } from '../helpers/paying-home.ts';
import type { PayingHome } from '../helpers/paying-home.ts';
import { rowsIn } from '../helpers/state-file.ts';

const bin = resolve(import.meta.dirname, '../../bin/obk.js');
const versions = join(userInfo().homedir, '.nvm/versions/node');

/** A Node that has SQLite: this one, one on PATH, or one of nvm; stderr says so where there is none. */
function nodeWithSqlite(): string | undefined {
  const folders = [
    ...(process.env['PATH'] ?? '').split(delimiter),
    ...(existsSync(versions) ? readdirSync(versions).map((one) => join(versions, one, 'bin')) : []),
  ];
  const found = [process.execPath, ...folders.map((folder) => join(folder, 'node'))].find((node) => {
    const asked = ['-e', "if (!process.getBuiltinModule?.('node:sqlite')) process.exit(1)"];
    return spawnSync(node, asked, { stdio: 'ignore' }).status === 0;
  });
  if (found === undefined)
    process.stderr.write(
      'SKIPPED: no Node from 22.13 on is here, so both engines on one file are not tested\n',
    );
  return found;
}

/** Without the SQLite of Node, obk takes the package. */
const withoutOwn = `const own = process.getBuiltinModule;
  process.getBuiltinModule = (name) => name === 'node:sqlite' ? undefined : own(name);`;
const node = nodeWithSqlite();
const engines = [
  [node ?? ''],
  [process.execPath, '--import', `data:text/javascript,${encodeURIComponent(withoutOwn)}`],
] as const;

let bank: ExemptingBank;
let home: PayingHome;
beforeAll(async () => {
  bank = await startExemptingBank();
  home = await payingHome(bank);
});
afterAll(async () => {
  home.close();
  await bank.close();
});

function pay(engine: number, amount: string, key: string): Promise<Ran> {
  const [program = '', ...words] = engines[engine % 2] ?? [];
  const child = spawn(program, [...words, bin, ...payArgs(amount, key)], {
    ...{ env: home.env, cwd: home.folder, stdio: ['ignore', 'pipe', 'pipe'] },
  });
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  return new Promise((done, failed) => {
    child.on('error', failed);
    child.on('close', (code) => {
      done({ code, stdout, stderr });
    });
  });
}

function expectWhole(payments: bigint): void {
  const stateDir = join(home.folder, 'state');
  for (const file of ['state', 'log'] as const)
    expect(rowsIn(stateDir, file, 'PRAGMA integrity_check')).toEqual([{ integrity_check: 'ok' }]);
  expect(rowsIn(stateDir, 'state', 'SELECT state, count(*) AS number FROM intent GROUP BY state')).toEqual([
    { state: 'made', number: payments },
  ]);
}

describe.runIf(node !== undefined)('both engines on one state', () => {
  it('in turns: each finds what the other has paid', { timeout: 120_000 }, async () => {
    for (let turn = 0; turn < 6; turn += 1) {
      const amount = `5.0${String(turn)}`;
      const [first, again] = [await pay(turn, amount, amount), await pay(turn + 1, amount, amount)];
      expect([first.code, again.code], first.stderr + again.stderr).toEqual([0, 0]);
      expect(JSON.parse(again.stdout)).toMatchObject({
        paymentId: (JSON.parse(first.stdout) as { paymentId: string }).paymentId,
      });
      expect(bank.made(amount)).toBe(1);
    }
    expectWhole(6n);
  });

  it('at once: one of two pays with one key, and nothing is lost', { timeout: 120_000 }, async () => {
    const amounts = ['6.01', '6.02', '6.03', '6.04'];
    const ran = await Promise.all(
      amounts.flatMap((amount) => [0, 1].map((engine) => pay(engine, amount, amount))),
    );
    for (const { code, stderr } of ran) expect(code, stderr).toBeOneOf([0, 8]);
    for (const amount of amounts) expect(bank.made(amount)).toBe(1);
    expectWhole(10n);
  });
});
