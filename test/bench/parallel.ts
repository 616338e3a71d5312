import { median, time } from './measure.ts';
import type { Timed } from './measure.ts';
import type { Machine } from './machine.ts';
import type { Figure } from './run.ts';
import { paymentArgs } from './signed-request.ts';

const runs = 100;
const rounds = 3;

/** P14: 100 runs at once that each keep a state record, beside 100 dry runs at once of the same command. */
export async function parallelRuns(machine: Machine): Promise<Figure[]> {
  const before = countPayments(machine);
  const ratios: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const dry = await together(machine.obk([...paymentArgs, '--profile', 'sandbox', '--dry-run']));
    // The bank takes 100 calls a minute of one operation.
    machine.bank.forgetCalls();
    const real = await together(machine.obk([...paymentArgs, '--profile', 'sandbox', '--allow-duplicate']));
    ratios.push(real / dry);
  }
  const kept = countPayments(machine) - before;
  const lost = runs * rounds - kept;
  return [
    { id: 'P14', what: `records lost of ${String(runs * rounds)}`, ratio: lost, goal: 0 },
    {
      id: 'P14',
      what: '100 parallel payment init / 100 parallel --dry-run of it',
      ratio: median(ratios),
      goal: 1.4,
    },
  ];
}

async function together(command: Timed): Promise<number> {
  const started = performance.now();
  const ended = await Promise.allSettled(Array.from({ length: runs }, () => time(command)));
  const took = performance.now() - started;
  for (const one of ended) if (one.status === 'rejected') throw one.reason;
  return took;
}

function countPayments(machine: Machine): number {
  return (JSON.parse(machine.bank.obk('payment', 'list', '--profile', 'sandbox', '--json')) as unknown[])
    .length;
}
