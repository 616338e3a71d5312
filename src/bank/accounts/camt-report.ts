import { formatMinor } from '../../standard/formats/money/amount.ts';
import { XmlPiece, xml } from '../../standard/formats/xml/xml-writer.ts';
import type { AccountReference } from '../../standard/xs2a/wire.ts';
import type { TransactionDetails } from '../../standard/xs2a/wire-accounts.ts';
import { bicOf } from './accounts.ts';
import { closingOf } from '../statements/balances.ts';
import type { Reply } from '../trust/call.ts';
import { allEntriesIn } from '../statements/entries.ts';
import { factsOf, numberOf } from '../books/accounts.ts';
import type { Account } from '../books/accounts.ts';
import { isoDay } from '../books/life-cycle.ts';
import { pendingIn } from './report-query.ts';
import { findPerson } from '../books/people.ts';
import type { Report } from './report-query.ts';
import { bookedTransaction, pendingTransaction } from './transaction-wire.ts';

const tags = {
  'camt.052': { message: 'BkToCstmrAcctRpt', statement: 'Rpt', closing: 'ITBD' },
  'camt.053': { message: 'BkToCstmrStmt', statement: 'Stmt', closing: 'CLBD' },
} as const;

/** A report as camt.052.001.02, which may hold pending entries, or camt.053.001.02, a statement. */
export function camtReport(report: Report & { format: keyof typeof tags }): Reply {
  return { status: 200, content: { type: 'application/xml', chunks: chunks(report) } };
}

function* chunks(report: Parameters<typeof camtReport>[0]): Generator<Uint8Array> {
  let text = '';
  for (const piece of pieces(report)) {
    text += piece.text;
    if (text.length < 64 * 1024) continue;
    yield Buffer.from(text);
    text = '';
  }
  yield Buffer.from(text);
}

function* pieces(report: Parameters<typeof camtReport>[0]): Generator<XmlPiece> {
  const { read, account, query, format } = report;
  const { main } = read.bank.ledger;
  const { message, statement } = tags[format];
  const id = read.call.requestId.replaceAll('-', '').slice(0, 30);
  const made = read.call.now.toISOString();
  const namespace = `urn:iso:std:iso:20022:tech:xsd:${format}.001.02`;
  yield xml`<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="${namespace}">${tag(message)}
<GrpHdr><MsgId>${id}</MsgId><CreDtTm>${made}</CreDtTm></GrpHdr>
`;
  for (const [index, one] of account.accounts.entries()) {
    yield tag(statement);
    yield head(report, one, `${id}-${String(index + 1)}`);
    if (query.bookingStatus !== 'pending') {
      for (const row of allEntriesIn(main, { ...query.span, accounts: [one.accountId] }))
        yield entry(bookedTransaction(row, read.call.variant.framework), 'BOOK');
    }
    if (query.bookingStatus !== 'booked' && format === 'camt.052') {
      for (const pending of pendingIn(read, [one], query)) yield entry(pendingTransaction(pending), 'PDNG');
    }
    yield xml`${tag(`/${statement}`)}
`;
  }
  yield xml`${tag(`/${message}`)}</Document>
`;
}

const tag = (name: string) => new XmlPiece(`<${name}>`);

/** The part before the entries: account, days and balances. */
function head(
  { read, query, format }: Parameters<typeof camtReport>[0],
  account: Account,
  id: string,
): XmlPiece {
  const { main } = read.bank.ledger;
  const { iban, currency, psuId } = account;
  const { from, to } = query;
  const before = from === undefined ? undefined : isoDay(new Date(Date.parse(from) - 86_400_000));
  const days =
    from &&
    xml`<FrToDt><FrDtTm>${from}T00:00:00Z</FrDtTm><ToDtTm>${to}T23:59:59Z</ToDtTm></FrToDt>
`;
  return xml`<Id>${id}</Id><ElctrncSeqNb>1</ElctrncSeqNb><CreDtTm>${read.call.now.toISOString()}</CreDtTm>
${days === '' ? undefined : days}<Acct><Id>${iban === null ? xml`<Othr><Id>${numberOf(account)}</Id></Othr>` : xml`<IBAN>${iban}</IBAN>`}</Id><Ccy>${currency}</Ccy><Ownr><Nm>${factsOf(account).ownerName ?? findPerson(main, psuId ?? '')?.name}</Nm></Ownr>
<Svcr><FinInstnId><BIC>${bicOf(account)}</BIC></FinInstnId></Svcr></Acct>
${before && balance('OPBD', closingOf(main, account, before), account, before)}${balance(
    tags[format].closing,
    closingOf(main, account, to),
    account,
    to,
  )}`;
}

function balance(code: string, minor: bigint, { currency }: Account, day: string): XmlPiece {
  return xml`<Bal><Tp><CdOrPrtry><Cd>${code}</Cd></CdOrPrtry></Tp>${amount(formatMinor(minor, currency), currency)}<Dt><Dt>${day}</Dt></Dt></Bal>
`;
}

/** The amount without a sign, as in XML, and its direction. */
function amount(text: string, currency: string): XmlPiece {
  const debit = text.startsWith('-');
  return xml`<Amt Ccy="${currency}">${debit ? text.slice(1) : text}</Amt><CdtDbtInd>${debit ? 'DBIT' : 'CRDT'}</CdtDbtInd>`;
}

function entry(details: TransactionDetails, status: 'BOOK' | 'PDNG'): XmlPiece {
  const { transactionAmount, bookingDate, valueDate, transactionId, bankTransactionCode: code } = details;
  const [domain, family, subFamily] = code?.split('-') ?? [];
  return xml`<Ntry>${transactionId && xml`<NtryRef>${transactionId}</NtryRef>`}${amount(transactionAmount.amount, transactionAmount.currency)}<Sts>${status}</Sts>
${bookingDate && xml`<BookgDt><Dt>${bookingDate}</Dt></BookgDt>`}${valueDate && xml`<ValDt><Dt>${valueDate}</Dt></ValDt>`}
${transactionId && xml`<AcctSvcrRef>${transactionId}</AcctSvcrRef>`}<BkTxCd>${
    domain === undefined
      ? xml`<Prtry><Cd>NTRF</Cd></Prtry>`
      : xml`<Domn><Cd>${domain}</Cd><Fmly><Cd>${family}</Cd><SubFmlyCd>${subFamily}</SubFmlyCd></Fmly></Domn>`
  }</BkTxCd>
<NtryDtls><TxDtls>${references(details)}${exchange(details)}${parties(details)}${
    details.purposeCode && xml`<Purp><Cd>${details.purposeCode}</Cd></Purp>`
  }${remittance(details)}</TxDtls></NtryDtls>${
    details.additionalInformation && xml`<AddtlNtryInf>${details.additionalInformation}</AddtlNtryInf>`
  }</Ntry>
`;
}

function remittance(details: TransactionDetails): XmlPiece | undefined {
  const { remittanceInformationUnstructured: text, remittanceInformationStructured: structured } = details;
  if (text === undefined && structured === undefined) return undefined;
  const reference = typeof structured === 'object' ? structured.reference : structured;
  return xml`<RmtInf>${text && xml`<Ustrd>${text}</Ustrd>`}${
    reference && xml`<Strd><CdtrRefInf><Ref>${reference}</Ref></CdtrRefInf></Strd>`
  }</RmtInf>`;
}

function references({ endToEndId, mandateId }: TransactionDetails): XmlPiece | undefined {
  if (endToEndId === undefined && mandateId === undefined) return undefined;
  return xml`<Refs>${endToEndId && xml`<EndToEndId>${endToEndId}</EndToEndId>`}${mandateId && xml`<MndtId>${mandateId}</MndtId>`}</Refs>`;
}

function exchange({ currencyExchange }: TransactionDetails): XmlPiece | undefined {
  const [first] = currencyExchange ?? [];
  return (
    first &&
    xml`<AmtDtls><TxAmt><CcyXchg><SrcCcy>${first.sourceCurrency}</SrcCcy><TrgtCcy>${first.targetCurrency}</TrgtCcy><UnitCcy>${first.unitCurrency}</UnitCcy><XchgRate>${first.exchangeRate}</XchgRate></CcyXchg></TxAmt></AmtDtls>`
  );
}

function numberIn({ iban, bban }: AccountReference): XmlPiece | undefined {
  if (iban !== undefined) return xml`<Id><IBAN>${iban}</IBAN></Id>`;
  return bban === undefined ? undefined : xml`<Id><Othr><Id>${bban}</Id></Othr></Id>`;
}

function parties(details: TransactionDetails): XmlPiece | undefined {
  const debit = details.creditorName !== undefined || details.creditorAccount !== undefined;
  const name = debit ? details.creditorName : details.debtorName;
  const account = debit ? details.creditorAccount : details.debtorAccount;
  if (name === undefined && account === undefined) return undefined;
  const number = account && numberIn(account);
  return debit
    ? xml`<RltdPties>${name && xml`<Cdtr><Nm>${name}</Nm></Cdtr>`}${number && xml`<CdtrAcct>${number}</CdtrAcct>`}</RltdPties>`
    : xml`<RltdPties>${name && xml`<Dbtr><Nm>${name}</Nm></Dbtr>`}${number && xml`<DbtrAcct>${number}</DbtrAcct>`}</RltdPties>`;
}
