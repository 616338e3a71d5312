import { columnsOf, may, needed, rowsAs } from '../../../base/fields.ts';
import { list, numberOrNull, text, textOrNull } from '../../../base/schema.ts';
import type { Flags, OptionsOf, Register, Run } from '../../command.ts';
import type { Context } from '../../context.ts';
import { tailOf } from '../../../client/evidence/log-tail.ts';
import type { PrintedRow, RowsOutcome } from '../../outcome.ts';
import { integer } from '../flags/flag-values.ts';
import { followed } from '../run/follow.ts';
import { filterFlags, filterOf } from './filter-flags.ts';

const flags = (command: Flags) =>
  filterFlags(
    command
      .option(
        '--limit <N>',
        'so many of the last calls, unless --since is given (20)',
        integer('--limit', 1, 100_000),
        20,
      )
      .option('--follow', 'go on with those that come, until Ctrl-C'),
  );

const fields = {
  at: needed(text, 'AT', { whole: true }),
  run: needed(text, 'RUN', { wide: true }),
  command: needed(textOrNull, 'COMMAND', { wide: true }),
  profile: needed(textOrNull, 'PROFILE', { spare: 1 }),
  operation: needed(text, 'OPERATION', { whole: true }),
  method: needed(text, 'METHOD', { wide: true }),
  url: needed(text, 'URL', { wide: true }),
  requestId: needed(text, 'REQUEST', { wide: true }),
  status: needed(numberOrNull, 'STATUS', { align: 'right' }),
  outcome: needed(textOrNull, 'OUTCOME'),
  codes: needed(list(text), 'CODES'),
  durationMs: needed(numberOrNull, 'MS', { align: 'right', spare: 2 }),
  /** There in a journal of several machines. */
  host: may(textOrNull, 'HOST'),
};

type Options = OptionsOf<typeof flags>;

export const register: Register = (command, start) =>
  start(
    flags(command),
    {
      about: 'Show the last calls of all runs, oldest first, each once it is over',
      prints: rowsAs(
        'calls',
        fields,
        'Calls that ended, oldest first; `codes` is what the bank said in a refusal.',
      ),
      examples: [
        'obk log tail',
        'obk log tail --status 4xx --since 2h',
        'obk log tail --follow --json   # one line of JSON for each call',
        'obk log tail --follow --jq .operation   # each call by itself, as it comes',
      ],
      exits: [3, 130],
      more: ['obk help log show', 'obk help sandbox log'],
    },
    run,
  );

const run: Run<Options> = async (context, { follow = false, ...options }) => {
  const rows = calls(context, follow, options);
  const isShared = (await context.ports.journal.host()) !== undefined;
  const list: RowsOutcome & { rows: typeof rows } = {
    kind: 'rows',
    columns: columnsOf(fields).filter(({ key }) => isShared || key !== 'host'),
    nameKey: 'requestId',
    empty: 'No such call: nothing has called a bank, or a filter leaves it out.',
    next: ['obk log show @last'],
    rows,
  };
  return follow ? followed(context, list) : list;
};

async function* calls(
  context: Context,
  follow: boolean,
  { limit, ...filter }: Omit<Options, 'follow'>,
): AsyncGenerator<PrintedRow> {
  const { ports, signal } = context;
  const say = (what: string) => {
    ports.notices.warn(what);
  };
  const options = follow ? { signal, say } : undefined;
  const tail = tailOf(ports.journal, ports.clock, await filterOf(context, filter), options);
  try {
    for (const call of await tail.last(limit)) yield { ...call };
    while (follow) {
      await tail.wait();
      for (const call of await tail.more()) yield { ...call };
    }
  } finally {
    await tail.close();
  }
}
