import { describe, expect, it } from 'vitest';
import { readPain002 } from '../../../src/formats/pain002.ts';
import { XmlFault } from '../../../src/formats/xml-fault.ts';

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
      groupStatus: 'PART',
      reasons: [],
      batches: [{ originalPaymentInformationId: 'BIPI-123456789RI-123456789', status: 'PART', reasons: [] }],
      payments: [
        {
          originalInstructionId: 'I-2',
          originalEndToEndId: 'E-2',
          originalPaymentInformationId: 'BIPI-123456789RI-123456789',
          batch: 0,
          status: 'RJCT',
          reasons: [
            { code: 'AC04', additional: ['The account is', 'closed <2026>'] },
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
