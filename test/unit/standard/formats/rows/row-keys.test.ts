import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { RowKeys } from '../../../../../src/standard/formats/rows/row-keys.ts';
import { rowsOf } from '../reports/reading.ts';

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

/** The keys of reports, one after the other, as files are read. */
async function keysOf(...reports: readonly (string | object)[]) {
  const keys = new RowKeys(sha256);
  const found: (string | undefined)[][] = [];
  for (const report of reports) {
    const rows = await rowsOf(typeof report === 'string' ? report : JSON.stringify(report));
    for (const row of rows) keys.set(row);
    found.push(rows.map(({ key }) => key));
    keys.next();
  }
  return found;
}

const iban = 'DE89370400440532013000';
const statement = (number: string, opening: string, closing: string, entries: string, account = iban) =>
  `:20:S\n:25:${account}\n:28C:${number}\n:60F:C250131EUR${opening}\n${entries}:62F:C250131EUR${closing}\n-\n`;
const ticket = ':61:2501310131D2,00NMSCNONREF\n:86:BUS TICKET\n';
const [m1, m2] = [
  statement('31/1', '100,00', '98,00', ticket),
  statement('32/1', '98,00', '96,00', ticket),
] as const;

const booking = (more: object = {}) => ({
  bookingDate: '2025-01-31',
  transactionAmount: { currency: 'EUR', amount: '-2.00' },
  creditorName: 'Bus',
  creditorAccount: { iban: 'DE02120300000000202051' },
  endToEndId: 'E-1',
  remittanceInformationUnstructured: 'BUS TICKET',
  transactionId: 't1',
  entryReference: 'r1',
  ...more,
});
const list = (booked: readonly object[], account: object = { iban }) => ({
  account,
  transactions: { booked },
});

describe('the key of a booked row of a statement', () => {
  it('includes the balance before the entry: two equal texts in sequence are two', async () => {
    const [[first] = [], [second] = [], both, [again] = []] = await keysOf(m1, m2, m1 + m2, m1);
    expect(first).toMatch(/^[0-9a-f]{32}$/);
    expect(second).toMatch(/^[0-9a-f]{32}$/);
    expect(second).not.toBe(first);
    expect(both).toEqual([first, second]);
    expect(again).toBe(first);
  });

  it.each([
    ['the number of the statement', statement('7/3', '100,00', '98,00', ticket)],
    ['blanks in the account', statement('31/1', '100,00', '98,00', ticket, 'DE89 3704 0044 0532 0130 00')],
    ['the BBAN in place of the IBAN', statement('31/1', '100,00', '98,00', ticket, '37040044/532013000')],
    ['the id of the bank', statement('31/1', '100,00', '98,00', ticket.replace('NONREF', 'NONREF//B-77'))],
    ['blanks in the text', statement('31/1', '100,00', '98,00', ticket.replace('S T', 'S   T'))],
  ])('ignores %s', async (_, other) => {
    const [one, same] = await keysOf(m1, other);
    expect(same).toEqual(one);
  });

  it.each([
    ['the balance before', statement('31/1', '99,00', '97,00', ticket)],
    ['the account', statement('31/1', '100,00', '98,00', ticket, 'DE02120300000000202051')],
    ['the amount', statement('31/1', '100,00', '97,99', ticket.replace('2,00', '2,01'))],
    ['the side', statement('31/1', '100,00', '102,00', ticket.replace('D2', 'C2'))],
    ['the day', statement('31/1', '100,00', '98,00', ticket.replace('2501310131', '2501310130'))],
    ['the text', statement('31/1', '100,00', '98,00', ticket.replace('BUS', 'TRAM'))],
  ])('depends on %s', async (_, other) => {
    const [one, different] = await keysOf(m1, other);
    expect(different).not.toEqual(one);
  });

  it('distinguishes what leads to the same balance twice, in each statement by itself', async () => {
    const back = ':61:2501310131C2,00NMSCNONREF\n:86:BUS TICKET\n';
    const there = statement('31/1', '100,00', '98,00', ticket + back + ticket);
    const [keys = [], again] = await keysOf(there, there);
    expect(new Set(keys).size).toBe(3);
    expect(again).toEqual(keys);
    const [twice = []] = await keysOf(there + there);
    expect(twice).toEqual([...keys, ...keys]);
  });

  it('is by occurrence where no opening balance is given, or a further page gives that of the first', async () => {
    const camt = (opening: string, page: string) =>
      `<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><BkToCstmrStmt><Stmt><Id>S</Id>${page}
        <Acct><Id><IBAN>${iban}</IBAN></Id></Acct>${opening}${`<Ntry><Amt Ccy="EUR">2.00</Amt><CdtDbtInd>DBIT</CdtDbtInd><Sts><Cd>BOOK</Cd></Sts>
        <BookgDt><Dt>2025-01-31</Dt></BookgDt><AddtlNtryInf>BUS TICKET</AddtlNtryInf></Ntry>`.repeat(
          2,
        )}</Stmt></BkToCstmrStmt></Document>`;
    const balance =
      '<Bal><Tp><CdOrPrtry><Cd>OPBD</Cd></CdOrPrtry></Tp><Amt Ccy="EUR">100</Amt><CdtDbtInd>CRDT</CdtDbtInd><Dt><Dt>2025-01-31</Dt></Dt></Bal>';
    const pages = (number: number) =>
      `<StmtPgntn><PgNb>${String(number)}</PgNb><LastPgInd>false</LastPgInd></StmtPgntn>`;
    const keyBy = async (report: string) => {
      const keys = new RowKeys(sha256);
      const rows = await rowsOf(report);
      for (const row of rows) keys.set(row);
      expect(new Set(rows.map(({ key }) => key)).size).toBe(2);
      return rows.map((row) => row.keyBy);
    };
    expect(await keyBy(camt(balance, ''))).toEqual(['balance', 'balance']);
    expect(await keyBy(camt('', ''))).toEqual(['occurrence', 'occurrence']);
    expect(await keyBy(camt(balance, pages(1)))).toEqual(['balance', 'balance']);
    expect(await keyBy(camt(balance, pages(2)))).toEqual(['occurrence', 'occurrence']);
  });
});

describe('the key of a booked row of a list', () => {
  it.each([
    ['the ids of the bank', list([booking({ transactionId: 'u1', entryReference: 'x' })])],
    ['the spelling of the account', list([booking()], { iban: 'de89 3704 0044 0532 0130 00' })],
    ['the kind of its number', list([booking()], { bban: '370400440532013000' })],
    [
      'the spelling of the other account',
      list([booking({ creditorAccount: { iban: 'DE02 1203 0000 0000 2020 51' } })]),
    ],
    ['blanks of the text', list([booking({ remittanceInformationUnstructured: ' BUS \n TICKET' })])],
    ['zeros of the amount', list([booking({ transactionAmount: { currency: 'EUR', amount: '-2' } })])],
    ['the name of the other', list([booking({ creditorName: 'Bus Company' })])],
  ])('ignores %s', async (_, other) => {
    const [one, same] = await keysOf(list([booking()]), other);
    expect(same).toEqual(one);
  });

  it('counts those that are the same on a day, whatever stands between them', async () => {
    const other = booking({ remittanceInformationUnstructured: 'TRAM', bookingDate: '2025-01-30' });
    const [twice = [], once = [], apart = []] = await keysOf(
      list([booking(), booking({ transactionId: 't2' })]),
      list([booking({ transactionId: 't9' })]),
      list([booking(), other, booking()]),
    );
    expect(new Set(twice).size).toBe(2);
    expect(once).toEqual([twice[0]]);
    expect([apart[0], apart[2]]).toEqual(twice);
  });

  it('is missing for what is pending or only announced', async () => {
    const [keys] = await keysOf({
      account: { iban },
      transactions: { pending: [booking()], information: [booking()], booked: [booking()] },
    });
    expect(keys?.map((key) => typeof key)).toEqual(['undefined', 'undefined', 'string']);
  });
});
