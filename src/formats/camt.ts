/** Account reports in XML: camt.052, camt.053 and camt.054 of ISO 20022. */
import { ObkError } from '../errors.ts';
import { accountAt, at, dayAt, entryRows, signedAmountAt, textAt } from './camt-entry.ts';
import type { ReportHints, ReportItem, ReportReader } from './report-reader.ts';
import { StatementSums } from './report-sums.ts';
import { reportDay } from './report-values.ts';
import { XmlScanner } from './xml-scan.ts';
import type { XmlNode } from './xml-scan.ts';

/** The message below Document, and the reports in it. */
const messages = new Map([
  ['BkToCstmrAcctRpt', 'Rpt'],
  ['BkToCstmrStmt', 'Stmt'],
  ['BkToCstmrDbtCdtNtfctn', 'Ntfctn'],
]);
const namespacePattern = /^urn:iso:std:iso:20022:tech:xsd:camt\.05[234]\.001\.[0-9]{2}$/;

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
  let own = account;
  let owner: string | undefined;
  let position = 0;
  let inReport = 0;
  let sums = new StatementSums();
  let told: number | undefined;
  const isReport = (name: string, depth: number): boolean => depth === 2 && messages.get(message) === name;

  const element = (node: XmlNode): void => {
    if (node.name === 'Ntry') {
      position += 1;
      inReport += 1;
      const statement = message === 'BkToCstmrStmt';
      const rows = entryRows(node, { account: own, owner, statement, position });
      for (const row of rows) {
        if (row.bookingStatus !== 'pending' && row.bookingStatus !== 'information')
          sums.entry(row.amount, row.currency);
        give({ kind: 'row', row });
      }
    } else if (node.name === 'Acct') {
      own = accountAt(node);
      owner = textAt(node, 'Ownr', 'Nm');
      if (own === undefined) return;
      const currency = textAt(node, 'Ccy');
      const name = textAt(node, 'Nm') ?? owner;
      const found = { account: own, ...(currency && { currency }), ...(name && { name }) };
      give({ kind: 'account', account: found });
    } else if (node.name === 'Bal') give(balanceItem(node, own, sums));
    else if (node.name === 'TxsSummry') {
      const count = textAt(node, 'TtlNtries', 'NbOfNtries');
      told = count !== undefined && /^[0-9]{1,15}$/.test(count) ? Number(count) : undefined;
    }
  };

  const scanner = new XmlScanner(
    {
      open: (name, depth, namespace) => {
        if (depth === 0) {
          if (name === 'Document' && (namespace === undefined || namespacePattern.test(namespace)))
            return true;
          const what = namespace === undefined ? name : `${name} of ${namespace.slice(0, 100)}`;
          const detail = `It is ${what}; obk reads camt.052, camt.053 and camt.054.`;
          throw new ObkError({ code, title: 'The XML is not an account report.', detail });
        }
        if (depth === 1 && messages.has(name)) {
          message = name;
          return true;
        }
        if (!isReport(name, depth)) return false;
        own = account;
        owner = undefined;
        inReport = 0;
        told = undefined;
        sums = new StatementSums();
        return true;
      },
      element: (node, depth) => {
        if (depth === 3) element(node);
      },
      close: (name, depth) => {
        if (!isReport(name, depth)) return;
        const difference = message === 'BkToCstmrStmt' ? sums.difference() : undefined;
        if (difference !== undefined) give(difference);
        if (told === undefined || told === inReport) return;
        const detail = `the report announces ${String(told)} entries and has ${String(inReport)}`;
        give({ kind: 'problem', problem: { code: 'count-differs', detail } });
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
      const detail = `It has none of ${[...messages.keys()].join(', ')}.`;
      throw new ObkError({ code, title: 'The XML is not an account report.', detail });
    },
  };
}

function balanceItem(node: XmlNode, account: string | undefined, sums: StatementSums): ReportItem {
  const type = textAt(node, 'Tp', 'CdOrPrtry', 'Cd') ?? textAt(node, 'Tp', 'CdOrPrtry', 'Prtry') ?? '';
  const found = signedAmountAt(node);
  if (found === undefined) {
    const detail = `the balance ${type} is ${JSON.stringify(textAt(node, 'Amt') ?? '')}, which is not an amount`;
    return { kind: 'problem', problem: { code: 'balance-malformed', detail } };
  }
  if (type === 'OPBD' || type === 'PRCD') sums.balance('opening', found.amount, found.currency);
  if (type === 'CLBD') sums.balance('closing', found.amount, found.currency);
  const day = reportDay(dayAt(at(node, 'Dt')) ?? '');
  return {
    kind: 'balance',
    balance: {
      ...(account !== undefined && { account }),
      balanceType: balanceTypes.get(type) ?? type,
      ...found,
      ...(day !== undefined && { referenceDate: day }),
    },
  };
}
