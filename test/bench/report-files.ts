import { closeSync, openSync, writeSync } from 'node:fs';

/** Writes a text made of a head, `count` entries and a tail, a megabyte at a time. */
function writeFile(
  path: string,
  head: string,
  count: number,
  entry: (at: number) => string,
  tail: string,
): void {
  const file = openSync(path, 'w');
  let text = head;
  for (let at = 0; at < count; at += 1) {
    text += entry(at);
    if (text.length < 1_000_000) continue;
    writeSync(file, text);
    text = '';
  }
  writeSync(file, text + tail);
  closeSync(file);
}

const amountOf = (at: number) => `${String((at % 900) + 1)}.${String(at % 100).padStart(2, '0')}`;
const dayOf = (at: number) => `2026-11-${String((at % 28) + 1).padStart(2, '0')}`;

/** A transaction list in JSON, about 670 bytes for each entry. */
export function writeJsonList(path: string, count: number): void {
  const entry = (at: number) => {
    const debit = at % 3 !== 0;
    const text = JSON.stringify({
      transactionId: `T-${String(at).padStart(9, '0')}`,
      entryReference: `E-${String(at)}`,
      endToEndId: `E2E-${String(at)}`,
      mandateId: `M-${String(at % 1000)}`,
      bookingDate: dayOf(at),
      valueDate: dayOf(at),
      transactionAmount: { currency: 'EUR', amount: `${debit ? '-' : ''}${amountOf(at)}` },
      [debit ? 'creditorName' : 'debtorName']: `Party ${String(at)} & Söhne`,
      [debit ? 'creditorAccount' : 'debtorAccount']: { iban: 'DE89370400440532013000' },
      remittanceInformationUnstructured: `Invoice ${String(at)} of November, "thanks", with as many words as texts have`,
      purposeCode: 'GDDS',
      bankTransactionCode: 'PMNT-RCDT-ESCT',
      proprietaryBankTransactionCode: '166',
      _links: {
        transactionDetails: { href: `/v1/accounts/3dc3d5b3-7023-4848-9853/transactions/T-${String(at)}` },
      },
    });
    return at === 0 ? text : `,${text}`;
  };
  const head = '{"account":{"iban":"DE40100100103307118608"},"transactions":{"booked":[';
  writeFile(path, head, count, entry, '],"_links":{"account":{"href":"/v1/accounts/x"}}}}');
}

/** A statement in camt.053.001.02, about 750 bytes for each entry. */
export function writeCamt053(path: string, count: number): void {
  const entry = (at: number) =>
    `\n<Ntry><NtryRef>${String(at)}</NtryRef><Amt Ccy="EUR">${amountOf(at)}</Amt><CdtDbtInd>${at % 3 === 0 ? 'CRDT' : 'DBIT'}</CdtDbtInd>` +
    `<Sts>BOOK</Sts><BookgDt><Dt>${dayOf(at)}</Dt></BookgDt><ValDt><Dt>${dayOf(at)}</Dt></ValDt><AcctSvcrRef>A-${String(at)}</AcctSvcrRef>` +
    '<BkTxCd><Domn><Cd>PMNT</Cd><Fmly><Cd>RCDT</Cd><SubFmlyCd>ESCT</SubFmlyCd></Fmly></Domn><Prtry><Cd>NTRF+166</Cd><Issr>DK</Issr></Prtry></BkTxCd>' +
    `<NtryDtls><TxDtls><Refs><EndToEndId>E2E-${String(at)}</EndToEndId><MndtId>M-${String(at % 1000)}</MndtId></Refs>` +
    `<AmtDtls><TxAmt><Amt Ccy="EUR">${amountOf(at)}</Amt></TxAmt></AmtDtls><RltdPties><Dbtr><Nm>Debtor ${String(at)} &amp; Söhne</Nm></Dbtr>` +
    '<DbtrAcct><Id><IBAN>DE89370400440532013000</IBAN></Id></DbtrAcct><Cdtr><Nm>Creditor</Nm></Cdtr></RltdPties>' +
    `<RmtInf><Ustrd>Invoice ${String(at)} of November</Ustrd></RmtInf></TxDtls></NtryDtls></Ntry>`;
  const head =
    '<?xml version="1.0" encoding="UTF-8"?>\n<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.02"><BkToCstmrStmt>' +
    '<GrpHdr><MsgId>M</MsgId></GrpHdr><Stmt><Id>S</Id><Acct><Id><IBAN>DE40100100103307118608</IBAN></Id><Ccy>EUR</Ccy></Acct>';
  writeFile(path, head, count, entry, '</Stmt></BkToCstmrStmt></Document>');
}

/** A statement in MT940 with the German field 86, about 220 bytes for each entry. */
export function writeMt940(path: string, count: number): void {
  const entry = (at: number) => {
    const day = String((at % 28) + 1).padStart(2, '0');
    return (
      `:61:2611${day}11${day}${at % 3 === 0 ? 'C' : 'D'}${amountOf(at).replace('.', ',')}NTRFNONREF//A-${String(at)}\r\n` +
      `:86:166?00SEPA-UEBERWEISUNG?109310?20EREF+E2E-${String(at)}?21SVWZ+Invoice ${String(at)} of Novemb\r\n` +
      `?22er, thanks for all?30COBADEFFXXX?31DE89370400440532013000?32Party ${String(at)} und Soehne?34997\r\n`
    );
  };
  const head = ':20:1\r\n:25:DE40100100103307118608\r\n:28C:1/1\r\n:60F:C261101EUR0,00\r\n';
  writeFile(path, head, count, entry, ':62F:C261130EUR0,00\r\n-\r\n');
}
