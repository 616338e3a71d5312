import { median, time } from './measure.ts';
import type { Timed } from './measure.ts';
import type { Machine } from './machine.ts';
import type { Figure } from './run.ts';
import { paymentArgs } from './signed-request.ts';

const runs = 100;
const rounds = 3;
const sandbox = ['--profile', 'sandbox'] as const;

/**
 * P14: 100 runs at once that each write one state record, beside 100 dry runs at once of the same command. The command is
 * `pending resolve`, which needs no bank; `payment init`, which has a call to the bank besides, is printed next to it.
 */
export async function parallelRuns(machine: Machine): Promise<Figure[]> {
  const resolving: number[] = [];
  const paying: number[] = [];
  let lost = 0;
  for (let round = 0; round < rounds; round += 1) {
    const init = [...paymentArgs, ...sandbox, '--allow-duplicate'];
    const dryInit = await together(machine, () => [...init, '--dry-run']);
    const before = count(machine, 'payment');
    machine.bank.forgetCalls();
    paying.push((await together(machine, () => init)) / dryInit);
    lost += runs - (count(machine, 'payment') - before);

    const ids = await unknownPayments(machine, init);
    const resolve = (index: number): string[] => [
      'pending',
      'resolve',
      ids[index] ?? '',
      '--not-created',
      '--reason',
      'bench',
      ...sandbox,
    ];
    const dry = await together(machine, (index) => [...resolve(index), '--dry-run']);
    resolving.push((await together(machine, resolve)) / dry);
    lost += unknownIds(machine).length;
  }
  return [
    { id: 'P14', what: `records lost of ${String(2 * runs * rounds)}`, ratio: lost, goal: 0 },
    {
      id: 'P14',
      what: '100 parallel pending resolve / 100 of it as --dry-run',
      ratio: median(resolving),
      goal: 1.2,
    },
    {
      id: 'P14',
      what: '100 parallel payment init / 100 of it as --dry-run',
      ratio: median(paying),
      goal: Number.NaN,
    },
  ];
}

/** Payments whose answers the bank lost on purpose, so that each waits to be settled. */
async function unknownPayments(machine: Machine, init: readonly string[]): Promise<string[]> {
  machine.bank.forgetCalls();
  machine.bank.obk(
    'sandbox',
    'fault',
    'add',
    'initiatePayment',
    'drop-after-commit',
    '--count',
    String(runs),
  );
  await together(machine, () => init, 12);
  return unknownIds(machine);
}

function unknownIds(machine: Machine): string[] {
  const rows = JSON.parse(machine.bank.obk('pending', 'list', ...sandbox, '--json')) as {
    id: string;
    kind: string;
  }[];
  return rows.filter((row) => row.kind === 'unknown').map((row) => row.id);
}

function count(machine: Machine, noun: string): number {
  return (JSON.parse(machine.bank.obk(noun, 'list', ...sandbox, '--json')) as unknown[]).length;
}

/** Milliseconds until all of 100 runs that start at once have ended. */
async function together(
  machine: Machine,
  argsOf: (index: number) => readonly string[],
  exit = 0,
): Promise<number> {
  const commands = Array.from({ length: runs }, (_, index): Timed => machine.obk(argsOf(index), exit));
  const started = performance.now();
  const ended = await Promise.allSettled(commands.map((command) => time(command)));
  const took = performance.now() - started;
  for (const one of ended) if (one.status === 'rejected') throw one.reason;
  return took;
}
