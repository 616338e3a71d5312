// `npm run campaign`: the promises with their full figures; `npm test` runs a part of each. One line for each row:
//
//   npm run campaign -- --list                 the rows, and what each takes
//   npm run campaign -- --rows 1,3-7           these rows
//   npm run campaign -- --budget 60m           all rows, each scaled down alike so that the whole takes about an hour
//   npm run campaign -- --seed 42              another course of chance
//   npm run campaign -- --planted              each row with its planted mistake, which must turn it red
import { spawnSync } from 'node:child_process';
import { parseArgs } from 'node:util';
import { secondsOf, sizes } from './budget.ts';
import { plant } from './planted.ts';
import { rows } from './rows.ts';
import type { Row } from './rows.ts';
import { runRow } from './run-row.ts';

const { values } = parseArgs({
  options: {
    rows: { type: 'string' },
    budget: { type: 'string' },
    seed: { type: 'string', default: '20261122' },
    planted: { type: 'boolean', default: false },
    list: { type: 'boolean', default: false },
  },
});
const say = (line: string) => void process.stdout.write(`${line}\n`);
const seed = Number(values.seed);
const chosen = choose(values.rows);
const { part, trials } = sizes(chosen, values.budget === undefined ? undefined : secondsOf(values.budget));

if (values.list) list();
else if (values.planted) await plantAll();
else await runAll();

function list(): void {
  for (const row of chosen) {
    const minutes = (row.seconds.start + row.seconds.each * row.full) / 60;
    say(`row ${row.id}  ${row.promise}: ${String(row.full)} ${row.unit}, about ${minutes.toFixed(0)} min`);
  }
}

async function runAll(): Promise<void> {
  if (part < 1) say(`scaled down to ${(part * 100).toFixed(1)} % of the full size`);
  let violated = 0;
  for (const row of chosen) {
    const absent = missing(row);
    const result = absent === undefined ? await runRow(row, trials.get(row) ?? row.least, seed) : undefined;
    const violations = result?.violations ?? [`${String(absent)} is not installed`];
    violated += violations.length;
    say(
      `row ${row.id}  ${row.promise}: ${String(result?.trials ?? 0)} of ${String(row.full)} ${row.unit}` +
        `${(result?.figures ?? []).map((figure) => `, ${figure}`).join('')}; ${String(violations.length)} violations` +
        `  (seed ${String(seed)}, ${(result?.seconds ?? 0).toFixed(0)} s)`,
    );
    for (const violation of violations) say(`    ${violation.replaceAll('\n', '\n    ')}`);
  }
  say(`${String(chosen.length)} rows, ${String(violated)} violations`);
  if (violated > 0) process.exitCode = 1;
}

async function plantAll(): Promise<void> {
  let survived = 0;
  for (const row of chosen) {
    const { found, word } = await plant(row, seed);
    if (!found) survived += 1;
    say(`row ${row.id}  ${row.mistake.says}: ${found ? 'found' : 'NOT FOUND'}  (${word})`);
  }
  say(`${String(chosen.length)} mistakes planted, ${String(survived)} not found`);
  if (survived > 0) process.exitCode = 1;
}

function missing(row: Row): string | undefined {
  return row.needs?.find((program) => spawnSync(program, ['--version']).error !== undefined);
}

/** `1,3-7,stranger`; all rows without it. */
function choose(text: string | undefined): readonly Row[] {
  if (text === undefined) return rows;
  const ids = text.split(',').flatMap((piece) => {
    const range = /^(\d+)-(\d+)$/.exec(piece);
    if (range === null) return [piece];
    const [from, to] = [Number(range[1]), Number(range[2])];
    return rows.map(({ id }) => id).filter((id) => Number(id) >= from && Number(id) <= to);
  });
  const unknown = ids.find((id) => !rows.some((row) => row.id === id));
  if (unknown !== undefined) throw new Error(`--rows ${unknown}: there is no such row; see --list`);
  return rows.filter(({ id }) => ids.includes(id));
}
