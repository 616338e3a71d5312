import { defined } from '../../../base/defined.ts';
import { cleanLine } from '../../../base/clean.ts';
import type { Flags, OptionsOf, Page, Register, Run } from '../../command.ts';
import { line } from '../../../base/command-line.ts';
import type { Context } from '../../context.ts';
import { accountId } from '../../../client/accounts/accounts.ts';
import type { AccountKind } from '../../../client/accounts/accounts.ts';
import { bytesOf } from '../../../client/exchange/answer-stream.ts';
import { bankTime } from '../../../client/exchange/bank-time.ts';
import type { AccountRead } from '../../../client/accounts/counted-read.ts';
import { acceptOf, reportQuery } from '../../../client/accounts/report-query.ts';
import { withKeys } from '../../../client/accounts/row-keys.ts';
import { entriesOf, readPages, readRaw } from '../../../client/accounts/transactions.ts';
import type { PageFacts, ReportPage, ReportRead } from '../../../client/accounts/transactions.ts';
import { readWindows, windowsOf } from '../../../client/accounts/windows.ts';
import type { Window } from '../../../client/accounts/windows.ts';
import { isoDate } from '../../../client/consents/consent-body.ts';
import type { Target } from '../../../client/exchange/target.ts';
import type { Notices } from '../../../client/ports/person.ts';
import type { Outcome, PrintedRow, RowsOutcome } from '../../outcome.ts';
import type { Answer } from '../../../standard/xs2a/answer.ts';
import { readOptions, withReading } from '../accounts/read-options.ts';
import { integer, size, usageError } from '../flags/flag-values.ts';
import { flowLine } from '../../render/flow-line.ts';
import type { PageOf } from '../../render/transactions-page.ts';
import { balanceLines, statementLines } from './balance-lines.ts';
import { showsKeys, transactionColumns } from './transaction-columns.ts';

type Options = OptionsOf<typeof flags>;

/** The list of transactions of accounts and of card accounts. */
export function reportCommand(
  kind: AccountKind,
  verb: string,
  page: Page,
): { register: Register; run: Run<Options> } {
  const run: Run<Options> = (context, options) => {
    if (options.raw === true && options.all === true)
      throw usageError('--raw is one answer of the bank, so it cannot be given with --all.');
    if (options.accept !== undefined) acceptOf(options.accept);
    const work = async (reading: AccountRead): Promise<Outcome> => {
      const { target } = reading;
      const account = await accountId(reading, kind, options.account);
      const now = await bankTime(target);
      const query = reportQuery(
        // A page, or bytes as they come, is one answer.
        options.page === undefined && options.raw !== true ? options : { ...options, all: false },
        {
          framework: target.variant.framework,
          now,
          ...defined({ bank: target.profile.ais }),
          authorisedAt: reading.consent?.usableSince ?? reading.consent?.createdAt,
        },
      );
      const windows = windowsIn(target, query, isoDate(now));
      const { all = false, page: start, maxSize } = options;
      const wanted: ReportRead = {
        kind,
        account,
        query,
        ...(options.accept !== undefined && { accept: acceptOf(options.accept, target.variant.framework) }),
        all,
        ...defined({ page: start, maxBytes: maxSize }),
      };
      if (options.raw === true) return rawOutcome(context, await readRaw(reading, wanted), options);
      const read =
        all && windows.length > 1 ? readWindows(reading, wanted, windows) : readPages(reading, wanted);
      return outcomeOf(context, target, read, { wanted, options });
    };
    const check = (target: Target) => {
      needPageSize(target, kind, options.pageSize);
      // The days that the bank gives are counted by its clock, which only an answer tells.
      const { bookingStatus } = target.profile.ais ?? {};
      reportQuery(options, {
        framework: target.variant.framework,
        now: context.ports.clock.now(),
        bank: defined({ bookingStatus }),
      });
    };
    return withReading(context, options, work, {
      ...(kind === 'card' && { read: 'getCardAccountTransactionList' }),
      check,
    });
  };
  const register: Register = (command, start) => start(flags(command), { ...page, html: true }, run);
  return { register, run };
}

/** Throws USAGE for a page size at a bank that has none. */
function needPageSize({ name, profile }: Target, kind: AccountKind, pageSize: number | undefined): void {
  if (pageSize === undefined || (kind === 'account' && profile.reports?.paging === 'index')) return;
  throw usageError(
    'The interface has no page size: where a list goes on its links say.',
    ...(kind === 'card'
      ? []
      : [line`obk config set reports.paging index --profile ${name}   # of a bank that has itemsPerPage`]),
    '--limit N   # so many transactions',
  );
}

/** The windows of a time that the bank does not give at once; none where it does. */
function windowsIn(
  { profile }: Target,
  query: Readonly<Record<string, string>>,
  today: string,
): readonly Window[] {
  const { windowDays } = profile.ais?.history ?? {};
  const { dateFrom, dateTo } = query;
  return windowDays === undefined || dateFrom === undefined
    ? []
    : windowsOf(dateFrom, dateTo, today, windowDays);
}

const flags = (command: Flags) =>
  readOptions(
    command
      .optionsGroup('REPORT FLAGS')
      .option('--account <ID>', 'IBAN, IBAN:EUR or id of the account; the only one if not given')
      .option('--date-from <DATE>', 'first day (30 days ago, by the clock of the bank)')
      .option('--date-to <DATE>', 'last day')
      .option('--booking-status <STATUS>', 'booked (if not given), pending, both, or information (1.3.6)')
      .option('--entry-reference-from <REF>', 'what came after this entryReference')
      .option('--delta', 'what came since the last access')
      .option('--with-balance', 'with the balances of the account')
      .option('--all', 'follow the links to all pages')
      .option('--limit <N>', 'so many transactions', integer('--limit', 1, 1_000_000_000))
      .option(
        '--page-size <N>',
        'entries of a page, of a bank that has them',
        integer('--page-size', 1, 1_000_000),
      )
      .option('--page <LINK>', 'go on with this page (nextPage of an earlier answer)')
      .option('--accept <FORMAT>', 'json, xml, text, camt.053, mt940 ... or a media type')
      .option('--max-size <SIZE>', 'the most that one answer may have, such as 500M (2G)', size('--max-size'))
      .option('--raw', 'the exact bytes of the bank; with -o ndjson its entries, one on a line'),
  );

function rawOutcome({ globals }: Context, answer: Answer, { limit = Infinity }: Options): Outcome {
  const whole = answer.rest === undefined ? answer.body : bytesOf(answer);
  const raw = globals.as === 'ndjson' ? entriesOf(answer, limit) : whole;
  return { kind: 'data', data: null, text: () => '', raw };
}

/** The report as it is printed, row by row; `asked` is what it is the answer to. */
async function outcomeOf(
  context: Context,
  { ports: { notices } }: Target,
  unkeyed: AsyncGenerator<ReportPage>,
  { wanted, options }: { wanted: ReportRead; options: Options },
): Promise<Outcome> {
  const { limit = Infinity, all } = options;
  const pages = showsKeys(context.globals) ? withKeys(unkeyed) : unkeyed;
  // The first rows are read before anything is printed: what is wrong with them must not look like a list.
  const first = await pages.next();
  if (first.done === true) throw new Error('a report without a first page');
  const report = new PrintedReport(notices, limit);
  const next: string[] = [];
  const rows = report.rows(first.value, pages, () => {
    const { nextPage } = report.told;
    if (nextPage !== undefined && all !== true)
      next.push(nextCommand(wanted, options, nextPage), '--all   # every page');
  });
  const list: RowsOutcome = {
    kind: 'rows',
    columns: transactionColumns,
    rows,
    atOnce: first.value.head.length,
    nameKey: 'transactionId',
    foot: flowLine,
    page: async () => {
      const { transactionsPage } = await import('../../render/transactions-page.ts');
      const at = context.ports.clock.now().toISOString();
      const told: PageOf['told'] = () => ({ ...report.told, goesOn: report.told.nextPage !== undefined });
      return transactionsPage({ at, version: context.process.version, told });
    },
    empty: 'No transactions in this time.',
    next,
  };
  return context.globals.meta === true ? wholeOf(list, rows, report.told) : list;
}

/** The command that goes on at a page of the same bank, consent and format; a link may have quotes of its own. */
function nextCommand({ kind, account }: ReportRead, { consent, accept }: Options, nextPage: string): string {
  const named = [
    ['account', account],
    ['page', nextPage],
    ['consent', consent],
    ['accept', accept],
  ].flatMap(([name, value]) => (value === undefined ? [] : [`--${name ?? ''}`, value]));
  return line`obk ${kind === 'card' ? ['cards', 'transactions'] : ['transactions', 'list']} ${named}`;
}

/** Problems, notes and statements that are kept of all pages together. */
const mostTold = 1000;

/** The facts of a report besides its transactions. */
interface Told {
  calls: number;
  rows: number;
  /** How many rows have which mark. */
  marks: Map<string, number>;
  balances: PageFacts['balances'];
  notes: PageFacts['notes'];
  statements: PageFacts['statements'];
  problems: PageFacts['problems'];
  nextPage: string | undefined;
}

/** The rows of a report on their way to the printer, and what is told beside them. */
class PrintedReport {
  readonly #notices: Notices;
  readonly #limit: number;
  readonly told: Told = {
    calls: 1,
    rows: 0,
    marks: new Map(),
    balances: [],
    notes: [],
    statements: [],
    problems: [],
    nextPage: undefined,
  };

  constructor(notices: Notices, limit: number) {
    this.#notices = notices;
    this.#limit = limit;
  }

  /** The rows up to the limit; what is known at their end is told before the generator ends. */
  async *rows(
    first: ReportPage,
    others: AsyncGenerator<ReportPage>,
    atEnd: () => void,
  ): AsyncGenerator<readonly PrintedRow[]> {
    const { told } = this;
    try {
      for (let page: ReportPage | undefined = first; page !== undefined;) {
        const isCut = yield* this.#rowsOf(page);
        this.#take(page.facts, isCut);
        if (told.rows >= this.#limit) break;
        const more: IteratorResult<ReportPage> = await others.next();
        page = more.done === true ? undefined : more.value;
        if (page !== undefined) told.calls += 1;
      }
    } finally {
      await others.return(undefined);
    }
    atEnd();
    for (const [mark, count] of told.marks)
      this.#notices.warn(`${mark}: ${String(count)} of ${String(told.rows)} rows`);
    for (const line of statementLines(told.statements)) this.#notices.say(line);
    for (const line of balanceLines(told.balances)) this.#notices.say(line);
    if (told.calls > 1 || told.nextPage !== undefined) this.#notices.say(callsText(told));
  }

  /** The rows of one page; returns whether the limit cuts some off, which are then not on the next one. */
  async *#rowsOf({ rows, facts }: ReportPage): AsyncGenerator<readonly PrintedRow[], boolean> {
    const { told } = this;
    for await (const some of rows) {
      const shown = some.slice(0, this.#limit - told.rows);
      const isCut = shown.length < some.length;
      if (isCut && shown.length === 0) return true;
      told.rows += shown.length;
      for (const { marks = [] } of shown)
        for (const mark of marks) told.marks.set(mark, (told.marks.get(mark) ?? 0) + 1);
      yield shown as readonly object[] as readonly PrintedRow[];
      if (isCut || (told.rows >= this.#limit && facts.nextPage === undefined)) return isCut;
    }
    return false;
  }

  #take({ balances, notes, statements, problems, nextPage }: PageFacts, isCut: boolean): void {
    const { told } = this;
    told.nextPage = isCut ? undefined : nextPage;
    if (balances.length > 0) told.balances = balances;
    for (const { text } of notes) this.#notices.say(cleanLine(`Information: ${text}`));
    if (told.problems.length < mostTold) told.problems.push(...problems.slice(0, mostTold));
    if (told.notes.length < mostTold) told.notes.push(...notes.slice(0, mostTold));
    if (told.statements.length < mostTold) told.statements.push(...statements.slice(0, mostTold));
    for (const { code, detail } of problems) this.#notices.warn(cleanLine(`${code}: ${detail}`));
  }
}

function callsText({ calls, rows, nextPage }: Told): string {
  const counted = `${String(rows)} transactions in ${calls === 1 ? '1 call' : `${String(calls)} calls`}`;
  return cleanLine(nextPage === undefined ? `${counted}.` : `${counted}; nextPage: ${nextPage}`, 8192);
}

/** With --meta the list is a document that also says what came with it. */
async function wholeOf(
  list: RowsOutcome,
  rows: AsyncIterable<readonly PrintedRow[]>,
  told: Told,
): Promise<Outcome> {
  const transactions: PrintedRow[] = [];
  for await (const some of rows) for (const row of some) transactions.push(row);
  const { balances, notes, statements, problems, calls, nextPage = null } = told;
  return {
    kind: 'data',
    data: { transactions, balances, notes, statements, problems, calls, nextPage },
    text: () => `${String(transactions.length)} transactions`,
    next: list.next ?? [],
  };
}
