import { describe, expect, it } from 'vitest';
import { listAuthorisations } from '../../../../src/client/authorisations/list-authorisations.ts';
import { readPaymentState, watchPayment } from '../../../../src/client/payments/payment-status.ts';
import { world } from '../../../helpers/world.ts';
import { one, saved } from '../orders.ts';

const path = `${one}/status`;
const json = (body: unknown) => ({ body });
const painSaved = { ...saved, product: 'pain.001-sepa-credit-transfers' };
const painPath = '/v1/payments/pain.001-sepa-credit-transfers/pay-1/status';
const pain002 = (group: string) => `<?xml version="1.0"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:pain.002.001.03"><CstmrPmtStsRpt>
<GrpHdr><MsgId>M</MsgId></GrpHdr><OrgnlGrpInfAndSts><OrgnlMsgId>O</OrgnlMsgId>${group}</OrgnlGrpInfAndSts>
<OrgnlPmtInfAndSts><OrgnlPmtInfId>B</OrgnlPmtInfId><PmtInfSts>PART</PmtInfSts>
<TxInfAndSts><OrgnlEndToEndId>E-1</OrgnlEndToEndId><TxSts>ACSC</TxSts></TxInfAndSts>
<TxInfAndSts><OrgnlEndToEndId>E-2</OrgnlEndToEndId><TxSts>RJCT</TxSts><StsRsnInf><Rsn><Cd>AC04</Cd></Rsn></StsRsnInf></TxInfAndSts>
</OrgnlPmtInfAndSts></CstmrPmtStsRpt></Document>`;

describe('the status of a payment', () => {
  it('shows funds and messages in JSON', async () => {
    const there = await world();
    const body = {
      transactionStatus: 'ACTC',
      fundsAvailable: false,
      psuMessage: 'Look',
      tppMessages: [{ category: 'WARNING', code: 'X', text: 'y' }],
    };
    there.http.expect('GET', path, json(body));
    const { state, messages, resource } = await readPaymentState(there.target, saved);
    expect(state).toEqual({ transactionStatus: 'ACTC', fundsAvailable: false, psuMessage: 'Look' });
    expect(messages).toMatchObject([{ code: 'X', text: 'y' }]);
    expect(resource.status).toBe('ACTC');
  });

  it.each([
    ['of the whole', '<GrpSts>PART</GrpSts>'],
    ['of the batch', ''],
  ])('is read and saved from a pain.002: %s', async (_, group) => {
    const there = await world();
    const answer = { headers: { 'Content-Type': 'application/xml' }, body: pain002(group) };
    there.http.expect('GET', painPath, answer);
    const { state, resource } = await readPaymentState(there.target, painSaved, { pain002: true });
    expect(state).toEqual({
      transactionStatus: 'PART',
      reasons: [],
      rejected: [{ endToEndIdentification: 'E-2', reasons: [{ code: 'AC04', additional: [] }] }],
    });
    expect(resource.status).toBe('PART');
  });

  it('is that of all batches of a pain.002, not of the first only', async () => {
    const there = await world();
    const body = pain002('').replace(
      '<OrgnlPmtInfAndSts>',
      '<OrgnlPmtInfAndSts><OrgnlPmtInfId>A</OrgnlPmtInfId><PmtInfSts>ACSC</PmtInfSts></OrgnlPmtInfAndSts><OrgnlPmtInfAndSts>',
    );
    there.http.expect('GET', painPath, { headers: { 'Content-Type': 'application/xml' }, body });
    const { state, resource } = await readPaymentState(there.target, painSaved, { pain002: true });
    expect(state).toMatchObject({
      transactionStatus: 'PART',
      rejected: [{ paymentInformationId: 'B', endToEndIdentification: 'E-2' }],
    });
    expect(resource.status).toBe('PART');
  });
});

describe('watching a payment', () => {
  const watch = async (statuses: readonly string[], until?: string, timeoutMs = 60_000) => {
    const there = await world();
    for (const transactionStatus of statuses) there.http.expect('GET', path, json({ transactionStatus }));
    const readings = watchPayment(there.target, saved, {
      ...(until === undefined ? {} : { until }),
      intervalMs: 1_000,
      timeoutMs,
    });
    const seen: (string | undefined)[] = [];
    for (;;) {
      const { done, value } = await readings.next();
      if (done === true) return { end: value.end, seen };
      seen.push(value.state.transactionStatus);
    }
  };

  it.each<[string, readonly string[], string | undefined, number, string]>([
    ['ends when nothing changes any more', ['RCVD', 'ACTC', 'ACSC'], undefined, 60_000, 'reached'],
    ['ends at the wanted status', ['RCVD', 'ACTC'], 'ACTC', 60_000, 'reached'],
    ['ends when the wanted status can no longer come', ['RCVD', 'RJCT'], 'ACSC', 60_000, 'missed'],
    ['ends when the time is up', ['RCVD', 'RCVD', 'RCVD'], 'ACSC', 2_000, 'timeout'],
    ['goes on through a status that nobody knows', ['XYZ1', 'ACSC'], undefined, 60_000, 'reached'],
  ])('%s', async (_, statuses, until, timeoutMs, end) => {
    expect(await watch(statuses, until, timeoutMs)).toEqual({ end, seen: statuses });
  });
});

describe('the authorisations of a payment', () => {
  const collect = async (there: Awaited<ReturnType<typeof world>>) => {
    const found: unknown[] = [];
    for await (const item of listAuthorisations(there.target, saved)) found.push(item);
    return found;
  };

  it('are listed for payment and cancellation, by either name of the list', async () => {
    const there = await world();
    there.http.expect('GET', `${one}/authorisations`, json({ authorisationIds: ['a', 'b'] }));
    there.http.expect('GET', `${one}/authorisations/a`, json({ scaStatus: 'failed' }));
    there.http.expect('GET', `${one}/authorisations/b`, json({ scaStatus: 'finalised' }));
    there.http.expect('GET', `${one}/cancellation-authorisations`, json({ cancellationIds: ['c'] }));
    there.http.expect('GET', `${one}/cancellation-authorisations/c`, json({ scaStatus: 'received' }));
    expect(await collect(there)).toEqual([
      { of: 'payment', authorisationId: 'a', scaStatus: 'failed' },
      { of: 'payment', authorisationId: 'b', scaStatus: 'finalised' },
      { of: 'cancellation', authorisationId: 'c', scaStatus: 'received' },
    ]);
  });

  it('are empty where there is no cancellation', async () => {
    const there = await world();
    there.http.expect('GET', `${one}/authorisations`, json({ authorisationIds: [] }));
    there.http.expect('GET', `${one}/cancellation-authorisations`, { status: 404 });
    expect(await collect(there)).toEqual([]);
  });
});
