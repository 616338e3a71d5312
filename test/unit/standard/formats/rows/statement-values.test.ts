// What a report says of a statement as a whole, and what a value has beyond its column: kept under its name in each format, as typed here.
import { describe, expect, it } from 'vitest';
import { firstRow, notesOf, problemsOf, reading, statementsOf } from '../reports/reading.ts';

describe('a statement of MT940', () => {
  const iban = 'NL91ABNA0417164300';
  const account = iban;
  const fields = (...lines: readonly string[]) => `${lines.join('\r\n')}\r\n-\r\n`;
  const balances = [':60F:C260101EUR10,00', ':62F:C260131EUR10,00'] as const;

  it('has its reference, number, related reference and time under their tags', async () => {
    const report = fields(
      ':20:MT-1',
      ':21:REL-9',
      `:25:${iban}`,
      ':28C:00012/001',
      ':13D:2601311830+0100',
      ...balances,
    );
    expect(await statementsOf(report)).toEqual([
      {
        account,
        values: {
          ':20:': 'MT-1',
          ':21:': 'REL-9',
          ':25:': iban,
          ':28C:': '00012/001',
          ':13D:': '2601311830+0100',
        },
      },
    ]);
  });

  it('has for an intraday report both floors, and its sums', async () => {
    const report = fields(
      ...[':20:MT-2', `:25:${iban}`, ':28C:7/1', ':34F:EURD250,', ':34F:EURC100,', ':13D:2601311830-0500'],
      ...[':61:2601310131D5,00NTRFNONREF', ':90D:1EUR5,00', ':90C:0EUR0,00'],
    );
    expect(await statementsOf(report)).toEqual([
      {
        account,
        values: {
          ':20:': 'MT-2',
          ':25:': iban,
          ':28C:': '7/1',
          ':34F:': 'EURD250, EURC100,',
          ':13D:': '2601311830-0500',
          ':90D:': '1EUR5,00',
          ':90C:': '0EUR0,00',
        },
      },
    ]);
  });

  it('has its sender, from the blocks of SWIFT around it', async () => {
    const first =
      '{1:F01ABNANL2AXXXX0001000002}{2:O9401830260131ABNANL2AXXXX00010000022601311830N}{3:{108:MUR-1}}{4:';
    const [one, two] = await statementsOf(
      `${first}\r\n:20:A\r\n:25:${iban}\r\n:28C:1\r\n${balances.join('\r\n')}\r\n-}{5:{CHK:123456789ABC}}\r\n` +
        `${first.replace('MUR-1', 'MUR-2')}\r\n:20:B\r\n:25:${iban}\r\n:28C:2\r\n${balances.join('\r\n')}\r\n-}\r\n`,
    );
    expect(one?.values).toMatchObject({
      '{1:}': 'F01ABNANL2AXXXX0001000002',
      '{2:}': 'O9401830260131ABNANL2AXXXX00010000022601311830N',
      '{3:}': '{108:MUR-1}',
      '{5:}': '{CHK:123456789ABC}',
      ':20:': 'A',
    });
    expect(two?.values).toMatchObject({ '{3:}': '{108:MUR-2}', ':20:': 'B', ':28C:': '2' });
    expect(two?.values).not.toHaveProperty('{5:}');
  });

  it('keeps whole a value of which forty characters are usual', async () => {
    const long = 'X'.repeat(60);
    const report = fields(
      ...[':20:1', `:25:${iban}`, ':28C:1', `:99Z:${long}`, ':60F:C260101EUR10,00', `:64:C260131EUR${long}`],
      ...[':62F:C260131EUR10,00', `:90D:${long}`],
    );
    expect((await statementsOf(report))[0]?.values).toMatchObject({
      ':99Z:': long,
      ':64:': `C260131EUR${long}`,
      ':90D:': long,
    });
  });

  it('has its own values among several', async () => {
    const report = [1, 2].map((at) =>
      fields(`:20:S${String(at)}`, `:25:${iban}`, `:28C:${String(at)}`, ...balances),
    );
    const found = await statementsOf(report.join(''));
    expect(found.map(({ values }) => [values[':20:'], values[':28C:']])).toEqual([
      ['S1', '1'],
      ['S2', '2'],
    ]);
  });

  it('shows how many values are left out beyond 64 KiB', async () => {
    const many = Array.from({ length: 1200 }, (_, at) => `:99Z:${String(at).padStart(60, '0')}`);
    const report = fields(':20:1', `:25:${iban}`, ':28C:1', ...many, ...balances);
    const [found] = await statementsOf(report);
    expect(JSON.stringify(found).length).toBeLessThan(70_000);
    expect((await problemsOf(report)).find(({ code }) => code === 'text-skipped')?.detail).toMatch(
      /^[0-9]+ values of the statement are too many and were left out, the first of them :99Z: 0+[0-9]+$/,
    );
  });
});

const camt = (
  message: string,
  report: string,
  inside: string,
  header = '<GrpHdr><MsgId>M-1</MsgId></GrpHdr>',
) =>
  `<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><${message}>${header}<${report}>${inside}</${report}></${message}></Document>`;
const entry = (inside: string) =>
  `<Ntry><Amt Ccy="EUR">5.00</Amt><CdtDbtInd>DBIT</CdtDbtInd><Sts><Cd>BOOK</Cd></Sts>${inside}</Ntry>`;
const acct =
  '<Acct><Id><IBAN>NL91ABNA0417164300</IBAN></Id><Ccy>EUR</Ccy><Ownr><Nm>Bakker BV</Nm><Id><OrgId><LEI>7245001JP0YV9G6VSX24</LEI></OrgId></Id></Ownr><Svcr><FinInstnId><BICFI>ABNANL2A</BICFI></FinInstnId></Svcr></Acct>';

describe('a statement of camt', () => {
  it.each([
    ['BkToCstmrStmt', 'Stmt'],
    ['BkToCstmrAcctRpt', 'Rpt'],
    ['BkToCstmrDbtCdtNtfctn', 'Ntfctn'],
  ])('has in %s what stands beside its entries under the path of its element', async (message, report) => {
    const header =
      '<GrpHdr><MsgId>M-1</MsgId><CreDtTm>2026-02-01T06:00:00+01:00</CreDtTm><MsgRcpt><Nm>Bakker</Nm></MsgRcpt><MsgPgntn><PgNb>1</PgNb><LastPgInd>true</LastPgInd></MsgPgntn></GrpHdr>';
    const inside = `<Id>S-1</Id><ElctrncSeqNb>12</ElctrncSeqNb><LglSeqNb>3</LglSeqNb><CreDtTm>2026-02-01T05:59:00</CreDtTm><FrToDt><FrDtTm>2026-01-01T00:00:00</FrDtTm><ToDtTm>2026-01-31T23:59:59</ToDtTm></FrToDt><CpyDplctInd>DUPL</CpyDplctInd>${acct}<TxsSummry><TtlNtries><NbOfNtries>1</NbOfNtries><Sum>5.00</Sum></TtlNtries></TxsSummry>${entry('')}`;
    expect(await statementsOf(camt(message, report, inside, header))).toEqual([
      {
        account: 'NL91ABNA0417164300',
        values: {
          'GrpHdr.MsgId': 'M-1',
          'GrpHdr.CreDtTm': '2026-02-01T06:00:00+01:00',
          'GrpHdr.MsgRcpt.Nm': 'Bakker',
          'GrpHdr.MsgPgntn.PgNb': '1',
          'GrpHdr.MsgPgntn.LastPgInd': 'true',
          Id: 'S-1',
          ElctrncSeqNb: '12',
          LglSeqNb: '3',
          CreDtTm: '2026-02-01T05:59:00',
          'FrToDt.FrDtTm': '2026-01-01T00:00:00',
          'FrToDt.ToDtTm': '2026-01-31T23:59:59',
          CpyDplctInd: 'DUPL',
          'Acct.Id.IBAN': 'NL91ABNA0417164300',
          'Acct.Ccy': 'EUR',
          'Acct.Ownr.Nm': 'Bakker BV',
          'Acct.Ownr.Id.OrgId.LEI': '7245001JP0YV9G6VSX24',
          'Acct.Svcr.FinInstnId.BICFI': 'ABNANL2A',
          'TxsSummry.TtlNtries.NbOfNtries': '1',
          'TxsSummry.TtlNtries.Sum': '5.00',
        },
      },
    ]);
  });

  it('keeps an amount with its currency, and values of one name beside each other', async () => {
    const inside = `<Id>S</Id>${acct}<RltdAcct><Id><Othr><Id>1</Id></Othr></Id></RltdAcct><SplmtryData><Envlp><Fee Ccy="EUR">1.20</Fee><Fee Ccy="USD">3</Fee></Envlp></SplmtryData>`;
    expect((await statementsOf(camt('BkToCstmrStmt', 'Stmt', inside)))[0]?.values).toMatchObject({
      'RltdAcct.Id.Othr.Id': '1',
      'SplmtryData.Envlp.Fee': '1.20 EUR 3 USD',
    });
  });

  it('has the header of a message without a report', async () => {
    const report =
      '<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.054.001.08"><BkToCstmrDbtCdtNtfctn><GrpHdr><MsgId>M-9</MsgId></GrpHdr></BkToCstmrDbtCdtNtfctn></Document>';
    expect(await statementsOf(report)).toEqual([{ values: { 'GrpHdr.MsgId': 'M-9' } }]);
  });

  it('has what stands behind the reports of its message', async () => {
    const report = camt('BkToCstmrStmt', 'Stmt', `<Id>S</Id>${acct}`).replace(
      '</BkToCstmrStmt>',
      '<SplmtryData><Envlp><Ntc>see letter</Ntc></Envlp></SplmtryData></BkToCstmrStmt>',
    );
    expect((await statementsOf(report))[1]).toEqual({ values: { 'SplmtryData.Envlp.Ntc': 'see letter' } });
  });

  it('has a balance with its time, its sub-type beside it, and marks what is not a day', async () => {
    const balance = (day: string, more = '') =>
      `<Bal><Tp><CdOrPrtry><Cd>CLBD</Cd></CdOrPrtry>${more}</Tp><Amt Ccy="EUR">5.00</Amt><CdtDbtInd>CRDT</CdtDbtInd><Dt>${day}</Dt></Bal>`;
    const report = camt(
      'BkToCstmrStmt',
      'Stmt',
      acct + balance('<DtTm>2026-01-31T18:00:00+01:00</DtTm>', '<SubTp><Cd>INTM</Cd></SubTp>'),
    );
    expect((await reading(report)).items).toContainEqual({
      kind: 'balance',
      balance: {
        account: 'NL91ABNA0417164300',
        balanceType: 'closingBooked',
        amount: '5.00',
        currency: 'EUR',
        referenceDate: '2026-01-31',
        referenceDateTime: '2026-01-31T18:00:00+01:00',
      },
    });
    expect(await notesOf(report)).toEqual(['Bal CLBD SubTp INTM']);
    const wrong = camt('BkToCstmrStmt', 'Stmt', acct + balance('<Dt>2026-02-30</Dt>'));
    expect(await problemsOf(wrong)).toEqual([
      {
        code: 'balance-malformed',
        detail: 'the balance CLBD is "5.00 EUR" of "2026-02-30", whose day is not in the calendar',
      },
    ]);
  });
});

describe('a time of day, and its zone', () => {
  it.each([
    ['2026-01-05T10:11:12+01:00', 'bookingDate 2026-01-05T10:11:12+01:00'],
    ['2026-01-05T10:11:12.123Z', 'bookingDate 2026-01-05T10:11:12.123Z'],
    ['2026-01-05T00:00:00+02:00', 'bookingDate 2026-01-05T00:00:00+02:00'],
    ['2026-01-05+01:00', 'bookingDate 2026-01-05+01:00'],
    ['2026-01-05T00:00:00', undefined],
    ['2026-01-05T00:00:00.000', undefined],
    ['2026-01-05', undefined],
  ])('is kept of camt and JSON beside the columns: %s', async (sent, kept) => {
    const xml = camt('BkToCstmrStmt', 'Stmt', acct + entry(`<BookgDt><DtTm>${sent}</DtTm></BookgDt>`));
    const json = JSON.stringify({
      transactions: {
        booked: [{ bookingDate: sent, transactionAmount: { amount: '-5.00', currency: 'EUR' } }],
      },
    });
    for (const report of [xml, json]) {
      const { bookingDate, otherInformation } = (await firstRow(report)) ?? {};
      expect([bookingDate, otherInformation]).toEqual(['2026-01-05', kept]);
    }
  });

  it('is kept of related days, too', async () => {
    const days =
      '<BookgDt><Dt>2026-01-05</Dt></BookgDt><NtryDtls><TxDtls><RltdDts><AccptncDtTm>2026-01-05T09:00:00</AccptncDtTm><TxDtTm>2026-01-05T09:15:00</TxDtTm><IntrBkSttlmDt>2026-01-05</IntrBkSttlmDt></RltdDts></TxDtls></NtryDtls>';
    const row = await firstRow(camt('BkToCstmrStmt', 'Stmt', acct + entry(days)));
    expect(row?.transactionDate).toBe('2026-01-05');
    expect(row?.otherInformation).toBe('transactionDate 2026-01-05T09:15:00 AccptncDtTm 2026-01-05T09:00:00');
  });
});
