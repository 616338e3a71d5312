import { describe, expect, it } from 'vitest';
import { lintJsonPayment } from '../../src/client/orders/lint-json.ts';
import { paymentBody } from '../../src/referee/body/payment.ts';
import { Findings } from '../../src/referee/finding.ts';
import { readJsonOrder } from '../../src/bank/payments/order-json.ts';
import { readJson } from '../../src/standard/xs2a/json.ts';
import type { JsonProduct, PaymentService } from '../../src/standard/xs2a/products.ts';
import { compiled } from '../helpers/contract-schema.ts';
import { hasOfficialFiles, official } from '../helpers/official.ts';

/** One verdict for a payment's body: `payment lint`, the referee and the built-in bank, each by the same table. */

const frameworks = ['1.3.2', '1.3.6', '1.3.12'] as const;
type Framework = (typeof frameworks)[number];
/** What all three say: nothing, a warning of lint where the others take it, or an error of all. */
type Verdict = 'right' | 'warning' | 'error';
type Wanted = Verdict | Readonly<Record<Framework, Verdict>>;
type Row = readonly [what: string, service: PaymentService, product: JsonProduct, body: object, Wanted];

const sepa = 'sepa-credit-transfers';
const instant = 'instant-sepa-credit-transfers';
const target2 = 'target-2-payments';
const crossBorder = 'cross-border-credit-transfers';
const today = '2026-11-28';
const debtorAccount = { iban: 'DE89370400440532013000' };
const entry = {
  instructedAmount: { currency: 'EUR', amount: '1.00' },
  creditorAccount: { iban: 'NL91ABNA0417164300' },
  creditorName: 'Shop',
};

const show = (value: unknown): string => JSON.stringify(value).slice(0, 70);
const single = (change: object, wanted: Wanted, product: JsonProduct = sepa): Row => [
  show(change),
  'payments',
  product,
  { debtorAccount, ...entry, ...change },
  wanted,
];
const inBulk = (change: object, wanted: Wanted, product: JsonProduct = sepa): Row => [
  show(change),
  'bulk-payments',
  product,
  { debtorAccount, payments: [{ ...entry, ...change }] },
  wanted,
];
const inFront = (change: object, wanted: Wanted): Row => [
  show(change),
  'bulk-payments',
  sepa,
  { debtorAccount, payments: [entry], ...change },
  wanted,
];
const standing = (change: object, wanted: Wanted): Row => [
  show(change),
  'periodic-payments',
  sepa,
  { debtorAccount, ...entry, startDate: '2026-12-01', frequency: 'Monthly', ...change },
  wanted,
];
const paid = (amount: unknown, currency: unknown = 'EUR') => ({ instructedAmount: { currency, amount } });
const payee = (creditorAccount: unknown) => ({ creditorAccount });
const long = (length: number) => 'x'.repeat(length);
const fromSix = { '1.3.2': 'error', '1.3.6': 'warning', '1.3.12': 'warning' } as const;
const everyKind = ([change, wanted]: [object, Wanted]): Row[] => [
  single(change, wanted),
  inBulk(change, wanted),
  standing(change, wanted),
];

const currencies: Row[] = [
  ...[sepa, instant, target2].flatMap((product) =>
    ['USD', 'CHF', 'JPY', 'eur', 'EU', ''].flatMap((code) => [
      single(paid('1', code), 'error', product as JsonProduct),
      inBulk(paid('1', code), 'error', product as JsonProduct),
    ]),
  ),
  single(paid('1', 'USD'), 'right', crossBorder),
  single(paid('1.00'), 'right', crossBorder),
  single(paid('1', 'usd'), 'error', crossBorder),
  single(paid('1', 978), 'error', crossBorder),
  single(paid('1.005'), 'error', crossBorder),
  single(paid('1.5', 'JPY'), 'error', crossBorder),
];

const amounts: Row[] = [
  ...['0', '-1.00', '1,00', '1.', '1e3', ' 1.00', '+1.00', '', 1, 1.5, null, long(3)].map((amount) =>
    single(paid(amount), 'error'),
  ),
  ...[sepa, instant].flatMap((product) => [
    single(paid('999999999.99'), 'right', product as JsonProduct),
    single(paid('1000000000.00'), 'warning', product as JsonProduct),
    inBulk(paid('1000000000.00'), 'warning', product as JsonProduct),
  ]),
  single(paid('1000000000.00'), 'right', target2),
  single(paid('100000000000000.00'), 'error'),
  single({ instructedAmount: '1.00' }, 'error'),
  single({ instructedAmount: undefined }, 'error'),
];

const accounts: Row[] = [
  ...[{ bban: '123456' }, { pan: '1234567890123456' }, { maskedPan: '1234xx' }, { msisdn: '+49123' }].flatMap(
    (number) => [
      single(payee(number), 'warning'),
      inBulk(payee(number), 'warning', instant),
      single({ debtorAccount: number }, 'warning'),
      inFront({ debtorAccount: number }, 'warning'),
      single(payee(number), 'right', target2),
      single(payee(number), 'right', crossBorder),
    ],
  ),
  ...[
    { iban: 'nl91abna0417164300' },
    { iban: 'NL91 ABNA 0417 1643 00' },
    { iban: 'NL91-ABNA-0417-1643-00' },
    { iban: 'NL92ABNA0417164300' },
    { iban: '' },
    { iban: 5 },
    { iban: null },
    { iban: 'NL91ABNA0417164300', bban: '1' },
    { bban: long(31) },
    { bban: '12-34' },
    { bban: '' },
    { pan: '1'.repeat(36) },
    { msisdn: 5 },
    { iban: 'NL91ABNA0417164300', currency: 'eur' },
    { iban: 'NL91ABNA0417164300', currency: 5 },
    {},
    [],
    null,
    'NL91ABNA0417164300',
  ].flatMap((account) => [
    single(payee(account), 'error'),
    single({ debtorAccount: account }, 'error'),
    inFront({ debtorAccount: account }, 'error'),
  ]),
  single(payee({ iban: 'NL91ABNA0417164300', currency: 'USD' }), 'error'),
  single(payee({ iban: 'NL91ABNA0417164300', currency: 'EUR' }), 'right'),
  single(payee(debtorAccount), 'right'),
  single(payee({ iban: 'NL91ABNA0417164300', other: { identification: 'x' } }), {
    '1.3.2': 'right',
    '1.3.6': 'right',
    '1.3.12': 'error',
  }),
];

const agents: Row[] = [
  ...['DEUTDEFF', 'DEUTDEFFXXX', 'DEUTDEFF500'].flatMap((bic) =>
    everyKind([{ creditorAgent: bic }, 'right']),
  ),
  ...[
    'deutdeff',
    'DEUTDEFf',
    'DEUT DE FF',
    ' DEUTDEFF',
    'DEUTDEFFxxx',
    'DEUTDEF',
    'DEUTDEFF50',
    '',
    5,
    null,
  ].flatMap((bic) => everyKind([{ creditorAgent: bic }, 'error'])),
];

const limits = {
  endToEndIdentification: 35,
  creditorName: 70,
  remittanceInformationUnstructured: 140,
  debtorId: 35,
  ultimateDebtor: 70,
  ultimateCreditor: 70,
  creditorId: 35,
  creditorNameAndAddress: 140,
} as const;
const opened = ['debtorId', 'ultimateDebtor', 'ultimateCreditor', 'creditorId', 'creditorNameAndAddress'];
const texts: Row[] = [
  ...Object.entries(limits).flatMap(([name, most]) => [
    single({ [name]: long(most) }, opened.includes(name) ? 'warning' : 'right'),
    ...[long(most + 1), '', 'a\nb', 5, true, null, ['x']].flatMap((value) => [
      single({ [name]: value }, 'error'),
      inBulk({ [name]: value }, 'error'),
    ]),
  ]),
  single({ creditorAgentName: long(71) }, { '1.3.2': 'error', '1.3.6': 'error', '1.3.12': 'warning' }),
  single({ creditorName: undefined }, 'error'),
  inFront({ paymentInformationId: long(35) }, 'right'),
  ...[long(36), '', 5, null].map((id) => inFront({ paymentInformationId: id }, 'error')),
  inFront({ batchBookingPreferred: true }, 'right'),
  ...['true', 'false', 1, null].map((flag) => inFront({ batchBookingPreferred: flag }, 'error')),
  ...[[], null, {}, 'x', [null], ['x']].map((payments) => inFront({ payments }, 'error')),
];

const references: Row[] = [
  ...everyKind([{ remittanceInformationStructured: 'RF18539007547034' }, fromSix]),
  single({ remittanceInformationStructured: 'R'.repeat(141) }, 'error'),
  single({ remittanceInformationStructured: { reference: 'RF18539007547034' } }, 'warning'),
  ...[5, null, '', {}, { reference: 5 }, { reference: long(36) }, { reference: 'R', referenceType: 5 }].map(
    (value) => single({ remittanceInformationStructured: value }, 'error'),
  ),
  single({ remittanceInformationStructuredArray: [{ reference: 'R1' }] }, 'warning'),
  ...[['R1'], [{ reference: 'R1' }, 'R2'], [], 'R', { reference: 'R' }, [{ reference: long(36) }]].flatMap(
    (value) => [
      single({ remittanceInformationStructuredArray: value }, 'error'),
      inBulk({ remittanceInformationStructuredArray: value }, 'error'),
    ],
  ),
  ...[['x', long(141)], [], 'x', [5]].map((value) =>
    single({ remittanceInformationUnstructuredArray: value }, 'error'),
  ),
];

const others: Row[] = [
  ...['ZZ', 'UK'].flatMap((country) => everyKind([{ creditorAddress: { country } }, 'warning'])),
  single({ creditorAddress: { country: 'DE' } }, 'right'),
  ...[
    {},
    { country: 'de' },
    { country: 'DEU' },
    { country: 5 },
    'DE',
    null,
    { country: 'DE', buildingNumber: 5 },
  ].map((address) => single({ creditorAddress: address }, 'error')),
  single({ creditorAddress: { country: 'DE', street: long(71) } }, 'error'),
  ...['slev', 'XXXX', 5].map((bearer) => single({ chargeBearer: bearer }, 'error', crossBorder)),
  ...['sala', 'ZZZZZ', '', 5].map((code) => single({ purposeCode: code }, 'error')),
  ...['usd', 'US', 5].map((code) => single({ currencyOfTransfer: code }, 'error')),
  ...['x', '2026-12-01', 5].map((time) => single({ requestedExecutionTime: time }, 'error')),
  ...['2026-02-30', '01.12.2026', 5].map((day) => single({ requestedExecutionDate: day }, 'error')),
  ...['monthly', '', 5, undefined].map((frequency) => standing({ frequency }, 'error')),
  ...['32', '01', 1].map((dayOfExecution) => standing({ dayOfExecution }, 'error')),
  standing({ endDate: '2026-11-30' }, 'error'),
  ...[['13'], [1], ['1', '1'], [], '1'].map((monthsOfExecution) =>
    standing({ frequency: 'MonthlyVariable', monthsOfExecution }, 'error'),
  ),
];

const groups = { currencies, amounts, accounts, agents, texts, references, others };

const wantedIn = (wanted: Wanted, framework: Framework): Verdict =>
  typeof wanted === 'string' ? wanted : wanted[framework];

function lintSays(framework: Framework, [, service, product, body]: Row): Verdict {
  const options = { framework, service, product, today, strict: false };
  const { findings } = lintJsonPayment(readJson(Buffer.from(JSON.stringify(body))), options);
  if (findings.some(({ severity }) => severity === 'error')) return 'error';
  return findings.length === 0 ? 'right' : 'warning';
}

function refereeSays(framework: Framework, [, service, product, body]: Row): 'takes' | 'error' {
  const found = new Findings(framework, undefined);
  paymentBody({ framework, service, product, today })(
    readJson(Buffer.from(JSON.stringify(body))),
    found.at('body'),
  );
  return found.list.some(({ severity }) => severity === 'error') ? 'error' : 'takes';
}

function bankSays(framework: Framework, [, service, product, body]: Row): string {
  const scenario = { conditionalFields: 'optional', otherFields: 'accept' } as const;
  try {
    readJsonOrder(readJson(Buffer.from(JSON.stringify(body))), {
      framework,
      service,
      product,
      today,
      scenario,
    });
    return 'takes';
  } catch (error) {
    const { code } = error as { code?: string };
    return ['FORMAT_ERROR', 'EXECUTION_DATE_INVALID'].includes(code ?? '') ? 'error' : String(error);
  }
}

describe.each(frameworks)('a body in %s', (framework) => {
  it.each(Object.entries(groups))('has one verdict by its %s', (_, rows) => {
    const verdicts = (judged: (row: Row, taken: 'takes' | 'error') => object) =>
      rows.map((row) => {
        const [what, service, product, , wanted] = row;
        const due = wantedIn(wanted, framework);
        return { what, service, product, ...judged(row, due === 'error' ? 'error' : 'takes') };
      });
    expect(
      verdicts((row) => ({
        lint: lintSays(framework, row),
        referee: refereeSays(framework, row),
        bank: bankSays(framework, row),
      })),
    ).toEqual(verdicts((row, taken) => ({ lint: wantedIn(row[4], framework), referee: taken, bank: taken })));
  });
});

describe.runIf(hasOfficialFiles()).each(frameworks)('a body accepted by %s', (framework) => {
  const schemas: Readonly<Record<PaymentService, string>> = {
    payments: 'paymentInitiation_json',
    'bulk-payments': 'bulkPaymentInitiation_json',
    'periodic-payments': 'periodicPaymentInitiation_json',
  };

  it('is one that the official file takes', () => {
    official(framework);
    const refused = Object.values(groups)
      .flat()
      .filter((row) => {
        const [, service, , body, wanted] = row;
        const judge = compiled(framework, { $ref: `#/components/schemas/${schemas[service]}` });
        return wantedIn(wanted, framework) !== 'error' && !judge(JSON.parse(JSON.stringify(body)));
      });
    expect(refused.map(([what, service]) => `${service} ${what}`)).toEqual([]);
  });
});
