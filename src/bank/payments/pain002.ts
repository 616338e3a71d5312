import { xml } from '../../standard/formats/xml/xml-writer.ts';
import type { Payment } from '../stores/payment-store.ts';

const namespace = 'urn:iso:std:iso:20022:tech:xsd:pain.002.001.03';

/** The status of a payment as pain.002.001.03, with every transfer that was not made and its reason. */
export function pain002(payment: Payment, now: Date): string {
  const { content, status, rejected, paymentId } = payment;
  const messageId = content.messageId ?? 'NOTPROVIDED';
  const transactions = rejected.map(({ part, reason }) => {
    const endToEndId = content.transfers[part]?.endToEndId ?? 'NOTPROVIDED';
    return xml`<TxInfAndSts><OrgnlEndToEndId>${endToEndId}</OrgnlEndToEndId><TxSts>RJCT</TxSts>
<StsRsnInf><Rsn><Cd>${reason}</Cd></Rsn></StsRsnInf></TxInfAndSts>
`;
  });
  const group = content.paymentInformationId ?? messageId;
  const entries =
    transactions.length > 0 &&
    xml`<OrgnlPmtInfAndSts><OrgnlPmtInfId>${group}</OrgnlPmtInfId><PmtInfSts>${status}</PmtInfSts>
${transactions}</OrgnlPmtInfAndSts>
`;
  return xml`<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="${namespace}"><CstmrPmtStsRpt>
<GrpHdr><MsgId>${paymentId.replaceAll('-', '')}</MsgId><CreDtTm>${now.toISOString()}</CreDtTm></GrpHdr>
<OrgnlGrpInfAndSts><OrgnlMsgId>${messageId}</OrgnlMsgId><OrgnlMsgNmId>pain.001.001.03</OrgnlMsgNmId>
<GrpSts>${status}</GrpSts></OrgnlGrpInfAndSts>
${entries === false ? undefined : entries}</CstmrPmtStsRpt></Document>
`.text;
}
