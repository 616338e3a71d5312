import type { Register, Run } from '../../command.ts';
import type { Context } from '../../context.ts';
import type { RowsOutcome } from '../../outcome.ts';
import type { BankRequest } from '../../ports/bank.ts';
import { integer } from '../flags/flag-values.ts';
import { followed } from '../run/follow.ts';

interface Options {
  follow?: boolean;
  limit: number;
}

export const register: Register = (parent, start) =>
  start(
    parent
      .command('log')
      .option('--limit <N>', 'so many of the last requests', integer('--limit', 1, 1000), 20)
      .option('--follow', 'go on with those that come, until Ctrl-C'),
    {
      about: 'Show the requests that reached the bank inside, and why it refused them',
      examples: ['obk sandbox log', 'obk sandbox log --limit 1 --json'],
      exits: [130],
      more: ['obk help sandbox scenario', 'obk help sandbox start'],
    },
    run,
  );

/** How often a bank is asked for more. */
const intervalMs = 300;

const run: Run<Options> = (context, { follow = false, limit }) => {
  const rows = requests(context, limit, follow);
  const list: RowsOutcome & { rows: typeof rows } = {
    kind: 'rows',
    columns: [
      { key: 'at', title: 'AT' },
      { key: 'method', title: 'METHOD' },
      { key: 'path', title: 'PATH' },
      { key: 'operation', title: 'OPERATION', wide: true },
      { key: 'tpp', title: 'TPP', wide: true },
      { key: 'status', title: 'STATUS', align: 'right' },
      { key: 'verdict', title: 'VERDICT' },
      { key: 'code', title: 'CODE' },
      { key: 'rule', title: 'RULE' },
    ],
    nameKey: 'requestId',
    empty: 'No request has reached the bank.',
    rows,
  };
  return Promise.resolve(follow ? followed(context, list) : list);
};

async function* requests({ ports, signal }: Context, limit: number, follow: boolean) {
  let told: readonly BankRequest[] = (await ports.bank.log(0)).slice(-limit);
  let last = 0;
  for (;;) {
    for (const request of told) yield { ...request };
    last = told.at(-1)?.number ?? last;
    if (!follow) return;
    await ports.clock.sleep(intervalMs, signal);
    told = await ports.bank.log(last);
  }
}
