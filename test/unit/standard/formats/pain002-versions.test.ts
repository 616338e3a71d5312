// The elements of pain.002 in each version, typed from the definitions of ISO 20022: where each stands, and as what it is read.
import { describe, expect, it } from 'vitest';
import { readPain002 } from '../../../../src/standard/formats/payments/pain002.ts';

/** One element of a level: what is read of it, and the versions that have it in this form. */
interface Part {
  xml: string;
  reads?: Readonly<Record<string, unknown>>;
  from?: number;
  to?: number;
}

const uetr = '8a562c67-ca16-48ba-b074-65581be6f001';
const lei = '529900T8BM49AURSDO55';

const group: readonly Part[] = [
  { xml: '<OrgnlMsgId>M-1</OrgnlMsgId>', reads: { originalMessageId: 'M-1' } },
  {
    xml: '<OrgnlMsgNmId>pain.001.001.03</OrgnlMsgNmId>',
    reads: { originalMessageName: 'pain.001.001.03' },
  },
  { xml: '<OrgnlCreDtTm>2026-11-20T08:00:00</OrgnlCreDtTm>' },
  { xml: '<OrgnlNbOfTxs>5</OrgnlNbOfTxs>', reads: { numberOfTransactions: '5' } },
  { xml: '<OrgnlCtrlSum>50.5</OrgnlCtrlSum>', reads: { controlSum: '50.5' } },
  { xml: '<GrpSts>PART</GrpSts>', reads: { groupStatus: 'PART' } },
  {
    xml: '<StsRsnInf><Orgtr><Nm>Group Bank</Nm></Orgtr><Rsn><Cd>NARR</Cd></Rsn><AddtlInf>g one</AddtlInf><AddtlInf>g two</AddtlInf></StsRsnInf><StsRsnInf><Rsn><Prtry>G9</Prtry></Rsn></StsRsnInf>',
    reads: {
      reasons: [
        { originator: 'Group Bank', code: 'NARR', additional: ['g one', 'g two'] },
        { proprietary: 'G9', additional: [] },
      ],
    },
  },
  {
    xml: '<NbOfTxsPerSts><DtldNbOfTxs>4</DtldNbOfTxs><DtldSts>ACSP</DtldSts><DtldCtrlSum>40.5</DtldCtrlSum></NbOfTxsPerSts><NbOfTxsPerSts><DtldNbOfTxs>1</DtldNbOfTxs><DtldSts>RJCT</DtldSts></NbOfTxsPerSts>',
    reads: {
      counts: [
        { status: 'ACSP', number: '4', sum: '40.5' },
        { status: 'RJCT', number: '1' },
      ],
    },
  },
];

const batch: readonly Part[] = [
  { xml: '<OrgnlPmtInfId>P-1</OrgnlPmtInfId>', reads: { originalPaymentInformationId: 'P-1' } },
  { xml: '<OrgnlNbOfTxs>2</OrgnlNbOfTxs>', reads: { numberOfTransactions: '2' } },
  { xml: '<OrgnlCtrlSum>20.00</OrgnlCtrlSum>', reads: { controlSum: '20.00' } },
  { xml: '<PmtInfSts>ACTC</PmtInfSts>', reads: { status: 'ACTC' } },
  {
    xml: '<StsRsnInf><Orgtr><Id><OrgId><BICOrBEI>BANKDEFF</BICOrBEI></OrgId></Id></Orgtr><Rsn><Cd>DU01</Cd></Rsn><AddtlInf>b</AddtlInf></StsRsnInf>',
    reads: { reasons: [{ originator: 'BANKDEFF', code: 'DU01', additional: ['b'] }] },
    to: 4,
  },
  {
    xml: '<StsRsnInf><Orgtr><Id><OrgId><AnyBIC>BANKDEFF</AnyBIC></OrgId></Id></Orgtr><Rsn><Cd>DU01</Cd></Rsn><AddtlInf>b</AddtlInf></StsRsnInf>',
    reads: { reasons: [{ originator: 'BANKDEFF', code: 'DU01', additional: ['b'] }] },
    from: 5,
    to: 9,
  },
  {
    xml: `<StsRsnInf><Orgtr><Id><OrgId><LEI>${lei}</LEI></OrgId></Id></Orgtr><Rsn><Cd>DU01</Cd></Rsn><AddtlInf>b</AddtlInf></StsRsnInf>`,
    reads: { reasons: [{ originator: lei, code: 'DU01', additional: ['b'] }] },
    from: 10,
  },
  {
    xml: '<NbOfTxsPerSts><DtldNbOfTxs>2</DtldNbOfTxs><DtldSts>ACTC</DtldSts></NbOfTxsPerSts>',
    reads: { counts: [{ status: 'ACTC', number: '2' }] },
  },
];

const charged = [{ currency: 'EUR', amount: '1.20', agent: 'AGNTDEFF' }];
const payment: readonly Part[] = [
  { xml: '<StsId>S-1</StsId>', reads: { statusId: 'S-1' } },
  { xml: '<OrgnlInstrId>I-1</OrgnlInstrId>', reads: { originalInstructionId: 'I-1' } },
  { xml: '<OrgnlEndToEndId>E-1</OrgnlEndToEndId>', reads: { originalEndToEndId: 'E-1' } },
  { xml: `<OrgnlUETR>${uetr}</OrgnlUETR>`, reads: { originalUetr: uetr }, from: 9 },
  { xml: '<TxSts>RJCT</TxSts>', reads: { status: 'RJCT' } },
  {
    xml: '<StsRsnInf><Orgtr><Nm>Payment Bank</Nm></Orgtr><Rsn><Cd>AC04</Cd></Rsn><AddtlInf>p one</AddtlInf></StsRsnInf><StsRsnInf><Rsn><Prtry>P9</Prtry></Rsn><AddtlInf>p two</AddtlInf><AddtlInf>p three</AddtlInf></StsRsnInf>',
    reads: {
      reasons: [
        { originator: 'Payment Bank', code: 'AC04', additional: ['p one'] },
        { proprietary: 'P9', additional: ['p two', 'p three'] },
      ],
    },
  },
  {
    xml: '<ChrgsInf><Amt Ccy="EUR">1.20</Amt><Pty><FinInstnId><BIC>AGNTDEFF</BIC></FinInstnId></Pty></ChrgsInf>',
    reads: { charges: charged },
    to: 3,
  },
  {
    xml: '<ChrgsInf><Amt Ccy="EUR">1.20</Amt><Agt><FinInstnId><BICFI>AGNTDEFF</BICFI></FinInstnId></Agt></ChrgsInf>',
    reads: { charges: charged },
    from: 4,
  },
  {
    xml: '<TrckrData><ConfdDt><Dt>2026-11-22</Dt></ConfdDt><ConfdAmt Ccy="USD">9.00</ConfdAmt><TrckrRcrd><Agt><FinInstnId><BICFI>AGNTDEFF</BICFI></FinInstnId></Agt></TrckrRcrd></TrckrData>',
    reads: { confirmedDate: '2026-11-22', confirmedAmount: { currency: 'USD', amount: '9.00' } },
    from: 9,
  },
  {
    xml: '<AccptncDtTm>2026-11-20T09:00:00+01:00</AccptncDtTm>',
    reads: { acceptedAt: '2026-11-20T09:00:00+01:00' },
  },
  {
    xml: '<FctvIntrBkSttlmDt><Dt>2026-11-21</Dt></FctvIntrBkSttlmDt>',
    reads: { settlementDate: '2026-11-21' },
    from: 10,
  },
  { xml: '<AcctSvcrRef>A-1</AcctSvcrRef>', reads: { bankReference: 'A-1' } },
  { xml: '<ClrSysRef>C-1</ClrSysRef>', reads: { clearingReference: 'C-1' } },
  {
    xml: '<OrgnlTxRef><Amt><InstdAmt Ccy="EUR">10.50</InstdAmt></Amt><ReqdExctnDt>2026-11-21</ReqdExctnDt><RmtInf><Ustrd>Rent</Ustrd><Ustrd>of May</Ustrd></RmtInf><Dbtr><Nm>Payer</Nm></Dbtr><DbtrAcct><Id><IBAN>DE02120300000000202051</IBAN></Id></DbtrAcct><Cdtr><Nm>Payee</Nm></Cdtr><CdtrAcct><Id><IBAN>DE75512108001245126199</IBAN></Id></CdtrAcct></OrgnlTxRef>',
    reads: {
      instructedAmount: { currency: 'EUR', amount: '10.50' },
      requestedExecutionDate: '2026-11-21',
      remittance: 'Rent of May',
      creditorName: 'Payee',
      creditorAccount: 'DE75512108001245126199',
    },
    to: 7,
  },
  {
    xml: '<OrgnlTxRef><Amt><EqvtAmt><Amt Ccy="USD">11.00</Amt><CcyOfTrf>EUR</CcyOfTrf></EqvtAmt></Amt><ReqdExctnDt><DtTm>2026-11-21T10:00:00</DtTm></ReqdExctnDt><RmtInf><Strd><CdtrRefInf><Ref>RF18539007547034</Ref></CdtrRefInf></Strd></RmtInf><Dbtr><Pty><Nm>Payer</Nm></Pty></Dbtr><Cdtr><Pty><Nm>Payee</Nm></Pty></Cdtr><CdtrAcct><Id><Othr><Id>4711</Id></Othr></Id></CdtrAcct></OrgnlTxRef>',
    reads: {
      instructedAmount: { currency: 'USD', amount: '11.00' },
      requestedExecutionDate: '2026-11-21T10:00:00',
      remittance: 'RF18539007547034',
      creditorName: 'Payee',
      creditorAccount: '4711',
    },
    from: 8,
  },
];

const of = (parts: readonly Part[], version: number) =>
  parts.filter(({ from = 0, to = 99 }) => version >= from && version <= to);
const written = (parts: readonly Part[], version: number) =>
  of(parts, version)
    .map(({ xml }) => xml)
    .join('');
const read = (parts: readonly Part[], version: number) =>
  Object.assign({}, ...of(parts, version).map(({ reads }) => reads ?? {})) as object;

const namespaces = [
  ...Array.from({ length: 12 }, (_, at) => at + 3).map(
    (version) =>
      [version, `urn:iso:std:iso:20022:tech:xsd:pain.002.001.${String(version).padStart(2, '0')}`] as const,
  ),
  [3, 'http://www.six-interbank-clearing.com/de/pain.002.001.03.ch.02.xsd'] as const,
];

describe.each(namespaces)('a pain.002 of version %i: %s', (version, namespace) => {
  const inside = `<TxInfAndSts>${written(payment, version)}</TxInfAndSts>`;
  const text = `<?xml version="1.0"?><Document xmlns="${namespace}"><CstmrPmtStsRpt><GrpHdr><MsgId>R-1</MsgId><CreDtTm>2026-11-20T10:00:00</CreDtTm><InitgPty><Nm>Initiator</Nm></InitgPty></GrpHdr><OrgnlGrpInfAndSts>${written(group, version)}</OrgnlGrpInfAndSts><OrgnlPmtInfAndSts>${written(batch, version)}${inside}</OrgnlPmtInfAndSts></CstmrPmtStsRpt></Document>`;
  const whole = {
    messageId: 'R-1',
    createdAt: '2026-11-20T10:00:00',
    ...read(group, version),
    batches: [read(batch, version)],
    payments: [{ ...read(payment, version), originalPaymentInformationId: 'P-1', batch: 0 }],
  };

  it('reads each element of the three levels in its place', () => {
    expect(readPain002(Buffer.from(text))).toEqual(whole);
  });

  it.each(
    [group, batch, payment].flatMap((parts, level) =>
      of(parts, version)
        .filter(({ reads }) => reads !== undefined)
        .map((part) => [['group', 'batch', 'payment'][level], part.xml.slice(0, 24), part] as const),
    ),
  )('%s: without %s is read alike otherwise', (level, _, part) => {
    // An element of the same text may stand on another level, too; the own one is the one that goes.
    const begin = { group: '<OrgnlGrpInfAndSts>', batch: '<OrgnlPmtInfAndSts>', payment: '<TxInfAndSts>' };
    const from = text.indexOf(begin[level as keyof typeof begin]);
    const at = text.indexOf(part.xml, from);
    const report = readPain002(Buffer.from(text.slice(0, at) + text.slice(at + part.xml.length)));
    const empty = { reasons: [] };
    const without = (all: object) => {
      const left = { ...all } as Record<string, unknown>;
      for (const key of Object.keys(part.reads ?? {}))
        if (key in empty) left[key] = empty[key as keyof typeof empty];
        else Reflect.deleteProperty(left, key);
      return left;
    };
    const [one] = whole.payments;
    const isName = level === 'batch' && part.xml.startsWith('<OrgnlPmtInfId>');
    const { originalPaymentInformationId: _id, ...unnamed } = one!;
    expect(report).toEqual({
      ...(level === 'group' ? without(whole) : whole),
      batches: level === 'batch' ? [without(whole.batches[0]!)] : whole.batches,
      payments: [isName ? unnamed : level === 'payment' ? without(one!) : one],
    });
  });
});
