import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { runInside } from './inside.ts';
import { shop } from './obk.ts';
import type { Ran } from './obk.ts';
import { oneError } from './one-error.ts';
import { startStandaloneBank } from './standalone-bank.ts';
import type { Payer, RunningBank } from './standalone-bank.ts';

/** A standalone bank that misbehaves on demand, and obk inside this process as its client; all output is JSON. */
export interface FaultyBank extends RunningBank {
  customer: Payer;
  /** Where obk runs; removed at the end. */
  folder: string;
  /** Runs obk with --json, as given. */
  ask(...args: string[]): Promise<Ran>;
  /** As `ask`, with the profile of this bank; throws unless it ends with 0, and gives the document. */
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- documents of every shape
  result(...args: string[]): Promise<any>;
  fault(operation: string, ...how: string[]): Promise<unknown>;
  init(amount: string, ...more: string[]): Promise<Ran>;
  pending(): Promise<Record<string, string>[]>;
  /** What is pending of a payment, in words. */
  pendingKinds(paymentId: string): Promise<(string | undefined)[]>;
}

export const sandbox = ['--profile', 'sandbox'];

/** The command of a payment at that bank. */
export const initArgs = (amount: string, ...more: string[]): string[] => [
  ...['payment', 'init', ...shop, ...sandbox, '--amount', amount],
  ...more,
];

/** Makes it an embedded payment that goes to its end by itself. */
export const embedded = [
  ...['--psu-id', 'embedded-choice', '--psu-password-from', 'env:PASSWORD'],
  ...['--sca-method', 'sms', '--otp-from', 'env:OTP'],
];

export async function startFaultyBank(): Promise<FaultyBank> {
  const bank = await startStandaloneBank();
  const customer = bank.payer();
  const folder = mkdtempSync(join(tmpdir(), 'obk-faults-'));
  const env = { ...bank.env, PASSWORD: customer.password, OTP: customer.otp };
  const ask = (...args: string[]) => runInside([...args, '--json'], { env, cwd: folder });
  const result: FaultyBank['result'] = async (...args) => {
    const { code, stdout, stderr } = await ask(...args, ...(args.includes('--profile') ? [] : sandbox));
    if (code !== 0) throw new Error(`obk ${args.join(' ')}: exit ${String(code)}\n${stderr}`);
    return JSON.parse(stdout);
  };
  const pending: FaultyBank['pending'] = () => result('pending', 'list');
  return {
    ...bank,
    customer,
    folder,
    ask,
    result,
    fault: (operation, ...how) => result('sandbox', 'fault', 'add', operation, ...how),
    init: (amount, ...more) => ask(...initArgs(amount, ...more)),
    pending,
    pendingKinds: async (paymentId) =>
      (await pending()).filter((row) => row['paymentId'] === paymentId).map(({ kind }) => kind),
    async close() {
      await bank.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** What stands on both streams where nobody knows what a request became. */
export function unknown(ran: Ran): { intent: string; requestId: string; next: string } {
  expect(ran.code, ran.stderr).toBe(12);
  const document = JSON.parse(ran.stdout) as Record<string, string>;
  for (const name of ['intent', 'requestId', 'next'])
    expect(document[name], name).toEqual(expect.any(String));
  const { intent = '', requestId = '', next = '' } = document;
  expect(oneError(ran)).toMatchObject({ code: 'OUTCOME_UNKNOWN', intent, requestId, next });
  return { intent, requestId, next };
}
