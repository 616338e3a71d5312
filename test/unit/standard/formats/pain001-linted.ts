import { expect } from 'vitest';
import { lintPain001 } from '../../../../src/standard/formats/payments/pain001-lint.ts';
import type { LintPain001Options } from '../../../../src/standard/formats/payments/pain001-lint.ts';
import { checks } from './messages.ts';

/** A message of three payments in which lint finds nothing. */
export const good = `<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:pain.001.001.03">
  <CstmrCdtTrfInitn>
    <GrpHdr>
      <MsgId>MSG-1</MsgId>
      <CreDtTm>2026-11-21T10:00:00</CreDtTm>
      <NbOfTxs>3</NbOfTxs>
      <CtrlSum>112.35</CtrlSum>
      <InitgPty><Nm>TPP Ltd</Nm></InitgPty>
    </GrpHdr>
    <PmtInf>
      <PmtInfId>A</PmtInfId>
      <PmtMtd>TRF</PmtMtd>
      <NbOfTxs>2</NbOfTxs>
      <CtrlSum>12.350</CtrlSum>
      <PmtTpInf><SvcLvl><Cd>SEPA</Cd></SvcLvl></PmtTpInf>
      <ReqdExctnDt>2026-11-23</ReqdExctnDt>
      <Dbtr><Nm>Anna</Nm></Dbtr>
      <DbtrAcct><Id><IBAN>DE02120300000000202051</IBAN></Id></DbtrAcct>
      <DbtrAgt><FinInstnId><BIC>BYLADEM1001</BIC></FinInstnId></DbtrAgt>
      <ChrgBr>SLEV</ChrgBr>
      <CdtTrfTxInf>
        <PmtId><EndToEndId>E-1</EndToEndId></PmtId>
        <Amt><InstdAmt Ccy="EUR">12.25</InstdAmt></Amt>
        <Cdtr><Nm>Shop</Nm></Cdtr>
        <CdtrAcct><Id><IBAN>DE89370400440532013000</IBAN></Id></CdtrAcct>
        <RmtInf><Ustrd>Invoice 1</Ustrd></RmtInf>
      </CdtTrfTxInf>
      <CdtTrfTxInf>
        <PmtId><EndToEndId>NOTPROVIDED</EndToEndId></PmtId>
        <Amt><InstdAmt Ccy="EUR">0.10</InstdAmt></Amt>
        <Cdtr><Nm>Bakery</Nm></Cdtr>
        <CdtrAcct><Id><IBAN>FR1420041010050500013M02606</IBAN></Id></CdtrAcct>
      </CdtTrfTxInf>
    </PmtInf>
    <PmtInf>
      <PmtInfId>B</PmtInfId>
      <PmtMtd>TRF</PmtMtd>
      <PmtTpInf><SvcLvl><Cd>SEPA</Cd></SvcLvl></PmtTpInf>
      <ReqdExctnDt>1999-01-01</ReqdExctnDt>
      <Dbtr><Nm>Anna</Nm></Dbtr>
      <DbtrAcct><Id><IBAN>DE02120300000000202051</IBAN></Id></DbtrAcct>
      <DbtrAgt><FinInstnId><Othr><Id>NOTPROVIDED</Id></Othr></FinInstnId></DbtrAgt>
      <CdtTrfTxInf>
        <PmtId><EndToEndId>E-3</EndToEndId></PmtId>
        <Amt><InstdAmt Ccy="EUR">100</InstdAmt></Amt>
        <Cdtr><Nm>Landlord</Nm></Cdtr>
        <CdtrAcct><Id><IBAN>DE89370400440532013000</IBAN></Id></CdtrAcct>
      </CdtTrfTxInf>
    </PmtInf>
  </CstmrCdtTrfInitn>
</Document>
`;

/** Checks a message as one of SEPA, on a day before its own. */
export const lint = (text: string | Uint8Array, options: Partial<LintPain001Options> = {}) =>
  lintPain001(Buffer.from(text), {
    checks,
    scheme: 'sepa-credit-transfers',
    today: '2026-11-21',
    ...options,
  });

/** `error rule path`, in the order of the file. */
export async function told(text: string, options?: Partial<LintPain001Options>): Promise<string[]> {
  const { findings, errors, warnings } = await lint(text, options);
  expect(errors + warnings).toBe(findings.length);
  return findings.map(({ severity, rule, path }) => `${severity} ${rule} ${path}`);
}
