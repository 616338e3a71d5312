// Constructions of camt typed from the definitions of ISO 20022 and the guidelines of countries, and the rows that they are.
import { describe, expect, it } from 'vitest';
import { reading } from './reading.ts';
import { expectRows, samplesOf } from './samples.ts';

const iso = (name: string) => `urn:iso:std:iso:20022:tech:xsd:${name}`;
const whole = (lines: string): string =>
  lines.startsWith('<Ntry')
    ? `<Document xmlns="${iso('camt.053.001.08')}"><BkToCstmrStmt><Stmt><Acct><Id><IBAN>DE89370400440532013000</IBAN></Id></Acct>${lines}</Stmt></BkToCstmrStmt></Document>`
    : lines;

describe.each(['parties', 'amounts', 'texts', 'described', 'rare'])('a camt construction: %s', (name) => {
  it.each(samplesOf('camt', name, whole))('is read: $title', async (sample) => {
    expect(await expectRows(sample.text, sample)).toEqual(sample.problems);
  });
});

/** The same entry as each version has it. */
function versioned(kind: string, version: number): string {
  const [message, report] = {
    '052': ['BkToCstmrAcctRpt', 'Rpt'],
    '053': ['BkToCstmrStmt', 'Stmt'],
    '054': ['BkToCstmrDbtCdtNtfctn', 'Ntfctn'],
  }[kind] as [string, string];
  const frame = version === 1 ? `${message}V01` : message;
  const status = version < 8 ? '<Sts>BOOK</Sts>' : '<Sts><Cd>BOOK</Cd></Sts>';
  const party = (name: string) => (version < 8 ? `<Nm>${name}</Nm>` : `<Pty><Nm>${name}</Nm></Pty>`);
  const bic = version < 3 ? 'BIC' : 'BICFI';
  const charges =
    version < 3
      ? '<Chrgs><Amt Ccy="EUR">0.50</Amt></Chrgs>'
      : '<Chrgs><Rcrd><Amt Ccy="EUR">0.50</Amt></Rcrd></Chrgs>';
  const reference =
    version === 1
      ? '<CdtrRefInf><CdtrRefTp><Cd>SCOR</Cd></CdtrRefTp><CdtrRef>RF18539007547034</CdtrRef></CdtrRefInf>'
      : '<CdtrRefInf><Tp><CdOrPrtry><Cd>SCOR</Cd></CdOrPrtry></Tp><Ref>RF18539007547034</Ref></CdtrRefInf>';
  const details = `<TxDtls><Refs><EndToEndId>E-1</EndToEndId>${version < 8 ? '' : '<UETR>8a562c67-ca16-48ba-b074-65581be6f001</UETR>'}</Refs><AmtDtls><InstdAmt><Amt Ccy="USD">12.00</Amt></InstdAmt></AmtDtls>${charges}<RltdPties><Cdtr>${party('Shop')}</Cdtr><CdtrAcct><Id><IBAN>NL91ABNA0417164300</IBAN></Id></CdtrAcct><UltmtCdtr>${party('Owner')}</UltmtCdtr></RltdPties><RltdAgts><CdtrAgt><FinInstnId><${bic}>ABNANL2A</${bic}></FinInstnId></CdtrAgt></RltdAgts><RmtInf><Ustrd>Rent</Ustrd><Strd>${reference}</Strd></RmtInf></TxDtls>`;
  const entry = `<Ntry><Amt Ccy="EUR">11.00</Amt><CdtDbtInd>DBIT</CdtDbtInd>${status}<BookgDt><Dt>2026-11-20</Dt></BookgDt><ValDt><Dt>2026-11-21</Dt></ValDt><AcctSvcrRef>A-1</AcctSvcrRef>${version === 1 ? details : `<NtryDtls>${details}</NtryDtls>`}</Ntry>`;
  const account = '<Acct><Id><IBAN>DE89370400440532013000</IBAN></Id></Acct>';
  return `<Document xmlns="${iso(`camt.${kind}.001.${String(version).padStart(2, '0')}`)}"><${frame}><GrpHdr><MsgId>1</MsgId></GrpHdr><${report}>${account}${entry}</${report}></${frame}></Document>`;
}

const versions = Array.from({ length: 13 }, (_, at) => at + 1);

describe.each(['052', '053', '054'])('camt.%s', (kind) => {
  it.each(versions)('is the same row in version %i', async (version) => {
    const { items, rows, error } = await reading(versioned(kind, version));
    expect(error).toBeUndefined();
    expect(items.filter((item) => item.kind === 'problem')).toEqual([]);
    expect(rows).toEqual([
      {
        position: 1,
        account: 'DE89370400440532013000',
        bookingStatus: 'booked',
        bookingDate: '2026-11-20',
        valueDate: '2026-11-21',
        amount: '-11.00',
        currency: 'EUR',
        originalAmount: '12.00',
        originalCurrency: 'USD',
        chargesAmount: '0.50',
        chargesCurrency: 'EUR',
        counterpartyName: 'Shop',
        counterpartyAccount: 'NL91ABNA0417164300',
        counterpartyAgent: 'ABNANL2A',
        ultimateCreditor: 'Owner',
        remittanceInformationUnstructured: 'Rent',
        remittanceInformationStructured: 'RF18539007547034',
        creditorReferenceType: 'SCOR',
        endToEndId: 'E-1',
        transactionId: 'A-1',
        ...(version >= 8 && { otherInformation: 'UETR 8a562c67-ca16-48ba-b074-65581be6f001' }),
      },
    ]);
  });
});
