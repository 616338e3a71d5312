import { ObkError } from '../errors.ts';
import { readReport } from '../formats/report.ts';
import type { ReportBalance, ReportProblem } from '../formats/report.ts';
import type { TransactionRow } from '../formats/transaction-row.ts';
import { sha256Hex } from '../signing/digest.ts';
import type { Answer } from '../xs2a/answer.ts';
import type { AccountKind } from './accounts.ts';
import { readAccountData, readUncounted } from './read.ts';
import type { Reading } from './read.ts';
import { usualAccept } from './report-query.ts';

const operations = { account: 'getTransactionList', card: 'getCardAccountTransactionList' } as const;

/** Which report is read, and how far. */
export interface ReportWanted {
  kind: AccountKind;
  account: string;
  query: Readonly<Record<string, string>>;
  /** What the run asks for; else what banks can usually give. */
  accept?: string;
  /** Begin with this page, a link that an earlier answer gave. */
  page?: string;
  /** Follow the links to further pages. */
  all: boolean;
}

/** By what a transaction is named: its id, or what a bank gives in place of one. */
export function idOf({ transactionId, resourceId, entryReference }: TransactionRow): string | undefined {
  return transactionId ?? resourceId ?? entryReference;
}

/** One page of a report, read. */
export interface ReportPage {
  answer: Answer;
  rows: readonly TransactionRow[];
  balances: readonly ReportBalance[];
  problems: readonly ReportProblem[];
  /** Where the next page is, as the bank wrote it. */
  nextPage?: string;
}

/** No bank keeps so many pages of one account. */
const mostPages = 10_000;
/** Pages in a row that bring nothing and are believed all the same. */
const mostIdle = 20;

/**
 * Reads a report page by page; all of it counts as one access. Links are followed as the bank wrote them. Throws
 * REPORT_ENDLESS where they lead in a circle or to nothing.
 */
export async function* readPages(reading: Reading, wanted: ReportWanted): AsyncGenerator<ReportPage> {
  const links = new Set<string>();
  const contents = new Set<string>();
  let page = await pageOf(await firstAnswer(reading, wanted));
  let idle = 0;
  for (let count = 1; ; count += 1) {
    page = await downloaded(reading, wanted, page);
    const { nextPage, rows } = page;
    const content = sha256Hex(JSON.stringify(rows));
    const isNew = rows.length > 0 && !contents.has(content);
    // Two entries without any id may be alike by chance.
    if (!isNew && rows.some((row) => idOf(row) !== undefined))
      throw endless(`page ${String(count)} is the same as an earlier one`);
    idle = isNew ? 0 : idle + 1;
    yield page;
    if (!wanted.all || nextPage === undefined) return;
    if (links.has(nextPage)) throw endless(`page ${String(count)} leads back to a page that was read before`);
    if (idle >= mostIdle) throw endless(`the last ${String(mostIdle)} pages brought nothing new`);
    if (count >= mostPages) throw endless(`there are more than ${String(mostPages)} pages`);
    links.add(nextPage);
    contents.add(content);
    page = await pageOf(await follow(reading, wanted, nextPage));
  }
}

function firstAnswer(reading: Reading, wanted: ReportWanted): Promise<Answer> {
  const { kind, account, query, page } = wanted;
  if (page !== undefined) return follow(reading, wanted, page);
  return readAccountData(reading, {
    operation: operations[kind],
    params: { 'account-id': account },
    query,
    ...acceptOf(wanted),
  });
}

/** Links carry all that a first call carries: consent, token, signature. */
function follow(reading: Reading, wanted: ReportWanted, href: string): Promise<Answer> {
  return readUncounted(reading, { operation: operations[wanted.kind], href, ...acceptOf(wanted) });
}

function acceptOf({ accept }: ReportWanted): { accept: string } | { usualAccept: string } {
  return accept === undefined ? { usualAccept } : { accept };
}

/** A report that is too large for an answer comes as a link to it. */
async function downloaded(reading: Reading, wanted: ReportWanted, page: Read): Promise<Read> {
  if (page.download === undefined || page.rows.length > 0) return page;
  const { balances } = page;
  const whole = await pageOf(await follow(reading, wanted, page.download));
  return whole.balances.length > 0 ? whole : { ...whole, balances };
}

type Read = ReportPage & { download?: string };

async function pageOf(answer: Answer): Promise<Read> {
  const rows: TransactionRow[] = [];
  const balances: ReportBalance[] = [];
  const problems: ReportProblem[] = [];
  const links: Partial<Record<string, string>> = {};
  const contentType = contentTypes[answer.media];
  for await (const item of readReport(one(answer.body), contentType === undefined ? {} : { contentType })) {
    if (item.kind === 'row') rows.push(item.row);
    else if (item.kind === 'balance') balances.push(item.balance);
    else if (item.kind === 'problem') problems.push(item.problem);
    else if (item.kind === 'link') links[item.name] = item.href;
  }
  const { next, download } = links;
  return {
    ...{ answer, rows, balances, problems },
    ...(next !== undefined && { nextPage: next }),
    ...(download !== undefined && { download }),
  };
}

const contentTypes: Partial<Record<Answer['media'], string>> = {
  json: 'application/json',
  xml: 'application/xml',
  text: 'text/plain',
};

async function* one(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield await Promise.resolve(bytes);
}

function endless(why: string): ObkError {
  return new ObkError({
    code: 'REPORT_ENDLESS',
    title: 'The pages of this report do not come to an end.',
    detail: `${why[0]?.toUpperCase() ?? ''}${why.slice(1)}; what was read before is right.`,
    hint: ['--date-from DATE --date-to DATE   # a shorter time', 'obk log show @last -vvv'],
  });
}
