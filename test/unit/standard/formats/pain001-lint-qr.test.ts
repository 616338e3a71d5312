// A Swiss QR-IBAN and its reference belong together (Swiss Implementation Guidelines for QR-bills).
import { expect, it } from 'vitest';
import { good, told } from './pain001-linted.ts';

const account = 'PmtInf[1]/CdtTrfTxInf[1]/CdtrAcct';
const reference = (type: string, text: string) =>
  `<RmtInf><Strd><CdtrRefInf>${type}<Ref>${text}</Ref></CdtrRefInf></Strd></RmtInf>`;
const qrr = '<Tp><CdOrPrtry><Prtry>QRR</Prtry></CdOrPrtry></Tp>';
const text = '<RmtInf><Ustrd>Invoice 1</Ustrd></RmtInf>';

it.each([
  [
    'a QR-IBAN with its reference',
    'CH4431999123000889012',
    reference(qrr, '210000000003139471430009017'),
    [],
  ],
  ['a QR-IBAN with a text', 'CH4431999123000889012', text, [`warning qr-iban ${account}`]],
  [
    'a QR-IBAN with a reference without a type',
    'CH4431999123000889012',
    reference('', '210000000003139471430009017'),
    [`warning qr-iban ${account}`],
  ],
  ['another IBAN of Switzerland with a text', 'CH9300762011623852957', text, []],
])('the lint of pain.001 judges %s', async (_, iban, remittance, findings) => {
  const changed = good.replace('DE89370400440532013000', iban).replace(text, remittance);
  expect(changed).toContain(iban);
  const found = await told(changed, { scheme: 'cross-border-credit-transfers' });
  expect(found.filter((finding) => / (?:qr-iban|reference) /.test(finding))).toEqual(findings);
});
