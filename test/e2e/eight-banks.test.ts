import type { ChildProcess } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { insideOf } from '../helpers/inside.ts';
import { createObkWithKeys, shop } from '../helpers/obk.ts';
import type { Obk, RunOptions } from '../helpers/obk.ts';
import { isWhole, ranTable } from '../helpers/trials.ts';

/** One file for all of them: without a name of their own, ids and secrets of the eight banks are the same. */
const config = `
people:
  - psuId: anna
    password: anna-secret
    otp: 012345
    approach: EMBEDDED
    methods: [{ id: sms, type: SMS_OTP }]
    accounts: [{ iban: DE02 1203 0000 0000 2020 51, balance: 1200.00 }]
consents:
  - { consentId: anna-reads, psuId: anna, access: { allPsd2: allAccounts }, frequencyPerDay: 1 }
`;
/** The eight in .ci/run; in `npm test` one of each kind. */
const numbers = isWhole ? [0, 1, 2, 3, 4, 5, 6, 7] : [0, 3, 7];
const names = numbers.map((at) => `suite-${String(at)}`);
const bound = 60_000;
let obk: Obk;
const banks: ChildProcess[] = [];

beforeAll(async () => {
  obk = await createObkWithKeys({
    PASSWORD: 'anna-secret',
    OTP: '012345',
    OBK_PSU_PASSWORD_FROM: 'env:PASSWORD',
    OBK_OTP_FROM: 'env:OTP',
  });
  writeFileSync(join(obk.folder, 'bank.yaml'), config);
  await Promise.all(
    names.map(
      (name) =>
        new Promise<void>((resolve, reject) => {
          const flags = ['--open', '--port', '0', '--config', 'bank.yaml', '--name', name, '--json'];
          const bank = obk.start(['sandbox', 'start', ...flags]);
          banks.push(bank);
          bank.stdout?.once('data', () => {
            resolve();
          });
          bank.once('exit', (code) => {
            reject(new Error(`the bank ${name} ended with ${String(code)}`));
          });
        }),
    ),
  );
}, 60_000);

afterAll(async () => {
  ranTable('eight banks of one home');
  await Promise.all(
    banks.map(async (bank) => {
      const ended = new Promise((resolve) => bank.once('exit', resolve));
      bank.kill('SIGTERM');
      if (bank.exitCode === null) await ended;
    }),
  );
  obk.close();
});

/** A test suite that knows its bank by a variable or, as the last ones do, by the profile. */
function suite(at: number) {
  const name = `suite-${String(at)}`;
  const byVariable = at < 6;
  const options: RunOptions = { bound, ...(byVariable && { env: { OBK_SANDBOX: name } }) };
  const words = (args: readonly string[]) => [
    ...args,
    ...(byVariable ? [] : ['--profile', `sandbox@${name}`]),
  ];
  // Two suites are processes, as their banks are; the other six share this one, where obk keeps nothing between runs either.
  const by = at % 7 === 0 ? obk : insideOf(obk);
  return {
    name,
    run: (...args: string[]) => by.run(words([...args, '--json']), options),
    json: (...args: string[]): Promise<unknown> => by.json(words(args), options),
  };
}

describe('eight test suites side by side, each with a bank of one home', () => {
  it('have payments, @last, intents and budgets of their own', { timeout: 120_000 }, async () => {
    const seen = await Promise.all(
      numbers.map(async (at) => {
        const { name, run, json } = suite(at);
        const amount = `${String(10 + at)}.00`;
        const pay = () =>
          json(
            ...['payment', 'init', ...shop, '--amount', amount, '--psu-id', 'anna', '--no-input'],
            ...['--debtor', 'DE02120300000000202051', '--intent-key', 'order-1'],
          ) as Promise<{ paymentId: string; transactionStatus: string }>;
        const { paymentId } = await pay();
        // The same key again is the same payment.
        const again = await pay();
        const last = (await json('payment', 'status', '@last')) as { transactionStatus: string };
        const listed = (await json('payment', 'list')) as { amount: string }[];
        const read = await run('accounts', '--consent', 'anna-reads', '--psu-id', 'anna');
        const over = await run('accounts', '--consent', 'anna-reads', '--psu-id', 'anna');
        const { profile } = (await json('whoami')) as { profile: string };
        const calls = (await insideOf(obk).json(['sandbox', 'log', '--at', name])) as {
          operation: string | null;
        }[];
        return {
          same: again.paymentId === paymentId,
          last: last.transactionStatus,
          amounts: listed.map((one) => one.amount),
          wanted: amount,
          read: read.code,
          over: /BUDGET_USED|used up/.test(over.stderr),
          profile,
          initiated: calls.filter(({ operation }) => operation === 'initiatePayment').length,
        };
      }),
    );
    expect(seen).toEqual(
      numbers.map((at) => ({
        same: true,
        last: 'ACSC',
        amounts: [`${String(10 + at)}.00`],
        wanted: `${String(10 + at)}.00`,
        read: 0,
        over: true,
        profile: `sandbox@suite-${String(at)}`,
        initiated: 1,
      })),
    );
  });

  it(
    'are nobody where none is addressed, and a name that nobody has is refused',
    { timeout: bound },
    async () => {
      for (const args of [['payment', 'list'], ['whoami'], ['payment', 'status', '@last']]) {
        expect(await insideOf(obk).run(args)).toMatchObject({
          code: 2,
          stderr: expect.stringContaining(
            `${String(names.length)} banks run here, and none is addressed.`,
          ) as string,
        });
        expect(await insideOf(obk).run([...args, '--profile', 'sandbox@nobody'])).toMatchObject({ code: 2 });
      }
    },
  );

  it('are listed as profiles', async () => {
    const profiles = (await insideOf(obk).json(['profile', 'list'])) as { name: string }[];
    expect(profiles.map(({ name }) => name)).toEqual(['sandbox', ...names.map((name) => `sandbox@${name}`)]);
  });
});
