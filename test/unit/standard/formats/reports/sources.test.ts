import { createHash } from 'node:crypto';
import { deflateRawSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { reading, rowsOf } from './reading.ts';

const camt = (name: string, encoding?: string, amount = '1.00') =>
  `${encoding === undefined ? '' : `<?xml version="1.0" encoding="${encoding}"?>\n`}<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.052.001.02"><BkToCstmrAcctRpt><Rpt>
<Ntry><Amt Ccy="EUR">${amount}</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts>BOOK</Sts><BookgDt><Dt>2026-11-20</Dt></BookgDt>
<NtryDtls><TxDtls><RltdPties><Dbtr><Nm>${name}</Nm></Dbtr></RltdPties></TxDtls></NtryDtls></Ntry></Rpt></BkToCstmrAcctRpt></Document>`;
const list =
  '{"booked":[{"bookingDate":"2026-11-20","debtorName":"A","transactionAmount":{"amount":"1.00","currency":"EUR"}}]}';

/** A zip as PKWARE's note describes it; `flags` and `method` as in the headers. */
function zip(
  files: readonly { name: string; text: string | Buffer; method?: number; flags?: number }[],
): Buffer {
  const locals: Buffer[] = [];
  const directory: Buffer[] = [];
  let at = 0;
  for (const { name, text, method = 8, flags = 0 } of files) {
    const body = method === 8 ? deflateRawSync(text) : Buffer.from(text as string);
    const local = Buffer.alloc(30 + name.length);
    local.writeUInt32LE(0x04034b50, 0);
    local.writeUInt16LE(name.length, 26);
    local.write(name, 30);
    const entry = Buffer.alloc(46 + name.length);
    entry.writeUInt32LE(0x02014b50, 0);
    entry.writeUInt16LE(flags, 8);
    entry.writeUInt16LE(method, 10);
    entry.writeUInt32LE(body.length, 20);
    entry.writeUInt16LE(name.length, 28);
    entry.writeUInt32LE(at, 42);
    entry.write(name, 46);
    locals.push(local, body);
    directory.push(entry);
    at += local.length + body.length;
  }
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(files.length, 10);
  end.writeUInt32LE(at, 16);
  return Buffer.concat([...locals, ...directory, end]);
}

describe('the encoding of XML', () => {
  it.each([
    [undefined, 'utf8'],
    ['UTF-8', 'utf8'],
    ['iso-8859-1', 'latin1'],
    ['ISO-8859-15', 'latin1'],
    ['Windows-1252', 'latin1'],
  ] as const)('is read from the declaration: %s', async (encoding, bytes) => {
    const [row] = await rowsOf(Buffer.from(camt('Käufer', encoding), bytes));
    expect(row?.counterpartyName).toBe('Käufer');
  });

  it('may be UTF-16 or UTF-8 with a byte order mark', async () => {
    const little = Buffer.from(`\ufeff${camt('Käufer €', 'UTF-16')}`, 'utf16le');
    expect((await rowsOf(little))[0]?.counterpartyName).toBe('Käufer €');
    expect((await rowsOf(Buffer.from(little).swap16()))[0]?.counterpartyName).toBe('Käufer €');
    expect((await rowsOf(`\ufeff${camt('Käufer €')}`))[0]?.counterpartyName).toBe('Käufer €');
  });

  it('distinguishes the euro of ISO-8859-15 from the sign of ISO-8859-1', async () => {
    const of = async (encoding: string) => (await rowsOf(Buffer.from(camt('\u00a4', encoding), 'latin1')))[0];
    expect((await of('ISO-8859-15'))?.counterpartyName).toBe('€');
    expect((await of('ISO-8859-1'))?.counterpartyName).toBe('¤');
  });

  it('is refused where it is unknown', async () => {
    expect((await reading(camt('A', 'EBCDIC-US'))).error).toMatchObject({
      code: 'ANSWER_UNREADABLE',
      detail: expect.stringContaining('EBCDIC-US') as string,
    });
  });

  it('is guessed, with a note, where it is not what the declaration states', async () => {
    const { items, rows } = await reading(Buffer.from(camt('Käufer', 'UTF-8'), 'latin1'));
    expect(rows[0]?.counterpartyName).toBe('Käufer');
    expect(items.at(-1)).toMatchObject({ kind: 'problem', problem: { code: 'charset-guessed' } });
  });
});

describe('packed reports', () => {
  it('come out of gzip', async () => {
    expect(await rowsOf(gzipSync(list))).toHaveLength(1);
    expect(await rowsOf(gzipSync(camt('A')))).toHaveLength(1);
  });

  it('come out of a zip one after the other, packed and stored', async () => {
    const files = [
      { name: 'one.xml', text: camt('A') },
      { name: 'folder/', text: '', method: 0 },
      { name: 'two.xml', text: camt('B'), method: 0 },
    ];
    const rows = await rowsOf(zip(files));
    expect(rows.map(({ counterpartyName }) => counterpartyName)).toEqual(['A', 'B']);
  });

  it('come whole, though each piece is gone when the next is requested', async () => {
    // Names that cannot be packed: several pieces.
    const names = Array.from({ length: 800 }, (_, at) =>
      createHash('sha512').update(String(at)).digest('hex'),
    );
    const entry = (name: string) =>
      `{"debtorName":"${name}","transactionAmount":{"amount":"1.00","currency":"EUR"}}`;
    const text = `{"booked":[${names.map(entry).join(',')}]}`;
    for (const bytes of [gzipSync(text), zip([{ name: 'a', text }])]) {
      const { rows, error } = await reading(bytes, {}, [3000]);
      expect(error).toBeUndefined();
      expect(rows.map(({ counterpartyName }) => counterpartyName)).toEqual(names);
    }
  });

  it.each([
    ['is encrypted', zip([{ name: 'a', text: camt('A'), flags: 1 }]), 'encrypted'],
    [
      'is packed otherwise',
      zip([{ name: 'a', text: camt('A'), method: 12 }]),
      'by a method that obk does not read',
    ],
    ['is cut off', zip([{ name: 'a', text: camt('A') }]).subarray(0, -30), 'cut off'],
    ['lies about where its files are', lying(), 'not where its directory says'],
  ])('are refused where the zip %s', async (_, bytes, why) => {
    const { error, rows } = await reading(bytes);
    expect(error).toMatchObject({
      code: 'ANSWER_UNREADABLE',
      detail: expect.stringContaining(why) as string,
    });
    expect(rows).toEqual([]);
  });

  const xml = { name: 'a.xml', text: camt('A') };

  it.each([
    ['text', { name: 'notes.txt', text: 'x'.repeat(100) }],
    ['a table of Windows', { name: 'statements\\Thumbs.db', text: '\u00d0\u00cf\u0011\u00e0' }],
    [
      'another message',
      {
        name: 'in/pain.xml',
        text: '<Document xmlns="urn:iso:std:iso:20022:tech:xsd:pain.002.001.03"><A/></Document>',
      },
    ],
    ['JSON without a list', { name: 'b.json', text: '{"a":1}' }],
    ['a report that is cut off', { name: 'cut.json', text: list.slice(0, -5) }],
    ['a zip', { name: 'more.zip', text: 'PK\u0003\u0004rest' }],
    ['what is encrypted', { name: 'b.xml', text: camt('B'), flags: 1 }],
  ])('are refused by name before the first row where a zip holds %s as well', async (_, other) => {
    for (const files of [
      [xml, other],
      [other, xml],
    ]) {
      const { items, error } = await reading(zip(files), { code: 'INPUT_INVALID' });
      expect(items).toEqual([]);
      expect(error).toMatchObject({
        exit: 2,
        detail: expect.stringContaining(`${JSON.stringify(other.name)} in the zip`) as string,
      });
    }
  });

  const asides = [
    ['__MACOSX/._a.xml', 'Mac', 'a note of macOS'],
    ['2026/__MACOSX/a.xml', camt('No'), 'a note of macOS'],
    ['2026/._a.xml', 'Mac', 'a note of macOS'],
    ['.DS_Store', 'Bud1', 'a note of macOS'],
    ['in/.DS_Store', 'Bud1', 'a note of macOS'],
    ['empty.xml', '', 'empty'],
    ['scan.pdf', '%PDF-1.7', 'a PDF'],
    ['named.xml', '%PDF-1.7', 'a PDF'],
    ['scan.tif', 'II*\0rest', 'a picture (TIFF)'],
    ['scan.tiff', 'MM\0*rest', 'a picture (TIFF)'],
    ['scan.png', Buffer.from('\x89PNG', 'latin1'), 'a picture (PNG)'],
    ['scan.jpg', Buffer.from('\xff\xd8\xff\xe0', 'latin1'), 'a picture (JPEG)'],
  ] as const;

  it.each(asides)('leave %s aside in a zip, and report it', async (name, text, what) => {
    const { items, rows, error } = await reading(zip([{ name, text }, xml]));
    expect(error).toBeUndefined();
    expect(rows).toHaveLength(1);
    const detail = `${JSON.stringify(name)} in the zip was left aside: it is ${what}`;
    expect(items[0]).toEqual({ kind: 'problem', problem: { code: 'file-left-aside', detail } });
    const { items: none, error: nothing } = await reading(zip([{ name, text }]), { code: 'INPUT_INVALID' });
    expect(none.filter(({ kind }) => kind !== 'problem')).toEqual([]);
    expect(nothing).toMatchObject({ exit: 2, detail: 'the zip holds no statement.' });
  });

  it('are refused where a zip is empty', async () => {
    const { error } = await reading(zip([]), { code: 'INPUT_INVALID' });
    expect(error).toMatchObject({ exit: 2, detail: 'the zip holds no statement.' });
  });

  it('yield the rows of a zip before the place where a long file of it breaks, and name it', async () => {
    const entry = '{"debtorName":"A","transactionAmount":{"amount":"1.00","currency":"EUR"}}';
    const text = `{"booked":[${Array.from({ length: 5000 }, () => entry).join(',')},x`;
    const { rows, error } = await reading(zip([xml, { name: 'long.json', text }]));
    expect(rows).toHaveLength(5001);
    expect(error).toMatchObject({ detail: expect.stringMatching(/^"long\.json" in the zip: /) as string });
  });

  it('are refused where the gzip is broken', async () => {
    const broken = gzipSync(Buffer.from(list.repeat(100))).subarray(0, 60);
    expect((await reading(broken)).error).toMatchObject({ detail: 'the gzip cannot be unpacked.' });
  });

  it('cannot grow without end', async () => {
    const bomb = `{"booked":[${' '.repeat(1_000_000).repeat(20)}`;
    for (const bytes of [gzipSync(bomb), zip([{ name: 'a', text: bomb }])]) {
      expect(bytes.length).toBeLessThan(30_000);
      const { error } = await reading(bytes, { maxBytes: 5_000_000 });
      expect(error).toMatchObject({ detail: 'it is longer than allowed.' });
    }
  });
});

function lying(): Buffer {
  const bytes = zip([{ name: 'a', text: camt('A') }]);
  bytes.writeUInt32LE(7, bytes.length - 22 - 47 + 42);
  return bytes;
}

describe('a text that is not a report', () => {
  it.each([
    ['', 'it is empty'],
    ['   \n', 'it is empty'],
    ['<!DOCTYPE html><html></html>', 'neither JSON nor camt'],
    ['hello', 'neither JSON nor camt'],
    ['\u0000\u0001', 'neither JSON nor camt'],
  ])('is refused: %j', async (text, why) => {
    const { error } = await reading(text, { contentType: 'text/html', code: 'INPUT_INVALID' });
    expect(error).toMatchObject({
      code: 'INPUT_INVALID',
      exit: 2,
      detail: expect.stringContaining(why) as string,
    });
    expect(error).toMatchObject({ detail: expect.stringContaining('text/html') as string });
  });
});
