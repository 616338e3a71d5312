import { integer } from '../flags.ts';
import type { Register, Run } from '../register.ts';
import { outcomeOf, readRun } from './runs.ts';

interface Options {
  limit: number;
}

export const register: Register = (parent, start) =>
  start(
    parent.command('list').option('--limit <N>', 'so many runs', integer('--limit', 1, 100_000), 20),
    {
      about: 'List the runs that called a bank, newest first',
      examples: ['obk log list', 'obk log list --limit 100 --json'],
      exits: [3],
      more: ['obk help log show'],
    },
    run,
  );

export const run: Run<Options> = async (context, { limit }) => {
  const { journal } = context.ports;
  const runs = await journal.runs();
  async function* rows() {
    for (const { run: id, startedAt } of runs.slice(0, limit)) {
      const { head, exchanges, exit } = await readRun(journal, id);
      const last = exchanges.at(-1);
      yield {
        run: id,
        startedAt,
        command: head?.command ?? '',
        profile: head?.profile ?? '',
        environment: head?.environment ?? '',
        calls: exchanges.length,
        last: last === undefined ? '' : `${last.prepared.operation} ${outcomeOf(last)}`,
        exit: exit ?? null,
      };
    }
  }
  return {
    kind: 'rows',
    columns: [
      { key: 'run', title: 'RUN' },
      { key: 'startedAt', title: 'STARTED' },
      { key: 'command', title: 'COMMAND' },
      { key: 'profile', title: 'PROFILE' },
      { key: 'environment', title: 'ENVIRONMENT', wide: true },
      { key: 'calls', title: 'CALLS', align: 'right' },
      { key: 'last', title: 'LAST CALL' },
      { key: 'exit', title: 'EXIT', align: 'right' },
    ],
    rows: rows(),
    nameKey: 'run',
    empty: 'No run has called a bank yet.',
    next: ['obk log show @last'],
  };
};
