import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { atBank, oddities, refused } from '../../helpers/bank-settings.ts';
import { typedBank } from '../../helpers/typed-bank.ts';
import type { TypedBank } from '../../helpers/typed-bank.ts';

const folder = mkdtempSync(join(tmpdir(), 'obk-pain-'));
const order = (product = 'pain.001-sepa-credit-transfers') => [
  ...['payment', 'init', '--product', product, '--creditor-account', 'DE89370400440532013000'],
  ...['--creditor-name', 'Shop', '--amount', '1.00', '--debtor', 'DE65990010000000002443'],
  ...['--debtor-name', 'Payer AG'],
  ...['--psu-id', 'anna', '--allow-duplicate'],
];

/** The same without the name of the payer. */
const unnamed = order().filter((word) => word !== '--debtor-name' && word !== 'Payer AG');

function unnamedBulk(): string[] {
  const path = join(folder, 'bulk.csv');
  writeFileSync(path, 'creditor_name,creditor_iban,amount\nShop,DE89370400440532013000,1.00\n');
  return [
    ...['payment', 'init', '--service', 'bulk-payments', '--product', 'pain.001-sepa-credit-transfers'],
    ...['--from-csv', path, '--debtor', 'DE65990010000000002443', '--psu-id', 'anna', '--allow-duplicate'],
  ];
}

/** A bank that takes a message of this form alone. */
const takes =
  (...forms: readonly RegExp[]): TypedBank =>
  ({ method, body, headers }) => {
    if (method !== 'POST') return refused(404, 'RESOURCE_UNKNOWN');
    const isXml = headers['content-type'] === 'application/xml';
    if (!isXml || !forms.every((form) => form.test(body)))
      return refused(400, 'FORMAT_ERROR', body.slice(0, 300));
    const scaRedirect = { href: 'https://login.bank.example/c' };
    return [201, { transactionStatus: 'RCVD', paymentId: 'p-1', _links: { scaRedirect } }];
  };
const urn = 'urn:iso:std:iso:20022:tech:xsd:pain.001.001.';

/** A message of so many payments, in the version 03. */
function message(name: string, count = 1): string {
  const one =
    '<CdtTrfTxInf><PmtId><EndToEndId>E</EndToEndId></PmtId><Amt><InstdAmt Ccy="EUR">1.00</InstdAmt></Amt>' +
    '<Cdtr><Nm>Shop</Nm></Cdtr><CdtrAcct><Id><IBAN>DE89370400440532013000</IBAN></Id></CdtrAcct></CdtTrfTxInf>';
  const totals = `<NbOfTxs>${String(count)}</NbOfTxs><CtrlSum>${String(count)}.00</CtrlSum>`;
  const path = join(folder, name);
  writeFileSync(
    path,
    `<?xml version="1.0" encoding="UTF-8"?><Document xmlns="${urn}03"><CstmrCdtTrfInitn><GrpHdr><MsgId>M</MsgId>` +
      `<CreDtTm>2026-11-20T00:00:00</CreDtTm>${totals}<InitgPty><Nm>A</Nm></InitgPty></GrpHdr><PmtInf><PmtInfId>M</PmtInfId>` +
      `<PmtMtd>TRF</PmtMtd>${totals}<PmtTpInf><SvcLvl><Cd>SEPA</Cd></SvcLvl></PmtTpInf><ReqdExctnDt>2000-01-01</ReqdExctnDt>` +
      '<Dbtr><Nm>A</Nm></Dbtr><DbtrAcct><Id><IBAN>DE65990010000000002443</IBAN></Id></DbtrAcct><DbtrAgt><FinInstnId><Othr>' +
      `<Id>NOTPROVIDED</Id></Othr></FinInstnId></DbtrAgt><ChrgBr>SLEV</ChrgBr>${one.repeat(count)}</PmtInf>` +
      '</CstmrCdtTrfInitn></Document>',
  );
  return path;
}
const file = (name: string, count?: number, product = 'pain.001-sepa-credit-transfers') => [
  ...['payment', 'init', '--product', product, '--input', message(name, count)],
  ...['--psu-id', 'anna', '--allow-duplicate'],
];

oddities('a bank that wants pain.001 otherwise', [
  {
    setting: 'payments.pain.version',
    bank: takes(new RegExp(`xmlns="${urn}09"`), /<ReqdExctnDt><Dt>\d{4}-\d\d-\d\d<\/Dt><\/ReqdExctnDt>/),
    settings: { payments: { pain: { version: 'pain.001.001.09' } } },
    run: [order()],
    without: 5,
  },
  {
    setting: 'payments.pain.version of a file',
    bank: takes(/pain\.001\.001\.09/),
    settings: { payments: { pain: { version: 'pain.001.001.09' } } },
    run: [file('version.xml')],
    without: 5,
    code: 2,
    tells: /takes pain\.001\.001\.09, and this is pain\.001\.001\.03[^]*nothing was sent/,
  },
  {
    setting: 'payments.pain.namespace',
    bank: takes(/xmlns="urn:bank:pain:3"/),
    settings: { payments: { pain: { namespace: 'urn:bank:pain:3' } } },
    run: [order()],
    without: 5,
  },
  {
    setting: 'payments.pain.schemaLocation',
    bank: takes(/xsi:schemaLocation="urn:x pain\.xsd"/),
    settings: { payments: { pain: { schemaLocation: 'urn:x pain.xsd' } } },
    run: [order()],
    without: 5,
  },
  {
    setting: 'payments.pain.execDateSentinel',
    bank: takes(/<ReqdExctnDt>1999-01-01<\/ReqdExctnDt>/),
    settings: { payments: { pain: { execDateSentinel: '1999-01-01' } } },
    run: [order()],
    without: 5,
  },
  {
    setting: 'payments.pain.execDateSentinel of a file',
    bank: takes(),
    settings: { payments: { pain: { execDateSentinel: '2000-01-01' } } },
    run: [['payment', 'lint', message('old.xml')]],
    without: /2000-01-01 is in the past/,
    gives: /nothing found/,
  },
  {
    setting: 'payments.pain.bulkInSct false',
    bank: () => refused(400, 'FORMAT_ERROR'),
    settings: { payments: { pain: { bulkInSct: false } } },
    run: [file('two.xml', 2)],
    without: 5,
    code: 2,
    tells: /has 2 payments, and the bank takes one[^]*--service bulk-payments/,
  },
  {
    setting: 'payments.pain.bulkInSct true',
    bank: takes(),
    settings: { payments: { pain: { bulkInSct: true, execDateSentinel: '2000-01-01' } } },
    run: [['payment', 'lint', message('both.xml', 2), '--service', 'payments']],
    without: 10,
    gives: /nothing found/,
  },
  {
    setting: 'payments.matrix of a product in XML',
    bank: takes(/<CstmrCdtTrfInitn>/),
    always: { payments: { matrix: { payments: { 'domestic-transfers': ['json'] } } } },
    settings: { payments: { matrix: { payments: { 'domestic-transfers': ['xml'] } } } },
    run: [order('domestic-transfers')],
    without: 5,
  },
  {
    setting: 'payments.matrix of a file in XML',
    bank: takes(/<MsgId>M</),
    settings: { payments: { matrix: { payments: { 'domestic-transfers': ['xml'] } } } },
    run: [file('own.xml', 1, 'domestic-transfers')],
    without: 2,
  },
  {
    setting: 'payments.matrix in payment lint',
    bank: takes(),
    settings: {
      payments: {
        matrix: { 'bulk-payments': { 'own-bulks': ['xml'] } },
        pain: { execDateSentinel: '2000-01-01' },
      },
    },
    run: [['payment', 'lint', message('bulk.xml', 2), '--product', 'own-bulks']],
    without: 2,
    gives: /nothing found/,
  },
]);

describe('the names in a pain.001', () => {
  const named = (starts: string, pays: string) =>
    takes(new RegExp(`<InitgPty><Nm>${starts}</Nm></InitgPty>`), new RegExp(`<Dbtr><Nm>${pays}</Nm></Dbtr>`));
  const profile = ['--debtor-name', 'M&M', '--initiating-party', 'Treasury Ltd'];
  const env = { OBK_DEBTOR_NAME: 'Variable' };
  it.each([
    ['of the profile', unnamed, 'Treasury Ltd', 'M&amp;M', profile, {}],
    ['of the profile, of a bulk', unnamedBulk(), 'Treasury Ltd', 'M&amp;M', profile, {}],
    ['of the payer, who starts it', unnamedBulk(), 'M&amp;M', 'M&amp;M', profile.slice(0, 2), {}],
    ['of a variable', unnamed, 'Treasury Ltd', 'Variable', profile, env],
    ['of flags', order(), 'Treasury Ltd', 'Payer AG', profile, env],
    ['of flags alone', [...unnamed, '--debtor-name', 'A', '--initiating-party', 'B'], 'B', 'A', [], {}],
  ] as const)('are those %s', async (_, run, starts, pays, flags, more) => {
    const bank = await typedBank(named(starts, pays));
    const { code, stderr } = await atBank(bank, {}, [run], { flags, more });
    await bank.close();
    expect(code, stderr).toBe(0);
  });

  it.each([
    ['one', unnamed],
    ['a bulk', unnamedBulk()],
    ['an empty one', [...unnamed, '--debtor-name', '']],
  ] as const)('are missing, of %s', async (_, run) => {
    const bank = await typedBank(takes());
    const { code, stderr, name } = await atBank(bank, {}, [run]);
    expect(bank.asked).toEqual([]);
    expect(code).toBe(2);
    expect(stderr).toMatch(/Missing --debtor-name/);
    const [, line = ''] = /(config set debtorName NAME --profile \w+)/.exec(stderr) ?? [];
    const then = await atBank(bank, {}, [line.split(' ').slice(0, -2), unnamed], { name });
    expect(then.code, then.stderr).toBe(0);
    await bank.close();
  });

  it('are no part of JSON', async () => {
    const bank = await typedBank(takes());
    const json = [...unnamed.map((word) => word.replace('pain.001-', '')), '--initiating-party', 'B'];
    const { code, stderr } = await atBank(bank, {}, [json], { flags: profile });
    await bank.close();
    expect([code, stderr]).toEqual([2, expect.stringContaining('--initiating-party') as string]);
  });
});

describe('--schema', () => {
  const nine = [
    new RegExp(`xmlns="${urn}09"`),
    /<ReqdExctnDt><Dt>\d{4}-\d\d-\d\d<\/Dt><\/ReqdExctnDt>/,
    /<CdtrAgt><FinInstnId><BICFI>COBADEFF<\/BICFI>/,
  ];
  const abroad = ['--creditor-agent', 'COBADEFF'];
  const cross = 'pain.001-cross-border-credit-transfers';
  it.each([
    ['writes 09 where the bank says nothing', {}, 'pain.001.001.09', nine],
    [
      'writes 09 where the bank has 03 in its own namespace',
      { namespace: 'urn:bank:3', schemaLocation: 'urn:bank:3 a.xsd' },
      'pain.001.001.09',
      nine,
    ],
    [
      'writes 03 where the bank has 09',
      { version: 'pain.001.001.09' },
      'pain.001.001.03',
      [new RegExp(`xmlns="${urn}03"`), /<BIC>COBADEFF</, /<ReqdExctnDt>\d/],
    ],
  ] as const)('%s', async (_, pain, version, forms) => {
    const bank = await typedBank(takes(...forms));
    const run = [...order(cross), ...abroad, '--schema', version];
    const { code, stderr } = await atBank(bank, { payments: { pain } }, [run]);
    await bank.close();
    expect(code, stderr).toBe(0);
  });

  it.each([
    ['another version', [...order(), '--schema', 'pain.001.001.3'], /one of pain\.001\.001\.03, /],
    ['a file', [...file('schema.xml'), '--schema', 'pain.001.001.09'], /--input is sent as it is/],
    [
      'JSON',
      [...unnamed.map((word) => word.replace('pain.001-', '')), '--schema', 'pain.001.001.09'],
      /goes with pain\.001/,
    ],
  ] as const)('is not for %s', async (_, run, tells) => {
    const bank = await typedBank(takes());
    const { code, stderr } = await atBank(bank, {}, [run]);
    await bank.close();
    expect(code).toBe(2);
    expect(stderr).toMatch(tells);
    expect(bank.asked).toEqual([]);
  });
});
