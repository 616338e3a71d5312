/** A pain.001 of one credit transfer of 1.00 EUR from this IBAN. */
export function painOf(debtor: string): string {
  return `<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:pain.001.001.03"><CstmrCdtTrfInitn>
<GrpHdr><MsgId>M-1</MsgId><CreDtTm>2099-01-01T10:00:00Z</CreDtTm><NbOfTxs>1</NbOfTxs><InitgPty><Nm>TPP</Nm></InitgPty></GrpHdr>
<PmtInf><PmtInfId>B-1</PmtInfId><PmtMtd>TRF</PmtMtd><PmtTpInf><SvcLvl><Cd>SEPA</Cd></SvcLvl></PmtTpInf>
<ReqdExctnDt>2099-01-01</ReqdExctnDt><Dbtr><Nm>Payer</Nm></Dbtr><DbtrAcct><Id><IBAN>${debtor}</IBAN></Id></DbtrAcct>
<DbtrAgt><FinInstnId><Othr><Id>NOTPROVIDED</Id></Othr></FinInstnId></DbtrAgt>
<CdtTrfTxInf><PmtId><EndToEndId>E-1</EndToEndId></PmtId><Amt><InstdAmt Ccy="EUR">1.00</InstdAmt></Amt>
<Cdtr><Nm>Shop</Nm></Cdtr><CdtrAcct><Id><IBAN>DE89370400440532013000</IBAN></Id></CdtrAcct></CdtTrfTxInf>
</PmtInf></CstmrCdtTrfInitn></Document>`;
}
