import { copyFileSync, cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { shop } from './obk.ts';
import type { Obk } from './obk.ts';
import { painOf } from './pain.ts';

type Inside = Pick<Obk, 'json'>;

/** Writes the payments, reports and journeys that examples of help pages name. */
export function writeExampleFiles(folder: string, debtor: string): void {
  const put = (name: string, text: string) => {
    writeFileSync(join(folder, name), text);
  };
  const amount = { currency: 'EUR', amount: '1.00' };
  const payment = {
    debtorAccount: { iban: debtor },
    instructedAmount: amount,
    creditorAccount: { iban: 'DE89370400440532013000' },
    creditorName: 'Shop',
  };
  put('payment.json', JSON.stringify(payment));
  put('bank.json', '{ "links": { "host": "ignore" } }');
  put('payments.csv', 'creditor_name,creditor_iban,amount\nShop,DE89370400440532013000,1.00\n');
  put('pain.xml', painOf(debtor));
  const entry = { transactionId: 't1', transactionAmount: amount };
  put('list.json', JSON.stringify({ transactions: { booked: [entry] } }));
  put('statement.xml', camt);
  put('statement.sta', mt940);
  put('january.sta', mt940);
  put('february.sta', mt940);
  cpSync('journeys', join(folder, 'journeys'), { recursive: true });
  writeJourney(folder);
}

/** The journey of the examples, whose PSU is the one of the bank inside. */
export function writeJourney(folder: string): void {
  write(folder, '{ does: approve, method: SMS_OTP }');
}

/** The same, whose OTP comes from outside. */
export function writeJourneyWithOtp(folder: string): void {
  write(
    folder,
    '{ does: approve, method: SMS_OTP, otp: otp }',
    'secrets: { otp: the one-time password of the PSU }',
  );
}

function write(folder: string, psu: string, ...more: readonly string[]): void {
  const lines = [
    'journey: Pay',
    ...more,
    'steps:',
    '  - payment init:',
    '      product: sepa-credit-transfers',
    '      psu-id: embedded-choice',
    '      creditor-account: DE89370400440532013000',
    '      creditor-name: Shop',
    '      amount: 1.00',
    `    psu: ${psu}`,
  ];
  writeFileSync(join(folder, 'pay.yaml'), `${lines.join('\n')}\n`);
}

/** The files that the examples of profiles and certificates name. */
export async function writeExampleCertificates(inside: Inside, folder: string): Promise<void> {
  const file = (name: string) => join(folder, name);
  for (const type of ['qsealc', 'qwac'])
    await inside.json(['cert', 'create', '--type', type, '--org-id', 'PSDDE-BAFIN-123456', '--dir', 'tpp']);
  copyFileSync(file('tpp/qsealc.pem'), file('qseal.pem'));
  copyFileSync(file('tpp/qsealc-key.pem'), file('qseal.key'));
  copyFileSync(file('tpp/qwac-key.pem'), file('qwac.key'));
  writeFileSync(
    file('chain.pem'),
    ['tpp/qwac.pem', 'tpp/ca.pem'].map((name) => readFileSync(file(name), 'utf8')).join(''),
  );
}

/** A signed request as raw HTTP. */
export async function signedRequest(inside: Inside): Promise<string> {
  const dry = (await inside.json(['payment', 'init', ...shop, '--amount', '1.00', '--dry-run'])) as {
    method: string;
    url: string;
    headers: { name: string; value: string }[];
    body: string;
  };
  const head = [
    `${dry.method} ${new URL(dry.url).pathname} HTTP/1.1`,
    ...dry.headers.map(({ name, value }) => `${name}: ${value}`),
  ];
  return [...head, '', dry.body].join('\r\n');
}

const camt = `<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.02"><BkToCstmrStmt><Stmt>
<Acct><Id><IBAN>DE89370400440532013000</IBAN></Id></Acct>
<Ntry><Amt Ccy="EUR">1.00</Amt><CdtDbtInd>DBIT</CdtDbtInd><Sts>BOOK</Sts><BookgDt><Dt>2026-11-02</Dt></BookgDt></Ntry>
</Stmt></BkToCstmrStmt></Document>`;

const mt940 = [
  ...[':20:STARTUMSE', ':25:10010010/3307118608', ':28C:00232/001', ':60F:C261118EUR1000,00'],
  ...[':61:2611201120DR54,33NMSCNONREF', ':86:rent', ':62F:C261120EUR945,67', '-', ''],
].join('\r\n');

/** The exit codes of examples that do not end with 0. */
export const otherExits: Readonly<Record<string, number>> = {
  // The operator has not said that the built-in bank knows a request by its id.
  'obk pending resolve ID --replay --yes': 3,
  // The run before it has sent wrong requests on purpose.
  'obk check @last': 10,
  // The new pair is not there: with one, the banks of the profiles would be called, which are not of this machine.
  'obk cert rollover --certificate new.pem --key new.key --all --yes': 3,
};
