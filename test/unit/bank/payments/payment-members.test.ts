import { beforeEach, describe, expect, it } from 'vitest';
import { jsonOrder, services, transfer } from '../orders.ts';
import { codeOf, useScene } from '../scene.ts';
import { tppOf } from '../tpp.ts';
import type { TestAnswer } from '../tpp.ts';

/** What the bank makes of the members of a payment that a core product lacks (guidelines 11.1); the official files have few of them. */
const scene = useScene();
const call: ReturnType<typeof tppOf> = (...request) => tppOf(scene.bank)(...request);
let debtor: string;
beforeEach(() => {
  debtor = scene.bank.person('embedded-none').accounts[0]!.iban;
  scene.bank.scenario({ otherFields: 'accept' });
});

const placed = (answer: TestAnswer) => [...codeOf(answer), answer.json?.tppMessages?.[0]?.path as unknown];
const good = (service: string, product: string) =>
  jsonOrder(service, product, debtor) as unknown as Record<string, unknown>;
const entries = (change: object) => ({ payments: [transfer('sepa'), { ...transfer('sepa'), ...change }] });

describe('members beyond the core product', () => {
  it.each<[string, string, object, string]>([
    ['payments', 'sepa-credit-transfers', { purposeCode: 'salary' }, 'purposeCode'],
    ['payments', 'sepa-credit-transfers', { serviceLevel: ['SEPA'] }, 'serviceLevel'],
    ['payments', 'sepa-credit-transfers', { currencyOfTransfer: 'usd' }, 'currencyOfTransfer'],
    [
      'payments',
      'sepa-credit-transfers',
      { remittanceInformationStructured: 'RF18539007547034' },
      'remittanceInformationStructured',
    ],
    [
      'payments',
      'sepa-credit-transfers',
      { remittanceInformationStructured: { referenceType: 'SCOR' } },
      'remittanceInformationStructured.reference',
    ],
    [
      'payments',
      'sepa-credit-transfers',
      { remittanceInformationStructured: { reference: 'R'.repeat(36) } },
      'remittanceInformationStructured.reference',
    ],
    [
      'payments',
      'sepa-credit-transfers',
      { remittanceInformationStructuredArray: [{ reference: 'R1' }, 'R2'] },
      'remittanceInformationStructuredArray[1]',
    ],
    [
      'payments',
      'sepa-credit-transfers',
      { remittanceInformationUnstructuredArray: [] },
      'remittanceInformationUnstructuredArray',
    ],
    [
      'bulk-payments',
      'sepa-credit-transfers',
      entries({ remittanceInformationUnstructuredArray: ['x', 'y'.repeat(141)] }),
      'payments[1].remittanceInformationUnstructuredArray[1]',
    ],
    [
      'bulk-payments',
      'sepa-credit-transfers',
      { paymentInformationId: 'P'.repeat(36) },
      'paymentInformationId',
    ],
  ])('are refused: %s/%s with %j', async (service, product, change, at) => {
    const body = { ...good(service, product), ...change };
    expect(placed(await call('POST', `/v1/${service}/${product}`, { body }))).toEqual([
      400,
      'FORMAT_ERROR',
      at,
    ]);
  });

  /** Each member that 11.1 of the guidelines has for a bank to open, or for other products, as it must be. */
  const opened = {
    instructionIdentification: 'I-1',
    debtorName: 'Payer',
    debtorId: 'D-1',
    ultimateDebtor: 'Other',
    currencyOfTransfer: 'EUR',
    creditorAgentName: 'Bank',
    creditorId: 'C-1',
    creditorNameAndAddress: 'Shop, Town',
    ultimateCreditor: 'Someone',
    purposeCode: 'SALA',
    chargeBearer: 'SLEV',
    serviceLevel: 'SEPA',
    remittanceInformationUnstructuredArray: ['Order 1', 'Order 2'],
    remittanceInformationStructured: { reference: 'RF18539007547034', referenceType: 'SCOR' },
    remittanceInformationStructuredArray: [{ reference: 'RF18539007547034', referenceIssuer: 'CUR' }],
  };

  it.each(['v1', 'v136'])('are in %s those of the guidelines, accepted and returned', async (prefix) => {
    for (const service of services) {
      const at = `/${prefix}/${service}/sepa-credit-transfers`;
      const body: { payments?: object[] } = jsonOrder(service, 'sepa-credit-transfers', debtor);
      const own = service === 'payments' ? { requestedExecutionDate: '2026-07-01' } : {};
      const sent =
        body.payments === undefined
          ? { ...body, ...opened, ...own }
          : {
              ...body,
              paymentInformationId: 'P-1',
              payments: body.payments.map((entry) => ({ ...entry, ...opened })),
            };
      const created = await call('POST', at, { body: sent });
      expect(created.status, created.text).toBe(201);
      const read = await call('GET', `${at}/${String(created.json.paymentId)}`);
      expect(read.json).toEqual({ ...sent, transactionStatus: 'RCVD' });
    }
  });

  it('are refused in a bulk in front of its payments as well', async () => {
    scene.bank.scenario({ otherFields: 'reject' });
    const at = '/v1/bulk-payments/sepa-credit-transfers';
    const body = jsonOrder('bulk-payments', 'sepa-credit-transfers', debtor);
    for (const [name, value] of [
      ['paymentInformationId', 'P-1'],
      ['anything', 1],
    ] as const)
      expect(placed(await call('POST', at, { body: { ...body, [name]: value } }))).toEqual([
        400,
        'FORMAT_ERROR',
        name,
      ]);
    const dated = { ...body, requestedExecutionDate: '2026-07-01' };
    expect((await call('POST', at, { body: dated })).status).toBe(201);
  });

  it('may be months in a list of texts, with MonthlyVariable, in 1.3.6', async () => {
    const at = '/v136/periodic-payments/sepa-credit-transfers';
    const body = {
      ...jsonOrder('periodic-payments', 'sepa-credit-transfers', debtor),
      frequency: 'MonthlyVariable',
    };
    const sent = (monthsOfExecution: unknown) => call('POST', at, { body: { ...body, monthsOfExecution } });
    expect((await sent(['1', '12'])).status).toBe(201);
    for (const [wrong, at] of [
      [[1, 12], 'monthsOfExecution[0]'],
      [['01'], 'monthsOfExecution[0]'],
      [['1', '13'], 'monthsOfExecution[1]'],
      [['1', '1'], 'monthsOfExecution'],
      [[], 'monthsOfExecution'],
      ['1', 'monthsOfExecution'],
      [undefined, 'monthsOfExecution'],
    ] as const)
      expect(placed(await sent(wrong)), JSON.stringify(wrong)).toEqual([400, 'FORMAT_ERROR', at]);
  });
});
