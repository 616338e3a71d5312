import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { har as validate } from 'har-validator';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createObk } from '../helpers/obk.ts';
import type { Obk, Ran } from '../helpers/obk.ts';
import { leaks } from '../helpers/leaks.ts';

const payment = [
  ...[
    'payment',
    'init',
    '--profile',
    'sandbox',
    '--product',
    'sepa-credit-transfers',
    '--no-input',
    '--json',
  ],
  ...['--psu-id', 'embedded-choice', '--creditor-account', 'DE89370400440532013000'],
  ...['--creditor-name', 'Shop', '--amount', '1.00'],
];

let obk: Obk;
let password: string;
let otp: string;
let ran: Ran;

async function field(name: string): Promise<string> {
  const { stdout } = await obk.run([
    ...['sandbox', 'people', 'embedded-choice', '--profile', 'sandbox', '--field', name],
  ]);
  return stdout.trim();
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

beforeAll(async () => {
  obk = createObk();
  password = await field('password');
  otp = await field('otp');
  ran = await obk.run(
    [
      ...[...payment, '-vvv', '--curl', '--trace', 'calls.har', '--sca-method', 'sms'],
      ...['--psu-password-from', 'env:TEST_PW', '--otp-from', 'env:TEST_OTP'],
    ],
    { env: { TEST_PW: password, TEST_OTP: otp } },
  );
}, 60_000);

afterAll(() => {
  obk.close();
});

const shows = (text: string) => leaks(text, password) || new RegExp(`\\b${otp}\\b`).test(text);

/** A text as it stands in a line of JSON. */
const inJson = (text: string) => JSON.stringify(text).slice(1, -1);

describe('a payment with password and OTP, everything shown', () => {
  it('ends well and tells neither on stdout nor on stderr', () => {
    expect(ran).toMatchObject({ code: 0 });
    expect(password.length).toBeGreaterThan(7);
    expect(ran.stderr).toContain(inJson('"password":"[secret]"'));
    expect(ran.stderr).toContain(inJson('"$OBK_PSU_PASSWORD"'));
    expect(ran.stderr).toContain('"signingString":"digest: ');
    expect(shows(ran.stdout + ran.stderr)).toBe(false);
  });

  it('leaves neither in any file but the ledger of the bank', () => {
    const files = [...filesBelow(obk.home), ...filesBelow(obk.folder)];
    const telling = files.filter((file) => shows(readFileSync(file, 'latin1')));
    expect(telling.filter((file) => !/ledger\.db/.test(file))).toEqual([]);
    expect(telling).not.toEqual([]);
  });

  it('writes a HAR file that other tools read', async () => {
    const har = JSON.parse(readFileSync(join(obk.folder, 'calls.har'), 'utf8'));
    await expect(validate(har)).resolves.toBeTruthy();
    expect(har.log.entries.length).toBeGreaterThan(3);
  });

  it('is in the log, as a run and by the id of the payment', async () => {
    const { paymentId } = JSON.parse(ran.stdout);
    const run = await obk.json(['log', 'show', '@last', '--json']);
    expect(run).toMatchObject({ command: 'payment init', profile: 'sandbox', exit: 0, outcome: 'DONE' });
    const [found] = await obk.json(['log', 'show', paymentId, '--json']);
    expect(found.exchanges).toEqual(run.exchanges);
  });
});

describe('a dry run', () => {
  it('is the request as it would be signed, with a command that means the same', async () => {
    const document = await obk.json([...payment, '--dry-run', '--curl']);
    expect(document).toMatchObject({ dryRun: true, method: 'POST', url: expect.stringMatching(/^http:/) });
    const headers = document.headers as { name: string; value: string }[];
    const value = (name: string) => headers.find((header) => header.name === name)?.value;
    expect(value('Digest')).toBe(document.digest);
    expect(value('Signature')).toContain(`signature="${document.signature}"`);
    expect(document.signingString.split('\n').slice(0, 2)).toEqual([
      `digest: ${document.digest}`,
      `x-request-id: ${document.requestId}`,
    ]);
    const script = `curl() { printf '%s\\0' "$@"; }\n${document.curl}\n`;
    const argv = execFileSync('sh', ['-c', script], { encoding: 'utf8' }).split('\0');
    expect(argv).toEqual(
      expect.arrayContaining(['POST', document.url, `Digest: ${document.digest}`, document.body]),
    );
  });

  it('opens nothing and records nothing', async () => {
    const before = await obk.json(['log', 'list', '--json']);
    await obk.json([...payment, '--dry-run']);
    expect(await obk.json(['log', 'list', '--json'])).toEqual(before);
  });
});
