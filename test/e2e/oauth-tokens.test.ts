// Whose token goes where, and until when: several PSUs on one machine, a bank that takes the consent from the token, bound
// tokens, tokens that end.
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startBank } from '../helpers/bank.ts';
import type { TestBank } from '../helpers/bank.ts';
import { headerMap } from '../helpers/contract-judge.ts';
import { insideOf } from '../helpers/inside.ts';
import { createObk, shop } from '../helpers/obk.ts';
import type { Obk } from '../helpers/obk.ts';
import { startRecorder } from '../helpers/recorder.ts';
import type { Recorder } from '../helpers/recorder.ts';

let bank: TestBank;
let recorder: Recorder;
const homes: Obk[] = [];

beforeAll(async () => {
  bank = await startBank({ doors: { httpsPort: 0 } });
  bank.scenario({ oauthPreStep: 'required', rateLimit: 'off' });
  recorder = await startRecorder(bank.baseUrl);
});
afterAll(async () => {
  for (const home of homes) home.close();
  await recorder.close();
  await bank.close();
});

/** One machine of a TPP, with a profile that leads to the bank. */
async function machine(flags: readonly string[] = [], baseUrl = recorder.baseUrl) {
  const home = createObk({ CI: 'true', OBK_PROFILE: 'tpp' });
  homes.push(home);
  const inside = insideOf(home);
  await inside.json([
    ...['profile', 'create', 'tpp', '--variant', 'v136', '--environment', 'sandbox', '--psu-ip', '192.0.2.1'],
    ...['--base-url', baseUrl, '--certificate', bank.certificatePath, '--key', bank.keyPath, ...flags],
  ]);
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- documents of every shape
  const json = async (args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<any> => {
    const { stdout, stderr } = await inside.run([...args, '--json'], { env });
    return JSON.parse(stdout === '' ? (stderr.trim().split('\n').at(-1) ?? '') : stdout);
  };
  const login = async (psuId: string) => {
    const { url } = await json(['auth', 'login', '--psu-id', psuId]);
    const { redirectedTo = '' } = bank.decide('approve', url as string, psuId);
    const back = ['auth', 'login', '--psu-id', psuId, '--return-url-from', 'env:BACK'];
    expect(await json(back, { BACK: redirectedTo })).toMatchObject({ kind: 'pre-step', psuId });
  };
  return { json, login, home };
}

/** A second machine that somebody has set up by copying the first one. */
function copyOf(from: Obk) {
  const home = createObk({ CI: 'true', OBK_PROFILE: 'tpp' });
  homes.push(home);
  cpSync(join(from.home, 'config'), join(home.home, 'config'), { recursive: true });
  const inside = insideOf(home);
  return (args: readonly string[]) => inside.run([...args, '--json']);
}

/** Which tokens went with which calls since the last look. */
function sent() {
  return recorder
    .take()
    .filter(({ path }) => path.startsWith('/v136/'))
    .map(({ method, path, requestHeaders }) => {
      const headers = headerMap(requestHeaders);
      const token = headers.get('authorization');
      return { call: `${method} ${path}`, token, consentId: headers.get('consent-id') };
    });
}

describe('two signatories on one machine', () => {
  it('each act with their own token, and nobody acts for the other', async () => {
    const { json, login } = await machine();
    await login('pair-a');
    await login('pair-b');
    const debtor = bank.person('pair-a').accounts[0]?.iban ?? '';
    const otp = { OTP: bank.person('pair-a').otp };
    const pay = ['payment', 'init', ...shop, '--debtor', debtor, '--amount', '1.00', '--otp-from', 'env:OTP'];
    // Nobody says whose payment it is.
    expect(await json(pay, otp)).toMatchObject({
      error: { exitCode: 4, hint: ['--psu-id pair-a', '--psu-id pair-b'] },
    });
    sent();
    const made = await json([...pay, '--psu-id', 'pair-a'], otp);
    const first = await json(
      ['payment', 'authorise', made.paymentId, '--psu-id', 'pair-a', '--otp-from', 'env:OTP'],
      otp,
    );
    expect(first).toMatchObject({ transactionStatus: 'PATC' });
    const [a, ...others] = new Set(sent().map(({ token }) => token));
    expect([a, others]).toEqual([expect.stringMatching(/^Bearer .{40}/), []]);
    const second = await json(['payment', 'authorise', made.paymentId, '--psu-id', 'pair-b']);
    const calls = sent();
    // What A has begun is read as A; all that B sets off is B's.
    const acts = calls.filter(({ call }) => !call.startsWith('GET')).map(({ token }) => token);
    expect(acts).toEqual([expect.stringMatching(/^Bearer .{40}/)]);
    expect(acts).not.toContain(a);
    bank.decide('approve', second.sca.url as string, 'pair-b');
    const status = await json(['payment', 'status', made.paymentId]);
    expect(status).toMatchObject({ transactionStatus: 'ACSC' });
    const third = await json(['payment', 'authorise', made.paymentId, '--psu-id', 'pair-b']);
    expect(third).toMatchObject({ transactionStatus: 'ACSC' });
  });
});

describe('a bank that takes the consent from the token', () => {
  it('is read without a Consent-ID, on a machine that knows of no consent', async () => {
    const psu = ['--psu-id', 'embedded-none-implicit'];
    const first = await machine();
    await first.login('embedded-none-implicit');
    const made = await first.json(['consent', 'create', '--all-psd2', '--recurring', ...psu]);
    expect(made).toMatchObject({ consentStatus: 'valid' });
    const other = await machine(['--auth-consent', 'token']);
    await other.login('embedded-none-implicit');
    sent();
    const accounts = await other.json(['accounts', ...psu]);
    expect(accounts).toHaveLength(2);
    const [{ resourceId }] = accounts;
    const list = ['transactions', 'list', '--account', resourceId, '--limit', '1', ...psu];
    expect(await other.json(list)).toHaveLength(1);
    const calls = sent();
    expect(calls.length).toBeGreaterThan(1);
    expect(new Set(calls.map(({ consentId }) => consentId))).toEqual(new Set([undefined]));

    // Beside the token of another PSU the consent is refused.
    await first.login('redirect');
    const wrong = ['accounts', '--consent', made.consentId, '--psu-id', 'redirect'];
    expect(await first.json(wrong)).toMatchObject({
      error: { exitCode: 4, tppMessages: [{ code: 'CONSENT_INVALID' }] },
    });
  });
});

describe('a token that has ended at the bank', () => {
  const psu = ['--psu-id', 'redirect'];

  it('is refreshed: a read goes on, and what would change something is not repeated', async () => {
    const { json, login } = await machine();
    await login('redirect');
    const debtor = bank.person('redirect').accounts[0]?.iban ?? '';
    const pay = [
      'payment',
      'init',
      ...shop,
      '--debtor',
      debtor,
      '--amount',
      '1.00',
      '--allow-duplicate',
      ...psu,
    ];
    const made = await json(pay);
    recorder.take();
    bank.clock('+61m');
    const status = await json(['payment', 'status', made.paymentId, ...psu]);
    expect(status).toMatchObject({ transactionStatus: 'RCVD' });
    expect(
      recorder.take().map(({ method, path, status: code }) => `${method} ${path.split('/').at(-1)} ${code}`),
    ).toEqual(['GET status 401', 'POST token 200', 'GET status 200']);
    bank.clock('+61m');
    const before = bank.payments().length;
    expect(await json(pay)).toMatchObject({ error: { exitCode: 4, hint: ['Run the same command again.'] } });
    expect(bank.payments()).toHaveLength(before);
    expect(await json(pay)).toMatchObject({ transactionStatus: 'RCVD' });
    expect(bank.payments()).toHaveLength(before + 1);
  });

  it('ends for good where its refresh token is used twice, and by a logout', async () => {
    const { json, login, home } = await machine();
    await login('redirect');
    const elsewhere = copyOf(home);
    expect(await json(['auth', 'refresh', ...psu])).toMatchObject({ refreshable: true });
    // The bank takes the second use for theft: no token of this login is good any more.
    const stolen = await elsewhere(['auth', 'refresh', ...psu]);
    expect([stolen.code, stolen.stderr]).toEqual([4, expect.stringContaining('invalid_grant')]);
    const consent = ['consent', 'status', '3d9a81b3-a47d-4130-8765-a9c0ff861100', ...psu];
    expect(await json(consent)).toMatchObject({
      error: {
        exitCode: 4,
        tppMessages: [{ code: 'TOKEN_UNKNOWN' }],
        hint: ['obk auth login --profile tpp --psu-id redirect'],
      },
    });
    await login('redirect');
    const last = copyOf(home);
    expect(await json(['auth', 'logout', ...psu])).toMatchObject({ erased: 1, revoked: 1 });
    expect((await last(consent)).stderr).toContain('TOKEN_UNKNOWN');
    expect(await json(['auth', 'status'])).toEqual([]);
  });
});

describe('over mutual TLS', () => {
  it('a token goes with the certificate that got it, and with no other', async () => {
    const tls = ['--ca', bank.caPath, '--tls-certificate', bank.tlsCertificatePath];
    const flags = [...tls, '--tls-key', bank.tlsKeyPath, '--oauth-issuer', bank.httpsBaseUrl ?? ''];
    const { json, login } = await machine(flags, bank.httpsBaseUrl);
    bank.scenario({ clientCertificate: 'required' });
    await login('oauth-prestep');
    const debtor = bank.person('oauth-prestep').accounts[0]?.iban ?? '';
    const pay = ['payment', 'init', ...shop, '--debtor', debtor, '--amount', '1.00', '--allow-duplicate'];
    const psu = ['--psu-id', 'oauth-prestep'];
    const { otp } = bank.person('oauth-prestep');
    const answers = ['--sca-method', 'chip', '--otp-from', 'env:OTP'];
    const paid = await json([...pay, ...psu, ...answers], { OTP: otp });
    expect(paid).toMatchObject({ transactionStatus: 'ACSC' });
    bank.scenario({ clientCertificate: 'requested' });

    // Without the certificate the token is worth nothing.
    await json(['profile', 'edit', 'tpp', '--tls-certificate', '', '--tls-key', '']);
    expect(await json(['payment', 'status', paid.paymentId, ...psu])).toMatchObject({
      error: {
        exitCode: 4,
        tppMessages: [{ code: 'TOKEN_INVALID' }],
        hint: ['obk auth login --profile tpp --psu-id oauth-prestep'],
      },
    });
  });
});
