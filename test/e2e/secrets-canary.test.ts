// Secrets that look like nothing else are planted, everything is shown, and no artefact may tell one: neither as it is nor
// by an encoding or a fast hash of the body that carried it.
import { createHash, createPrivateKey } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Secret } from '../../src/base/secret.ts';
import { fileStore } from '../helpers/file-store.ts';
import { encodings, leaks } from '../helpers/leaks.ts';
import { createObk, shop } from '../helpers/obk.ts';
import type { Obk, Ran } from '../helpers/obk.ts';
import { startStandaloneBank } from '../helpers/standalone-bank.ts';
import type { RunningBank } from '../helpers/standalone-bank.ts';

const canaries = {
  password: 'c4n:pw"\\ü/+&=7Qz',
  otp: 'c4n-otp%/+ö"9Lk2',
  wrongPassword: "c4n'wrong\\pw+/ß&5",
  wrongOtp: 'c4n"bad otp=/8Xy',
  token: 'c4n.token_~+/3Kd92mfQ==',
  passphrase: 'c4n phrase§"\\4Tt',
};

let bank: RunningBank;
let obk: Obk;
let debtor: string;

beforeAll(async () => {
  bank = await startStandaloneBank();
  bank.setSecrets('embedded-choice', { password: canaries.password, otp: canaries.otp });
  debtor = bank.payer().iban;
  obk = createObk(
    Object.fromEntries(Object.entries(canaries).map(([name, value]) => [`CANARY_${name}`, value])),
  );
  const whoami = JSON.parse(bank.obk('whoami', '--profile', 'sandbox', '--json')) as {
    certificate: { path: string };
  };
  const { path } = whoami.certificate;
  const key = createPrivateKey(readFileSync(join(dirname(path), 'tpp-key.pem')));
  const { passphrase } = canaries;
  writeFileSync(
    join(obk.folder, 'tpp.key'),
    key.export({ type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase }),
  );
  for (const name of ['canary', 'with-token']) {
    await obk.json([
      ...['profile', 'create', name, '--base-url', bank.baseUrl, '--environment', 'sandbox'],
      ...['--certificate', path, '--key', 'tpp.key', '--key-passphrase-from', 'env:CANARY_passphrase'],
      ...['--psu-ip', '192.0.2.1', '--psu-id', 'embedded-choice', '--debtor', debtor, '--sca-method', 'sms'],
    ]);
  }
  const store = fileStore({
    configDir: join(obk.home, 'config', 'obk'),
    stateDir: join(obk.home, 'state', 'obk'),
    clock: {
      now: () => new Date(),
      monotonic: () => 0,
      sleep: () => Promise.resolve(),
      after: () => () => undefined,
    },
    warn: () => undefined,
  });
  await store.credentials.update('with-token', (before) => ({
    ...before,
    token: new Secret(canaries.token),
  }));
}, 60_000);
afterAll(async () => {
  obk.close();
  await bank.close();
});

const loud = ['-vvv', '--curl', '--findings', '--json', '--debug', '--trace'];
const init = (amount: string, password: string, otp: string): string[] => [
  ...['payment', 'init', ...shop, '--amount', amount, '--no-input'],
  ...['--psu-password-from', `env:CANARY_${password}`, '--otp-from', `env:CANARY_${otp}`],
];
const fault = (operation: string, ...how: string[]) =>
  bank.obk('sandbox', 'fault', 'add', operation, ...how, '--profile', 'sandbox');

interface Run {
  ran: Ran;
  har: string;
  commandLine: string;
}

async function run(args: readonly string[], name: string): Promise<Run> {
  const har = join(obk.folder, `${name}.har`);
  const child = obk.start([...args, ...loud, har, '--report-junit', join(obk.folder, `${name}.xml`)]);
  const out: Buffer[] = [];
  const err: Buffer[] = [];
  child.stdout?.on('data', (chunk: Buffer) => out.push(chunk));
  child.stderr?.on('data', (chunk: Buffer) => err.push(chunk));
  const ended = new Promise<number | null>((done) => child.once('close', done));
  const commandLine = readFileSync(`/proc/${String(child.pid)}/cmdline`, 'utf8');
  const code = await ended;
  const ran = { code, stdout: Buffer.concat(out).toString(), stderr: Buffer.concat(err).toString() };
  return { ran, har: readFileSync(har, 'utf8'), commandLine };
}

/** The digests by which a body that carried a secret could be found by trying. */
function digests(): string[] {
  const { password, otp, wrongPassword, wrongOtp } = canaries;
  const bodies = [
    ...[password, wrongPassword].map((value) => ({ psuData: { password: value } })),
    ...[otp, wrongOtp].map((value) => ({ scaAuthenticationData: value })),
  ];
  return bodies.map((body) => createHash('sha256').update(JSON.stringify(body)).digest('base64'));
}

function tells(text: string): string[] {
  const secrets = Object.entries(canaries).filter(([, value]) => leaks(text, value));
  return [...secrets.map(([name]) => name), ...digests().filter((digest) => text.includes(digest))];
}

function telling(): string[] {
  return readdirSync(obk.home, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .flatMap((file) =>
      tells(readFileSync(file, 'utf8')).map((name) => `${relative(obk.home, file)}: ${name}`),
    );
}

describe.each([
  { name: 'success', amount: '41.00', exit: 0, pass: 'password', otp: 'otp' },
  { name: 'a wrong password', amount: '42.00', exit: 9, pass: 'wrongPassword', otp: 'otp' },
  { name: 'a wrong OTP', amount: '43.00', exit: 9, pass: 'password', otp: 'wrongOtp' },
  {
    name: 'a lost password answer',
    amount: '44.00',
    exit: 6,
    pass: 'password',
    otp: 'otp',
    faults: [['startPaymentAuthorisation', 'drop-after-commit']],
  },
  {
    name: 'an OTP that never came',
    amount: '45.00',
    exit: 12,
    pass: 'password',
    otp: 'otp',
    faults: [
      ['startPaymentAuthorisation', 'escape'],
      ['updatePaymentPsuData', 'delay', '1ms'],
      ['updatePaymentPsuData', 'drop-before'],
    ],
  },
  {
    // The bank has not issued it.
    name: 'a token',
    amount: '46.00',
    exit: 4,
    pass: 'password',
    otp: 'otp',
    profile: 'with-token',
    shown: '"name":"Authorization","value":"[secret]"',
  },
])('everything is shown, on $name', (given) => {
  const { name, amount, exit, pass, otp, faults = [], profile = 'canary' } = given;
  const { shown = JSON.stringify('{"psuData":{"password":"[secret]"}}') } = given;

  it('tells no secret anywhere', async () => {
    for (const [operation = '', ...how] of faults) fault(operation, ...how);
    const { ran, har, commandLine } = await run(
      [...init(amount, pass, otp), '--profile', profile],
      name.replaceAll(' ', '-'),
    );
    expect(ran.code, ran.stderr).toBe(exit);
    // It was all shown: the harness looks at something.
    expect(ran.stderr).toContain(shown);
    expect(har).toContain('[secret]');
    expect(ran.stderr).toContain('curl --request');
    expect(commandLine).toContain('payment');
    expect(tells(ran.stdout + ran.stderr)).toEqual([]);
    expect(tells(har)).toEqual([]);
    expect(tells(commandLine)).toEqual([]);
    const log = await obk.run(['log', 'show', '@last', '-vvv', '--json', '--profile', profile]);
    expect(log.stdout).toContain('[secret]');
    expect(tells(log.stdout + log.stderr)).toEqual([]);
    expect(telling()).toEqual(['config/obk/credentials.json: token']);
  });
});

it.each(['41.00', '42.00'])('tells no secret in what is made of the log of %s later', async (amount) => {
  const [paymentId = ''] = bank.paymentIdsOf(amount);
  await obk.json(['report', paymentId, '--output', `${amount}.html`, '--profile', 'canary']);
  const made = [
    readFileSync(join(obk.folder, `${amount}.html`), 'utf8'),
    JSON.stringify(await obk.json(['log', 'har', paymentId])),
    (await obk.run(['log', 'curl', paymentId])).stdout,
  ];
  for (const text of made) {
    expect(text).toContain('startPaymentAuthorisation');
    expect(tells(text)).toEqual([]);
  }
});

it('a body that the user wrote himself is cut too, from obk api', async () => {
  const [paymentId = ''] = bank.paymentIdsOf('42.00');
  const body = { psuData: { password: canaries.wrongPassword } };
  const args = ['api', 'POST', `v1/payments/sepa-credit-transfers/${paymentId}/authorisations`];
  const child = await obk.run([...args, ...loud, join(obk.folder, 'api.har'), '--input', '-'], {
    input: JSON.stringify(body),
  });
  expect(child.code, child.stderr).toBe(9);
  expect(tells(child.stdout + child.stderr)).toEqual([]);
  expect(telling()).toEqual(['config/obk/credentials.json: token']);
});

it.each(Object.entries(encodings))('the harness finds a secret as %s', (_name, encode) => {
  for (const [name, value] of Object.entries(canaries)) expect(tells(`x ${encode(value)} y`)).toEqual([name]);
});
