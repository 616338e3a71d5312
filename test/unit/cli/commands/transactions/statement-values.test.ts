// Where the values of a statement and those that could not be read stand in each form of output: nowhere they vanish.
import { parse } from 'csv-parse/sync';
import { describe, expect, it } from 'vitest';
import { memoryFiles } from '../../../../helpers/fakes/index.ts';
import { program } from '../../../../helpers/program.ts';

const read = (file: string, ...flags: readonly string[]) =>
  program(['transactions', 'read', 'report', ...flags], { ports: { files: memoryFiles({ report: file }) } });

const swift = [
  ...[':20:MT-1', ':25:NL91ABNA0417164300', ':28C:00012/001', ':13D:2601311830+0100', ':60F:C260101EUR10,00'],
  ...[':61:260230D4,00NTRFNONREF', ':86:rent', ':62F:C260131EUR6,00', '-', ''],
].join('\r\n');
const camt =
  '<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><BkToCstmrStmt><GrpHdr><MsgId>M-1</MsgId></GrpHdr><Stmt><Id>S-1</Id><ElctrncSeqNb>12</ElctrncSeqNb>' +
  '<Acct><Id><IBAN>NL91ABNA0417164300</IBAN></Id></Acct><Bal><Tp><CdOrPrtry><Cd>CLBD</Cd></CdOrPrtry></Tp><Amt Ccy="EUR">5.00</Amt><CdtDbtInd>CRDT</CdtDbtInd><Dt><DtTm>2026-01-31T18:00:00+01:00</DtTm></Dt></Bal>' +
  '<Ntry><Amt Ccy="EUR">4.00</Amt><CdtDbtInd>DBIT</CdtDbtInd><Sts><Cd>BOOK</Cd></Sts><BookgDt><DtTm>2026-01-30T10:11:12+01:00</DtTm></BookgDt>' +
  '<Chrgs><Rcrd><Amt Ccy="EUR">x</Amt></Rcrd></Chrgs></Ntry><AddtlStmtInf>New fees</AddtlStmtInf></Stmt></BkToCstmrStmt></Document>';

describe('the values of a statement', () => {
  it.each(['table', 'wide', 'tsv', 'csv', 'ndjson', 'html'])(
    'with -o %s are told on stderr',
    async (form) => {
      const { notices, code } = await read(swift, '-o', form);
      expect(code).toBe(0);
      expect(notices.said).toContain(
        'Statement: :20: MT-1, :25: NL91ABNA0417164300, :28C: 00012/001, :13D: 2601311830+0100',
      );
    },
  );

  it('are members of the document with --meta', async () => {
    const { stdout } = await read(swift, '--json', '--meta');
    expect(JSON.parse(stdout)).toMatchObject({
      statements: [{ account: 'NL91ABNA0417164300', values: { ':20:': 'MT-1', ':28C:': '00012/001' } }],
    });
  });

  it('stand on the page, with what the bank adds', async () => {
    const { stdout } = await read(camt, '-o', 'html');
    for (const told of [
      'What the report says besides',
      'GrpHdr.MsgId M-1, Id S-1, ElctrncSeqNb 12',
      'New fees',
    ])
      expect(stdout).toContain(told);
    const plain = await read('{"transactions":{"booked":[]}}', '-o', 'html');
    expect(plain.stdout).not.toContain('What the report says besides');
  });

  it('stand on the page as text, at most twenty of them', async () => {
    const hostile = '"><img src=x onerror=alert(1)>'.repeat(100);
    const statement = swift.replace('00012/001', hostile);
    const { stdout } = await read(statement.repeat(25), '-o', 'html');
    expect(stdout).not.toContain('<img');
    expect(stdout.split('Statement: ')).toHaveLength(21);
    expect(stdout).toContain('5 more statements; --json --meta has them all.');
  });

  it('have the time of a balance', async () => {
    expect((await read(camt, '-o', 'csv')).notices.said).toContain(
      'Balance closingBooked: 5.00 EUR 2026-01-31T18:00:00+01:00',
    );
  });
});

describe('a value that could not be read', () => {
  it.each([
    ['a day of MT940', swift, 'entryAsSent', '260230D4,00NTRFNONREF'],
    ['a charge of camt', camt, 'otherAmountsAsSent', 'Chrgs x EUR'],
    ['a time of camt', camt, 'otherInformation', 'bookingDate 2026-01-30T10:11:12+01:00'],
  ])('stands in CSV and NDJSON: %s', async (_what, file, column, value) => {
    const { stdout } = await read(file, '-o', 'csv');
    const [row] = parse(stdout, { columns: true, record_delimiter: '\r\n' });
    expect((row as Record<string, string>)[column]).toBe(value);
    const lines = await read(file, '-o', 'ndjson');
    expect(JSON.parse(lines.stdout)).toMatchObject({ [column]: value });
  });
});
