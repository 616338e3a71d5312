// The files of a home lost, older than one another, of another version or another program, or with a header that is damaged.
import { existsSync, lstatSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startExemptingBank } from '../../helpers/exempting-bank.ts';
import type { ExemptingBank } from '../../helpers/exempting-bank.ts';
import { faults, payments } from '../../helpers/paid-home.ts';
import { payingHome } from '../../helpers/paying-home.ts';
import type { PayingHome } from '../../helpers/paying-home.ts';
import { copyOf, foreignInto, opened } from '../../helpers/state-file.ts';
import { trials } from '../../helpers/trials.ts';

// A connection that was closed holds its file until its statements are collected.
setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

const row = trials('lost', 50);

/** The files of a state by their names; null stands for a folder. */
type Files = Readonly<Record<string, Buffer | null>>;

interface Scene {
  name: string;
  files: Files;
  /** It is refused, and stays as it is, byte for byte. */
  stays?: string;
}

let bank: ExemptingBank;
let home: PayingHome;
let scenes: Scene[];
beforeAll(async () => {
  bank = await startExemptingBank();
  home = await payingHome(bank);
  const stateDir = join(home.folder, 'state');
  await home.pay('3.00', 'before');
  // What others have open stays in the write-ahead log, as after a kill.
  const others = (['state', 'log'] as const).map((file) => opened(stateDir, file));
  const after = [filesIn(stateDir)];
  for (const [amount, key] of payments) {
    await home.pay(amount, key);
    after.push(filesIn(stateDir));
  }
  const closed = filesIn(copyOf(stateDir, join(home.folder, 'copy')));
  for (const other of others) other.close();
  foreignInto(join(home.folder, 'foreign.db'));
  scenes = scenesOf(after, closed, readFileSync(join(home.folder, 'foreign.db')));
}, 60_000);
afterAll(async () => {
  home.close();
  await bank.close();
});

function filesIn(folder: string): Files {
  const names = readdirSync(folder).filter((name) => /^(?:state|log)\.db(?:-wal|-shm)?$/.test(name));
  return Object.fromEntries(names.map((name) => [name, readFileSync(join(folder, name))]));
}

const without = (files: Files, ...names: readonly string[]): Files =>
  Object.fromEntries(Object.entries(files).filter(([name]) => !names.includes(name)));
const partsOf = (file: string): string[] => ['', '-wal', '-shm'].map((end) => `${file}.db${end}`);

/** A file in which some bytes are others. */
function changed(files: Files, name: string, change: (bytes: Buffer) => void): Files {
  const bytes = Buffer.from(files[name] ?? []);
  change(bytes);
  return { ...files, [name]: bytes };
}

/** `after`: the files before each of the payments and after the last; `closed`: as they are when nobody has them open. */
function scenesOf(after: readonly Files[], closed: Files, foreign: Buffer): Scene[] {
  const all: Scene[] = [];
  const now = after.at(-1) ?? {};
  for (const file of ['state', 'log']) {
    const [main = '', wal = '', shm = ''] = partsOf(file);
    const others = (files: Files, names: readonly string[]) =>
      Object.fromEntries(
        names.flatMap((name) => (name in files ? [[name, files[name] ?? null] as const] : [])),
      );
    for (const names of [[main], [wal], [shm], [wal, shm], [main, wal, shm]])
      all.push({ name: `without ${names.join(', ')}`, files: without(now, ...names) });
    for (const name of [main, wal, shm]) {
      all.push({ name: `${name} is a folder`, files: { ...now, [name]: null } });
      all.push({ name: `${name} is empty`, files: { ...now, [name]: Buffer.alloc(0) } });
    }
    for (const [at, earlier] of after.slice(0, -1).entries()) {
      const of = `of before payment ${String(at + 1)}`;
      const rest = without(now, main, wal, shm);
      all.push({ name: `${file} ${of}`, files: { ...rest, ...others(earlier, [main, wal]) } });
      all.push({
        name: `${wal} ${of}`,
        files: { ...rest, ...others(now, [main]), ...others(earlier, [wal]) },
      });
      all.push({
        name: `${main} ${of} alone`,
        files: { ...without(closed, main), ...others(earlier, [main]) },
      });
    }
    // https://sqlite.org/fileformat2.html#the_database_header
    const header = (at: number, value: number) =>
      changed(closed, main, (bytes) => void bytes.writeInt32BE(value, at));
    const stays = file === 'state' ? { stays: main } : {};
    all.push({ name: `${main} of songs`, files: { ...closed, [main]: foreign }, ...stays });
    all.push({ name: `${main} of schema 2`, files: header(60, 2), stays: main });
    all.push({ name: `${main} of schema 0`, files: header(60, 0), ...stays });
    all.push({ name: `${main} of schema -1`, files: header(60, -1), ...stays });
    all.push({ name: `${main} of another program`, files: header(68, 7), ...stays });
    all.push({ name: `${main} of nobody`, files: header(68, 0), ...stays });
    for (let at = 0; at < 100; at += 1)
      all.push({
        name: `${main} with byte ${String(at)} of its header flipped`,
        files: changed(
          closed,
          main,
          (bytes) => void bytes.writeUInt8(bytes.readUInt8(at) ^ (1 << (at % 8)), at),
        ),
      });
  }
  return all;
}

function placed(files: Files): void {
  const stateDir = join(home.folder, 'state');
  rmSync(stateDir, { recursive: true, force: true });
  mkdirSync(stateDir, { mode: 0o700 });
  for (const [name, bytes] of Object.entries(files))
    if (bytes === null) mkdirSync(join(stateDir, name));
    else writeFileSync(join(stateDir, name), bytes, { mode: 0o600 });
}

async function wrongIn({ name, files, stays }: Scene): Promise<string[]> {
  const found: string[] = [];
  placed(files);
  for (const [amount, key] of payments) {
    const before = bank.made(amount);
    const ran = await home.pay(amount, key);
    found.push(...faults(['payment', 'init', amount], ran));
    if (bank.made(amount) !== before) found.push(`${amount} was paid again: exit ${String(ran.code)}`);
    if (ran.code === 7) found.push(`${amount}: says that nothing was sent`);
    if (ran.code === 0 && !ran.stdout.includes('"paymentId":"payment-'))
      found.push(`${amount} is said to be done`);
    if (/\n +at .*:\d+:\d+/.test(ran.stderr)) found.push(`a stack trace: ${ran.stderr}`);
    if (stays !== undefined && ran.code !== 3) found.push(`${amount}: exit ${String(ran.code)}`);
  }
  for (const [file, bytes] of Object.entries(files)) {
    const path = join(home.folder, 'state', file);
    if (bytes === null && !(existsSync(path) && lstatSync(path).isDirectory())) found.push(`${file} is gone`);
  }
  if (
    stays !== undefined &&
    !readFileSync(join(home.folder, 'state', stays)).equals(files[stays] ?? Buffer.alloc(0))
  )
    found.push(`${stays} was written to`);
  return found.map((one) => `${name}: ${one}`);
}

it(
  'files that are lost, older, foreign or damaged in their headers pay nothing again',
  { timeout: row.timeout(120_000) },
  async () => {
    const step = Math.max(1, scenes.length / row.count);
    const chosen = scenes.filter((_, at) => Math.floor((at + 1) / step) !== Math.floor(at / step));
    const found: string[] = [];
    for (const [turn, scene] of chosen.entries()) {
      found.push(...(await wrongIn(scene)));
      if (turn % 20 !== 19) continue;
      collect();
      await setTimeout(10);
    }
    row.report(
      `${String(chosen.length)} of ${String(scenes.length)} scenes, ${String(payments.length)} payments each`,
    );
    expect(found, found.join('\n')).toEqual([]);
  },
);
