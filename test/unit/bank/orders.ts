import { creditor, payment } from './tpp.ts';

/** Bodies of every service and product, typed by hand. */
export const services = ['payments', 'bulk-payments', 'periodic-payments'] as const;
export const jsonProducts = [
  'sepa-credit-transfers',
  'instant-sepa-credit-transfers',
  'target-2-payments',
  'cross-border-credit-transfers',
] as const;

export interface Sent {
  body: unknown;
  headers: Record<string, string>;
}

/** One transfer as the JSON of a product has it. */
export function transfer(product: string, amount = '12.50') {
  const { debtorAccount: _, ...common } = payment('', amount);
  if (!product.startsWith('cross-border')) return common;
  const { endToEndIdentification: __, ...crossBorder } = common;
  return {
    ...crossBorder,
    instructedAmount: { currency: 'USD', amount },
    creditorAccount: { bban: '0532013000' },
    creditorAgent: 'CHASUS33',
    creditorAddress: { country: 'US', buildingNumber: '7' },
  };
}

export const standing = {
  startDate: '2026-06-05',
  frequency: 'Monthly',
  executionRule: 'following',
  dayOfExecution: '5',
};

/** The body of a service and product in JSON; a bulk has `entries`. */
export function jsonOrder(
  service: string,
  product: string,
  debtor: string,
  entries: readonly string[] = ['12.50', '7.50'],
) {
  const debtorAccount = { iban: debtor };
  if (service === 'bulk-payments')
    return {
      batchBookingPreferred: false,
      debtorAccount,
      payments: entries.map((amount) => transfer(product, amount)),
    };
  return { debtorAccount, ...transfer(product), ...(service === 'periodic-payments' && standing) };
}

/** A pain.001.001.03 with these amounts. */
export function pain001(
  debtor: string,
  amounts: readonly string[],
  options: { day?: string; currency?: string; sum?: string } = {},
) {
  const {
    day = '2026-06-01',
    currency = 'EUR',
    sum = amounts.reduce((total, amount) => total + Number(amount), 0).toFixed(2),
  } = options;
  const entries = amounts.map(
    (amount, index) =>
      `<CdtTrfTxInf><PmtId><EndToEndId>E2E-${String(index + 1)}</EndToEndId></PmtId><Amt><InstdAmt Ccy="${currency}">${amount}</InstdAmt></Amt>\r\n` +
      `<Cdtr><Nm>Shop ${String(index + 1)}</Nm></Cdtr><CdtrAcct><Id><IBAN>${creditor}</IBAN></Id></CdtrAcct>` +
      `<RmtInf><Ustrd>Order &amp; more</Ustrd></RmtInf></CdtTrfTxInf>`,
  );
  return Buffer.from(`<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:pain.001.001.03"><CstmrCdtTrfInitn>
<GrpHdr><MsgId>MSG-1</MsgId><CreDtTm>2026-06-01T10:00:00Z</CreDtTm><NbOfTxs>${String(amounts.length)}</NbOfTxs><CtrlSum>${sum}</CtrlSum>
<InitgPty><Nm>TPP</Nm></InitgPty></GrpHdr>
<PmtInf><PmtInfId>BATCH-1</PmtInfId><PmtMtd>TRF</PmtMtd><ReqdExctnDt>${day}</ReqdExctnDt><Dbtr/>
<DbtrAcct><Id><IBAN>${debtor}</IBAN></Id></DbtrAcct><DbtrAgt><FinInstnId><Othr><Id>NOTPROVIDED</Id></Othr></FinInstnId></DbtrAgt>
${entries.join('\n')}</PmtInf></CstmrCdtTrfInitn></Document>
`);
}

const xmlHeaders = { 'Content-Type': 'application/xml' };

/** What a service and a pain.001 product are sent as. */
export function xmlOrder(service: string, debtor: string, jsonPart = 'json_standingorderType'): Sent {
  if (service === 'payments') return { body: pain001(debtor, ['12.50']), headers: xmlHeaders };
  if (service === 'bulk-payments') return { body: pain001(debtor, ['12.50', '7.50']), headers: xmlHeaders };
  const body = Buffer.from(
    `--b0und--ary\r\nContent-Disposition: form-data; name="xml_sct"\r\nContent-Type: application/xml\r\n\r\n` +
      `${pain001(debtor, ['12.50']).toString()}\r\n--b0und--ary\r\nContent-Disposition: form-data; name="${jsonPart}"\r\n` +
      `Content-Type: application/json\r\n\r\n${JSON.stringify(standing)}\r\n--b0und--ary--\r\n`,
  );
  return { body, headers: { 'Content-Type': 'multipart/form-data; boundary=b0und--ary' } };
}

/** What a service and product are sent as, JSON or pain.001. */
export function orderOf(service: string, product: string, debtor: string): Sent {
  return product.startsWith('pain.001-')
    ? xmlOrder(service, debtor)
    : { body: jsonOrder(service, product, debtor), headers: {} };
}
