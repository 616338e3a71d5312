// HARs in the style of the tools that write them: the same two calls are read from each, and what is wrong with them is found.
import { describe, expect, it } from 'vitest';
import { judgeExchanges } from '../../../../src/tester/check/exchanges.ts';
import { readCaptures } from '../../../../src/client/evidence/captured-request.ts';
import { fakeClock, memoryFiles } from '../../../helpers/fakes/index.ts';
import { host, named, one, right, tools, wrong } from '../../../helpers/tools-har.ts';

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

  it('shows what is wrong in it', async () => {
    expect((await judged(wrong.map(write)))[1]?.rules).toEqual([
      'answer answer-pattern /accounts/0/currency',
    ]);
  });

  it('may begin with the mark of an editor', async () => {
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

  it('is empty where that is stated', async () => {
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

it('a HAR may have the lines of one header in one, as browsers write them', async () => {
  const headers = named({
    'content-type': 'application/json',
    'x-request-id': `${one}\n${one}`,
    location: '/v1/consents/4711-ae',
    'aspsp-sca-approach': 'REDIRECT\r\nREDIRECT',
  });
  expect((await judged(changed({}, { headers })))[0]?.rules).toEqual([]);
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
  ])('causes no finding on %s', async (_case, other) => {
    const all = await judged([other, ...right.map((one) => tools['Chrome']?.(one) ?? {}), other]);
    expect(all.slice(1, 3)).toEqual(sound);
    for (const { operation, rules } of [all[0], all[3]].filter((one) => one !== undefined))
      expect({ operation, rules }).toEqual({ operation: null, rules: [] });
  });
});
