/** The transactions of accounts as one HTML page: balance, months, counterparties and rows. */
import type {
  ReportBalance,
  ReportNote,
  ReportProblem,
  ReportStatement,
} from '../../standard/formats/rows/report-reader.ts';
import { AccountSums, cut } from './account-sums.ts';
import { accountSection } from './account-section.ts';
import type { Room } from './account-section.ts';
import { Html, filePage, headWithScript, html } from './html.ts';
import type { PrintedRow } from './table.ts';
import { statementText } from './statement-text.ts';
import { ticketStyle } from './ticket-style.ts';
import pageScript from './transactions-script.json' with { type: 'json' };

/** What a page says of itself and of its report; the report is asked at the end of the rows. */
export interface PageOf {
  at: string;
  version: string;
  told: () => {
    balances: readonly ReportBalance[];
    problems: readonly ReportProblem[];
    notes: readonly ReportNote[];
    statements: readonly ReportStatement[];
    /** Whether the bank has further pages that were not read. */
    goesOn: boolean;
  };
}

/** A page that sees the rows as they pass, and is written after the last one. */
export interface ListPage {
  see(row: PrintedRow): void;
  text(): string;
}

/** The most accounts that have sums of their own; a report of more is cut, which the page says. */
const mostAccounts = 20;
/** The bytes of a page, without what stands around its accounts. */
const pageBytes = 1_850_000;
const mostProblems = 20;
/** So many statements are shown, and so many notes. */
const mostBesides = 20;

/** A page of at most 2 MB, however many rows it sees, without other files; its script searches and sorts, and nothing needs it. */
export function transactionsPage(made: PageOf): ListPage {
  const accounts = new Map<string, AccountSums>();
  let passedOver = 0;
  const sumsOf = (account: string, currency: string): AccountSums | undefined => {
    const key = JSON.stringify([account, currency]);
    const known = accounts.get(key);
    if (known !== undefined || accounts.size >= mostAccounts) return known;
    const sums = new AccountSums(account, currency);
    accounts.set(key, sums);
    return sums;
  };
  return {
    see: (row) => {
      const sums = sumsOf(cut(row['account'], 70), cut(row['currency'], 40));
      if (sums === undefined) passedOver += 1;
      else sums.see(row);
    },
    text: () => {
      const { balances, problems, notes: information, statements, goesOn } = made.told();
      // An account without an entry has its balances all the same.
      for (const { account, currency } of balances)
        if (account !== undefined || accounts.size === 0) sumsOf(cut(account, 70), cut(currency, 40));
      const notes = [
        ...problems.slice(0, mostProblems).map(({ code, detail }) => `${code}: ${cut(detail, 500)}`),
        ...(problems.length > mostProblems
          ? [`${String(problems.length - mostProblems)} more like these.`]
          : []),
        ...(passedOver > 0
          ? [`${String(passedOver)} entries of further accounts or currencies are not on this page.`]
          : []),
        ...(goesOn ? ['The bank has further pages that were not read (--all reads them).'] : []),
      ];
      return pageText([...accounts.values()], balances, {
        ...made,
        notes,
        besides: besides(information, statements),
      });
    },
  };
}

function pageText(
  accounts: readonly AccountSums[],
  balances: readonly ReportBalance[],
  { at, version, notes, besides }: PageOf & { notes: readonly string[]; besides: Html | null },
): string {
  const room: Room = { left: 0 };
  const bytes = pageBytes - Buffer.byteLength(besides?.text ?? '');
  const one = accounts.length === 1 ? accounts[0] : undefined;
  const sections = accounts.map((sums, index) => {
    // What an account does not need is left to those after it.
    room.left += Math.floor(bytes / accounts.length);
    const of = balances.filter(
      ({ account, currency }) =>
        cut(currency, 40) === sums.currency &&
        (account === undefined ? one !== undefined || sums.account === '' : isOf(sums, account, one)),
    );
    return accountSection(sums, of, { id: `a${String(index + 1)}`, room });
  });
  const title = one === undefined ? 'Transactions' : `Transactions of ${nameOf(one)}`;
  const main = html`<p class="soft">
      Written by obk ${version} at ${at} (UTC). This file holds personal data: names, account numbers and
      texts of payments.
    </p>
    ${
      notes.length === 0
        ? null
        : html`<ul>
            ${notes.map((note) => html`<li>${note}</li>`)}
          </ul>`
    }
    ${accounts.length < 2 ? null : contents(accounts)}
    ${accounts.length === 0 ? html`<p>No transactions in this report.</p>` : sections} ${besides}`;
  return filePage(title, main, {
    name: ' - obk',
    style: `${ticketStyle}${transactionsPageStyle}`,
    head: headWithScript(pageScript.hash),
    after: new Html(`<script>${pageScript.script}</script>`),
  });
}

/** What the report says of itself beside its entries and balances: the statements with their numbers and times, and what a bank adds. */
function besides(notes: readonly ReportNote[], statements: readonly ReportStatement[]): Html | null {
  if (notes.length + statements.length === 0) return null;
  const texts = [
    ...statements.slice(0, mostBesides).map((one) => `Statement: ${statementText(one)}`),
    ...moreThan(statements.length, 'statements'),
    ...notes.slice(0, mostBesides).map(({ text }) => text),
    ...moreThan(notes.length, 'notes'),
  ];
  return html`<section aria-labelledby="besides">
    <h2 id="besides">What the report says besides</h2>
    <ul class="soft">
      ${texts.map((text) => html`<li>${cut(text, 500)}</li>`)}
    </ul>
  </section>`;
}

const moreThan = (count: number, of: string): string[] =>
  count > mostBesides ? [`${String(count - mostBesides)} more ${of}; --json --meta has them all.`] : [];

/** A balance that names the account belongs to rows that do not, where there is no other account. */
const isOf = (sums: AccountSums, account: string, one: AccountSums | undefined) =>
  cut(account, 70) === sums.account || (one !== undefined && sums.account === '');

/** The name of an account in headings. */
const nameOf = ({ account, currency }: AccountSums): string =>
  [account === '' ? 'an account without a number' : account, currency === '' ? 'no currency' : currency].join(
    ', ',
  );

function contents(accounts: readonly AccountSums[]): Html {
  return html`<nav aria-label="Accounts">
    <ul>
      ${accounts.map((sums, at) => html`<li><a href="#a${at + 1}">${nameOf(sums)}</a>: ${sums.count} entries</li>`)}
    </ul>
  </nav>`;
}

/** What a page of transactions has besides the style of a report. */
const transactionsPageStyle = `
h2, h3 { overflow-wrap: anywhere; }
.num, .rows .num { text-align: right; font-variant-numeric: tabular-nums; }
.rows td:nth-child(3) { min-width: 0; }
.rows td[data-title="With"], .rows td[data-title="Account"] { overflow-wrap: anywhere; }
figure { margin: 1rem 0; } figcaption { color: var(--soft); }
.balance { border: 1px solid var(--line); background: var(--shade); }
.balance svg { display: block; width: 100%; height: 16rem; }
.balance path { fill: none; stroke-width: 2px; vector-effect: non-scaling-stroke; }
.balance .booked { stroke: var(--link); } .balance .pending { stroke: var(--link); stroke-dasharray: 4 4; }
.balance .zero { stroke: var(--line); stroke-width: 1px; }
.scale { display: flex; flex-wrap: wrap; justify-content: space-between; gap: 0 1rem; margin: .25rem 0; }
.tools { display: flex; flex-wrap: wrap; gap: .5rem 1rem; align-items: center; margin: .5rem 0; }
.tools input, .tools select { font: inherit; color: var(--ink); background: var(--paper); border: 1px solid var(--line);
  border-radius: 4px; padding: .35rem .5rem; min-height: 2.5rem; max-width: 100%; }
.tools input { flex: 0 1 20rem; min-width: 0; }
.rows tr[hidden] { display: none; } [role=status]:empty { margin: 0; }
nav ul { padding-left: 1.25rem; }
@media not all and (min-width: 60rem) { .rows .num { text-align: left; } }
@media print { .tools { display: none; } tr { break-inside: avoid; } figure { break-inside: avoid; } }
`;
