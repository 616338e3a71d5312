import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createObk, shop } from '../helpers/obk.ts';
import type { Obk } from '../helpers/obk.ts';
import { insideOf } from '../helpers/inside.ts';

let obk: Obk;
/** The same home, whose runs share this process: what a process adds is the same for all that follows the first ones. */
let inside: Pick<Obk, 'run' | 'json'>;
const secrets: Record<string, { password: string; otp: string; iban: string; balance: string }> = {};

beforeAll(async () => {
  obk = createObk();
  inside = insideOf(obk);
  await read();
});
afterAll(() => {
  obk.close();
});

async function read() {
  const people = (await obk.json(['sandbox', 'people'])) as {
    psuId: string;
    password: string;
    otp: string;
    accounts: { iban: string; balance: string }[];
  }[];
  for (const { psuId, password, otp, accounts } of people) {
    secrets[psuId] = { password, otp, iban: accounts[0]!.iban, balance: accounts[0]!.balance };
  }
}

const start = (psu: string, amount: string, ...more: string[]) => [
  'payment',
  'init',
  ...shop,
  '--profile',
  'sandbox',
  '--amount',
  amount,
  '--psu-id',
  psu,
  ...more,
];
const answers = (psu: string) => ({ PSU_PASSWORD: secrets[psu]!.password, PSU_OTP: secrets[psu]!.otp });
const references = ['--psu-password-from', 'env:PSU_PASSWORD', '--otp-from', 'env:PSU_OTP'];

describe('embedded with a choice of methods', () => {
  it('goes to the end in one command when every answer is given, and moves the money', async () => {
    const psu = 'embedded-choice';
    const paid = await obk.json(start(psu, '12.50', ...references, '--sca-method', 'sms'), {
      env: answers(psu),
    });
    expect(paid).toMatchObject({
      profile: 'sandbox',
      environment: 'sandbox',
      transactionStatus: 'ACSC',
      amount: '12.50',
      creditorName: 'Shop',
      debtorAccount: secrets[psu]!.iban,
      sca: { approach: 'EMBEDDED', scaStatus: 'finalised' },
      next: `obk payment get ${paid.paymentId} --profile sandbox`,
    });
    const before = Number(secrets[psu]!.balance);
    await read();
    expect(Number(secrets[psu]!.balance)).toBeCloseTo(before - 12.5, 5);
  });

  it('stops where an answer is missing, and the next command goes on', async () => {
    const psu = 'embedded-choice';
    const made = await inside.run([...start(psu, '1.00'), '--json']);
    expect(made.code).toBe(0);
    const { paymentId, next, transactionStatus } = JSON.parse(made.stdout);
    expect({ next, transactionStatus }).toEqual({
      next: `obk payment authorise ${paymentId} --psu-password-from 'cmd:obk sandbox people embedded-choice --field password' --profile sandbox`,
      transactionStatus: 'RCVD',
    });

    const half = await inside.run(['payment', 'authorise', paymentId, ...references, '--json'], {
      env: answers(psu),
    });
    expect(half).toMatchObject({ code: 2, stdout: '' });
    expect(JSON.parse(lastLine(half.stderr)).error).toMatchObject({
      code: 'INTERACTION_NEEDED',
      title: 'Missing --sca-method.',
      resource: { paymentId, scaStatus: 'psuAuthenticated' },
      next: `obk payment authorise ${paymentId}`,
    });

    const done = await inside.json(['payment', 'authorise', '@last', ...references, '--sca-method', 'push'], {
      env: answers(psu),
    });
    expect(done).toMatchObject({ paymentId, transactionStatus: 'ACSC', sca: { scaStatus: 'finalised' } });
    expect(await inside.json(['payment', 'status', '@last'])).toEqual({ transactionStatus: 'ACSC' });
  });

  it('a wrong OTP loses nothing, and is not sent twice', async () => {
    const psu = 'embedded-choice';
    const wrong = await inside.run([...start(psu, '2.00', ...references, '--sca-method', 'sms'), '--json'], {
      env: { ...answers(psu), PSU_OTP: '000000' },
    });
    expect(wrong.code).toBe(9);
    const { paymentId } = JSON.parse(wrong.stdout);
    expect(JSON.parse(lastLine(wrong.stderr)).error).toMatchObject({
      exitCode: 9,
      tppMessages: [{ code: 'PSU_CREDENTIALS_INVALID' }],
      resource: { paymentId, transactionStatus: 'RCVD' },
    });
    const again = await inside.run(
      ['payment', 'authorise', paymentId, '--otp-from', 'env:PSU_OTP', '--json'],
      {
        env: { PSU_OTP: '000000' },
      },
    );
    expect(again).toMatchObject({ code: 2, stdout: '' });
    expect(JSON.parse(lastLine(again.stderr)).error.code).toBe('SECRET_REFUSED_BEFORE');

    const right = await inside.json(['payment', 'authorise', paymentId, '--otp-from', 'env:PSU_OTP'], {
      env: answers(psu),
    });
    expect(right).toMatchObject({ paymentId, transactionStatus: 'ACSC' });
  });
});

describe.each([
  ['embedded-none', []],
  ['embedded-one', ['--otp-from', 'env:PSU_OTP']],
  ['embedded-one-implicit', ['--otp-from', 'env:PSU_OTP']],
])('%s', (psu, more) => {
  it('is authorised in one command', async () => {
    const paid = await inside.json(start(psu, '1.10', '--psu-password-from', 'env:PSU_PASSWORD', ...more), {
      env: answers(psu),
    });
    expect(paid).toMatchObject({ transactionStatus: 'ACSC' });
  });
});

describe.each(['redirect', 'redirect-explicit', 'decoupled', 'decoupled-implicit'])('%s', (psu) => {
  const by = () => (psu === 'redirect' ? obk : inside);

  it('returns at once, is pending, and completes in another process once the PSU has approved', async () => {
    const made = await by().json(start(psu, '3.00'));
    const { paymentId } = made;
    expect(made).toMatchObject({
      transactionStatus: 'RCVD',
      next: `obk payment authorise ${paymentId} --wait --profile sandbox`,
    });
    if (psu.startsWith('redirect')) {
      expect(made.sca).toMatchObject({ approach: 'REDIRECT', urlAlive: true });
      expect(made.sca.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\//);
    }
    const open = await by().run(['payment', 'authorise', paymentId, '--json']);
    expect(open.code).toBe(8);
    expect(JSON.parse(open.stdout)).toMatchObject({ paymentId, transactionStatus: 'RCVD' });
    const pending = (await by().json(['pending', 'list'])) as { id: string; kind: string; next: string }[];
    expect(pending.find(({ id }) => id === paymentId)).toMatchObject({
      kind: 'open',
      amount: '3.00',
      next: `obk payment authorise ${paymentId}`,
    });

    expect(await by().json(['sandbox', 'psu', 'approve', '@last', '--as', psu])).toMatchObject({
      scaStatus: 'finalised',
    });
    const done = await by().json(['payment', 'authorise', '@last']);
    expect(done).toMatchObject({ paymentId, transactionStatus: 'ACSC', sca: { scaStatus: 'finalised' } });
    expect(done.sca.url).toBeNull();
    const after = (await by().json(['pending', 'list'])) as { id: string }[];
    expect(after.some(({ id }) => id === paymentId)).toBe(false);
  });
});

it('a refusal of the PSU is exit 9 with the document on stdout', async () => {
  const { paymentId } = await inside.json(start('redirect', '4.00'));
  await inside.json(['sandbox', 'psu', 'refuse', paymentId]);
  const refused = await inside.run(['payment', 'authorise', paymentId, '--json']);
  expect(refused.code).toBe(9);
  expect(JSON.parse(refused.stdout)).toMatchObject({ paymentId, sca: { scaStatus: 'failed' } });
});

it('--wait that runs out is exit 8', async () => {
  const waited = await inside.run([...start('redirect', '4.10', '--wait', '--timeout', '1s'), '--json']);
  expect(waited.code).toBe(8);
  expect(JSON.parse(waited.stdout)).toMatchObject({
    transactionStatus: 'RCVD',
    sca: { approach: 'REDIRECT' },
  });
  expect(waited.stderr).toContain('Open this link to approve:');
});

describe('cancellation', () => {
  it('ends at once where nothing was authorised; a second one is exit 9', async () => {
    const { paymentId } = await inside.json(start('embedded-one', '5.00'));
    expect(await inside.json(['payment', 'cancel', paymentId])).toMatchObject({ transactionStatus: 'CANC' });
    const again = await inside.run(['payment', 'cancel', paymentId, '--json']);
    expect(again.code).toBe(9);
    expect(JSON.parse(again.stdout)).toMatchObject({ paymentId, code: 'CANCELLATION_INVALID' });
  });

  it('of an authorised payment is authorised itself', async () => {
    const psu = 'next-day';
    const paid = await inside.json(start(psu, '5.10', ...references), { env: answers(psu) });
    expect(paid.transactionStatus).not.toBe('ACSC');
    const asked = await inside.run(['payment', 'cancel', paid.paymentId, '--json']);
    expect(asked.code).toBe(0);
    const half = JSON.parse(asked.stdout);
    expect(half.next).toContain(`obk payment authorise ${paid.paymentId}`);
    const done = await inside.json(['payment', 'authorise', paid.paymentId, ...references], {
      env: answers(psu),
    });
    expect(done).toMatchObject({ transactionStatus: 'CANC' });
  });
});

describe('the same payment', () => {
  it('with the same intent key is made once', async () => {
    const key = ['--intent-key', 'order-1'];
    const first = await inside.json(start('redirect', '6.00', ...key));
    const second = await inside.json(start('redirect', '6.00', ...key));
    expect(second.paymentId).toBe(first.paymentId);
    const other = await inside.run([...start('redirect', '6.01', ...key), '--json']);
    expect(other).toMatchObject({ code: 2, stdout: '' });
    expect(JSON.parse(lastLine(other.stderr)).error.code).toBe('INTENT_KEY_REUSED');
  });

  it('whose answer was lost is exit 12, pending, and blocks @last until it is settled', async () => {
    await inside.json(['sandbox', 'fault', 'add', 'initiatePayment', 'drop-after-commit']);
    const lost = await inside.run([...start('redirect', '7.77', '--intent-key', 'lost-1'), '--json']);
    expect(lost.code).toBe(12);
    const { intent, requestId, next } = JSON.parse(lost.stdout);
    expect({ intent, requestId }).toEqual({ intent: expect.any(String), requestId: expect.any(String) });
    expect(next).toMatch(/^obk pending show [0-9a-f]{12}/);

    const rerun = await inside.run([...start('redirect', '7.77', '--intent-key', 'lost-1'), '--json']);
    expect(rerun.code).toBe(12);
    const last = await inside.run(['payment', 'status', '@last']);
    expect(last.code).toBe(12);
    const [row] = (await inside.json(['pending', 'list'])) as Record<string, string>[];
    expect(row).toMatchObject({
      kind: 'unknown',
      amount: '7.77',
      creditorName: 'Shop',
      operation: 'initiatePayment',
    });
    expect(row!['next']).toMatch(/^obk pending resolve /);

    const shown = await inside.json(['pending', 'show', row!['id']!]);
    expect(shown).toMatchObject({ requestId, intent, profile: 'sandbox' });
    const silent = await inside.run(['pending', 'resolve', row!['id']!]);
    expect(silent).toMatchObject({ code: 2, stdout: '' });
    expect(silent.stderr).toContain('--payment-id ID, --not-created or --replay (one of them), --reason');
    await inside.json(['pending', 'resolve', row!['id']!, '--not-created', '--reason', 'asked the bank']);
    expect((await inside.run(['payment', 'status', '@last'])).code).toBe(0);
  });
});

describe('what is sent', () => {
  it('--input goes out byte for byte', async () => {
    const body = `{ "creditorName": "Sh\\u006fp",\n  "instructedAmount": {"currency":"EUR", "amount":"1.00"},
  "debtorAccount": {"iban": "${secrets['redirect']!.iban}"}, "creditorAccount": {"iban":"DE89370400440532013000"} }\n`;
    writeFileSync(join(obk.folder, 'payment.json'), body);
    const args = ['payment', 'init', '--profile', 'sandbox', '--product', 'sepa-credit-transfers'];
    const dry = await inside.json([...args, '--input', 'payment.json', '--dry-run']);
    expect(dry).toMatchObject({ dryRun: true, method: 'POST', body });
    const piped = await inside.run([...args, '--input', '-', '--dry-run', '--json'], { input: body });
    expect(JSON.parse(piped.stdout).body).toBe(body);
    expect((await inside.json([...args, '--input', 'payment.json'])).transactionStatus).toBe('RCVD');
  });

  it('a dry run makes nothing', async () => {
    const before = (await inside.json(['payment', 'list'])) as unknown[];
    await inside.json(start('redirect', '8.00', '--dry-run'));
    expect(await inside.json(['payment', 'list'])).toEqual(before);
  });

  it('is shown by -v, --curl and --trace without any secret', async () => {
    const psu = 'embedded-one';
    const ran = await inside.run(
      [...start(psu, '8.10', ...references), '-vvv', '--curl', '--trace', 'run.har', '--json'],
      { env: answers(psu) },
    );
    expect(ran.code).toBe(0);
    expect(ran.stderr).toMatch(/^\{"call":\{.*"operation":"initiatePayment".*"status":201/m);
    expect(ran.stderr).toContain("curl --request POST 'http://127.0.0.1:");
    const { readFileSync } = await import('node:fs');
    const har = readFileSync(join(obk.folder, 'run.har'), 'utf8');
    expect(JSON.parse(har).log.entries.length).toBeGreaterThan(3);
    const log = await inside.run(['log', 'show', '@last', '-vvv']);
    for (const text of [ran.stdout, ran.stderr, har, log.stdout]) {
      expect(text).not.toContain(secrets[psu]!.password);
      expect(text).not.toContain(`"${secrets[psu]!.otp}"`);
    }
  });
});

function lastLine(text: string): string {
  return text.trimEnd().split('\n').at(-1) ?? '';
}
