// `npm run campaign`: the promises with their full figures; `npm test` runs a part of each. One line for each row:
//
//   npm run campaign -- --list                 the rows, and what each takes
//   npm run campaign -- --rows 1,3-7           these rows
//   npm run campaign -- --budget 60m           all rows, each scaled down alike so that the whole takes about an hour; none goes
//                                              below the least that proves anything
//   npm run campaign -- --seed 42              another course of chance
//   npm run campaign -- --planted              each row with its planted mistake, which must turn it red
//   npm run campaign -- --mutants              the stored mutants, each with the tests that reach its place: which are found
//   npm run campaign -- --mutants --rows 1-20  twenty of them
//   npm run campaign -- --mutants --draw       300 new ones, stored with what becomes of each
import { spawnSync } from 'node:child_process';
import { parseArgs } from 'node:util';
import { secondsFor, secondsOf, sizes } from './budget.ts';
import { runMutants } from './mutants/run.ts';
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
    mutants: { type: 'boolean', default: false },
    draw: { type: 'boolean', default: false },
    list: { type: 'boolean', default: false },
  },
});
const say = (line: string) => void process.stdout.write(`${line}\n`);
const seed = Number(values.seed);
const chosen = choose(values.mutants ? undefined : values.rows);
const budget = values.budget === undefined ? undefined : secondsOf(values.budget);
const { part, trials, seconds } = sizes(chosen, budget);

if (values.list) list();
else if (values.mutants) await tryMutants();
else if (values.planted) await plantAll();
else await runAll();

function list(): void {
  for (const row of chosen) {
    const count = trials.get(row) ?? row.least;
    say(`row ${row.id}  ${row.promise}: ${sizeOf(row, count)}, about ${minutes(secondsFor(row, count))}`);
  }
  say(`${String(chosen.length)} rows, about ${minutes(seconds)} on two cores`);
}

async function runAll(): Promise<void> {
  const started = performance.now();
  if (part < 1)
    say(`scaled down to ${percent(part)} of the full size, about ${minutes(seconds)} on two cores`);
  if (budget !== undefined && seconds > budget)
    say('The budget is less than the least of these rows takes, which is run all the same.');
  const violated = new Map<string, number>();
  for (const row of chosen) {
    const absent = missing(row);
    const count = trials.get(row) ?? row.least;
    const result = absent === undefined ? await runRow(row, count, seed) : undefined;
    const violations = result?.violations ?? [`${String(absent)} is not installed`];
    if (violations.length > 0) violated.set(row.id, violations.length);
    say(
      `row ${row.id}  ${row.promise}: ${sizeOf(row, result?.trials ?? 0)}` +
        `${told(result?.figures ?? [])}; ${String(violations.length)} violations` +
        `  (seed ${String(seed)}, ${(result?.seconds ?? 0).toFixed(0)} s)`,
    );
    for (const violation of violations) say(`    ${violation.replaceAll('\n', '\n    ')}`);
  }
  const sum = [...violated.values()].reduce((all, one) => all + one, 0);
  const full = chosen.filter((row) => (trials.get(row) ?? 0) >= row.full).length;
  const least = chosen.filter((row) => trials.get(row) === row.least && row.least < row.full).length;
  const where = sum === 0 ? '' : ` in row ${[...violated.keys()].join(', ')}`;
  say(
    `${String(chosen.length)} rows: ${String(full)} in full size, ${String(chosen.length - full - least)} scaled to ${percent(part)}, ` +
      `${String(least)} at their least; ${minutes((performance.now() - started) / 1000)}; ${String(sum)} violations${where}`,
  );
  if (sum > 0) process.exitCode = 1;
}

/** How many trials, of how many. */
function sizeOf(row: Row, count: number): string {
  const share = count >= row.full ? '' : ` (${percent(count / row.full)})`;
  return `${String(count)} of ${String(row.full)} ${row.unit}${share}`;
}

/** Each figure once: the cases of a row may count the same. */
function told(figures: readonly string[]): string {
  return [...new Set(figures)].map((figure) => `, ${figure}`).join('');
}

function percent(share: number): string {
  return `${(share * 100).toPrecision(2)} %`;
}

function minutes(time: number): string {
  return time < 90 ? `${time.toFixed(0)} s` : `${(time / 60).toFixed(0)} min`;
}

async function plantAll(): Promise<void> {
  const mistakes = chosen.flatMap((row) =>
    [row.mistake, ...(row.more ?? [])].map((mistake) => ({ row, mistake })),
  );
  let survived = 0;
  for (const { row, mistake } of mistakes) {
    const { found, word } = await plant(row, mistake, seed);
    if (!found) survived += 1;
    say(`row ${row.id}  ${mistake.says}: ${found ? 'found' : 'NOT FOUND'}  (${word})`);
  }
  say(`${String(mistakes.length)} mistakes planted, ${String(survived)} not found`);
  if (survived > 0) process.exitCode = 1;
}

async function tryMutants(): Promise<void> {
  const held = await runMutants({ anew: values.draw, seed, which: values.rows }, say);
  if (!held) process.exitCode = 1;
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
