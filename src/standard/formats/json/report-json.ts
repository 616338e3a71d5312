/** Account reports in JSON: transaction lists of accounts and card accounts in the dress of any release. */
import { ObkError } from '../../../base/errors.ts';
import { writeJson } from '../../xs2a/json.ts';
import { EntryLines } from './entry-lines.ts';
import type { Lines } from './entry-lines.ts';
import { HeldEntries } from './held-entries.ts';
import { accountOf, eachText, hrefOf, joinedText, membersOf, numbersOf, text } from './json-members.ts';
import { JsonSlicer } from './json-slices.ts';
import { accountIdentity } from '../rows/account-identity.ts';
import type {
  ReportHints,
  ReportItem,
  ReportLinkName,
  ReportReader,
  ListState,
} from '../rows/report-reader.ts';
import { reportAmount } from '../rows/report-values.ts';
import { hasTime, reportDay } from '../rows/report-dates.ts';
import { StatementValues } from '../rows/statement-values.ts';
import type { FaultCode } from '../text/text-source.ts';
import type { RowStatus } from '../rows/transaction-row.ts';

const lists = ['booked', 'pending', 'information'] as const;
const wrappers = ['', 'transactions', 'cardTransactions'];
const pathOf = (wrapper: string, member: string): string =>
  wrapper === '' ? member : `${wrapper}.${member}`;
/** The path of an entry and the status of its list; a bare list does not tell one. */
const entries = new Map<string, RowStatus | undefined>([
  ...wrappers.flatMap((wrapper) => lists.map((list) => [`${pathOf(wrapper, list)}[]`, list] as const)),
  ...wrappers.map((wrapper) => [`${wrapper}[]`, undefined] as const),
]);
const opened = new Set([...wrappers, ...[...entries.keys()].map((path) => path.slice(0, -'[]'.length))]);
const listPaths = new Set(wrappers.flatMap((wrapper) => lists.map((list) => pathOf(wrapper, list))));
const linkPaths = new Set(wrappers.map((wrapper) => pathOf(wrapper, '_links')));
const linkNames: readonly string[] = ['first', 'next', 'previous', 'last', 'download'];

/** Reads a list piece by piece and passes its items to `give`. Throws as `readReport`. */
export function jsonReport(
  { code = 'ANSWER_UNREADABLE', account, decoded = (value) => value }: ReportHints,
  give: (item: ReportItem) => void,
): ReportReader<Uint8Array> {
  const list: ListState = {
    account,
    own: new Set(account === undefined ? [] : [accountIdentity(account)]),
    debitsPositive: undefined,
    signed: undefined,
    position: 0,
    links: false,
    download: undefined,
  };
  const values = new StatementValues();
  const held = new HeldEntries(list, give);
  let path = '';
  const slicer = new JsonSlicer(opened, code, (slice) => {
    const read = { path: slice.path, value: decoded(slice.value()) };
    // A sign that one list tells says nothing of another.
    if (slice.path !== path) held.flush();
    path = slice.path;
    readSlice(read, { list, held, values }, give, (why) => refuse(code, why));
  });
  const reader = sliced(slicer, code, () => list.position > 0 || list.links);
  // Where the report breaks off, what stands before is whole.
  const orFlush = (read: () => void): void => {
    try {
      read();
    } catch (fault) {
      held.flush();
      throw fault;
    }
  };
  return {
    write: (piece) => {
      orFlush(() => {
        reader.write(piece);
      });
    },
    end: () => {
      orFlush(() => {
        reader.end();
      });
      held.flush();
      values.giveTo(give, list.account);
      if (list.download !== undefined && slicer.lists === 0)
        give({ kind: 'link', name: 'download', href: list.download });
    },
  };
}

/**
 * Reads a list piece by piece and passes on its entries as they were written, each on a line of its own, without the line ends
 * within it. Throws as `readReport`.
 */
export function jsonEntries(
  { code = 'ANSWER_UNREADABLE' }: ReportHints,
  give: (lines: Lines) => void,
): ReportReader<Uint8Array> {
  let laidOut = false;
  const slicer = new JsonSlicer(opened, code, (slice) => {
    const { path, from, to } = slice;
    if (!entries.has(path)) {
      checkPlace(path, slice.value(), (why) => refuse(code, why));
      return;
    }
    slice.checkUtf8();
    // Only what is laid out by lines is written anew.
    if (laidOut && slicer.bytesAt(from, to).includes(0x0a))
      lines.addBytes(Buffer.from(writeJson(slice.value())));
    else lines.add(from, to);
  });
  const lines = new EntryLines((from, to) => slicer.bytesAt(from, to));
  const reader = sliced(slicer, code, () => false);
  const giveAfter = (read: () => void): void => {
    try {
      read();
    } finally {
      const taken = lines.take();
      if (taken !== undefined) give(taken);
    }
  };
  return {
    write: (piece) => {
      laidOut ||= piece.includes(0x0a);
      giveAfter(() => {
        reader.write(piece);
      });
    },
    end: () => {
      giveAfter(() => {
        reader.end();
      });
    },
  };
}

function sliced(slicer: JsonSlicer, code: FaultCode, isReport: () => boolean): ReportReader<Uint8Array> {
  return {
    write: (piece) => {
      slicer.write(piece);
    },
    end: () => {
      slicer.end();
      if ([...slicer.met].some((path) => path !== '') || isReport()) return;
      const detail = 'It has no list of transactions (transactions, cardTransactions, booked or pending).';
      throw new ObkError({ code, title: 'The JSON is not an account report.', detail });
    },
  };
}

function readSlice(
  { path, value }: { path: string; value: unknown },
  { list, held, values }: { list: ListState; held: HeldEntries; values: StatementValues },
  give: (item: ReportItem) => void,
  fail: (why: string) => never,
): void {
  if (entries.has(path)) {
    held.entry(value, entries.get(path));
  } else if (path === 'account' || path === 'cardAccount') {
    const number = accountOf(value);
    addTexts(values, value, path, ofAccount);
    if (number === undefined) return;
    list.account = number;
    list.own = new Set(numbersOf(value).map(accountIdentity));
    const currency = text(membersOf(value).currency);
    const name = text(membersOf(value).name);
    const account = { account: number, ...(currency && { currency }), ...(name && { name }) };
    give({ kind: 'account', account });
  } else if (path === 'debitAccounting') {
    if (value === true && list.position > 0)
      fail('debitAccounting comes after the transactions, and would have changed their signs.');
    list.debitsPositive = value === true;
  } else if (path === 'balances' && Array.isArray(value)) {
    for (const balance of value as unknown[]) balanceItems(balance, list).forEach(give);
  } else if (linkPaths.has(path) && typeof value === 'object' && value !== null) {
    for (const [name, link] of Object.entries(value)) {
      const href = hrefOf(link);
      if (!linkNames.includes(name) || href === undefined) continue;
      list.links = true;
      // Only where there is no list it leads to one, and a list may still follow.
      if (name === 'download') list.download = href;
      else give({ kind: 'link', name: name as ReportLinkName, href });
    }
  } else {
    checkPlace(path, value, fail);
    addTexts(values, value, path);
  }
}

const ofAccount: ReadonlySet<string> = new Set(
  'iban bban maskedPan pan msisdn other currency name _links'.split(' '),
);
const ofBalance: ReadonlySet<string> = new Set(
  'balanceAmount balanceType referenceDate lastChangeDateTime'.split(' '),
);

/** Adds the texts within a member, without those of the members that are read elsewhere. */
function addTexts(values: StatementValues, value: unknown, path: string, read?: ReadonlySet<string>): void {
  const take = (at: string, told: string) => {
    values.add(at, told);
  };
  if (read === undefined) eachText(value, path, take);
  else
    for (const [name, member] of Object.entries(membersOf(value)))
      if (!read.has(name)) eachText(member, `${path}.${name}`, take);
}

/** An entry in the place of a list would be lost. */
function checkPlace(path: string, value: unknown, fail: (why: string) => never): void {
  const place = [path, path.slice(0, Math.max(0, path.lastIndexOf('.')))].find((at) => listPaths.has(at));
  if (place !== undefined && value !== null) fail(`${place} is no list.`);
}

function refuse(code: FaultCode, detail: string): never {
  throw new ObkError({ code, title: 'The report cannot be read.', detail });
}

function balanceItems(value: unknown, { account }: ListState): ReportItem[] {
  const members = membersOf(value);
  const sent = membersOf(members.balanceAmount);
  const balanceType = text(members.balanceType) ?? '';
  const currency = text(sent.currency) ?? '';
  const size = text(sent.amount) ?? '';
  const amount = reportAmount(size, currency);
  const told = `the balance ${balanceType} is ${JSON.stringify(`${size} ${currency}`)}`;
  const problem = (detail: string): ReportItem => ({
    kind: 'problem',
    problem: { code: 'balance-malformed', detail },
  });
  const sentDay = text(members.referenceDate) ?? '';
  const day = reportDay(sentDay);
  const more: string[] = [];
  for (const [name, member] of Object.entries(members))
    if (!ofBalance.has(name)) eachText(member, name, (at, one) => more.push(at, one));
  const note = {
    ...(account !== undefined && { account }),
    text: joinedText(['balances', balanceType, ...more]) ?? '',
  };
  const items: ReportItem[] = more.length === 0 ? [] : [{ kind: 'note', note }];
  if (amount === undefined) return [problem(`${told}, which is not an amount`), ...items];
  if (day === undefined && sentDay !== '')
    items.unshift(problem(`${told} of ${JSON.stringify(sentDay)}, whose day is not in the calendar`));
  const changed = text(members.lastChangeDateTime);
  const balance = {
    ...(account !== undefined && { account }),
    balanceType,
    amount,
    currency,
    ...(day !== undefined && { referenceDate: day }),
    ...(day !== undefined && hasTime(sentDay) && { referenceDateTime: sentDay }),
    ...(changed !== undefined && { lastChangeDateTime: changed }),
  };
  return [...items, { kind: 'balance', balance }];
}
