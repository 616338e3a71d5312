import { defined } from '../../base/defined.ts';
import { accountOf } from '../../standard/formats/json/json-members.ts';
import { readEntries, readReport } from '../../standard/formats/reports/report.ts';
import type {
  ReportBalance,
  ReportItem,
  ReportNote,
  ReportProblem,
  ReportStatement,
} from '../../standard/formats/rows/report-reader.ts';
import type { TransactionRow } from '../../standard/formats/rows/transaction-row.ts';
import { sha256Hex } from '../../signing/digest.ts';
import type { Answer } from '../../standard/xs2a/answer.ts';
import { decodedValue } from '../../standard/xs2a/answer-dialect.ts';
import { member, writeJson } from '../../standard/xs2a/json.ts';
import type { JsonValue } from '../../standard/xs2a/json.ts';
import type { AccountKind } from './accounts.ts';
import { bytesOf } from '../exchange/answer-stream.ts';
import { needSameAccount, oneReport } from './page-guard.ts';
import type { OneReport } from './page-guard.ts';
import { endless, pageGuard } from './page-guard.ts';
import { readAccountData, readUncounted } from './counted-read.ts';
import type { AccountRead } from './counted-read.ts';
import { idOf, keeperOf } from './report-keeper.ts';
import { usualReport } from './report-query.ts';

const operations = { account: 'getTransactionList', card: 'getCardAccountTransactionList' } as const;

/** Which report is read, and how far. */
export interface ReportRead {
  kind: AccountKind;
  account: string;
  query: Readonly<Record<string, string>>;
  /** The Accept header of this run; by default the formats that banks usually offer. */
  accept?: string;
  /** Begin with this page, a link that an earlier answer gave. */
  page?: string;
  /** Follow the links to further pages. */
  all: boolean;
  /** The most that one answer may have; 2 GiB unless said. */
  maxBytes?: number;
}

/** The facts of a report besides its rows, as far as it was read; complete after the last page. */
export interface PageFacts {
  readonly balances: ReportBalance[];
  readonly notes: ReportNote[];
  /** What the report says of its statements beside their accounts and balances. */
  readonly statements: ReportStatement[];
  readonly problems: ReportProblem[];
  /** Where the next page is, as the bank wrote it. */
  nextPage?: string;
  /** Where the report is that was too large for an answer. */
  download?: string;
}

/** One page of a report, whose rows are read once and before the next page. */
export interface ReportPage {
  answer: Answer;
  /** The first rows, at least those that tell a page from others: all of a page that fits into memory. */
  head: readonly TransactionRow[];
  /** All of them; one that cannot be read throws after those before it. */
  rows: AsyncIterable<readonly TransactionRow[]>;
  facts: PageFacts;
}

/** An account of a million transactions in JSON is a third of it. */
const usualMaxBytes = 2 * 1024 ** 3;
/** Rows of a page that streams which tell it from others. */
const compared = 100;
const shorter = '--date-from DATE --date-to DATE   # a shorter time';
/** Pages in a row that bring nothing and are believed all the same. */
const mostIdle = 20;

/**
 * Reads a report page by page; all of it counts as one access. Links are followed as the bank wrote them. Throws
 * REPORT_ENDLESS where they lead in a circle or to nothing.
 */
export async function* readPages(reading: AccountRead, wanted: ReportRead): AsyncGenerator<ReportPage> {
  const report = new Report(reading, wanted);
  const { clock } = reading.target.ports;
  const guard = pageGuard(shorter);
  const contents = new Set<string>();
  let answer = await report.first();
  let gotAt = clock.monotonic();
  let idle = 0;
  try {
    for (let count = 1; ; count += 1) {
      const page = await report.open(answer);
      const { head, facts } = page;
      try {
        // How many come at once is chance where they stream.
        const told = page.answer.rest === undefined ? head : head.slice(0, compared);
        const content = sha256Hex(JSON.stringify(told));
        const isNew = head.length > 0 && !contents.has(content);
        // Two entries without any id may be alike by chance.
        if (!isNew && head.some((row) => idOf(row) !== undefined))
          throw endless(`page ${String(count)} is the same as an earlier one`, [shorter]);
        idle = isNew ? 0 : idle + 1;
        contents.add(content);
        yield page;
      } finally {
        await page.close();
      }
      const { nextPage } = facts;
      if (!wanted.all || nextPage === undefined) return;
      guard(nextPage);
      if (idle >= mostIdle)
        throw endless(`the last ${String(mostIdle)} pages brought nothing new`, [shorter]);
      report.one.pageEnds();
      try {
        answer = await report.page(nextPage);
      } finally {
        // A call may have waited for its turn (limits), and the link has become older by that.
        tellStale(reading, clock.monotonic() - gotAt);
      }
      gotAt = clock.monotonic();
    }
  } finally {
    await report.one.keeper.save();
  }
}

/** The answer that holds a report, for its exact bytes: the first page, or what it says is to be downloaded. */
export async function readRaw(reading: AccountRead, wanted: ReportRead): Promise<Answer> {
  const report = new Report(reading, wanted);
  const { keeper } = report.one;
  const first = await report.first();
  keeper.answered(first);
  // A streamed page is passed on as it arrives and cannot be searched for a download link.
  const href = first.rest === undefined ? downloadIn(await report.openOne(first)) : undefined;
  const answer = href === undefined ? first : await report.follow(href);
  keeper.answered(answer);
  await keeper.save();
  return answer;
}

/** The entries of an answer in JSON as the bank wrote them, one on a line. Throws INPUT_INVALID where it is not JSON. */
export function entriesOf(answer: Answer, limit: number): AsyncGenerator<Uint8Array> {
  return readEntries(bytesOf(answer), limit, hintsOf(answer));
}

/** A report whose answers are read one after another. */
class Report {
  readonly #reading: AccountRead;
  readonly #wanted: ReportRead & { maxBytes: number };
  /** The account that all pages are of, with what is kept of them. */
  readonly one: OneReport;

  constructor(reading: AccountRead, wanted: ReportRead) {
    this.#reading = reading;
    this.#wanted = { ...wanted, maxBytes: wanted.maxBytes ?? usualMaxBytes };
    this.one = oneReport(keeperOf(reading, wanted.account));
  }

  first(): Promise<Answer> {
    const { query, page } = this.#wanted;
    if (page !== undefined) return this.page(page);
    return readAccountData(this.#reading, { ...this.#call(), query });
  }

  /** The page of a link, with those parameters of the first call that it lacks where the bank wants them again. */
  page(href: string): Promise<Answer> {
    if (this.#reading.target.profile.ais?.paging?.params !== 'same') return this.follow(href);
    const [, asked = ''] = /\?([^#]*)/.exec(href) ?? [];
    const there = new URLSearchParams(asked);
    const lacking = Object.entries(this.#wanted.query).filter(([name]) => !there.has(name));
    const more = new URLSearchParams(lacking).toString().replaceAll('+', '%20');
    return this.follow(more === '' ? href : `${href}${href.includes('?') ? '&' : '?'}${more}`);
  }

  /** Links carry all that a first call carries: consent, token, signature. */
  async follow(href: string): Promise<Answer> {
    needSameAccount(href, this.#wanted.account);
    return readUncounted(this.#reading, { ...this.#call(), href });
  }

  #call() {
    const { profile } = this.#reading.target;
    const { kind, account, accept, maxBytes } = this.#wanted;
    const operation = operations[kind];
    // A list that stands within something else is read whole, and taken out.
    const isWrapped = profile.ais?.wrappers?.[operation] !== undefined;
    return {
      operation,
      params: { 'account-id': account },
      ...(!isWrapped && { stream: { maxBytes } }),
      ...(accept === undefined ? { usualAccept: usualReport(profile, kind) } : { accept }),
    };
  }

  /** Opens a page; a report that is too large for an answer comes as a link to it, which is followed. */
  async open(answer: Answer): Promise<OpenPage> {
    const page = await this.openOne(answer);
    const href = downloadIn(page);
    if (href === undefined) return page;
    const report = await this.openOne(await this.follow(href), page.facts.balances);
    if (downloadIn(report) !== undefined)
      throw endless('the link to the report leads to such a link again, and to no report', [shorter]);
    return report;
  }

  /** Reads the beginning of a page: all of it where it is in memory anyway. Its balances, or those told before. */
  async openOne(answer: Answer, toldBefore: readonly ReportBalance[] = []): Promise<OpenPage> {
    const facts: PageFacts = { balances: [], notes: [], statements: [], problems: [] };
    this.one.keeper.answered(answer);
    const { ais } = this.#reading.target.profile;
    const isWrapped = ais?.wrappers?.[answer.operation] !== undefined && answer.json !== undefined;
    const whole = isWrapped ? { ...answer, body: Buffer.from(writeJson(answer.json)) } : answer;
    const items = readReport(bytesOf(whole), this.#hintsFor(answer));
    const source = rowsIn(items, { facts, one: this.one, toldBefore });
    let head: readonly TransactionRow[] = [];
    const most = answer.rest === undefined ? Infinity : compared;
    while (head.length < most) {
      const next = await source.next();
      if (next.done === true) break;
      head = head.concat(next.value);
    }
    async function* rows(): AsyncGenerator<readonly TransactionRow[]> {
      yield head;
      yield* source;
    }
    return { answer, head, rows: rows(), facts, close: () => source.return(undefined) };
  }

  #hintsFor(answer: Answer) {
    const { consent, target } = this.#reading;
    const { account, maxBytes } = this.#wanted;
    const { decode } = target.profile;
    // A list may name its account behind its transactions, or nowhere; its number tells who is the other side.
    const saved = consent?.consent?.accounts?.find(({ resourceId }) => resourceId === account)?.number;
    const number = saved ?? accountOf(member(answer.json, 'account') ?? member(answer.json, 'cardAccount'));
    return {
      ...(decode && { decoded: (value: unknown) => decodedValue(value as JsonValue, decode) }),
      maxBytes,
      ...defined({ account: number }),
      ...hintsOf(answer),
    };
  }
}

/** Says that a page is asked for later than the bank keeps it. */
function tellStale({ target }: AccountRead, ageMs: number): void {
  const { expiresS } = target.profile.ais?.paging ?? {};
  if (expiresS === undefined || ageMs <= expiresS * 1000) return;
  target.ports.notices.warn(
    `The link to the next page is ${String(Math.round(ageMs / 1000))} s old, and the bank keeps it for ${String(expiresS)} s (ais.paging.expiresS).`,
  );
}

function downloadIn({ head, facts }: ReportPage): string | undefined {
  return head.length === 0 ? facts.download : undefined;
}

interface OpenPage extends ReportPage {
  /** Reads no further. */
  close(): Promise<unknown>;
}

async function* rowsIn(
  items: AsyncIterable<readonly ReportItem[]>,
  { facts, one, toldBefore }: { facts: PageFacts; one: OneReport; toldBefore: readonly ReportBalance[] },
): AsyncGenerator<readonly TransactionRow[]> {
  for await (const some of items) {
    const rows: TransactionRow[] = [];
    for (const item of some) {
      if (item.kind === 'row') {
        one.account(item.row.account);
        one.keeper.row(item.row);
        rows.push(item.row);
      } else if (item.kind === 'account') one.account(item.account.account);
      else if (item.kind === 'balance') facts.balances.push(item.balance);
      else if (item.kind === 'problem') facts.problems.push(item.problem);
      else if (item.kind === 'note') facts.notes.push(item.note);
      else if (item.kind === 'statement') facts.statements.push(item.statement);
      else if (item.name === 'next') facts.nextPage = item.href;
      else if (item.name === 'download') facts.download = item.href;
    }
    if (rows.length > 0) yield rows;
  }
  if (facts.balances.length === 0) facts.balances.push(...toldBefore);
}

function hintsOf({ media, charset }: Answer): { contentType?: string } {
  const contentType = contentTypes[media];
  if (contentType === undefined) return {};
  return { contentType: charset === undefined ? contentType : `${contentType}; charset=${charset}` };
}

const contentTypes: Partial<Record<Answer['media'], string>> = {
  json: 'application/json',
  xml: 'application/xml',
  text: 'text/plain',
};
