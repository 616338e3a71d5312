import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { accountsOf } from '../../../../src/bank/books/accounts.ts';
import { openLedger } from '../../../../src/bank/books/ledger.ts';
import { readBank } from '../../../../src/bank/config/read-bank.ts';
import { entriesIn } from '../../../../src/bank/statements/entries.ts';
import { failedWith } from '../../../helpers/failed-with.ts';

const folder = mkdtempSync(join(tmpdir(), 'obk-entries-'));
const now = new Date('2026-06-01T12:00:00Z');
const iban = 'DE02120300000000202051';

const camt = `<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.02"><BkToCstmrStmt>
<GrpHdr><MsgId>1</MsgId><CreDtTm>2026-02-28T00:00:00Z</CreDtTm></GrpHdr>
<Stmt><Id>1</Id><CreDtTm>2026-02-28T00:00:00Z</CreDtTm><Acct><Id><IBAN>${iban}</IBAN></Id><Ccy>EUR</Ccy></Acct>
<Ntry><Amt Ccy="EUR">49.90</Amt><CdtDbtInd>DBIT</CdtDbtInd><Sts>BOOK</Sts><BookgDt><Dt>2026-02-03</Dt></BookgDt><ValDt><Dt>2026-02-04</Dt></ValDt>
<BkTxCd><Domn><Cd>PMNT</Cd><Fmly><Cd>RDDT</Cd><SubFmlyCd>ESDD</SubFmlyCd></Fmly></Domn></BkTxCd>
<NtryDtls><TxDtls><Refs><EndToEndId>E2E-1</EndToEndId></Refs>
<RltdPties><Cdtr><Nm>Havel Energy</Nm></Cdtr><CdtrAcct><Id><IBAN>DE89370400440532013000</IBAN></Id></CdtrAcct></RltdPties>
<RmtInf><Ustrd>February</Ustrd></RmtInf></TxDtls></NtryDtls></Ntry>
</Stmt></BkToCstmrStmt></Document>`;
const mt940 = [
  ':20:STMT',
  ':25:12030000/0000202051',
  ':28C:1/1',
  ':60F:C260201EUR100,00',
  ':61:2602040203D49,90NDDTE2E-1',
  ':86:105?00Direct debit?20EREF+E2E-1?21SVWZ+February?31DE89370400440532013000?32Havel Energy',
  ':62F:C260228EUR50,10',
  '-',
  '',
].join('\r\n');
const json = JSON.stringify({
  account: { iban },
  transactions: {
    booked: [
      {
        transactionId: '1',
        endToEndId: 'E2E-1',
        bookingDate: '2026-02-03',
        valueDate: '2026-02-04',
        transactionAmount: { currency: 'EUR', amount: '-49.90' },
        creditorName: 'Havel Energy',
        creditorAccount: { iban: 'DE89370400440532013000' },
        remittanceInformationUnstructured: 'February',
      },
    ],
    pending: [{ transactionAmount: { currency: 'EUR', amount: '-1.00' }, valueDate: '2026-02-05' }],
    _links: { account: { href: '/a' } },
  },
});
const csv = `bookingDate;valueDate;amount;currency;counterpartyName;counterpartyAccount;remittanceInformationUnstructured;endToEndId
2026-02-03;2026-02-04;-49.90;EUR;Havel Energy;DE89370400440532013000;February;E2E-1
`;

async function entriesOf(
  name: string,
  content: string | Buffer,
  account: object = { iban },
): Promise<unknown[]> {
  writeFileSync(join(folder, name), content);
  const path = join(folder, 'bank.json');
  writeFileSync(
    path,
    JSON.stringify({ people: [{ psuId: 'a', accounts: [{ ...account, balance: '50.10', files: [name] }] }] }),
  );
  const { main } = openLedger(':memory:', now, (await readBank(path)).filling);
  const [{ accountId, balance } = { accountId: 0n, balance: 0n }] = accountsOf(main, 'a');
  expect(balance).toBe(5010n);
  return entriesIn(main, { accounts: [accountId] }, 10).map((row) => [
    row.day,
    row.minor,
    row.creditorName,
    row.creditorIban,
    row.remittance,
    row.endToEndId,
    (JSON.parse(row.details ?? '{}') as { valueDate?: string }).valueDate,
  ]);
}

const opening = (day: string) => [day, 10_000n, null, iban, 'Opening balance', null, undefined];
const entry = [
  '2026-02-03',
  -4990n,
  'Havel Energy',
  'DE89370400440532013000',
  'February',
  'E2E-1',
  '2026-02-04',
];

describe('a file of transactions', () => {
  it.each([
    ['camt.xml', camt],
    ['mt940.sta', mt940],
    ['list.json', json],
    ['list.csv', csv],
  ])('is booked as written: %s', async (name, content) => {
    expect(await entriesOf(name, content)).toEqual([opening('2026-02-02'), entry]);
  });

  it.each([
    ['commas and empty cells', ','],
    ['semicolons', ';'],
    ['tabs', '\t'],
    ['sep=', '|'],
  ])('is read from CSV with %s, and texts have no apostrophe before a formula', async (_, sign) => {
    const names = [
      'bookingDate',
      'valueDate',
      'amount',
      'currency',
      'counterpartyName',
      'counterpartyAccount',
    ];
    const cells = [
      '',
      '2026-02-03',
      '-49.90',
      '',
      '"\'=Havel"',
      'DE89370400440532013000',
      `"Rent;'=1+1; 'x'"`,
      '',
    ];
    const lines = [[...names, 'remittanceInformationUnstructured', 'endToEndId'], cells];
    const text = `${sign === '|' ? 'sep=|\n' : ''}${lines.map((line) => line.join(sign)).join('\r\n')}\r\n`;
    for (const [name, content] of [
      ['signs.csv', `\ufeff${text}`],
      ['wide.csv', Buffer.from(`\ufeff${text}`, 'utf16le')],
    ] as const)
      expect((await entriesOf(name, content))[1]).toEqual([
        ...['2026-02-03', -4990n, '=Havel', 'DE89370400440532013000', "Rent;=1+1; 'x'", null, undefined],
      ]);
  });

  it.each([
    ['of another account', 'other.xml', camt, { iban: 'DE89370400440532013000' }, 'are of another account'],
    [
      'in another currency',
      'other.csv',
      csv,
      { iban, currency: 'SEK' },
      'its currency is EUR, and the account is in SEK',
    ],
    ['that is not there', 'missing/x.csv', undefined, { iban }, 'no such file'],
    ['of another kind', 'x.xml', 'hello', { iban }, 'x.xml: '],
    ['with a wrong date', 'x.csv', 'bookingDate,amount\n03.02.2026,1.00', { iban }, 'it has no bookingDate'],
    [
      'without a dot',
      'y.csv',
      'bookingDate,amount\n2026-02-03,"1,00"',
      { iban },
      'the decimal separator is a dot',
    ],
    ['that is empty', 'z.csv', 'bookingDate,amount\n', { iban }, 'there is no booked transaction in it'],
  ])('is refused where it is a file %s', async (_, name, content, account, why) => {
    if (content !== undefined) writeFileSync(join(folder, name), content);
    const path = join(folder, 'bank.json');
    writeFileSync(
      path,
      JSON.stringify({ people: [{ psuId: 'a', accounts: [{ ...account, files: [name] }] }] }),
    );
    const error = await failedWith(readBank(path));
    expect(error).toMatchObject({ code: 'CONFIG_UNREADABLE', exit: 3 });
    expect(error.detail).toContain(why);
    expect(error.detail).toContain('people[0].accounts[0].files');
  });
});
