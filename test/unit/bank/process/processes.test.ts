import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, describe, expect, it } from 'vitest';
import { doorsFromFlags } from '../../../../src/settings/doors/read-doors.ts';
import { createBank } from '../../../helpers/steered-bank.ts';
import type { BankAddress } from '../../../../src/bank/door.ts';
import type { HandledBank } from '../../../helpers/steered-bank.ts';
import { openLedger } from '../../../../src/bank/books/ledger.ts';
import { allPayments } from '../../../../src/bank/stores/payment-store.ts';
import { bundled } from '../../../helpers/bundled.ts';
import { payment, send, tppOf } from '../tpp.ts';

const script = join(import.meta.dirname, 'bank-process.ts');
const cleanup: (() => unknown)[] = [];
afterEach(async () => {
  for (const clean of cleanup.splice(0).reverse()) await clean();
});

function newState(): string {
  const stateDir = mkdtempSync(join(tmpdir(), 'obk-processes-'));
  cleanup.push(() => {
    rmSync(stateDir, { recursive: true, force: true, maxRetries: 3 });
  });
  return stateDir;
}

const at = (options: { port?: number; httpsPort?: number }) => [doorsFromFlags(options)];

function bankIn(stateDir: string): HandledBank {
  const bank = createBank({ stateDir, clock: { now: () => new Date() } });
  cleanup.push(() => bank.close());
  return bank;
}

async function bankProcess(
  mode: string,
  stateDir: string,
): Promise<{ child: ChildProcess; address: BankAddress }> {
  const child = spawn(process.execPath, [bundled(script), mode, stateDir], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  cleanup.push(() => child.kill('SIGKILL'));
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  return { child, address: JSON.parse(line) as BankAddress };
}

const path = '/v1/payments/sepa-credit-transfers';
async function debtorOf(bank: HandledBank): Promise<string> {
  return (await bank.people())[0]!.accounts[0]!.iban;
}

describe('an embedded bank', () => {
  it('makes its folder, keys and ledger for its owner only', async () => {
    const stateDir = newState();
    const bank = bankIn(stateDir);
    const address = await bank.ensure();
    expect(address).toMatchObject({ embedded: true, formerOrigins: [] });
    for (const file of [
      address.certificatePath,
      address.keyPath,
      address.caPath,
      join(stateDir, 'sandbox', 'admin-token'),
    ]) {
      expect(statSync(file).mode & 0o777, file).toBe(0o600);
    }
    expect(statSync(join(stateDir, 'sandbox')).mode & 0o777).toBe(0o700);
    expect(await bank.ensure()).toEqual(address);
  });

  it('takes its port again, or a new one where that is occupied', async () => {
    const stateDir = newState();
    const first = bankIn(stateDir);
    const { baseUrl } = await first.ensure();
    await first.close();
    const second = bankIn(stateDir);
    expect((await second.ensure()).baseUrl).toBe(baseUrl);
    await second.close();
    const squatter = createServer().listen(Number(new URL(baseUrl).port), '127.0.0.1');
    cleanup.push(() => squatter.close());
    await once(squatter, 'listening');
    const third = await bankIn(stateDir).ensure();
    expect(third.baseUrl).not.toBe(baseUrl);
    expect(third.formerOrigins).toEqual([baseUrl]);
  });

  it('states beforehand where it would be, without a socket', async () => {
    const stateDir = newState();
    const { baseUrl } = await bankIn(stateDir).offline();
    await expect(send(`${baseUrl}/sandbox/identity`, 'GET', {}, Buffer.alloc(0))).rejects.toThrow(
      'ECONNREFUSED',
    );
    expect((await bankIn(stateDir).ensure()).baseUrl).toBe(baseUrl);
  });

  it('finds the bank of another process for the same ledger, and takes its place when that ends', async () => {
    const stateDir = newState();
    const { child, address } = await bankProcess('ensure', stateDir);
    expect(address.embedded).toBe(true);
    const bank = bankIn(stateDir);
    expect(await bank.ensure()).toMatchObject({ embedded: false, baseUrl: address.baseUrl });
    const call = tppOf(address);
    const body = payment(await debtorOf(bank));
    const { json } = await call('POST', path, { body });
    child.stdin?.end();
    await once(child, 'exit');
    await expect.poll(async () => (await bank.ensure()).embedded, { timeout: 10_000 }).toBe(true);
    expect((await call('GET', `${path}/${String(json.paymentId)}/status`)).json.transactionStatus).toBe(
      'RCVD',
    );
  });

  it('never keeps its process alive', async () => {
    const { child } = await bankProcess('ensure-and-end', newState());
    if (child.exitCode === null) await once(child, 'exit');
    expect(child.exitCode).toBe(0);
  });

  it('is one for all processes that start together on a fresh folder', async () => {
    const stateDir = newState();
    const started = await Promise.all([1, 2, 3, 4].map(() => bankProcess('ensure', stateDir)));
    expect(new Set(started.map(({ address }) => address.baseUrl)).size).toBe(1);
    expect(started.filter(({ address }) => address.embedded)).toHaveLength(1);
  });

  it('does not mistake another answer on its port for itself', async () => {
    const stateDir = newState();
    const { baseUrl } = await bankIn(stateDir).offline();
    const silent = createServer(() => undefined).listen(Number(new URL(baseUrl).port), '127.0.0.1');
    cleanup.push(() => silent.close());
    await once(silent, 'listening');
    expect(await bankIn(stateDir).ensure()).toMatchObject({ embedded: true, formerOrigins: [baseUrl] });
  });
});

describe('a bank in a process of its own', () => {
  it('keeps every payment that it answered 201, through kill -9', async () => {
    const stateDir = newState();
    const answered: string[] = [];
    for (let round = 0; round < 3; round++) {
      const { child, address } = await bankProcess('serve', stateDir);
      const call = tppOf(address);
      const body = payment(await debtorOf(bankIn(stateDir)));
      const pay = async () => {
        const answer = await call('POST', path, { body }).catch(() => undefined);
        if (answer?.status === 201) answered.push(answer.json.paymentId as string);
        return answer !== undefined;
      };
      const paying = Array.from({ length: 4 }, async () => {
        for (let n = 0; n < 8 && (await pay()); n++);
      });
      await expect.poll(() => answered.length, { timeout: 10_000 }).toBeGreaterThan(round * 8 + 4);
      child.kill('SIGKILL');
      await Promise.all(paying);
    }
    const ledger = openLedger(join(stateDir, 'sandbox', 'ledger.db'), new Date());
    const kept = new Set(allPayments(ledger.main).map(({ paymentId }) => paymentId));
    ledger.close();
    expect(answered.filter((id) => !kept.has(id))).toEqual([]);
  });

  it('serves a ledger elsewhere, which is then the one that is steered', async () => {
    const stateDir = newState();
    const stop = new AbortController();
    let served: Promise<void> = Promise.resolve();
    const bank = bankIn(stateDir);
    const address = await new Promise<BankAddress>((resolve) => {
      served = bank.serve(
        { doors: at({ port: 0, httpsPort: 0 }), database: ':memory:', without: [] },
        resolve,
        stop.signal,
      );
    });
    const steering = bankIn(stateDir);
    const { json } = await tppOf(address)('POST', path, { body: payment(await debtorOf(steering)) });
    const authorisation = String(json._links.scaStatus.href).split('/').at(-1);
    expect(await steering.decide('approve', String(json.paymentId))).toEqual({
      authorisationId: authorisation,
      scaStatus: 'finalised',
    });
    await expect(steering.decide('approve', String(json.paymentId))).rejects.toMatchObject({
      code: 'USAGE',
      exit: 2,
    });
    expect(address.httpsBaseUrl).toMatch(/^https:/);
    stop.abort();
    await served;
    await expect(bankIn(stateDir).decide('approve', String(json.paymentId))).rejects.toMatchObject({
      code: 'USAGE',
    });
  });

  it('is steered only with its token', async () => {
    const stateDir = newState();
    const { baseUrl } = await bankIn(stateDir).ensure();
    const steer = (token: string) =>
      send(`${baseUrl}/sandbox/api/calls`, 'GET', { Authorization: `Bearer ${token}` }, Buffer.alloc(0));
    expect((await steer('wrong')).status).toBe(401);
    const token = readFileSync(join(stateDir, 'sandbox', 'admin-token'), 'utf8');
    expect((await steer(token)).json).toEqual({ calls: [] });
  });

  it('removes its secret at its end, so that the next start asks nobody, and leaves that of another one', async () => {
    const stateDir = newState();
    const token = join(stateDir, 'sandbox', 'admin-token');
    const runOnce = async (meanwhile: () => void = () => undefined): Promise<number> => {
      const stop = new AbortController();
      let port = 0;
      await bankIn(stateDir).serve(
        { doors: at({ port: 0 }), without: [] },
        ({ baseUrl }) => {
          port = Number(new URL(baseUrl).port);
          meanwhile();
          stop.abort();
        },
        stop.signal,
      );
      return port;
    };
    const port = await runOnce();
    expect([existsSync(token), existsSync(join(stateDir, 'sandbox', 'ledger.db'))]).toEqual([false, true]);
    let asked = 0;
    const stranger = createServer(() => (asked += 1)).listen(port, '127.0.0.1');
    cleanup.push(() => stranger.close());
    await once(stranger, 'listening');
    await runOnce(() => {
      writeFileSync(token, 'of another');
    });
    expect([asked, readFileSync(token, 'utf8')]).toEqual([0, 'of another']);
  });

  it('reports an occupied port, and an operation that does not exist', async () => {
    const stateDir = newState();
    const squatter = createServer().listen(0, '127.0.0.1');
    cleanup.push(() => squatter.close());
    await once(squatter, 'listening');
    const { port } = squatter.address() as { port: number };
    const { signal } = new AbortController();
    await expect(
      bankIn(stateDir).serve({ doors: at({ port }), without: [] }, () => undefined, signal),
    ).rejects.toMatchObject({
      code: 'SANDBOX_UNAVAILABLE',
    });
    const without = bankIn(stateDir).serve(
      { doors: at({ port: 0 }), without: ['pay'] },
      () => undefined,
      signal,
    );
    await expect(without).rejects.toMatchObject({ code: 'USAGE' });
  });
});

describe('the hand of the PSU', () => {
  it('decides without any running bank, for the PSU of the debtor account or the one that is named', async () => {
    const stateDir = newState();
    const bank = bankIn(stateDir);
    const address = await bank.ensure();
    const debtor = await debtorOf(bank);
    const create = async () =>
      (await tppOf(address)('POST', path, { body: payment(debtor) })).json.paymentId as string;
    const [one, two] = [await create(), await create()];
    await bank.close();
    expect(await bankIn(stateDir).decide('refuse', one)).toMatchObject({ scaStatus: 'failed' });
    await expect(bankIn(stateDir).decide('approve', two, 'embedded-one')).rejects.toMatchObject({
      code: 'USAGE',
    });
    expect(await bankIn(stateDir).decide('approve', two, 'redirect')).toMatchObject({
      scaStatus: 'finalised',
    });
    await expect(bankIn(stateDir).decide('approve', 'unknown')).rejects.toMatchObject({ code: 'USAGE' });
  });

  it('empties the ledger', async () => {
    const bank = bankIn(newState());
    const address = await bank.ensure();
    const { json } = await tppOf(address)('POST', path, { body: payment(await debtorOf(bank)) });
    await bank.reset();
    const gone = await tppOf(address)('GET', `${path}/${String(json.paymentId)}`);
    expect(gone.status).toBe(404);
    expect((await bank.ensure()).baseUrl).toBe(address.baseUrl);
  });
});

it('a start goes on with an address file that cannot be read', async () => {
  const stateDir = newState();
  const first = bankIn(stateDir);
  await first.ensure();
  await first.close();
  writeFileSync(join(stateDir, 'sandbox', 'address.json'), '{"port":');
  expect((await bankIn(stateDir).ensure()).embedded).toBe(true);
});
