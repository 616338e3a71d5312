import { expect, it } from 'vitest';
import { lintPayment } from '../../../../../src/client/orders/lint-payment.ts';
import { obk, paymentTo, profileWith, wouldSend } from './payments.ts';

const pain = async (product: string, ...more: string[]) => [
  ...paymentTo(`pain.001-${product}`),
  ...['--debtor-name', 'Payer', '--profile', await profileWith(), ...more],
];
const version = ['--schema', 'pain.001.001.09'];
const address = [
  '--creditor-address',
  'line=Block 4;line=Floor 2;street=High Street;number=7;postcode=LS1;city=Leeds;country=GB',
];
const uetr = 'eb6305c9-1f7f-49de-aed0-16487c27b42d';
const lei = '529900T8BM49AURSDO55';

const linted = (product: string, body: string) =>
  lintPayment(Buffer.from(body), {
    ...{ product: `pain.001-${product}`, framework: '1.3.2', service: 'payments' },
    ...{ today: '2026-11-20', strict: true },
  });

it('a payment across borders has its elements where pain.001.001.09 has them', async () => {
  const product = 'cross-border-credit-transfers';
  const line = await pain(product, ...version, ...address, '--uetr', uetr.toUpperCase());
  const { body } = await wouldSend([
    ...[...line, '--creditor-lei', lei.toLowerCase(), '--debtor-lei', lei, '--instruction-priority', 'high'],
    ...['--regulatory-reporting', 'country=fr;code=150;information=Goods'],
  ]);
  expect(body).toContain(`</EndToEndId><UETR>${uetr}</UETR></PmtId>`);
  expect(body).toContain('<PmtTpInf><InstrPrty>HIGH</InstrPrty></PmtTpInf>');
  expect(body).toContain(`<Dbtr><Nm>Payer</Nm><Id><OrgId><LEI>${lei}</LEI></OrgId></Id></Dbtr>`);
  expect(body).toContain(
    '<Cdtr><Nm>Shop</Nm><PstlAdr><StrtNm>High Street</StrtNm><BldgNb>7</BldgNb><PstCd>LS1</PstCd><TwnNm>Leeds</TwnNm>' +
      `<Ctry>GB</Ctry><AdrLine>Block 4</AdrLine><AdrLine>Floor 2</AdrLine></PstlAdr><Id><OrgId><LEI>${lei}</LEI></OrgId></Id></Cdtr>`,
  );
  expect(body).toContain('<RgltryRptg><Dtls><Ctry>FR</Ctry><Cd>150</Cd><Inf>Goods</Inf></Dtls></RgltryRptg>');
  expect((await linted(product, body)).findings).toEqual([]);
});

it('a payment of SEPA has those that the EPC has', async () => {
  const product = 'sepa-credit-transfers';
  const line = await pain(
    product,
    ...version,
    ...address,
    '--creditor-lei',
    lei,
    '--instruction-priority',
    'NORM',
  );
  const { body } = await wouldSend(line);
  expect(body).toContain('<PmtTpInf><InstrPrty>NORM</InstrPrty><SvcLvl><Cd>SEPA</Cd></SvcLvl></PmtTpInf>');
  expect((await linted(product, body)).findings).toEqual([]);
});

it.each([
  ['SEPA has no UETR', 'sepa-credit-transfers', [...version, '--uetr', uetr], '--uetr: SEPA'],
  [
    'SEPA has no reporting',
    'sepa-credit-transfers',
    [...version, '--regulatory-reporting', 'code=150'],
    '--regulatory-reporting: SEPA',
  ],
  ['pain.001.001.03 has no UETR', 'target-2-payments', ['--uetr', uetr], '--schema pain.001.001.09'],
  ['pain.001.001.03 has no LEI', 'target-2-payments', ['--creditor-lei', lei], '--schema pain.001.001.09'],
  [
    'an LEI has check digits',
    'target-2-payments',
    [...version, '--debtor-lei', lei.replace('55', '56')],
    '55 would be right',
  ],
  ['a UETR has a form', 'target-2-payments', [...version, '--uetr', '1'], 'UUID of version 4'],
  ['a priority is one of two', 'target-2-payments', ['--instruction-priority', 'FAST'], 'HIGH or NORM'],
  ['a reporting has parts', 'target-2-payments', ['--regulatory-reporting', 'x=1'], 'its parts are'],
  ['lines need a city', 'target-2-payments', ['--creditor-address', 'line=A;country=DE'], 'needs a city'],
] as const)('%s', async (_, product, flags, why) => {
  const { code, stderr } = await obk([...(await pain(product, ...flags)), '--dry-run']);
  expect(code).toBe(2);
  expect(stderr).toContain(why);
});

it.each([
  ['--uetr', uetr],
  ['--creditor-lei', lei],
  ['--instruction-priority', 'HIGH'],
  ['--creditor-address', 'line=A;city=B;country=DE'],
])('%s goes with pain.001', async (flag, value) => {
  const line = [...paymentTo('sepa-credit-transfers'), '--profile', await profileWith(), flag, value];
  const { code, stderr } = await obk([...line, '--dry-run']);
  expect(code).toBe(2);
  expect(stderr).toContain('with pain.001');
});
