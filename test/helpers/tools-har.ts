// The same two calls as the tools that write HARs have them.
import { gzipSync } from 'node:zlib';

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

export const host = 'xs2a.bank.example';
export const one = '99391c7e-ad88-49ec-a2ad-99ddcb1f7721';
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
export const right = calls({ currency: 'EUR', name: 'Girokonto Müller' });
export const wrong = calls({ currency: 'eur', name: 'Girokonto Müller' });

export const named = (entries: Record<string, string>) =>
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

const posted = ({ body }: Call) =>
  body === undefined ? {} : { postData: { mimeType: 'application/json', text: body } };
const content = (call: Call) => ({
  size: Buffer.byteLength(call.answer),
  mimeType: type(call),
  text: call.answer,
});

/** How a tool writes a call. */
export const tools: Record<string, (call: Call) => object> = {
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
      headersSize: -1,
      headers: named({
        ...pseudo(call),
        ...lower(without(call.headers, 'Host')),
        'user-agent': 'Mozilla/5.0',
        accept: '*/*',
      }),
      bodySize: call.body?.length ?? 0,
      ...posted(call),
    },
    response: {
      status: call.status,
      statusText: '',
      httpVersion: 'h2',
      headers: named({ ...lower(call.answerHeaders), 'content-encoding': 'gzip' }),
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
      ...posted(call),
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
      content: { mimeType: type(call), size: Buffer.byteLength(call.answer), text: call.answer },
      redirectURL: '',
      headersSize: 300,
      bodySize: 611,
    },
  }),
  Postman: (call) => ({
    startedDateTime: '2026-11-20T10:00:00.000Z',
    time: 3,
    request: {
      method: call.method,
      url: url(call),
      httpVersion: 'HTTP/1.1',
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
      ...posted(call),
    },
    response: {
      status: call.status,
      statusText: 'Created',
      httpVersion: 'HTTP/1.1',
      headers: named(call.answerHeaders),
      redirectURL: '',
      headersSize: -1,
      bodySize: -1,
      content: content(call),
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
      headers: named(lower(call.answerHeaders)),
      redirectURL: '',
      headersSize: -1,
      bodySize: -1,
      content: content(call),
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
      headersSize: 400,
      bodySize: call.body?.length ?? 0,
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
      headersSize: 312,
      bodySize: call.body?.length ?? 0,
      headers: named(call.headers),
      ...posted(call),
    },
    response: {
      status: call.status,
      statusText: 'OK',
      httpVersion: 'HTTP/1.1',
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
      headers: named(lower(call.headers)),
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
      headers: named(lower(call.answerHeaders)),
      redirectURL: '',
      headersSize: -1,
      bodySize: -1,
      _transferSize: -1,
      content: content(call),
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
