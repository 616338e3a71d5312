import { describe, expect, it } from 'vitest';
import { addsUp, reading, rowsOf } from '../reports/reading.ts';

const own = 'DE06940594210000027227';
const ns = (message: string) => `urn:iso:std:iso:20022:tech:xsd:${message}`;
const head = '<GrpHdr><MsgId>M1</MsgId><CreDtTm>2026-11-21T10:00:00+01:00</CreDtTm></GrpHdr>';
const account = `<Acct><Id><IBAN>${own}</IBAN></Id><Ccy>EUR</Ccy><Ownr><Nm>Owner</Nm></Ownr></Acct>`;
const balance = (type: string, amount: string, direction: string) =>
  `<Bal><Tp><CdOrPrtry><Cd>${type}</Cd></CdOrPrtry></Tp><Amt Ccy="EUR">${amount}</Amt><CdtDbtInd>${direction}</CdtDbtInd><Dt><Dt>2026-11-20</Dt></Dt></Bal>`;
const statement = (inside: string, message = 'camt.053.001.02') =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<Document xmlns="${ns(message)}"><BkToCstmrStmt>${head}<Stmt><Id>S</Id>${account}${inside}</Stmt></BkToCstmrStmt></Document>`;
const entry = (amount: string, direction: string, more = '', status = '<Sts>BOOK</Sts>') =>
  `<Ntry><Amt Ccy="EUR">${amount}</Amt><CdtDbtInd>${direction}</CdtDbtInd>${status}<BookgDt><Dt>2026-11-20</Dt></BookgDt>${more}</Ntry>`;
const details = (...parts: readonly string[]) =>
  `<NtryDtls>${parts.map((part) => `<TxDtls>${part}</TxDtls>`).join('')}</NtryDtls>`;

/** Typed after the German usage of camt.053.001.02: a transfer out, a direct debit returned, a batch. */
const german = statement(`${balance('PRCD', '112.72', 'CRDT')}
<Ntry><NtryRef>N1</NtryRef><Amt Ccy="EUR">100.00</Amt><CdtDbtInd>DBIT</CdtDbtInd><Sts>BOOK</Sts>
<BookgDt><Dt>2026-11-20</Dt></BookgDt><ValDt><DtTm>2026-11-21T00:00:00+01:00</DtTm></ValDt><AcctSvcrRef>0129</AcctSvcrRef>
<BkTxCd><Domn><Cd>PMNT</Cd><Fmly><Cd>ICDT</Cd><SubFmlyCd>ESCT</SubFmlyCd></Fmly></Domn><Prtry><Cd>NTRF+116+9210</Cd><Issr>DK</Issr></Prtry></BkTxCd>
<NtryDtls><TxDtls><Refs><EndToEndId>E2E-1</EndToEndId><MndtId>MANDATE</MndtId></Refs>
<AmtDtls><InstdAmt><Amt Ccy="USD">108.56</Amt><CcyXchg><SrcCcy>USD</SrcCcy><XchgRate>1.0856</XchgRate></CcyXchg></InstdAmt></AmtDtls>
<RltdPties><Dbtr><Nm>Owner</Nm></Dbtr><DbtrAcct><Id><IBAN>${own}</IBAN></Id></DbtrAcct><Cdtr><Nm>M&#252;ller &amp; <![CDATA[S<hne]]></Nm></Cdtr><CdtrAcct><Id><IBAN>DE89370400440532013000</IBAN></Id></CdtrAcct></RltdPties>
<RltdAgts><CdtrAgt><FinInstnId><BIC>GENODEF1S04</BIC></FinInstnId></CdtrAgt></RltdAgts>
<RmtInf><Ustrd>line one</Ustrd><Ustrd>line two</Ustrd><Strd><CdtrRefInf><Ref>RF18539007547034</Ref></CdtrRefInf></Strd></RmtInf><Purp><Cd>GDDS</Cd></Purp></TxDtls></NtryDtls>
<AddtlNtryInf>SEPA-UEBERWEISUNG</AddtlNtryInf></Ntry>
${entry('5.00', 'CRDT', `<NtryDtls><TxDtls><Refs><EndToEndId>E2E-2</EndToEndId></Refs><RltdPties><Dbtr><Nm>Owner</Nm></Dbtr><Cdtr><Nm>Telecom</Nm><Id><PrvtId><Othr><Id>DE98ZZZ09999999999</Id></Othr></PrvtId></Id></Cdtr></RltdPties><RtrInf><Rsn><Cd>AC04</Cd></Rsn></RtrInf></TxDtls></NtryDtls>`).replace('<Sts>', '<RvslInd>true</RvslInd><Sts>')}
${entry(
  '30.00',
  'DBIT',
  `<AcctSvcrRef>B9</AcctSvcrRef>${details(
    '<AmtDtls><TxAmt><Amt Ccy="EUR">10.50</Amt></TxAmt></AmtDtls><RltdPties><Cdtr><Nm>A</Nm></Cdtr></RltdPties>',
    '<AmtDtls><TxAmt><Amt Ccy="EUR">19.50</Amt></TxAmt></AmtDtls><RltdPties><Cdtr><Nm>B</Nm></Cdtr></RltdPties>',
  )}`,
)}
${balance('CLBD', '12.28', 'DBIT')}`);

const base = { account: own, bookingStatus: 'booked', bookingDate: '2026-11-20', currency: 'EUR' };

describe('a camt.053', () => {
  it('becomes an account, balances and rows', async () => {
    const { items, error } = await reading(german);
    expect(error).toBeUndefined();
    expect(items).toEqual([
      { kind: 'account', account: { account: own, currency: 'EUR', name: 'Owner' } },
      {
        kind: 'balance',
        balance: {
          account: own,
          balanceType: 'previouslyClosedBooked',
          amount: '112.72',
          currency: 'EUR',
          referenceDate: '2026-11-20',
        },
      },
      {
        kind: 'row',
        row: {
          ...base,
          position: 1,
          valueDate: '2026-11-21',
          otherInformation: 'valueDate 2026-11-21T00:00:00+01:00',
          amount: '-100.00',
          counterpartyName: 'Müller & S<hne',
          counterpartyAccount: 'DE89370400440532013000',
          counterpartyAgent: 'GENODEF1S04',
          remittanceInformationUnstructured: 'line one line two',
          remittanceInformationStructured: 'RF18539007547034',
          additionalInformation: 'SEPA-UEBERWEISUNG',
          endToEndId: 'E2E-1',
          mandateId: 'MANDATE',
          entryReference: 'N1',
          transactionId: '0129',
          purposeCode: 'GDDS',
          bankTransactionCode: 'PMNT-ICDT-ESCT',
          bankTransactionText: 'Payments / Issued Credit Transfers / SEPA Credit Transfer',
          proprietaryBankTransactionCodeIssuer: 'DK',
          proprietaryBankTransactionCode: 'NTRF+116+9210',
          originalAmount: '108.56',
          originalCurrency: 'USD',
          exchangeRate: '1.0856',
          exchangeSourceCurrency: 'USD',
        },
      },
      {
        kind: 'row',
        row: {
          ...base,
          position: 2,
          amount: '5.00',
          reversal: true,
          counterpartyName: 'Telecom',
          creditorId: 'DE98ZZZ09999999999',
          endToEndId: 'E2E-2',
          returnReason: 'AC04',
        },
      },
      ...['A', 'B'].map((name, index) => ({
        kind: 'row',
        row: {
          ...base,
          position: 3,
          amount: index === 0 ? '-10.50' : '-19.50',
          counterpartyName: name,
          transactionId: 'B9',
          batchReference: 'B9',
          batchAmount: '-30.00',
          batchSize: 2,
          batchPosition: index + 1,
        },
      })),
      {
        kind: 'balance',
        balance: {
          account: own,
          balanceType: 'closingBooked',
          amount: '-12.28',
          currency: 'EUR',
          referenceDate: '2026-11-20',
        },
      },
      {
        kind: 'statement',
        statement: {
          account: own,
          values: {
            'GrpHdr.MsgId': 'M1',
            'GrpHdr.CreDtTm': '2026-11-21T10:00:00+01:00',
            Id: 'S',
            'Acct.Id.IBAN': own,
            'Acct.Ccy': 'EUR',
            'Acct.Ownr.Nm': 'Owner',
          },
        },
      },
    ]);
    expect(addsUp(items)).toBe(true);
  });

  it('reports where the entries do not lead to the closing balance', async () => {
    const { items } = await reading(german.replace('>12.28<', '>12.29<'));
    expect(addsUp(items)).toBe(false);
    expect(items.at(-1)).toMatchObject({ kind: 'problem', problem: { code: 'sum-differs' } });
  });

  it('reports where it announces more entries than it has', async () => {
    const summary = '<TxsSummry><TtlNtries><NbOfNtries>2</NbOfNtries></TtlNtries></TxsSummry>';
    const { items } = await reading(statement(summary + entry('1.00', 'CRDT')));
    expect(items.at(-1)).toMatchObject({ problem: { code: 'count-differs' } });
  });

  it('keeps a batch whole whose parts do not add up, or of which only the number is given', async () => {
    const part = '<AmtDtls><TxAmt><Amt Ccy="EUR">1.00</Amt></TxAmt></AmtDtls>';
    const batch = '<NtryDtls><Btch><PmtInfId>P1</PmtInfId><NbOfTxs>7</NbOfTxs></Btch></NtryDtls>';
    const rows = await rowsOf(
      statement(entry('3.00', 'DBIT', details(part, part)) + entry('3.00', 'DBIT', batch)),
    );
    expect(rows).toEqual([
      { ...base, position: 1, amount: '-3.00', batchSize: 2, marks: ['batch-not-split'] },
      { ...base, position: 2, amount: '-3.00', batchSize: 7, batchReference: 'P1' },
    ]);
  });

  it.each([
    ['camt.053.001.08', '<Sts><Cd>BOOK</Cd></Sts>', 'booked'],
    ['camt.053.001.08', '<Sts><Cd>PDNG</Cd></Sts>', 'pending'],
    ['camt.053.001.08', '<Sts><Cd>FUTR</Cd></Sts>', 'pending'],
    ['camt.053.001.02', '<Sts>INFO</Sts>', 'information'],
    ['camt.053.001.02', '', 'booked'],
    ['camt.053.001.02', '<Sts>WHAT</Sts>', undefined],
  ])('with %s has %s read as %s', async (message, status, expected) => {
    const [row] = await rowsOf(statement(entry('1.00', 'CRDT', '', status), message));
    expect(row?.bookingStatus).toBe(expected);
    expect(row?.marks).toEqual(expected === undefined ? ['status-unknown'] : undefined);
  });

  it('has in version 08 parties in Pty, BICFI, own amounts and charge records', async () => {
    const inside = `<Amt Ccy="EUR">1.00</Amt><CdtDbtInd>CRDT</CdtDbtInd><Chrgs><Rcrd><Amt Ccy="EUR">0.35</Amt></Rcrd></Chrgs>
      <RltdPties><Dbtr><Pty><Nm>Payer</Nm></Pty></Dbtr><DbtrAcct><Id><Othr><Id>12345</Id></Othr></Id></DbtrAcct></RltdPties>
      <RltdAgts><DbtrAgt><FinInstnId><BICFI>COBADEFFXXX</BICFI></FinInstnId></DbtrAgt></RltdAgts>`;
    expect(
      await rowsOf(
        statement(entry('1.00', 'CRDT', details(inside), '<Sts><Cd>BOOK</Cd></Sts>'), 'camt.053.001.08'),
      ),
    ).toEqual([
      {
        ...base,
        position: 1,
        amount: '1.00',
        counterpartyName: 'Payer',
        counterpartyAccount: '12345',
        counterpartyAgent: 'COBADEFFXXX',
        chargesAmount: '0.35',
        chargesCurrency: 'EUR',
      },
    ]);
  });

  it.each([
    ['12.345', 'CRDT', { amountAsSent: '12.345 EUR', marks: ['amount-malformed'] }],
    ['-1.00', 'DBIT', { amountAsSent: '-1.00 EUR', marks: ['amount-malformed'] }],
    ['1.00000', 'DBIT', { amount: '-1.00' }],
    ['1.00', 'XXXX', { amount: '1.00', marks: ['sign-unknown'] }],
    ['', 'DBIT', { marks: ['no-amount'] }],
  ])('has %s %s read as what it is', async (amount, direction, expected) => {
    const [row] = await rowsOf(statement(entry(amount, direction)));
    expect(row).toMatchObject(expected);
    if (!('amount' in expected)) expect(row).not.toHaveProperty('amount');
  });

  it('marks an entry without a day', async () => {
    const [row] = await rowsOf(statement(entry('1.00', 'CRDT').replace(/<BookgDt>.*<\/BookgDt>/, '')));
    expect(row?.marks).toEqual(['no-date']);
  });
});

describe('an attribute of camt', () => {
  it.each([`Ccy='EUR'`, `Ccy = "E&#85;R"`, `a=">" Ccy="EUR" b='"'`, `Ccy="EUR"\n`])(
    'is read from <Amt %s>',
    async (attributes) => {
      const sent = statement(entry('1.00', 'CRDT')).replace('<Amt Ccy="EUR">', `<Amt ${attributes}>`);
      const [row] = await rowsOf(sent);
      expect(row).toMatchObject({ amount: '1.00', currency: 'EUR' });
    },
  );
});

describe('a camt.052 or camt.054', () => {
  it.each([
    ['camt.052.001.02', 'BkToCstmrAcctRpt', 'Rpt'],
    ['camt.054.001.08', 'BkToCstmrDbtCdtNtfctn', 'Ntfctn'],
  ])('is read as %s with several accounts and a prefix', async (message, name, report) => {
    const one = (iban: string) =>
      `<x:${report}><x:Acct><x:Id><x:IBAN>${iban}</x:IBAN></x:Id></x:Acct><x:Ntry><x:Amt Ccy='EUR'>1.00</x:Amt><x:CdtDbtInd>DBIT</x:CdtDbtInd><x:Sts>PDNG</x:Sts></x:Ntry></x:${report}>`;
    const rows = await rowsOf(
      `<x:Document xmlns:x="${ns(message)}"><x:${name}>${one('DE1')}${one('DE2')}</x:${name}></x:Document>`,
    );
    expect(rows.map((row) => [row.account, row.amount, row.bookingStatus, row.position])).toEqual([
      ['DE1', '-1.00', 'pending', 1],
      ['DE2', '-1.00', 'pending', 2],
    ]);
  });
});

describe('XML that cannot be read', () => {
  it('is reported with the line, whatever line ends tags and texts have', async () => {
    const tag = '<Amt\n Ccy="EUR"\n>';
    const report = statement(`${entry('1.00', 'CRDT').repeat(2)}\n<x>&y;</x>`).replaceAll(
      '<Amt Ccy="EUR">',
      tag,
    );
    const line = report.slice(0, report.indexOf('&y;')).split('\n').length;
    const { error } = await reading(report);
    expect((error as { detail: string }).detail).toMatch(new RegExp(`^line ${String(line)}, `));
  });

  const good = statement(entry('1.00', 'CRDT') + entry('2.00', 'CRDT'));
  const at = good.lastIndexOf('<Ntry>');
  it.each([
    ['a DOCTYPE', good.replace('<Document', '<!DOCTYPE Document SYSTEM "x"><Document'), 0, 'DOCTYPE'],
    ['an entity', good.replace('>2.00<', '>&x;<'), 1, '&x;'],
    [
      'a wrong end tag',
      good.replace(/<\/CdtDbtInd>(?=.*<\/Stmt>)(?!.*<\/CdtDbtInd>)/s, '</CdtDbtXnd>'),
      1,
      'is not expected',
    ],
    ['a cut off end', good.slice(0, at + 20), 1, 'it ends within'],
    ['no end', good.slice(0, good.indexOf('</Stmt>')), 2, 'it ends within'],
    ['a control character', good.replace('>2.00<', '>\u0001<'), 0, 'character that XML does not allow'],
    ['two roots', `${good}<x/>`, 2, 'more than one root'],
    ['text behind', `${good}x`, 2, 'outside the root'],
    ['an attribute twice', good.replace('Ccy="EUR">2', 'Ccy="EUR" Ccy="USD">2'), 1, 'occurs twice'],
    ['a bare attribute', good.replace('Ccy="EUR">2', 'Ccy=EUR>2'), 1, 'is not a tag'],
    ['depth', good.replace('>2.00<', `>${'<a>'.repeat(70)}<`), 1, 'too many levels'],
    [
      'an endless element',
      `${good.slice(0, at)}<Ntry>${`<a>${'x'.repeat(20_000)}</a>`.repeat(900)}`,
      1,
      'longer than',
    ],
    ['too many elements', `${good.slice(0, at)}<Ntry>${'<a/>'.repeat(500_010)}`, 1, 'more than 500000'],
    ['an endless text', `${good.slice(0, at)}<Ntry><a>${'x'.repeat(2_000_000)}`, 1, 'longer than'],
    ['an endless comment', `${good.slice(0, at)}<!--${'<'.repeat(2_000_000)}`, 1, 'longer than'],
    ['another message', good.replace('camt.053.001.02', 'pain.001.001.03'), 0, 'camt.052'],
    ['no report', `<Document xmlns="${ns('camt.053.001.02')}"><a/></Document>`, 0, 'BkToCstmrStmt'],
  ])('yields the whole rows first: %s', async (_, text, rows, why) => {
    const read = await reading(text, { code: 'INPUT_INVALID' }, [64 * 1024]);
    expect(read.error).toMatchObject({
      code: 'INPUT_INVALID',
      detail: expect.stringContaining(why) as string,
    });
    expect(read.rows).toHaveLength(rows);
  });
});
