import { describe, expect, it } from 'vitest';
import { InteractionNeeded, ObkError } from '../../../../src/base/errors.ts';
import { fingerprintOf, readOrder } from '../../../../src/client/orders/read-order.ts';
import { fieldFault, missingFields } from '../../../../src/client/orders/payment-fields.ts';
import type { PaymentFields } from '../../../../src/client/orders/payment-fields.ts';
import { buildPayment } from '../../../../src/client/orders/single-body.ts';

const hash = '0123456789abcdef'.repeat(4);
const whole: PaymentFields = {
  debtor: 'DE40100100103307118608',
  creditorAccount: 'DE02100100109307118603',
  creditorName: 'Shop',
  amount: '12.50',
};
const sepa = { service: 'payments', product: 'sepa-credit-transfers' };

const build = (more: Partial<PaymentFields> = {}) =>
  buildPayment(sepa, { ...whole, ...more }, { intentHash: hash });
const bodyOf = (order: { bytes: Uint8Array }) =>
  JSON.parse(Buffer.from(order.bytes).toString('utf8')) as unknown;

function failure(work: () => unknown): ObkError {
  try {
    work();
  } catch (error) {
    if (error instanceof ObkError) return error;
    throw error;
  }
  throw new Error('it should have failed');
}

describe('a payment made from fields', () => {
  it('has exactly what was given, and an id from the intent by which it can be found', () => {
    expect(bodyOf(build())).toEqual({
      endToEndIdentification: 'OBK0123456789ABCDEF0123456789ABC',
      debtorAccount: { iban: 'DE40100100103307118608' },
      instructedAmount: { currency: 'EUR', amount: '12.50' },
      creditorAccount: { iban: 'DE02100100109307118603' },
      creditorName: 'Shop',
    });
  });

  it('has the same id for the same intent, and another for another', () => {
    const other = buildPayment(sepa, whole, { intentHash: 'f'.repeat(64) });
    expect(bodyOf(build())).toEqual(bodyOf(build()));
    expect(other.endToEndIdentification).not.toBe(build().endToEndIdentification);
    expect(other.endToEndIdentification?.length).toBeLessThanOrEqual(35);
  });

  it.each([
    ['sepa-credit-transfers', true],
    ['instant-sepa-credit-transfers', true],
    ['target-2-payments', true],
    ['cross-border-credit-transfers', false],
  ])('carries that id in %s: %s', (product, has) => {
    const body = bodyOf(buildPayment({ service: 'payments', product }, whole, { intentHash: hash }));
    expect(Object.hasOwn(body as object, 'endToEndIdentification')).toBe(has);
  });

  it('keeps the id of the caller', () => {
    expect(build({ endToEndId: 'order-4711' }).endToEndIdentification).toBe('order-4711');
  });

  it('writes accounts, currency and amount as the interface requires', () => {
    const order = build({
      debtor: 'de40 1001 0010 3307 1186 08',
      currency: 'eur',
      amount: '12.5',
      remittance: 'Invoice 7',
    });
    expect(bodyOf(order)).toMatchObject({
      debtorAccount: { iban: 'DE40100100103307118608' },
      instructedAmount: { currency: 'EUR', amount: '12.50' },
      remittanceInformationUnstructured: 'Invoice 7',
    });
    expect(order.summary).toEqual({
      amount: '12.50',
      currency: 'EUR',
      creditorName: 'Shop',
      creditorAccount: 'DE02100100109307118603',
      debtorAccount: 'DE40100100103307118608',
    });
  });

  it('reports everything that is missing at once', () => {
    const error = failure(() => buildPayment(sepa, {}, { intentHash: hash }));
    expect(error).toBeInstanceOf(InteractionNeeded);
    expect(error.exit).toBe(2);
    expect(error).toMatchObject({
      flags: ['--debtor', '--creditor-name', '--creditor-account', '--amount'],
    });
    expect(missingFields({ ...whole, amount: '' })).toEqual(['amount']);
  });

  it.each<[keyof PaymentFields, string, string]>([
    ['amount', '1,00', 'the decimal separator is a dot'],
    ['amount', '1e3', 'an exponent is not allowed'],
    ['amount', '-5', 'it is negative'],
    ['amount', '0', 'it is zero'],
    ['amount', '0.00', 'it is zero'],
    ['amount', '1.001', 'EUR has at most 2 decimals'],
    ['amount', '1.0000', 'more than 3 decimals'],
    ['amount', ' 1', 'blanks'],
    ['amount', '0x10', 'not a decimal number'],
    ['amount', '999999999999999', 'more than 14 digits'],
    ['amount', 'NaN', 'not a decimal number'],
    ['debtor', 'DE41100100103307118608', 'check digits are wrong'],
    ['creditorAccount', 'DE0210010010930711860', 'not the length'],
    ['creditorAccount', 'XX02100100109307118603', 'not a country that uses IBANs'],
    ['creditorAccount', 'DE02100100109307118603!', 'letters and digits only'],
    ['creditorName', 'x'.repeat(71), '71 characters, at most 70 are allowed'],
    ['creditorName', 'a\u001b[2J', 'control characters'],
    ['creditorName', '   ', 'it is empty'],
    ['remittance', 'x'.repeat(141), '141 characters, at most 140 are allowed'],
    ['endToEndId', 'x'.repeat(36), '36 characters, at most 35 are allowed'],
    ['currency', 'EURO', 'three letters'],
    ['currency', '€', 'three letters'],
  ])('is refused with %s %j', (field, value, why) => {
    const error = failure(() => build({ [field]: value }));
    expect(error).toMatchObject({ code: 'INPUT_INVALID', exit: 2 });
    expect(error.detail).toContain(why);
    expect(fieldFault(field, value)).toContain(why);
  });

  it.each([
    ['12,50', ['--amount 12.50']],
    ['7,5', ['--amount 7.5']],
    // One thousand, or one: only who typed it knows.
    ['1,250', []],
    ['1.250,00', ['--amount 1250.00']],
  ])('shows an amount of %s as %j', (amount, hint) => {
    expect(failure(() => build({ amount })).hint).toEqual(hint);
  });

  it('reports every fault at once', () => {
    const { detail } = failure(() =>
      build({ amount: '1,00', creditorAccount: 'DE', endToEndId: 'x'.repeat(36) }),
    );
    expect(detail?.split('\n').map((line) => line.split(' ')[0])).toEqual([
      '--creditor-account',
      '--amount',
      '--end-to-end-id',
    ]);
  });

  it.each([
    ['100', 'JPY', true],
    ['100.5', 'JPY', false],
    ['1.234', 'KWD', true],
    ['1.2345', 'KWD', false],
  ])('is checked for decimals: %s %s fits its currency: %s', (amount, currency, fits) => {
    expect(fieldFault('amount', amount, { currency }) === undefined).toBe(fits);
  });

  it.each([
    ['bulk-payments', 'sepa-credit-transfers'],
    ['payments', 'pain.001-sepa-credit-transfers'],
  ])('is never made for %s/%s', (service, product) => {
    expect(failure(() => buildPayment({ service, product }, whole, { intentHash: hash }))).toMatchObject({
      code: 'USAGE',
      exit: 2,
    });
  });
});

describe('a payment given as a file', () => {
  const text =
    '{ "creditorName":"Shop", "instructedAmount":{"amount":"12.5","currency":"EUR"},\r\n "x": 1e2 }';
  const read = (source: string | Uint8Array) => readOrder(sepa, Buffer.from(source));

  it('keeps its bytes', () => {
    const order = read(text);
    expect(Buffer.from(order.bytes).toString()).toBe(text);
    expect(order.summary).toEqual({ amount: '12.5', currency: 'EUR', creditorName: 'Shop' });
  });

  it('may contain less than obk would ask for: the bank decides', () => {
    expect(read('{}').summary).toEqual({});
  });

  it.each([
    ['', 'ends too early'],
    ['[]', undefined],
    ['"x"', undefined],
    ['{"a":1,"a":2}', 'occurs twice'],
    ['{"a":', 'ends too early'],
    ['\ufeff\ufeff{}', 'not expected'],
    ['[['.repeat(40), 'nested deeper'],
  ])('is refused as JSON: %j', (source, why) => {
    const error = failure(() => read(source));
    expect(error).toMatchObject({ code: 'INPUT_INVALID', exit: 2 });
    if (why !== undefined) expect(error.detail).toContain(why);
  });

  it('is refused where it is not UTF-8', () => {
    expect(failure(() => read(Uint8Array.from([0x7b, 0xff, 0x7d])))).toMatchObject({ exit: 2 });
  });

  it.each([
    '{"instructedAmount":{"currency":"EUR","amount":12.5}}',
    '{"instructedAmount":{"amount":"12.50"}}',
    '{"instructedAmount":"12.50 EUR"}',
    '{"instructedAmount":{"currency":"EUR","amount":"1,00"}}',
    '{"instructedAmount":{"currency":"EUR","amount":"-5"}}',
    '{"instructedAmount":{"currency":"EUR","amount":"1.001"}}',
  ])('is refused with an amount that is not one: %s', (source) => {
    expect(failure(() => read(source))).toMatchObject({ code: 'INPUT_INVALID', exit: 2 });
  });

  it.each([
    [
      'another order of members and other blanks',
      '{"x":1e2,"instructedAmount":{"currency":"EUR","amount":"12.5"},"creditorName":"Shop"}',
      true,
    ],
    ['another number text', text.replace('1e2', '100'), false],
    ['another amount', text.replace('12.5', '12.6'), false],
    ['a further member', text.replace('"x"', '"y":null, "x"'), false],
    ['another order in a list', text.replace('1e2', '[1,2]'), false],
  ])('is the same body with %s: %s', (_, other, same) => {
    expect(read(other).bodyHash === read(text).bodyHash).toBe(same);
  });

  it.each<[string, string, boolean]>([
    ['members in another order', '{"payments":[{"x":2,"y":"a"},{"x":3}],"debtorName":"D"}', true],
    ['another payment', '{"debtorName":"D","payments":[{"y":"a","x":2},{"x":4}]}', false],
    ['the payments in another order', '{"debtorName":"D","payments":[{"x":3},{"y":"a","x":2}]}', false],
    ['one payment less', '{"debtorName":"D","payments":[{"y":"a","x":2}]}', false],
    ['another head', '{"debtorName":"E","payments":[{"y":"a","x":2},{"x":3}]}', false],
  ])('is the same bulk with %s: %s', (_, other, same) => {
    const hashOf = (text: string) =>
      readOrder({ service: 'bulk-payments', product: 'sepa-credit-transfers' }, Buffer.from(text)).bodyHash;
    expect(hashOf(other) === hashOf('{"debtorName":"D","payments":[{"y":"a","x":2},{"x":3}]}')).toBe(same);
  });

  it('is another body for another product', () => {
    const bytes = Buffer.from('{}');
    expect(readOrder({ service: 'payments', product: 'target-2-payments' }, bytes).bodyHash).not.toBe(
      read(bytes).bodyHash,
    );
  });
});

describe('the comparison of content', () => {
  const print = (more: Partial<PaymentFields> = {}) => fingerprintOf(build(more));

  it.each<[string, Partial<PaymentFields>]>([
    ['another id', { endToEndId: 'other' }],
    ['an IBAN in groups', { debtor: 'DE40 1001 0010 3307 1186 08' }],
    ['another writing of the amount', { amount: '12.5' }],
    ['a blank after the text', { remittance: ' ' }],
  ])('finds the same payment through %s', (_, more) => {
    if (more.remittance !== undefined) {
      expect(print({ remittance: 'a ' })).toBe(print({ remittance: 'a' }));
      return;
    }
    expect(print(more)).toBe(print());
  });

  it('finds the same payment in a file written differently', () => {
    const file = {
      debtorAccount: { iban: 'de40100100103307118608' },
      instructedAmount: { currency: 'EUR', amount: '12.5' },
      creditorAccount: { iban: 'DE02 1001 0010 9307 1186 03' },
      creditorName: 'Shop',
    };
    expect(fingerprintOf(readOrder(sepa, Buffer.from(JSON.stringify(file))))).toBe(print());
  });

  it.each<[keyof PaymentFields, string]>([
    ['amount', '12.51'],
    ['currency', 'USD'],
    ['remittance', 'second rate'],
    ['creditorName', 'Shop 2'],
    ['creditorAccount', 'DE40100100103307118608'],
    ['debtor', 'DE02100100109307118603'],
  ])('finds another payment through another %s', (field, value) => {
    expect(print({ [field]: value })).not.toBe(print());
  });

  it('does not mix up neighbouring members', () => {
    const a = readOrder(sepa, Buffer.from('{"creditorName":"ab","remittanceInformationUnstructured":"c"}'));
    const b = readOrder(sepa, Buffer.from('{"creditorName":"a","remittanceInformationUnstructured":"bc"}'));
    expect(fingerprintOf(a)).not.toBe(fingerprintOf(b));
  });
});
