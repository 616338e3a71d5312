import { cleanLine } from '../../clean.ts';
import type { Register, Run } from '../../command.ts';
import { readSavedEntries, readSavedReport } from '../../flows/resources/saved-report.ts';
import type { SavedReportFacts } from '../../flows/resources/saved-report.ts';
import type { Row } from '../../outcome.ts';
import type { Notices } from '../../ports/person.ts';
import { integer, usageError } from '../flags/flag-values.ts';
import { balanceLines } from './balance-lines.ts';
import { transactionColumns } from './transaction-columns.ts';

interface Options {
  file: string;
  limit?: number;
  raw?: boolean;
}

export const register: Register = (parent, start) =>
  start(
    parent
      .command('read')
      .argument('<file>', 'JSON, camt.052, .053, .054, MT940 or MT942, also in gzip or zip; - for stdin')
      .option('--limit <N>', 'so many transactions', integer('--limit', 1, 1_000_000_000))
      .option('--raw', 'with -o ndjson: the entries of a JSON list as the bank wrote them'),
    {
      about: 'Read a saved report of an account, of any size: one row each; no bank is asked',
      examples: [
        'obk transactions read statement.xml',
        'obk transactions read statement.xml -o csv --limit 100',
        'obk transactions read statement.xml --json --meta   # with the balances',
        'obk transactions read list.json --raw -o ndjson   # as the bank wrote them',
      ],
      exits: [2],
      more: ['obk help transactions list'],
    },
    run,
  );

const run: Run<Options> = async (context, { file, limit = Infinity, raw = false }) => {
  const { files, notices } = context.ports;
  if (raw && context.globals.as !== 'ndjson')
    throw usageError('--raw needs -o ndjson here: the exact bytes are those of the file.');
  if (raw) return { kind: 'data', data: null, text: () => '', raw: readSavedEntries(files, file, limit) };
  const facts: SavedReportFacts = {
    rows: 0,
    balances: [],
    problems: [],
    marks: new Map(),
    nextPage: undefined,
  };
  const source = readSavedReport(files, file, {
    limit,
    facts,
    atEnd: () => {
      tell(facts, notices);
    },
  });
  // Nothing is printed of a file that cannot be read at all.
  const rows = begunWith(await source.next(), source);
  if (context.globals.meta === true) {
    const transactions: Row[] = [];
    for await (const some of rows) for (const row of some) transactions.push(row);
    const { balances, problems, nextPage = null } = facts;
    return {
      kind: 'data',
      data: { transactions, balances, problems, nextPage },
      text: () => `${String(transactions.length)} transactions`,
    };
  }
  return {
    kind: 'rows',
    columns: transactionColumns,
    rows,
    nameKey: 'transactionId',
    empty: 'No transactions in this report.',
  };
};

/** The rows with the first ones, which were read already. */
async function* begunWith(
  first: IteratorResult<readonly object[]>,
  others: AsyncGenerator<readonly object[]>,
): AsyncGenerator<readonly Row[]> {
  try {
    if (first.done === true) return;
    yield first.value as readonly Row[];
    yield* others as AsyncGenerator<readonly Row[]>;
  } finally {
    await others.return(undefined);
  }
}

function tell({ rows, balances, problems, marks, nextPage }: SavedReportFacts, notices: Notices): void {
  for (const { code, detail } of problems) notices.warn(cleanLine(`${code}: ${detail}`));
  for (const [mark, count] of marks) notices.warn(`${mark}: ${String(count)} of ${String(rows)} rows`);
  for (const line of balanceLines(balances)) notices.say(line);
  if (nextPage !== undefined) notices.say(cleanLine(`The report goes on at ${nextPage}`, 8192));
}
