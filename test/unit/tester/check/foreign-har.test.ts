// A HAR that another client's tools wrote: both sides of its calls to the bank are judged, whatever stands around them.
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { judgeExchanges } from '../../../../src/tester/check/exchanges.ts';
import { readCaptures } from '../../../../src/client/evidence/captured-request.ts';
import { fakeClock, memoryFiles } from '../../../helpers/fakes/index.ts';

const requestId = '99391c7e-ad88-49ec-a2ad-99ddcb1f7721';
const pair = (entries: Record<string, string>) =>
  Object.entries(entries).map(([name, value]) => ({ name, value }));
const status = JSON.stringify({ consentStatus: 'active' });

/** A read of the status of a consent whose answer breaks one rule. */
function entry({ url = 'https://bank.example/v1/consents/abc/status', request = {}, response = {} } = {}) {
  return {
    startedDateTime: '2026-11-20T10:00:00.000Z',
    request: {
      method: 'GET',
      url,
      httpVersion: 'h2',
      headers: pair({
        ':authority': 'bank.example',
        ':method': 'GET',
        ':path': '/v1/consents/abc/status',
        ':scheme': 'https',
        'x-request-id': requestId,
      }),
      bodySize: 0,
      ...request,
    },
    response: {
      status: 200,
      headers: pair({ ':status': '200', 'content-type': 'application/json', 'x-request-id': requestId }),
      content: { size: status.length, mimeType: 'application/json', text: status },
      bodySize: -1,
      ...response,
    },
  };
}

async function judged(...entries: object[]) {
  const captures = readCaptures(Buffer.from(JSON.stringify({ log: { version: '1.2', entries } })));
  const ports = { files: memoryFiles(), clock: fakeClock() };
  const { exchanges } = await judgeExchanges(ports, captures, { framework: '1.3.2' });
  return exchanges.map(({ operation, findings, notTested }) => ({
    operation,
    rules: findings.map(({ side, rule, pointer }) => `${side} ${rule} ${pointer}`.trim()),
    notTested,
  }));
}

const caught = { operation: 'getConsentStatus', rules: ['answer answer-code /consentStatus'], notTested: [] };

it('a foreign HAR is judged as it went over HTTP/2', async () => {
  expect(await judged(entry(), entry())).toEqual([caught, caught]);
});

it('a foreign HAR may have its bodies in base64, also in the coding of the wire', async () => {
  const coded = (coding: string, bytes: Buffer, encoding = 'base64') =>
    entry({
      response: {
        headers: pair({
          'content-type': 'application/json',
          'content-encoding': coding,
          'x-request-id': requestId,
        }),
        content: { size: status.length, encoding, text: bytes.toString('base64') },
      },
    });
  const bytes = Buffer.from(status);
  const all = [
    coded('gzip', bytes),
    coded('gzip', gzipSync(bytes)),
    coded('deflate', deflateSync(bytes), 'BASE64'),
    coded('br', brotliCompressSync(bytes)),
  ];
  expect(await judged(...all)).toEqual(all.map(() => caught));
});

it('a foreign HAR may have what cannot be judged: missing bodies, or no more than a bomb', async () => {
  const bomb = gzipSync(Buffer.alloc(65 * 1024 * 1024), { level: 1 });
  const headers = pair({
    'content-type': 'application/json',
    'content-encoding': 'gzip',
    'x-request-id': requestId,
  });
  const all = await judged(
    entry({ response: { content: { size: 400, mimeType: 'application/json' } } }),
    entry({ response: { headers, content: { encoding: 'base64', text: bomb.toString('base64') } } }),
    entry({ response: { headers, content: { encoding: 'base64', text: '\uD83D\uDE00' } } }),
    entry({ response: { status: 0, headers: [] } }),
  );
  expect(all.map(({ notTested }) => notTested)).toEqual([
    ...Array<string[]>(2).fill(['the body of the answer']),
    // Nothing is left of it, so that the answer came without a body.
    [],
    ['the answer, which is not there'],
  ]);
});

it('a foreign HAR causes no finding on other servers, whatever their paths, nor on scripts of the page', async () => {
  const [bank, ...others] = await judged(
    entry(),
    ...[
      'https://collect.example/v1/events?consent=1',
      'https://api.metrics.example/v2/accounts-of-ours',
      'https://bank.example/static/app.js',
      'https://bank.example/favicon.ico',
    ].map((url) => entry({ url })),
  );
  expect(bank).toEqual(caught);
  for (const { operation, rules, notTested } of others)
    expect([operation, rules, notTested]).toEqual([
      null,
      [],
      [expect.stringContaining('none of the interface')],
    ]);
  // A wrong path at the bank is its client's mistake.
  const [, wrong] = await judged(entry(), entry({ url: 'https://bank.example/v1/consent/abc' }));
  expect(wrong?.rules).toContainEqual(expect.stringMatching(/^request path/));
});
