import { listRuns } from '../../flows/log.ts';
import { integer } from '../flags.ts';
import type { Register, Run } from '../register.ts';

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

export const run: Run<Options> = (context, { limit }) => {
  async function* rows() {
    let left = limit;
    for await (const summary of listRuns(context.ports.journal)) {
      yield { ...summary };
      left -= 1;
      if (left === 0) return;
    }
  }
  return Promise.resolve({
    kind: 'rows',
    columns: [
      { key: 'run', title: 'RUN' },
      { key: 'startedAt', title: 'STARTED' },
      { key: 'command', title: 'COMMAND' },
      { key: 'profile', title: 'PROFILE' },
      { key: 'environment', title: 'ENVIRONMENT', wide: true },
      { key: 'exchanges', title: 'CALLS', align: 'right' },
      { key: 'outcome', title: 'OUTCOME' },
      { key: 'exit', title: 'EXIT', align: 'right' },
    ],
    rows: rows(),
    nameKey: 'run',
    empty: 'No run has called a bank yet.',
    next: ['obk log show @last'],
  });
};
