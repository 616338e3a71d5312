import { createHash, createPrivateKey, randomUUID, sign, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import { standardScenario } from '../../../../src/bank/rules/scenario.ts';
import { consentBody, consentsOf } from '../consent-scene.ts';
import { codeOf, href, leads, useScene } from '../scene.ts';
import type { TestAnswer } from '../tpp.ts';
import { keyIdOf, payment, send, tppOf } from '../tpp.ts';

// Where the official files are, each answer of this bank is judged by them.
const scene = useScene();
const { ask, detailed, ibanOf, valid } = consentsOf(scene);

afterEach(() => {
  scene.bank.scenario(standardScenario);
});

const formError = [400, 'FORMAT_ERROR'] as const;

/** A request that the official files do not allow. */
const odd = (method: string, path: string, options: Parameters<ReturnType<typeof tppOf>>[2] = {}) =>
  tppOf(scene.bank)(method, path, options);

describe('a parameter of the query that occurs twice', () => {
  const opened = async () => {
    const { id } = await valid('redirect');
    const headers = { 'Consent-ID': id };
    const list = await scene.call('GET', '/v136/accounts', { headers });
    const [account] = list.json.accounts as { _links: Record<string, { href: string }> }[];
    return { headers, transactions: href(account!._links, 'transactions') };
  };

  it.each([
    ['bookingStatus=booked&bookingStatus=pending&dateFrom=2026-05-01', 'bookingStatus'],
    ['bookingStatus=booked&bookingStatus=booked&dateFrom=2026-05-01', 'bookingStatus'],
    ['bookingStatus=booked&dateFrom=2026-05-01&dateFrom=2026-04-01', 'dateFrom'],
    ['bookingStatus=booked&dateFrom=2026-05-01&dateTo=2026-05-02&dateTo=2026-05-03', 'dateTo'],
    ['bookingStatus=booked&dateFrom=2026-05-01&withBalance=true&withBalance', 'withBalance'],
    ['bookingStatus=booked&deltaList=true&deltaList=false', 'deltaList'],
    ['bookingStatus=booked&entryReferenceFrom=1&entryReferenceFrom=2', 'entryReferenceFrom'],
    ['bookingStatus=booked&dateFrom=2026-05-01&cursor=a.b&cursor=c.d', 'cursor'],
  ])('is refused: %s', async (query, path) => {
    const { headers, transactions } = await opened();
    const answer = await odd('GET', `${transactions}?${query}`, { headers });
    expect([...codeOf(answer), answer.json.tppMessages[0].path]).toEqual([...formError, path]);
  });

  it('is refused at every list that has it, and ignored where it has no meaning', async () => {
    const { headers } = await opened();
    const twice = await odd('GET', '/v136/accounts?withBalance=true&withBalance=false', { headers });
    expect(codeOf(twice)).toEqual(formError);
    expect((await odd('GET', '/v136/accounts?colour=red&colour=blue', { headers })).status).toBe(200);
  });
});

const shapes: [string, unknown][] = [
  ['[]', []],
  ['[{}]', [{}]],
  ['null', null],
  ['1', 1],
  ['true', true],
  ['a text', 'text'],
];

describe.each(shapes)('a body that is %s', (_, body) => {
  it.each([
    '/v136/consents',
    '/v136/funds-confirmations',
    '/v136/signing-baskets',
    '/v136/payments/sepa-credit-transfers',
    '/v136/bulk-payments/sepa-credit-transfers',
    '/v136/periodic-payments/sepa-credit-transfers',
  ])('is refused at %s', async (path) => {
    scene.bank.scenario({ surface: 'framework' });
    expect(codeOf(await odd('POST', path, { body }))).toEqual(formError);
  });

  it('is refused as the body of an authorisation', async () => {
    const explicit = await scene.create('embedded-one');
    const start = href(explicit.links, 'startAuthorisationWithPsuAuthentication');
    expect(codeOf(await odd('POST', start, { body }))).toEqual(formError);
    const implicit = await scene.create('embedded-one-implicit');
    const update = href(implicit.links, 'updatePsuAuthentication');
    expect(codeOf(await odd('PUT', update, { body }))).toEqual(formError);
    const consent = await ask('embedded-one');
    const begin = href(consent.json._links, leads(consent.json._links)[0]!);
    expect(codeOf(await odd('POST', begin, { body }))).toEqual(formError);
    expect(codeOf(await odd('POST', begin, { body: { psuData: body } }))).toEqual(formError);
  });

  it('is refused as a member that is an object or a list', async () => {
    scene.bank.scenario({ surface: 'framework' });
    const iban = ibanOf('redirect');
    const pay = payment(iban, '1.00');
    const accounts = [{ iban }];
    for (const [path, whole] of [
      ['consents', consentBody(body as object)],
      // An empty list leaves the choice of accounts to the PSU.
      ['consents', consentBody({ accounts: Array.isArray(body) && body.length === 0 ? {} : body })],
      ['consents', consentBody({ accounts: [body] })],
      ['consents', consentBody({ accounts: [{ iban: body }] })],
      ['consents', consentBody({ allPsd2: body })],
      ['consents', consentBody({ accounts, additionalInformation: body })],
      ['consents', consentBody({ accounts }, { frequencyPerDay: body === 1 ? '1' : body })],
      ['consents', consentBody({ accounts }, { validUntil: body })],
      ['consents', consentBody({ accounts }, { recurringIndicator: body === true ? 'true' : body })],
      ['funds-confirmations', { account: body, instructedAmount: { currency: 'EUR', amount: '1' } }],
      ['funds-confirmations', { account: { iban }, instructedAmount: body }],
      ['funds-confirmations', { account: { iban }, instructedAmount: { currency: 'EUR', amount: body } }],
      ['payments/sepa-credit-transfers', { ...pay, debtorAccount: body }],
      ['payments/sepa-credit-transfers', { ...pay, creditorAccount: body }],
      ['payments/sepa-credit-transfers', { ...pay, instructedAmount: body }],
      ['payments/sepa-credit-transfers', { ...pay, creditorName: body === 'text' ? 1 : body }],
      ['bulk-payments/sepa-credit-transfers', { debtorAccount: { iban }, payments: body }],
      ['bulk-payments/sepa-credit-transfers', { debtorAccount: { iban }, payments: [body] }],
      ['signing-baskets', { paymentIds: body }],
    ] as const) {
      const answer = await odd('POST', `/v136/${path}`, { body: whole });
      expect([path, JSON.stringify(whole), answer.status], answer.text).toEqual([
        path,
        JSON.stringify(whole),
        400,
      ]);
    }
  });

  it('is not a member of a basket', async () => {
    scene.bank.scenario({ surface: 'framework' });
    const answer = await odd('POST', '/v136/signing-baskets', { body: { paymentIds: [body] } });
    expect(answer.status, answer.text).toBe(400);
  });
});

describe('a reference with two ids', () => {
  const numbers = {
    bban: '12345678',
    msisdn: '+491511234567',
    pan: '5409050000000000',
    maskedPan: '540905xxxxxx0000',
  };

  it.each(Object.entries(numbers))('is refused: an IBAN and %s', async (name, value) => {
    scene.bank.scenario({ surface: 'framework' });
    const iban = ibanOf('redirect');
    const two = { iban, [name]: value };
    const pay = payment(iban, '1.00');
    for (const [path, body] of [
      ['consents', consentBody({ accounts: [two] })],
      ['consents', consentBody({ accounts: [{ iban }], additionalInformation: { ownerName: [two] } })],
      ['funds-confirmations', { account: two, instructedAmount: { currency: 'EUR', amount: '1.00' } }],
      ['payments/sepa-credit-transfers', { ...pay, debtorAccount: two }],
      [
        'payments/sepa-credit-transfers',
        { ...pay, creditorAccount: { ...pay.creditorAccount, [name]: value } },
      ],
      [
        'payments/cross-border-credit-transfers',
        { ...pay, creditorAccount: { ...pay.creditorAccount, [name]: value } },
      ],
    ] as const) {
      const answer = await odd('POST', `/v136/${path}`, { body });
      expect([path, ...codeOf(answer)], answer.text).toEqual([path, ...formError]);
    }
  });

  it('is refused without an IBAN, too', async () => {
    const pay = payment(ibanOf('redirect'), '1.00');
    const answer = await odd('POST', '/v136/payments/cross-border-credit-transfers', {
      body: { ...pay, creditorAccount: { bban: numbers.bban, msisdn: numbers.msisdn } },
    });
    expect(codeOf(answer), answer.text).toEqual(formError);
  });
});

describe('a long text', () => {
  const long = 'x'.repeat(3000);
  const told = (answer: TestAnswer): [number, number] => {
    const [message] = answer.json.tppMessages as { text: string; path?: string }[];
    return [message!.text.length, message!.path?.length ?? 0];
  };

  it.each<[string, () => Promise<TestAnswer>]>([
    ['a product', () => odd('POST', `/v136/payments/${long}`, { body: payment(ibanOf('redirect')) })],
    [
      'a member that the product does not have',
      () => {
        scene.bank.scenario({ otherFields: 'reject' });
        return odd('POST', '/v136/payments/sepa-credit-transfers', {
          body: { ...payment(ibanOf('redirect')), [long]: 1 },
        });
      },
    ],
    [
      'a currency',
      () =>
        odd('POST', '/v136/funds-confirmations', {
          body: { account: { iban: ibanOf('redirect') }, instructedAmount: { currency: long, amount: '1' } },
        }),
    ],
    [
      'a member of an authorisation',
      async () => {
        const { links } = await scene.create('embedded-one-implicit');
        return odd('PUT', href(links, 'updatePsuAuthentication'), { body: { [long]: 1 } });
      },
    ],
    [
      'a name in the list of signed headers',
      () =>
        odd('GET', '/v136/consents/x', {
          tamper: (headers) => {
            headers['Signature'] = headers['Signature']!.replace('headers="', `headers="${long} `);
          },
        }),
    ],
    ['a path', () => odd('GET', `/v136/${long}/${long}`)],
  ])('is quoted in at most 500 characters: %s', async (_, ask_) => {
    const answer = await ask_();
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(answer.status).toBeLessThan(500);
    for (const length of told(answer)) expect(length).toBeLessThanOrEqual(500);
  });

  it('is cut between characters, also in a problem', async () => {
    scene.bank.scenario({ otherFields: 'reject', errors: 'problem' });
    const answer = await odd('POST', '/v136/payments/sepa-credit-transfers', {
      body: { ...payment(ibanOf('redirect')), ['😀'.repeat(1000)]: 1 },
    });
    const { detail } = JSON.parse(answer.text) as { detail: string };
    expect(detail.length).toBeLessThanOrEqual(500);
    expect(detail).not.toMatch(/\p{Cs}/u);
  });
});

describe('frequencyPerDay', () => {
  const asked = (frequencyPerDay: string) =>
    odd('POST', '/v136/consents', {
      body: Buffer.from(
        JSON.stringify(consentBody(detailed('redirect'), { frequencyPerDay: 4444 })).replace(
          '4444',
          frequencyPerDay,
        ),
      ),
      headers: { 'PSU-ID': 'redirect' },
    });

  it.each(['999999', '1000000', '12345678901234567890', '1.0', '4.000', '1e0', '4E+0', '1e30', '40e-1'])(
    'is read as a whole number: %s',
    async (text) => {
      const created = await asked(text);
      expect(created.status, created.text).toBe(201);
      const { frequencyPerDay } = (await scene.call('GET', created.json._links.self.href as string)).json as {
        frequencyPerDay: number;
      };
      expect(frequencyPerDay).toBe(Math.min(Number(text), 4));
    },
  );

  it.each([
    '0',
    '0.0',
    '-1',
    '-1.0',
    '1.5',
    '1.0000000000000000000001',
    '1e-1',
    '15e-1',
    '"1"',
    '0e5',
    '1e-400',
  ])('is refused: %s', async (text) => {
    expect(codeOf(await asked(text))).toEqual(formError);
  });

  it.each(['1.0', '1e0'])('may be written %s in a one-off consent', async (text) => {
    const body = JSON.stringify(
      consentBody(detailed('redirect'), { frequencyPerDay: 4444, recurringIndicator: false }),
    );
    const answer = await odd('POST', '/v136/consents', {
      body: Buffer.from(body.replace('4444', text)),
      headers: { 'PSU-ID': 'redirect' },
    });
    expect(answer.status, answer.text).toBe(201);
  });
});

describe('two blanks in a list', () => {
  /** A GET that is signed over the list exactly as written. */
  const signedOver = (list: string, separator: RegExp) => {
    const { bank } = scene;
    const certificate = new X509Certificate(readFileSync(bank.certificatePath));
    const headers: Record<string, string> = {
      'X-Request-ID': randomUUID(),
      Digest: `SHA-256=${createHash('sha256').update('').digest('base64')}`,
    };
    const byName: Record<string, string> = {
      digest: headers['Digest']!,
      'x-request-id': headers['X-Request-ID']!,
    };
    const text = list
      .split(separator)
      .map((name) => `${name}: ${byName[name] ?? ''}`)
      .join('\n');
    const key = createPrivateKey(readFileSync(bank.keyPath));
    const signature = sign('sha256', Buffer.from(text), key).toString('base64');
    const algorithm = key.asymmetricKeyType === 'rsa' ? 'rsa-sha256' : 'ecdsa-sha256';
    return send(
      `${bank.baseUrl}/v136/consents/x/status`,
      'GET',
      {
        ...headers,
        Signature: `keyId="${keyIdOf(certificate)}",algorithm="${algorithm}",headers="${list}",signature="${signature}"`,
        'TPP-Signature-Certificate': certificate.raw.toString('base64'),
      },
      Buffer.alloc(0),
    );
  };

  it.each([
    ['digest  x-request-id', / +/],
    ['digest  x-request-id', / /],
    [' digest x-request-id', / +/],
    ['digest x-request-id ', / +/],
    ['digest\tx-request-id', /\t/],
    ['digest,x-request-id', /,/],
  ] as const)(
    'are refused in the list of signed headers (%j), and the refusal shows the right one',
    async (list, separator) => {
      const answer = await signedOver(list, separator);
      expect(codeOf(answer)).toEqual([401, 'SIGNATURE_INVALID']);
      expect(answer.json.tppMessages[0].text).toBe(
        'The list of signed headers is not names with one blank between them.',
      );
    },
  );

  it('are distinguished from one blank each in a list of signed headers', async () => {
    expect(codeOf(await signedOver('digest x-request-id', / /))).toEqual([403, 'CONSENT_UNKNOWN']);
  });

  it.each([
    ['Accept', 'application/xml;q=0.2,  application/json'],
    ['Accept', 'application/json  ;  q=0.9 ,  */*;q=0.1'],
    ['Accept', ',application/json,  ,'],
    ['Content-Type', 'application/json;  charset=utf-8'],
    ['Content-Type', 'application/json  ;charset=utf-8'],
    ['TPP-Notification-Content-Preferred', 'status=SCA,  LAST'],
    ['TPP-Notification-Content-Preferred', 'status=SCA  ,  PROCESS'],
    ['PSU-Accept', 'text/html,  */*'],
    ['PSU-Accept-Language', 'de,  en;  q=0.5'],
  ])('are accepted in %s: %s', async (name, value) => {
    const answer = await ask('redirect', {
      headers: { [name]: value, 'TPP-Notification-URI': 'http://127.0.0.1:9/' },
    });
    expect(answer.status, answer.text).toBe(201);
    if (name.startsWith('TPP'))
      expect(answer.headers['aspsp-notification-content']).toBe(value.replaceAll(' ', ''));
  });

  it('are accepted in Accept at a list of transactions', async () => {
    const { id } = await valid('redirect');
    const headers = { 'Consent-ID': id };
    const list = await scene.call('GET', '/v136/accounts', { headers });
    const [account] = list.json.accounts as { _links: Record<string, { href: string }> }[];
    const at = `${href(account!._links, 'transactions')}?bookingStatus=booked&dateFrom=2026-05-01`;
    const answer = await odd('GET', at, {
      headers: { ...headers, Accept: 'text/plain;  q=0.1,  application/xml' },
    });
    expect(answer.headers['content-type']).toMatch(/xml/);
  });
});
