import { har as validate } from 'har-validator';
import { beforeAll, describe, expect, it } from 'vitest';
import { tryCall } from '../../../../src/client/call/call.ts';
import { harOf } from '../../../../src/client/evidence/har.ts';
import { base, openWire } from '../wire.ts';
import type { CallInput } from '../../../../src/client/exchange/prepared.ts';
import type { EndedExchange } from '../../../../src/client/exchange/verdict.ts';

interface Entry {
  startedDateTime: string;
  time: number;
  request: {
    url: string;
    queryString: unknown[];
    postData?: { mimeType: string; text: string };
    bodySize: number;
  };
  response: {
    status: number;
    headers: unknown[];
    content: { size: number; mimeType: string; text: string; encoding?: string };
    redirectURL: string;
    comment?: string;
  };
  timings: Record<string, number>;
  comment: string;
  _signingString?: string;
  _tls?: object;
}

const payment = { 'payment-service': 'payments', 'payment-product': 'sepa-credit-transfers' } as const;
const calls: CallInput[] = [
  {
    operation: 'initiatePayment',
    params: payment,
    headers: [['PSU-IP-Address', '192.0.2.1']],
    body: { json: { creditorName: 'Zoë' } },
  },
  {
    operation: 'getPaymentInitiationStatus',
    params: { ...payment, paymentId: 'p-1' },
    query: { code: 'abc', x: 'é' },
  },
  { operation: 'getPaymentInformation', params: { ...payment, paymentId: 'p-1' } },
  { operation: 'cancelPayment', params: { ...payment, paymentId: 'p-1' } },
  { operation: 'cancelPayment', params: { ...payment, paymentId: 'p-1' } },
  { operation: 'cancelPayment', params: { ...payment, paymentId: 'p-1' } },
];

const tls = { protocol: 'TLSv1.3', cipher: 'TLS_AES_128_GCM_SHA256', peer: 'CN=api.bank.example' };
let har: object;
let entries: Entry[];

beforeAll(async () => {
  const traces: EndedExchange[] = [];
  const { target, http } = await openWire({ run: { onExchange: (trace) => void traces.push(trace) } });
  http
    .expect('POST', /sepa-credit-transfers$/, {
      status: 201,
      headers: { Location: '/v1/payments/sepa-credit-transfers/p-1' },
      body: { transactionStatus: 'RCVD', paymentId: 'p-1', _links: {} },
      tls,
    })
    .expect('GET', /status\?/, { status: 200, body: { transactionStatus: 'ACSC' } })
    .expect('GET', /p-1$/, {
      status: 200,
      headers: { 'Content-Type': 'application/octet-stream' },
      body: Buffer.from([0xff, 0x00, 0x80]),
    })
    .expectFailure('DELETE', /p-1$/, { sent: false, reason: 'dns' })
    .expectFailure('DELETE', /p-1$/, {
      sent: true,
      reason: 'truncated',
      partial: { status: 202, headers: [['Location', '/v1/x']] },
    })
    .expect('DELETE', /p-1$/, { status: 204 });
  for (const input of calls) await tryCall(target, input);
  http.verify();
  har = harOf(traces, { name: 'obk', version: '0.1.0' });
  ({ entries } = (har as { log: { entries: Entry[] } }).log);
});

describe('a HAR file', () => {
  it('is valid HAR 1.2', async () => {
    await expect(validate(JSON.parse(JSON.stringify(har)))).resolves.toBeTruthy();
  });

  it('is not judged valid whatever is in it', async () => {
    const broken = JSON.parse(JSON.stringify(har));
    delete broken.log.entries[0].response.content.mimeType;
    await expect(validate(broken)).rejects.toThrow();
  });

  it('names its maker and keeps the order', () => {
    expect(har).toMatchObject({ log: { version: '1.2', creator: { name: 'obk', version: '0.1.0' } } });
    expect(entries.map(({ comment }) => comment)).toEqual([
      'initiatePayment · DONE',
      'getPaymentInitiationStatus · DONE',
      'getPaymentInformation · FAILED',
      'cancelPayment · NOT_SENT · dns: scripted failure: dns',
      'cancelPayment · UNKNOWN · truncated: scripted failure: truncated',
      'cancelPayment · DONE',
    ]);
  });

  it('counts bytes, not characters, and has signing string and TLS peer', () => {
    const [first] = entries;
    expect(first?.request).toMatchObject({
      url: `${base}/v1/payments/sepa-credit-transfers`,
      bodySize: Buffer.byteLength('{"creditorName":"Zoë"}'),
      postData: { mimeType: 'application/json', text: '{"creditorName":"Zoë"}' },
    });
    expect(first?.response).toMatchObject({
      status: 201,
      redirectURL: '/v1/payments/sepa-credit-transfers/p-1',
    });
    expect(first?._signingString).toMatch(/^digest: SHA-256=/);
    expect(first?._tls).toEqual(tls);
  });

  it('has times that add up', () => {
    for (const { time, timings, startedDateTime } of entries) {
      expect(Object.values(timings).reduce((sum, ms) => sum + Math.max(ms, 0), 0)).toBe(time);
      expect(startedDateTime).toMatch(/^2026-11-21T10:0\d:\d\d\.\d{3}Z$/);
    }
  });

  it('cuts a code out of the URL and shows the rest decoded', () => {
    expect(entries[1]?.request.url).toMatch(/\?code=%5Bsecret%5D&x=%C3%A9$/);
    expect(entries[1]?.request.queryString).toEqual([
      { name: 'code', value: '[secret]' },
      { name: 'x', value: 'é' },
    ]);
    expect(entries[1]?.request.postData).toBeUndefined();
  });

  it('keeps bytes that are not text as base64', () => {
    expect(entries[2]?.response.content).toEqual({
      size: 3,
      mimeType: 'application/octet-stream',
      text: '/wCA',
      encoding: 'base64',
    });
  });

  it('shows what has no answer as status 0 with the reason', () => {
    expect(entries[3]?.response).toMatchObject({
      status: 0,
      headers: [],
      comment: 'dns: scripted failure: dns',
    });
    expect(entries[4]?.response).toMatchObject({
      status: 0,
      headers: [{ name: 'Location', value: '/v1/x' }],
      comment: 'truncated: scripted failure: truncated (status 202 arrived)',
    });
  });
});
