import { readFileSync } from 'node:fs';
import { connect, Socket } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startBank } from '../../../helpers/bank.ts';
import type { TestBank } from '../../../helpers/bank.ts';
import { controlOf } from '../../../helpers/control.ts';
import { openLedger } from '../../../../src/bank/books/ledger.ts';
import { streamOf } from '../../../../src/bank/control/event-stream.ts';
import { eventsAfter, lastEvent, noteEvent } from '../../../../src/bank/rules/events.ts';
import { createBank } from '../../../helpers/steered-bank.ts';
import { payment, tppOf } from '../tpp.ts';

interface Told {
  id: number;
  event: string;
  data: Record<string, unknown>;
}

let bank: TestBank;
let ended = false;
const readers: (() => Promise<void>)[] = [];
beforeEach(async () => {
  bank = await startBank();
  ended = false;
});
afterEach(async () => {
  for (const close of readers.splice(0)) await close();
  if (!ended) await bank.close();
});

/** Listens as a browser's EventSource does: `next` gives one event after the other, undefined at the end. */
async function listen(after?: number) {
  const stop = new AbortController();
  const answer = await fetch(`${bank.controlUrl}/events`, {
    signal: stop.signal,
    headers: {
      Authorization: `Bearer ${readFileSync(bank.tokenFile, 'utf8')}`,
      ...(after !== undefined && { 'Last-Event-ID': String(after) }),
    },
  });
  expect([answer.status, answer.headers.get('content-type')]).toEqual([
    200,
    'text/event-stream; charset=utf-8',
  ]);
  const reader = answer.body!.getReader();
  readers.push(async () => {
    stop.abort();
    await reader.closed.catch(() => undefined);
  });
  const decoder = new TextDecoder();
  let text = '';
  const next = async (): Promise<Told | undefined> => {
    for (;;) {
      const end = text.indexOf('\n\n');
      if (end < 0) {
        const { done, value } = await reader.read();
        if (done) return undefined;
        text += decoder.decode(value, { stream: true });
        continue;
      }
      const lines = text.slice(0, end).split('\n');
      text = text.slice(end + 2);
      const fields = Object.fromEntries(
        lines
          .filter((line) => !line.startsWith(':'))
          .map((line) => line.split(/: (.*)/s) as [string, string]),
      ) as Record<string, string>;
      if (fields['event'] === undefined) continue;
      return {
        id: Number(fields['id']),
        event: fields['event'],
        data: JSON.parse(fields['data'] ?? '') as Told['data'],
      };
    }
  };
  const until = async (
    event: string,
    fits: (data: Told['data']) => boolean = () => true,
  ): Promise<Told[]> => {
    const told: Told[] = [];
    for (;;) {
      const one = await next();
      if (one === undefined) throw new Error(`the stream ended before ${event}`);
      told.push(one);
      if (one.event === event && fits(one.data)) return told;
    }
  };
  return { next, until };
}

const pay = () =>
  tppOf(bank)('POST', '/v1/payments/sepa-credit-transfers', {
    body: payment(bank.person('redirect').accounts[0]!.iban),
    headers: { 'PSU-ID': 'redirect', 'TPP-Redirect-URI': 'https://tpp.example/cb' },
  });

/** The connections to a bank of this process, as the bank holds them. */
const bankSockets = (port: number): Socket[] =>
  (process as unknown as { _getActiveHandles(): object[] })
    ._getActiveHandles()
    .filter((handle) => handle instanceof Socket)
    .filter((socket) => socket.localPort === port && socket.bytesRead < 1000 && !socket.destroyed);

describe('the stream of events', () => {
  it('reports each call, change of a status and decision in their order, by whatever hand', async () => {
    const { until } = await listen();
    const paymentId = String((await pay()).json.paymentId);
    // As another command does, in another process: beside the server, in the ledger.
    const other = createBank({ stateDir: bank.stateDir, clock: { now: () => new Date() } });
    await other.decide('approve', paymentId);
    await other.reset();
    await other.close();
    const told = await until('reset');
    expect(told.map(({ event, data }) => [event, data['scaStatus'] ?? data['status']])).toEqual([
      ['payment', 'RCVD'],
      ['authorisation', expect.any(String)],
      ['call', 201],
      ['decision', 'finalised'],
      ['payment', 'ACTC'],
      ['payment', 'ACSC'],
      ['reset', undefined],
    ]);
    expect(told.find(({ event }) => event === 'call')?.data).toMatchObject({
      operation: 'initiatePayment',
      status: 201,
      verdict: 'accepted',
    });
    await pay();
    const [, , later] = await until('call');
    expect(later?.data).toEqual((await controlOf(bank)('GET', '/calls')).json.calls[0]);
    expect(told.find(({ event }) => event === 'decision')?.data).toMatchObject({
      parentId: paymentId,
      psuId: 'redirect',
    });
    const ids = told.map(({ id }) => id);
    expect(ids).toEqual(ids.toSorted((a, b) => a - b));
  });

  it('shows a call within a second', async () => {
    const { until } = await listen();
    await pay();
    const began = performance.now();
    await until('call');
    expect(performance.now() - began).toBeLessThan(1000);
  });

  it('goes on after the last event that was seen, and loses none, also of many', async () => {
    const ask = controlOf(bank);
    const first = await listen();
    await ask('POST', '/reset');
    const [reset] = await first.until('reset');
    const call = tppOf(bank);
    for (let count = 0; count < 250; count += 1) await call('GET', '/v1/nothing');
    const again = await listen(reset!.id);
    const seen: number[] = [];
    while (seen.length < 250) seen.push(((await again.next()) as Told).data['number'] as number);
    expect(seen).toEqual(Array.from({ length: 250 }, (_, index) => index + 1));
    const all = await listen(0);
    expect((await all.until('reset')).at(-1)?.id).toBe(reset!.id);
  });

  it('ends with the bank, which does not wait for it', async () => {
    const { next } = await listen();
    const began = performance.now();
    await bank.close();
    ended = true;
    expect(await next()).toBeUndefined();
    expect(performance.now() - began).toBeLessThan(1500);
  });

  it('costs the bank little for readers that read nothing', async () => {
    const { port } = new URL(bank.controlUrl);
    const token = readFileSync(bank.tokenFile, 'utf8');
    const slow = Array.from({ length: 4 }, () =>
      connect(Number(port), '127.0.0.1', function (this: Socket) {
        this.pause().write(
          `GET /sandbox/api/events HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${token}\r\nLast-Event-ID: 0\r\n\r\n`,
        );
      }),
    );
    readers.push(() => {
      for (const socket of slow) socket.destroy();
      return Promise.resolve();
    });
    const ledger = openLedger(join(bank.stateDir, 'sandbox/ledger.db'), new Date());
    const text = 'x'.repeat(20_000);
    // More than the system takes in for a reader.
    ledger.main.atomically(() => {
      for (let count = 0; count < 1000; count += 1) noteEvent(ledger.main, 'noise', { text });
    });
    ledger.close();
    const sentTo = () => bankSockets(Number(port));
    // All four have been written to until they took no more.
    await expect
      .poll(() => sentTo().filter(({ writableLength }) => writableLength > 0).length, { timeout: 5000 })
      .toBe(4);
    for (const { writableLength, bytesWritten } of sentTo()) {
      expect(writableLength).toBeLessThan(256 * 1024);
      expect(bytesWritten).toBeLessThan(19_000_000);
    }
  });

  it('reports what a reader has missed, and begins anew for one of an earlier bank', async () => {
    const ledger = openLedger(':memory:', new Date());
    ledger.main.atomically(() => {
      for (let count = 0; count < 10_010; count += 1) noteEvent(ledger.main, 'noise', {});
    });
    const heard = async (from: number) => {
      const ending = new AbortController();
      const reader = streamOf({ log: ledger.log, ending: ending.signal }, from, () => undefined).getReader();
      await reader.read();
      const text = [await reader.read(), await reader.read()]
        .map(({ value }) => new TextDecoder().decode(value))
        .join('');
      await reader.cancel();
      return text.split('\n\n').slice(0, 2);
    };
    const eleventh = 'id: 11\nevent: noise\ndata: {}';
    expect(await heard(4)).toEqual(['id: 10\nevent: missed\ndata: {"events":6}', eleventh]);
    expect(await heard(10)).toEqual([eleventh, eleventh.replace('11', '12')]);
    expect(await heard(20_000)).toEqual([
      'id: 0\nevent: reset\ndata: {}',
      'id: 10\nevent: missed\ndata: {"events":10}',
    ]);
    ledger.close();
  });

  it('keeps the last 10,000, whatever happens', () => {
    const ledger = openLedger(':memory:', new Date());
    ledger.main.atomically(() => {
      for (let count = 0; count < 10_500; count += 1) noteEvent(ledger.main, 'reset', {});
    });
    expect(lastEvent(ledger.log)).toBe(10_500);
    expect(eventsAfter(ledger.log, 0, 20_000)).toHaveLength(10_000);
    ledger.close();
  });
});
