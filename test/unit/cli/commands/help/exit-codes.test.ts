// Every exit code by a command line that ends with it.
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { exitCodes, ObkError } from '../../../../../src/base/errors.ts';
import { oneError } from '../../../../helpers/one-error.ts';
import { judgeOf } from '../walk/published.ts';
import type { Judge } from '../walk/published.ts';
import { order, split, startWalk } from '../walk/walk.ts';
import type { Walk } from '../walk/walk.ts';
import { exitMeanings } from '../../../../../src/cli/commands/output/exit-meanings.ts';

let walk: Walk;
let problems: Judge;
beforeAll(async () => {
  walk = await startWalk();
  problems = judgeOf(await walk.json('commands'));
});
afterEach(() => walk.run(['sandbox', 'fault', 'clear']));
afterAll(() => walk.close());

/** The next requests of this operation go wrong; a read is tried again. */
const faulty = (operation: string, fault: object) => {
  walk.bank.fault({ operation, kind: 'status', ...fault });
};

const status = async () => `payment status ${await walk.payment()}`;

async function refused(): Promise<string> {
  const id = await walk.payment();
  walk.bank.decide('refuse', id);
  return `payment authorise ${id}`;
}

/** The name of each code, the line that reaches it, and the schema of what stands on stdout then. */
const ways: Record<keyof typeof exitCodes, { line: () => string | Promise<string>; schema?: string }> = {
  ok: { line: () => 'version', schema: 'version' },
  internal: { line: () => 'version --output none/version.json' },
  usage: { line: () => 'payment init' },
  config: { line: () => 'payment list --profile none-such' },
  authNeeded: { line: () => 'accounts list --consent none-such' },
  rejected: { line: () => 'payment get none-such --product sepa-credit-transfers' },
  bankError: {
    line: () => {
      faulty('getPaymentInitiationStatus', { status: 500, count: 9 });
      return status();
    },
  },
  notSent: {
    line: async () => {
      const down = '--base-url http://127.0.0.1:9 --signing none --psu-ip 192.0.2.1';
      await walk.json(`profile create down ${down} --debtor DE89370400440532013000`);
      return `payment init ${order} --profile down`;
    },
  },
  pending: {
    line: async () => `${await status()} --until ACSC --timeout 50ms --interval 10ms`,
    schema: 'paymentStatus',
  },
  declined: { line: refused, schema: 'payment' },
  expectation: { line: () => 'version --expect version=none', schema: 'version' },
  throttled: {
    line: () => {
      faulty('getPaymentInitiationStatus', { status: 429, count: 9 });
      return status();
    },
  },
  unknown: {
    line: () => {
      faulty('initiatePayment', { kind: 'drop-after-commit' });
      return `payment init ${order} --allow-duplicate`;
    },
    schema: 'resource',
  },
  interrupted: { line: async () => `${await status()} --watch` },
  terminated: { line: async () => `${await status()} --watch` },
};

/** What the edge of the process does at a signal; that it does so is tested with real ones. */
const signals: Partial<Record<keyof typeof exitCodes, AbortSignal>> = {
  interrupted: AbortSignal.abort(new ObkError({ code: 'INTERRUPTED', title: 'Stopped by Ctrl-C.' })),
  terminated: AbortSignal.abort(new ObkError({ code: 'TERMINATED', title: 'Stopped by SIGTERM.' })),
};

it.each(Object.entries(exitCodes).map(([name, code]) => [code, name as keyof typeof exitCodes] as const))(
  '%i is reached: %s',
  async (code, name) => {
    const { line, schema } = ways[name];
    const typed = split(await line());
    const signal = signals[name];
    const ran = await walk.run([...typed, '--json'], signal === undefined ? {} : { signal });
    expect(ran.code, `obk ${typed.join(' ')}\n${ran.stderr}`).toBe(code);
    if (schema === undefined) expect(ran.stdout).toBe('');
    else expect(problems(schema, JSON.parse(ran.stdout))).toBe('');
    if (schema === undefined || name === 'unknown')
      expect(problems('error', { error: oneError(ran) })).toBe('');
  },
);

it('all of them are documented', async () => {
  const documented = (await walk.json('help exit-codes')) as { code: number }[];
  expect(documented.map(({ code }) => code)).toEqual(Object.values(exitCodes));
  expect(exitMeanings.map(({ code }) => code)).toEqual(Object.values(exitCodes));
});
