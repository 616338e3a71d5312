import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { build } from 'rolldown';
import { absent, besideJq, isThere } from './beside-jq.ts';
import type { Read } from './beside-jq.ts';
import { median, pairedRatio, time } from './measure.ts';
import type { Timed } from './measure.ts';
import type { Machine } from './machine.ts';
import { writeCamt053, writeJsonList, writeMt940 } from './report-files.ts';
import type { Figure } from './run.ts';

const pairs = 5;
const [many, most] = [100_000, 1_000_000];
const bin = resolve(import.meta.dirname, '../../bin/obk.js');
// Tells the peak of a process from within, when it ends: its maxRSS would begin with what this process had when it made that one.
const watch = `data:text/javascript,${[
  "import{readFileSync as read,writeFileSync as write}from'node:fs';",
  "process.on('exit',()=>write(process.env.PEAK_FILE,/VmHWM:\\s*(\\d+)/.exec(read('/proc/self/status','latin1'))[1]))",
].join('')}`;

/** P10, P11 and P12: saved reports of 100,000 and 1,000,000 entries, beside jq and xmllint. */
export async function reports(machine: Machine): Promise<Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), 'obk-bench-'));
  try {
    const at = (name: string) => join(folder, name);
    const [list, large, statement, text] = [
      at('list.json'),
      at('large.json'),
      at('camt.xml'),
      at('mt940.sta'),
    ];
    const [side, elements] = [at('side.mjs'), at('elements.mjs')];
    for (const [input, file] of [['report-side.ts', side] as const, ['element-side.ts', elements] as const])
      await build({ input: join(import.meta.dirname, input), platform: 'node', output: { file } });
    writeJsonList(list, many);
    const read: Read = (path, format, ...more) =>
      machine.obk(['transactions', 'read', path, '-o', format, '-q', ...more]);
    const peak = (args: readonly string[]) => peakOf(machine, folder, args);
    const reading = machine.node([side, list, String(many)]);
    const figures = [
      ...(await besideJq(machine, list, read, reading)),
      await tableFigure(reading, read(list, 'table')),
    ];
    writeJsonList(large, most);
    const usualPeak = async (path: string) => {
      const args = [bin, 'transactions', 'read', path, '-o', 'ndjson', '-q'];
      // One run may hold a function that V8 optimises just then.
      return median([await peak(args), await peak(args), await peak(args)]);
    };
    const small = await usualPeak(list);
    const big = await usualPeak(large);
    rmSync(large);
    const note = `${small.toFixed(0)} and ${big.toFixed(0)} MB`;
    figures.push({
      id: 'P10',
      what: 'peak for 1,000,000 / for 100,000 transactions',
      ratio: big / small,
      goal: 1.2,
      note,
    });
    for (const count of [many, most]) {
      writeCamt053(statement, count);
      figures.push(
        ...(await statementFigures(machine, { read: statement, camt: statement }, side, count, peak)),
        ...(await elementFigure(machine, statement, elements, count)),
      );
      writeMt940(text, count);
      figures.push(...(await statementFigures(machine, { read: text, camt: statement }, side, count, peak)));
    }
    return figures;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function tableFigure(reading: Timed, table: Timed): Promise<Figure> {
  const { ratio } = await pairedRatio(table, reading, pairs);
  return { id: 'P11', what: 'table of 100,000 rows / reading them alone', ratio, goal: 1.25 };
}

/** One statement beside xmllint, which reads the camt of the same entries. */
async function statementFigures(
  machine: Machine,
  files: { read: string; camt: string },
  side: string,
  count: number,
  peak: (args: readonly string[]) => Promise<number>,
): Promise<Figure[]> {
  const kind = files.read === files.camt ? 'camt.053' : 'MT940';
  const what = `${kind} of ${count.toLocaleString('en')} entries`;
  const args = [side, files.read, String(count)];
  const memory = { id: 'P12', what: `${what}: peak in MB`, ratio: await peak(args), goal: 110 };
  if (!isThere('xmllint')) return [absent('P12', 'xmllint'), memory];
  const xmllint: Timed = { argv: ['xmllint', '--stream', '--noout', files.camt], env: machine.env };
  const { ratio } = await pairedRatio(machine.node(args), xmllint, count === many ? pairs : 1);
  const beside = kind === 'camt.053' ? '' : ' of the camt';
  return [{ id: 'P12', what: `${what} / xmllint --stream --noout${beside}`, ratio, goal: 2 }, memory];
}

/** What reading a camt begins with: its text in the elements that it is made of, of which no row is made. */
async function elementFigure(
  machine: Machine,
  camt: string,
  elements: string,
  count: number,
): Promise<Figure[]> {
  if (!isThere('xmllint') || count > many) return [];
  const xmllint: Timed = { argv: ['xmllint', '--stream', '--noout', camt], env: machine.env };
  const { ratio } = await pairedRatio(machine.node([elements, camt, String(count)]), xmllint, pairs);
  return [{ id: 'P12', what: 'its elements, well-formed, and no rows / xmllint', ratio, goal: Number.NaN }];
}

/** The peak of a Node process, in megabytes. */
export async function peakOf(machine: Machine, folder: string, args: readonly string[]): Promise<number> {
  const file = join(folder, 'peak');
  const { argv, env } = machine.node(['--import', watch, ...args]);
  await time({ argv, env: { ...env, PEAK_FILE: file } });
  return (Number(readFileSync(file, 'utf8')) * 1024) / 1_000_000;
}
