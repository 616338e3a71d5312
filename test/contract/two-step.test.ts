// What exit 0 means for the commands that make something: made, or also authorised where that was asked for.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startTpp } from '../helpers/tpp.ts';
import type { Tpp } from '../helpers/tpp.ts';
import { shop } from '../helpers/obk.ts';

const here = {} as { tpp: Tpp; env: NodeJS.ProcessEnv };
beforeAll(async () => {
  here.tpp = await startTpp('v1', ['--environment', 'test']);
  here.env = { ...here.tpp.env };
});
beforeEach(() => {
  const { password, otp } = here.tpp.bank.person('embedded-choice');
  here.tpp.env = Object.assign(here.tpp.env, { PW: password, OTP: otp, BAD: '000000', LONG: 'a long one' });
  for (const name of Object.keys(here.tpp.env))
    if (/^OBK_(PSU_PASSWORD|OTP)_FROM$/.test(name)) Reflect.deleteProperty(here.tpp.env, name);
});
afterAll(() => here.tpp.close());

const pay = (psuId: string) => [
  ...['payment', 'init', ...shop, '--debtor', here.tpp.bank.person(psuId).accounts[0]?.iban ?? ''],
  ...['--amount', '1.00', '--allow-duplicate', '--psu-id', psuId],
];
const password = ['--psu-password-from', 'env:PW'];
const otp = ['--otp-from', 'env:OTP'];
const none = /^$/;
/** Customer, flags, exit, stderr. */
type Case = [psuId: string, flags: string[], exit: number, told: RegExp, env?: Record<string, string>];

const cases: Case[] = [
  ['embedded-choice', [], 0, none],
  ['embedded-choice', ['--sca-method', 'sms'], 0, none],
  ['embedded-choice', ['--wait'], 8, /--psu-password-from is missing[^]*--sca-method[^]*--otp-from/],
  ['embedded-choice', ['--wait', ...password], 8, /--sca-method: Choose one of: sms[^]*--otp-from/],
  ['embedded-choice', ['--wait', '--sca-method', 'sms', ...password], 8, /--otp-from is missing/],
  ['embedded-choice', [...password], 8, /--sca-method: Choose one of: sms[^]*--otp-from/],
  ['embedded-choice', [...otp], 8, /--psu-password-from is missing[^]*--sca-method/],
  ['embedded-choice', [], 8, /--sca-method: Choose/, { OBK_PSU_PASSWORD_FROM: 'env:PW' }],
  ['embedded-choice', [], 8, /--psu-password-from is missing/, { OBK_OTP_FROM: 'env:OTP' }],
  // The variable goes with another customer.
  ['embedded-choice', [], 0, /OBK_OTP_FROM/, { OBK_OTP_FROM: 'env:OTP', OBK_PSU_ID: 'embedded-one' }],
  ['embedded-choice', [...password, '--sca-method', 'nope'], 8, /--sca-method: \\?"nope\\?" is not offered/],
  [
    'embedded-choice',
    [...password, '--sca-method', 'sms', '--otp-from', 'env:LONG'],
    8,
    /--otp-from does not have the form/,
  ],
  [
    'embedded-choice',
    [...password, '--otp-from', 'prompt', '--sca-method', 'sms'],
    8,
    /--otp-from: The reference is/,
  ],
  [
    'embedded-choice',
    ['--wait', '--timeout', '1s', '--psu-password-from', 'env:BAD'],
    9,
    /PSU_CREDENTIALS_INVALID/,
  ],
  ['redirect', [], 0, none],
  ['redirect', [...password], 0, /--psu-password-from is not used: the customer approves at the bank/],
  ['redirect-explicit', [...otp], 0, /--otp-from is not used/],
  ['decoupled', [...password, ...otp], 0, /--psu-password-from, --otp-from are not used[^]*another device/],
  ['redirect', ['--wait', '--timeout', '200ms'], 8, /Not authorised yet/],
  ['redirect', [...password, '--wait', '--timeout', '200ms'], 8, /Not authorised yet/],
];

const without = (stderr: string) =>
  stderr
    .split('\n')
    .filter((line) => !/^\{"(notice|created)"/.test(line))
    .join('\n')
    .trim();

const ask = (psuId: string) => ['consent', 'create', '--all-psd2', '--psu-id', psuId];
/** The consent walks the same code, so some of the cases are enough for it. */
const some = cases.filter(
  ([psuId, flags]) => psuId === 'redirect' || flags[0] === '--wait' || flags.length === 0,
);

describe.each([
  ['payment init', pay, 'paymentId', cases],
  ['consent create', ask, 'consentId', some],
])('the two-step command %s', (_, words, id, own) => {
  it.each(own)('ends at %s with %j as %d', async (psuId, flags, exit, told, env = {}) => {
    Object.assign(here.tpp.env, env);
    const ran = await here.tpp.run([...words(psuId), ...flags]);
    for (const name of Object.keys(env)) Reflect.deleteProperty(here.tpp.env, name);
    expect(ran.code, ran.stderr).toBe(exit);
    expect(ran.document).toMatchObject({ [id]: expect.any(String) as string });
    expect(without(ran.stderr)).toMatch(told);
    if (exit !== 9) expect(ran.document.next).toContain(`obk ${id.replace('Id', '')} authorise`);
  });

  it.each([[[]], [password]])(
    'ends with --authorise-later and %j as 0, and nothing follows',
    async (more) => {
      const ran = await here.tpp.run([...words('embedded-choice'), '--authorise-later', ...more]);
      expect(ran.code, ran.stderr).toBe(0);
      expect(ran.document.sca).toMatchObject({ scaStatus: null });
    },
  );

  it('is refused with --authorise-later and --wait before anything is sent', async () => {
    here.tpp.take();
    const ran = await here.tpp.run([...words('embedded-choice'), '--authorise-later', '--wait']);
    expect([ran.code, ran.document]).toEqual([2, {}]);
    expect(ran.stderr).toContain('--authorise-later and --wait');
    expect(here.tpp.take()).toEqual([]);
  });
});

describe('payment cancel', () => {
  it.each<[string[], number, RegExp]>([
    [[], 0, none],
    [['--wait'], 8, /--psu-password-from is missing/],
    [password, 8, /--sca-method|--otp-from/],
    [['--psu-password-from', 'env:PW', '--otp-from', 'env:LONG'], 8, /--otp-from does not have the form/],
  ])('ends with %j as %d once the bank requires the customer', async (flags, exit, told) => {
    const id = await here.tpp.accepted('next-day');
    const { password: secret } = here.tpp.bank.person('next-day');
    here.tpp.env['PW'] = secret;
    const ran = await here.tpp.run(['payment', 'cancel', id, '--yes', '--psu-id', 'next-day', ...flags]);
    expect(ran.code, ran.stderr).toBe(exit);
    expect(ran.document).toMatchObject({ paymentId: id, transactionStatus: 'ACTC' });
    expect(without(ran.stderr)).toMatch(told);
  });
});
