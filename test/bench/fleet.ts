import { execFileSync } from 'node:child_process';
import { hasPostgres, stateEnvironment, testDatabase } from '../helpers/postgres.ts';
import { ownServer } from '../helpers/postgres-server.ts';
import { atBank } from './machine.ts';
import type { Machine } from './machine.ts';
import { median, pairedRatio, time } from './measure.ts';
import type { Timed } from './measure.ts';
import type { Figure } from './run.ts';
import { paymentArgs } from './signed-request.ts';

const pairs = 9;
const runs = 100;
const rounds = 3;

/** P17: what a call costs with its state in PostgreSQL (on this machine, which waits for its disk) beside files. */
export async function fleet(machine: Machine): Promise<Figure[]> {
  if (!hasPostgres())
    return [{ id: 'P17', what: 'PostgreSQL is not installed', ratio: Number.NaN, goal: Number.NaN }];
  const { bank } = machine;
  const name = atBank(bank, 'fleet');
  const shared = testDatabase({ from: () => ownServer({ durable: true }) });
  const env = { ...machine.env, ...stateEnvironment((await shared.url()).reveal()) };
  const there = (timed: Timed): Timed => ({ ...timed, env });
  const profile = ['--profile', name, '--json', '--no-input'];
  const init = [...paymentArgs, '--debtor', bank.payer().iban, '--allow-duplicate', ...profile];
  const idIn = ({ argv: [file, ...args], env: own }: Timed): string =>
    (JSON.parse(execFileSync(file, args, { env: own, encoding: 'utf8' })) as { paymentId: string }).paymentId;
  try {
    const status = (id: string) => machine.obk(['payment', 'status', id, ...profile]);
    const [inFiles, inDatabase] = [idIn(machine.obk(init)), idIn(there(machine.obk(init)))];
    const reading = await pairedRatio(there(status(inDatabase)), status(inFiles), pairs);
    const writing = await pairedRatio(there(machine.obk(init)), machine.obk(init), pairs);
    const together: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      // The bank would refuse what is more than a hundred a minute.
      bank.forgetCalls();
      const shares = await parallel(there(machine.obk(init)));
      bank.forgetCalls();
      together.push(shares / (await parallel(machine.obk(init))));
    }
    return [
      figure('payment status with PostgreSQL / with files', reading.ratio, 1.6),
      figure('payment init with PostgreSQL / with files', writing.ratio, 1.6),
      figure('100 parallel payment init on one database / on files', median(together), 2),
    ];
  } finally {
    await shared.end();
  }
}

const figure = (what: string, ratio: number, goal: number): Figure => ({ id: 'P17', what, ratio, goal });

/** Milliseconds until all of 100 runs that start at once have ended. */
async function parallel(command: Timed): Promise<number> {
  const started = performance.now();
  const ended = await Promise.allSettled(Array.from({ length: runs }, () => time(command)));
  for (const one of ended) if (one.status === 'rejected') throw one.reason;
  return performance.now() - started;
}
