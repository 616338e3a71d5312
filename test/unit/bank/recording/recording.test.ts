import { describe, expect, it } from 'vitest';
import type { RecordedCall } from '../../../../src/bank/door.ts';
import { Recording } from '../../../../src/bank/recording/recording.ts';
import type { ToldAnswer, Told } from '../../../../src/bank/recording/recording.ts';

const then = '2026-03-01T10:00:00.000Z';
const now = new Date('2026-03-11T12:30:00.000Z');
const base = 'http://127.0.0.1:9';
const payment = 'aaaa1111-2222-3333-4444-555566667777';
const authorisation = 'bbbb1111-2222-3333-4444-555566667777';
const path = '/v1/payments/sepa-credit-transfers';

const call = (
  method: string,
  target: string,
  status: number,
  body: object | undefined,
  psuId?: string,
): RecordedCall => ({
  method,
  path: target,
  headers: [['X-Request-ID', 'r'], ...(psuId === undefined ? [] : [['PSU-ID', psuId] as const])],
  at: then,
  ...(status === 0
    ? {}
    : {
        answer: {
          status,
          headers: [
            ['X-Request-ID', 'r'],
            ['Digest', 'SHA-256=x'],
            ['Signature', 'y'],
            ['Content-Type', 'application/json'],
          ],
          body: Buffer.from(body === undefined ? '' : JSON.stringify(body)),
        },
      }),
});
const made = (id = payment) => ({
  paymentId: id,
  transactionStatus: 'RCVD',
  _links: {
    scaRedirect: { href: 'https://bank.example/page/1' },
    scaStatus: { href: `${path}/${id}/authorisations/${authorisation}` },
  },
});

function play(calls: readonly RecordedCall[]) {
  const recording = new Recording(calls, () => now);
  const tell = (method: string, target: string, headers: Readonly<Record<string, string>> = {}) => {
    const url = new URL(target, base);
    const header = (name: string) => headers[name] ?? null;
    return recording.tell({ method, path: url.pathname, query: url.searchParams, header, base });
  };
  return { recording, tell };
}

function body(told: Told): Record<string, unknown> {
  if (typeof told === 'string') throw new Error(told);
  return JSON.parse(told.content.toString()) as Record<string, unknown>;
}

describe('a recording', () => {
  it('gives each passage ids of its own, in bodies and links, and accepts them back', () => {
    const { tell } = play([
      call('POST', path, 201, made()),
      call('GET', `${path}/${payment}/status`, 200, { transactionStatus: 'RCVD' }),
      call('PUT', `${path}/${payment}/authorisations/${authorisation}`, 401, { tppMessages: [] }),
      call('PUT', `${path}/${payment}/authorisations/${authorisation}`, 200, { scaStatus: 'finalised' }),
      call('GET', `${path}/${payment}/status`, 200, { transactionStatus: 'ACSC' }),
    ]);
    const [one, other] = [1, 2].map(() => body(tell('POST', path)));
    const ids = [one, other].map((each) => each?.['paymentId'] as string);
    expect(new Set([payment, ...ids]).size).toBe(3);
    expect(JSON.stringify(one)).not.toContain(payment);
    expect(JSON.stringify(one)).not.toContain(authorisation);
    for (const id of ids) {
      const links = body(tell('GET', `${path}/${id}/status`));
      expect(links).toEqual({ transactionStatus: 'RCVD' });
      // Asked once more before anything was done, the status is what it was.
      expect(body(tell('GET', `${path}/${id}/status`))).toEqual({ transactionStatus: 'RCVD' });
    }
    const { _links: all } = one as { _links: Record<string, { href: string }> };
    const sca = all['scaStatus']?.href ?? '';
    expect(tell('PUT', sca)).toMatchObject({ status: 401 });
    expect(tell('PUT', sca)).toMatchObject({ status: 200 });
    expect(body(tell('GET', `${path}/${String(ids[0])}/status`))).toEqual({ transactionStatus: 'ACSC' });
    expect(body(tell('GET', `${path}/${String(ids[1])}/status`))).toEqual({ transactionStatus: 'RCVD' });
  });

  it('leaves out headers that HTTP does not have', () => {
    const made = call('GET', '/v1/consents/c1/status', 200, { consentStatus: 'valid' });
    const headers = [...(made.answer?.headers ?? []), ['bad name:', 'x'], ['X-A', 'a\r\nX-B: b']] as const;
    const answer = { status: 200, body: made.answer?.body, headers };
    const told = play([{ ...made, answer }]).tell('GET', '/v1/consents/c1/status');
    expect(typeof told === 'string' ? told : told.headers.map(([name]) => name)).toEqual(
      expect.not.arrayContaining(['bad name:', 'X-A']),
    );
  });

  it('skips reads from before the last write', () => {
    const { tell } = play([
      call('POST', path, 201, made()),
      call('GET', `${path}/${payment}/status`, 200, { transactionStatus: 'RCVD' }),
      call('DELETE', `${path}/${payment}`, 204, undefined),
      call('GET', `${path}/${payment}/status`, 200, { transactionStatus: 'CANC' }),
    ]);
    const { paymentId } = body(tell('POST', path)) as { paymentId: string };
    expect(tell('DELETE', `${path}/${paymentId}`)).toMatchObject({ status: 204 });
    expect(body(tell('GET', `${path}/${paymentId}/status`))).toEqual({ transactionStatus: 'CANC' });
  });

  it('moves times by as much as it is later, days by days, and leaves the last day of all', () => {
    const consent = { consentId: 'cccc1111-2222', validUntil: '2026-06-01', lastActionDate: '9999-12-31' };
    const { tell } = play([call('POST', '/v1/consents', 201, { ...consent, at: '2026-03-01T09:00:00Z' })]);
    expect(body(tell('POST', '/v1/consents'))).toMatchObject({
      validUntil: '2026-06-11',
      lastActionDate: '9999-12-31',
      at: '2026-03-11T11:30:00.000Z',
    });
  });

  it('leads links to itself, repeats the X-Request-ID, and signs nothing in the name of a bank', () => {
    const { tell, recording } = play([call('POST', path, 201, made())]);
    const told = tell('POST', path, {
      'x-request-id': 'mine',
      'tpp-redirect-uri': 'http://127.0.0.1:1/back',
    });
    expect(told).toMatchObject({ status: 201 });
    const headers = Object.fromEntries((told as ToldAnswer).headers);
    expect(headers['X-Request-ID']).toBe('mine');
    expect(headers).not.toHaveProperty('Signature');
    expect(headers['Digest']).not.toBe('SHA-256=x');
    const { _links: links } = body(told) as { _links: { scaRedirect: { href: string } } };
    expect(links.scaRedirect.href).toBe(`${base}/page/1`);
    expect(recording.decided(`${base}/page/1?state=s`, 'approve')).toEqual({
      redirectedTo: 'http://127.0.0.1:1/back?state=s',
    });
    expect(recording.decided(`${base}/page/2`, 'approve')).toBeUndefined();
  });

  it('distinguishes the PSUs of a recording', () => {
    const other = 'dddd1111-2222-3333-4444-555566667777';
    const { tell } = play([
      call('POST', path, 201, made(), 'anna'),
      call('POST', path, 201, { ...made(other), transactionStatus: 'ACTC' }, 'bert'),
    ]);
    expect(body(tell('POST', path, { 'psu-id': 'bert' }))).toMatchObject({ transactionStatus: 'ACTC' });
    expect(body(tell('POST', path, { 'psu-id': 'anna' }))).toMatchObject({ transactionStatus: 'RCVD' });
  });

  it('follows the pages of a list by their queries', () => {
    const list = '/v1/accounts/1/transactions';
    const { tell } = play([
      call('GET', `${list}?bookingStatus=booked&dateFrom=2026-01-01`, 200, { page: 1 }),
      call('GET', `${list}?cursor=2`, 200, { page: 2 }),
    ]);
    expect(body(tell('GET', `${list}?bookingStatus=booked&dateFrom=2026-02-02`))).toEqual({ page: 1 });
    expect(body(tell('GET', `${list}?cursor=2`))).toEqual({ page: 2 });
  });

  it('cuts the connection where no answer was recorded, and reports what it lacks', () => {
    const { tell } = play([call('GET', '/v1/accounts', 0, undefined)]);
    expect(tell('GET', '/v1/accounts')).toBe('cut');
    expect(tell('GET', '/v1/consents/1')).toBe('unknown');
  });

  it('puts something made up in the place of each secret that was cut out', () => {
    const { tell } = play([call('POST', '/oauth/token', 200, { access_token: '[secret]' })]);
    const { access_token: token } = body(tell('POST', '/oauth/token'));
    expect(token).toMatch(/^[\w-]{20,}$/);
  });
});
