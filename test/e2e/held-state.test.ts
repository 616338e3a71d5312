// A state that another process holds, or that is lost, while a payment is on its way.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ObkError } from '../../src/base/errors.ts';
import { openSqlite } from '../../src/base/sqlite/open.ts';
import { cuttingProxy } from '../helpers/cutting-proxy.ts';
import { oneError } from '../helpers/one-error.ts';
import { payArgs, payingHome } from '../helpers/paying-home.ts';
import type { PayingHome } from '../helpers/paying-home.ts';
import { hasPostgres, stateEnvironment, testDatabase } from '../helpers/postgres.ts';

const path = '/v1/payments/sepa-credit-transfers';

/** A bank that calls `onWrite` before it answers each write: what the run has sent is durable by then, and its answer is not. */
async function bankThat(onWrite: (what: 'payment' | 'authorisation') => void) {
  let made = 0;
  const server = createServer((request, response) => {
    request.resume();
    request.on('end', () => {
      const say = (body: object) => {
        response.writeHead(201, { 'Content-Type': 'application/json', Connection: 'close' });
        response.end(JSON.stringify(body));
      };
      if (request.url === path) {
        made += 1;
        onWrite('payment');
        const self = { href: `${path}/pay-1` };
        const start = { href: `${path}/pay-1/authorisations` };
        say({
          ...{ transactionStatus: 'RCVD', paymentId: 'pay-1' },
          _links: { self, startAuthorisation: start },
        });
        return;
      }
      onWrite('authorisation');
      const scaStatus = { href: `${path}/pay-1/authorisations/auth-1` };
      say({ scaStatus: 'received', authorisationId: 'auth-1', _links: { scaStatus } });
    });
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return {
    baseUrl: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`,
    made: () => made,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

let bank: Awaited<ReturnType<typeof bankThat>>;
let home: PayingHome;
let onWrite: Parameters<typeof bankThat>[0];
let release: () => void;

/** Holds the state as another process does that writes. */
function hold(): void {
  const user = { code: 'STATE_NOT_WRITTEN', name: 'The state' } as const;
  const other = openSqlite(join(home.folder, 'state', 'state.db'), { user, busyMs: 0, synchronous: 'FULL' });
  other.exec('BEGIN IMMEDIATE');
  release = () => {
    release = () => undefined;
    other.rollBack();
    other.close();
  };
}

beforeEach(async () => {
  onWrite = () => undefined;
  release = () => undefined;
  bank = await bankThat((what) => {
    onWrite(what);
  });
  home = await payingHome({
    ...bank,
    made: bank.made,
    decide: () => undefined,
    close: () => Promise.resolve(),
  });
});
afterEach(() => {
  release();
  home.close();
  bank.close();
});

const interruption = () => new ObkError({ code: 'INTERRUPTED', title: 'Interrupted.' });
const briefly = [...payArgs('12.50'), '--timeout', '1s'];

describe('a state that another process holds', () => {
  // The first run makes the files.
  beforeEach(async () => {
    const { code, stderr } = await home.run(payArgs('11.00'));
    expect(code, stderr).toBe(0);
  });

  it('is waited for as long as a call may take, and nothing is sent', async () => {
    hold();
    const ran = await home.run(briefly);
    expect(ran.code, ran.stderr).toBe(3);
    expect(oneError(ran)).toMatchObject({ code: 'LOCK_BUSY' });
    expect(bank.made()).toBe(1);
  });

  it('is waited for no more at Ctrl-C, and nothing is sent', async () => {
    hold();
    const interrupt = new AbortController();
    const running = home.run(payArgs('12.50'), { signal: interrupt.signal });
    setTimeout(() => {
      interrupt.abort(interruption());
    }, 500);
    const ran = await running;
    expect(ran.code, ran.stderr).toBe(130);
    expect(bank.made()).toBe(1);
  });

  it('is waited for without a deadline after an answer, which a person sees', async () => {
    onWrite = () => {
      hold();
      setTimeout(() => {
        release();
      }, 4_000);
    };
    const ran = await home.run(
      briefly.filter((word) => word !== '--json'),
      { terminal: true },
    );
    expect(ran.code, ran.stderr).toBe(0);
    expect(ran.stderr).toContain('Waiting for the state');
    const listed = await home.run(['payment', 'list', '--profile', 'acme', '--json']);
    expect(JSON.parse(listed.stdout)).toMatchObject([{ amount: '12.50' }]);
  });

  it('does not keep to itself what the bank has made where the wait for it is interrupted', async () => {
    const interrupt = new AbortController();
    onWrite = () => {
      hold();
      setTimeout(() => {
        interrupt.abort(interruption());
      }, 500);
    };
    const ran = await home.run(payArgs('12.50'), { signal: interrupt.signal });
    expect(ran.code, ran.stderr).toBe(12);
    expect(oneError(ran)).toMatchObject({
      resource: { paymentId: 'pay-1', transactionStatus: 'RCVD' },
    });
    expect(ran.stderr).toContain(`startAuthorisation ${path}/pay-1/authorisations`);
    expect(JSON.parse(ran.stdout)).toMatchObject({ paymentId: 'pay-1', transactionStatus: 'RCVD' });
  });

  it('does not keep to itself what the bank has said last', async () => {
    const interrupt = new AbortController();
    onWrite = (what) => {
      if (what === 'payment') return;
      hold();
      setTimeout(() => {
        interrupt.abort(interruption());
      }, 500);
    };
    const words = ['payment', 'authorise', 'pay-1', '--profile', 'acme', '--no-input', '--json'];
    const ran = await home.run([...words, '--psu-ip', '192.0.2.7'], { signal: interrupt.signal });
    expect(ran.code, ran.stderr).toBe(12);
    expect(ran.stderr).toContain('What the bank has answered could not be saved here.');
    expect(`${ran.stdout}${ran.stderr}`).toContain('received');
  });
});

describe.skipIf(!hasPostgres())('a database whose connection is lost after the answer of the bank', () => {
  const shared = testDatabase();
  beforeEach(() => {
    shared.empty();
  });
  afterEach(() => shared.end());

  const inFleet = async (proxy: Awaited<ReturnType<typeof cuttingProxy>>) => ({
    ...home.env,
    ...stateEnvironment((await proxy.url()).reveal()),
  });

  it.each(['before', 'after'] as const)('keeps it where it was cut %s the commit', async (when) => {
    const proxy = await cuttingProxy(await shared.url());
    onWrite = () => {
      proxy.cutAtCommit(when);
    };
    const env = await inFleet(proxy);
    const ran = await home.run(payArgs('12.50', 'rent'), { env });
    expect(ran.code, ran.stderr).toBe(0);
    const listed = await home.run(['payment', 'list', '--profile', 'acme', '--json'], { env });
    expect(JSON.parse(listed.stdout)).toMatchObject([{ paymentId: 'pay-1', amount: '12.50' }]);
    const pending = await home.run(['pending', 'list', '--profile', 'acme', '--json'], { env });
    expect(pending.stdout).not.toContain('unknown');
    proxy.close();
  });

  // The wait before the next try passes no gate: it would wait for the commit that waits for it.
  it('is exit 12 with what the bank said where it stays lost, and nothing is sent again', async () => {
    const proxy = await cuttingProxy(await shared.url());
    onWrite = () => {
      proxy.close();
      proxy.cutAll();
    };
    const ran = await home.run(payArgs('12.50', 'rent'), { env: await inFleet(proxy) });
    expect(ran.code, ran.stderr).toBe(12);
    expect(oneError(ran)).toMatchObject({
      ...{ code: 'STATE_UNREACHABLE', resource: { paymentId: 'pay-1', transactionStatus: 'RCVD' } },
    });
    const direct = { ...home.env, ...stateEnvironment((await shared.url()).reveal()) };
    const again = await home.run(payArgs('12.50', 'rent'), { env: direct });
    expect([8, 12]).toContain(again.code);
    expect(bank.made()).toBe(1);
  });
});
