// HARs in the style of the tools that write them: the same two calls are read from each, and what is wrong with them is found.
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { judgeExchanges } from '../../../../src/flows/check/exchanges.ts';
import { readCaptures } from '../../../../src/flows/evidence/captured-request.ts';
import { fakeClock, memoryFiles } from '../../../helpers/fakes/index.ts';

/** A call as it went over the wire. */
interface Call {
  method: string;
  path: string;
  headers: Record<string, string>;
  body?: string;
  status: number;
  answerHeaders: Record<string, string>;
  answer: string;
}

const host = 'xs2a.bank.example';
const one = '99391c7e-ad88-49ec-a2ad-99ddcb1f7721';
const two = '2f0b3a46-6ee1-4d4b-9d0e-5b41bfbbbc11';
const calls = (accounts: object): Call[] => [
  {
    method: 'POST',
    path: '/v1/consents',
    headers: {
      Host: host,
      'X-Request-ID': one,
      'Content-Type': 'application/json',
      'PSU-IP-Address': '192.0.2.1',
      'PSU-ID': 'max',
      'TPP-Redirect-URI': 'https://tpp.example/cb',
    },
    body: '{"access":{"allPsd2":"allAccounts"},"recurringIndicator":true,"validUntil":"2026-12-31","frequencyPerDay":4,"combinedServiceIndicator":false}',
    status: 201,
    answerHeaders: {
      'Content-Type': 'application/json; charset=UTF-8',
      'X-Request-ID': one,
      'ASPSP-SCA-Approach': 'REDIRECT',
      Location: '/v1/consents/4711-aé'.replace('é', 'e'),
    },
    answer: JSON.stringify({
      consentStatus: 'received',
      consentId: '4711-ae',
      psuMessage: 'Bitte bestätigen – größer als 5 €',
      _links: {
        scaRedirect: { href: 'https://login.bank.example/sca/4711' },
        self: { href: '/v1/consents/4711-ae' },
        status: { href: '/v1/consents/4711-ae/status' },
      },
    }),
  },
  {
    method: 'GET',
    path: '/v1/accounts',
    headers: { Host: host, 'X-Request-ID': two, 'Consent-ID': '4711-ae', 'PSU-IP-Address': '192.0.2.1' },
    status: 200,
    answerHeaders: { 'Content-Type': 'application/json', 'X-Request-ID': two },
    answer: JSON.stringify({ accounts: [{ resourceId: 'a1', iban: 'DE02120300000000202051', ...accounts }] }),
  },
];
const right = calls({ currency: 'EUR', name: 'Girokonto Müller' });
const wrong = calls({ currency: 'eur', name: 'Girokonto Müller' });

const named = (entries: Record<string, string>) =>
  Object.entries(entries).map(([name, value]) => ({ name, value }));
const lower = (entries: Record<string, string>) =>
  Object.fromEntries(Object.entries(entries).map(([name, value]) => [name.toLowerCase(), value]));
const pseudo = ({ method, path }: Call) => ({
  ':authority': host,
  ':method': method,
  ':path': path,
  ':scheme': 'https',
});
const without = (entries: Record<string, string>, ...names: string[]) =>
  Object.fromEntries(Object.entries(entries).filter(([name]) => !names.includes(name)));
const base64 = (text: string) => Buffer.from(text).toString('base64');
const url = ({ path }: Call) => `https://${host}${path}`;
const type = ({ answerHeaders }: Call) => answerHeaders['Content-Type'];

/** How a tool writes a call. */
const tools: Record<string, (call: Call) => object> = {
  Chrome: (call) => ({
    _connectionId: '17',
    _initiator: { type: 'script', stack: { callFrames: [] } },
    _priority: 'High',
    _resourceType: 'fetch',
    cache: {},
    connection: '443',
    pageref: 'page_1',
    serverIPAddress: '[2001:db8::1]',
    startedDateTime: '2026-11-20T10:00:00.123Z',
    time: 12.3,
    request: {
      method: call.method,
      url: url(call),
      httpVersion: 'h2',
      queryString: [],
      cookies: [],
      headersSize: -1,
      headers: named({
        ...pseudo(call),
        ...lower(without(call.headers, 'Host')),
        'user-agent': 'Mozilla/5.0',
        accept: '*/*',
      }),
      bodySize: call.body?.length ?? 0,
      ...(call.body !== undefined && { postData: { mimeType: 'application/json', text: call.body } }),
    },
    response: {
      status: call.status,
      statusText: '',
      httpVersion: 'h2',
      headers: named({ ...lower(call.answerHeaders), 'content-encoding': 'gzip' }),
      cookies: [],
      content: { size: Buffer.byteLength(call.answer), mimeType: 'application/json', text: call.answer },
      redirectURL: '',
      headersSize: -1,
      bodySize: -1,
      _transferSize: 412,
      _error: null,
      _fetchedViaServiceWorker: false,
    },
    timings: { blocked: 1, dns: -1, connect: -1, send: 0.1, wait: 10, receive: 0.5, ssl: -1, _queued: 0.4 },
  }),
  'Chrome with base64': (call) => ({
    startedDateTime: '2026-11-20T10:00:00.123Z',
    request: {
      method: call.method,
      url: url(call),
      headers: named(lower(call.headers)),
      bodySize: call.body?.length ?? 0,
      ...(call.body !== undefined && { postData: { mimeType: 'application/json', text: call.body } }),
    },
    response: {
      status: call.status,
      headers: named(lower(call.answerHeaders)),
      bodySize: -1,
      content: {
        size: Buffer.byteLength(call.answer),
        mimeType: type(call),
        text: base64(call.answer),
        encoding: 'base64',
      },
    },
  }),
  Firefox: (call) => ({
    startedDateTime: '2026-11-20T11:00:00.123+01:00',
    pageref: 'page_1',
    _securityState: 'secure',
    cache: {},
    time: 41,
    request: {
      bodySize: call.body?.length ?? 0,
      method: call.method,
      url: url(call),
      httpVersion: 'HTTP/2',
      headers: named(call.headers),
      cookies: [],
      queryString: [],
      headersSize: 512,
      ...(call.body !== undefined && {
        postData: { mimeType: 'application/json', params: [], text: call.body },
      }),
    },
    response: {
      status: call.status,
      statusText: 'OK',
      httpVersion: 'HTTP/2',
      headers: named(call.answerHeaders),
      cookies: [],
      content: { mimeType: type(call), size: Buffer.byteLength(call.answer), text: call.answer },
      redirectURL: '',
      headersSize: 300,
      bodySize: 611,
    },
  }),
  Safari: (call) => ({
    startedDateTime: '2026-11-20T10:00:00.123Z',
    cache: {},
    _priority: 'high',
    request: {
      method: call.method,
      url: url(call),
      httpVersion: 'HTTP/2',
      cookies: [],
      headers: named(call.headers),
      queryString: [],
      headersSize: 100,
      bodySize: call.body?.length ?? 0,
      ...(call.body !== undefined && { postData: { mimeType: 'application/json', text: call.body } }),
    },
    response: {
      status: call.status,
      statusText: 'HTTP/2.0 200',
      headers: named(call.answerHeaders),
      cookies: [],
      redirectURL: '',
      headersSize: 9,
      bodySize: 300,
      content: {
        size: Buffer.byteLength(call.answer),
        compression: 0,
        mimeType: 'application/json',
        text: call.answer,
      },
      _transferSize: 309,
    },
  }),
  Postman: (call) => ({
    startedDateTime: '2026-11-20T10:00:00.000Z',
    time: 3,
    request: {
      method: call.method,
      url: url(call),
      httpVersion: 'HTTP/1.1',
      cookies: [],
      queryString: [],
      headersSize: -1,
      bodySize: -1,
      headers: named({
        ...call.headers,
        'Postman-Token': two,
        'User-Agent': 'PostmanRuntime/7.43.0',
        Accept: '*/*',
        'Accept-Encoding': 'gzip, deflate, br',
        Connection: 'keep-alive',
      }),
      ...(call.body !== undefined && { postData: { mimeType: 'application/json', text: call.body } }),
    },
    response: {
      status: call.status,
      statusText: 'Created',
      httpVersion: 'HTTP/1.1',
      headers: named(call.answerHeaders),
      cookies: [],
      redirectURL: '',
      headersSize: -1,
      bodySize: -1,
      content: { size: Buffer.byteLength(call.answer), mimeType: type(call), text: call.answer },
    },
    cache: {},
    timings: { send: -1, wait: -1, receive: -1 },
  }),
  Insomnia: (call) => ({
    startedDateTime: '2026-11-20T10:00:00.000Z',
    time: 3,
    comment: 'Consent',
    request: {
      method: call.method,
      url: url(call),
      httpVersion: 'HTTP/1.1',
      cookies: [],
      queryString: [],
      headersSize: -1,
      bodySize: -1,
      settingEncodeUrl: true,
      headers: named(without(call.headers, 'Host')),
      ...(call.body === undefined
        ? {}
        : { postData: { mimeType: 'application/json', params: [], text: call.body } }),
    },
    response: {
      status: call.status,
      statusText: '',
      httpVersion: 'HTTP/2',
      cookies: [],
      headers: named(lower(call.answerHeaders)),
      redirectURL: '',
      headersSize: -1,
      bodySize: -1,
      content: { size: Buffer.byteLength(call.answer), mimeType: type(call), text: call.answer },
    },
    cache: {},
    timings: { blocked: -1, dns: -1, connect: -1, send: 0, wait: 0, receive: 0, ssl: -1 },
  }),
  Charles: (call) => ({
    startedDateTime: '2026-11-20T11:00:00.123+01:00',
    time: 84,
    serverIPAddress: '192.0.2.9',
    cache: {},
    request: {
      method: call.method,
      url: url(call),
      httpVersion: 'HTTP/2.0',
      cookies: [],
      headersSize: 400,
      bodySize: call.body?.length ?? 0,
      queryString: [],
      headers: named({ ...pseudo(call), ...call.headers }),
      ...(call.body !== undefined && {
        postData: { mimeType: 'application/json', text: base64(call.body), encoding: 'base64' },
      }),
    },
    response: {
      _charlesStatus: 'COMPLETE',
      status: call.status,
      statusText: '',
      httpVersion: 'HTTP/2.0',
      cookies: [],
      headers: named({ ':status': String(call.status), ...call.answerHeaders, 'Content-Encoding': 'gzip' }),
      content: {
        size: Buffer.byteLength(call.answer),
        compression: 200,
        mimeType: type(call),
        text: gzipSync(call.answer).toString('base64'),
        encoding: 'base64',
      },
      redirectURL: null,
      headersSize: 0,
      bodySize: 120,
    },
  }),
  mitmproxy: (call) => ({
    startedDateTime: '2026-11-20T10:00:00.123456+00:00',
    time: 31,
    serverIPAddress: '192.0.2.9',
    cache: {},
    request: {
      method: call.method,
      url: url(call),
      httpVersion: 'HTTP/2.0',
      cookies: [],
      queryString: [],
      headersSize: 312,
      bodySize: call.body?.length ?? 0,
      headers: named(lower(without(call.headers, 'Host'))),
      ...(call.body !== undefined && {
        postData: { mimeType: 'application/json', text: call.body, params: [] },
      }),
    },
    response: {
      status: call.status,
      statusText: '',
      httpVersion: 'HTTP/2.0',
      cookies: [],
      headers: named(lower(call.answerHeaders)),
      redirectURL: '',
      headersSize: 211,
      content: {
        size: Buffer.byteLength(call.answer),
        compression: 0,
        mimeType: type(call),
        text: call.answer,
      },
      bodySize: Buffer.byteLength(call.answer),
    },
    timings: { connect: -1, ssl: -1, send: 1, receive: 1, wait: 29 },
  }),
  Fiddler: (call) => ({
    startedDateTime: '2026-11-20T11:00:00.1234567+01:00',
    time: 31,
    connection: 'ClientPort:50111;EgressPort:50112',
    comment: '[#12]',
    cache: {},
    request: {
      method: call.method,
      url: url(call),
      httpVersion: 'HTTP/1.1',
      cookies: [],
      queryString: [],
      headersSize: 312,
      bodySize: call.body?.length ?? 0,
      headers: named(call.headers),
      ...(call.body !== undefined && { postData: { mimeType: 'application/json', text: call.body } }),
    },
    response: {
      status: call.status,
      statusText: 'OK',
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: named(call.answerHeaders),
      redirectURL: '',
      headersSize: 211,
      content: {
        size: Buffer.byteLength(call.answer),
        compression: 0,
        mimeType: type(call),
        text: call.answer,
      },
      bodySize: Buffer.byteLength(call.answer),
    },
    timings: {},
  }),
  Playwright: (call) => ({
    startedDateTime: '2026-11-20T10:00:00.123Z',
    time: 3.1,
    pageref: 'page@1',
    _frameref: 'frame@1',
    _monotonicTime: 1234.5,
    cache: {},
    _serverPort: 443,
    _securityDetails: {},
    request: {
      method: call.method,
      url: url(call),
      httpVersion: 'HTTP/2.0',
      cookies: [],
      headers: named(lower(call.headers)),
      queryString: [],
      headersSize: -1,
      bodySize: -1,
      ...(call.body !== undefined && {
        postData: { mimeType: 'application/json', text: call.body, params: [] },
      }),
    },
    response: {
      status: call.status,
      statusText: '',
      httpVersion: 'HTTP/2.0',
      cookies: [],
      headers: named(lower(call.answerHeaders)),
      redirectURL: '',
      headersSize: -1,
      bodySize: -1,
      _transferSize: -1,
      content: { size: Buffer.byteLength(call.answer), mimeType: type(call), text: call.answer },
    },
  }),
  'a shouting proxy': (call) => ({
    startedDateTime: 'yesterday',
    request: {
      method: call.method,
      url: url(call).replace('https', 'HTTPS').replace(host, host.toUpperCase()),
      headers: named(
        Object.fromEntries(Object.entries(call.headers).map(([name, value]) => [name.toUpperCase(), value])),
      ),
      ...(call.body !== undefined && { postData: { text: call.body } }),
    },
    response: {
      status: call.status,
      headers: named(
        Object.fromEntries(
          Object.entries(call.answerHeaders).map(([name, value]) => [name.toUpperCase(), value]),
        ),
      ),
      content: { text: call.answer },
    },
  }),
};

async function judged(entries: readonly object[], begin = '') {
  const har = `${begin}${JSON.stringify({ log: { version: '1.2', creator: { name: 'x', version: '1' }, pages: [], entries } })}`;
  const captures = readCaptures(Buffer.from(har));
  const ports = { files: memoryFiles(), clock: fakeClock() };
  const { exchanges } = await judgeExchanges(ports, captures, { framework: '1.3.6' });
  return exchanges.map(({ operation, findings, notTested }) => ({
    operation,
    rules: findings.map(({ side, rule, pointer }) => `${side} ${rule} ${pointer}`.trim()),
    notTested,
  }));
}

const sound = [
  { operation: 'createConsent', rules: [], notTested: [] },
  { operation: 'getAccountList', rules: [], notTested: [] },
];

describe.each(Object.entries(tools))('a HAR of %s', (_tool, write) => {
  it('has nothing wrong in it', async () => {
    expect(await judged(right.map(write))).toEqual(sound);
  });

  it('has what is wrong in it', async () => {
    expect((await judged(wrong.map(write)))[1]?.rules).toEqual([
      'answer answer-pattern /accounts/0/currency',
    ]);
  });

  it('begins with the mark of an editor', async () => {
    expect(await judged(right.map(write), '\uFEFF')).toEqual(sound);
  });
});

type Parts = { request: Record<string, unknown>; response: Record<string, unknown> };
const changed = (request: object, response: object): object[] =>
  right.map((call) => {
    const made = tools['mitmproxy']?.(call) as Parts;
    return { ...made, request: { ...made.request, ...request }, response: { ...made.response, ...response } };
  });
const untested = 'the body of the answer';

describe('a HAR without its bodies', () => {
  it.each<[string, object]>([
    ['left out by Chrome', { content: { size: 1234, mimeType: 'application/json' } }],
    [
      'left out by Firefox',
      { content: { mimeType: 'application/json', size: 1234, comment: 'Response bodies are not included.' } },
    ],
    [
      'too long for Fiddler',
      { content: { size: 99999999, mimeType: 'application/json', comment: 'Body length exceeded' } },
    ],
    [
      'beside the file of Playwright',
      { content: { size: -1, mimeType: 'application/json', _file: '0a1b.json' }, bodySize: -1 },
    ],
    ['of a tool that tells no size', { content: { mimeType: 'application/json' }, bodySize: undefined }],
    ['without content', { content: undefined, bodySize: -1 }],
    [
      'of size 0 where the bank told another',
      {
        content: { size: 0, mimeType: 'x-unknown' },
        bodySize: 0,
        headers: named({
          'content-type': 'application/json',
          'content-length': '1234',
          'x-request-id': one,
          location: '/v1/consents/4711-ae',
          'aspsp-sca-approach': 'REDIRECT',
        }),
      },
    ],
  ])('is not tested: %s', async (_case, response) => {
    for (const { notTested, rules } of (await judged(changed({}, response))).slice(0, 1)) {
      expect(notTested).toEqual([untested]);
      expect(rules).toEqual([]);
    }
  });

  it('is empty where that is told', async () => {
    const [, list] = await judged(changed({}, { content: { size: 0, mimeType: '' }, bodySize: 0 }));
    expect(list).toEqual({
      operation: 'getAccountList',
      rules: ['answer answer-body-missing'],
      notTested: [],
    });
  });

  it.each([
    [
      'Chrome',
      {
        status: 0,
        headers: [],
        content: { size: 0, mimeType: 'x-unknown' },
        _error: 'net::ERR_CERT_AUTHORITY_INVALID',
      },
    ],
    [
      'Playwright',
      { status: -1, headers: [], content: { size: -1, mimeType: 'x-unknown' }, _failureText: 'refused' },
    ],
    ['a crash', null],
  ])('has no answer of %s', async (_tool, response) => {
    const made = right.map((call) => ({ ...tools['Chrome']?.(call), response }));
    for (const { notTested, rules } of await judged(made)) {
      expect(notTested).toEqual(['the answer, which is not there']);
      expect(rules).toEqual([]);
    }
  });
});

describe('a HAR with other calls', () => {
  const call = (method: string, address: string, response: object = { status: 200, headers: [] }) => ({
    startedDateTime: '2026-11-20T10:00:00.000Z',
    request: { method, url: address, headers: [{ name: 'Host', value: host }], bodySize: 0 },
    response,
  });
  it.each<[string, object]>([
    [
      'a question before a request across origins',
      call('OPTIONS', `https://${host}/v1/consents`, { status: 204, headers: [] }),
    ],
    ['a tunnel', call('CONNECT', `https://${host}:443`, { status: 200, headers: [], content: { size: 0 } })],
    ['a tunnel by its authority', call('CONNECT', `${host}:443`)],
    ['an address of data', call('GET', 'data:text/html,hello world')],
    ['an object of the page', call('GET', `blob:https://${host}/0a1b`)],
    ['a socket', call('GET', 'wss://push.example/feed', { status: 101, headers: [] })],
    ['an address with blanks', call('GET', 'https://maps.example/a b?c=d e')],
    ['an extension', call('GET', 'chrome-extension://abcdef/app.js')],
  ])('says nothing of %s', async (_case, other) => {
    const all = await judged([other, ...right.map((one) => tools['Chrome']?.(one) ?? {}), other]);
    expect(all.slice(1, 3)).toEqual(sound);
    for (const { operation, rules } of [all[0], all[3]].filter((one) => one !== undefined))
      expect({ operation, rules }).toEqual({ operation: null, rules: [] });
  });
});
