import {
  abroad,
  debtorAccount,
  front,
  instant,
  lawful,
  one,
  second,
  sepa,
  standing,
  target2,
  transfer,
  whole,
  x,
} from './bodies.ts';
import type { Row } from './bodies.ts';

const asTheyShouldBe: Row[] = [
  one(sepa, {}, lawful),
  one(instant, {}, lawful),
  one(target2, {}, lawful),
  one(abroad, {}, lawful),
  front(sepa, {}, lawful),
  front(instant, {}, lawful),
  front(target2, {}, lawful),
  front(abroad, {}, lawful),
  standing(sepa, {}, lawful),
  standing(instant, {}, lawful),
  standing(target2, {}, lawful),
  standing(abroad, {}, lawful),
];

const bodies: Row[] = [
  whole('payments', []),
  whole('payments', null),
  whole('payments', 'payment'),
  whole('payments', 5),
  whole('bulk-payments', [{ debtorAccount, payments: [transfer] }]),
  whole('bulk-payments', true),
  whole('periodic-payments', []),
];

const texts: Row[] = [
  one(sepa, { creditorName: x(70) }, lawful),
  one(sepa, { creditorName: x(71) }, '/creditorName'),
  // Length is counted in characters, not in units of UTF-16.
  one(sepa, { creditorName: '\u{1f600}'.repeat(70) }, lawful),
  one(sepa, { creditorName: 'Müller & Söhne' }, lawful),
  one(sepa, { creditorName: '' }, '/creditorName'),
  one(sepa, { creditorName: '   ' }, '/creditorName'),
  one(sepa, { creditorName: 'Mar\nchand' }, '/creditorName'),
  one(sepa, { creditorName: 5 }, '/creditorName'),
  one(sepa, { creditorName: null }, '/creditorName'),
  one(sepa, { creditorName: ['Marchand'] }, '/creditorName'),
  one(sepa, { creditorName: undefined }, '/creditorName'),
  one(abroad, { creditorName: undefined, creditorNam: 'Marchand' }, '/creditorName'),
  second(sepa, { creditorName: undefined }, '/payments/1/creditorName'),
  standing(instant, { creditorName: x(71) }, '/creditorName'),
  one(sepa, { endToEndIdentification: x(35) }, lawful),
  one(sepa, { endToEndIdentification: x(36) }, '/endToEndIdentification'),
  // The product does not have it, and a bank may have opened it.
  one(abroad, { endToEndIdentification: 'E-1' }, lawful),
  one(abroad, { endToEndIdentification: x(36) }, '/endToEndIdentification'),
  one(sepa, { instructionIdentification: x(35) }, lawful),
  one(sepa, { instructionIdentification: x(36) }, '/instructionIdentification'),
  one(sepa, { debtorName: x(70) }, lawful),
  one(sepa, { debtorName: x(71) }, '/debtorName'),
  one(sepa, { debtorId: x(36) }, '/debtorId'),
  one(sepa, { ultimateDebtor: x(71) }, '/ultimateDebtor'),
  one(sepa, { ultimateCreditor: x(70) }, lawful),
  one(sepa, { ultimateCreditor: x(71) }, '/ultimateCreditor'),
  one(sepa, { creditorId: x(36) }, '/creditorId'),
  one(abroad, { creditorNameAndAddress: x(140) }, lawful),
  one(abroad, { creditorNameAndAddress: x(141) }, '/creditorNameAndAddress'),
];

const remittances: Row[] = [
  one(sepa, { remittanceInformationUnstructured: x(140) }, lawful),
  one(sepa, { remittanceInformationUnstructured: x(141) }, '/remittanceInformationUnstructured'),
  one(sepa, { remittanceInformationUnstructured: '' }, '/remittanceInformationUnstructured'),
  second(sepa, { remittanceInformationUnstructured: 7 }, '/payments/1/remittanceInformationUnstructured'),
  one(sepa, { remittanceInformationUnstructuredArray: ['Order 1', 'Order 2'] }, lawful),
  one(sepa, { remittanceInformationUnstructuredArray: [] }, '/remittanceInformationUnstructuredArray'),
  one(sepa, { remittanceInformationUnstructuredArray: 'Order 1' }, '/remittanceInformationUnstructuredArray'),
  one(
    sepa,
    { remittanceInformationUnstructuredArray: [['Order 1']] },
    '/remittanceInformationUnstructuredArray/0',
  ),
  one(
    sepa,
    { remittanceInformationUnstructuredArray: ['Order 1', x(141)] },
    '/remittanceInformationUnstructuredArray/1',
  ),
  one(sepa, { remittanceInformationStructured: { reference: x(35), referenceType: 'SCOR' } }, lawful),
  one(
    sepa,
    { remittanceInformationStructured: { reference: x(36) } },
    '/remittanceInformationStructured/reference',
  ),
  one(sepa, { remittanceInformationStructured: {} }, '/remittanceInformationStructured/reference'),
  one(
    sepa,
    { remittanceInformationStructured: { reference: 'R', referenceIssuer: x(36) } },
    '/remittanceInformationStructured/referenceIssuer',
  ),
  one(
    sepa,
    { remittanceInformationStructured: { reference: 'R', referenceType: 1 } },
    '/remittanceInformationStructured/referenceType',
  ),
  one(sepa, { remittanceInformationStructured: [{ reference: 'R' }] }, '/remittanceInformationStructured'),
  one(sepa, { remittanceInformationStructured: null }, '/remittanceInformationStructured'),
  // Guidelines 11.1 have an object. Most banks of 1.3.6 run the software whose own file has a text, so from there on both go.
  one(
    sepa,
    { remittanceInformationStructured: 'RF18539007547034' },
    { '1.3.2': '/remittanceInformationStructured', '1.3.6': lawful },
  ),
  second(
    sepa,
    { remittanceInformationStructured: 'RF18539007547034' },
    { '1.3.2': '/payments/1/remittanceInformationStructured', '1.3.6': lawful },
  ),
  one(sepa, { remittanceInformationStructured: x(141) }, '/remittanceInformationStructured'),
  one(sepa, { remittanceInformationStructuredArray: [{ reference: 'R1' }, { reference: 'R2' }] }, lawful),
  one(sepa, { remittanceInformationStructuredArray: [] }, '/remittanceInformationStructuredArray'),
  one(sepa, { remittanceInformationStructuredArray: ['R1'] }, '/remittanceInformationStructuredArray/0'),
  one(
    sepa,
    { remittanceInformationStructuredArray: [[{ reference: 'R1' }]] },
    '/remittanceInformationStructuredArray/0',
  ),
  one(
    sepa,
    { remittanceInformationStructuredArray: [{ reference: 'R1' }, { referenceType: 'SCOR' }] },
    '/remittanceInformationStructuredArray/1/reference',
  ),
];

const codes: Row[] = [
  one(abroad, { chargeBearer: 'SHAR' }, lawful),
  one(sepa, { chargeBearer: 'SLEV' }, lawful),
  one(abroad, { chargeBearer: 'shar' }, '/chargeBearer'),
  one(abroad, { chargeBearer: 'OURS' }, '/chargeBearer'),
  one(abroad, { chargeBearer: ['SHAR'] }, '/chargeBearer'),
  one(sepa, { purposeCode: 'SALA' }, lawful),
  // The list of ISO 20022 grows by itself; the file has that of 2018.
  one(sepa, { purposeCode: 'ZZZZ' }, lawful),
  one(sepa, { purposeCode: 'sala' }, '/purposeCode'),
  one(sepa, { purposeCode: 'SALAR' }, '/purposeCode'),
  one(sepa, { serviceLevel: 'SEPA' }, lawful),
  one(sepa, { serviceLevel: { code: 'SEPA' } }, '/serviceLevel'),
  second(sepa, { serviceLevel: '' }, '/payments/1/serviceLevel'),
];

const days: Row[] = [
  one(sepa, { requestedExecutionDate: '2026-11-28' }, lawful),
  one(sepa, { requestedExecutionDate: '2028-02-29' }, lawful),
  one(sepa, { requestedExecutionDate: '2027-02-29' }, '/requestedExecutionDate'),
  one(sepa, { requestedExecutionDate: '29.11.2026' }, '/requestedExecutionDate'),
  one(sepa, { requestedExecutionDate: '2026-12-1' }, '/requestedExecutionDate'),
  one(sepa, { requestedExecutionDate: '2026-12-01T00:00:00Z' }, '/requestedExecutionDate'),
  one(sepa, { requestedExecutionDate: 20261201 }, '/requestedExecutionDate'),
  one(sepa, { requestedExecutionDate: null }, '/requestedExecutionDate'),
  one(sepa, { requestedExecutionTime: '2026-12-01T10:00:00Z' }, lawful),
  one(sepa, { requestedExecutionTime: '2026-12-01T10:00:00.5+01:00' }, lawful),
  // ISODateTime of the guidelines may be local; date-time of the file may not.
  one(sepa, { requestedExecutionTime: '2026-12-01T10:00:00' }, lawful),
  one(sepa, { requestedExecutionTime: '2026-12-01' }, '/requestedExecutionTime'),
  one(sepa, { requestedExecutionTime: '10:00' }, '/requestedExecutionTime'),
  one(sepa, { requestedExecutionTime: '2026-12-01T25:00:00Z' }, '/requestedExecutionTime'),
  one(sepa, { requestedExecutionTime: '2027-02-30T10:00:00Z' }, '/requestedExecutionTime'),
  one(
    sepa,
    { requestedExecutionDate: '2026-12-01', requestedExecutionTime: '2026-12-01T10:00:00Z' },
    '/requestedExecutionTime',
  ),
  front(sepa, { requestedExecutionDate: '2026-12-01' }, lawful),
  front(sepa, { requestedExecutionDate: 'tomorrow' }, '/requestedExecutionDate'),
  front(
    sepa,
    { requestedExecutionDate: '2026-12-01', requestedExecutionTime: '2026-12-01T10:00:00Z' },
    '/requestedExecutionTime',
  ),
  // They exclude each other whatever the service.
  standing(
    sepa,
    { requestedExecutionDate: '2026-12-01', requestedExecutionTime: '2026-12-01T10:00:00Z' },
    '/requestedExecutionTime',
  ),
  second(sepa, { requestedExecutionDate: '2026-12-01' }, '/payments/1/requestedExecutionDate'),
  second(sepa, { requestedExecutionTime: '2026-12-01T10:00:00Z' }, '/payments/1/requestedExecutionTime'),
];

// 5.3.4, 11.3.
const bulks: Row[] = [
  front(sepa, { payments: undefined }, '/payments'),
  front(sepa, { payments: [] }, '/payments'),
  front(sepa, { payments: null }, '/payments'),
  front(sepa, { payments: transfer }, '/payments'),
  front(sepa, { payments: [null] }, '/payments/0'),
  front(sepa, { payments: [transfer, 'x'] }, '/payments/1'),
  front(sepa, { payments: [[transfer]] }, '/payments/0'),
  front(sepa, { batchBookingPreferred: true }, lawful),
  front(sepa, { batchBookingPreferred: false }, lawful),
  front(sepa, { batchBookingPreferred: 'true' }, '/batchBookingPreferred'),
  front(sepa, { batchBookingPreferred: 1 }, '/batchBookingPreferred'),
  front(sepa, { batchBookingPreferred: null }, '/batchBookingPreferred'),
  front(sepa, { paymentInformationId: x(35) }, lawful),
  front(sepa, { paymentInformationId: x(36) }, '/paymentInformationId'),
  front(sepa, { paymentInformationId: '' }, '/paymentInformationId'),
  front(sepa, { paymentInformationId: 5 }, '/paymentInformationId'),
  second(sepa, { debtorAccount }, '/payments/1/debtorAccount'),
];

// 5.3.3, 14.18.
const standingOrders: Row[] = [
  standing(sepa, { startDate: undefined }, '/startDate'),
  standing(sepa, { startDate: '2026-11-28' }, lawful),
  standing(sepa, { startDate: '01/12/2026' }, '/startDate'),
  standing(sepa, { startDate: null }, '/startDate'),
  standing(sepa, { endDate: '2026-12-01' }, lawful),
  standing(sepa, { endDate: '2026-11-30' }, '/endDate'),
  standing(sepa, { endDate: '9999-12-31' }, lawful),
  standing(sepa, { endDate: '2027-13-01' }, '/endDate'),
  standing(sepa, { frequency: undefined }, '/frequency'),
  standing(sepa, { frequency: 'EveryTwoWeeks' }, lawful),
  standing(sepa, { frequency: 'monthly' }, '/frequency'),
  standing(sepa, { frequency: 'Hourly' }, '/frequency'),
  standing(sepa, { frequency: ['Monthly'] }, '/frequency'),
  standing(sepa, { executionRule: 'preceding' }, lawful),
  standing(sepa, { executionRule: 'Preceding' }, '/executionRule'),
  standing(sepa, { executionRule: null }, '/executionRule'),
  standing(sepa, { dayOfExecution: '31' }, lawful),
  standing(sepa, { dayOfExecution: '32' }, '/dayOfExecution'),
  standing(sepa, { dayOfExecution: '0' }, '/dayOfExecution'),
  standing(sepa, { dayOfExecution: '01' }, '/dayOfExecution'),
  standing(sepa, { dayOfExecution: 1 }, '/dayOfExecution'),
  // MonthlyVariable came with 1.3.6.
  standing(
    sepa,
    { frequency: 'MonthlyVariable', monthsOfExecution: ['1', '4', '10'] },
    { '1.3.2': '/frequency', '1.3.6': lawful },
  ),
  standing(sepa, { monthsOfExecution: ['1'] }, '/monthsOfExecution'),
  ...(
    [
      [undefined, '/monthsOfExecution'],
      [[], '/monthsOfExecution'],
      ['1', '/monthsOfExecution'],
      [['1', '1'], '/monthsOfExecution'],
      [['1', '2', '3', '4', '5', '6', '7', '8', '9', '10', '11', '12'], '/monthsOfExecution'],
      [[1], '/monthsOfExecution/0'],
      [['1', '13'], '/monthsOfExecution/1'],
      [['01'], '/monthsOfExecution/0'],
      [[['1']], '/monthsOfExecution/0'],
    ] as const
  ).map(([monthsOfExecution, verdict]) =>
    standing(sepa, { frequency: 'MonthlyVariable', monthsOfExecution }, { '1.3.6': verdict }),
  ),
];

// Guidelines 4.1: a bank may have members of its own, so that a member that nobody knows refuses no payment.
const unknown: Row[] = [
  one(sepa, { anything: 1 }, lawful),
  one(sepa, { constructor: 'x' }, lawful),
  one(sepa, { ['__proto__']: { iban: 'x' } }, lawful),
  one(sepa, { startDate: '2026-12-01', frequency: 'Monthly' }, lawful),
  front(sepa, { creditorName: 'Marchand' }, lawful),
  second(sepa, { note: null }, lawful),
  standing(sepa, { note: [[[]]] }, lawful),
];

/** Whole bodies, texts, codes, days, bulks, standing orders, and members that nobody knows. */
export const ofMembers: readonly Row[] = [
  ...[asTheyShouldBe, bodies, texts, remittances, codes, days, bulks, standingOrders, unknown],
].flat();

/** What one or two of the three say beyond the others, and why; `at` is where they refuse. */
const onlyBy = (judges: readonly string[], at: string, { verdict: _, ...of }: Row) => {
  const saidBy = (judge: string) => (judges.includes(judge) ? at : lawful);
  return { ...of, said: { lint: saidBy('lint'), referee: saidBy('referee'), bank: saidBy('bank') } };
};

/** Bodies on which the three differ, for a reason. */
export const byOneOnly = [
  // The day of the bank may be another one, so lint only warns of a day that has passed.
  ...(
    [
      ['requestedExecutionDate', one(sepa, { requestedExecutionDate: '2026-11-27' }, '')],
      ['requestedExecutionTime', one(sepa, { requestedExecutionTime: '2026-11-27T23:00:00Z' }, '')],
      ['requestedExecutionDate', front(sepa, { requestedExecutionDate: '2020-01-01' }, '')],
      ['startDate', standing(sepa, { startDate: '2026-11-27' }, '')],
    ] as const
  ).map(([at, of]) => onlyBy(['referee', 'bank'], at, of)),
  // The creditor proves the check digits of a reference, no bank does.
  onlyBy(
    ['lint'],
    'remittanceInformationStructured.reference',
    one(sepa, { remittanceInformationStructured: { reference: 'RF81539007547034' } }, ''),
  ),
  onlyBy(
    ['lint'],
    'payments[1].remittanceInformationStructured.reference',
    second(sepa, { remittanceInformationStructured: { reference: 'RF81539007547034' } }, ''),
  ),
  // The file has three capitals; which of them are money is the bank's own.
  onlyBy(
    ['bank'],
    'instructedAmount.currency',
    one(abroad, { instructedAmount: { currency: 'QQQ', amount: '5' } }, ''),
  ),
];
