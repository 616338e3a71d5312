import type { Flags, OptionsOf, Register, Run } from '../../command.ts';
import { filterRuns } from '../../../client/evidence/log-filter.ts';
import { ago, prefixesOf } from '../output/for-person.ts';
import { integer } from '../flags/flag-values.ts';
import { filterFlags, filterOf } from './filter-flags.ts';

const flags = (command: Flags) =>
  filterFlags(command.option('--limit <N>', 'so many runs (20)', integer('--limit', 1, 100_000)));

type Options = OptionsOf<typeof flags>;

export const register: Register = (command, start) =>
  start(
    flags(command),
    {
      about: 'List the runs that called a bank, newest first',
      examples: [
        'obk log list',
        'obk log list --status 4xx --since 2h',
        'obk log list --profile sandbox --operation initiatePayment --limit 100 --json',
      ],
      exits: [3],
      more: ['obk help log show'],
    },
    run,
  );

/** How many are shown where nothing is said. */
const fewest = 20;

export const run: Run<Options> = async (context, { limit, ...options }) => {
  const filter = await filterOf(context, options);
  // A pipe gets each id whole.
  const names: string[] = [];
  if (context.process.stdout.isTTY === true)
    for await (const one of await context.ports.journal.runs()) names.push(one.run);
  const isShared = (await context.ports.journal.host()) !== undefined;
  async function* rows() {
    let left = limit ?? fewest;
    for await (const summary of filterRuns(context.ports.journal, filter)) {
      if (left === 0) {
        if (limit === undefined)
          context.ports.notices.say(`These are the last ${String(fewest)} runs; --limit N shows more.`);
        return;
      }
      yield { ...summary };
      left -= 1;
    }
  }
  return {
    kind: 'rows',
    columns: [
      { key: 'run', title: 'RUN', forPerson: prefixesOf(names) },
      { key: 'startedAt', title: 'STARTED', forPerson: ago(context.ports), spare: 2 },
      { key: 'command', title: 'COMMAND', whole: true },
      { key: 'profile', title: 'PROFILE', spare: 1 },
      { key: 'environment', title: 'ENVIRONMENT', wide: true },
      { key: 'exchanges', title: 'CALLS', align: 'right', spare: 0 },
      { key: 'outcome', title: 'OUTCOME', whole: true },
      { key: 'exit', title: 'EXIT', align: 'right' },
      // The outcome stands beside it.
      { key: 'verdict', title: 'VERDICT', forPerson: reason, spare: 3 },
      ...(isShared ? [{ key: 'host', title: 'HOST' }] : []),
    ],
    rows: rows(),
    nameKey: 'run',
    empty: 'No such run: nothing has called a bank, or a filter leaves it out.',
    next: ['obk log show @last'],
  };
};

/** A verdict by its reason alone. */
const reason = (verdict: string) =>
  verdict
    .replace(/^refused by the bank: (.*) \([A-Za-z]+\)$/, '$1')
    .replace(/^the outcome of [A-Za-z]+ is unknown \((?:the bank answered )?(.*)\)$/, '$1');
