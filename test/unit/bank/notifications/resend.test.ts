import { mkdtempSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openBankHome } from '../../../../src/bank/home/bank-home.ts';
import { createBank } from '../../../helpers/steered-bank.ts';
import { notePush } from '../../../../src/bank/notifications/pushes.ts';

it('a notification is repeated by a bank that was not running', async () => {
  const arrived: string[] = [];
  const listener = createServer((incoming, outgoing) => {
    incoming.on('data', (chunk: Buffer) => arrived.push(chunk.toString()));
    incoming.on('end', () => outgoing.writeHead(200).end());
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => listener.once('listening', resolve));
  const settings = {
    stateDir: mkdtempSync(join(tmpdir(), 'obk-resend-')),
    clock: { now: () => new Date() },
    warn: () => undefined,
  };
  const uri = `http://127.0.0.1:${String((listener.address() as AddressInfo).port)}/`;
  const house = openBankHome(settings);
  notePush(
    house.ledger().log,
    { resourceId: 'pay-1', uri, requestId: 'r', body: '{"paymentId":"pay-1"}' },
    new Date(),
  );
  house.close();
  const bank = createBank(settings);
  try {
    expect(await bank.status()).toEqual([]);
    expect(await bank.resend('pay-1')).toEqual({ resent: 1 });
    await expect.poll(() => arrived).toEqual(['{"paymentId":"pay-1"}']);
    await expect(bank.resend('pay-2')).rejects.toMatchObject({ code: 'USAGE' });
  } finally {
    await bank.close();
    listener.close();
  }
});
