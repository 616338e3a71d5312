// `npm run bench`: speed as ratios, both sides measured in one run. Absolute times drift with the machine.
// `npm run bench -- P12 P15` measures only the parts that have these figures.
import { bankInside } from './bank-inside.ts';
import { fleet } from './fleet.ts';
import { history } from './history.ts';
import { journey } from './journey.ts';
import { judging } from './judging.ts';
import { benchMachine } from './machine.ts';
import type { Machine } from './machine.ts';
import { load } from './load.ts';
import { mutualTls } from './mutual-tls.ts';
import { pain001 } from './pain001.ts';
import { parallelRuns } from './parallel.ts';
import { reports } from './reports.ts';
import { signedRequest } from './signed-request.ts';
import { startUp } from './start-up.ts';
import { wireReports } from './wire-reports.ts';

/** One line of the result: a ratio beside its goal. */
export interface Figure {
  id: string;
  what: string;
  ratio: number;
  goal: number;
  /** Whether the goal is the least, not the most. */
  least?: true;
  note?: string;
}

/** Each part with the figures that it measures. */
const parts: readonly (readonly [figures: string, part: (machine: Machine) => Promise<Figure[]>])[] = [
  ['P1 P2 P3', startUp],
  ['P4', mutualTls],
  ['P5', signedRequest],
  ['P6', journey],
  ['P13', pain001],
  ['P10 P11 P12', reports],
  ['P10', wireReports],
  ['P14', parallelRuns],
  ['P17', fleet],
  ['P16', history],
  ['P15', bankInside],
  ['P8', load],
  ['P15', judging],
];

const asked = process.argv.slice(2);
const known = new Set(parts.flatMap(([ids]) => ids.split(' ')));
const unknown = asked.filter((id) => !known.has(id));
if (unknown.length > 0) {
  process.stderr.write(`No figures: ${unknown.join(' ')}. There are ${[...known].join(' ')}.\n`);
  process.exit(2);
}
const isAsked = (ids: string) => asked.length === 0 || ids.split(' ').some((id) => asked.includes(id));

const machine = await benchMachine();
try {
  for (const [ids, part] of parts) if (isAsked(ids)) await measure(ids, part);
} finally {
  await machine.close();
}

/** Prints what a part measured; one that fails costs only itself, and makes the exit 1. */
async function measure(ids: string, part: (machine: Machine) => Promise<Figure[]>): Promise<void> {
  try {
    for (const figure of await part(machine)) print(figure);
  } catch (error) {
    process.exitCode = 1;
    const why = error instanceof Error ? (error.stack ?? error.message) : String(error);
    process.stdout.write(`${ids.padEnd(4)} NOT MEASURED\n     ${why.replaceAll('\n', '\n     ')}\n`);
  }
}

function print({ id, what, ratio, goal, least, note }: Figure): void {
  const verdict = Number.isNaN(goal)
    ? ''
    : (least === true ? ratio >= goal : ratio <= goal)
      ? `goal ${goal.toFixed(2)} reached`
      : `goal ${goal.toFixed(2)} missed by ${Math.abs(ratio - goal).toFixed(2)}`;
  process.stdout.write(`${id.padEnd(4)} ${what.padEnd(62)} ${ratio.toFixed(2).padStart(6)}  ${verdict}\n`);
  if (note !== undefined) process.stdout.write(`     ${note}\n`);
}
