import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CommandDescription, CommandTree } from '../../../src/commands/commands.ts';
import { schemas } from '../../../src/commands/schemas.ts';
import { startBank } from '../../helpers/bank.ts';
import type { TestBank } from '../../helpers/bank.ts';
import { runInside } from '../../helpers/inside.ts';

const folder = mkdtempSync(join(tmpdir(), 'obk-commands-'));
let bank: TestBank;
let env: NodeJS.ProcessEnv;
let described: Described;

type Described = Omit<CommandTree, 'commands'> & {
  commands: (CommandDescription & {
    questions: { flag: string; variable: string }[];
    output: string | null;
  })[];
  schemas: Record<string, object>;
  exitCodes: { code: number }[];
};

beforeAll(async () => {
  bank = await startBank();
  env = {
    ...process.env,
    OBK_STATE_DIR: bank.stateDir,
    OBK_CONFIG_DIR: join(folder, 'config'),
    OBK_PROFILE: 'sandbox',
  };
  const { code, stdout } = await obk(['commands', '--json']);
  expect(code).toBe(0);
  described = JSON.parse(stdout) as Described;
  await access();
});
afterAll(() => bank.close());

const obk = (args: readonly string[], more: Record<string, string> = {}) =>
  runInside(args, { env: { ...env, ...more }, cwd: folder });

const command = (path: string) => described.commands.find((one) => one.command === path)!;
const flag = (path: string, name: string) => command(path).flags.find((one) => one.name === name)!;

/** A payment, and a consent that accounts are read with. */
async function access() {
  const payer = bank.person('embedded-choice');
  const secrets = { PASSWORD: payer.password, OTP: payer.otp };
  const psu = ['--psu-id', payer.psuId, '--sca-method', 'sms'];
  const answers = ['--psu-password-from', 'env:PASSWORD', '--otp-from', 'env:OTP'];
  const created = await obk(['consent', 'create', '--all-psd2', '--recurring', ...psu, ...answers], secrets);
  expect(created.code, created.stderr).toBe(0);
}

const order = [
  ...['--product', 'sepa-credit-transfers', '--creditor-account', 'DE89370400440532013000'],
  ...['--creditor-name', 'Shop', '--amount', '1.00'],
];

/** Compiled strictly, so that a schema with a misspelt keyword is refused. */
function problems(name: string, value: unknown): string {
  const ajv = new Ajv2020({ allErrors: true, strict: true, strictRequired: true, allowUnionTypes: true });
  const valid = ajv.validate(described.schemas[name]!, value);
  return valid ? '' : ajv.errorsText();
}

describe('the JSON Schemas', () => {
  it.each([
    { line: ['payment', 'init', ...order], exit: 0 },
    { line: ['payment', 'authorise', '@last'], exit: 8 },
    { line: ['payment', 'status', '@last'], exit: 0 },
    { line: ['payment', 'get', '@last'], exit: 0 },
    { line: ['payment', 'list'], exit: 0 },
    { line: ['pending', 'list'], exit: 0 },
    { line: ['sca', 'status', '@last'], exit: 0 },
    { line: ['payment', 'cancel', '@last', '--yes'], exit: 0 },
    { line: ['consent', 'get', '@last'], exit: 0 },
    { line: ['consent', 'status', '@last'], exit: 0 },
    { line: ['consent', 'list'], exit: 0 },
    { line: ['accounts', 'list'], exit: 0 },
    { line: ['transactions', 'list', '--account', 'DE65990010000000002443', '--all'], exit: 0 },
    { line: ['consent', 'create', '--all-psd2', '--psu-id', 'redirect'], exit: 0 },
    { line: ['profile', 'show', 'sandbox'], exit: 0 },
    { line: ['profile', 'list'], exit: 0 },
    { line: ['explain', 'ACSC'], exit: 0 },
    { line: ['explain'], exit: 0 },
    { line: ['version'], exit: 0 },
  ])('describe what $line.0 $line.1 prints', async ({ line, exit }) => {
    const { code, stdout, stderr } = await obk([...line, '--json']);
    expect(code, stderr).toBe(exit);
    const { output } = described.commands.find(({ command: path }) =>
      `${line.join(' ')} `.startsWith(`${path} `),
    )!;
    const printed = JSON.parse(stdout) as unknown;
    // A list without a row proves nothing of its rows.
    if (Array.isArray(printed)) expect(printed).not.toHaveLength(0);
    expect(problems(output ?? 'none', printed)).toBe('');
  });

  it.each([
    { line: ['payment', 'init', '--product', 'sepa-credit-transfers'], exit: 2 },
    { line: ['payment', 'gett'], exit: 2 },
    { line: ['profile', 'show', 'acme'], exit: 3 },
    { line: ['accounts', 'list', '--consent', 'none-such'], exit: 4 },
    { line: ['payment', 'get', 'none', '--product', 'sepa-credit-transfers'], exit: 5 },
    { line: ['api', 'GET', 'v1/consents/x/status'], exit: 4 },
  ])('describe how $line.0 $line.1 fails with $exit', async ({ line, exit }) => {
    const { code, stdout, stderr } = await obk([...line, '--json']);
    expect({ code, stdout }, stderr).toEqual({ code: exit, stdout: '' });
    const error = stderr.split('\n').find((text) => text.startsWith('{'))!;
    expect(problems('error', JSON.parse(error))).toBe('');
  });

  it('describe the failure after which nothing is known', async () => {
    bank.fault({ operation: 'initiatePayment', kind: 'drop-after-commit' });
    const { code, stderr } = await obk(['payment', 'init', ...order, '--allow-duplicate', '--json']);
    expect(code, stderr).toBe(12);
    expect(problems('error', JSON.parse(stderr))).toBe('');
    expect(problems('pending', JSON.parse((await obk(['pending', 'list', '--json'])).stdout))).toBe('');
  });

  it('refuse what lacks a member or has one of another kind', () => {
    const row = { position: 1, amount: '1.00' };
    expect(problems('transactions', [row])).toBe('');
    expect(problems('transactions', [{ amount: '1.00' }])).toMatch(/position/);
    expect(problems('transactions', [{ ...row, amount: 1 }])).toMatch(/amount/);
  });

  it('are all printed, and each command names one that exists', () => {
    expect(Object.keys(described.schemas)).toEqual(Object.keys(schemas));
    for (const { output } of described.commands) {
      if (output !== null) expect(described.schemas).toHaveProperty(output);
    }
  });
});

describe('the tree for machines', () => {
  it('has the words, flags and values of a command', () => {
    expect(command('payment init')).toMatchObject({ exitCodes: expect.arrayContaining([0, 2, 9, 12]) });
    expect(flag('payment init', '--service')).toMatchObject({
      value: 'S',
      valueRequired: true,
      choices: ['payments', 'bulk-payments', 'periodic-payments'],
      repeatable: false,
    });
    expect(flag('api', '--header')).toMatchObject({ short: '-H', repeatable: true });
    expect(flag('payment status', '--watch')).toMatchObject({ value: null, choices: null });
    expect(described.globalFlags.find(({ name }) => name === '--as')!.choices).toContain('csv');
    expect(described.nouns).toContainEqual({
      noun: 'accounts',
      summary: 'Accounts and their balances',
      verb: 'list',
    });
  });

  it('names the variables that answer the questions', () => {
    expect(command('payment init').questions).toContainEqual({
      id: 'amount',
      flag: '--amount',
      variable: 'OBK_AMOUNT',
    });
    for (const { command: path, questions, flags } of described.commands) {
      for (const question of questions) {
        expect(
          flags.map(({ name }) => name),
          path,
        ).toContain(question.flag);
      }
    }
  });

  it('says that a flag may be given several times wherever its description does', () => {
    const all = [...described.globalFlags, ...described.commands.flatMap(({ flags }) => flags)];
    const said = all.filter(({ description }) => description.includes('(several)'));
    expect(said.filter(({ repeatable }) => !repeatable).map(({ name }) => name)).toEqual([]);
    expect(said.length).toBeGreaterThan(5);
  });

  it('is a plain list of commands for a person', async () => {
    const { stdout } = await obk(['commands']);
    expect(stdout).toMatch(/^payment init +Start a payment/m);
    const names = (await obk(['commands', '-o', 'name'])).stdout.trim().split('\n');
    expect(names).toEqual(described.commands.map((one) => one.command));
  });
});
