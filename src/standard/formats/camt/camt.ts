/** Account reports in XML: camt.052, camt.053 and camt.054 of ISO 20022. */
import { ObkError } from '../../../base/errors.ts';
import { entryRows } from './camt-entry.ts';
import { signedAmountAt } from './camt-money.ts';
import { addValues, elementText } from './camt-others.ts';
import { EntrySummary } from './camt-summary.ts';
import { accountAt, all, at, child, currencyOf, joined, textAt, textOf } from './camt-node.ts';
import { dayAt } from './camt-dates.ts';
import type { ReportHints, ReportItem, ReportProblem, ReportReader } from '../rows/report-reader.ts';
import { StatementSums } from '../rows/report-sums.ts';
import { hasTime, reportDay } from '../rows/report-dates.ts';
import { place } from '../rows/transaction-row.ts';
import { StatementValues } from '../rows/statement-values.ts';
import { XmlScanner } from '../xml/xml-scan.ts';
import type { XmlNode } from '../xml/xml-scan.ts';

/** The message below Document, and the reports in it. */
const messages = new Map([
  ['BkToCstmrAcctRpt', 'Rpt'],
  ['BkToCstmrStmt', 'Stmt'],
  ['BkToCstmrDbtCdtNtfctn', 'Ntfctn'],
]);
/** Version 01 has its number in the name. */
const messageOf = (name: string): string => name.replace(/V[0-9]{2}$/, '');
/** The namespace of a message of ISO 20022 that is none of these; those of its headers and of other makers say nothing. */
const otherMessage = /^urn:iso:std:iso:20022:tech:xsd:(?!camt\.05[234]\.|head\.|nvlp\.)/;
/** A document that says of itself that it is read here. */
const isRead = /tech:xsd:camt\.05[234]\./;
/** The header of a business envelope: who sends the message, and its number. */
const applicationHeader = 'AppHdr';
/** Elements around the message: a file with several of them, SOAP, a business envelope. */
const deepest = 6;

// The guidelines write the names of ISO 20022 in this way; they know the first six.
const balanceTypes = new Map([
  ['OPBD', 'openingBooked'],
  ['CLBD', 'closingBooked'],
  ['ITBD', 'interimBooked'],
  ['ITAV', 'interimAvailable'],
  ['FWAV', 'forwardAvailable'],
  ['XPCD', 'expected'],
  ['OPAV', 'openingAvailable'],
  ['CLAV', 'closingAvailable'],
  ['PRCD', 'previouslyClosedBooked'],
]);

/** Reads a camt message piece by piece and passes its items to `give`. Throws as `readReport`. */
export function camtReport(
  { code = 'ANSWER_UNREADABLE', account }: ReportHints,
  give: (item: ReportItem) => void,
): ReportReader {
  let message = '';
  /** Where the message stands, and what was found in its place. */
  let base = 1;
  let found: string | undefined;
  let own = account;
  let owner: string | undefined;
  /** The currency of the account. */
  let held: string | undefined;
  let position = 0;
  let inReport = 0;
  let sums = new StatementSums();
  let summary: EntrySummary | undefined;
  /** Of the message: its header, and what stands behind its reports. */
  let header = new StatementValues();
  let values = new StatementValues();
  let isHeaderTold = true;
  /** Whether the message, or the report, is one page of several: its balances and sums may be those of all of them. */
  let isPage = false;
  let isLaterMessage = false;
  let isReportPage = false;
  let isLaterPage = false;
  const tell = (problem: ReportProblem): void => {
    give({ kind: 'problem', problem });
  };
  const isReport = (name: string, depth: number): boolean =>
    depth === base + 1 && messages.get(message) === name;

  let inDocument: number | undefined;
  const refuse = (what: string): never => {
    const detail = `It is ${what}; obk reads camt.052, camt.053 and camt.054.`;
    throw new ObkError({ code, title: 'The XML is not an account report.', detail });
  };

  const note = (text: string | undefined): void => {
    if (text !== undefined)
      give({ kind: 'note', note: { ...(own !== undefined && { account: own }), text } });
  };

  /** Tells what stands before the message or behind its reports, and belongs to none of them. */
  const tellAlone = (node: XmlNode): void => {
    const alone = new StatementValues();
    addValues(alone, node);
    alone.giveTo(give, undefined);
  };

  const element = (node: XmlNode): void => {
    if (node.name !== 'Ntry' && node.name !== 'Bal' && !isNote(node.name)) addValues(values, node);
    if (node.name === 'Ntry') {
      position += 1;
      inReport += 1;
      const statement = message === 'BkToCstmrStmt';
      const rows = entryRows(node, { account: own, owner, currency: held, statement, position, tell });
      summary?.entry(node);
      for (const row of rows) {
        if (row.bookingStatus !== 'pending' && row.bookingStatus !== 'information') {
          // A further page may tell the opening balance of the first one.
          if (!isLaterPage) place(row, sums.place);
          sums.entry(row.amount, row.currency);
        }
        give({ kind: 'row', row });
      }
    } else if (node.name === 'Acct') {
      own = accountAt(node);
      owner = textAt(node, 'Ownr', 'Nm');
      if (own === undefined) return;
      held = textAt(node, 'Ccy');
      const name = textAt(node, 'Nm') ?? owner;
      const found = { account: own, ...(held && { currency: held }), ...(name && { name }) };
      give({ kind: 'account', account: found });
    } else if (node.name === 'Bal') {
      for (const item of balanceItems(node, own, held, sums)) give(item);
      for (const more of [...all(node, 'CdtLine'), ...all(node, 'Avlbty')]) note(elementText(more));
      note(moreOfBalance(node));
    } else if (node.name === 'TxsSummry') summary = new EntrySummary(node, inReport);
    else if (/^(?:Stmt|Rpt|Ntfctn)Pgntn$/.test(node.name)) {
      isReportPage = isOneOfSeveral(node);
      isLaterPage ||= isFurther(node);
    } else if (node.name === 'Intrst') note(elementText(node));
    else if (isNote(node.name)) note(textOf(node));
  };

  const scanner = new XmlScanner(
    {
      open: (name, depth, namespace) => {
        const known = messageOf(name);
        // A namespace says less than the structure: banks leave it out, or have one of their country.
        if (messages.has(known) && (message === '' || depth === base)) {
          message = known;
          base = depth;
          return true;
        }
        if (message === '' || depth < base) {
          if (name === applicationHeader) return false;
          if (namespace !== undefined && otherMessage.test(namespace))
            refuse(`${name} of ${namespace.slice(0, 100)}`);
          if (depth === 0 || name === 'Document')
            found = namespace === undefined ? name : `${name} of ${namespace.slice(0, 100)}`;
          else if (inDocument === depth - 1 && !isRead.test(found ?? '')) refuse(found ?? name);
          if (name === 'Document') inDocument = depth;
          return depth < deepest;
        }
        if (!isReport(name, depth)) return false;
        own = account;
        owner = undefined;
        held = undefined;
        inReport = 0;
        summary = undefined;
        sums = new StatementSums();
        values = new StatementValues();
        isReportPage = false;
        isLaterPage = isLaterMessage;
        return true;
      },
      element: (node, depth) => {
        if (node.name === applicationHeader) tellAlone(node);
        else if (depth === base + 2) element(node);
        else if (node.name === 'GrpHdr') {
          isPage = isOneOfSeveral(child(node, 'MsgPgntn'));
          isLaterMessage = isFurther(child(node, 'MsgPgntn'));
          note(textAt(node, 'AddtlInf'));
          header = new StatementValues();
          addValues(header, node);
          header.tellLeftOut(give);
          isHeaderTold = false;
        } else if (depth === base + 1) tellAlone(node);
      },
      close: (name, depth) => {
        if (depth === base && messageOf(name) === message && !isHeaderTold) header.giveTo(give, undefined);
        if (!isReport(name, depth)) return;
        isHeaderTold = true;
        values.giveTo(give, own, header);
        if (isPage || isReportPage) return;
        const difference = message === 'BkToCstmrStmt' ? sums.difference() : undefined;
        if (difference !== undefined) give(difference);
        summary?.differences().forEach(tell);
      },
    },
    code,
  );
  return {
    write: (text) => {
      scanner.write(text);
    },
    end: () => {
      scanner.end();
      if (message !== '') return;
      if (inDocument === undefined) refuse(found ?? 'empty');
      const detail = `It has none of ${[...messages.keys()].join(', ')}.`;
      throw new ObkError({ code, title: 'The XML is not an account report.', detail });
    },
  };
}

/** Whether an element at the level of a report is told as information of it. */
const isNote = (name: string): boolean => name === 'Intrst' || /^Addtl(?:Stmt|Rpt|Ntfctn)Inf$/.test(name);

/** The parts of a balance that it has beside its amount, its day and its lines of credit. */
function moreOfBalance(node: XmlNode): string | undefined {
  const type = at(node, 'Tp');
  const parts = [...all(type), ...all(node)].filter(({ name }) => !ofBalance.has(name));
  const texts = parts.map(elementText).filter((text) => text !== undefined);
  return texts.length === 0 ? undefined : `Bal ${joined([typeOf(node), ...texts]) ?? ''}`;
}
const ofBalance: ReadonlySet<string> = new Set(
  'Tp CdOrPrtry Cd Prtry Amt CdtDbtInd Dt CdtLine Avlbty'.split(' '),
);

/** Whether a pagination tells of further pages, or of ones before. */
function isOneOfSeveral(pages: XmlNode | undefined): boolean {
  return isFurther(pages) || /^(?:false|0)$/.test(textAt(pages, 'LastPgInd') ?? '');
}

/** Whether a pagination tells of pages before. */
const isFurther = (pages: XmlNode | undefined): boolean => Number(textAt(pages, 'PgNb') ?? 1) > 1;

/** Why the amount of a balance cannot be read. */
function whyNoBalance(node: XmlNode, held: string | undefined): string {
  const text = textAt(node, 'Amt') ?? '';
  if (/^[+-]/.test(text) && textAt(node, 'CdtDbtInd') !== undefined)
    return 'which has a sign beside its direction';
  const currency = currencyOf(at(node, 'Amt')) || (held ?? '');
  if (!/^[+-]?[0-9]{1,18}(?:\.[0-9]+)?$/.test(text)) return 'which is not an amount';
  if (currency === '') return 'which names no currency';
  return /^[A-Z]{3}$/.test(currency)
    ? `which has more decimals than ${currency}`
    : 'whose currency is no code';
}

/** The code of a balance, or the bank's own word. */
const typeOf = (node: XmlNode): string =>
  textAt(node, 'Tp', 'CdOrPrtry', 'Cd') ??
  textAt(node, 'Tp', 'CdOrPrtry', 'Prtry') ??
  textAt(node, 'Tp', 'Cd') ??
  '';

const noDay = 'whose day is not in the calendar';

function balanceItems(
  node: XmlNode,
  account: string | undefined,
  held: string | undefined,
  sums: StatementSums,
): ReportItem[] {
  const type = typeOf(node);
  const told = signedAmountAt(node, held);
  const problem = (why: string, of = ''): ReportItem => {
    const sent = JSON.stringify(joined([textAt(node, 'Amt'), currencyOf(at(node, 'Amt'))]) ?? '');
    const detail = `the balance ${type} is ${sent}${of}, ${why}`;
    return { kind: 'problem', problem: { code: 'balance-malformed', detail } };
  };
  if (told === undefined) return [problem(whyNoBalance(node, held))];
  const { amount, currency, signUnknown } = told;
  if (!signUnknown && (type === 'OPBD' || type === 'PRCD')) sums.balance('opening', amount, currency);
  if (!signUnknown && type === 'CLBD') sums.balance('closing', amount, currency);
  const sentDay = dayAt(at(node, 'Dt')) ?? '';
  const day = reportDay(sentDay);
  const item: ReportItem = {
    kind: 'balance',
    balance: {
      ...(account !== undefined && { account }),
      balanceType: balanceTypes.get(type) ?? type,
      amount,
      currency,
      ...(day !== undefined && { referenceDate: day }),
      ...(day !== undefined && hasTime(sentDay) && { referenceDateTime: sentDay }),
      ...(signUnknown && { marks: ['sign-unknown'] }),
    },
  };
  return [
    ...(signUnknown ? [problem('which does not say whether it is a debit or a credit')] : []),
    ...(day === undefined && sentDay !== '' ? [problem(noDay, ` of ${JSON.stringify(sentDay)}`)] : []),
    item,
  ];
}
