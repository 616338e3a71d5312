// Texts as other programs encoded them (in hexadecimal), in a statement that does not say in which set.
import { describe, expect, it } from 'vitest';
import type { ReportHints } from '../../../../../src/standard/formats/rows/report-reader.ts';
import { reading } from '../reports/reading.ts';

it.each([
  [
    'windows-1252',
    'EUR',
    'Grüße aus München an Jürgen Müller, Straße 5',
    '4772fcdf6520617573204dfc6e6368656e20616e204afc7267656e204dfc6c6c65722c2053747261df652035',
  ],
  [
    'cp850',
    'EUR',
    'Grüße aus München an Jürgen Müller, Straße 5',
    '477281e16520617573204d816e6368656e20616e204a817267656e204d816c6c65722c2053747261e1652035',
  ],
  [
    'cp850, or cp437, which is the same here',
    'EUR',
    'Grüße aus München an Jürgen Müller, Straße 5',
    '477281e16520617573204d816e6368656e20616e204a817267656e204d816c6c65722c2053747261e1652035',
  ],
  [
    'windows-1250',
    'CZK',
    'Příliš žluťoučký kůň úpěl ďábelské ódy',
    '50f8ed6c699a209e6c759d6f75e86bfd206bf9f220fa70ec6c20efe162656c736be920f36479',
  ],
  [
    'iso-8859-2',
    'CZK',
    'Příliš žluťoučký kůň úpěl ďábelské ódy',
    '50f8ed6c69b920be6c75bb6f75e86bfd206bf9f220fa70ec6c20efe162656c736be920f36479',
  ],
  [
    'cp852',
    'CZK',
    'Příliš žluťoučký kůň úpěl ďábelské ódy',
    '50fda16c69e720a76c759c6f759f6bec206b85e520a370d86c20d4a062656c736b8220a26479',
  ],
  ['windows-1250', 'HUF', 'Árvíztűrő tükörfúrógép', 'c17276ed7a74fb72f52074fc6bf67266fa72f367e970'],
  ['cp852', 'HUF', 'Árvíztűrő tükörfúrógép', 'b57276a17a74fb728b2074816b947266a372a2678270'],
  ['windows-1250', 'PLN', 'Zażółć gęślą jaźń', '5a61bff3b3e62067ea9c6cb9206a619ff1'],
  [
    'windows-1252',
    'EUR',
    'Règlement reçu à Orléans, forêt',
    '52e8676c656d656e74207265e77520e0204f726ce9616e732c20666f72ea74',
  ],
  [
    'cp850',
    'EUR',
    'Règlement reçu à Orléans, forêt',
    '528a676c656d656e7420726587752085204f726c82616e732c20666f728874',
  ],
  [
    'windows-1252',
    'SEK',
    'BETALNING FRÅN SJÖSTRÖM ÄLVSJÖ',
    '424554414c4e494e47204652c54e20534ad6535452d64d20c44c56534ad6',
  ],
  ['cp850', 'DKK', 'København Ærø æble', '4b9b62656e6861766e2092729b2091626c65'],
])('a character set is found out: %s, %s, %s', async (set, currency, text, hex) => {
  const bytes = Buffer.concat([
    Buffer.from(`:20:1\r\n:25:X\r\n:60F:C260101${currency}10,00\r\n:61:260102D10,00NTRFNONREF\r\n:86:`),
    Buffer.from(hex, 'hex'),
    Buffer.from(`\r\n:62F:C260102${currency}0,00\r\n-\r\n`),
  ]);
  // Wherever the bytes are cut.
  for (const size of [1, 7, 65_536]) {
    const { rows, items } = await reading(bytes, {}, [size]);
    expect(rows[0]?.remittanceInformationUnstructured).toBe(text);
    expect(items.at(-1)).toMatchObject({
      kind: 'problem',
      problem: {
        code: 'charset-guessed',
        detail: `nothing says which characters it has; they were read as ${set.replace(/,.*/, '')}`,
      },
    });
  }
});

const camt = (declaration: string) =>
  `<?xml version="1.0"${declaration}?><Document><BkToCstmrStmt><Stmt><Acct><Id><IBAN>DE89370400440532013000</IBAN></Id></Acct>` +
  '<Ntry><Amt Ccy="EUR">1.00</Amt><CdtDbtInd>CRDT</CdtDbtInd><BookgDt><Dt>2026-11-20</Dt></BookgDt><NtryDtls><TxDtls><RmtInf><Ustrd>Süß für 5 €</Ustrd></RmtInf></TxDtls></NtryDtls></Ntry></Stmt></BkToCstmrStmt></Document>';
const encoding = (name: string) => ` encoding="${name}"`;
const single = (text: string, euro: number) =>
  Buffer.from(Array.from(text, (sign) => (sign === '€' ? euro : sign.charCodeAt(0))));
const bigEndian = (text: string) => Buffer.from(text, 'utf16le').swap16();

const written: readonly { title: string; bytes: Buffer; hints?: ReportHints }[] = [
  { title: 'UTF-8', bytes: Buffer.from(camt(encoding('UTF-8'))) },
  { title: 'ISO-8859-15', bytes: single(camt(encoding('ISO-8859-15')), 0xa4) },
  { title: 'windows-1252', bytes: single(camt(encoding('Windows-1252')), 0x80) },
  { title: 'windows-1252 that says it is ISO-8859-1', bytes: single(camt(encoding('ISO-8859-1')), 0x80) },
  { title: 'UTF-16', bytes: Buffer.from(`\ufeff${camt(encoding('UTF-16'))}`, 'utf16le') },
  { title: 'UTF-16 from the other end', bytes: bigEndian(`\ufeff${camt(encoding('UTF-16'))}`) },
  { title: 'UTF-16 without a mark', bytes: Buffer.from(camt(encoding('UTF-16')), 'utf16le') },
  { title: 'UTF-16 from the other end without a mark', bytes: bigEndian(camt('')) },
  { title: 'UTF-8 that says it is UTF-16', bytes: Buffer.from(camt(encoding('UTF-16'))) },
  {
    title: 'UTF-8 that says it is ISO-8859-1, told by a person',
    bytes: Buffer.from(camt(encoding('ISO-8859-1'))),
    hints: { charset: 'utf-8' },
  },
  {
    title: 'ISO-8859-15, told by a person',
    bytes: single(camt(''), 0xa4),
    hints: { charset: 'iso-8859-15' },
  },
  {
    title: 'ISO-8859-15, told by the answer',
    bytes: single(camt(''), 0xa4),
    hints: { contentType: 'application/xml; charset=ISO-8859-15' },
  },
  { title: 'a set that only the platform knows', bytes: single(camt(encoding('windows-1254')), 0x80) },
];
it.each(written)('a camt is read in $title', async ({ bytes, hints }) => {
  const { rows, error } = await reading(bytes, hints);
  expect(error).toBeUndefined();
  expect(rows[0]?.remittanceInformationUnstructured).toBe('Süß für 5 €');
});

it.each(['utf-16le', 'utf-16'])('a statement of MT940 is read in %s, named by a person', async (charset) => {
  const text = ':20:1\n:60F:C260101EUR0,00\n:61:260102C1,00NTRFNONREF\n:86:Süß\n:62F:C260102EUR1,00\n-\n';
  const { rows } = await reading(Buffer.from(text, 'utf16le'), { charset });
  expect(rows[0]).toMatchObject({ amount: '1.00', remittanceInformationUnstructured: 'Süß' });
});

describe('a statement of MT940 in UTF-16 without a name', () => {
  const statement =
    ':20:1\n:60F:C260101EUR0,00\n:61:260102C1,00NTRFNONREF\n:86:Süß\n:62F:C260102EUR1,00\n-\n';
  it.each([
    ['alone', ''],
    ['below blank lines', '\r\n\r\n'],
    ['in a block of SWIFT', '{1:F01X}{2:I940X}{4:\r\n'],
    ['behind a sign of the transport', '\u0001\r\n'],
    ['below lines of the transport', 'ABNANL2A\r\n940\r\n'],
    ['with a byte order mark', '\ufeff'],
  ])('is read %s', async (_, before) => {
    const little = Buffer.from(before + statement, 'utf16le');
    for (const bytes of [little, Buffer.from(little).swap16()])
      for (const hints of [{}, { charset: 'utf-16' }, { charset: 'utf-8' }, { charset: 'windows-1252' }])
        for (const sizes of [[65_536], [3]]) {
          const { rows, error } = await reading(bytes, hints, sizes);
          expect(error).toBeUndefined();
          expect(rows[0]).toMatchObject({ amount: '1.00', remittanceInformationUnstructured: 'Süß' });
        }
  });
});

describe('a text in DIN 66003', () => {
  const of = (text: string, account = '50070010/0123456700') =>
    `{1:F01DEUTDEFFAXXX0000000000}{2:I940X}{4:\n:20:1\n:25:${account}\n:60F:C260101EUR0,00\n:61:260102C5,00NTRF\n:86:${text}\n:62F:C260102EUR5,00\n-}\n`;
  const german = '166?00]BERWEISUNG?20SVWZ+Geb}hr M{rz Gr|~e?32B[CKER M]LLER';
  const both = async (report: string, hints: ReportHints = {}) => {
    const { items, rows, error } = await reading(report, hints);
    expect(error).toBeUndefined();
    const told = items.flatMap((item) => (item.kind === 'problem' ? [item.problem] : []));
    return { row: rows[0], told };
  };

  it('is read where a person names it, with the frames of SWIFT unchanged', async () => {
    const { row, told } = await both(of(german, 'X'), { charset: 'din-66003' });
    expect(row).toMatchObject({
      amount: '5.00',
      counterpartyName: 'BÄCKER MÜLLER',
      additionalInformation: 'ÜBERWEISUNG',
      remittanceInformationUnstructured: 'Gebühr März Größe',
    });
    expect(told).toEqual([]);
  });

  it('is guessed in a statement of a German account, with a note', async () => {
    const { row, told } = await both(of(german));
    expect(row?.counterpartyName).toBe('BÄCKER MÜLLER');
    expect(told.map(({ code }) => code)).toEqual(['charset-guessed']);
    expect(told[0]?.detail).toContain('din-66003');
  });

  it.each([
    ['another account', of(german, '/NL20INGB0001234567')],
    ['signs between words', of('166?20SVWZ+a | b [x] {y} ~ z \\ {q}')],
    ['bars that divide words', of('166?20SVWZ+Kunde|Rechnung|Auftrag|Datum')],
    ['parts with another sign', of('166~00GUTSCHRIFT~20SVWZ+Text~21mehr~32Name')],
    ['one sign', of('166?20SVWZ+M}ller')],
  ])('is not guessed: %s', async (_, report) => {
    const { told } = await both(report);
    expect(told).toEqual([]);
  });
});
