import { describe, expect, it } from 'vitest';
import { lintPayment } from '../../../../src/client/orders/lint-payment.ts';
import { buildPain } from '../../../../src/client/orders/pain-body.ts';
import type { LintOptions } from '../../../../src/client/orders/lint-json.ts';

const options: LintOptions = { framework: '1.3.2', today: '2026-11-21', strict: false };
const transfer = {
  instructedAmount: { currency: 'EUR', amount: '1.00' },
  creditorAccount: { iban: 'DE89370400440532013000' },
  creditorName: 'Shop',
};
const single = { debtorAccount: { iban: 'DE40100100103307118608' }, ...transfer };
const bulk = {
  debtorAccount: single.debtorAccount,
  payments: [transfer, { ...transfer, endToEndIdentification: 'E-2' }],
};
const periodic = { ...single, startDate: '2026-12-01', frequency: 'Monthly' };
const lint = (body: unknown, more: Partial<LintOptions> = {}) =>
  lintPayment(Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)), { ...options, ...more });
const told = async (body: unknown, more: Partial<LintOptions> = {}) =>
  (await lint(body, more)).findings.map(({ severity, path, rule }) => `${severity} ${path} ${rule}`);

describe('a payment that occurs twice', () => {
  const again = (more: object) => ({
    debtorAccount: single.debtorAccount,
    payments: [transfer, { ...transfer, ...more }],
  });
  it.each<[string, object, boolean]>([
    ['the same', {}, true],
    ['an id that is none', { endToEndIdentification: 'NOTPROVIDED' }, true],
    ['an amount in other digits', { instructedAmount: { currency: 'EUR', amount: '1' } }, true],
    ['a BBAN for the IBAN', { creditorAccount: { bban: '370400440532013000' } }, true],
    ['another name', { creditorName: 'The Shop' }, true],
    ['an id of its own', { endToEndIdentification: 'E-1' }, false],
    ['another text', { remittanceInformationUnstructured: 'May' }, false],
    ['another reference', { remittanceInformationStructured: { reference: 'RF18539007547034' } }, false],
    ['another amount', { instructedAmount: { currency: 'EUR', amount: '1.01' } }, false],
    ['another account', { creditorAccount: { iban: 'DE02120300000000202051' } }, false],
  ])('is a warning in JSON: %s', async (_, more, isTold) => {
    const found = (await told(again(more))).filter((line) => line.endsWith(' identical'));
    expect(found).toEqual(isTold ? ['warning payments[1] identical'] : []);
  });

  it('is an error with --strict', async () => {
    expect(await lint(again({}), { strict: true })).toMatchObject({ errors: 1, warnings: 0 });
  });

  it('is reported although obk gave each an id of its own', async () => {
    const intentHash = 'ab'.repeat(32);
    const made = (at: number) => ({
      ...transfer,
      endToEndIdentification: `OBK${intentHash.slice(0, 20).toUpperCase()}-${String(at)}`,
    });
    const body = { debtorAccount: single.debtorAccount, payments: [made(1), made(2)] };
    expect(await told(body, { intentHash })).toContain('warning payments[1] identical');
    expect(await told(body)).not.toContain('warning payments[1] identical');
  });
});

describe('an account outside SEPA', () => {
  const outside = 'BR1800360305000010009795493C1';
  const to = (iban: string) => ({ ...single, creditorAccount: { iban } });
  const product = 'sepa-credit-transfers';
  it('is a warning in a product for SEPA only', async () => {
    const found = 'warning creditorAccount.iban outside-sepa';
    expect(await told(to(outside), { product })).toContain(found);
    expect(await told(to(outside), { product: `instant-${product}` })).toContain(found);
    expect(await told(to(outside), { product: 'cross-border-credit-transfers' })).not.toContain(found);
    expect(await told({ ...single, debtorAccount: { iban: outside } }, { product })).toContain(
      'warning debtorAccount.iban outside-sepa',
    );
  });

  it.each([
    'AL47212110090000000235698741',
    'ME25505000012345678951',
    'MK07250120000058984',
    'MD24AG000225100013104168',
    'RS35260005601001611379',
    'GB82WEST12345698765432',
  ])('is not reported for %s', async (iban) => {
    expect((await told(to(iban), { product })).filter((one) => one.endsWith('sepa'))).toEqual([]);
  });
});

describe('a payment in JSON', () => {
  it.each([
    ['single', single, 1, '1.00'],
    ['bulk', bulk, 2, '2.00'],
    ['standing order', periodic, 1, '1.00'],
  ])('has no finding where it is right: %s', async (_, body, payments, amount) => {
    const product = 'sepa-credit-transfers';
    expect(await lint(body, { product })).toEqual({
      format: 'json',
      payments,
      sums: [{ currency: 'EUR', amount }],
      errors: 0,
      warnings: 0,
      findings: [],
    });
  });

  it.each<[string, unknown, string]>([
    ['broken', '{"a":', 'error  json'],
    ['a list', '[]', 'error  type'],
    ['no debtor', transfer, 'error debtorAccount required'],
    [
      'two identifiers',
      { ...single, creditorAccount: { iban: 'x', bban: '1' } },
      'error creditorAccount choice',
    ],
    [
      'an IBAN with blanks',
      { ...single, debtorAccount: { iban: 'DE40 1001 0010 3307 1186 08' } },
      'error debtorAccount.iban iban',
    ],
    [
      'a number',
      { ...single, instructedAmount: { currency: 'EUR', amount: 1 } },
      'error instructedAmount.amount type',
    ],
    [
      'cents of yen',
      { ...single, instructedAmount: { currency: 'JPY', amount: '1.5' } },
      'error instructedAmount.amount amount',
    ],
    ['a long name', { ...single, creditorName: 'x'.repeat(71) }, 'error creditorName length'],
    ['an umlaut', { ...single, creditorName: 'Müller' }, 'warning creditorName charset'],
    ['no BIC', { ...single, creditorAgent: 'X' }, 'error creditorAgent bic'],
    [
      'a past day',
      { ...single, requestedExecutionDate: '2020-01-01' },
      'warning requestedExecutionDate date',
    ],
    ['no day', { ...single, requestedExecutionDate: '2026-02-30' }, 'error requestedExecutionDate date'],
    ['an empty bulk', { ...bulk, payments: [] }, 'error payments required'],
    ['a debtor in an entry', { ...bulk, payments: [single] }, 'error payments[0].debtorAccount unexpected'],
    ['an unknown frequency', { ...periodic, frequency: 'monthly' }, 'error frequency value'],
    ['a day with a zero', { ...periodic, dayOfExecution: '05' }, 'error dayOfExecution value'],
    [
      'a reference with wrong check digits',
      { ...single, remittanceInformationStructured: { reference: 'RF81539007547034' } },
      'error remittanceInformationStructured.reference reference',
    ],
    [
      'a text with wrong check digits',
      { ...single, remittanceInformationStructured: 'RF81539007547034' },
      'error remittanceInformationStructured reference',
    ],
    ['months', { ...periodic, monthsOfExecution: ['1'] }, 'error monthsOfExecution choice'],
  ])('has a finding where it has %s', async (_, body, finding) => {
    expect(await told(body)).toContain(finding);
  });

  it('is checked against its product', async () => {
    const usd = { ...single, instructedAmount: { currency: 'USD', amount: '1' }, purposeCode: 'SALA' };
    expect(await told(usd, { product: 'sepa-credit-transfers' })).toEqual([
      'error instructedAmount.currency scheme',
      'warning purposeCode product',
    ]);
  });

  it('is checked against the largest amount of SEPA', async () => {
    const much = { ...single, instructedAmount: { currency: 'EUR', amount: '1000000000.00' } };
    expect(await told(much, { product: 'sepa-credit-transfers' })).toEqual([
      'warning instructedAmount scheme',
    ]);
    expect(await told(much, { product: 'target-2-payments' })).toEqual([]);
  });

  it('has its warnings as errors with --strict', async () => {
    const body = { ...single, creditorName: 'Müller' };
    expect(await lint(body)).toMatchObject({ errors: 0, warnings: 1 });
    expect(await lint(body, { strict: true })).toMatchObject({ errors: 1, warnings: 0 });
  });
});

describe('a pain.001 file', () => {
  const product = 'pain.001-sepa-credit-transfers';
  const terms = { framework: '1.3.2', intentHash: '0'.repeat(64), now: '2026-11-21T10:00:00Z' } as const;
  const fields = {
    debtor: 'DE40100100103307118608',
    debtorName: 'Payer',
    creditorAccount: 'DE89370400440532013000',
    creditorName: 'Shop',
    amount: '1.00',
    startDate: '2026-12-01',
    frequency: 'Monthly',
  };

  it('has no finding as obk writes it, by itself or in a form', async () => {
    const { startDate: _, frequency: __, ...plain } = fields;
    const xml = await buildPain({ service: 'payments', product }, plain, terms);
    const form = await buildPain({ service: 'periodic-payments', product }, fields, terms);
    expect(await lintPayment(xml.bytes, { ...options, product })).toMatchObject({
      format: 'pain.001',
      findings: [],
    });
    expect(await lintPayment(form.bytes, { ...options, product })).toMatchObject({
      format: 'multipart',
      payments: 1,
      findings: [],
    });
  });

  it('has a finding with its line where the control sum is wrong', async () => {
    const { bytes } = await buildPain({ service: 'periodic-payments', product }, fields, terms);
    const text = Buffer.from(bytes).toString().replaceAll('<CtrlSum>1.00', '<CtrlSum>2.00');
    const { errors, findings } = await lint(text);
    expect(errors).toBe(2);
    expect(findings[0]).toMatchObject({ rule: 'control-sum', line: expect.any(Number) as number });
  });
});

describe('a character outside the minimum set', () => {
  const body = { ...single, creditorName: 'Müller & Söhne' };
  const xml = async () => {
    const fields = { debtor: single.debtorAccount.iban, creditorAccount: transfer.creditorAccount.iban };
    const terms = { framework: '1.3.2', intentHash: 'a'.repeat(64), now: '2026-11-21T10:00:00Z' } as const;
    const named = { ...fields, debtorName: 'Payer', creditorName: 'Müller', amount: '1.00' };
    const { bytes } = await buildPain(
      { service: 'payments', product: 'pain.001-sepa-credit-transfers' },
      named,
      terms,
    );
    return Buffer.from(bytes).toString();
  };

  it.each([
    [undefined, 'sepa-credit-transfers', 'warning'],
    ['warn', 'sepa-credit-transfers', 'warning'],
    ['error', 'sepa-credit-transfers', 'error'],
    ['error', 'instant-sepa-credit-transfers', 'error'],
    ['error', 'cross-border-credit-transfers', 'warning'],
    ['error', undefined, 'warning'],
  ] as const)('is checked as the profile sets it to %s, of %s: %s', async (charset, product, severity) => {
    const more = { product, ...(charset !== undefined && { charset }) };
    expect(await told(body, more)).toContain(`${severity} creditorName charset`);
    const pain = { ...more, product: product && `pain.001-${product}` };
    const report = await lint(await xml(), pain);
    expect(report.findings.filter(({ rule }) => rule === 'charset')).toMatchObject([{ severity }]);
    expect(report.errors).toBe(report.findings.filter((one) => one.severity === 'error').length);
  });
});

const doubtful = 'FR8230066631856742938741993';

it('lint warns of an IBAN that fails only the check of its country, in JSON and in XML', async () => {
  expect(await told({ ...single, creditorAccount: { iban: doubtful } })).toEqual([
    'warning creditorAccount.iban iban-national',
  ]);
  const report = await lint(painOf('<IBAN>DE89370400440532013000</IBAN>', `<IBAN>${doubtful}</IBAN>`));
  expect(report.errors).toBe(0);
  expect(report.findings.map(({ rule }) => rule)).toContain('iban-national');
});

it('lint accepts blanks around values where XML Schema allows them, and finds text beside elements', async () => {
  const blanks = await lint(
    painOf('<PmtMtd>TRF</PmtMtd>', '<PmtMtd>TRF</PmtMtd><BtchBookg> true\n</BtchBookg>'),
  );
  expect(blanks.findings).toEqual([]);
  const stray = await lint(painOf('<Cdtr>', '<Cdtr>stray'));
  expect(stray.findings).toMatchObject([{ severity: 'error', rule: 'stray-text' }]);
});

/** A pain.001 with something else in one place. */
const painOf = (text: string, other: string): string =>
  `<Document xmlns="urn:iso:std:iso:20022:tech:xsd:pain.001.001.03"><CstmrCdtTrfInitn>
<GrpHdr><MsgId>M</MsgId><CreDtTm>2026-11-21T10:00:00</CreDtTm><NbOfTxs>1</NbOfTxs><InitgPty><Nm>TPP</Nm></InitgPty></GrpHdr>
<PmtInf><PmtInfId>A</PmtInfId><PmtMtd>TRF</PmtMtd><ReqdExctnDt>2026-11-23</ReqdExctnDt><Dbtr><Nm>Anna</Nm></Dbtr>
<DbtrAcct><Id><IBAN>DE02120300000000202051</IBAN></Id></DbtrAcct><DbtrAgt><FinInstnId><BIC>BYLADEM1001</BIC></FinInstnId></DbtrAgt>
<CdtTrfTxInf><PmtId><EndToEndId>E</EndToEndId></PmtId><Amt><InstdAmt Ccy="EUR">1.00</InstdAmt></Amt><Cdtr><Nm>Shop</Nm></Cdtr>
<CdtrAcct><Id><IBAN>DE89370400440532013000</IBAN></Id></CdtrAcct></CdtTrfTxInf></PmtInf></CstmrCdtTrfInitn></Document>`.replace(
    text,
    other,
  );
