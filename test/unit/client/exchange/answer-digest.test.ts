import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { readPages, readRaw } from '../../../../src/client/accounts/transactions.ts';
import { call } from '../../../../src/client/call/call.ts';
import { createConsent } from '../../../../src/client/consents/consent.ts';
import { bytesOf } from '../../../../src/client/exchange/answer-stream.ts';
import { initiatePayment } from '../../../../src/client/payments/pay.ts';
import { askBank, listPending } from '../../../../src/client/payments/pending.ts';
import type { Header } from '../../../../src/settings/records/wire.ts';
import { nextStep } from '../../../../src/standard/sca/next-step.ts';
import { journalState, memoryJournal } from '../../../helpers/fakes/index.ts';
import { client, request, send, serve } from '../../../helpers/http-client.ts';
import { wire } from '../../../helpers/raw-server.ts';
import { world } from '../../../helpers/world.ts';
import type { Wish } from '../../../helpers/world.ts';
import { get, getPath, post, postPath } from '../calls.ts';
import { created, hash, once, one, order, path } from '../orders.ts';
import { reader } from '../reader.ts';
import { failedWith } from '../../../helpers/failed-with.ts';

const base64 = (bytes: string | Uint8Array, algorithm: 'sha256' | 'sha512' = 'sha256') =>
  createHash(algorithm).update(bytes).digest('base64');
const status = '{"transactionStatus":"RCVD"}';
const type: Header = ['Content-Type', 'application/json'];

/** What becomes of a read whose answer has these headers. */
async function reading(headers: readonly Header[], profile: Wish['profile'] = {}) {
  const there = await world({ profile });
  there.http.expect('GET', getPath, { headers: [type, ...headers], body: status });
  const outcome = await call(there.target, get).then(
    () => 'DONE',
    (error: unknown) =>
      `${(error as { exit: number; code: string }).exit} ${(error as { code: string }).code}`,
  );
  return { outcome, warnings: there.notices.warned };
}

describe('the digest of an answer', () => {
  it.each<[string, string]>([
    ['Digest', `SHA-256=${base64(status)}`],
    ['digest', `sha-256=${base64(status)}`],
    ['Digest', `SHA-512=${base64(status, 'sha512')}`],
    ['Digest', `UNIXsum=30637, SHA-256=${base64(status)},SHA-512=${base64(status, 'sha512')}`],
    ['Content-Digest', `sha-256=:${base64(status)}:`],
    ['Content-Digest', `sha-512=:${base64(status, 'sha512')}:, sha-256=:${base64(status)}:`],
    ['Repr-Digest', `sha-256=:${base64(status)}:`],
    ['Digest', 'MD5=HUXZLQLMuI/KZ5KDcJPcOA=='],
    ['Content-Digest', 'md5=:HUXZLQLMuI/KZ5KDcJPcOA==:'],
  ])('is right, or of an algorithm that obk does not know: %s: %s', async (name, value) => {
    expect(await reading([[name, value]])).toEqual({ outcome: 'DONE', warnings: [] });
  });

  it('is not judged where there is no content and it is that of the representation', async () => {
    const there = await world();
    const remove = { operation: 'deleteConsent', params: { consentId: 'c-1' } } as const;
    const of = (name: string, value: string): Header[] => [[name, value]];
    there.http.expect('DELETE', '/v1/consents/c-1', {
      status: 204,
      headers: of('Repr-Digest', `sha-256=:${base64(status)}:`),
    });
    expect((await call(there.target, remove)).status).toBe(204);
    there.http.expect('DELETE', '/v1/consents/c-1', {
      status: 204,
      headers: of('Content-Digest', `sha-256=:${base64(status)}:`),
    });
    expect(await failedWith(call(there.target, remove))).toMatchObject({ exit: 12 });
  });

  const other = base64('another body');
  it.each<[string, string]>([
    ['Digest', `SHA-256=${other}`],
    ['DIGEST', `sha-256=${other}`],
    ['Digest', `SHA-512=${base64('another body', 'sha512')}`],
    ['Digest', `SHA-256=${base64(status)},SHA-512=${base64('x', 'sha512')}`],
    ['Digest', 'SHA-256='],
    ['Digest', 'SHA-256=%%%'],
    ['Content-Digest', `sha-256=:${other}:`],
    ['Content-Digest', `sha-256=:${other}:;x=1`],
    ['Repr-Digest', `sha-512=:${base64('x', 'sha512')}:`],
  ])('is wrong: %s: %s', async (name, value) => {
    expect((await reading([[name, value]])).outcome).toBe('6 ANSWER_UNREADABLE');
    const warned = await reading([[name, value]], { answers: { digest: 'warn' } });
    expect(warned).toEqual({ outcome: 'DONE', warnings: [expect.stringContaining(name)] });
    expect(await reading([[name, value]], { answers: { digest: 'off' } })).toEqual({
      outcome: 'DONE',
      warnings: [],
    });
  });

  it('is checked in each of its headers', async () => {
    const right: Header = ['Digest', `SHA-256=${base64(status)}`];
    expect((await reading([right, ['Content-Digest', `sha-256=:${other}:`]])).outcome).toMatch(/^6/);
    expect((await reading([right, ['Digest', `SHA-256=${other}`]])).outcome).toMatch(/^6/);
  });

  it.each([201, 400, 401, 500])(
    'leaves the outcome of a write unknown where it is wrong: %s',
    async (code) => {
      const there = await world();
      const body =
        code === 201 ? created.body : { tppMessages: [{ category: 'ERROR', code: 'FORMAT_ERROR' }] };
      there.http.expect('POST', postPath, {
        status: code,
        headers: [type, ['Digest', `SHA-256=${other}`]],
        body: JSON.stringify(body),
      });
      expect(await failedWith(call(there.target, post))).toMatchObject({ exit: 12, httpStatus: code });
      expect(there.journal.records.at(-1)).toMatchObject({ type: 'answered', outcome: 'UNKNOWN' });
    },
  );

  it('loses no payment that the answer names', async () => {
    const there = await world();
    there.http.expect('POST', path, {
      ...created,
      headers: [type, ['Content-Digest', `sha-256=:${other}:`]],
    });
    expect(await failedWith(initiatePayment(there.target, order, once))).toMatchObject({
      exit: 12,
      resource: { paymentId: 'pay-1' },
    });
    const saved = await there.store.resources.find('acme', 'payment', 'pay-1');
    expect(saved?.links).toMatchObject({ self: expect.any(String) as string });
    expect(saved).not.toHaveProperty('status');
    expect((await there.journal.intents.find(hash))?.resourceId).toBe('pay-1');
    expect(await there.store.resources.conversations('acme', 'payment', 'pay-1')).toHaveLength(1);
  });

  describe('that names a payment', () => {
    /** The same command in another process, after an answer that could not be believed. */
    async function rerun() {
      const state = journalState();
      const first = await world({ journal: memoryJournal({ state }) });
      first.http.expect('POST', path, { ...created, headers: [type, ['Digest', `SHA-256=${other}`]] });
      expect(await failedWith(initiatePayment(first.target, order, once))).toMatchObject({ exit: 12 });
      first.journal.die();
      return world({ store: first.store, journal: memoryJournal({ state }) });
    }

    it.each([
      ['ACSC', false],
      ['RCVD', true],
    ])(
      'makes the same command ask the bank and go on where it is wrong: %s',
      async (transactionStatus, goesOn) => {
        const again = await rerun();
        again.http.expect('GET', `${one}/status`, { body: { transactionStatus } });
        const result = await initiatePayment(again.target, order, once);
        expect(result).toMatchObject({ reused: true, resource: { id: 'pay-1', status: transactionStatus } });
        expect(result.conversation !== undefined && nextStep(result.conversation).kind !== 'done').toBe(
          goesOn,
        );
        expect(again.notices.warned).toEqual([expect.stringMatching(/Digest.*pay-1.*says/)]);
        expect(await listPending(again.target.ports, 'acme')).toMatchObject(goesOn ? [{ kind: 'open' }] : []);
        // From now on nothing is in doubt.
        await initiatePayment(again.target, order, once);
        expect(again.notices.warned).toHaveLength(1);
        again.verify();
      },
    );

    it('leaves the payment unknown, where it is wrong, while the bank does not know it', async () => {
      const again = await rerun();
      again.http.expect('GET', `${one}/status`, { status: 404, body: {} });
      expect(await failedWith(initiatePayment(again.target, order, once))).toMatchObject({
        exit: 12,
        detail: expect.stringContaining('Digest') as string,
        resource: { paymentId: 'pay-1' },
      });
      const keyless = { intent: { hash: 'f'.repeat(64), key: 'f', chosen: false, allowDuplicate: false } };
      expect(await failedWith(initiatePayment(again.target, order, keyless))).toMatchObject({
        code: 'DUPLICATE_PAYMENT',
      });
      again.verify();
    });

    it('lets a person ask the bank where it is wrong', async () => {
      const again = await rerun();
      const [item] = await listPending(again.target.ports, 'acme');
      if (item?.kind !== 'unknown') throw new Error('nothing unknown');
      expect(item.next).toMatch(/^obk pending resume /);
      again.http.expect('GET', `${one}/status`, { body: { transactionStatus: 'ACSC' } });
      expect(await askBank(again.target, item)).toMatchObject({ status: 'ACSC' });
      expect(await listPending(again.target.ports, 'acme')).toEqual([]);
      const { resource, conversation } = await initiatePayment(again.target, order, once);
      expect([resource.status, conversation?.scaStatus]).toEqual(['ACSC', undefined]);
      again.verify();
    });
  });

  it('loses no consent either', async () => {
    const there = await world();
    there.http.expect('POST', '/v1/consents', {
      status: 201,
      headers: [type, ['Digest', `SHA-256=${other}`]],
      body: '{"consentId":"c-1","consentStatus":"valid","_links":{"self":"/v1/consents/c-1"}}',
    });
    const body = { access: {}, recurringIndicator: true, validUntil: '2027-01-01', frequencyPerDay: 4 };
    const wish = { ...body, combinedServiceIndicator: false };
    expect(await failedWith(createConsent(there.target, wish))).toMatchObject({
      exit: 12,
      resource: { consentId: 'c-1' },
    });
    expect(await there.store.resources.find('acme', 'consent', 'c-1')).not.toHaveProperty('status');
  });
});

describe('a partial answer', () => {
  it('is not an answer: 206', async () => {
    const there = await world();
    there.http.expect('GET', getPath, { status: 206, headers: [type], body: status });
    expect(await failedWith(call(there.target, get))).toMatchObject({ exit: 6 });
    there.http.expect('POST', postPath, { ...created, status: 206, headers: [type] });
    expect(await failedWith(call(there.target, post))).toMatchObject({ exit: 12 });
  });
});

describe('an answer that ends with the connection', () => {
  const pain = (end: string) =>
    `<?xml version="1.0"?><p:Document xmlns:p="urn:x"><p:A><p:B>1</p:B></p:A>${end}`;
  it.each<[string, string, string, boolean]>([
    ['JSON', 'application/json', status, true],
    ['JSON that is cut', 'application/json', status.slice(0, -1), false],
    ['XML', 'application/xml', pain('</p:Document>\n'), true],
    ['XML that is cut', 'application/xml', pain(''), false],
    ['XML that is cut within its end', 'application/xml', pain('</p:Docum'), false],
  ])('is whole where its content ends by itself: %s', async (_, contentType, body, whole) => {
    const there = await world();
    there.http.expect('GET', getPath, { headers: [['Content-Type', contentType]], body });
    const send = there.http.send.bind(there.http);
    there.http.send = async (request, options) => ({ ...(await send(request, options)), endedByClose: true });
    const outcome = await call(there.target, get).then(
      () => true,
      (error: unknown) => (error as { exit: number }).exit,
    );
    expect(outcome).toBe(whole ? true : 6);
  });
});

describe('a report that ends with the connection', () => {
  const path = '/v1/accounts/acc-1/transactions';
  const mt = ':20:1\r\n:25:DE1\r\n:60F:C261101EUR1,00\r\n:61:261102D1,00NTRFX\r\n:62F:C261102EUR0,00\r\n';
  const camt = (end: string) =>
    `<?xml version="1.0"?><Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.02"><BkToCstmrStmt><Stmt>` +
    `<Id>1</Id><Acct><Id><IBAN>DE89370400440532013000</IBAN></Id></Acct></Stmt></BkToCstmrStmt>${end}`;
  const json = JSON.stringify({ transactions: { booked: [{ transactionId: 't' }] } });
  const cases: readonly [string, string, string, boolean][] = [
    ['MT940', 'text/plain', mt, true],
    ['MT940 with its dash', 'text/plain', `${mt}-`, true],
    ['MT940 that is cut between two lines', 'text/plain', mt.slice(0, mt.indexOf(':62F')), false],
    ['MT940 that is cut within its last line', 'text/plain', mt.slice(0, -4), false],
    ['MT940 that is cut in its second message', 'text/plain', `${mt}-\r\n:20:2\r\n:25:DE1\r\n`, false],
    ['CSV, which has no end', 'text/csv', 'date,amount\n2026-11-02,1.00\n', false],
    ['text of no kind', 'text/plain', 'one line\n', false],
    ['camt', 'application/xml', camt('</Document>'), true],
    ['camt that is cut', 'application/xml', camt(''), false],
    ['JSON', 'application/json', json, true],
    ['JSON that is cut', 'application/json', json.slice(0, -1), false],
  ];
  const read = async (streams: boolean, contentType: string, body: string) => {
    const there = await reader();
    const headers: [string, string][] = [['Content-Type', contentType]];
    there.http.expect('GET', `${path}?bookingStatus=booked`, { headers, body });
    const send = there.http.send.bind(there.http);
    there.http.send = async (request, options) => {
      const answer = await send(request, options);
      async function* rest() {
        yield await Promise.resolve(answer.body.subarray(9));
      }
      const begun = streams ? { body: answer.body.subarray(0, 9), rest: rest() } : {};
      return { ...answer, ...begun, endedByClose: true };
    };
    const wanted = { kind: 'account' as const, account: 'acc-1', all: false, accept: '*/*' };
    const raw = async () => {
      const answer = await readRaw(there.reading, { ...wanted, query: { bookingStatus: 'booked' } });
      const pieces: Uint8Array[] = [];
      for await (const piece of bytesOf(answer)) pieces.push(piece);
      return Buffer.concat(pieces).toString();
    };
    return raw().catch((error: unknown) => (error as { exit: number }).exit);
  };
  it.each(cases)('is whole where it can be read to its end: %s', async (_, contentType, body, whole) => {
    expect(await read(false, contentType, body)).toBe(whole ? body : 6);
  });
  it.each(cases)('is whole on the same terms where it streams: %s', async (_, contentType, body, whole) => {
    expect(await read(true, contentType, body)).toBe(whole ? body : 6);
  });
});

it('the digest of a list that streams is judged at its end', async () => {
  const there = await reader();
  const path = '/v1/accounts/acc-1/transactions';
  const booked = [{ transactionId: 't', transactionAmount: { currency: 'EUR', amount: '-1.00' } }];
  const body = JSON.stringify({ transactions: { booked } });
  there.http.expect('GET', `${path}?bookingStatus=booked`, {
    headers: [type, ['Digest', `SHA-256=${base64('another body')}`]],
    body,
  });
  const send = there.http.send.bind(there.http);
  there.http.send = async (request, options) => {
    const answer = await send(request, options);
    async function* rest() {
      yield await Promise.resolve(answer.body.subarray(20));
    }
    return { ...answer, body: answer.body.subarray(0, 20), rest: rest(), sums: () => base64(body) };
  };
  const wanted = { kind: 'account' as const, account: 'acc-1', all: true, accept: 'application/json' };
  const all = async () => {
    for await (const page of readPages(there.reading, { ...wanted, query: { bookingStatus: 'booked' } }))
      for await (const _ of page.rows);
  };
  expect(await failedWith(all())).toMatchObject({ exit: 6 });
});

describe('the digest on the wire', () => {
  const zipped = gzipSync(status);
  it('is of the bytes as they came, with their content coding', async () => {
    const headers = [
      'Content-Type: application/json',
      'Content-Encoding: gzip',
      `Digest: SHA-256=${base64(zipped)}`,
    ];
    const server = await serve((socket) => socket.end(wire('200 OK', zipped, headers)));
    const answer = await send(client(), request(server.port, { method: 'GET' }));
    expect(Buffer.from(answer.body).toString()).toBe(status);
    expect(answer.sums?.('SHA-256')).toBe(base64(zipped));
    expect(answer.sums?.('SHA-512')).toBe(base64(zipped, 'sha512'));
    expect(answer).not.toHaveProperty('endedByClose');
  });

  it('is computed only where it is asked for, and the end of the connection is reported', async () => {
    const server = await serve((socket) => socket.end(`HTTP/1.1 200 OK\r\n\r\n${status}`));
    const answer = await send(client(), request(server.port, { method: 'GET' }));
    expect(answer.sums).toBeUndefined();
    expect(answer.endedByClose).toBe(true);
  });

  it('is known at the end of an answer that streams', async () => {
    const long = Buffer.alloc(2_000_000, 'x');
    const server = await serve((socket) =>
      socket.end(wire('200 OK', long, [`Digest: SHA-256=${base64(long)}`])),
    );
    const { rest, sums } = await send(client(), request(server.port, { method: 'GET' }), {
      stream: { maxBytes: 10_000_000 },
    });
    if (rest !== undefined) for await (const _ of rest);
    expect(rest).toBeDefined();
    expect(sums?.('SHA-256')).toBe(base64(long));
  });
});
