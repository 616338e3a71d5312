import { describe, expect, it } from 'vitest';
import { rowsOf } from './reading.ts';

const own = 'DE06940594210000027227';
const statement = (...entries: readonly string[]) =>
  `<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><BkToCstmrStmt><Stmt><Id>S</Id>
<Acct><Id><IBAN>${own}</IBAN></Id><Ownr><Nm>Jane Doe</Nm></Ownr></Acct>${entries.join('')}</Stmt></BkToCstmrStmt></Document>`;
const entry = (amount: string, direction: string, more: string) =>
  `<Ntry><Amt Ccy="EUR">${amount}</Amt><CdtDbtInd>${direction}</CdtDbtInd><Sts><Cd>BOOK</Cd></Sts><BookgDt><Dt>2026-11-20</Dt></BookgDt>${more}</Ntry>`;
const detail = (inside: string) => `<NtryDtls><TxDtls>${inside}</TxDtls></NtryDtls>`;
const base = {
  position: 1,
  account: own,
  bookingStatus: 'booked',
  bookingDate: '2026-11-20',
  currency: 'EUR',
};

describe('an entry of camt', () => {
  it.each([
    ['DBIT', 'CRDT', '-20.00'],
    ['CRDT', 'DBIT', '20.00'],
  ])('goes the way %s that it says, not %s of its detail', async (direction, original, amount) => {
    const inside = `<Amt Ccy="EUR">20.00</Amt><CdtDbtInd>${original}</CdtDbtInd>`;
    expect(await rowsOf(statement(entry('20.00', direction, detail(inside))))).toEqual([{ ...base, amount }]);
  });

  it('takes the direction of its detail where it has none', async () => {
    const inside = detail('<Amt Ccy="EUR">20.00</Amt><CdtDbtInd>DBIT</CdtDbtInd>');
    const [row] = await rowsOf(statement(entry('20.00', '', inside)));
    expect(row).toEqual({ ...base, amount: '-20.00' });
  });

  it('is split by the directions of its parts', async () => {
    const part = (amount: string, direction: string) =>
      detail(`<Amt Ccy="EUR">${amount}</Amt><CdtDbtInd>${direction}</CdtDbtInd>`);
    const rows = await rowsOf(
      statement(entry('20.00', 'DBIT', part('25.00', 'DBIT') + part('5.00', 'CRDT'))),
    );
    expect(rows.map(({ amount }) => amount)).toEqual(['-25.00', '5.00']);
  });

  it('of ten transactions is not that of the one that it shows', async () => {
    const batch = (more: string) =>
      `<NtryDtls><Btch><NbOfTxs>10</NbOfTxs></Btch><TxDtls>${more}</TxDtls></NtryDtls>`;
    const one = '<RltdPties><Cdtr><Pty><Nm>Only one</Nm></Pty></Cdtr></RltdPties>';
    const part = '<Amt Ccy="EUR">7.00</Amt><CdtDbtInd>DBIT</CdtDbtInd>';
    expect(await rowsOf(statement(entry('100.00', 'DBIT', batch(part + one))))).toEqual([
      { ...base, amount: '-100.00', batchSize: 10, marks: ['batch-not-split'] },
    ]);
    const [whole] = await rowsOf(statement(entry('7.00', 'DBIT', batch(part + one))));
    expect(whole).toEqual({ ...base, amount: '-7.00', batchSize: 10, counterpartyName: 'Only one' });
  });
});
