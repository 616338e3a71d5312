import { describe, expect, it } from 'vitest';
import { bodyOf } from '../../../../../src/cli/commands/api/body.ts';
import { findCall } from '../../../../../src/cli/commands/api/find-call.ts';
import type { Context } from '../../../../../src/cli/context.ts';
import type { Target } from '../../../../../src/client/exchange/target.ts';
import { operation } from '../../../../../src/standard/xs2a/operations.ts';
import { presets } from '../../../../../src/standard/xs2a/variants.ts';
import { fakeClock, memoryFiles, memoryJournal, memoryStore } from '../../../../helpers/fakes/index.ts';
import { program } from '../../../../helpers/program.ts';

async function target(): Promise<Target> {
  const store = memoryStore();
  await store.resources.save({
    schemaVersion: 1,
    profile: 'p',
    environment: 'test',
    noun: 'payment',
    id: 'pay/1',
    createdAt: '2026-11-21T10:00:00.000Z',
    updatedAt: '2026-11-21T10:00:00.000Z',
    framework: '1.3.2',
    prefix: '/v1',
    baseUrl: 'https://b.example',
    service: 'payments',
    product: 'sepa-credit-transfers',
    links: {},
  });
  const journal = memoryJournal();
  const ports = { ...store, journal, intents: journal.intents, clock: fakeClock() };
  return { name: 'p', environment: 'test', variant: presets.v1, links: {}, ports } as unknown as Target;
}

const find = async (what: string, path?: string, field: string[] = []) =>
  findCall(await target(), what, path, { field });

describe('a call as it was typed', () => {
  it.each<[string, string, string, object]>([
    ['get', 'v1/accounts', 'getAccountList', {}],
    ['GET', '/v1/accounts', 'getAccountList', {}],
    ['GET', 'accounts', 'getAccountList', {}],
    ['GET', 'accounts/a%2Fb/balances', 'getBalances', { 'account-id': 'a/b' }],
    [
      'GET',
      'payments/sepa-credit-transfers/{paymentId}/status',
      'getPaymentInitiationStatus',
      { paymentId: 'pay/1', 'payment-service': 'payments', 'payment-product': 'sepa-credit-transfers' },
    ],
  ])('%s %s', async (method, path, id, params) => {
    const found = await find(method, path);
    expect([found.operation.id, { ...found.params }]).toEqual([id, params]);
  });

  it('takes queries from the path and from -f', async () => {
    const found = await find('GET', 'accounts?withBalance=true', ['x=1']);
    expect(found).toMatchObject({ query: { withBalance: 'true', x: '1' }, members: [] });
  });

  it('by its name takes path, query and body from -f', async () => {
    const list = ['account-id=a', 'bookingStatus=booked', 'dateFrom=2026-01-01'];
    expect(await find('getTransactionList', undefined, list)).toMatchObject({
      params: { 'account-id': 'a' },
      query: { bookingStatus: 'booked', dateFrom: '2026-01-01' },
      members: [],
    });
    expect(await find('createConsent', undefined, ['validUntil=2026-01-01'])).toMatchObject({
      query: {},
      members: ['validUntil=2026-01-01'],
    });
    expect((await find('getPaymentInitiationStatus', undefined, ['paymentId=@last'])).params).toEqual({
      paymentId: 'pay/1',
      'payment-service': 'payments',
      'payment-product': 'sepa-credit-transfers',
    });
  });

  it.each<[string, string | undefined, string[], string]>([
    ['getAccountLst', undefined, [], 'There is no operation "getAccountLst".'],
    ['PATCH', 'v1/accounts', [], '"PATCH" is no method.'],
    ['GET', undefined, [], 'Missing PATH.'],
    ['DELETE', 'v1/accounts', [], '/v1/accounts takes GET, not DELETE.'],
    ['GET', 'v1/nowhere', [], '/v1/nowhere is no path of the interface'],
    ['GET', 'v1/signing-baskets/1', [], 'is not part of this profile'],
    ['GET', 'C:/Program Files/Git/v1/accounts', [], 'the shell has rewritten'],
    ['readAccountDetails', undefined, [], 'Missing: -f account-id=VALUE.'],
    ['getAccountList', undefined, ['broken'], '-f takes KEY=VALUE'],
  ])('%s %s is refused', async (what, path, field, title) => {
    await expect(find(what, path, field)).rejects.toMatchObject({
      exit: 2,
      title: expect.stringContaining(title),
    });
  });
});

describe('a body', () => {
  const context = {
    ports: {
      files: memoryFiles({ 'body.json': ' {"a":1}\n', 'body.xml': '<Document/>', 'text.txt': 'from a file' }),
    },
  } as unknown as Context;
  const make = async (id: Parameters<typeof operation>[0], members: string[], options: object = {}) => {
    const body = await bodyOf(context, { operation: operation(id), members }, options, {
      variant: presets.v136,
    });
    return body !== undefined && 'bytes' in body
      ? [Buffer.from(body.bytes).toString(), body.contentType]
      : body;
  };

  it('is made of -f and -F', async () => {
    const typedField = ['c=1', 'd=true', 'e=null', 'f=12345678901234567890', 'g=1.10', 'h=@text.txt'];
    expect(await make('createConsent', ['a.b=x', 'a.c=1', '__proto__.x=1'], { typedField })).toEqual([
      '{"a":{"b":"x","c":"1"},"__proto__":{"x":"1"},"c":1,"d":true,"e":null,"f":"12345678901234567890","g":"1.10","h":"from a file"}',
      'application/json',
    ]);
  });

  it('of a file goes out as it is', async () => {
    expect(await make('createConsent', [], { input: 'body.json' })).toEqual([
      ' {"a":1}\n',
      'application/json',
    ]);
    expect(await make('initiatePayment', [], { input: 'body.xml' })).toEqual([
      '<Document/>',
      'application/xml',
    ]);
  });

  it('is empty for an authorisation, and absent for a read', async () => {
    expect(await make('startPaymentAuthorisation', [])).toEqual({ json: {} });
    expect(await make('getAccountList', [])).toBeUndefined();
  });

  it.each<[string, () => Promise<unknown>]>([
    ['--input with -f', () => make('createConsent', ['a=1'], { input: 'body.json' })],
    ['a body for a read', () => make('getAccountList', [], { typedField: ['a=1'] })],
    ['no value', () => make('createConsent', [], { typedField: ['a'] })],
  ])('%s is refused', async (_, work) => {
    await expect(work()).rejects.toMatchObject({ exit: 2 });
  });
});

describe('api --list', () => {
  const list = async (line: string) =>
    JSON.parse((await program(`${line} --json`)).stdout) as { operation: string; path: string }[];

  it('has every operation with the variants that offer it', async () => {
    const all = await list('api --list');
    expect(all).toHaveLength(38);
    expect(all[0]).toEqual({
      operation: 'initiatePayment',
      method: 'POST',
      path: '/{payment-service}/{payment-product}',
      service: 'PIS',
      role: 'PSP_PI',
      variants: ['v1', 'v136'],
    });
    expect(all.find(({ operation }) => operation === 'getCardAccount')).toMatchObject({ variants: ['v1'] });
    expect(all.find(({ operation }) => operation === 'createSigningBasket')).toMatchObject({ variants: [] });
  });

  it.each([
    ['v1', 27, '/v1/accounts/{account-id}/transactions/{resourceId}'],
    ['v136', 25, '/v136/accounts/{account-id}/transactions/{transactionId}'],
  ])('of %s has its operations and paths', async (variant, count, path) => {
    const found = await list(`api --list --variant ${variant}`);
    expect(found).toHaveLength(count);
    expect(found.find(({ operation }) => operation === 'getTransactionDetails')?.path).toBe(path);
  });

  it.each([
    ['api', 'Missing WHAT.'],
    ['api --variant v1', '--variant goes with --list.'],
    ['api getAccountList --list', '--list sends nothing'],
    ['api --list --variant v2', '--variant takes v1, v136; not "v2"'],
  ])('%s is refused', async (line, why) => {
    const { code, stdout, stderr } = await program(line);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(why);
  });
});

describe('a secret in a body', () => {
  const put = ['api', 'PUT', 'v1/payments/sepa-credit-transfers/p1/authorisations/a1'];
  const kept = memoryStore({ schemaVersion: 1, activeProfile: 'p', profiles: { p: {} } } as never);

  it.each([
    ['password=geheim', 'password'],
    ['otp=geheim', 'otp'],
    ['scaAuthenticationData=geheim', 'scaAuthenticationData'],
    ['psuData.password=geheim', 'password'],
    ['psuData.encryptedPassword=geheim', 'encryptedPassword'],
    ['psuData.additionalPassword=geheim', 'additionalPassword'],
    ['psuData.password.value=geheim', 'password'],
    ['psuData.password[0]=geheim', 'password'],
    ['psuData={"password":"geheim"}', 'password'],
    ['psuData={"encryptedPassword": "geheim"', 'encryptedPassword'],
    ['x=[{"scaAuthenticationData":"geheim"}]', 'scaAuthenticationData'],
    ['x=<psuData><password>geheim</password></psuData>', 'password'],
  ])('%s is refused by -f and by -F, which say it is none of the command line', async (member, name) => {
    for (const flag of ['-f', '-F']) {
      const { code, stdout, stderr } = await program([...put, flag, member, '--dry-run'], {
        ports: { ...kept },
      });
      expect({ code, stdout }, stderr).toEqual({ code: 2, stdout: '' });
      expect(stderr).toContain(`${flag} does not take ${name}: a secret is never the value of a flag.`);
      expect(stderr).not.toContain('geheim');
    }
  });

  it('is refused in the query of a path', async () => {
    const typed = ['api', 'GET', 'v1/accounts?withBalance=true&access_token=geheim', '--dry-run'];
    const { code, stderr } = await program(typed, { ports: { ...kept } });
    expect(code).toBe(2);
    expect(stderr).toContain('PATH does not take access_token: a secret is never an argument.');
    expect(stderr).not.toContain('geheim');
  });
});

describe('a writing call in production', () => {
  const settings = {
    environment: 'production',
    baseUrl: 'https://b.example',
    framework: '1.3.2',
    prefix: '/v1',
    surface: 'framework',
    signing: { mode: 'none' },
    psu: { ipAddress: '192.0.2.1' },
  } as const;
  const sent: string[] = [];
  const ports = () => ({
    ...memoryStore({ schemaVersion: 1, activeProfile: 'live', profiles: { live: settings } } as never),
    http: {
      send: ({ url }: { url: string }) => {
        sent.push(url);
        return Promise.reject(new Error('sent'));
      },
    } as never,
  });

  const payment = '-f payment-service=payments -f payment-product=sepa-credit-transfers -f paymentId=p1';

  it.each([
    ['initiatePayment', '-f payment-service=payments -f payment-product=sepa-credit-transfers'],
    ['cancelPayment', '-f payment-service=payments -f payment-product=sepa-credit-transfers -f paymentId=p1'],
    ['createConsent', ''],
    ['deleteConsent', '-f consentId=c1'],
    ['deleteSigningBasket', '-f basketId=b1'],
    ['createSigningBasket', ''],
    ['startPaymentAuthorisation', payment],
    ['updatePaymentPsuData', `${payment} -f authorisationId=a1`],
    ['startPaymentInitiationCancellationAuthorisation', payment],
    ['updatePaymentCancellationPsuData', `${payment} -f authorisationId=a1`],
    ['startSigningBasketAuthorisation', '-f basketId=b1'],
    ['updateSigningBasketPsuData', '-f basketId=b1 -f authorisationId=a1'],
    ['startConsentAuthorisation', '-f consentId=c1'],
    ['updateConsentsPsuData', '-f consentId=c1 -f authorisationId=a1'],
    ['POST', 'v1/payments/sepa-credit-transfers/p1/authorisations'],
    ['PUT', 'v1/payments/sepa-credit-transfers/p1/cancellation-authorisations/a1'],
  ])('%s asks for the name of the profile, as its command does', async (id, flags) => {
    sent.length = 0;
    for (const extra of ['', '--yes', '--confirm other']) {
      const ran = await program(`api ${id} ${flags} ${extra}`, { ports: ports() });
      expect(ran.code, ran.stderr).toBe(2);
      expect(ran.stderr).toContain('--confirm live');
    }
    expect(sent).toEqual([]);
  });
});

describe('what obk api adds by itself', () => {
  const settings = {
    environment: 'test',
    baseUrl: 'https://b.example',
    ...presets.v1,
    surface: 'framework',
    signing: { mode: 'none' },
    psu: { ipAddress: '192.0.2.1', id: 'anna' },
  };
  const headersOf = async (line: readonly string[], profile: object = settings) => {
    const store = memoryStore({
      schemaVersion: 1,
      activeProfile: 'p',
      profiles: { p: profile },
    } as never);
    const ran = await program(['api', ...line, '--dry-run', '--json'], { ports: { ...store } });
    expect(ran.code, ran.stderr).toBe(0);
    const { headers, body } = JSON.parse(ran.stdout) as {
      headers: { name: string; value: string }[];
      body: string;
    };
    return {
      body,
      of: (name: string) =>
        headers.filter((one) => one.name.toLowerCase() === name).map(({ value }) => value),
    };
  };

  it('does not say of a read of accounts that the PSU is there, unless told', async () => {
    const read = ['getAccountList', '-H', 'Consent-ID: c'];
    expect((await headersOf(read)).of('psu-ip-address')).toEqual([]);
    expect((await headersOf([...read, '--psu-present'])).of('psu-ip-address')).toEqual(['192.0.2.1']);
    const typed = [...read, '-H', 'PSU-IP-Address: 192.0.2.9'];
    expect((await headersOf(typed)).of('psu-ip-address')).toEqual(['192.0.2.9']);
  });

  it('names the PSU with a PUT as with a POST', async () => {
    const put = ['updateConsentsPsuData', '-f', 'consentId=c', '-f', 'authorisationId=a'];
    expect((await headersOf(put)).of('psu-id')).toEqual(['anna']);
  });

  it.each(['Accept: text/plain', 'PSU-ID: bert', 'PSU-IP-Address: 192.0.2.9', 'content-type: text/x'])(
    'takes -H %s in place of its own',
    async (header) => {
      const [name = '', value = ''] = header.split(': ');
      const call = ['createConsent', '-f', 'a=b', '-H', header];
      expect((await headersOf(call)).of(name.toLowerCase())).toEqual([value]);
    },
  );

  it('sends {} only where a body is declared', async () => {
    const place = ['payment-service=payments', 'payment-product=sepa-credit-transfers', 'paymentId=p'];
    const start = ['startPaymentInitiationCancellationAuthorisation', ...place.flatMap((one) => ['-f', one])];
    expect((await headersOf(start)).body).toBe('');
    expect((await headersOf(start, { ...settings, ...presets.v136, surface: 'framework' })).body).toBe('{}');
  });
});
