import { spawn } from 'node:child_process';
import { connect, createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { freePort } from '../helpers/free-port.ts';
import { initArgs, sandbox, startFaultyBank, unknown } from '../helpers/faulty-bank.ts';
import type { FaultyBank } from '../helpers/faulty-bank.ts';
import { obkRun } from '../helpers/kill-cycles.ts';
import { shop } from '../helpers/obk.ts';
import { oneError } from '../helpers/one-error.ts';

let bank: FaultyBank;
beforeAll(async () => {
  bank = await startFaultyBank();
}, 30_000);
afterAll(() => bank.close());
beforeEach(() => {
  bank.forgetCalls();
});

const pendingOf = async (amount: string) => (await bank.pending()).filter((row) => row['amount'] === amount);

describe.each(
  [
    { name: 'the answer is lost', kind: ['drop-after-commit'], made: 1 },
    { name: '500 after the booking', kind: ['status', '500'], made: 1 },
    { name: 'a truncated 201', kind: ['truncate'], made: 1 },
    { name: 'HTML instead of the 201', kind: ['html'], made: 1 },
    { name: '307', kind: ['redirect'], made: 0 },
    { name: 'the connection is cut before the bank acts', kind: ['drop-before'], made: 0 },
  ].map((one, at) => ({ ...one, at })),
)('payment init, $name', ({ kind, made, at }) => {
  const key = `fault-${kind.join('-')}`;
  const amount = `20.${String(at).padStart(2, '0')}`;

  it('arrives once, is exit 12, is pending, and is not sent again before somebody has settled it', async () => {
    await bank.fault('initiatePayment', ...kind);
    const args = initArgs(amount, '--intent-key', key);
    const first = await obkRun(bank, [...args, '--json'], bank.env);
    const { intent, requestId, next } = unknown({ ...first, code: first.exit });
    expect(next).toBe(`obk pending show ${intent.slice(0, 12)} --profile sandbox`);
    expect(bank.arrivals('initiatePayment')).toBe(1);
    expect(bank.paymentsOf(amount)).toBe(made);

    const [row, ...others] = await pendingOf(amount);
    expect(others).toEqual([]);
    expect(row).toMatchObject({
      kind: 'unknown',
      operation: 'initiatePayment',
      intent,
      intentKey: key,
      requestId,
      amount,
      currency: 'EUR',
      creditorName: 'Shop',
      creditorAccount: 'DE89370400440532013000',
    });
    expect(row?.['next']).toMatch(/^obk pending resolve [0-9a-f]{12} --payment-id .+ --profile sandbox/);

    const [paymentId] = bank.paymentIdsOf(amount);
    // Where at least the head of the 201 came, its Location says what to look for.
    if (['truncate', 'html'].includes(kind[0] ?? ''))
      expect(row?.['what']).toContain(`/${String(paymentId)})`);

    expect(unknown(await bank.ask(...args))).toEqual({ intent, requestId, next });
    expect(unknown(await bank.ask('payment', 'status', '@last', ...sandbox))).toEqual({
      intent,
      requestId,
      next,
    });
    // Without a key the content tells that it is the same payment.
    const same = await bank.init(amount);
    expect(same).toMatchObject({ code: 2, stdout: '' });
    expect(oneError(same).code).toBe('DUPLICATE_PAYMENT');
    expect(bank.arrivals('initiatePayment')).toBe(1);
    expect(bank.arrivals('getPaymentInitiationStatus')).toBe(0);

    const id = row?.['id'] ?? '';
    const found = paymentId === undefined ? ['--not-created'] : ['--payment-id', paymentId];
    await bank.result('pending', 'resolve', id, ...found, '--reason', 'asked the bank');
    expect(await pendingOf(amount)).toEqual([]);
    const rerun = await bank.ask(...args);
    const again = JSON.parse(rerun.stdout);
    // What the bank has made is not sent again, and nobody asked for its authorisation; what it has not made is sent.
    expect(rerun.code).toBe(0);
    expect(again).toMatchObject({ transactionStatus: 'RCVD' });
    const [existing] = bank.paymentIdsOf(amount);
    expect(again.paymentId).toBe(existing);
    if (made === 1) expect(again.next).toBe(`obk payment authorise ${String(existing)} --profile sandbox`);
    expect(await bank.result('payment', 'status', '@last')).toEqual({ transactionStatus: 'RCVD' });
    expect(bank.arrivals('initiatePayment')).toBe(made === 1 ? 1 : 2);
    expect(bank.paymentsOf(amount)).toBe(1);
  });
});

it('a script that loops until exit 0 pays once, although the first answer is lost', async () => {
  const amount = '21.00';
  await bank.fault('initiatePayment', 'drop-after-commit');
  const [node, bin] = bank.command;
  // The loop that nobody should write; the bound is the test's, not the script's.
  const script = `rounds=0; until "$@"; do rounds=$((rounds+1)); [ $rounds -ge 3 ] && exit 99; done`;
  const args = initArgs(amount, '--no-input', '--json');
  const code = await new Promise((done, failed) => {
    const child = spawn('sh', ['-c', script, 'sh', node, bin ?? '', ...args], {
      env: bank.env,
      stdio: 'ignore',
    });
    child.once('error', failed);
    child.once('close', done);
  });
  expect(code).toBe(99);
  expect(bank.arrivals('initiatePayment')).toBe(1);
  expect(bank.paymentsOf(amount)).toBe(1);
});

it('a bank that is down is exit 7 with nothing pending, and the same command works once it is back', async () => {
  const port = await freePort();
  const { certificate } = await bank.result('whoami');
  await bank.result(
    ...['profile', 'create', 'away', '--environment', 'sandbox', '--psu-ip', '192.0.2.1'],
    ...['--base-url', `http://127.0.0.1:${String(port)}`, '--certificate', certificate.path],
    ...['--key', join(dirname(certificate.path), 'tpp-key.pem')],
  );
  const args = ['payment', 'init', ...shop, '--profile', 'away', '--amount', '22.00', '--intent-key', 'away'];
  const refused = await bank.ask(...args, '--debtor', bank.customer.iban);
  expect(refused).toMatchObject({ code: 7, stdout: '' });
  expect(oneError(refused)).toMatchObject({
    code: 'NOT_SENT',
    hint: [/safe to run this again/, /./].map(like),
  });
  expect(await bank.result('pending', 'list', '--profile', 'away')).toEqual([]);

  const close = await forward(port, Number(new URL(bank.baseUrl).port));
  try {
    expect(await bank.result(...args, '--debtor', bank.customer.iban)).toMatchObject({
      transactionStatus: 'RCVD',
    });
  } finally {
    await close();
  }
  expect(bank.paymentsOf('22.00')).toBe(1);
});

const like = (pattern: RegExp): unknown => expect.stringMatching(pattern);

/** Lets a port lead to another one; gives what ends that. */
function forward(from: number, to: number): Promise<() => Promise<void>> {
  return new Promise((done, failed) => {
    const server = createServer((near) => {
      const far = connect(to, '127.0.0.1');
      near.pipe(far).pipe(near);
      for (const [one, other] of [
        [near, far],
        [far, near],
      ] as const) {
        one.on('error', () => other.destroy());
      }
    }).once('error', failed);
    server.listen(from, '127.0.0.1', () => {
      done(
        () =>
          new Promise((closed) => {
            server.close(() => {
              closed();
            });
          }),
      );
    });
  });
}
