import { beforeAll, describe, expect, it } from 'vitest';
import { explanations } from '../../../../src/standard/xs2a/explain.ts';
import { program } from '../../../helpers/program.ts';
import type { Published } from './walk/published.ts';

let described: Published;

beforeAll(async () => {
  const { code, stdout } = await program('commands --json');
  expect(code).toBe(0);
  described = JSON.parse(stdout) as Published;
});

const command = (path: string) => described.commands.find((one) => one.command === path)!;
const flag = (path: string, name: string) => command(path).flags.find((one) => one.name === name)!;

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

  it('has every flag that an explanation names', () => {
    const all = [...described.globalFlags, ...described.commands.flatMap(({ flags }) => flags)];
    const known = new Set(['--help', ...all.map(({ name }) => name)]);
    const named = explanations.flatMap(
      ({ meaning, advice }) => `${meaning} ${advice}`.match(/--[a-z-]+/g) ?? [],
    );
    expect(named.length).toBeGreaterThan(20);
    expect(named.filter((one) => !known.has(one))).toEqual([]);
  });

  it('has the values of a positional, as the schema of what is printed has them', () => {
    const [operation, kind] = command('sandbox fault add').arguments;
    expect(kind?.choices).toContain('drop-after-commit');
    expect(described.schemas['fault']).toMatchObject({ properties: { kind: { enum: kind?.choices } } });
    expect(operation?.choices).toContain('initiatePayment');
  });

  it('has a help that names each argument once', async () => {
    const withArguments = described.commands.filter(({ arguments: all }) => all.length > 0);
    expect(withArguments.length).toBeGreaterThan(20);
    const helps = await Promise.all(
      withArguments.map(async ({ command: path }) => (await program(`${path} --help`)).stdout),
    );
    const usages = helps.map((help) => (/USAGE\n([^]*?)\n\n/.exec(help)?.[1] ?? '').replace(/\s+/g, ' '));
    expect(usages.filter((usage) => / (\S*[A-Z]\S*) (?:.* )?\1 /.test(usage))).toEqual([]);
    expect(usages).toContain(' obk journey diff A [B] [flags]');
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
    const { stdout } = await program('commands');
    expect(stdout).toMatch(/^payment init +Start a payment/m);
    const names = (await program('commands -o name')).stdout.trim().split('\n');
    expect(names).toEqual(described.commands.map((one) => one.command));
  });
});
