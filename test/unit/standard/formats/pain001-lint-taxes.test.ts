import { expect, it } from 'vitest';
import { good, told } from './pain001-linted.ts';

const first = 'PmtInf[1]/CdtTrfTxInf[1]';
const later = good
  .replaceAll('pain.001.001.03', 'pain.001.001.09')
  .replaceAll(/<ReqdExctnDt>(.*)<\/ReqdExctnDt>/g, '<ReqdExctnDt><Dt>$1</Dt></ReqdExctnDt>')
  .replaceAll(/BIC>/g, 'BICFI>');
const days = '<FrToDt><FrDt>2026-01-01</FrDt><ToDt>2026-03-31</ToDt></FrToDt>';
const record = `<Rcrd><Tp>VAT</Tp><Prd><Yr>2026-01-01</Yr><Tp>QTR1</Tp>${days}</Prd><TaxAmt><Rate>19</Rate><TaxblBaseAmt Ccy="EUR">100.00</TaxblBaseAmt><TtlAmt Ccy="EUR">19.00</TtlAmt><Dtls><Amt Ccy="EUR">19.00</Amt></Dtls></TaxAmt><AddtlInf>First quarter</AddtlInf></Rcrd>`;
const whole = (zone: string, more = '') =>
  `<Cdtr><TaxId>T1</TaxId></Cdtr><Dbtr><TaxId>T2</TaxId><Authstn><Titl>CFO</Titl><Nm>Anna</Nm></Authstn></Dbtr>${more}<${zone}>North</${zone}><RefNb>R</RefNb><Mtd>M</Mtd><TtlTaxAmt Ccy="EUR">19.00</TtlTaxAmt><Dt>2026-04-10</Dt><SeqNb>1</SeqNb>${record}`;
const ofType = '<Tp><CdOrPrtry><Cd>GNCS</Cd></CdOrPrtry></Tp>';

const strd = (inside: string) => `<RmtInf><Strd>${inside}</Strd></RmtInf>`;
const text = '<RmtInf><Ustrd>Invoice 1</Ustrd></RmtInf>';
const of = (version: '03' | '09', remittance: string) => {
  const message = version === '03' ? good : later;
  expect(message).toContain(text);
  return told(message.replace(text, remittance));
};

it.each([
  ['03', `<Tax>${whole('AdmstnZn')}</Tax>${text}`, []],
  ['09', `<Tax>${whole('AdmstnZone')}</Tax>${text}`, []],
  ['03', `<Tax>${whole('AdmstnZone')}</Tax>${text}`, [`error unexpected ${first}/Tax/AdmstnZone`]],
  ['09', `<Tax>${whole('AdmstnZn')}</Tax>${text}`, [`error unexpected ${first}/Tax/AdmstnZn`]],
  ['09', strd(`<TaxRmt>${whole('AdmstnZone', '<UltmtDbtr><TaxId>T3</TaxId></UltmtDbtr>')}</TaxRmt>`), []],
  [
    '09',
    strd(
      `<GrnshmtRmt>${ofType}<Grnshee><Nm>A</Nm></Grnshee><RefNb>R</RefNb><Dt>2026-04-10</Dt><RmtdAmt Ccy="EUR">5.00</RmtdAmt><FmlyMdclInsrncInd>true</FmlyMdclInsrncInd></GrnshmtRmt>`,
    ),
    [],
  ],
  [
    '09',
    strd(
      '<RfrdDocInf><LineDtls><Id><Nb>1</Nb></Id><Desc>Pens</Desc><Amt><RmtdAmt Ccy="EUR">5.00</RmtdAmt></Amt></LineDtls></RfrdDocInf>',
    ),
    [],
  ],
] as const)(
  'the lint of pain.001 accepts taxes and garnishments of .%s: %s',
  async (version, remittance, expected) => {
    expect(await of(version, remittance)).toEqual(expected);
  },
);

const inTax = `${first}/RmtInf/Strd[1]/TaxRmt`;
const valuesOf = inTax.replace('[1]/TaxRmt', '/TaxRmt');
const inGarnishment = `${first}/RmtInf/Strd[1]/GrnshmtRmt`;
it.each([
  [`<TaxRmt><Mtd>M</Mtd><RefNb>R</RefNb></TaxRmt>`, [`error order ${inTax}/RefNb`]],
  ['<TaxRmt><Vat>1</Vat></TaxRmt>', [`error unexpected ${inTax}/Vat`]],
  ['<TaxRmt><RefNb>1</RefNb><RefNb>2</RefNb></TaxRmt>', [`error repeated ${inTax}/RefNb`]],
  [
    `<TaxRmt>${record.replace('<FrDt>2026-01-01</FrDt>', '')}</TaxRmt>`,
    [`error required ${inTax}/Rcrd[1]/Prd/FrToDt`],
  ],
  [
    `<TaxRmt>${record.replace('<ToDt>2026-03-31', '<ToDt>31.03.2026')}</TaxRmt>`,
    [`error date ${valuesOf}/Rcrd/Prd/FrToDt/ToDt`],
  ],
  ['<TaxRmt><TtlTaxAmt Ccy="EUR">19,00</TtlTaxAmt></TaxRmt>', [`error amount ${valuesOf}/TtlTaxAmt`]],
  ['<TaxRmt><TtlTaxAmt>19.00</TtlTaxAmt></TaxRmt>', [`error amount ${valuesOf}/TtlTaxAmt`]],
  [`<TaxRmt><Mtd>${'m'.repeat(36)}</Mtd></TaxRmt>`, [`error length ${valuesOf}/Mtd`]],
  ['<GrnshmtRmt><RefNb>R</RefNb></GrnshmtRmt>', [`error required ${inGarnishment}`]],
  [
    `<GrnshmtRmt>${ofType}<FmlyMdclInsrncInd>yes</FmlyMdclInsrncInd></GrnshmtRmt>`,
    [`error value ${inGarnishment.replace('[1]/G', '/G')}/FmlyMdclInsrncInd`],
  ],
])('the lint of pain.001 finds what is wrong in taxes and garnishments: %s', async (inside, expected) => {
  expect(await of('09', strd(inside))).toEqual(expected);
});
