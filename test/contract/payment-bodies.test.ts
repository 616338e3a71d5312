// One verdict for the body of a payment: of `payment lint`, of the referee and of the built-in bank. Typed by hand from the
// genuine file of each framework; e is an error, w a warning of lint, and - nothing.
import { describe, expect, it } from 'vitest';
import { lintJsonPayment } from '../../src/flows/orders/lint-json.ts';
import { paymentBody } from '../../src/referee/body/payment.ts';
import { Findings } from '../../src/referee/finding.ts';
import { readJsonOrder } from '../../src/sandbox/payments/order-json.ts';
import { readJson } from '../../src/xs2a/json.ts';
import type { JsonProduct, PaymentService } from '../../src/xs2a/products.ts';
import { presets } from '../../src/xs2a/variants.ts';

const today = '2026-11-28';
const debtorAccount = { iban: 'DE89370400440532013000' };
const entry = {
  instructedAmount: { currency: 'EUR', amount: '1.00' },
  creditorAccount: { iban: 'NL91ABNA0417164300' },
  creditorName: 'Shop',
};
type Verdict = 'e' | 'w' | '-';
type Row = [what: string, service: PaymentService, product: JsonProduct, body: object, Verdict, Verdict];

const single = (
  what: string,
  change: object,
  in132: Verdict,
  in136 = in132,
  product: JsonProduct = 'sepa-credit-transfers',
): Row => [what, 'payments', product, { debtorAccount, ...entry, ...change }, in132, in136];
const bulk = (what: string, front: object, in132: Verdict, change: object = {}): Row => [
  ...([what, 'bulk-payments', 'sepa-credit-transfers'] as const),
  { debtorAccount, payments: [{ ...entry, ...change }], ...front },
  ...([in132, in132] as const),
];
const amount = (value: unknown, currency: unknown = 'EUR') => ({
  instructedAmount: { currency, amount: value },
});

const rows: Row[] = [
  single('nothing of note', {}, '-'),
  bulk('nothing of note in a bulk', {}, '-'),
  // the eight of which the three had judged differently
  single('USD in target-2-payments', amount('1.00', 'USD'), 'e', 'e', 'target-2-payments'),
  bulk('batchBookingPreferred as a text', { batchBookingPreferred: 'true' }, 'e'),
  bulk('paymentInformationId of 36 characters', { paymentInformationId: 'x'.repeat(36) }, 'e'),
  single('a BIC in small letters', { creditorAgent: 'deutdeff' }, 'e'),
  single('a creditor by BBAN alone', { creditorAccount: { bban: '123456' } }, 'w'),
  single('a structured reference as a text', { remittanceInformationStructured: 'R1' }, 'e', 'w'),
  single('1,000,000,000.00', amount('1000000000.00'), 'w'),
  single('the country ZZ', { creditorAddress: { country: 'ZZ' } }, 'w'),
  // their brothers
  single('USD in SEPA', amount('1.00', 'USD'), 'e'),
  single('USD in instant SEPA', amount('1.00', 'USD'), 'e', 'e', 'instant-sepa-credit-transfers'),
  single('USD across borders', amount('1.00', 'USD'), '-', '-', 'cross-border-credit-transfers'),
  single('a currency in small letters', amount('1.00', 'eur'), 'e'),
  single('a currency as a number', amount('1.00', 978), 'e'),
  single('an amount as a number', amount(1.5), 'e'),
  single('a creditor by a BBAN of 31', { creditorAccount: { bban: 'x'.repeat(31) } }, 'e'),
  single('a creditor by a BBAN with a blank', { creditorAccount: { bban: '12 34' } }, 'e'),
  single('an IBAN in small letters', { creditorAccount: { iban: 'nl91abna0417164300' } }, 'e'),
  single('an IBAN with blanks', { debtorAccount: { iban: 'DE89 3704 0044 0532 0130 00' } }, 'e'),
  single('two numbers of one account', { creditorAccount: { ...entry.creditorAccount, bban: '1' } }, 'e'),
  single('a BIC of nine', { creditorAgent: 'DEUTDEFF5' }, 'e'),
  bulk('a BIC in small letters in a bulk', {}, 'e', { creditorAgent: 'deutdeff' }),
  bulk('batchBookingPreferred as 1', { batchBookingPreferred: 1 }, 'e'),
  bulk('batchBookingPreferred', { batchBookingPreferred: true }, '-'),
  bulk('paymentInformationId as a number', { paymentInformationId: 5 }, 'e'),
  single('a text in an array of references', { remittanceInformationStructuredArray: ['R1'] }, 'e'),
  single('a country in small letters', { creditorAddress: { country: 'de' } }, 'e'),
  single('endToEndIdentification of 36', { endToEndIdentification: 'x'.repeat(36) }, 'e'),
  single('endToEndIdentification as a number', { endToEndIdentification: 5 }, 'e'),
];

describe.each(['v1', 'v136'] as const)('in the framework of %s', (variant) => {
  const { framework } = presets[variant];
  it.each(rows)('%s', (_what, service, product, body, in132, in136) => {
    const due = variant === 'v1' ? in132 : in136;
    const terms = { service, product, framework, today };
    const json = readJson(Buffer.from(JSON.stringify(body)));
    const { findings } = lintJsonPayment(json, { ...terms, strict: false });
    const isError = findings.some(({ severity }) => severity === 'error');
    expect(isError ? 'e' : findings.length > 0 ? 'w' : '-', JSON.stringify(findings)).toBe(due);
    const found = new Findings(framework, undefined);
    paymentBody(terms)(json, '', found);
    expect(found.list.some(({ severity }) => severity === 'error')).toBe(due === 'e');
    const scenario = { conditionalFields: 'optional', otherFields: 'accept' } as const;
    const read = () => readJsonOrder(json, { ...terms, scenario });
    if (due === 'e') expect(read).toThrow();
    else expect(read).not.toThrow();
  });
});
