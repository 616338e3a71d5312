import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { har as validate } from 'har-validator';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { shop } from '../helpers/obk.ts';
import { startStandaloneBank } from '../helpers/standalone-bank.ts';
import type { RunningBank } from '../helpers/standalone-bank.ts';

let bank: RunningBank;
const json = (...args: string[]) =>
  JSON.parse(bank.obk(...args, '--profile', 'sandbox', '--json')) as unknown;

beforeAll(async () => {
  bank = await startStandaloneBank();
}, 60_000);
afterAll(() => bank.close());

it('gives a curl command that gets what obk got, and HAR of the same', async () => {
  const { paymentId } = json('payment', 'init', ...shop, '--amount', '1.00', '--psu-id', 'redirect') as {
    paymentId: string;
  };
  const { transactionStatus } = json('payment', 'status', paymentId) as { transactionStatus: string };
  const [line] = json('log', 'curl', '@last') as { operation: string; curl: string }[];
  expect(line?.operation).toBe('getPaymentInitiationStatus');
  const { stdout } = await promisify(execFile)('bash', ['-c', `${line!.curl} --silent`], {
    env: { PATH: process.env['PATH'] },
    timeout: 10_000,
  });
  expect(JSON.parse(stdout)).toMatchObject({ transactionStatus });
  const har = json('log', 'har', paymentId) as { log: { entries: { response: { status: number } }[] } };
  await validate(har);
  expect(har.log.entries.map(({ response }) => response.status)).toEqual([201, 200]);
});
