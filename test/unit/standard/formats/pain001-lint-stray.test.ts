// Text where elements belong, and elements where a value belongs, are found on every level of a pain.001.
import { expect, it } from 'vitest';
import { good, told } from './pain001-linted.ts';

const first = 'PmtInf[1]/CdtTrfTxInf[1]';

it.each([
  ['before the message', '<CstmrCdtTrfInitn>', 'Document'],
  ['before a batch', '<PmtInf>', 'CstmrCdtTrfInitn'],
  ['in the header', '<NbOfTxs>', 'GrpHdr'],
  ['in a batch', '<PmtMtd>', 'PmtInf[1]'],
  ['behind a payment', '</PmtInf>', 'PmtInf[1]'],
  ['in a payment', '<Amt>', first],
  ['in an account', '<IBAN>DE02', 'PmtInf[1]/DbtrAcct/Id'],
  ['in an id', '<EndToEndId>E-1', `${first}/PmtId`],
])('the lint of pain.001 finds text %s', async (_, at, path) => {
  for (const stray of ['stray', ' 1 ', '<![CDATA[x]]>', '&#65;'])
    expect(await told(good.replace(at, stray + at))).toEqual([`error stray-text ${path}`]);
  expect(await told(good.replace(at, `\n\t <!-- note -->${at}`))).toEqual([]);
});

it.each([
  ['a day', '<ReqdExctnDt>2026-11-23</ReqdExctnDt>', '<ReqdExctnDt><Dt>2026-11-23</Dt></ReqdExctnDt>'],
  ['a method', '<PmtMtd>TRF</PmtMtd>', '<PmtMtd><Cd>TRF</Cd></PmtMtd>'],
  ['an amount', '12.25</InstdAmt>', '<Amt>12.25</Amt></InstdAmt>'],
  ['an account', 'DE89370400440532013000</IBAN>', '<Id>DE89370400440532013000</Id></IBAN>'],
  ['a text', 'Invoice 1</Ustrd>', '<b>Invoice 1</b></Ustrd>'],
])('the lint of pain.001 finds an element in %s', async (_, from, to) => {
  expect(good).toContain(from);
  const findings = await told(good.replace(from, to));
  expect(findings.filter((finding) => finding.startsWith('error unexpected'))).toHaveLength(1);
});

it('the lint of pain.001 finds text without an end, shown as far as it goes', async () => {
  const [finding, ...others] = await told(good.replace('<PmtInf>', `${'x '.repeat(5000)}<PmtInf>`));
  expect(finding).toBe('error stray-text CstmrCdtTrfInitn');
  expect(others).toEqual([]);
});
