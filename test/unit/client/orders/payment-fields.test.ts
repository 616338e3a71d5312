import { describe, expect, it } from 'vitest';
import { addressOf } from '../../../../src/client/orders/field-parts.ts';
import { readBulkCsv, buildBulk } from '../../../../src/client/orders/bulk-body.ts';
import { buildPain, readPainOrder } from '../../../../src/client/orders/pain-body.ts';
import { fingerprintOf } from '../../../../src/client/orders/read-order.ts';
import { fieldFault, fieldFits, missingFields } from '../../../../src/client/orders/payment-fields.ts';
import type { FieldName, PaymentFields } from '../../../../src/client/orders/payment-fields.ts';
import { buildPayment } from '../../../../src/client/orders/single-body.ts';

const hash = '0123456789abcdef'.repeat(4);
const whole: PaymentFields = {
  debtor: 'DE40100100103307118608',
  creditorAccount: 'DE02100100109307118603',
  creditorName: 'Shop',
  amount: '12.50',
};
const days: PaymentFields = { startDate: '2027-01-01', frequency: 'monthly' };
const bodyOf = (order: { bytes: Uint8Array }) => JSON.parse(Buffer.from(order.bytes).toString()) as unknown;
const terms = { framework: '1.3.2', intentHash: hash, now: '2026-11-21T10:00:00.000Z' } as const;

describe('the fields of a payment', () => {
  it.each<[FieldName, string, string | undefined]>([
    ['creditorAccount', 'bban:0532013000', undefined],
    ['creditorAccount', 'bban:05/32', 'letters and digits'],
    ['creditorAgent', 'COBADEFF', undefined],
    ['creditorAgent', 'COBA', 'not a BIC'],
    ['chargeBearer', 'shar', undefined],
    ['chargeBearer', 'ALL', 'not one of DEBT'],
    ['creditorAddress', 'city=Leeds;country=GB', undefined],
    ['creditorAddress', 'city=Leeds', 'needs a country'],
    ['creditorAddress', 'town=Leeds;country=GB', 'its parts are'],
    ['creditorAddress', 'city=A;city=B;country=GB', 'twice'],
    ['executionDate', '2026-02-30', 'no such day'],
    ['frequency', 'monthly', undefined],
    ['frequency', 'hourly', 'not one of Daily'],
    ['dayOfExecution', '31', undefined],
    ['dayOfExecution', '32', '1 to 31'],
    ['months', '3,6, 9', undefined],
    ['months', '3,3', 'different months'],
    ['months', '13', 'different months'],
  ])('are checked: %s %j', (name, value, why) => {
    const fault = fieldFault(name, value);
    if (why === undefined) expect(fault).toBeUndefined();
    else expect(fault).toContain(why);
  });

  it('belong to their service', () => {
    expect(missingFields({}, 'bulk-payments')).toEqual(['debtor']);
    expect(missingFields(whole, 'periodic-payments')).toEqual(['startDate', 'frequency']);
    expect(fieldFits('startDate', 'payments')).toBe(false);
    expect(fieldFits('amount', 'bulk-payments')).toBe(false);
    expect(fieldFits('executionDate', 'periodic-payments')).toBe(false);
  });

  it('have the names of the framework in an address', () => {
    const text = 'street=High Street;number=7;city=Leeds;postcode=LS1;country=gb';
    expect(addressOf(text, '1.3.2')).toEqual({
      street: 'High Street',
      buildingNumber: '7',
      city: 'Leeds',
      postalCode: 'LS1',
      country: 'GB',
    });
    expect(addressOf(text, '1.3.6')).toMatchObject({
      streetName: 'High Street',
      townName: 'Leeds',
      postCode: 'LS1',
    });
  });
});

describe('a single payment', () => {
  const cross = 'cross-border-credit-transfers';

  it.each<[string, PaymentFields, string]>([
    ['sepa-credit-transfers', { chargeBearer: 'SHAR' }, 'no chargeBearer'],
    ['sepa-credit-transfers', { debtorName: 'Me' }, 'no debtorName'],
    ['sepa-credit-transfers', { creditorAccount: 'bban:1' }, 'go to an IBAN'],
    [cross, { endToEndId: 'x' }, 'no endToEndIdentification'],
  ])('is refused in the product %s with %j', (product, more, why) => {
    expect(() =>
      buildPayment({ service: 'payments', product }, { ...whole, ...more }, { intentHash: hash }),
    ).toThrow(
      expect.objectContaining({ code: 'INPUT_INVALID', detail: expect.stringContaining(why) as string }),
    );
  });

  it('has a national number, a bank and charges where it crosses borders', () => {
    const more = { creditorAccount: 'bban:0532013000', creditorAgent: 'CHASUS33', chargeBearer: 'debt' };
    const body = bodyOf(
      buildPayment({ service: 'payments', product: cross }, { ...whole, ...more }, { intentHash: hash }),
    );
    expect(body).toMatchObject({
      creditorAccount: { bban: '0532013000' },
      creditorAgent: 'CHASUS33',
      chargeBearer: 'DEBT',
    });
    expect(body).not.toHaveProperty('endToEndIdentification');
  });

  it('passes further members through unchanged, and reports those outside the product', () => {
    const set = ['purposeCode="SALA"', 'x={"n":1.50}'];
    const order = buildPayment({ service: 'payments', product: 'sepa-credit-transfers' }, whole, {
      intentHash: hash,
      framework: '1.3.2',
      set,
    });
    expect(Buffer.from(order.bytes).toString()).toContain('"x":{"n":1.50}');
    expect(order.outside).toEqual(['purposeCode', 'x']);
    const wrong = { framework: '1.3.2', set: ['purposeCode=SALA'] } as const;
    expect(() =>
      buildPayment({ service: 'payments', product: 'sepa-credit-transfers' }, whole, {
        intentHash: hash,
        ...wrong,
      }),
    ).toThrow('--set');
  });
});

describe('a standing order', () => {
  const build = (more: PaymentFields = {}, framework: '1.3.2' | '1.3.6' = '1.3.6') =>
    buildPayment(
      { service: 'periodic-payments', product: 'sepa-credit-transfers' },
      { ...whole, ...days, ...more },
      { intentHash: hash, framework },
    );

  it('states when it runs', () => {
    const more = { endDate: '2027-12-31', executionRule: 'Following', dayOfExecution: '05' };
    expect(bodyOf(build(more))).toMatchObject({
      creditorName: 'Shop',
      startDate: '2027-01-01',
      endDate: '2027-12-31',
      frequency: 'Monthly',
      executionRule: 'following',
      dayOfExecution: '5',
    });
    expect(bodyOf(build({ frequency: 'MonthlyVariable', months: '3,6' }))).toMatchObject({
      monthsOfExecution: ['3', '6'],
    });
  });

  it('is another payment on other days', () => {
    expect(fingerprintOf(build({ startDate: '2027-02-01' }))).not.toBe(fingerprintOf(build()));
    expect(fingerprintOf(build({ startDate: '2027-01-01' }))).toBe(fingerprintOf(build()));
  });

  it.each<[PaymentFields, '1.3.2' | '1.3.6', string]>([
    [{ endDate: '2026-01-01' }, '1.3.6', '--end-date'],
    [{ months: '3' }, '1.3.6', 'MonthlyVariable alone'],
    [{ frequency: 'MonthlyVariable' }, '1.3.6', 'needs them'],
    [{ frequency: 'MonthlyVariable', months: '3' }, '1.3.2', '--frequency'],
  ])('is refused with %j in %s', (more, framework, why) => {
    expect(() => build(more, framework)).toThrow(
      expect.objectContaining({ detail: expect.stringContaining(why) as string }),
    );
  });
});

describe('a bulk payment', () => {
  const csv = (...rows: string[]) =>
    Buffer.from(['creditor_name,creditor_iban,amount,currency', ...rows].join('\n'));
  const shop = 'Shop,DE02100100109307118603,1.00,';
  const other = 'Other,DE89370400440532013000,2.50,USD';
  const head = { debtor: 'DE40100100103307118608' };
  const product = 'cross-border-credit-transfers';
  const csvTerms = (name: string, framework: '1.3.2' | '1.3.6' = '1.3.2') => ({
    product: name,
    framework,
    intentHash: hash,
  });

  it('joins the payments under one debtor, and counts them', async () => {
    const payments = await readBulkCsv(csv(shop, other), csvTerms('sepa-credit-transfers'));
    const order = buildBulk('sepa-credit-transfers', payments, { ...head, batchBooking: true });
    expect(bodyOf(order)).toMatchObject({
      batchBookingPreferred: true,
      debtorAccount: { iban: head.debtor },
      payments: [
        { creditorName: 'Shop', endToEndIdentification: 'OBK0123456789ABCDEF0123-1' },
        { creditorName: 'Other', endToEndIdentification: 'OBK0123456789ABCDEF0123-2' },
      ],
    });
    expect(order.summary).toEqual({
      count: 2,
      sums: [
        { currency: 'EUR', amount: '1.00' },
        { currency: 'USD', amount: '2.50' },
      ],
      debtorAccount: head.debtor,
    });
    expect(order.outside).toEqual([]);
  });

  it('is distinguished from another of the same count and sum', async () => {
    const print = async (...rows: string[]) =>
      fingerprintOf(buildBulk(product, await readBulkCsv(csv(...rows), csvTerms(product)), head));
    expect(await print(shop, other)).toBe(await print(shop, other));
    expect(await print(shop.replace('Shop', 'Shep'), other)).not.toBe(await print(shop, other));
  });

  const columns =
    'creditor_name,creditor_iban,amount,creditor_bic,creditor_street,creditor_number,creditor_postcode,creditor_city,creditor_country,charge_bearer';
  const abroad = 'Shop,bban:12345678,1.00,BARCGB22,High Street,7,LS1 1AA,Leeds,gb,shar';
  const rows = (...lines: string[]) => Buffer.from([columns, ...lines].join('\n'));

  it.each([
    [
      '1.3.2',
      { street: 'High Street', buildingNumber: '7', postalCode: 'LS1 1AA', city: 'Leeds', country: 'GB' },
    ],
    [
      '1.3.6',
      {
        streetName: 'High Street',
        buildingNumber: '7',
        postCode: 'LS1 1AA',
        townName: 'Leeds',
        country: 'GB',
      },
    ],
  ] as const)('has addresses by the names of %s, charge bearers and BBANs', async (framework, address) => {
    const [payment] = await readBulkCsv(rows(abroad), csvTerms(product, framework));
    expect(payment).toEqual({
      creditorName: 'Shop',
      creditorAccount: { bban: '12345678' },
      instructedAmount: { currency: 'EUR', amount: '1.00' },
      creditorAgent: 'BARCGB22',
      creditorAddress: address,
      chargeBearer: 'SHAR',
    });
  });

  it.each<[string, string[]]>([
    [
      'sepa-credit-transfers',
      [
        'line 2, charge_bearer "SHAR": sepa-credit-transfers has no chargeBearer',
        'line 2, creditor_iban "12345678": sepa-credit-transfers go to an IBAN',
      ],
    ],
    [
      'pain.001-target-2-payments',
      ['line 2, creditor_iban "12345678": pain.001-target-2-payments go to an IBAN'],
    ],
    ['pain.001-cross-border-credit-transfers', []],
  ])('reports for %s, with the line, what the product does not have', async (name, faults) => {
    const read = readBulkCsv(rows(abroad), csvTerms(name));
    if (faults.length === 0) await expect(read).resolves.toHaveLength(1);
    else await expect(read).rejects.toMatchObject({ detail: faults.join('\n') });
  });

  it("has structured references in the bank's form where the bank opened them", async () => {
    const file = (reference: string) =>
      Buffer.from(
        `creditor_name,creditor_iban,amount,creditor_reference\nShop,CH4431999123000889012,1.00,${reference}`,
      );
    const right = '21 00000 00003 13947 14300 09017';
    const structured = { reference: right.replaceAll(' ', ''), referenceType: 'QRR' };
    const xml = await readBulkCsv(file(right), csvTerms('pain.001-cross-border-credit-transfers'));
    expect(xml).toMatchObject([{ remittanceInformationStructured: structured }]);
    await expect(readBulkCsv(file(right), csvTerms(product))).rejects.toMatchObject({
      detail: `line 2, creditor_reference: ${product} has no remittanceInformationStructured`,
    });
    const forms = { members: ['remittanceInformationStructured'], remittanceStructured: 'string' } as const;
    const payments = await readBulkCsv(file(right), { ...csvTerms(product), forms });
    expect(bodyOf(buildBulk(product, payments, head, forms))).toMatchObject({
      payments: [{ remittanceInformationStructured: structured.reference }],
    });
    await expect(
      readBulkCsv(file('21 00000 00003 13947 14300 09016'), csvTerms(product)),
    ).rejects.toMatchObject({
      detail: expect.stringContaining('its check digit is 6, and 7 would be right') as string,
    });
  });

  it('reports every fault of a row, its cells and its product, with its value', async () => {
    const file = Buffer.from(
      'creditor_name;creditor_iban;amount;currency;charge_bearer;remittance;creditor_reference\n' +
        ';DE12;1,00;USD;OUR;x;RF18539007547034\nShop;DE89370400440532013000;1.00;EUR;SHAR;x;RF81539007547034\n' +
        'Shop;DE89370400440532013000;1000000000.00;EUR;;;\n',
    );
    const error = (await readBulkCsv(file, csvTerms('pain.001-sepa-credit-transfers')).catch(
      (one: unknown) => one,
    )) as { detail: string };
    for (const one of [
      /^line 2, amount "1,00": .*dot/m,
      /^line 2, creditor_iban "DE12": /m,
      /^line 2, creditor_name "": it is empty$/m,
      /^line 2, creditor_reference "RF18539007547034": .* not both$/m,
      /^line 2, charge_bearer "OUR": /m,
      /^line 2, currency "USD": SEPA credit transfers are in EUR$/m,
      /^line 3, charge_bearer "SHAR": /m,
      /^line 4, amount "1000000000\.00": SEPA moves at most 999999999\.99 EUR/m,
      /^line 3, creditor_reference "RF81539007547034": .*18 would be right/m,
    ])
      expect(error.detail).toMatch(one);
    expect(error.detail.split('\n')).toHaveLength(9);
    expect(error).toMatchObject({ hint: [expect.stringContaining('--decimal comma')] });
  });

  it('reports every faulty line', async () => {
    await expect(readBulkCsv(csv(shop, 'X,DE1,0,', 'Y'), csvTerms(product))).rejects.toMatchObject({
      code: 'INPUT_INVALID',
      detail: expect.stringMatching(/^line 3, .*\nline 3, .*\nline 4: /) as string,
    });
    await expect(readBulkCsv(csv(), csvTerms(product))).rejects.toMatchObject({
      detail: 'line 1: there is no payment below the header',
    });
  });
});

describe('an order in pain.001', () => {
  const product = 'pain.001-sepa-credit-transfers';
  const named = { ...whole, debtorName: 'Payer' };

  it('is the same payment at another time, but not with another amount', async () => {
    const one = await buildPain({ service: 'payments', product }, named, terms);
    const later = await buildPain({ service: 'payments', product }, named, {
      ...terms,
      now: '2026-11-22T10:00:00.000Z',
    });
    const more = await buildPain({ service: 'payments', product }, { ...named, amount: '13' }, terms);
    expect(later.bodyHash).toBe(one.bodyHash);
    expect(more.bodyHash).not.toBe(one.bodyHash);
    expect(one).toMatchObject({
      contentType: 'application/xml',
      summary: { amount: '12.50', currency: 'EUR', creditorName: 'Shop', debtorAccount: whole.debtor },
      endToEndIdentification: 'OBK0123456789ABCDEF0123456789ABC',
    });
  });

  it('is not written without the name of the debtor', async () => {
    for (const debtorName of [undefined, '']) {
      const { debtorName: _, ...rest } = named;
      const fields = debtorName === undefined ? rest : { ...rest, debtorName };
      await expect(buildPain({ service: 'payments', product }, fields, terms)).rejects.toMatchObject({
        flags: ['--debtor-name'],
      });
    }
  });

  it.each([
    [{}, 'Payer'],
    [{ initiatingParty: 'Treasury Ltd' }, 'Treasury Ltd'],
  ])('has with %j the initiating party %s', async (fields, name) => {
    const { bytes } = await buildPain({ service: 'payments', product }, { ...named, ...fields }, terms);
    const text = Buffer.from(bytes).toString();
    expect(text).toContain(`<InitgPty><Nm>${name}</Nm></InitgPty>`);
    expect(text).toContain('<Dbtr><Nm>Payer</Nm></Dbtr>');
  });

  it('is for a standing order a form with a fixed boundary, read back unchanged', async () => {
    const made = await buildPain({ service: 'periodic-payments', product }, { ...named, ...days }, terms);
    expect(made.contentType).toBe(`multipart/form-data; boundary=obk-${hash.slice(0, 32)}`);
    const read = await readPainOrder({ service: 'periodic-payments', product }, made.bytes, {}, terms);
    expect(read.bytes).toBe(made.bytes);
    expect(read).toMatchObject({
      contentType: made.contentType,
      summary: made.summary,
      details: made.details,
    });
    await expect(
      readPainOrder({ service: 'periodic-payments', product }, made.bytes, days, terms),
    ).rejects.toMatchObject({
      code: 'USAGE',
    });
  });

  it('becomes part of the form unchanged where it was given as XML', async () => {
    const { bytes } = await buildPain({ service: 'payments', product }, named, terms);
    const form = await readPainOrder({ service: 'periodic-payments', product }, bytes, days, terms);
    expect(Buffer.from(form.bytes).includes(Buffer.from(bytes))).toBe(true);
    await expect(
      readPainOrder({ service: 'periodic-payments', product }, bytes, {}, terms),
    ).rejects.toMatchObject({
      flags: ['--start-date', '--frequency'],
    });
    expect((await readPainOrder({ service: 'payments', product }, bytes, {}, terms)).bytes).toBe(bytes);
  });

  it.each(['<a/>', '<Document', '{}', ''])('is not accepted as %j', async (text) => {
    await expect(
      readPainOrder({ service: 'payments', product }, Buffer.from(text), {}, terms),
    ).rejects.toMatchObject({
      code: 'INPUT_INVALID',
    });
  });
});
