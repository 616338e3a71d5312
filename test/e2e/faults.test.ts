import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { runInside } from '../helpers/inside.ts';
import { obkRun } from '../helpers/kill-cycles.ts';
import { shop } from '../helpers/obk.ts';
import type { Ran } from '../helpers/obk.ts';
import { expectTidy, oneError } from '../helpers/one-error.ts';
import { startStandaloneBank } from '../helpers/standalone-bank.ts';
import type { Payer, RunningBank } from '../helpers/standalone-bank.ts';

let bank: RunningBank;
let payer: Payer;
let folder: string;

beforeAll(async () => {
  bank = await startStandaloneBank();
  payer = bank.payer();
  folder = mkdtempSync(join(tmpdir(), 'obk-faults-'));
}, 30_000);
afterAll(async () => {
  await bank.close();
  rmSync(folder, { recursive: true, force: true });
});
beforeEach(() => {
  bank.forgetCalls();
});

const obk = (...args: string[]): Promise<Ran> =>
  runInside([...args, '--json'], {
    env: { ...bank.env, PASSWORD: payer.password, OTP: payer.otp },
    cwd: folder,
  });
const inSandbox = (...args: string[]): Promise<Ran> => obk(...args, '--profile', 'sandbox');
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- documents of every shape
const result = async (ran: Promise<Ran>): Promise<any> => {
  const { code, stdout, stderr } = await ran;
  if (code !== 0) throw new Error(`exit ${String(code)}\n${stderr}`);
  return JSON.parse(stdout);
};
const fault = (operation: string, ...how: string[]) =>
  result(inSandbox('sandbox', 'fault', 'add', operation, ...how));

const initArgs = (amount: string, ...more: string[]) => [
  'payment',
  'init',
  ...shop,
  '--profile',
  'sandbox',
  '--amount',
  amount,
  ...more,
];
const init = (amount: string, ...more: string[]) => obk(...initArgs(amount, ...more));
/** An embedded payment that goes to its end by itself. */
const embedded = [
  '--psu-id',
  'embedded-choice',
  '--psu-password-from',
  'env:PASSWORD',
  '--sca-method',
  'sms',
  '--otp-from',
  'env:OTP',
];
const pending = async (amount: string): Promise<Record<string, string>[]> =>
  ((await result(inSandbox('pending', 'list'))) as Record<string, string>[]).filter(
    (row) => row['amount'] === amount,
  );

/** What stands on both streams where nobody knows what a payment became. */
function unknown(ran: Ran): { intent: string; requestId: string; next: string } {
  expect(ran.code, ran.stderr).toBe(12);
  const document = JSON.parse(ran.stdout) as Record<string, string>;
  expect(Object.keys(document)).toEqual(['intent', 'requestId', 'next']);
  const { intent = '', requestId = '', next = '' } = document;
  const error = oneError(ran);
  expect(error).toMatchObject({ code: 'OUTCOME_UNKNOWN', intent, requestId, next });
  return { intent, requestId, next };
}

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
    await fault('initiatePayment', ...kind);
    const args = initArgs(amount, '--intent-key', key);
    const first = await obkRun(bank, [...args, '--json'], bank.env);
    const { intent, requestId, next } = unknown({ ...first, code: first.exit });
    expect(next).toBe(`obk pending show ${intent.slice(0, 12)}`);
    expect(bank.arrivals('initiatePayment')).toBe(1);
    expect(bank.paymentsOf(amount)).toBe(made);

    const [row, ...others] = await pending(amount);
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
    expect(row?.['next']).toMatch(
      /^obk pending resolve [0-9a-f]{12} --payment-id .+ \| --not-created --reason/,
    );

    const [paymentId] = bank.paymentIdsOf(amount);
    // Where at least the head of the 201 came, its Location says what to look for.
    if (['truncate', 'html'].includes(kind[0] ?? ''))
      expect(row?.['what']).toContain(`/${String(paymentId)})`);

    expect(unknown(await obk(...args))).toEqual({ intent, requestId, next });
    expect(unknown(await inSandbox('payment', 'status', '@last'))).toEqual({ intent, requestId, next });
    // Without a key the content tells that it is the same payment.
    const same = await init(amount);
    expect(same).toMatchObject({ code: 2, stdout: '' });
    expect(oneError(same).code).toBe('DUPLICATE_PAYMENT');
    expect(bank.arrivals('initiatePayment')).toBe(1);
    expect(bank.arrivals('getPaymentInitiationStatus')).toBe(0);

    const id = row?.['id'] ?? '';
    const found = paymentId === undefined ? ['--not-created'] : ['--payment-id', paymentId];
    await result(inSandbox('pending', 'resolve', id, ...found, '--reason', 'asked the bank'));
    expect(await pending(amount)).toEqual([]);
    const again = await result(obk(...args));
    expect(again).toMatchObject({ transactionStatus: made === 1 ? null : 'RCVD' });
    expect(again.paymentId).toBe(bank.paymentIdsOf(amount)[0]);
    expect(await result(inSandbox('payment', 'status', '@last'))).toEqual({ transactionStatus: 'RCVD' });
    expect(bank.arrivals('initiatePayment')).toBe(made === 1 ? 1 : 2);
    expect(bank.paymentsOf(amount)).toBe(1);
  });
});

it('a script that loops until exit 0 pays once, although the first answer is lost', async () => {
  const amount = '21.00';
  await fault('initiatePayment', 'drop-after-commit');
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
  const { certificate } = await result(inSandbox('whoami'));
  await result(
    obk(
      ...['profile', 'create', 'away', '--environment', 'sandbox', '--psu-ip', '192.0.2.1'],
      ...['--base-url', `http://127.0.0.1:${String(port)}`, '--certificate', certificate.path],
      ...['--key', join(dirname(certificate.path), 'tpp-key.pem')],
    ),
  );
  const args = ['payment', 'init', ...shop, '--profile', 'away', '--amount', '22.00', '--intent-key', 'away'];
  const refused = await obk(...args, '--debtor', payer.iban);
  expect(refused).toMatchObject({ code: 7, stdout: '' });
  expect(oneError(refused)).toMatchObject({
    code: 'NOT_SENT',
    hint: [/safe to run this again/, /./].map(like),
  });
  expect(await result(obk('pending', 'list', '--profile', 'away'))).toEqual([]);

  const close = await forward(port, Number(new URL(bank.baseUrl).port));
  try {
    expect(await result(obk(...args, '--debtor', payer.iban))).toMatchObject({ transactionStatus: 'RCVD' });
  } finally {
    await close();
  }
  expect(bank.paymentsOf('22.00')).toBe(1);
});

const like = (pattern: RegExp): unknown => expect.stringMatching(pattern);

function freePort(): Promise<number> {
  return new Promise((done, failed) => {
    const server = createServer().once('error', failed);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => {
        done(port);
      });
    });
  });
}

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

describe('a step of the authorisation whose answer is lost', () => {
  const goOn = (paymentId: string, ...more: string[]) =>
    inSandbox('payment', 'authorise', paymentId, ...embedded, ...more);

  it('the OTP: scaStatus tells that it counts, nothing is sent twice, exit 0', async () => {
    await fault('updatePaymentPsuData', 'delay', '1ms');
    await fault('updatePaymentPsuData', 'drop-after-commit');
    const paid = await init('23.00', ...embedded);
    expect(paid.code, paid.stderr).toBe(0);
    expect(JSON.parse(paid.stdout)).toMatchObject({
      transactionStatus: 'ACSC',
      sca: { scaStatus: 'finalised' },
    });
    expect(paid.stderr).toContain('The answer of the bank was lost; its status says that the step counts.');
    expect(bank.arrivals('updatePaymentPsuData')).toBe(2);
    expect(await pending('23.00')).toEqual([]);
  });

  it('an OTP that shows no effect: exit 12 and pending; whoever goes on reads the status first', async () => {
    await fault('updatePaymentPsuData', 'delay', '1ms');
    await fault('updatePaymentPsuData', 'drop-before');
    const lost = await init('23.10', ...embedded);
    unknown(lost);
    const [paymentId = ''] = bank.paymentIdsOf('23.10');
    expect(oneError(lost).resource).toMatchObject({ paymentId, scaStatus: 'scaMethodSelected' });
    expect(bank.arrivals('updatePaymentPsuData')).toBe(2);
    expect(await pendingKinds(paymentId)).toEqual(['unknown', 'open']);

    bank.forgetCalls();
    const done = await result(goOn(paymentId));
    expect(done).toMatchObject({ paymentId, transactionStatus: 'ACSC' });
    expect(bank.arrivals('updatePaymentPsuData')).toBe(1);
    expect(await pendingKinds(paymentId)).toEqual([]);
  });

  it('of such an OTP, pending resume asks the bank', async () => {
    await fault('updatePaymentPsuData', 'delay', '1ms');
    await fault('updatePaymentPsuData', 'drop-before');
    unknown(await init('23.15', ...embedded));
    const [paymentId = ''] = bank.paymentIdsOf('23.15');
    const rows = (await result(inSandbox('pending', 'list'))) as Record<string, string>[];
    const row = rows.find((one) => one['kind'] === 'unknown' && one['paymentId'] === paymentId);
    expect(row?.['next']).toBe(
      `obk pending resume ${String(row?.['id'])}   # reads at the bank what became of it`,
    );
    const asked = await result(inSandbox('pending', 'resume', row?.['id'] ?? ''));
    expect(asked).toMatchObject({ operation: 'updatePaymentPsuData', status: 'scaMethodSelected' });
    expect(await pendingKinds(paymentId)).toEqual(['open']);
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
      await fault(operation, kind);
      const lost = await init(amount, ...embedded);
      expect(lost).toMatchObject({ code: 6, stdout: '' });
      const error = oneError(lost);
      const [paymentId = ''] = bank.paymentIdsOf(amount);
      expect(error).toMatchObject({
        code: 'ANSWER_LOST',
        resource: { paymentId, transactionStatus: 'RCVD' },
      });
      expect(error.next).toBe(`obk payment authorise ${paymentId}`);
      expect(bank.arrivals(operation)).toBe(1);
      expect(await pendingKinds(paymentId)).toEqual(['open']);
      expect(await result(goOn(paymentId))).toMatchObject({ paymentId, transactionStatus: 'ACSC' });
      expect(await pendingKinds(paymentId)).toEqual([]);
    },
  );
});

const pendingKinds = async (paymentId: string): Promise<unknown[]> =>
  ((await result(inSandbox('pending', 'list'))) as Record<string, string>[])
    .filter((row) => row['paymentId'] === paymentId)
    .map(({ kind }) => kind);

describe('a cancellation whose answer is lost', () => {
  it.each(['drop-after-commit', 'truncate', 'status'])(
    '%s: the status says that it is done',
    async (kind) => {
      const { paymentId } = await result(init('24.00'));
      await fault('cancelPayment', kind, ...(kind === 'status' ? ['500'] : []));
      expect(await result(inSandbox('payment', 'cancel', paymentId))).toMatchObject({
        transactionStatus: 'CANC',
      });
      expect(bank.arrivals('cancelPayment')).toBe(1);
      expect(await pendingKinds(paymentId)).toEqual([]);
    },
  );

  it('that never came: exit 12 with the status that was read, and settled by asking again', async () => {
    const { paymentId } = await result(init('24.10'));
    await fault('cancelPayment', 'drop-before');
    const lost = await inSandbox('payment', 'cancel', paymentId);
    unknown(lost);
    expect(oneError(lost).resource).toEqual({ paymentId, transactionStatus: 'RCVD' });
    expect(bank.arrivals('cancelPayment')).toBe(1);
    expect(await pendingKinds(paymentId)).toEqual(['unknown', 'open']);
    const rows = (await result(inSandbox('pending', 'list'))) as Record<string, string>[];
    const row = rows.find((one) => one['operation'] === 'cancelPayment');
    await result(inSandbox('pending', 'resume', row?.['id'] ?? ''));
    expect(await pendingKinds(paymentId)).toEqual(['open']);
    expect(await result(inSandbox('payment', 'cancel', paymentId))).toMatchObject({
      transactionStatus: 'CANC',
    });
  });
});

describe('a read that goes wrong', () => {
  let paymentId: string;
  beforeAll(async () => {
    ({ paymentId } = await result(init('25.00')));
  });

  it.each([
    { kind: ['html'], code: 'BANK_FAILED', exit: 6 },
    { kind: ['status', '500'], code: 'BANK_FAILED', exit: 6 },
    { kind: ['status', '429', '--count', '3'], code: 'THROTTLED', exit: 11 },
    { kind: ['status', '404'], code: 'REFUSED', exit: 5 },
    { kind: ['status', '401'], code: 'AUTH_NEEDED', exit: 4 },
    { kind: ['truncate', '--count', '3'], code: 'ANSWER_LOST', exit: 6 },
    { kind: ['drop-after-commit', '--count', '3'], code: 'ANSWER_LOST', exit: 6 },
    { kind: ['drip'], code: 'ANSWER_LOST', exit: 6 },
    { kind: ['delay', '30s'], code: 'ANSWER_LOST', exit: 6 },
    { kind: ['redirect'], code: 'REDIRECTED', exit: 6 },
  ])('$kind: one clear error, exit $exit', async ({ kind, code, exit }) => {
    await fault('getPaymentInitiationStatus', ...kind);
    const ran = await inSandbox('payment', 'status', paymentId, '--timeout', '800ms');
    expect(ran).toMatchObject({ code: exit, stdout: '' });
    expect(oneError(ran)).toMatchObject({ code, resource: { paymentId } });
    expect(await result(inSandbox('sandbox', 'fault', 'list'))).toEqual([]);
    expect(await result(inSandbox('payment', 'status', paymentId))).toEqual({ transactionStatus: 'RCVD' });
  });

  it('a read that fails once or twice is tried again, unseen', async () => {
    await fault('getPaymentInitiationStatus', 'truncate', '--count', '2');
    expect(await result(inSandbox('payment', 'status', paymentId))).toEqual({ transactionStatus: 'RCVD' });
    expect(bank.arrivals('getPaymentInitiationStatus')).toBe(3);
  });

  it('an escape sequence in a message reaches no terminal', async () => {
    for (const json of [true, false]) {
      await fault('getPaymentInitiationStatus', 'escape');
      const args = ['payment', 'status', '00000000-0000-4000-8000-000000000000', '--profile', 'sandbox'];
      args.push('--service', 'payments', '--product', 'sepa-credit-transfers');
      const ran = await (json ? obk(...args) : runInside(args, { env: bank.env, cwd: folder }));
      expect(ran).toMatchObject({ code: 5, stdout: '' });
      expectTidy(ran);
      if (json) expect(oneError(ran).tppMessages[0]?.text).toContain('\u001b[2J');
      else expect(ran.stderr).toContain('RESOURCE_UNKNOWN (404) from GET');
    }
    await fault('startPaymentAuthorisation', 'escape');
    const said = await runInside(initArgs('25.10', '--psu-id', 'decoupled'), { env: bank.env, cwd: folder });
    expect(said.code).toBe(0);
    expectTidy(said);
    expect(said.stderr).toContain('yenom');
  });
});
