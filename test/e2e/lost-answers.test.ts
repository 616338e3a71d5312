import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { embedded, initArgs, sandbox, startFaultyBank, unknown } from '../helpers/faulty-bank.ts';
import type { FaultyBank } from '../helpers/faulty-bank.ts';
import { runInside } from '../helpers/inside.ts';
import { expectTidy, oneError } from '../helpers/one-error.ts';

let bank: FaultyBank;
beforeAll(async () => {
  bank = await startFaultyBank();
}, 30_000);
afterAll(() => bank.close());
beforeEach(() => {
  bank.forgetCalls();
});

describe('a step of the authorisation whose answer is lost', () => {
  const goOn = (paymentId: string, ...more: string[]) =>
    bank.result('payment', 'authorise', paymentId, ...embedded, ...more);

  it('the OTP: scaStatus tells that it counts, nothing is sent twice, exit 0', async () => {
    await bank.fault('updatePaymentPsuData', 'delay', '1ms');
    await bank.fault('updatePaymentPsuData', 'drop-after-commit');
    const paid = await bank.init('23.00', ...embedded);
    expect(paid.code, paid.stderr).toBe(0);
    expect(JSON.parse(paid.stdout)).toMatchObject({
      transactionStatus: 'ACSC',
      sca: { scaStatus: 'finalised' },
    });
    expect(paid.stderr).toContain(
      'The answer of the bank was lost; its status shows that the step took effect.',
    );
    expect(bank.arrivals('updatePaymentPsuData')).toBe(2);
    expect(await bank.pending()).toEqual([]);
  });

  it('an OTP that shows no effect: exit 12 and pending; whoever goes on reads the status first', async () => {
    await bank.fault('updatePaymentPsuData', 'delay', '1ms');
    await bank.fault('updatePaymentPsuData', 'drop-before');
    const lost = await bank.init('23.10', ...embedded);
    unknown(lost);
    const [paymentId = ''] = bank.paymentIdsOf('23.10');
    expect(oneError(lost).resource).toMatchObject({ paymentId, scaStatus: 'scaMethodSelected' });
    expect(bank.arrivals('updatePaymentPsuData')).toBe(2);
    expect(await bank.pendingKinds(paymentId)).toEqual(['unknown', 'open']);

    // The bank may have judged it all the same, so it is not risked a second time.
    bank.forgetCalls();
    const same = await bank.ask('payment', 'authorise', paymentId, ...embedded, ...sandbox);
    expect(same.code).toBe(2);
    expect(oneError(same)).toMatchObject({ code: 'SECRET_REFUSED_BEFORE' });
    expect(bank.arrivals('updatePaymentPsuData')).toBe(0);
    expect(await goOn(paymentId, '--new')).toMatchObject({ paymentId, transactionStatus: 'ACSC' });
    expect(await bank.pendingKinds(paymentId)).toEqual([]);
  });

  it('of such an OTP, pending resume asks the bank', async () => {
    await bank.fault('updatePaymentPsuData', 'delay', '1ms');
    await bank.fault('updatePaymentPsuData', 'drop-before');
    unknown(await bank.init('23.15', ...embedded));
    const [paymentId = ''] = bank.paymentIdsOf('23.15');
    const rows = await bank.pending();
    const row = rows.find((one) => one['kind'] === 'unknown' && one['paymentId'] === paymentId);
    expect(row?.['next']).toBe(
      `obk pending resume ${String(row?.['id'])} --profile sandbox   # reads at the bank what became of it`,
    );
    const asked = await bank.result('pending', 'resume', row?.['id'] ?? '');
    expect(asked).toMatchObject({ operation: 'updatePaymentPsuData', status: 'scaMethodSelected' });
    expect(await bank.pendingKinds(paymentId)).toEqual(['open']);
    expect(bank.arrivals('updatePaymentPsuData')).toBe(2);
  });

  it.each([
    { what: 'the method', operation: 'updatePaymentPsuData', kind: 'drop-after-commit', amount: '23.20' },
    { what: 'the start', operation: 'startPaymentAuthorisation', kind: 'drop-after-commit', amount: '23.30' },
    {
      what: 'the start, which never came',
      operation: 'startPaymentAuthorisation',
      kind: 'drop-before',
      amount: '23.40',
    },
  ])(
    '$what: the links are lost, so another authorisation is started by hand',
    async ({ operation, kind, amount }) => {
      await bank.fault(operation, kind);
      const lost = await bank.init(amount, ...embedded);
      expect(lost).toMatchObject({ code: 6, stdout: '' });
      const error = oneError(lost);
      const [paymentId = ''] = bank.paymentIdsOf(amount);
      expect(error).toMatchObject({
        code: 'ANSWER_LOST',
        resource: { paymentId, transactionStatus: 'RCVD' },
      });
      const started = operation === 'startPaymentAuthorisation';
      expect(error.next).toBe(
        `obk payment authorise ${paymentId}${started ? ' --new' : ''} --profile sandbox`,
      );
      expect(bank.arrivals(operation)).toBe(1);
      expect(await bank.pendingKinds(paymentId)).toEqual(['open']);
      const done = await goOn(paymentId, ...(started ? ['--new'] : []));
      expect(done).toMatchObject({ paymentId, transactionStatus: 'ACSC' });
      expect(await bank.pendingKinds(paymentId)).toEqual([]);
    },
  );
});

describe('a cancellation whose answer is lost', () => {
  it.each(['drop-after-commit', 'truncate', 'status'])(
    '%s: the status says that it is done',
    async (kind) => {
      const { paymentId } = await bank.result(...initArgs('24.00'));
      await bank.fault('cancelPayment', kind, ...(kind === 'status' ? ['500'] : []));
      expect(await bank.result('payment', 'cancel', paymentId)).toMatchObject({
        transactionStatus: 'CANC',
      });
      expect(bank.arrivals('cancelPayment')).toBe(1);
      expect(await bank.pendingKinds(paymentId)).toEqual([]);
    },
  );

  it('that never came: exit 12 with the status that was read, and settled by asking again', async () => {
    const { paymentId } = await bank.result(...initArgs('24.10'));
    await bank.fault('cancelPayment', 'drop-before');
    const lost = await bank.ask('payment', 'cancel', paymentId, ...sandbox);
    unknown(lost);
    expect(oneError(lost).resource).toEqual({ paymentId, transactionStatus: 'RCVD' });
    expect(bank.arrivals('cancelPayment')).toBe(1);
    expect(await bank.pendingKinds(paymentId)).toEqual(['unknown', 'open']);
    const rows = await bank.pending();
    const row = rows.find((one) => one['operation'] === 'cancelPayment');
    await bank.result('pending', 'resume', row?.['id'] ?? '');
    expect(await bank.pendingKinds(paymentId)).toEqual(['open']);
    expect(await bank.result('payment', 'cancel', paymentId)).toMatchObject({
      transactionStatus: 'CANC',
    });
  });
});

describe('a read that goes wrong', () => {
  let paymentId: string;
  beforeAll(async () => {
    ({ paymentId } = await bank.result(...initArgs('25.00')));
  });

  it.each([
    { kind: ['html'], code: 'BANK_FAILED', exit: 6 },
    { kind: ['status', '500'], code: 'BANK_FAILED', exit: 6 },
    // A second later would be beyond --timeout.
    { kind: ['status', '429'], code: 'THROTTLED', exit: 11 },
    { kind: ['status', '404'], code: 'REFUSED', exit: 5 },
    { kind: ['status', '401'], code: 'AUTH_NEEDED', exit: 4 },
    { kind: ['truncate', '--count', '3'], code: 'ANSWER_LOST', exit: 6 },
    { kind: ['drop-after-commit', '--count', '3'], code: 'ANSWER_LOST', exit: 6 },
    { kind: ['drip'], code: 'ANSWER_LOST', exit: 6 },
    { kind: ['delay', '30s'], code: 'ANSWER_LOST', exit: 6 },
    { kind: ['redirect'], code: 'REDIRECTED', exit: 6 },
  ])('$kind: one clear error, exit $exit', async ({ kind, code, exit }) => {
    await bank.fault('getPaymentInitiationStatus', ...kind);
    const ran = await bank.ask('payment', 'status', paymentId, '--timeout', '800ms', ...sandbox);
    expect(ran).toMatchObject({ code: exit, stdout: '' });
    expect(oneError(ran)).toMatchObject({ code, resource: { paymentId } });
    expect(await bank.result('sandbox', 'fault', 'list')).toEqual([]);
    expect(await bank.result('payment', 'status', paymentId)).toEqual({ transactionStatus: 'RCVD' });
  });

  it('a read that fails once or twice is tried again, unseen', async () => {
    await bank.fault('getPaymentInitiationStatus', 'truncate', '--count', '2');
    expect(await bank.result('payment', 'status', paymentId)).toEqual({ transactionStatus: 'RCVD' });
    expect(bank.arrivals('getPaymentInitiationStatus')).toBe(3);
  });

  it('an escape sequence in a message reaches no terminal', async () => {
    for (const json of [true, false]) {
      await bank.fault('getPaymentInitiationStatus', 'escape');
      const args = ['payment', 'status', '00000000-0000-4000-8000-000000000000', '--profile', 'sandbox'];
      args.push('--service', 'payments', '--product', 'sepa-credit-transfers');
      const ran = await (json ? bank.ask(...args) : runInside(args, { env: bank.env, cwd: bank.folder }));
      expect(ran).toMatchObject({ code: 5, stdout: '' });
      expectTidy(ran);
      if (json) expect(oneError(ran).tppMessages[0]?.text).toContain('\u001b[2J');
      else expect(ran.stderr).toContain('RESOURCE_UNKNOWN (404) from GET');
    }
    await bank.fault('startPaymentAuthorisation', 'escape');
    const said = await runInside(initArgs('25.10', '--psu-id', 'decoupled'), {
      env: bank.env,
      cwd: bank.folder,
    });
    expect(said.code).toBe(0);
    expectTidy(said);
    expect(said.stderr).toContain('yenom');
  });
});
