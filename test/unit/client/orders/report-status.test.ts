import { describe, expect, it } from 'vitest';
import { statusOfReport } from '../../../../src/client/orders/report-status.ts';
import { readPain002 } from '../../../../src/standard/formats/payments/pain002.ts';

interface Batch {
  id?: string;
  status?: string;
  reason?: string;
  payments?: readonly string[];
}

/** A report as banks write it; a payment is its status, with `:` and its reason where it has one. */
function report(group: string | undefined, batches: readonly Batch[], beside: readonly string[] = []) {
  const tag = (name: string, text: string | undefined) =>
    text === undefined ? '' : `<${name}>${text}</${name}>`;
  const why = (code: string | undefined) =>
    code === undefined ? '' : `<StsRsnInf><Rsn><Cd>${code}</Cd></Rsn></StsRsnInf>`;
  const payment = (told: string, index: number) => {
    const [status, code] = told.split(':');
    const id = tag('OrgnlEndToEndId', `E-${String(index + 1)}`);
    return `<TxInfAndSts>${id}${tag('TxSts', status)}${why(code)}</TxInfAndSts>`;
  };
  const inner = batches.map(
    ({ id, status, reason, payments = [] }) =>
      `<OrgnlPmtInfAndSts>${tag('OrgnlPmtInfId', id)}${tag('PmtInfSts', status)}${why(reason)}${payments.map(payment).join('')}</OrgnlPmtInfAndSts>`,
  );
  return statusOfReport(
    readPain002(
      Buffer.from(
        `<Document xmlns="urn:iso:std:iso:20022:tech:xsd:pain.002.001.03"><CstmrPmtStsRpt><OrgnlGrpInfAndSts>${tag('GrpSts', group)}</OrgnlGrpInfAndSts>${inner.join('')}${beside.map(payment).join('')}</CstmrPmtStsRpt></Document>`,
      ),
    ),
  );
}
const two = (first: string, second: string): Batch[] => [
  { id: 'B-1', status: first },
  { id: 'B-2', status: second },
];

describe('the status of a whole pain.002 file', () => {
  it.each<[string, string, string]>([
    ['ACSC', 'ACSC', 'ACSC'],
    ['ACSC', 'ACSP', 'ACSP'],
    ['ACSC', 'RJCT', 'PART'],
    ['RJCT', 'ACSC', 'PART'],
    ['RJCT', 'RJCT', 'RJCT'],
    ['RJCT', 'CANC', 'RJCT'],
    ['CANC', 'CANC', 'CANC'],
    ['ACSC', 'PART', 'PART'],
    ['ACSC', 'PDNG', 'PDNG'],
    ['RJCT', 'PDNG', 'PDNG'],
    ['PATC', 'RCVD', 'RCVD'],
    ['ACSC', 'ACCT', 'ACCT'],
    ['RJCT', 'ACCT', 'ACCT'],
  ])('comes from its batches: %s and %s are %s', (first, second, whole) => {
    expect(report(undefined, two(first, second)).transactionStatus).toBe(whole);
    expect(report(undefined, two(second, first)).transactionStatus).toBe(whole);
    expect(report(undefined, two(first, second))).not.toHaveProperty('contradictions');
  });

  it('comes from the payments of batches without a status of their own', () => {
    const batches = [
      { id: 'B-1', payments: ['ACSC', 'ACSC'] },
      { id: 'B-2', payments: ['ACSC', 'RJCT:AC04'] },
    ];
    expect(report(undefined, batches)).toEqual({
      transactionStatus: 'PART',
      rejected: [
        {
          paymentInformationId: 'B-2',
          endToEndIdentification: 'E-2',
          reasons: [{ code: 'AC04', additional: [] }],
        },
      ],
    });
  });

  it('names why a part waits that is not rejected', () => {
    const batches = [
      { id: 'B-1', status: 'PDNG', reason: 'CUST', payments: ['PDNG:NARR', 'ACSC'] },
      { id: 'B-2', status: 'ACSC' },
    ];
    expect(report(undefined, batches)).toMatchObject({
      rejected: [],
      explained: [
        { paymentInformationId: 'B-1', batch: true, status: 'PDNG', reasons: [{ code: 'CUST' }] },
        {
          paymentInformationId: 'B-1',
          endToEndIdentification: 'E-1',
          status: 'PDNG',
          reasons: [{ code: 'NARR' }],
        },
      ],
    });
  });

  it('comes from payments that stand beside the batches', () => {
    expect(report(undefined, [], ['ACSC', 'RJCT']).transactionStatus).toBe('PART');
    expect(report('RCVD', []).transactionStatus).toBe('RCVD');
    expect(report(undefined, []).transactionStatus).toBeUndefined();
  });
});

describe('a rejection in a pain.002 file', () => {
  it('names each batch with its reasons, and each payment with its batch', () => {
    const batches = [
      { id: 'B-1', status: 'PART', payments: ['ACSC', 'RJCT:AM04'] },
      { id: 'B-2', status: 'RJCT', reason: 'DT01' },
      { id: 'B-3', status: 'RJCT' },
      { status: 'RJCT', reason: 'AG01' },
    ];
    const reasons = (code: string) => [{ code, additional: [] }];
    expect(report(undefined, batches)).toEqual({
      transactionStatus: 'PART',
      rejected: [
        { batch: true, paymentInformationId: 'B-2', reasons: reasons('DT01') },
        { batch: true, paymentInformationId: 'B-3', reasons: [] },
        { batch: true, reasons: reasons('AG01') },
        { paymentInformationId: 'B-1', endToEndIdentification: 'E-2', reasons: reasons('AM04') },
      ],
    });
  });
});

describe('a status that contradicts its parts', () => {
  it.each<[string, Batch[], string]>([
    ['ACSC', two('ACSC', 'RJCT'), 'PART'],
    ['ACSC', two('RJCT', 'RJCT'), 'PART'],
    ['ACSC', two('ACSC', 'PDNG'), 'PDNG'],
    ['RJCT', two('ACSC', 'RJCT'), 'PART'],
    ['RJCT', two('ACSC', 'ACSC'), 'PART'],
    ['CANC', two('CANC', 'ACSC'), 'PART'],
    ['PART', two('ACSC', 'ACSC'), 'PART'],
    ['RCVD', two('ACSC', 'ACSC'), 'RCVD'],
  ])(
    'is reported for GrpSts %s, and the whole is not better than its worst part',
    (group, batches, whole) => {
      const { transactionStatus, contradictions } = report(group, batches);
      expect(transactionStatus).toBe(whole);
      expect(contradictions).toEqual([expect.stringMatching(`^GrpSts ${group} contradicts`)]);
    },
  );

  it('is reported for a batch too', () => {
    const batches = [{ id: 'B-1', status: 'ACSC', payments: ['ACSC', 'RJCT'] }];
    expect(report('ACSC', batches)).toMatchObject({
      transactionStatus: 'PART',
      contradictions: [
        'PmtInfSts ACSC of the batch "B-1" contradicts its parts: ACSC, RJCT',
        'GrpSts ACSC contradicts its parts: PART',
      ],
    });
  });

  it.each<[string, Batch[], string]>([
    ['PART', two('ACSC', 'RJCT'), 'PART'],
    ['PART', [{ id: 'B-2', status: 'RJCT' }], 'PART'],
    ['ACTC', two('ACSC', 'ACSP'), 'ACSP'],
    ['PDNG', [{ id: 'B-2', status: 'RJCT' }], 'PDNG'],
    ['ACCT', two('ACSC', 'RJCT'), 'ACCT'],
  ])('is not seen in %s where the parts may have it', (group, batches, whole) => {
    expect(report(group, batches)).toMatchObject({ transactionStatus: whole });
    expect(report(group, batches)).not.toHaveProperty('contradictions');
  });
});
