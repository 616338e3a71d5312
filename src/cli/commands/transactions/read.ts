import { defined } from '../../../base/defined.ts';
import { cleanLine } from '../../../base/clean.ts';
import type { Flags, OptionsOf, Register, Run } from '../../command.ts';
import { noFacts, readSavedEntries, readSavedReports } from '../../../client/resources/saved-report.ts';
import type { SavedReportFacts } from '../../../client/resources/saved-report.ts';
import type { PrintedRow } from '../../outcome.ts';
import type { Notices } from '../../../client/ports/person.ts';
import { charsetFlag } from '../flags/charset-flag.ts';
import { integer, usageError } from '../flags/flag-values.ts';
import { flowLine } from '../../render/flow-line.ts';
import type { PageOf } from '../../render/transactions-page.ts';
import { balanceLines, statementLines } from './balance-lines.ts';
import { showsKeys, transactionColumns } from './transaction-columns.ts';

const flags = (command: Flags) =>
  command
    .argument('<file...>', 'JSON, camt.052, .053, .054, MT940 or MT942, also in gzip or zip; - for stdin')
    .option('--limit <N>', 'so many transactions', integer('--limit', 1, 1_000_000_000))
    .option('--charset <NAME>', 'the characters of text and XML, where obk is not to find out', charsetFlag)
    .option('--expect-clean', 'exit 10 where something was only tolerated, and list it')
    .option('--raw', 'with -o ndjson: the entries of a JSON list as the bank wrote them');

type Options = OptionsOf<typeof flags>;

export const register: Register = (command, start) =>
  start(
    flags(command),
    {
      about: 'Read saved reports of accounts, of any size: one row each; no bank is asked',
      examples: [
        'obk transactions read statement.xml',
        'obk transactions read statement.xml -o csv --limit 100',
        'obk transactions read statement.xml --json --meta   # with the balances',
        'obk transactions read statement.sta --expect-clean   # else exit 10',
        'obk transactions read statement.xml -o html --output page.html   # a page',
        'obk transactions read january.sta february.sta -o csv   # overlaps marked',
        'obk transactions read list.json --raw -o ndjson   # as the bank wrote them',
      ],
      exits: [2, 10],
      html: true,
      more: ['obk help transactions list'],
    },
    run,
  );

const run: Run<Options> = async (context, options) => {
  const { file, limit = Infinity, raw = false, charset, expectClean = false } = options;
  const { files, notices } = context.ports;
  if (raw && context.globals.as !== 'ndjson')
    throw usageError('--raw needs -o ndjson here: the exact bytes are those of the file.');
  if (raw) return { kind: 'data', data: null, text: () => '', raw: readSavedEntries(files, file, limit) };
  const facts = noFacts();
  const source = readSavedReports(files, file, {
    limit,
    facts,
    keyed: showsKeys(context.globals),
    ...defined({ charset }),
    atEnd: () => {
      tell(facts, notices, expectClean);
    },
  });
  const exit = () => (expectClean && facts.tolerated.length > 0 ? 10 : 0);
  // Nothing is printed of a file that cannot be read at all.
  const rows = begunWith(await source.next(), source);
  if (context.globals.meta === true) {
    const transactions: PrintedRow[] = [];
    for await (const some of rows) for (const row of some) transactions.push(row);
    const { balances, notes, statements, problems, tolerated, nextPage = null } = facts;
    return {
      kind: 'data',
      data: {
        transactions,
        balances,
        notes,
        statements,
        problems,
        ...(expectClean && { tolerated }),
        nextPage,
      },
      text: () => `${String(transactions.length)} transactions`,
      exit: exit(),
    };
  }
  return {
    kind: 'rows',
    columns: transactionColumns,
    rows,
    nameKey: 'transactionId',
    empty: 'No transactions in this report.',
    exitAtEnd: exit,
    foot: flowLine,
    page: async () => {
      const { transactionsPage } = await import('../../render/transactions-page.ts');
      const at = context.ports.clock.now().toISOString();
      const told: PageOf['told'] = () => ({ ...facts, goesOn: facts.nextPage !== undefined });
      return transactionsPage({ at, version: context.process.version, told });
    },
  };
};

/** The rows with the first ones, which were read already. */
async function* begunWith(
  first: IteratorResult<readonly object[]>,
  others: AsyncGenerator<readonly object[]>,
): AsyncGenerator<readonly PrintedRow[]> {
  try {
    if (first.done === true) return;
    yield first.value as readonly PrintedRow[];
    yield* others as AsyncGenerator<readonly PrintedRow[]>;
  } finally {
    await others.return(undefined);
  }
}

function tell(facts: SavedReportFacts, notices: Notices, each: boolean): void {
  const { rows, balances, notes, statements, problems, marks, nextPage, tolerated, untold } = facts;
  if (each) {
    for (const { code, position, detail } of tolerated)
      notices.warn(
        cleanLine(
          [position === undefined ? undefined : `row ${String(position)}`, code, detail]
            .filter((part) => part !== undefined)
            .join(': '),
        ),
      );
    if (untold > 0) notices.warn(`${String(untold)} more`);
  } else {
    for (const { code, detail } of problems.slice(0, most)) notices.warn(cleanLine(`${code}: ${detail}`));
    if (problems.length > most)
      notices.warn(`${String(problems.length - most)} more like these; --expect-clean lists them.`);
    for (const [mark, count] of marks) notices.warn(`${mark}: ${String(count)} of ${String(rows)} rows`);
  }
  for (const { text } of notes.slice(0, most)) notices.say(cleanLine(`Information: ${text}`));
  if (notes.length > most) notices.say(`${String(notes.length - most)} more; --json --meta has them all.`);
  for (const line of statementLines(statements)) notices.say(line);
  for (const line of balanceLines(balances)) notices.say(line);
  if (nextPage !== undefined) notices.say(cleanLine(`The report goes on at ${nextPage}`, 8192));
}

/** So many lines of a kind are told. */
const most = 20;
