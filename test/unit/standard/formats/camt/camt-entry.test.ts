import { describe, expect, it } from 'vitest';
import { rowsOf } from '../reports/reading.ts';

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
  ])('goes the way %s that it states, not %s of its detail', async (direction, original, amount) => {
    const inside = `<Amt Ccy="EUR">20.00</Amt><CdtDbtInd>${original}</CdtDbtInd>`;
    expect(await rowsOf(statement(entry('20.00', direction, detail(inside))))).toEqual([{ ...base, amount }]);
  });

  it('has the direction of its detail where it has none', async () => {
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

  it('is not taken for the one transaction that it shows where it has ten', async () => {
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

  const charge = (amount: string, more = '') => `<Amt Ccy="EUR">${amount}</Amt>${more}`;
  const record = (inside: string) => `<Rcrd>${inside}</Rcrd>`;
  it.each([
    ['one amount', `<Chrgs>${charge('0.50')}</Chrgs>`, '0.50'],
    ['several amounts', `<Chrgs>${charge('0.50')}</Chrgs><Chrgs>${charge('1.50')}</Chrgs>`, '2.00'],
    ['several records', `<Chrgs>${record(charge('1'))}${record(charge('2.05'))}</Chrgs>`, '3.05'],
    [
      'a total',
      `<Chrgs><TtlChrgsAndTaxAmt Ccy="EUR">3.10</TtlChrgsAndTaxAmt>${record(charge('1'))}${record(charge('2.1'))}</Chrgs>`,
      '3.10',
    ],
    [
      'a record that is given back',
      `<Chrgs>${record(charge('1'))}${record(charge('2', '<CdtDbtInd>CRDT</CdtDbtInd>'))}</Chrgs>`,
      { otherAmountsAsSent: 'Chrgs 1 EUR, Chrgs 2 EUR CRDT' },
    ],
    [
      'two currencies',
      `<Chrgs>${record(charge('1'))}${record('<Amt Ccy="USD">2</Amt>')}</Chrgs>`,
      { otherAmountsAsSent: 'Chrgs 1 EUR, Chrgs 2 USD' },
    ],
    [
      'a total in each',
      `<Chrgs><TtlChrgsAndTaxAmt Ccy="EUR">1.10</TtlChrgsAndTaxAmt>${charge('1')}</Chrgs><Chrgs><TtlChrgsAndTaxAmt Ccy="EUR">2.20</TtlChrgsAndTaxAmt>${charge('2')}</Chrgs>`,
      '3.30',
    ],
    [
      'one that is no amount',
      `<Chrgs>${record('<Amt Ccy="EUR">1,5</Amt>')}</Chrgs>`,
      { otherAmountsAsSent: 'Chrgs 1,5 EUR', marks: ['other-amount-malformed'] },
    ],
  ])('adds up its charges: %s', async (_, charges, wanted) => {
    const [row] = await rowsOf(statement(entry('9.00', 'DBIT', charges)));
    expect(row).toEqual({
      ...base,
      amount: '-9.00',
      ...(typeof wanted === 'string' ? { chargesAmount: wanted, chargesCurrency: 'EUR' } : wanted),
    });
  });

  it('keeps the charges and the original amount of a batch from its parts', async () => {
    const own = '<Chrgs><Rcrd><Amt Ccy="EUR">0.10</Amt></Rcrd></Chrgs>';
    const rows = await rowsOf(
      statement(
        entry(
          '20.00',
          'DBIT',
          `<AmtDtls><InstdAmt><Amt Ccy="USD">24.00</Amt></InstdAmt></AmtDtls><Chrgs>${charge('3')}</Chrgs>
${detail(`<Amt Ccy="EUR">15.00</Amt>${own}`)}${detail('<Amt Ccy="EUR">5.00</Amt>')}`,
        ),
      ),
    );
    expect(rows.map((row) => [row.amount, row.chargesAmount, row.originalAmount])).toEqual([
      ['-15.00', '0.10', undefined],
      ['-5.00', undefined, undefined],
    ]);
  });

  const party = (role: string, name: string, account = '') =>
    `<${role}><Pty><Nm>${name}</Nm></Pty></${role}>${account === '' ? '' : `<${role}Acct><Id><IBAN>${account}</IBAN></Id></${role}Acct>`}`;
  it.each([
    ['a debit that names its owner alone', 'DBIT', party('Dbtr', 'Jane Doe'), undefined],
    ['a transfer to another account of the owner', 'DBIT', party('Cdtr', 'Jane Doe', 'DE1'), 'Jane Doe'],
    [
      'a credit whose roles are those of the original',
      'CRDT',
      party('Dbtr', 'Jane Doe') + party('Cdtr', 'Shop'),
      'Shop',
    ],
    ['a debit that names another debtor', 'DBIT', party('Dbtr', 'John Roe'), 'John Roe'],
  ])(
    'has no counterparty in the owner of the account: %s',
    async (_, direction, parties, counterpartyName) => {
      const [row] = await rowsOf(
        statement(entry('9.00', direction, detail(`<RltdPties>${parties}</RltdPties>`))),
      );
      expect(row?.counterpartyName).toBe(counterpartyName);
    },
  );
});
