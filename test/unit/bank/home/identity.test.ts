import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, request } from 'node:http';
import type { RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { createBank } from '../../../../src/bank/index.ts';
import { readAddress, whoAnswers } from '../../../../src/bank/home/bank-address.ts';

const cleanup: (() => unknown)[] = [];
afterEach(async () => {
  for (const step of cleanup.splice(0).reverse()) await step();
});

async function bankHere() {
  const stateDir = mkdtempSync(join(tmpdir(), 'obk-identity-'));
  cleanup.push(() => {
    rmSync(stateDir, { recursive: true, force: true });
  });
  const bank = createBank({ stateDir, clock: { now: () => new Date() } });
  cleanup.push(() => bank.close());
  await bank.ensure();
  const folder = join(stateDir, 'sandbox');
  const claim = { name: 'default', token: () => readFileSync(join(folder, 'admin-token'), 'utf8') };
  return { bank, stateDir, folder, claim, port: readAddress(folder).port ?? 0 };
}

async function impostor(answer: RequestListener): Promise<number> {
  const server = createServer(answer);
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  cleanup.push(() => new Promise((resolve) => server.close(resolve)));
  return (server.address() as AddressInfo).port;
}

const identity = (port: number, path: string) =>
  new Promise<string>((resolve, reject) => {
    request({ port, host: '127.0.0.1', path, agent: false }, (incoming) => {
      let text = '';
      incoming.on('data', (chunk: Buffer) => (text += chunk.toString()));
      incoming.on('end', () => {
        resolve(text);
      });
    })
      .on('error', reject)
      .end();
  });

it('a bank proves who it is', async () => {
  const { port, claim } = await bankHere();
  expect(await whoAnswers(port, claim)).toEqual({ who: 'ours', pid: process.pid, idleMs: null });
  expect(await whoAnswers(port, { ...claim, name: 'another' })).toEqual({ who: 'other' });
  expect(await whoAnswers(port, { ...claim, token: () => 'another' })).toEqual({ who: 'other' });
  expect(await whoAnswers(port, { ...claim, token: () => undefined })).toEqual({ who: 'other' });
});

it('nobody else can repeat the proof of a bank', async () => {
  const { port, claim } = await bankHere();
  const told = await identity(port, '/sandbox/identity?nonce=00');
  const other = await impostor((_, outgoing) => outgoing.end(told));
  expect(await whoAnswers(other, claim)).toEqual({ who: 'other' });
});

it('nobody else can pass on the proof of a bank', async () => {
  const { port, claim } = await bankHere();
  const other = await impostor(
    (incoming, outgoing) => void identity(port, incoming.url ?? '').then((text) => outgoing.end(text)),
  );
  expect(await whoAnswers(other, claim)).toEqual({ who: 'other' });
});

it('each bank has a secret of its own', async () => {
  const { bank, stateDir, claim } = await bankHere();
  const first = claim.token();
  await bank.close();
  const second = createBank({ stateDir, clock: { now: () => new Date() } });
  cleanup.push(() => second.close());
  await second.ensure();
  expect(claim.token()).not.toBe(first);
});
