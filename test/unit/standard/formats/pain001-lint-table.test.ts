// Values of a pain.001.001.09, each right or wrong by ISO 20022, the EPC and the standards of its identifiers, typed before lint saw it.
import { expect, it } from 'vitest';
import { good, told } from './pain001-linted.ts';

const base = good
  .replaceAll('pain.001.001.03', 'pain.001.001.09')
  .replaceAll(/<ReqdExctnDt>(.*)<\/ReqdExctnDt>/g, '<ReqdExctnDt><Dt>$1</Dt></ReqdExctnDt>')
  .replaceAll(/BIC>/g, 'BICFI>');
const shop = '<Nm>Shop</Nm>';
const id = '<EndToEndId>E-1</EndToEndId>';
const day = '<ReqdExctnDt><Dt>2026-11-23</Dt></ReqdExctnDt>';
const text = '<RmtInf><Ustrd>Invoice 1</Ustrd></RmtInf>';
const amount = '<InstdAmt Ccy="EUR">12.25</InstdAmt>';
const bic = '<BICFI>BYLADEM1001</BICFI>';
const iban = 'DE89370400440532013000';
const bearer = '<ChrgBr>SLEV</ChrgBr>';
const address = (parts: string) => [shop, `${shop}<PstlAdr>${parts}</PstlAdr>`] as const;
const uetr = (value: string) => [id, `${id}<UETR>${value}</UETR>`] as const;
const lei = (value: string) => [shop, `${shop}<Id><OrgId><LEI>${value}</LEI></OrgId></Id>`] as const;
const reference = (value: string, type = '<Cd>SCOR</Cd>') =>
  [
    text,
    `<RmtInf><Strd><CdtrRefInf><Tp><CdOrPrtry>${type}</CdOrPrtry></Tp><Ref>${value}</Ref></CdtrRefInf></Strd></RmtInf>`,
  ] as const;
const town = '<TwnNm>Koln</TwnNm><Ctry>DE</Ctry>';

it.each<[string, readonly [string, string]]>([
  ['a version 4 UETR', uetr('eb6305c9-1f7f-49de-aed0-16487c27b42d')],
  ['a UETR of the variant b', uetr('00000000-0000-4000-b000-000000000000')],
  ['an LEI', lei('529900T8BM49AURSDO55')],
  ['an LEI of digits in front', lei('5493001KJTIIGC8Y1R12')],
  ['RF', reference('RF18539007547034')],
  ['RF of one character', reference('RF741')],
  ['RF of 25 characters', reference('RF95ABCDEFGHIJKLMNOPQRSTU')],
  ['RF with letters', reference('RF97C2H5OH')],
  ['SCOR whose text is no RF', reference('INV-2026-1')],
  ['a structured address', address(`<StrtNm>Ring</StrtNm><BldgNb>1</BldgNb><PstCd>50667</PstCd>${town}`)],
  ['a town and a country', address(town)],
  ['a hybrid address with a line', address(`${town}<AdrLine>Ring 1</AdrLine>`)],
  ['a hybrid address with two lines', address(`${town}<AdrLine>Ring 1</AdrLine><AdrLine>Haus B</AdrLine>`)],
  ['a post box and a floor', address(`<Flr>2</Flr><PstBx>99</PstBx>${town}`)],
  [
    'a district',
    address('<TwnNm>Koln</TwnNm><TwnLctnNm>Nippes</TwnLctnNm><DstrctNm>Koln</DstrctNm><Ctry>DE</Ctry>'),
  ],
  ['a street of 70', address(`<StrtNm>${'x'.repeat(70)}</StrtNm>${town}`)],
  ['a kind of address', address(`<AdrTp><Cd>BIZZ</Cd></AdrTp>${town}`)],
  ['an end-to-end id of 35', [id, `<EndToEndId>${'x'.repeat(35)}</EndToEndId>`]],
  ['an instruction id', [id, `<InstrId>I-1</InstrId>${id}`]],
  ['a moment of execution', [day, '<ReqdExctnDt><DtTm>2026-11-23T10:00:00+01:00</DtTm></ReqdExctnDt>']],
  ['a text of 140', [text, `<RmtInf><Ustrd>${'x'.repeat(140)}</Ustrd></RmtInf>`]],
  ['no text', [text, '']],
  ['a BIC of eight', [bic, '<BICFI>BYLADEM1</BICFI>']],
  ['a bank with its LEI', [bic, `${bic}<LEI>529900T8BM49AURSDO55</LEI>`]],
  ['no charge bearer', [bearer, '']],
  ['the name of 70', [shop, `<Nm>${'x'.repeat(70)}</Nm>`]],
  ['the country of residence', [shop, `${shop}<CtryOfRes>FR</CtryOfRes>`]],
  ['a contact', [shop, `${shop}<CtctDtls><Nm>Jane</Nm><EmailAdr>a at b</EmailAdr></CtctDtls>`]],
  [
    'the kind of an account',
    [`<IBAN>${iban}</IBAN></Id></CdtrAcct>`, `<IBAN>${iban}</IBAN></Id><Tp><Cd>CACC</Cd></Tp></CdtrAcct>`],
  ],
  ['a purpose', [text, `<Purp><Cd>SALA</Cd></Purp>${text}`]],
  ['who it is for', [text, `<UltmtCdtr><Nm>Child</Nm></UltmtCdtr>${text}`]],
  ['batch booking', ['<PmtMtd>TRF</PmtMtd>', '<PmtMtd>TRF</PmtMtd><BtchBookg>true</BtchBookg>']],
  ['a comment', [id, `<!-- the first -->${id}`]],
  ['letters as references', [shop, '<Nm>A&#43;B</Nm>']],
])('the lint of pain.001 accepts %s', async (_what, [from, to]) => {
  expect(base).toContain(from);
  expect(await told(base.replace(from, to))).toEqual([]);
});

it.each<[string, readonly [string, string], string]>([
  ['a UETR of version 1', uetr('eb6305c9-1f7f-19de-aed0-16487c27b42d'), 'value UETR'],
  ['a UETR in capitals', uetr('EB6305C9-1F7F-49DE-AED0-16487C27B42D'), 'value UETR'],
  ['a UETR of another variant', uetr('eb6305c9-1f7f-49de-ced0-16487c27b42d'), 'value UETR'],
  ['a UETR without dashes', uetr('eb6305c91f7f49deaed016487c27b42d'), 'value UETR'],
  ['an empty UETR', uetr(''), 'value UETR'],
  ['an LEI with a wrong digit', lei('529900T8BM49AURSDO56'), 'value LEI'],
  ['an LEI of 19', lei('529900T8BM49AURSDO5'), 'value LEI'],
  ['an LEI in small letters', lei('529900t8bm49aursdo55'), 'value LEI'],
  ['RF with wrong digits', reference('RF19539007547034'), 'reference Ref'],
  ['RF with digits turned', reference('RF18539007547043'), 'reference Ref'],
  ['RF of 26 characters', reference('RF33ABCDEFGHIJKLMNOPQRSTUV'), 'reference Ref'],
  ['QRR in SEPA', reference('210000000003139471430009017', '<Prtry>QRR</Prtry>'), 'scheme Tp'],
  ['a reference of 36', reference('x'.repeat(36)), 'length Ref'],
  [
    'a text beside a reference',
    [text, `<RmtInf><Ustrd>a</Ustrd><Strd><CdtrRefInf><Ref>b</Ref></CdtrRefInf></Strd></RmtInf>`],
    'scheme RmtInf',
  ],
  ['two texts', [text, '<RmtInf><Ustrd>a</Ustrd><Ustrd>b</Ustrd></RmtInf>'], 'scheme RmtInf'],
  ['a text of 141', [text, `<RmtInf><Ustrd>${'x'.repeat(141)}</Ustrd></RmtInf>`], 'length Ustrd'],
  [
    'an address of lines',
    address('<AdrLine>Ring 1</AdrLine><AdrLine>50667 Koln</AdrLine>'),
    'address PstlAdr',
  ],
  ['a country and no town', address('<StrtNm>Ring</StrtNm><Ctry>DE</Ctry>'), 'address PstlAdr'],
  ['a town and no country', address('<StrtNm>Ring</StrtNm><TwnNm>Koln</TwnNm>'), 'address PstlAdr'],
  ['three lines', address(`${town}${'<AdrLine>a</AdrLine>'.repeat(3)}`), 'address PstlAdr'],
  ['a country that is none', address('<TwnNm>Koln</TwnNm><Ctry>XX</Ctry>'), 'value Ctry'],
  ['a country in small letters', address('<TwnNm>Koln</TwnNm><Ctry>de</Ctry>'), 'value Ctry'],
  [
    'a town before its street',
    address('<TwnNm>Koln</TwnNm><StrtNm>R</StrtNm><Ctry>DE</Ctry>'),
    'order StrtNm',
  ],
  ['a street of 71', address(`<StrtNm>${'x'.repeat(71)}</StrtNm>${town}`), 'length StrtNm'],
  ['a number of 17', address(`<BldgNb>${'1'.repeat(17)}</BldgNb>${town}`), 'length BldgNb'],
  ['a town of 36', address(`<TwnNm>${'x'.repeat(36)}</TwnNm><Ctry>DE</Ctry>`), 'length TwnNm'],
  ['the day of the older version', [day, '<ReqdExctnDt>2026-11-23</ReqdExctnDt>'], 'choice ReqdExctnDt'],
  [
    'a day and a moment',
    [day, '<ReqdExctnDt><Dt>2026-11-23</Dt><DtTm>2026-11-23T10:00:00</DtTm></ReqdExctnDt>'],
    'choice ReqdExctnDt',
  ],
  ['the 31st of November', [day, '<ReqdExctnDt><Dt>2026-11-31</Dt></ReqdExctnDt>'], 'date Dt'],
  ['yesterday', [day, '<ReqdExctnDt><Dt>2026-11-20</Dt></ReqdExctnDt>'], 'date ReqdExctnDt'],
  ['the BIC of the older version', [bic, '<BIC>BYLADEM1001</BIC>'], 'unexpected BIC'],
  ['a BIC of nine', [bic, '<BICFI>BYLADEM10</BICFI>'], 'bic BICFI'],
  ['a BIC in small letters', [bic, '<BICFI>byladem1001</BICFI>'], 'bic BICFI'],
  ['an IBAN with a wrong digit', [iban, 'DE89370400440532013001'], 'iban IBAN'],
  ['dollars in SEPA', [amount, '<InstdAmt Ccy="USD">12.25</InstdAmt>'], 'scheme InstdAmt'],
  ['a currency that is none', [amount, '<InstdAmt Ccy="EURO">12.25</InstdAmt>'], 'amount InstdAmt'],
  ['a comma', [amount, '<InstdAmt Ccy="EUR">12,25</InstdAmt>'], 'amount InstdAmt'],
  ['an exponent', [amount, '<InstdAmt Ccy="EUR">1.225E1</InstdAmt>'], 'amount InstdAmt'],
  ['nothing to pay', [amount, '<InstdAmt Ccy="EUR">0</InstdAmt>'], 'amount InstdAmt'],
  ['a billion', [amount, '<InstdAmt Ccy="EUR">1000000000.00</InstdAmt>'], 'scheme InstdAmt'],
  ['no end-to-end id', [id, ''], 'required PmtId'],
  ['an end-to-end id of 36', [id, `<EndToEndId>${'x'.repeat(36)}</EndToEndId>`], 'length EndToEndId'],
  ['an end-to-end id with a slash in front', [id, '<EndToEndId>/E</EndToEndId>'], 'scheme EndToEndId'],
  ['an id twice', [id, id + id], 'repeated EndToEndId'],
  ['DEBT in SEPA', [bearer, '<ChrgBr>DEBT</ChrgBr>'], 'scheme ChrgBr'],
  ['a bearer that is none', [bearer, '<ChrgBr>OURS</ChrgBr>'], 'value ChrgBr'],
  ['a name of 71', [shop, `<Nm>${'x'.repeat(71)}</Nm>`], 'scheme Nm'],
  ['a name of blanks', [shop, '<Nm>  </Nm>'], 'empty Nm'],
  ['a letter that SEPA lacks', [shop, '<Nm>Łódź</Nm>'], 'charset Nm'],
  ['a purpose of five letters', [text, `<Purp><Cd>SALAR</Cd></Purp>${text}`], 'value Cd'],
  ['a purpose behind the text', [text, `${text}<Purp><Cd>SALA</Cd></Purp>`], 'order Purp'],
  [
    'batch booking in words',
    ['<PmtMtd>TRF</PmtMtd>', '<PmtMtd>TRF</PmtMtd><BtchBookg>yes</BtchBookg>'],
    'value BtchBookg',
  ],
  ['an element that is none', [id, `${id}<Note>x</Note>`], 'unexpected Note'],
  ['text between elements', [id, `${id} stray `], 'stray-text PmtId'],
])('the lint of pain.001 finds %s', async (_what, [from, to], expected) => {
  expect(base).toContain(from);
  const found = (await told(base.replace(from, to))).map((one) => {
    const [, rule = '', path = ''] = one.split(' ');
    return `${rule} ${path.slice(path.lastIndexOf('/') + 1)}`;
  });
  expect(found).toContain(expected);
});
