// What banks put into camt besides: later and earlier versions, envelopes, namespaces of their country, documents that are paid.
import { describe, expect, it } from 'vitest';
import { readPain002 } from '../../../../../src/standard/formats/payments/pain002.ts';
import { reading, rowsOf } from './reading.ts';

const iso = (name: string) => ` xmlns="urn:iso:std:iso:20022:tech:xsd:${name}"`;
const entry = (more = '', details = '') =>
  `<Ntry><Amt Ccy="EUR">1.00</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts>BOOK</Sts><BookgDt><Dt>2026-11-20</Dt></BookgDt>${more}${details === '' ? '' : `<NtryDtls><TxDtls>${details}</TxDtls></NtryDtls>`}</Ntry>`;
const message = (inside: string) =>
  `<BkToCstmrStmt><Stmt><Acct><Id><IBAN>DE89370400440532013000</IBAN></Id></Acct>${inside}</Stmt></BkToCstmrStmt>`;
const document = (inside: string, attributes = iso('camt.053.001.08')) =>
  `<?xml version="1.0"?><Document${attributes}>${message(inside)}</Document>`;

describe('a camt with a variant structure', () => {
  const versions = Array.from({ length: 13 }, (_, at) => `camt.053.001.${String(at + 1).padStart(2, '0')}`);
  const right: readonly (readonly [string, string])[] = [
    ...versions.map((version) => [version, document(entry(), iso(version))] as const),
    ['no namespace', document(entry(), '')],
    [
      'the Swiss namespace',
      document(entry(), ' xmlns="http://www.six-interbank-clearing.com/de/camt.053.001.04.xsd"'),
    ],
    [
      'a prefix',
      document(entry())
        .replaceAll(/<(\/?)(?=[A-Z])/g, '<$1n:')
        .replace('xmlns=', 'xmlns:n='),
    ],
    ['no Document', message(entry())],
    [
      'an envelope',
      `<Message><AppHdr${iso('head.001.001.02')}><Fr>X</Fr></AppHdr>${document(entry()).slice(21)}</Message>`,
    ],
    [
      'the business envelope of ISO 20022',
      `<BizMsgEnvlp${iso('nvlp.001.001.01')}><Hdr><AppHdr${iso('head.001.001.02')}><Fr/></AppHdr></Hdr><Doc>${document(entry()).slice(21)}</Doc></BizMsgEnvlp>`,
    ],
    [
      'a processing instruction, comments, CDATA and empty elements',
      document(entry('<NtryRef/><ValDt><Dt/></ValDt><AcctSvcrRef/><BkTxCd/><NtryDtls/>'))
        .replace('?>', '?>\n<?view x?>\n<!-- one -->\n')
        .replace('1.00', '<!-- two --><![CDATA[1.00]]>'),
    ],
    ['a direction in small letters', document(entry()).replace('CRDT', ' crdt ')],
    ['an amount with a plus', document(entry()).replace('>1.00', '>+1.00')],
    ['an amount with noughts and blanks', document(entry()).replace('>1.00', '>\n 0001.000 ')],
    ['days with a time zone', document(entry()).replace('<Dt>2026-11-20', '<Dt>2026-11-20+01:00')],
    ['a day and its time', document(entry()).replaceAll('Dt>', 'DtTm>').replaceAll('BookgDtTm', 'BookgDt')],
    ['a status of later versions', document(entry()).replace('BOOK', '<Cd>BOOK</Cd>')],
    ['a statement without balances and without its status', document(entry()).replace('<Sts>BOOK</Sts>', '')],
    [
      'SOAP',
      `<s:Envelope xmlns:s="http://www.w3.org/2003/05/soap-envelope"><s:Header/><s:Body><Report>${document(entry()).slice(21)}</Report></s:Body></s:Envelope>`,
    ],
    [
      'the names of version 01',
      document(entry(), iso('camt.053.001.01')).replaceAll('BkToCstmrStmt', 'BkToCstmrStmtV01'),
    ],
  ];
  it.each(right)('is read: %s', async (_, text) => {
    const [row, ...others] = await rowsOf(text);
    expect(row).toMatchObject({ amount: '1.00', currency: 'EUR', account: 'DE89370400440532013000' });
    expect(others).toEqual([]);
  });

  it('is read as two documents in one envelope', async () => {
    const one = document(entry()).slice(21);
    expect(await rowsOf(`<Files>${one}${one}</Files>`)).toHaveLength(2);
  });

  it.each([
    [
      'another message',
      '<Document xmlns="urn:iso:std:iso:20022:tech:xsd:pain.001.001.03"><CstmrCdtTrfInitn/></Document>',
    ],
    ['any other XML', '<feed><entry>1</entry></feed>'],
    ['another message without a namespace', '<Document><CstmrCdtTrfInitn/></Document>'],
  ])('is not read where it is %s', async (_, text) => {
    expect((await reading(text)).error).toMatchObject({ title: 'The XML is not an account report.' });
  });
});

describe('the reader of camt', () => {
  it.each([
    ['beside the document', (header: string, one: string) => `<Message>${header}${one}</Message>`],
    [
      'in the business envelope of ISO 20022',
      (header: string, one: string) =>
        `<BizMsgEnvlp${iso('nvlp.001.001.01')}><Hdr>${header}</Hdr><Doc>${one}</Doc></BizMsgEnvlp>`,
    ],
  ])('keeps the header of each envelope, %s', async (_, envelope) => {
    const header = (number: string) =>
      `<AppHdr${iso('head.001.001.02')}><Fr><FIId><FinInstnId><BICFI>COBADEFFXXX</BICFI></FinInstnId></FIId></Fr><BizMsgIdr>${number}</BizMsgIdr></AppHdr>`;
    const one = document(entry()).slice(21);
    const { items, error } = await reading(
      `<Files>${envelope(header('B-1'), one)}${envelope(header('B-2'), one)}</Files>`,
    );
    expect(error).toBeUndefined();
    expect(items.filter((item) => item.kind === 'row')).toHaveLength(2);
    expect(
      items.flatMap((item) =>
        item.kind === 'statement' && item.statement.account === undefined ? [item.statement] : [],
      ),
    ).toEqual(
      ['B-1', 'B-2'].map((number) => ({
        values: { 'AppHdr.Fr.FIId.FinInstnId.BICFI': 'COBADEFFXXX', 'AppHdr.BizMsgIdr': number },
      })),
    );
  });

  it('keeps a balance without a direction, whose sign is unknown', async () => {
    const balance = '<Bal><Tp><CdOrPrtry><Cd>CLBD</Cd></CdOrPrtry></Tp><Amt Ccy="EUR">5.00</Amt></Bal>';
    const { items } = await reading(document(balance + entry()));
    expect(items.find((item) => item.kind === 'balance')).toMatchObject({
      balance: { amount: '5.00', currency: 'EUR', balanceType: 'closingBooked', marks: ['sign-unknown'] },
    });
    const [problem] = items.flatMap((item) => (item.kind === 'problem' ? [item.problem] : []));
    expect(problem).toEqual({
      code: 'balance-malformed',
      detail: 'the balance CLBD is "5.00 EUR", which does not say whether it is a debit or a credit',
    });
  });

  it('keeps the documents that are paid, the type of a reference, and further text', async () => {
    const structured =
      '<RmtInf><Ustrd>rent</Ustrd><Strd><RfrdDocInf><Tp><CdOrPrtry><Cd>CINV</Cd></CdOrPrtry></Tp><Nb>4711</Nb><RltdDt>2026-11-01</RltdDt></RfrdDocInf>' +
      '<RfrdDocAmt><DuePyblAmt Ccy="EUR">2.00</DuePyblAmt><RmtdAmt Ccy="EUR">1.00</RmtdAmt></RfrdDocAmt>' +
      '<CdtrRefInf><Tp><CdOrPrtry><Prtry>QRR</Prtry></CdOrPrtry></Tp><Ref>210000000003139471430009017</Ref></CdtrRefInf>' +
      '<AddtlRmtInf>of November</AddtlRmtInf><AddtlRmtInf>second half</AddtlRmtInf></Strd></RmtInf>';
    const [row] = await rowsOf(document(entry('', structured)));
    expect(row).toMatchObject({
      remittanceInformationUnstructured: 'rent',
      remittanceInformationStructured: '210000000003139471430009017',
      creditorReferenceType: 'QRR',
      referredDocuments: 'CINV 4711 2026-11-01, DuePyblAmt 2.00 EUR, RmtdAmt 1.00 EUR',
      additionalRemittanceInformation: 'of November second half',
    });
  });

  it.each([
    [
      'with the party around the name',
      '<UltmtDbtr><Pty><Nm>Boss</Nm></Pty></UltmtDbtr><UltmtCdtr><Pty><Nm>Shop</Nm></Pty></UltmtCdtr>',
    ],
    ['without it', '<UltmtDbtr><Nm>Boss</Nm></UltmtDbtr><UltmtCdtr><Nm>Shop</Nm></UltmtCdtr>'],
    [
      'with an identification alone',
      '<UltmtDbtr><Id><OrgId><Othr><Id>Boss</Id></Othr></OrgId></Id></UltmtDbtr><UltmtCdtr><Pty><Id><OrgId><LEI>Shop</LEI></OrgId></Id></Pty></UltmtCdtr>',
    ],
  ])('keeps the ultimate parties %s', async (_, parties) => {
    const [row] = await rowsOf(document(entry('', `<RltdPties>${parties}</RltdPties>`)));
    expect(row).toMatchObject({ ultimateDebtor: 'Boss', ultimateCreditor: 'Shop' });
  });

  it('keeps amounts without digits before the dot, which XML Schema allows', async () => {
    const rows = await rowsOf(document(entry().replace('1.00', '.5') + entry().replace('1.00', '5.')));
    expect(rows.map(({ amount }) => amount)).toEqual(['0.5', '5']);
  });

  it.each([
    ['a day', '<Dt>2026-11-20', '<Dt>2026-02-30', 'date-malformed', 'bookingDate 2026-02-30'],
    ['a day of other digits', '<Dt>2026-11-20', '<Dt>20.11.2026', 'date-malformed', 'bookingDate 20.11.2026'],
    ['a status', 'BOOK', 'HELD', 'status-unknown', 'bookingStatus HELD'],
    ['a direction', 'CRDT', 'PLUS', 'sign-unknown', 'direction PLUS'],
  ])('keeps %s that cannot be read', async (_, from, to, mark, sent) => {
    const [row] = await rowsOf(document(entry('<ValDt><Dt>2026-11-21</Dt></ValDt>')).replace(from, to));
    expect(row).toMatchObject({ amount: '1.00', marks: [mark], entryAsSent: sent });
  });

  it('keeps what a bank adds to the reason of a return', async () => {
    const [row] = await rowsOf(
      document(
        entry(
          '',
          '<RtrInf><Rsn><Cd>AC04</Cd></Rsn><AddtlInf>closed</AddtlInf><AddtlInf>in May</AddtlInf></RtrInf>',
        ),
      ),
    );
    expect(row).toMatchObject({ returnReason: 'AC04', otherInformation: 'closed in May' });
  });

  it.each([
    ['NTRF+166+9310', 'DK', 'SEPA Credit Transfer, credit'],
    ['NDDT+105', 'ZKA', 'SEPA Direct Debit Core, debit'],
    ['153', 'DK', 'SEPA Salary or Pension, credit'],
    ['NTRF+166', 'X', 'SEPA Credit Transfer, credit'],
    ['NTRF+777', 'DK', undefined],
    ['1661', 'DK', undefined],
  ])('keeps the code %s of %s in words', async (code, issuer, words) => {
    const own = `<BkTxCd><Prtry><Cd>${code}</Cd><Issr>${issuer}</Issr></Prtry></BkTxCd>`;
    const [row] = await rowsOf(document(entry(own)));
    expect(row?.bankTransactionText).toBe(words);
    const [foreign] = await rowsOf(
      document(entry(own)).replace('DE89370400440532013000', 'PL61109010140000071219812874'),
    );
    expect(foreign?.bankTransactionText).toBe(issuer === 'X' ? undefined : words);
  });

  it('keeps as many words of a code as there are', async () => {
    const [row] = await rowsOf(
      document(entry('<BkTxCd><Domn><Cd>PMNT</Cd><Fmly><Cd>RCDT</Cd></Fmly></Domn></BkTxCd>')),
    );
    expect(row?.bankTransactionCode).toBe('PMNT-RCDT');
  });
});

describe('a pain.002 with a variant structure', () => {
  const report =
    '<CstmrPmtStsRpt><GrpHdr><MsgId>1</MsgId></GrpHdr><OrgnlGrpInfAndSts><OrgnlMsgId>M</OrgnlMsgId><GrpSts>PART</GrpSts>' +
    '<StsRsnInf><Rsn><Cd>NARR</Cd></Rsn><AddtlInf>one</AddtlInf><AddtlInf>two</AddtlInf></StsRsnInf></OrgnlGrpInfAndSts>' +
    '<OrgnlPmtInfAndSts><OrgnlPmtInfId>P</OrgnlPmtInfId><PmtInfSts>RJCT</PmtInfSts><StsRsnInf><Rsn><Prtry>X1</Prtry></Rsn></StsRsnInf>' +
    '<TxInfAndSts><TxSts>RJCT</TxSts><StsRsnInf><Rsn><Cd>AC01</Cd></Rsn></StsRsnInf><StsRsnInf><Rsn><Cd>AM04</Cd></Rsn><AddtlInf>three</AddtlInf></StsRsnInf></TxInfAndSts></OrgnlPmtInfAndSts></CstmrPmtStsRpt>';
  const inDocument = (attributes: string) => `<Document${attributes}>${report}</Document>`;
  const right: readonly (readonly [string, string])[] = [
    ...Array.from({ length: 12 }, (_, at) => `pain.002.001.${String(at + 3).padStart(2, '0')}`).map(
      (version) => [version, inDocument(iso(version))] as const,
    ),
    ['no namespace', inDocument('')],
    [
      'the Swiss namespace',
      inDocument(' xmlns="http://www.six-interbank-clearing.com/de/pain.002.001.03.ch.02.xsd"'),
    ],
    ['an envelope', `<Message><AppHdr/>${inDocument(iso('pain.002.001.10'))}</Message>`],
    [
      'the business envelope of ISO 20022',
      `<BizMsgEnvlp${iso('nvlp.001.001.01')}><Hdr/><Doc>${inDocument(iso('pain.002.001.10'))}</Doc></BizMsgEnvlp>`,
    ],
    ['no Document', report],
    [
      'comments, CDATA, blanks and elements without a text',
      inDocument(iso('pain.002.001.03'))
        .replaceAll('<Cd>', '<Cd>\n <!-- why --><![CDATA[')
        .replaceAll('</Cd>', ']]> </Cd>')
        .replaceAll('<AddtlInf>one', '<AddtlInf/><AddtlInf> one'),
    ],
  ];
  it.each(right)('is read: %s', (_, text) => {
    expect(readPain002(Buffer.from(text))).toMatchObject({
      groupStatus: 'PART',
      reasons: [{ code: 'NARR', additional: ['one', 'two'] }],
      batches: [{ status: 'RJCT', reasons: [{ proprietary: 'X1' }] }],
      payments: [
        { status: 'RJCT', batch: 0, reasons: [{ code: 'AC01' }, { code: 'AM04', additional: ['three'] }] },
      ],
    });
  });
});

describe('an entry of camt in versions from .08 on', () => {
  const uetr = 'eb6305c9-1f7f-49de-aed0-16487c27b42d';
  const lei = '529900T8BM49AURSDO55';
  it.each([
    [
      'a reference of the payment and one of the bank',
      `<Refs><EndToEndId>E</EndToEndId><UETR>${uetr}</UETR><Prtry><Tp>DAY</Tp><Ref>R9</Ref></Prtry></Refs>`,
      { endToEndId: 'E', otherInformation: `UETR ${uetr} DAY R9` },
    ],
    [
      'beside what is said of a return',
      `<Refs><UETR>${uetr}</UETR></Refs><RtrInf><Rsn><Cd>AC04</Cd></Rsn><AddtlInf>closed</AddtlInf></RtrInf>`,
      { returnReason: 'AC04', otherInformation: `closed UETR ${uetr}` },
    ],
    [
      'a bank known by its LEI alone, as a party and as an agent',
      `<RltdPties><Dbtr><Agt><FinInstnId><LEI>${lei}</LEI></FinInstnId></Agt></Dbtr></RltdPties><RltdAgts><DbtrAgt><FinInstnId><LEI>${lei}</LEI></FinInstnId></DbtrAgt></RltdAgts>`,
      { counterpartyName: lei, counterpartyAgent: lei },
    ],
  ])('has %s', async (_, details, expected) => {
    const [row] = await rowsOf(document(entry('', details), iso('camt.053.001.13')));
    expect(row).toMatchObject(expected);
  });

  it('has a status of its bank in a statement, which is not taken for booked', async () => {
    const text = document(entry()).replace('<Sts>BOOK</Sts>', '<Sts><Prtry>WAIT</Prtry></Sts>');
    const [row] = await rowsOf(text);
    expect(row).toMatchObject({ marks: ['status-unknown'], entryAsSent: 'bookingStatus WAIT' });
    expect(row?.bookingStatus).toBeUndefined();
  });
});
