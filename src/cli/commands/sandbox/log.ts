import type { Flags, OptionsOf, Register, Run } from '../../command.ts';
import type { Context } from '../../context.ts';
import { ObkError } from '../../../base/errors.ts';
import type { PrintedRow, RowsOutcome } from '../../outcome.ts';
import { integer } from '../flags/flag-values.ts';
import { followed } from '../run/follow.ts';

const flags = (command: Flags) =>
  command
    .option('--findings', 'show the mistakes that the referee found in them, in place of the requests')
    .option('--notifications', 'show what the bank pushed to TPPs, in place of the requests')
    .option(
      '--limit <N>',
      'so many of the last requests (20; with --findings all)',
      integer('--limit', 1, 1000),
    )
    .option('--follow', 'go on with those that come, until Ctrl-C');

type Options = OptionsOf<typeof flags>;

export const register: Register = (command, start) =>
  start(
    flags(command),
    {
      about: 'Show the requests that reached the bank inside, and why it refused them',
      examples: [
        'obk sandbox log',
        'obk sandbox log --limit 1 --json',
        'obk sandbox log --findings        # what a TPP does wrong',
        'obk sandbox log --notifications   # what was pushed, and the answer',
      ],
      exits: [130],
      more: ['obk help sandbox scenario', 'obk help sandbox start', 'obk help sandbox resend'],
    },
    run,
  );

/** How many are shown where nothing is said. */
const fewest = 20;
/** How often a bank is asked for more. */
const intervalMs = 300;

const run: Run<Options> = (context, { findings, notifications, follow = false, limit }) => {
  if (findings === true && notifications === true)
    throw new ObkError({
      code: 'USAGE',
      title: '--findings and --notifications exclude each other.',
      hint: ['obk sandbox log --findings', 'obk sandbox log --notifications'],
    });
  const listed = findings === true ? mistakes : notifications === true ? pushes : requests;
  const list = listed(context, limit, follow);
  return Promise.resolve(follow ? followed(context, list) : list);
};

type LiveList = RowsOutcome & { rows: AsyncIterable<PrintedRow> };

function requests(context: Context, limit: number | undefined, follow: boolean): LiveList {
  return {
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
    rows: told(context, requestsOf(context), limit, follow),
  };
}

/** All that the bank keeps after a number. */
const requestsOf =
  ({ ports: { bank } }: Context) =>
  async (after: number) =>
    (await bank.control('listCalls', { given: { after, limit: 1000 } })).calls;

/** One row for each mistake, with the request that it is in. */
function mistakes(context: Context, limit: number | undefined, follow: boolean): LiveList {
  async function* rows(): AsyncGenerator<PrintedRow> {
    // A mistake is looked for in every request: the last ones alone may be right.
    for await (const request of told(context, requestsOf(context), limit ?? Infinity, follow)) {
      const { number, at, method, path, operation, requestId, tpp, findings } = request;
      for (const finding of findings as readonly PrintedRow[])
        yield { number, at, method, path, operation, requestId, tpp, ...finding };
    }
  }
  return {
    kind: 'rows',
    columns: [
      { key: 'at', title: 'AT' },
      { key: 'method', title: 'METHOD' },
      { key: 'path', title: 'PATH', wide: true },
      { key: 'operation', title: 'OPERATION', wide: true },
      { key: 'severity', title: 'SEVERITY' },
      { key: 'rule', title: 'RULE' },
      { key: 'place', title: 'PLACE', wide: true },
      { key: 'pointer', title: 'POINTER' },
      { key: 'code', title: 'CODE' },
      { key: 'what', title: 'WHAT' },
      { key: 'source', title: 'WRITTEN IN', wide: true },
    ],
    nameKey: 'requestId',
    empty: 'The referee found no mistake in the requests.',
    rows: rows(),
  };
}

function pushes(context: Context, limit: number | undefined, follow: boolean): LiveList {
  return {
    kind: 'rows',
    columns: [
      { key: 'number', title: 'NUMBER', align: 'right' },
      { key: 'at', title: 'AT' },
      { key: 'uri', title: 'TO' },
      { key: 'resourceId', title: 'OF', wide: true },
      { key: 'body', title: 'BODY' },
      { key: 'status', title: 'ANSWER', align: 'right' },
      { key: 'failure', title: 'FAILURE' },
      { key: 'fault', title: 'FAULT' },
    ],
    nameKey: 'requestId',
    empty: 'The bank has pushed no notification.',
    rows: told(
      context,
      async (after) =>
        (await context.ports.bank.control('listNotifications', { given: { after } })).notifications,
      limit,
      follow,
    ),
  };
}

/** The last rows of the bank, and where it is followed those that come. */
async function* told<Told extends { number: number }>(
  { ports, signal }: Context,
  read: (after: number) => Promise<readonly Told[]>,
  limit: number | undefined,
  follow: boolean,
): AsyncGenerator<PrintedRow> {
  const kept = await read(0);
  let rows: readonly Told[] = kept.slice(-(limit ?? fewest));
  if (limit === undefined && rows.length < kept.length)
    ports.notices.say(
      `These are the last ${String(fewest)} of ${String(kept.length)}; --limit ${String(kept.length)} shows them all.`,
    );
  let last = 0;
  for (;;) {
    for (const row of rows) yield { ...row };
    last = rows.at(-1)?.number ?? last;
    if (!follow) return;
    await ports.clock.sleep(intervalMs, signal);
    rows = await read(last);
  }
}
