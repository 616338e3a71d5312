// `npm run bench`: speed as ratios, both sides measured in one run. Absolute times drift with the machine.
import { bankInside } from './bank-inside.ts';
import { fleet } from './fleet.ts';
import { history } from './history.ts';
import { journey } from './journey.ts';
import { judging } from './judging.ts';
import { benchMachine } from './machine.ts';
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

const machine = await benchMachine();
const figures: Figure[] = [];
try {
  for (const part of [
    startUp,
    mutualTls,
    signedRequest,
    journey,
    pain001,
    reports,
    wireReports,
    parallelRuns,
    fleet,
    history,
    bankInside,
    load,
    judging,
  ])
    figures.push(...(await part(machine)));
} finally {
  await machine.close();
}

for (const { id, what, ratio, goal, least, note } of figures) {
  const verdict = Number.isNaN(goal)
    ? ''
    : (least === true ? ratio >= goal : ratio <= goal)
      ? `goal ${goal.toFixed(2)} reached`
      : `goal ${goal.toFixed(2)} missed by ${Math.abs(ratio - goal).toFixed(2)}`;
  process.stdout.write(`${id.padEnd(4)} ${what.padEnd(62)} ${ratio.toFixed(2).padStart(6)}  ${verdict}\n`);
  if (note !== undefined) process.stdout.write(`     ${note}\n`);
}
