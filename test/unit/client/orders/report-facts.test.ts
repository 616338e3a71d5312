// What a pain.002 tells beside the statuses: how many payments have which, and what became of each.
import { describe, expect, it } from 'vitest';
import { stateLines } from '../../../../src/cli/commands/output/rejected-lines.ts';
import { statusOfReport } from '../../../../src/client/orders/report-status.ts';
import { readPain002 } from '../../../../src/standard/formats/payments/pain002.ts';

const state = (group: string, rest = '') =>
  statusOfReport(
    readPain002(
      Buffer.from(
        `<Document><CstmrPmtStsRpt><OrgnlGrpInfAndSts>${group}</OrgnlGrpInfAndSts>${rest}</CstmrPmtStsRpt></Document>`,
      ),
    ),
  );
const count = (number: number, status: string, sum = '') =>
  `<NbOfTxsPerSts><DtldNbOfTxs>${String(number)}</DtldNbOfTxs><DtldSts>${status}</DtldSts>${sum === '' ? '' : `<DtldCtrlSum>${sum}</DtldCtrlSum>`}</NbOfTxsPerSts>`;
const rejected = '<OrgnlPmtInfAndSts><TxInfAndSts><TxSts>RJCT</TxSts></TxInfAndSts></OrgnlPmtInfAndSts>';

describe('the count of payments by status in a pain.002', () => {
  it.each([
    ['tells the whole where nothing else does', count(4, 'ACSP') + count(1, 'RJCT'), '', 'PART'],
    ['tells it beside the rejected ones, which alone are listed', count(4, 'ACSP'), rejected, 'PART'],
    ['tells it where all are alike', count(5, 'ACSC'), '', 'ACSC'],
    ['says nothing of a status that none has', count(5, 'ACSC') + count(0, 'RJCT'), '', 'ACSC'],
  ])('%s', (_, group, rest, whole) => {
    expect(state(group, rest).transactionStatus).toBe(whole);
    expect(state(group, rest)).not.toHaveProperty('contradictions');
  });

  it('contradicts the status of the whole', () => {
    const told = state(`<GrpSts>ACSC</GrpSts>${count(4, 'ACSC')}${count(1, 'RJCT')}`);
    expect(told).toMatchObject({
      transactionStatus: 'PART',
      contradictions: ['GrpSts ACSC contradicts its parts: ACSC, RJCT'],
    });
  });

  it('gives a batch its status', () => {
    const batch = `<OrgnlPmtInfAndSts>${count(1, 'ACSC')}${count(1, 'RJCT')}</OrgnlPmtInfAndSts>`;
    expect(state('', batch).transactionStatus).toBe('PART');
  });

  it('is shown to the user', () => {
    expect(stateLines(state(count(4, 'ACSP', '40.5') + count(1, 'RJCT')))).toEqual([
      '  ACSP: 4 payments, 40.5 together',
      '  RJCT: 1 payment',
    ]);
  });
});

it('a pain.002 report shows what became of a payment that was made, and of one that was not', () => {
  const payee =
    '<OrgnlTxRef><Amt><InstdAmt Ccy="EUR">10.50</InstdAmt></Amt><Cdtr><Nm>Payee</Nm></Cdtr></OrgnlTxRef>';
  const charges =
    '<ChrgsInf><Amt Ccy="EUR">1.20</Amt><Agt><FinInstnId><BICFI>AGNTDEFF</BICFI></FinInstnId></Agt></ChrgsInf>';
  const made = `<TxInfAndSts><OrgnlEndToEndId>E-1</OrgnlEndToEndId><TxSts>ACSC</TxSts>${charges}<AccptncDtTm>2026-11-20T09:00:00</AccptncDtTm><FctvIntrBkSttlmDt><Dt>2026-11-21</Dt></FctvIntrBkSttlmDt><AcctSvcrRef>A-1</AcctSvcrRef><ClrSysRef>C-1</ClrSysRef></TxInfAndSts>`;
  const not = `<TxInfAndSts><OrgnlEndToEndId>E-2</OrgnlEndToEndId><TxSts>RJCT</TxSts><StsRsnInf><Rsn><Cd>AC04</Cd></Rsn></StsRsnInf><AcctSvcrRef>A-2</AcctSvcrRef>${payee}</TxInfAndSts>`;
  const told = state('', `<OrgnlPmtInfAndSts>${made}${not}</OrgnlPmtInfAndSts>`);
  expect(told.explained).toMatchObject([
    { endToEndIdentification: 'E-1', status: 'ACSC', settlementDate: '2026-11-21', bankReference: 'A-1' },
  ]);
  expect(told.rejected).toMatchObject([{ creditorName: 'Payee', bankReference: 'A-2' }]);
  expect(stateLines(told)).toEqual([
    '  Rejected: E-2 (10.50 EUR) to Payee: AC04; reference of the bank A-2',
    '  ACSC: E-1: accepted 2026-11-20T09:00:00; settled 2026-11-21; charges 1.20 EUR (AGNTDEFF); reference of the bank A-1; reference of the clearing C-1',
  ]);
});

it('a pain.002 report lists every payment that is not accepted, with a reason or without one', () => {
  const one = (id: string, status: string, why = '') =>
    `<TxInfAndSts><OrgnlEndToEndId>${id}</OrgnlEndToEndId><TxSts>${status}</TxSts>${why}</TxInfAndSts>`;
  const named = '<StsRsnInf><AddtlInf>The payee is named S. Hop</AddtlInf></StsRsnInf>';
  const parts = [
    one('E-1', 'ACCP'),
    one('E-2', 'RVMC', named),
    one('E-3', 'RVNM'),
    one('E-4', 'PDNG'),
    one('E-5', 'ACSC'),
    one('E-6', 'RJCT'),
  ];
  expect(stateLines(state('', `<OrgnlPmtInfAndSts>${parts.join('')}</OrgnlPmtInfAndSts>`))).toEqual([
    '  Rejected: E-6: no reason given',
    '  RVMC: E-2: The payee is named S. Hop',
    '  RVNM: E-3: no reason given',
    '  PDNG: E-4: no reason given',
  ]);
});
