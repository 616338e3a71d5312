import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { har as validate } from 'har-validator';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { shop } from '../helpers/obk.ts';
import { hasPrograms } from '../helpers/programs.ts';
import { startStandaloneBank } from '../helpers/standalone-bank.ts';
import type { RunningBank } from '../helpers/standalone-bank.ts';

let bank: RunningBank;
const json = (...args: string[]) =>
  JSON.parse(bank.obk(...args, '--profile', 'sandbox', '--json')) as unknown;

beforeAll(async () => {
  bank = await startStandaloneBank();
}, 60_000);
afterAll(() => bank.close());

/** A payment that was made, and its status that was read. */
function read() {
  const made = json(
    'payment',
    'init',
    ...shop,
    '--amount',
    '1.00',
    '--psu-id',
    'redirect',
    '--allow-duplicate',
  );
  const { paymentId } = made as { paymentId: string };
  const { transactionStatus } = json('payment', 'status', paymentId) as { transactionStatus: string };
  return { paymentId, transactionStatus };
}

it.skipIf(!hasPrograms('curl'))('gives a command for curl that gets what obk got', async () => {
  const { transactionStatus } = read();
  const [line] = json('log', 'curl', '@last') as { operation: string; curl: string }[];
  expect(line?.operation).toBe('getPaymentInitiationStatus');
  const { stdout } = await promisify(execFile)('bash', ['-c', `${line!.curl} --silent`], {
    env: { PATH: process.env['PATH'] },
    timeout: 10_000,
  });
  expect(JSON.parse(stdout)).toMatchObject({ transactionStatus });
});

it('gives HAR of what was sent and answered', async () => {
  const { paymentId } = read();
  const har = json('log', 'har', paymentId) as { log: { entries: { response: { status: number } }[] } };
  await validate(har);
  expect(har.log.entries.map(({ response }) => response.status)).toEqual([201, 200]);
});
