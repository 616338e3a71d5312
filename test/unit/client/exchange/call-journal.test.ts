import { describe, expect, it } from 'vitest';
import { ObkError } from '../../../../src/base/errors.ts';
import { call } from '../../../../src/client/call/call.ts';
import { Secret } from '../../../../src/base/secret.ts';
import { sha256Hex } from '../../../../src/signing/digest.ts';
import { intent } from '../../../helpers/adapter-homes.ts';
import { memoryJournal } from '../../../helpers/fakes/index.ts';
import { world } from '../../../helpers/world.ts';
import { created, get, getPath, post, postPath, put, putPath, read } from '../calls.ts';
import type { EndedExchange } from '../../../../src/client/exchange/verdict.ts';
import { failedWith } from '../../../helpers/failed-with.ts';

describe('the journal of a write', () => {
  it('has prepared and sending before the first byte, and answered before the answer is returned', async () => {
    const there = await world();
    there.http.expect('POST', postPath, {
      ...created,
      check: () => {
        expect(there.journal.records.map((record) => record.type)).toEqual(['prepared', 'sending']);
      },
    });
    await call(there.target, post);
    expect(there.journal.records.map((record) => record.type)).toEqual(['prepared', 'sending', 'answered']);
    there.verify();
  });

  it('has prepared before the connection is made', async () => {
    const there = await world();
    there.http.expectFailure('POST', postPath, {
      sent: false,
      reason: 'connect',
      check: () => {
        expect(there.journal.records.map((record) => record.type)).toEqual(['prepared']);
      },
    });
    await failedWith(call(there.target, post));
    expect(there.journal.records.at(-1)).toMatchObject({
      type: 'failed',
      outcome: 'NOT_SENT',
      reason: 'connect',
    });
  });

  it('contains no secret of an address to which a link of the bank leads', async () => {
    const there = await world();
    const href = `${getPath}?access_token=t0k3n-c4n4ry&page=2`;
    there.http.expect('GET', href, read);
    await call(there.target, { ...get, href });
    expect(JSON.stringify(there.journal.records)).toContain('page=2');
    expect(JSON.stringify(there.journal.records)).not.toContain('t0k3n-c4n4ry');
  });

  it.each(['prepared', 'sending'] as const)('stops the write where it cannot store %s', async (kind) => {
    const journal = memoryJournal();
    const full = new ObkError({ code: 'STATE_NOT_WRITTEN', title: 'The disk is full.' });
    const append = journal.append.bind(journal);
    journal.append = (record) => (record.type === kind ? Promise.reject(full) : append(record));
    const there = await world({ journal });
    let arrived = 0;
    // `prepared` is refused before the port is reached, `sending` within its hook.
    if (kind === 'sending')
      there.http.expect('POST', postPath, { ...created, check: () => void (arrived += 1) });
    const error = await failedWith(call(there.target, post));
    expect(error).toBe(full);
    expect(error.exit).toBe(3);
    expect(arrived).toBe(0);
    expect(there.http.requests).toHaveLength(kind === 'sending' ? 1 : 0);
    there.verify();
  });

  it('returns the answer with a warning where it cannot store it', async () => {
    const journal = memoryJournal();
    const append = journal.append.bind(journal);
    journal.append = (record) =>
      record.type === 'answered'
        ? Promise.reject(new ObkError({ code: 'STATE_NOT_WRITTEN', title: 'full', detail: 'no space' }))
        : append(record);
    const there = await world({ journal });
    there.http.expect('POST', postPath, created);
    await expect(call(there.target, post)).resolves.toMatchObject({ ids: { paymentId: 'p1' } });
    expect(there.notices.warned).toEqual([
      'How the call ended could not be written to the journal: no space',
    ]);
  });

  it('does not stop a read', async () => {
    const journal = memoryJournal();
    const there = await world({ journal });
    journal.failWrites(new ObkError({ code: 'STATE_NOT_WRITTEN', title: 'full' }));
    there.http.expect('GET', getPath, read);
    await expect(call(there.target, get)).resolves.toMatchObject({ transactionStatus: 'RCVD' });
  });

  it('keeps what is needed to recognise the request, and the whole answer', async () => {
    const there = await world({ token: 'tok-123456789012' });
    const long = 'x'.repeat(200_000);
    there.http.expect('POST', postPath, { ...created, body: { ...created.body, psuMessage: long } });
    await there.journal.intents.claim(intent({ hash: 'i'.repeat(64), run: there.journal.run }));
    const input = {
      ...post,
      intent: 'i'.repeat(64),
      body: { bytes: Buffer.from('{"iban":"DE40100100103307118608"}'), contentType: 'application/json' },
    };
    await call(there.target, input);
    const [prepared, , answered] = there.journal.records;
    expect(prepared).toMatchObject({
      operation: 'initiatePayment',
      method: 'POST',
      url: `https://bank.example${postPath}`,
      requestId: there.http.requests[0]?.header('X-Request-ID'),
      write: true,
      intent: 'i'.repeat(64),
      body: '{"iban":"DE40…8608"}',
      bodySha256: sha256Hex('{"iban":"DE40100100103307118608"}'),
    });
    expect(prepared).toMatchObject({
      headers: expect.arrayContaining([['Authorization', '[secret]']]) as unknown,
    });
    expect(answered).toMatchObject({ outcome: 'DONE', status: 201 });
    if (answered?.type === 'answered') expect(answered.body).toContain(long);
  });

  it('cuts the body of a long read', async () => {
    const there = await world();
    there.http.expect('GET', getPath, {
      status: 200,
      body: { transactionStatus: 'RCVD', x: 'x'.repeat(200_000) },
    });
    await call(there.target, get);
    const answered = there.journal.records.at(-1);
    expect(answered?.type === 'answered' && answered.body.length).toBe(64 * 1024 + 1);
  });

  it('keeps the exact bytes of an unknown write until it is resolved', async () => {
    const there = await world();
    there.http.expectFailure('POST', postPath, { sent: true, reason: 'reset' });
    await failedWith(call(there.target, post));
    const exchange = there.journal.records.find((record) => record.type === 'prepared')?.exchange ?? '';
    await expect(there.journal.exact(there.journal.run, exchange)).resolves.toMatchObject({
      body: '{"a":1}',
    });
  });
});

describe('a secret in a body', () => {
  const secret = 'otp-739184-xyz';

  it('leaves in the request only; not even its hash is recorded', async () => {
    const traces: EndedExchange[] = [];
    const there = await world({ run: { onExchange: (trace) => void traces.push(trace) } });
    there.http.expect('PUT', putPath, { status: 200, body: { scaStatus: 'finalised' } });
    await call(there.target, { ...put, body: { json: { scaAuthenticationData: new Secret(secret) } } });
    const sent = `{"scaAuthenticationData":"${secret}"}`;
    expect(there.http.requests[0]?.body).toBe(sent);
    expect(JSON.stringify(there.journal.records)).not.toContain(secret);
    expect(JSON.stringify(there.journal.records)).not.toContain(sha256Hex(sent));
    expect(JSON.stringify([...there.journal.state.exact.values()])).not.toContain(secret);
    expect(traces[0]?.prepared.shownBody).toBe('{"scaAuthenticationData":"[secret]"}');
    expect(JSON.stringify(traces[0]?.prepared.bodySha256)).not.toContain(sha256Hex(sent));
  });

  it('is cut where the bank repeats it', async () => {
    const there = await world();
    there.http.expect('PUT', putPath, {
      status: 400,
      body: { tppMessages: [{ category: 'ERROR', code: 'FORMAT_ERROR', text: `${secret} is wrong` }] },
    });
    const body = { json: { scaAuthenticationData: new Secret(secret) } };
    const error = await failedWith(call(there.target, { ...put, body }));
    expect(JSON.stringify(error)).not.toContain(secret);
    expect(JSON.stringify(there.journal.records)).not.toContain(secret);
  });
});
