import { describe, expect, it } from 'vitest';
import { ObkError } from '../../../../src/base/errors.ts';
import { readCaptures } from '../../../../src/client/evidence/captured-request.ts';

const read = (text: string) =>
  readCaptures(Buffer.from(text)).map(({ method, path, headers, body, lacksBody }) => ({
    line: `${method} ${path}`,
    headers: headers.map(([name, value]) => `${name.toLowerCase()}: ${value}`).sort(),
    body: lacksBody === true ? undefined : Buffer.from(body).toString(),
  }));

const id = '99391c7e-ad88-49ec-a2ad-99ddcb1f7721';
const list = {
  line: 'GET /v1/accounts?withBalance=true',
  headers: ['consent-id: c1', `x-request-id: ${id}`],
  body: '',
};
const otp = '{"scaAuthenticationData":"1"}';
const update = { line: 'PUT /v1/consents/c1/authorisations/a1', body: otp };
const target = '/v1/accounts?withBalance=true';
const named = { 'X-Request-ID': id, 'Consent-ID': 'c1' };
const json = (value: object) => JSON.stringify(value);

describe('a request in a log of JSON', () => {
  it.each<[string, object]>([
    ['of a server', { method: 'GET', url: target, headers: named }],
    [
      'with lists of values',
      { method: 'get', uri: target, headers: { 'x-request-id': [id], 'consent-id': ['c1'] } },
    ],
    ['with lists of pairs', { verb: 'GET', path: target, headers: Object.entries(named) }],
    [
      'with lists of names',
      { method: 'GET', path: target, headers: Object.entries(named).map(([key, value]) => ({ key, value })) },
    ],
    [
      'within request',
      {
        time: '2026-06-10T12:00:00Z',
        request: { method: 'GET', uri: target, headers: named },
        response: { status: 200 },
      },
    ],
    [
      'of Kong',
      {
        request: { method: 'GET', uri: '/v1/accounts', querystring: { withBalance: 'true' }, headers: named },
      },
    ],
    [
      'of a function with parameters',
      {
        httpMethod: 'GET',
        path: '/v1/accounts',
        queryStringParameters: { withBalance: 'true' },
        headers: named,
        body: null,
      },
    ],
    [
      'of a function with its raw path',
      {
        rawPath: '/v1/accounts',
        rawQueryString: 'withBalance=true',
        headers: named,
        requestContext: { http: { method: 'GET' } },
      },
    ],
    [
      'of nginx',
      {
        request_method: 'GET',
        request_uri: target,
        http_x_request_id: id,
        http_consent_id: 'c1',
        http_digest: '-',
      },
    ],
  ])('is read from a log %s', (_, value) => {
    expect(read(json(value))).toEqual([list]);
    expect(read(json([value, value]))).toEqual([list, list]);
    expect(read(`${json(value)}\n${json(value)}\n`)).toEqual([list, list]);
  });

  it.each<[string, object, string | undefined]>([
    ['as a text', { body: otp }, otp],
    ['in base64', { body: Buffer.from(otp).toString('base64'), isBase64Encoded: true }, otp],
    // Its bytes are not those that were sent.
    ['as an object', { body: JSON.parse(otp) as unknown }, undefined],
    ['not at all', {}, undefined],
  ])('has its body %s', (_, more, body) => {
    const headers = { ...named, 'Content-Type': 'application/json' };
    const url = 'https://b.example/v1/consents/c1/authorisations/a1';
    expect(read(json({ method: 'PUT', url, headers, ...more }))).toMatchObject([{ ...update, body }]);
  });

  it.each([
    { method: 'GET', url: target },
    { url: target, headers: named },
    { method: 'GET', headers: named },
    [1],
    {},
  ])('is refused without its method, address or headers: %j', (value) => {
    expect(() => read(json(value))).toThrow(ObkError);
  });
});

const flags = `-H 'X-Request-ID: ${id}' -H 'Consent-ID: c1'`;

describe('a request copied from a tool', () => {
  it.each<[string, string]>([
    ['behind a prompt', `$ curl 'https://b.example${target}' ${flags}`],
    [
      'with the data in the query',
      `curl -G https://b.example/v1/accounts --data-urlencode withBalance=true ${flags}`,
    ],
    ['into a pipe', `curl -s 'https://b.example${target}' ${flags} | jq .x > file.json`],
    ['with what comes next', `curl 'https://b.example${target}' ${flags} ;`],
    [
      'for the shell of Windows',
      `curl ^"https://b.example${target}^" ^\n  -H ^"X-Request-ID: ${id}^" ^\n  -H ^"Consent-ID: c1^"`,
    ],
    ['by insomnia', `curl --request GET --url 'https://b.example${target}' ${flags} --limit-rate 1k`],
    [
      'in a file of requests',
      `### accounts\n# @name a\nGET https://b.example${target}\nX-Request-ID: ${id}\nConsent-ID: c1\n`,
    ],
    [
      'by curl -v',
      `* Connected to b.example\n> GET ${target} HTTP/1.1\n> X-Request-ID: ${id}\n> Consent-ID: c1\n> \n< HTTP/1.1 401 Unauthorized\n< X-Request-ID: other\n{"tppMessages":[]}\n`,
    ],
    [
      'in the fields of HTTP/2',
      `:method: GET\n:path: ${target}\n:authority: b.example\nx-request-id: ${id}\nconsent-id: c1\n`,
    ],
  ])('is read %s', (_, text) => {
    expect(read(text)).toEqual([list]);
  });

  it('is read with its body for the shell of Windows', () => {
    const body = otp.replaceAll('"', String.raw`^\^"`).replaceAll(/[{}]/g, '^$&');
    const text = `curl -X PUT ^"https://b.example/v1/consents/c1/authorisations/a1^" -H ^"X-Request-ID: ${id}^" --data-raw ^"${body}^"`;
    expect(read(text)).toMatchObject([update]);
  });

  it('is read with several commands', () => {
    const one = `curl 'https://b.example${target}' ${flags}`;
    expect(read(`${one} ;\n${one} && ${one} | jq .`)).toEqual([list, list, list]);
  });

  it('is read with an address that contains what ends a command', () => {
    const text = `curl 'https://b.example/v1/accounts?a=1&b=2;c' -H 'X-Note: a ; b | c > d'`;
    expect(read(text)).toMatchObject([
      { line: 'GET /v1/accounts?a=1&b=2;c', headers: ['x-note: a ; b | c > d'] },
    ]);
  });
});
