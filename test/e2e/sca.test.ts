import { readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { digitsAsPng } from '../../src/bank/sca/png.ts';
import { presets } from '../../src/standard/xs2a/variants.ts';
import { findingsIn } from '../contract/journeys.ts';
import { checkExchange, hasOfficialFiles } from '../helpers/contract.ts';
import { runInside } from '../helpers/inside.ts';
import { startTraveller } from './journeys/traveller.ts';
import type { Ended, Traveller } from './journeys/traveller.ts';

/** What a PSU is asked for, one command after the other as a script would give them; every exchange is judged. */
let traveller: Traveller;
const shown: string[] = [];

beforeAll(async () => {
  traveller = await startTraveller('v136');
  writeFileSync(join(traveller.obk.folder, 'bank.jwk'), await traveller.bank.bank.passwordKey());
});
beforeEach(() => {
  traveller.nextMinute();
});
afterAll(() => traveller.close());

async function obk(
  args: readonly string[],
  env: Record<string, string> = {},
): Promise<Ended & { stdout: string }> {
  const { obk: built } = traveller;
  const inside = { env: { ...built.env, ...env }, cwd: built.folder };
  const { code, stdout, stderr } = await runInside([...args, '--json'], inside);
  shown.push(stdout, stderr);
  const lines = stdout.trimEnd().split('\n');
  return { code, stdout, stderr, document: lines.length === 1 && stdout !== '' ? JSON.parse(stdout) : {} };
}

/** The secrets of a PSU, as references with the variables behind them. */
function secretsOf(psuId: string) {
  const person = traveller.bank.person(psuId);
  return {
    PASSWORD: person.password,
    OTP: person.otp,
    ADDITIONAL: person.additionalPassword ?? '',
    READY: person.encryptedPassword ?? '',
    READY_ADDITIONAL: person.additionalEncryptedPassword ?? '',
  };
}

const start = (psuId: string, flags: string[] = [], env: Record<string, string> = {}) =>
  obk([...traveller.pay({ psuId, approach: 'embedded', start: 'explicit' }), '--psu-id', psuId, ...flags], {
    ...secretsOf(psuId),
    ...env,
  });
const sent = () => traveller.bank.arrivals().length;

describe('step by step', () => {
  const env = () => secretsOf('embedded-choice');
  let paymentId: string;
  let authorisationId: string;

  it('a payment waits for a password', async () => {
    const made = await start('embedded-choice');
    expect(made.code).toBe(0);
    ({ paymentId } = made.document as { paymentId: string });
    expect(await obk(['sca', 'status'])).toMatchObject({ code: 0, document: [] });
  });

  it.each<[string, string[], string]>([
    ['another secret', ['submit', '--otp-from', 'env:OTP'], '--psu-password-from REF'],
    ['another step', ['select', '--sca-method', 'chip'], 'obk sca submit'],
    ['a page that nobody needs', ['open'], 'obk sca submit'],
  ])('%s is refused with what is due, and nothing is sent', async (_, args, due) => {
    const before = sent();
    const { code, stdout, stderr } = await obk(['sca', ...args], env());
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    const { error } = JSON.parse(stderr) as { error: { code: string; hint: string[]; resource: object } };
    expect(error).toMatchObject({ code: 'STEP_NOT_ALLOWED', resource: { paymentId } });
    expect(error.hint.join()).toContain(due);
    expect(sent()).toBe(before);
  });

  it('the password is one step', async () => {
    const { code, document } = await obk(
      ['sca', 'submit', paymentId, '--psu-password-from', 'env:PASSWORD'],
      env(),
    );
    expect({ code, scaStatus: document.sca.scaStatus }).toEqual({ code: 0, scaStatus: 'psuAuthenticated' });
    ({ authorisationId } = document.sca as { authorisationId: string });
    expect(document.next).toBe(`obk sca select ${authorisationId} --sca-method ID`);
  });

  it('the methods are listed without asking the bank', async () => {
    const before = sent();
    const { document } = await obk(['sca', 'methods', authorisationId.slice(0, 8)]);
    expect(
      document.map((method: { authenticationMethodId: string }) => method.authenticationMethodId),
    ).toEqual(['sms', 'chip', 'push']);
    expect(sent()).toBe(before);
  });

  it('a method is one step, and an unknown one is none', async () => {
    const unknown = await obk(['sca', 'select', '--sca-method', 'pigeon']);
    expect(unknown.code).toBe(2);
    expect(unknown.stderr).toContain('Card reader');
    const { code, document } = await obk(['sca', 'select', authorisationId, '--sca-method', 'CHIP']);
    expect({ code, scaStatus: document.sca.scaStatus }).toEqual({ code: 0, scaStatus: 'scaMethodSelected' });
    expect(document.sca.challengeData.data).toEqual([expect.stringMatching(/^\d{8}$/)]);
    expect(document.next).toBe(`obk sca submit ${authorisationId} --otp-from REF`);
  });

  it('a one-time password of a wrong form costs no attempt', async () => {
    const put = () => traveller.bank.arrivals('updatePaymentPsuData').length;
    const before = put();
    for (const OTP of ['1234567', '12a456']) {
      const { code, stderr } = await obk(['sca', 'submit', '--otp-from', 'env:OTP'], { OTP });
      expect(code).toBe(2);
      expect(stderr).toContain('The value of --otp-from does not have the form');
      expect(stderr).not.toContain(OTP);
    }
    expect(put()).toBe(before);
  });

  it('the status tells who, where and since when', async () => {
    const { document } = await obk(['sca', 'status', paymentId]);
    expect(document).toEqual([
      {
        of: 'payment',
        authorisationId,
        scaStatus: 'scaMethodSelected',
        psuId: 'embedded-choice',
        approach: 'EMBEDDED',
        changedAt: expect.stringMatching(/^20.*Z$/) as string,
      },
    ]);
  });

  it('the one-time password ends it, and no step is left', async () => {
    const { OTP } = env();
    const { code, document } = await obk(['sca', 'submit', '--otp-from', 'env:OTP'], { OTP: ` ${OTP} ` });
    expect({ code, status: document.transactionStatus }).toEqual({ code: 0, status: 'ACSC' });
    const after = await obk(['sca', 'submit', paymentId, '--otp-from', 'env:OTP'], env());
    expect(after.code).toBe(2);
    expect(after.stderr).toContain('the authorisation is finalised');
    expect(traveller.booked(paymentId).bookings).toBe(1);
  });
});

describe('what a PSU is asked for', () => {
  it('a photoTAN is a picture in a private file until the end', async () => {
    const made = await start('embedded-photo', [
      '--psu-password-from',
      'env:PASSWORD',
      '--sca-method',
      'photo',
    ]);
    const { imageFile, image } = made.document.sca.challengeData as { imageFile: string; image?: string };
    const picture = digitsAsPng(secretsOf('embedded-photo').OTP);
    expect(image).toBeUndefined();
    expect(readFileSync(imageFile)).toEqual(picture);
    expect(statSync(imageFile).mode & 0o777).toBe(0o600);
    expect(made.stderr).toContain(`Picture: ${imageFile}`);
    expect(made.stderr).toContain('Enter the digits that the picture shows.');
    expect(made.stdout + made.stderr).not.toContain(picture.toString('base64').slice(0, 40));
    const { code } = await obk(['sca', 'submit', '--otp-from', 'env:OTP'], secretsOf('embedded-photo'));
    expect(code).toBe(0);
    expect(statSync(imageFile, { throwIfNoEntry: false })).toBeUndefined();
  });

  it('without a key an encrypted password is wanted ready-made', async () => {
    const made = await start('embedded-encrypted', ['--psu-password-from', 'env:PASSWORD']);
    expect(made.document.next).toContain('--psu-encrypted-password-from REF');
    const ready = ['--psu-encrypted-password-from', 'env:READY', '--otp-from', 'env:OTP'];
    const { code } = await obk(['payment', 'authorise', '@last', ...ready], secretsOf('embedded-encrypted'));
    expect(code).toBe(0);
  });

  it.each([
    ['embedded-encrypted', []],
    ['embedded-encrypted-implicit', []],
    ['embedded-additional-encrypted', ['--psu-additional-password-from', 'env:ADDITIONAL']],
  ])('%s gets passwords encrypted for the key of the bank', async (psuId, more) => {
    await obk(['profile', 'edit', 'traveller', '--psu-password-key', 'bank.jwk']);
    const secrets = ['--psu-password-from', 'env:PASSWORD', '--otp-from', 'env:OTP', ...more];
    const { code, document } = await start(psuId, [...secrets, '-vvv', '--trace', `${psuId}.har`]);
    expect({ code, status: document.transactionStatus }).toEqual({ code: 0, status: 'ACSC' });
  });

  it('an additional password is a question of its own', async () => {
    const made = await start('embedded-additional', [
      '--psu-password-from',
      'env:PASSWORD',
      '--otp-from',
      'env:OTP',
    ]);
    expect(made.document.next).toContain('--psu-additional-password-from REF');
    const wrong = await obk(
      ['sca', 'submit', '--psu-additional-password-from', 'env:PASSWORD'],
      secretsOf('embedded-additional'),
    );
    expect(wrong.code).toBe(9);
    const again = await obk(
      ['sca', 'submit', '--psu-additional-password-from', 'env:PASSWORD'],
      secretsOf('embedded-additional'),
    );
    expect(again.code).toBe(2);
    expect(again.stderr).toContain('SECRET_REFUSED_BEFORE');
    const rest = ['--psu-additional-password-from', 'env:ADDITIONAL', '--otp-from', 'env:OTP'];
    const { code } = await obk(['payment', 'authorise', '@last', ...rest], secretsOf('embedded-additional'));
    expect(code).toBe(0);
  });

  it('who is locked out is told so', async () => {
    await start('locks');
    const codes: (number | null)[] = [];
    for (const PASSWORD of ['wrong-1', 'wrong-2', 'wrong-3', 'wrong-4']) {
      const ended = await obk(['sca', 'submit', '@last', '--psu-password-from', 'env:PASSWORD'], {
        PASSWORD,
      });
      codes.push(ended.code);
      if (PASSWORD === 'wrong-1') expect(ended.stderr).toContain('attempts left: 2');
    }
    expect(codes.slice(0, 3)).toEqual([9, 9, 9]);
    expect(codes[3]).not.toBe(0);
    const blocked = await start('locks');
    expect(blocked.code).toBe(9);
    expect(blocked.stderr).toContain('SERVICE_BLOCKED');
  });
});

describe('on the way the approach changes', () => {
  it.each(['switch', 'switch-implicit'])('%s: to the phone of the PSU', async (psuId) => {
    const made = await start(psuId, ['--psu-password-from', 'env:PASSWORD', '--sca-method', 'app']);
    const { sca, paymentId } = made.document as { paymentId: string; sca: Record<string, string> };
    expect(sca).toMatchObject({ approach: 'DECOUPLED', scaStatus: 'started' });
    expect((await obk(['sca', 'submit'])).stderr).toContain('--watch');
    traveller.bank.decide('approve', sca['authorisationId'] ?? '');
    const watched = await obk(['sca', 'status', paymentId, '--watch', '--interval', '100ms']);
    expect(watched.code).toBe(0);
    expect(JSON.parse(watched.stdout)).toMatchObject({ scaStatus: 'finalised', approach: 'DECOUPLED' });
    const { code } = await obk(['payment', 'authorise', paymentId]);
    expect(code).toBe(0);
    expect(traveller.booked(paymentId)).toEqual({ status: 'ACSC', bookings: 1 });
  });

  it('a code that the browser brings back belongs to the visit', async () => {
    const made = await start('redirect-confirm');
    const { sca, paymentId } = made.document as { paymentId: string; sca: Record<string, string> };
    const opened = await obk(['sca', 'open', sca['authorisationId'] ?? '']);
    const { redirectedTo = '' } = traveller.bank.decide('approve', opened.document.sca.url as string);
    const due = await obk(['sca', 'submit', paymentId]);
    expect(due.stderr).toContain('--return-url-from REF');
    const back = ['sca', 'open', paymentId, '--return-url-from', 'env:BACK'];
    expect(await obk(back, { BACK: redirectedTo })).toMatchObject({ code: 0 });
    expect(traveller.booked(paymentId)).toEqual({ status: 'ACSC', bookings: 1 });
  });

  it.each(['switch', 'switch-implicit'])('%s: to the page of the bank', async (psuId) => {
    const made = await start(psuId, ['--psu-password-from', 'env:PASSWORD', '--sca-method', 'page']);
    const { sca, paymentId } = made.document as { paymentId: string; sca: Record<string, string> };
    expect(sca).toMatchObject({ approach: 'REDIRECT', url: expect.stringContaining('/sca/') as string });
    const opened = await obk(['sca', 'open', sca['authorisationId'] ?? '']);
    expect(opened).toMatchObject({ code: 0, document: { sca: { url: sca['url'] } } });
    traveller.bank.decide('approve', sca['url'] ?? '');
    const { code } = await obk(['sca', 'open', paymentId, '--wait', '--timeout', '5s']);
    expect(code).toBe(0);
    expect(traveller.booked(paymentId)).toEqual({ status: 'ACSC', bookings: 1 });
  });
});

it('what is watched comes line by line, and time may run out', async () => {
  const { document } = await start('decoupled');
  const { paymentId } = document as { paymentId: string };
  const timedOut = await obk([
    'sca',
    'status',
    paymentId,
    '--watch',
    '--interval',
    '10ms',
    '--timeout',
    '50ms',
  ]);
  expect(timedOut.code).toBe(8);
  const watching = obk(['sca', 'status', paymentId, '--watch', '--interval', '50ms']);
  traveller.bank.decide('refuse', paymentId);
  const watched = await watching;
  expect(watched.code).toBe(9);
  const rows = watched.stdout
    .trimEnd()
    .split('\n')
    .map((line) => (JSON.parse(line) as { scaStatus: string }).scaStatus);
  expect(rows.at(-1)).toBe('failed');
  expect(new Set(rows).size).toBe(rows.length);
});

it('no secret was shown', () => {
  const people = [
    'embedded-choice',
    'embedded-encrypted',
    'embedded-additional',
    'embedded-additional-encrypted',
  ];
  const files = readdirSync(join(traveller.obk.home, 'state'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.parentPath.includes('sandbox'))
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'));
  expect(files.length).toBeGreaterThan(3);
  const traces = readdirSync(traveller.obk.folder).filter((name) => name.endsWith('.har'));
  expect(traces).toHaveLength(3);
  const texts = traces.map((name) => readFileSync(join(traveller.obk.folder, name), 'utf8'));
  const everything = [...shown, ...files, ...texts].join('\n');
  for (const secret of people.flatMap((psuId) => Object.values(secretsOf(psuId)))) {
    if (secret !== '') expect(everything).not.toContain(secret);
  }
});

it.skipIf(!hasOfficialFiles())('and all of it was as the official files say', () => {
  const exchanges = traveller.take();
  expect(exchanges.length).toBeGreaterThan(50);
  expect(findingsIn(presets.v136, exchanges, checkExchange)).toEqual([]);
});
