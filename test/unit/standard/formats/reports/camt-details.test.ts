// What stands beside the amount of an entry of camt: codes in words, what was ordered and changed, charges, batches, sums.
import { describe, expect, it } from 'vitest';
import type { TransactionRow } from '../../../../../src/standard/formats/rows/transaction-row.ts';
import { reading, rowsOf } from './reading.ts';

const document = (inside: string, version = '08') =>
  `<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.${version}"><BkToCstmrStmt><Stmt><Id>S</Id>
<Acct><Id><IBAN>DE89370400440532013000</IBAN></Id></Acct>${inside}</Stmt></BkToCstmrStmt></Document>`;
const entry = (amount: string, direction: string, more: string, status = 'BOOK') =>
  `<Ntry><Amt Ccy="EUR">${amount}</Amt><CdtDbtInd>${direction}</CdtDbtInd><Sts><Cd>${status}</Cd></Sts><BookgDt><Dt>2026-11-20</Dt></BookgDt>${more}</Ntry>`;
const detail = (inside: string) => `<NtryDtls><TxDtls>${inside}</TxDtls></NtryDtls>`;
const rowOf = async (more: string, amount = '100.00') =>
  (await rowsOf(document(entry(amount, 'DBIT', more))))[0];
const problemsOf = async (text: string) =>
  (await reading(text)).items.flatMap((item) => (item.kind === 'problem' ? [item.problem] : []));

describe('the code of a transaction', () => {
  const code = (domain: string, family = '', sub = '', own = '') =>
    `<BkTxCd>${domain === '' ? '' : `<Domn><Cd>${domain}</Cd>${family === '' ? '' : `<Fmly><Cd>${family}</Cd>${sub === '' ? '' : `<SubFmlyCd>${sub}</SubFmlyCd>`}</Fmly>`}</Domn>`}${own}</BkTxCd>`;
  it.each([
    ['PMNT', 'RCDT', 'ESCT', 'Payments / Received Credit Transfers / SEPA Credit Transfer'],
    ['PMNT', 'IDDT', 'BBDD', 'Payments / Issued Direct Debits / SEPA B2B Direct Debit'],
    ['PMNT', 'CCRD', 'POSD', 'Payments / Customer Card Transactions / Point-of-Sale Payment, Debit Card'],
    ['PMNT', 'RCHQ', 'CASH', 'Payments / Received Cheques / Cash Letter'],
    ['SECU', 'CASH', 'STAM', 'Securities / Miscellaneous Securities Operations / Stamp Duty'],
    ['PMNT', 'DRFT', 'STAM', 'Payments / Drafts / Settlement at Maturity'],
    ['ACMT', 'MDOP', 'CHRG', 'Account Management / Miscellaneous Debit Operations / Charges'],
    ['PMNT', 'MCOP', 'OTHR', 'Payments / Miscellaneous Credit Operations / Other'],
    ['PMNT', 'RCDT', 'QQQQ', 'Payments / Received Credit Transfers / QQQQ'],
    ['PMNT', 'QQQQ', 'ESCT', 'Payments / QQQQ / SEPA Credit Transfer'],
    ['PMNT', 'NTAV', 'NTAV', 'Payments / Not Available / Not Available'],
    ['PMNT', 'RCDT', '', 'Payments / Received Credit Transfers'],
    ['QQQQ', 'RCDT', 'ESCT', undefined],
  ])('is explained in words: %s-%s-%s', async (domain, family, sub, words) => {
    expect((await rowOf(code(domain, family, sub)))?.bankTransactionText).toBe(words);
  });

  it("keeps the issuer of a bank's own code", async () => {
    const own = '<Prtry><Cd>NTRF+117+9310</Cd><Issr>DK</Issr></Prtry>';
    expect(await rowOf(code('', '', '', own))).toMatchObject({
      proprietaryBankTransactionCode: 'NTRF+117+9310',
      proprietaryBankTransactionCodeIssuer: 'DK',
    });
  });
});

describe('the amounts ordered and booked', () => {
  const amount = (name: string, currency: string, size: string, more = '') =>
    `<${name}><Amt Ccy="${currency}">${size}</Amt>${more}</${name}>`;
  const exchange =
    '<CcyXchg><SrcCcy>EUR</SrcCcy><TrgtCcy>USD</TrgtCcy><UnitCcy>EUR</UnitCcy><XchgRate>1.0831</XchgRate></CcyXchg>';
  const details = (inside: string) => detail(`<AmtDtls>${inside}</AmtDtls>`);
  const rate = {
    exchangeRate: '1.0831',
    exchangeSourceCurrency: 'EUR',
    exchangeTargetCurrency: 'USD',
    exchangeUnitCurrency: 'EUR',
  };
  const cases: readonly (readonly [string, string, Partial<TransactionRow>])[] = [
    [
      'an order in another currency',
      details(amount('InstdAmt', 'USD', '108.31') + amount('TxAmt', 'EUR', '100.00', exchange)),
      { originalAmount: '108.31', originalCurrency: 'USD', ...rate },
    ],
    [
      'a rate at the order',
      details(amount('InstdAmt', 'USD', '108.31', exchange)),
      { originalAmount: '108.31', originalCurrency: 'USD', ...rate },
    ],
    [
      'the counter value',
      details(amount('CntrValAmt', 'USD', '108.31', exchange)),
      { originalAmount: '108.31', originalCurrency: 'USD', ...rate },
    ],
    [
      'the transaction in another currency',
      details(amount('TxAmt', 'JPY', '17000')),
      { originalAmount: '17000', originalCurrency: 'JPY' },
    ],
    [
      'a rate without a further amount',
      details('<TxAmt><CcyXchg><SrcCcy>USD</SrcCcy><XchgRate>0.9</XchgRate></CcyXchg></TxAmt>'),
      { exchangeRate: '0.9', exchangeSourceCurrency: 'USD' },
    ],
    [
      'an order in the same currency less the charges',
      details(amount('InstdAmt', 'EUR', '95.00')),
      { originalAmount: '95.00', originalCurrency: 'EUR' },
    ],
    ['an order of the same sum', details(amount('InstdAmt', 'EUR', '100.0')), {}],
    [
      'amounts of the entry and not of its detail',
      `<AmtDtls>${amount('InstdAmt', 'USD', '108.31', exchange)}</AmtDtls>${details(amount('TxAmt', 'EUR', '100.00'))}`,
      { originalAmount: '108.31', originalCurrency: 'USD', ...rate },
    ],
    [
      'an amount that is none',
      details(amount('InstdAmt', 'USD', '108,31')),
      {
        otherAmountsAsSent: 'InstdAmt 108,31 USD',
        marks: ['other-amount-malformed'],
      },
    ],
  ];
  it.each(cases)('are read: %s', async (_, more, wanted) => {
    const row = await rowOf(more);
    expect(row).toMatchObject({ amount: '-100.00', ...wanted });
    expect(row?.originalAmount).toBe(wanted.originalAmount);
  });

  it.each([
    [
      'version 02',
      '<Chrgs><TtlChrgsAndTaxAmt Ccy="EUR">1.50</TtlChrgsAndTaxAmt><Amt Ccy="EUR">1.50</Amt><CdtDbtInd>DBIT</CdtDbtInd><Tp><Cd>BRKF</Cd></Tp></Chrgs>',
      { chargesAmount: '1.50', chargesCurrency: 'EUR' },
    ],
    [
      'version 08',
      '<Chrgs><Rcrd><Amt Ccy="EUR">1.50</Amt><CdtDbtInd>DBIT</CdtDbtInd><ChrgInclInd>true</ChrgInclInd></Rcrd></Chrgs>',
      { chargesAmount: '1.50', chargesCurrency: 'EUR', chargesIncluded: true },
    ],
    [
      'not in the amount',
      '<Chrgs><Rcrd><Amt Ccy="EUR">1.50</Amt><ChrgInclInd>0</ChrgInclInd></Rcrd></Chrgs>',
      { chargesAmount: '1.50', chargesIncluded: false },
    ],
  ])('include charges of %s, at the entry and at its detail', async (_, charges, wanted) => {
    expect(await rowOf(charges)).toMatchObject(wanted);
    expect(await rowOf(detail(charges))).toMatchObject(wanted);
  });

  it.each(['true', '1', ' true '])(
    'are reversed where a reversal (%s) is marked, with its own direction',
    async (told) => {
      expect(await rowOf(`<RvslInd>${told}</RvslInd>`)).toMatchObject({ reversal: true, amount: '-100.00' });
      expect((await rowOf('<RvslInd>false</RvslInd>'))?.reversal).toBeUndefined();
    },
  );
});

describe('a camt batch', () => {
  const part = (size: string, name = '') =>
    `<TxDtls><Amt Ccy="EUR">${size}</Amt>${name === '' ? '' : `<RltdPties><Cdtr><Pty><Nm>${name}</Nm></Pty></Cdtr></RltdPties>`}</TxDtls>`;
  const batch = (inside: string, details = '') => `<NtryDtls><Btch>${inside}</Btch>${details}</NtryDtls>`;
  const told =
    '<MsgId>M1</MsgId><PmtInfId>P1</PmtInfId><NbOfTxs>2</NbOfTxs><TtlAmt Ccy="EUR">100.00</TtlAmt><CdtDbtInd>DBIT</CdtDbtInd>';

  it('keeps its ids, size and sum where only the sum is given', async () => {
    expect(await rowsOf(document(entry('99.00', 'DBIT', batch(told))))).toEqual([
      expect.objectContaining({
        amount: '-99.00',
        batchReference: 'P1',
        batchMessageId: 'M1',
        batchSize: 2,
        batchAmount: '-100.00',
      }),
    ]);
  });

  it('is split, and each part is marked', async () => {
    const { items, rows } = await reading(
      document(entry('100.00', 'DBIT', batch(told, part('60.00') + part('40.00')))),
    );
    expect(
      rows.map((row) => [
        row.amount,
        row.batchPosition,
        row.batchSize,
        row.batchAmount,
        row.batchReference,
        row.batchMessageId,
      ]),
    ).toEqual([
      ['-60.00', 1, 2, '-100.00', 'P1', 'M1'],
      ['-40.00', 2, 2, '-100.00', 'P1', 'M1'],
    ]);
    expect(items.filter(({ kind }) => kind === 'problem')).toEqual([]);
  });

  it('names the order of each part where an entry has several', async () => {
    const of = (id: string, size: string) =>
      batch(`<MsgId>M${id}</MsgId><PmtInfId>P${id}</PmtInfId><NbOfTxs>1</NbOfTxs>`, part(size));
    const rows = await rowsOf(document(entry('100.00', 'DBIT', of('1', '60.00') + of('2', '40.00'))));
    expect(rows.map((row) => [row.amount, row.batchReference, row.batchMessageId])).toEqual([
      ['-60.00', 'P1', 'M1'],
      ['-40.00', 'P2', 'M2'],
    ]);
  });

  it('is reported where it announces other payments than it has', async () => {
    const three = told.replace('>2<', '>3<').replace('100.00', '120.00');
    const text = document(entry('100.00', 'DBIT', batch(three, part('60.00') + part('40.00'))));
    expect(await problemsOf(text)).toEqual([
      { code: 'count-differs', detail: 'the batch "P1" announces 3 transactions and has 2' },
      {
        code: 'sum-differs',
        detail: 'the batch "P1" announces -120.00 EUR, to which its transactions do not add up',
      },
    ]);
  });
});

describe('the sums of a report', () => {
  const summary = (all: string, credits = '', debits = '') =>
    `<TxsSummry><TtlNtries>${all}</TtlNtries>${credits === '' ? '' : `<TtlCdtNtries>${credits}</TtlCdtNtries>`}${debits === '' ? '' : `<TtlDbtNtries>${debits}</TtlDbtNtries>`}</TxsSummry>`;
  const sum = (count: string, size: string) => `<NbOfNtries>${count}</NbOfNtries><Sum>${size}</Sum>`;
  const entries = entry('30.00', 'CRDT', '') + entry('10.50', 'DBIT', '');
  const net = (size: string, direction: string) =>
    `<TtlNetNtry><Amt>${size}</Amt><CdtDbtInd>${direction}</CdtDbtInd></TtlNetNtry>`;

  it.each([
    ['all of them', summary(sum('2', '40.50') + net('19.50', 'CRDT'), sum('1', '30'), sum('1', '10.5'))],
    [
      'the net sum of version 02',
      summary(`${sum('2', '40.50')}<TtlNetNtryAmt>19.50</TtlNetNtryAmt><CdtDbtInd>CRDT</CdtDbtInd>`),
    ],
  ])('are not mentioned where they are right: %s', async (_, told) => {
    expect(await problemsOf(document(told + entries))).toEqual([]);
  });

  it('may cover only what is booked', async () => {
    const told = summary(sum('2', '40.50'));
    expect(await problemsOf(document(told + entries + entry('7.00', 'DBIT', '', 'PDNG')))).toEqual([]);
  });

  it('are reported one by one where they are wrong', async () => {
    const told = summary(sum('3', '41') + net('19.50', 'DBIT'), sum('2', '31'), sum('1', '10.50'));
    expect((await problemsOf(document(told + entries))).map(({ detail }) => detail)).toEqual([
      'the report announces 3 entries and has 2',
      'the report announces a sum of 41 EUR of its entries, and it is 40.50 EUR',
      'the report announces 2 credit entries and has 1',
      'the report announces a sum of 31 EUR of its credit entries, and it is 30.00 EUR',
      'the report announces a sum of -19.50 EUR of its entries, credits less debits, and it is 19.50 EUR',
    ]);
  });

  it('are not compared where an entry has no amount', async () => {
    const told = summary(sum('3', '41'));
    expect(await problemsOf(document(told + entries + entry('x', 'DBIT', '')))).toEqual([]);
  });
});

describe('a camt of version 01', () => {
  it('has structured remittance under other names', async () => {
    const structured =
      '<RmtInf><Strd><RfrdDocInf><RfrdDocTp><Cd>CINV</Cd></RfrdDocTp><RfrdDocNb>4711</RfrdDocNb></RfrdDocInf><RfrdDocRltdDt>2026-11-01</RfrdDocRltdDt>' +
      '<RfrdDocAmt><RmtdAmt Ccy="EUR">1.00</RmtdAmt></RfrdDocAmt>' +
      '<CdtrRefInf><CdtrRefTp><Cd>SCOR</Cd></CdtrRefTp><CdtrRef>RF18539007547034</CdtrRef></CdtrRefInf></Strd></RmtInf>';
    const text = document(entry('1.00', 'CRDT', `<TxDtls>${structured}</TxDtls>`), '01').replaceAll(
      'BkToCstmrStmt',
      'BkToCstmrStmtV01',
    );
    expect(await rowsOf(text)).toMatchObject([
      {
        remittanceInformationStructured: 'RF18539007547034',
        creditorReferenceType: 'SCOR',
        referredDocuments: 'CINV 4711, 2026-11-01, RmtdAmt 1.00 EUR',
      },
    ]);
  });

  it('keeps the amount, direction and reason of an adjustment', async () => {
    const structured =
      '<RmtInf><Strd><RfrdDocAmt><AdjstmntAmtAndRsn><Amt Ccy="EUR">2.00</Amt><CdtDbtInd>CRDT</CdtDbtInd><Rsn>DISC</Rsn><AddtlInf>late</AddtlInf></AdjstmntAmtAndRsn></RfrdDocAmt></Strd></RmtInf>';
    expect((await rowOf(detail(structured)))?.referredDocuments).toBe(
      'AdjstmntAmtAndRsn 2.00 EUR CRDT DISC late',
    );
  });
});

describe('a balance that cannot be kept', () => {
  it.each([
    ['-5.00', 'which has a sign beside its direction'],
    ['5,00', 'which is not an amount'],
    ['5.0000000000005', 'which has more decimals than EUR'],
    ['99999999999999999999', 'which is not an amount'],
  ])('is shown as what it is: %s', async (size, why) => {
    const balance = `<Bal><Tp><CdOrPrtry><Cd>CLBD</Cd></CdOrPrtry></Tp><Amt Ccy="EUR">${size}</Amt><CdtDbtInd>CRDT</CdtDbtInd></Bal>`;
    expect(await problemsOf(document(balance))).toEqual([
      { code: 'balance-malformed', detail: `the balance CLBD is "${size} EUR", ${why}` },
    ]);
  });

  it.each([
    ['', 'which names no currency'],
    [' Ccy="EURO"', 'whose currency is no code'],
  ])('is shown as what it is with the currency %j', async (currency, why) => {
    const balance = `<Bal><Tp><CdOrPrtry><Cd>CLBD</Cd></CdOrPrtry></Tp><Amt${currency}>5.00</Amt><CdtDbtInd>CRDT</CdtDbtInd></Bal>`;
    expect((await problemsOf(document(balance))).map(({ detail: told }) => told)).toEqual([
      expect.stringContaining(why),
    ]);
  });

  it('is in the currency of the account where it names none', async () => {
    const account = '<Acct><Id><IBAN>DE89370400440532013000</IBAN></Id><Ccy>EUR</Ccy></Acct>';
    const balance =
      '<Bal><Tp><CdOrPrtry><Cd>CLBD</Cd></CdOrPrtry></Tp><Amt>5.00</Amt><CdtDbtInd>DBIT</CdtDbtInd></Bal>';
    const { items } = await reading(document(account + balance));
    expect(items.filter(({ kind }) => kind === 'balance' || kind === 'problem')).toMatchObject([
      { balance: { balanceType: 'closingBooked', amount: '-5.00', currency: 'EUR' } },
    ]);
  });
});

describe('the counterparty', () => {
  const parties = (inside: string, agents = '') =>
    detail(
      `<RltdPties>${inside}</RltdPties>${agents === '' ? '' : `<RltdAgts><CdtrAgt><FinInstnId>${agents}</FinInstnId></CdtrAgt></RltdAgts>`}`,
    );
  it('may be a bank', async () => {
    const bank = '<Cdtr><Agt><FinInstnId><BICFI>COBADEFF</BICFI><Nm>A Bank</Nm></FinInstnId></Agt></Cdtr>';
    expect((await rowOf(parties(bank)))?.counterpartyName).toBe('A Bank');
  });
  it.each([
    ['<ClrSysMmbId><ClrSysId><Cd>CHBCC</Cd></ClrSysId><MmbId>00700</MmbId></ClrSysMmbId>', '00700'],
    ['<Othr><Id>12345</Id></Othr>', '12345'],
    ['<Nm>A Bank</Nm>', 'A Bank'],
  ])('has its account at the bank %s', async (agent, told) => {
    const row = await rowOf(parties('<Cdtr><Pty><Nm>Shop</Nm></Pty></Cdtr>', agent));
    expect(row?.counterpartyAgent).toBe(told);
  });
});

it('a statement with the balance of the day before and its opening balance is checked all the same', async () => {
  const balance = (type: string, size: string) =>
    `<Bal><Tp><CdOrPrtry><Cd>${type}</Cd></CdOrPrtry></Tp><Amt Ccy="EUR">${size}</Amt><CdtDbtInd>CRDT</CdtDbtInd></Bal>`;
  const text = document(
    balance('PRCD', '5.00') + balance('OPBD', '5.00') + balance('CLBD', '9.00') + entry('1.00', 'CRDT', ''),
  );
  expect((await problemsOf(text)).map(({ code }) => code)).toEqual(['sum-differs']);
});
