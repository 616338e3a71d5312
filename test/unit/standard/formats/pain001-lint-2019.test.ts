import { expect, it } from 'vitest';
import { good, lint, told } from './pain001-linted.ts';

const first = 'PmtInf[1]/CdtTrfTxInf[1]';

it('the lint of pain.001 reads the version of 2019 as it has its order and names', async () => {
  const text = good
    .replaceAll('pain.001.001.03', 'pain.001.001.09')
    .replaceAll(/<ReqdExctnDt>(.*)<\/ReqdExctnDt>/g, '<ReqdExctnDt><Dt>$1</Dt></ReqdExctnDt>')
    .replaceAll(/BIC>/g, 'BICFI>');
  expect(await told(text)).toEqual([]);
  const id = '<EndToEndId>E-1</EndToEndId>';
  for (const [from, to, expected] of [
    [id, `${id}<UETR>eb6305c9-1f7f-49de-aed0-16487c27b42d</UETR>`, []],
    [id, `<UETR>eb6305c9-1f7f-49de-aed0-16487c27b42d</UETR>${id}`, [`error order ${first}/PmtId/EndToEndId`]],
    [id, `${id}<UETR>EB6305C9-1F7F-19DE-AED0-16487C27B42D</UETR>`, [`error value ${first}/PmtId/UETR`]],
    [
      '<BICFI>BYLADEM1001</BICFI>',
      '<BIC>BYLADEM1001</BIC>',
      ['error unexpected PmtInf[1]/DbtrAgt/FinInstnId/BIC'],
    ],
    ['<Dt>2026-11-23</Dt>', '2026-11-23', ['error choice PmtInf[1]/ReqdExctnDt']],
    [
      '<SvcLvl><Cd>SEPA</Cd></SvcLvl>',
      '<InstrPrty>FAST</InstrPrty><SvcLvl><Cd>SEPA</Cd></SvcLvl>',
      ['error value PmtInf[1]/PmtTpInf/InstrPrty'],
    ],
    ['<Nm>Shop</Nm>', '<Nm>Shop</Nm><Id><OrgId><LEI>529900T8BM49AURSDO55</LEI></OrgId></Id>', []],
    [
      '<Nm>Shop</Nm>',
      '<Nm>Shop</Nm><Id><OrgId><LEI>529900T8BM49AURSDO56</LEI></OrgId></Id>',
      [`error value ${first}/Cdtr/Id/OrgId/LEI`],
    ],
    [
      '<Nm>Shop</Nm>',
      '<Nm>Shop</Nm><PstlAdr><BldgNm>Tower</BldgNm><TwnNm>Koln</TwnNm><Ctry>DE</Ctry></PstlAdr>',
      [],
    ],
    [
      '<Nm>Shop</Nm>',
      '<Nm>Shop</Nm><PstlAdr><PstCd>1</PstCd><Room>2</Room><TwnNm>Koln</TwnNm><Ctry>DE</Ctry></PstlAdr>',
      [`error order ${first}/Cdtr/PstlAdr/Room`],
    ],
  ] as const) {
    expect(text).toContain(from);
    expect(await told(text.replace(from, to))).toEqual(expected);
  }
  expect(await told(text.replaceAll('001.001.09', '001.001.11'))).toEqual(['warning version Document']);
  const { summary } = await lint(text);
  expect(summary.batches[0]).toMatchObject({
    requestedExecutionDate: '2026-11-23',
    debtorAgent: 'BYLADEM1001',
  });
});

it.each<[string, string, string, ('error' | 'warning')?]>([
  ['a structured one', '<StrtNm>A</StrtNm><TwnNm>Koln</TwnNm><Ctry>DE</Ctry>', ''],
  ['a hybrid one', '<TwnNm>Koln</TwnNm><Ctry>DE</Ctry><AdrLine>A 1</AdrLine><AdrLine>B</AdrLine>', ''],
  ['an unstructured one', '<AdrLine>A 1</AdrLine><AdrLine>50667 Koln</AdrLine>', 'address', 'error'],
  ['an unstructured one with a country', '<Ctry>DE</Ctry><AdrLine>50667 Koln</AdrLine>', 'address', 'error'],
  ['a country alone', '<Ctry>DE</Ctry>', 'address'],
  ['three lines', `<TwnNm>K</TwnNm><Ctry>DE</Ctry>${'<AdrLine>A</AdrLine>'.repeat(3)}`, 'address'],
])('the lint of pain.001 follows how long %s was accepted', async (_, parts, rule, after = 'warning') => {
  const text = good.replace('<Nm>Shop</Nm>', `<Nm>Shop</Nm><PstlAdr>${parts}</PstlAdr>`);
  const place = `${first}/Cdtr/PstlAdr`;
  const at = (today: string, scheme: 'sepa-credit-transfers' | 'cross-border-credit-transfers') =>
    lint(text, { today, scheme }).then(({ findings }) =>
      findings.filter(({ path }) => path === place).map((one) => `${one.severity} ${one.rule}`),
    );
  const found = (severity: string) => (rule === '' ? [] : [`${severity} ${rule}`]);
  expect(await at('2026-11-14', 'sepa-credit-transfers')).toEqual(found('warning'));
  expect(await at('2026-11-15', 'sepa-credit-transfers')).toEqual(found(after));
  expect(await at('2026-11-15', 'cross-border-credit-transfers')).toEqual(found('warning'));
});
