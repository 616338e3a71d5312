import type { Oddity } from '../../../helpers/bank-settings.ts';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { refused } from '../../../helpers/bank-settings.ts';
import type { TypedBank } from '../../../helpers/typed-bank.ts';

const folder = mkdtempSync(join(tmpdir(), 'obk-pain-'));
export const order = (product = 'pain.001-sepa-credit-transfers') => [
  ...['payment', 'init', '--product', product, '--creditor-account', 'DE89370400440532013000'],
  ...['--creditor-name', 'Shop', '--amount', '1.00', '--debtor', 'DE65990010000000002443'],
  ...['--debtor-name', 'Payer AG'],
  ...['--psu-id', 'anna', '--allow-duplicate'],
];

/** The same without the name of the payer. */
export const unnamed = order().filter((word) => word !== '--debtor-name' && word !== 'Payer AG');

export function unnamedBulk(): string[] {
  const path = join(folder, 'bulk.csv');
  writeFileSync(path, 'creditor_name,creditor_iban,amount\nShop,DE89370400440532013000,1.00\n');
  return [
    ...['payment', 'init', '--service', 'bulk-payments', '--product', 'pain.001-sepa-credit-transfers'],
    ...['--from-csv', path, '--debtor', 'DE65990010000000002443', '--psu-id', 'anna', '--allow-duplicate'],
  ];
}

/** A bank that takes a message of this form alone. */
export const takes =
  (...forms: readonly RegExp[]): TypedBank =>
  ({ method, body, headers }) => {
    if (method !== 'POST') return refused(404, 'RESOURCE_UNKNOWN');
    const isXml = headers['content-type'] === 'application/xml';
    if (!isXml || !forms.every((form) => form.test(body)))
      return refused(400, 'FORMAT_ERROR', body.slice(0, 300));
    const scaRedirect = { href: 'https://login.bank.example/c' };
    return [201, { transactionStatus: 'RCVD', paymentId: 'p-1', _links: { scaRedirect } }];
  };
export const urn = 'urn:iso:std:iso:20022:tech:xsd:pain.001.001.';

/** A message of so many payments, in the version 03. */
function message(name: string, count = 1): string {
  const each = Array.from(
    { length: count },
    (_, at) =>
      `<CdtTrfTxInf><PmtId><EndToEndId>E${String(at)}</EndToEndId></PmtId><Amt><InstdAmt Ccy="EUR">1.00</InstdAmt></Amt>` +
      '<Cdtr><Nm>Shop</Nm></Cdtr><CdtrAcct><Id><IBAN>DE89370400440532013000</IBAN></Id></CdtrAcct></CdtTrfTxInf>',
  );
  const totals = `<NbOfTxs>${String(count)}</NbOfTxs><CtrlSum>${String(count)}.00</CtrlSum>`;
  const path = join(folder, name);
  writeFileSync(
    path,
    `<?xml version="1.0" encoding="UTF-8"?><Document xmlns="${urn}03"><CstmrCdtTrfInitn><GrpHdr><MsgId>M</MsgId>` +
      `<CreDtTm>2026-11-20T00:00:00</CreDtTm>${totals}<InitgPty><Nm>A</Nm></InitgPty></GrpHdr><PmtInf><PmtInfId>M</PmtInfId>` +
      `<PmtMtd>TRF</PmtMtd>${totals}<PmtTpInf><SvcLvl><Cd>SEPA</Cd></SvcLvl></PmtTpInf><ReqdExctnDt>2000-01-01</ReqdExctnDt>` +
      '<Dbtr><Nm>A</Nm></Dbtr><DbtrAcct><Id><IBAN>DE65990010000000002443</IBAN></Id></DbtrAcct><DbtrAgt><FinInstnId><Othr>' +
      `<Id>NOTPROVIDED</Id></Othr></FinInstnId></DbtrAgt><ChrgBr>SLEV</ChrgBr>${each.join('')}</PmtInf>` +
      '</CstmrCdtTrfInitn></Document>',
  );
  return path;
}
export const file = (name: string, count?: number, product = 'pain.001-sepa-credit-transfers') => [
  ...['payment', 'init', '--product', product, '--input', message(name, count)],
  ...['--psu-id', 'anna', '--allow-duplicate'],
];

export const pain: readonly Oddity[] = [
  // a bank that wants pain.001 otherwise
  {
    bank: takes(new RegExp(`xmlns="${urn}09"`), /<ReqdExctnDt><Dt>\d{4}-\d\d-\d\d<\/Dt><\/ReqdExctnDt>/),
    settings: { payments: { pain: { version: 'pain.001.001.09' } } },
    run: [order()],
    without: 5,
  },
  {
    about: 'of a file',
    bank: takes(/pain\.001\.001\.09/),
    settings: { payments: { pain: { version: 'pain.001.001.09' } } },
    run: [file('version.xml')],
    without: 5,
    code: 2,
    tells: /takes pain\.001\.001\.09, and this is pain\.001\.001\.03[^]*nothing was sent/,
  },
  {
    bank: takes(/xmlns="urn:bank:pain:3"/),
    settings: { payments: { pain: { namespace: 'urn:bank:pain:3' } } },
    run: [order()],
    without: 5,
  },
  {
    bank: takes(/xsi:schemaLocation="urn:x pain\.xsd"/),
    settings: { payments: { pain: { schemaLocation: 'urn:x pain.xsd' } } },
    run: [order()],
    without: 5,
  },
  {
    bank: takes(/<ReqdExctnDt>1999-01-01<\/ReqdExctnDt>/),
    settings: { payments: { pain: { execDateSentinel: '1999-01-01' } } },
    run: [order()],
    without: 5,
  },
  {
    about: 'of a file',
    bank: takes(),
    settings: { payments: { pain: { execDateSentinel: '2000-01-01' } } },
    run: [['payment', 'lint', message('old.xml')]],
    without: /2000-01-01 is in the past/,
    gives: /nothing found/,
  },
  {
    about: 'false',
    bank: () => refused(400, 'FORMAT_ERROR'),
    settings: { payments: { pain: { bulkInSct: false } } },
    run: [file('two.xml', 2)],
    without: 5,
    code: 2,
    tells: /has 2 payments, and the bank takes one[^]*--service bulk-payments/,
  },
  {
    about: 'true',
    bank: takes(),
    always: { payments: { pain: { execDateSentinel: '2000-01-01' } } },
    settings: { payments: { pain: { bulkInSct: true } } },
    run: [['payment', 'lint', message('both.xml', 2), '--service', 'payments']],
    without: 10,
    gives: /nothing found/,
  },
  {
    about: 'of a product in XML',
    bank: takes(/<CstmrCdtTrfInitn>/),
    always: { payments: { matrix: { payments: { 'domestic-transfers': ['json'] } } } },
    settings: { payments: { matrix: { payments: { 'domestic-transfers': ['xml'] } } } },
    run: [order('domestic-transfers')],
    without: 5,
  },
  {
    about: 'of a file in XML',
    bank: takes(/<MsgId>M</),
    settings: { payments: { matrix: { payments: { 'domestic-transfers': ['xml'] } } } },
    run: [file('own.xml', 1, 'domestic-transfers')],
    without: 2,
  },
  {
    about: 'in payment lint',
    bank: takes(),
    always: { payments: { pain: { execDateSentinel: '2000-01-01' } } },
    settings: { payments: { matrix: { 'bulk-payments': { 'own-bulks': ['xml'] } } } },
    run: [['payment', 'lint', message('bulk.xml', 2), '--product', 'own-bulks']],
    without: 2,
    gives: /nothing found/,
  },
];
