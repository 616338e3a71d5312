import { describe, expect, it } from 'vitest';
import { readPain002 } from '../../../../../src/standard/formats/payments/pain002.ts';
import { XmlFault } from '../../../../../src/standard/formats/xml/xml-fault.ts';

// Typed by hand: a bulk of three of which one is refused, as a bank reports it (partially accepted).
const partial = `<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:pain.002.001.03">
  <CstmrPmtStsRpt>
    <GrpHdr>
      <MsgId>4572457256725689726906</MsgId>
      <CreDtTm>2026-11-21T14:56:21.193</CreDtTm>
      <DbtrAgt><FinInstnId><BIC>ABCDDEFF</BIC></FinInstnId></DbtrAgt>
    </GrpHdr>
    <OrgnlGrpInfAndSts>
      <OrgnlMsgId>MIPI-123456789RI-123456789</OrgnlMsgId>
      <OrgnlMsgNmId>pain.001.001.03</OrgnlMsgNmId>
      <OrgnlNbOfTxs>3</OrgnlNbOfTxs>
      <GrpSts>PART</GrpSts>
    </OrgnlGrpInfAndSts>
    <OrgnlPmtInfAndSts>
      <OrgnlPmtInfId>BIPI-123456789RI-123456789</OrgnlPmtInfId>
      <PmtInfSts>PART</PmtInfSts>
      <TxInfAndSts>
        <StsId>1</StsId>
        <OrgnlInstrId>I-2</OrgnlInstrId>
        <OrgnlEndToEndId>E-2</OrgnlEndToEndId>
        <TxSts>RJCT</TxSts>
        <StsRsnInf>
          <Orgtr><Nm>Bank &amp; Co</Nm></Orgtr>
          <Rsn><Cd>AC04</Cd></Rsn>
          <AddtlInf>The account is</AddtlInf>
          <AddtlInf>closed &lt;2026&gt;</AddtlInf>
        </StsRsnInf>
        <StsRsnInf><Rsn><Prtry>B17</Prtry></Rsn></StsRsnInf>
        <OrgnlTxRef><Amt><InstdAmt Ccy="EUR">0010.50</InstdAmt></Amt></OrgnlTxRef>
      </TxInfAndSts>
      <TxInfAndSts><OrgnlEndToEndId>E-3</OrgnlEndToEndId><TxSts>XQZ9</TxSts></TxInfAndSts>
    </OrgnlPmtInfAndSts>
  </CstmrPmtStsRpt>
</Document>`;

describe('readPain002', () => {
  it('reads group, batch and payments, codes and amounts as written', () => {
    expect(readPain002(Buffer.from(partial))).toEqual({
      messageId: '4572457256725689726906',
      createdAt: '2026-11-21T14:56:21.193',
      originalMessageId: 'MIPI-123456789RI-123456789',
      originalMessageName: 'pain.001.001.03',
      numberOfTransactions: '3',
      groupStatus: 'PART',
      reasons: [],
      batches: [{ originalPaymentInformationId: 'BIPI-123456789RI-123456789', status: 'PART', reasons: [] }],
      payments: [
        {
          originalInstructionId: 'I-2',
          originalEndToEndId: 'E-2',
          originalPaymentInformationId: 'BIPI-123456789RI-123456789',
          batch: 0,
          statusId: '1',
          status: 'RJCT',
          reasons: [
            {
              code: 'AC04',
              originator: 'Bank & Co',
              additional: ['The account is', 'closed <2026>'],
            },
            { proprietary: 'B17', additional: [] },
          ],
          instructedAmount: { currency: 'EUR', amount: '0010.50' },
        },
        {
          originalEndToEndId: 'E-3',
          originalPaymentInformationId: 'BIPI-123456789RI-123456789',
          batch: 0,
          status: 'XQZ9',
          reasons: [],
        },
      ],
    });
  });

  it('reads a bare group status, also with a prefix and of another version', () => {
    const text = `<p:Document xmlns:p="urn:iso:std:iso:20022:tech:xsd:pain.002.001.10"><p:CstmrPmtStsRpt><p:OrgnlGrpInfAndSts><p:GrpSts>RJCT</p:GrpSts><p:StsRsnInf><p:Rsn><p:Cd>AM04</p:Cd></p:Rsn></p:StsRsnInf></p:OrgnlGrpInfAndSts></p:CstmrPmtStsRpt></p:Document>`;
    expect(readPain002(Buffer.from(text))).toEqual({
      groupStatus: 'RJCT',
      reasons: [{ code: 'AM04', additional: [] }],
      batches: [],
      payments: [],
    });
  });

  it('reads a status that only the batch, or only a payment beside it, has', () => {
    const frame = (inner: string) =>
      Buffer.from(
        `<Document xmlns="urn:iso:std:iso:20022:tech:xsd:pain.002.001.02"><CstmrPmtStsRpt>${inner}</CstmrPmtStsRpt></Document>`,
      );
    const batch = readPain002(frame('<OrgnlPmtInfAndSts><PmtInfSts>ACSC</PmtInfSts></OrgnlPmtInfAndSts>'));
    expect(batch).toEqual({ reasons: [], batches: [{ status: 'ACSC', reasons: [] }], payments: [] });
    const beside = '<TxInfAndSts><OrgnlPmtInfId>B</OrgnlPmtInfId><TxSts>ACSP</TxSts></TxInfAndSts>';
    expect(readPain002(frame(beside)).payments).toEqual([
      { originalPaymentInformationId: 'B', status: 'ACSP', reasons: [] },
    ]);
  });

  it('reads the names of the first versions', () => {
    const text =
      '<Document xmlns="urn:iso:std:iso:20022:tech:xsd:pain.002.001.02"><pain.002.001.02><OrgnlGrpInfAndSts><GrpSts>RJCT</GrpSts>' +
      '<StsRsnInf><StsOrgtr><Nm>Bank</Nm></StsOrgtr><StsRsn><Cd>NARR</Cd></StsRsn><AddtlStsRsnInf>one</AddtlStsRsnInf><AddtlStsRsnInf>two</AddtlStsRsnInf></StsRsnInf>' +
      '</OrgnlGrpInfAndSts></pain.002.001.02></Document>';
    expect(readPain002(Buffer.from(text))).toMatchObject({
      groupStatus: 'RJCT',
      reasons: [{ code: 'NARR', originator: 'Bank', additional: ['one', 'two'] }],
    });
  });

  it('does not read blanks that lay out the file as part of a value', () => {
    const laidOut = partial.replace(/<(GrpSts|TxSts|Cd|OrgnlEndToEndId)>([^<]*)/g, '<$1>\n    $2\n  ');
    expect(laidOut).not.toBe(partial);
    expect(readPain002(Buffer.from(laidOut))).toEqual(readPain002(Buffer.from(partial)));
  });

  it('reads the id that newer versions give a transaction, and an equivalent amount', () => {
    const text = partial
      .replace(
        '<OrgnlEndToEndId>E-2</OrgnlEndToEndId>',
        '<OrgnlUETR>00000000-0000-4000-8000-000000000001</OrgnlUETR>',
      )
      .replace(
        /<InstdAmt Ccy="EUR">0010.50<\/InstdAmt>/,
        '<EqvtAmt><Amt Ccy="USD">7.00</Amt><CcyOfTrf>EUR</CcyOfTrf></EqvtAmt>',
      );
    expect(readPain002(Buffer.from(text)).payments[0]).toMatchObject({
      originalUetr: '00000000-0000-4000-8000-000000000001',
      instructedAmount: { currency: 'USD', amount: '7.00' },
    });
  });

  const accented = partial.replace('closed &lt;2026&gt;', 'geschlossen: Süß &lt;2026&gt;');
  const declared = (name: string) => accented.replace('UTF-8', name);
  const bigEndian = (text: string) => Buffer.from(text, 'utf16le').swap16();
  const written: readonly (readonly [string, Buffer])[] = [
    ['UTF-8', Buffer.from(accented)],
    ['UTF-8 with a mark', Buffer.from(`\ufeff${accented}`)],
    ['ISO-8859-1', Buffer.from(declared('ISO-8859-1'), 'latin1')],
    ['ISO-8859-15', Buffer.from(declared('iso-8859-15'), 'latin1')],
    ['windows-1252', Buffer.from(declared('windows-1252'), 'latin1')],
    ['cp1252', Buffer.from(declared('cp1252'), 'latin1')],
    ['UTF-16', Buffer.from(`\ufeff${declared('UTF-16')}`, 'utf16le')],
    ['UTF-16 from the other end', bigEndian(`\ufeff${declared('UTF-16')}`)],
    ['UTF-16 without a mark', Buffer.from(declared('UTF-16LE'), 'utf16le')],
    ['UTF-16 from the other end without a mark', bigEndian(declared('UTF-16BE'))],
    ['ISO-8859-1 that says it is UTF-8', Buffer.from(accented, 'latin1')],
    ['ISO-8859-1 that says nothing', Buffer.from(accented.replace(' encoding="UTF-8"', ''), 'latin1')],
    ['UTF-8 that says it is UTF-16', Buffer.from(declared('UTF-16'))],
  ];
  it.each(written)('reads the characters of %s', (_, bytes) => {
    expect(readPain002(bytes).payments[0]?.reasons[0]?.additional).toEqual([
      'The account is',
      'geschlossen: Süß <2026>',
    ]);
  });

  it('names unsupported characters', () => {
    expect(() => readPain002(Buffer.from(declared('EBCDIC-CP-DE')))).toThrow(
      expect.objectContaining({ detail: expect.stringContaining('"EBCDIC-CP-DE"') as string }),
    );
  });

  it.each([
    ['a pain.001', partial.replaceAll('pain.002', 'pain.001')],
    ['another body', partial.replaceAll('CstmrPmtStsRpt', 'CstmrCdtTrfInitn')],
    ['HTML', '<html><body>502</body></html>'],
    ['JSON', '{"transactionStatus":"ACSC"}'],
    ['a cut report', partial.slice(0, 900)],
    ['entities', partial.replace('<Document', '<!DOCTYPE a [<!ENTITY b "c">]><Document')],
  ])('refuses %s', (_, text) => {
    expect(() => readPain002(Buffer.from(text))).toThrow(XmlFault);
    expect(() => readPain002(Buffer.from(text))).toThrow(
      expect.objectContaining({ code: 'ANSWER_UNREADABLE' }),
    );
  });
});
