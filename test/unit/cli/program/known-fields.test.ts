import { describe, expect, it } from 'vitest';
import { tree } from '../../../../src/cli/commands/catalogue/tree.ts';
import { documentOf } from '../../../../src/cli/commands/schemas/schemas.ts';
import type { RowsOutcome } from '../../../../src/cli/outcome.ts';
import { seeking, soughtFields } from '../../../../src/cli/program/known-fields.ts';
import { load } from '../../../../src/cli/program/load.ts';
import { accountBank } from '../commands/account-bank.ts';
import { program } from '../../../helpers/program.ts';

const words = (command: string) => command.split(' ');
const sought = async (command: string, field: string) =>
  soughtFields(await load(words(command)), [field], {})?.fields;

describe('a name in --fields', () => {
  it.each([
    ['payment list', 'nonsense', /not "nonsense"[^]*paymentId, createdAt/],
    ['payment list', 'paymentID', /--fields paymentId/],
    ['payment init', 'sca.approch', /sca has of, approach[^]*--fields sca\.approach/],
    ['payment init', 'amount.value', /amount has no members/],
    ['transactions list', 'amout', /--fields amount/],
    ['journey run', 'journeys.steps.nme', /--fields journeys\.steps\.name/],
    ['consent list', 'access.accounts.ibn.x', /access\.accounts\.ibn/],
    ['payment status', 'transactionStatus.x', /transactionStatus has no members/],
  ])('%s --fields %s is refused before anything is done', async (command, field, words) => {
    const { code, stdout, stderr } = await program(
      `${command} x --fields ${field}`.replace(/(list|init) x/, '$1'),
    );
    expect([code, stdout]).toEqual([2, '']);
    const { error } = JSON.parse(stderr) as {
      error: Record<'title' | 'detail', string> & { hint: string[] };
    };
    expect([error.title, error.detail, ...error.hint].join('\n')).toMatch(words);
  });

  it('is taken where a schema has it, whatever stands below', async () => {
    for (const { path } of tree.filter((entry) => entry.load !== undefined)) {
      const loaded = await load(words(path));
      const { schema } = loaded.page.prints ?? documentOf(path) ?? {};
      const members = Object.keys(schema?.items?.properties ?? schema?.properties ?? {});
      for (const member of members)
        expect(soughtFields(loaded, [member], {})?.fields, `${path} ${member}`).toEqual([]);
    }
  });

  it.each([
    ['accounts list', 'ownerName'],
    ['accounts list', 'balances.balanceAmount.amount'],
    ['accounts list', '_links.transactions.href'],
    ['cards list', 'creditLimit.amount'],
    ['accounts balances', 'creditLimitIncluded'],
    ['payment get', 'payments.creditorName'],
    ['consent get', 'lastActionDate'],
    ['transactions get', 'bankTransactionCode'],
    ['sca methods', 'authenticationVersion'],
    ['consent list', 'access.availableAccounts'],
  ])('%s --fields %s is known by the framework', async (command, field) => {
    expect(await sought(command, field)).toEqual([]);
  });

  it.each([
    ['accounts list', 'x-rating'],
    ['consent get', 'bankOwn.words'],
    ['explain', 'facts.since'],
  ])('%s --fields %s is looked for in what comes', async (command, field) => {
    expect(await sought(command, field)).toEqual([field]);
  });

  it('of flags that change the document is one of it', async () => {
    const [list, init] = [await load(words('payment list')), await load(words('payment init'))];
    expect(soughtFields(list, ['url'], { dryRun: true })?.fields).toEqual([]);
    expect(soughtFields(init, ['_obk'], { meta: true })?.fields).toEqual([]);
    expect(() => soughtFields(init, ['_obk'], {})).toThrow('not "_obk"');
    expect(await sought('accounts list', 'consentId')).toEqual([]);
  });
});

describe('a name that only the bank may know', () => {
  const rows = (...all: object[]): RowsOutcome => ({
    ...{ kind: 'rows', columns: [], nameKey: 'iban', empty: 'None.' },
    rows: (async function* () {
      for (const one of all) yield await Promise.resolve([one as never]);
    })(),
  });
  const of = async (...fields: string[]) => {
    const found = soughtFields(await load(words('accounts list')), fields, {});
    if (found === undefined) throw new Error('accounts have a schema');
    return found;
  };
  const seen = async (outcome: RowsOutcome, ...fields: string[]) => {
    const all: unknown[] = [];
    const through = seeking(outcome, await of(...fields)) as RowsOutcome;
    for await (const row of through.rows) all.push(row);
    return all.length;
  };

  it('is there if one row has it, however deep, and be it null', async () => {
    expect(await seen(rows({ a: 1 }, { rating: { moodys: null } }), 'rating.moodys')).toBe(2);
    expect(await seen(rows({ list: [{ x: 1 }] }), 'list.x')).toBe(1);
  });

  it('is refused once every row has passed without it, and where there is no row', async () => {
    await expect(seen(rows({ a: 1 }, { rating: {} }), 'a', 'rating.moodys')).rejects.toThrow('rating.moodys');
    await expect(seen(rows(), 'rating')).rejects.toMatchObject({
      detail: expect.stringContaining('resourceId, iban'),
    });
  });

  it('is looked for in an answer before it is printed, and not at an end other than 0', async () => {
    const rating = await of('rating');
    const whole = { kind: 'data', data: { iban: 'x' }, text: () => '' } as const;
    expect(() => seeking(whole, rating)).toThrow('not "rating"');
    expect(seeking({ ...whole, exit: 8 }, rating)).toMatchObject({ data: { iban: 'x' } });
  });
});

it('a list of accounts is printed with what this bank adds, and ends with exit 2 at a name that none has', async () => {
  const bank = await accountBank();
  const body = {
    accounts: [{ resourceId: 'a', iban: 'DE89370400440532013000', currency: 'EUR', rating: 7 }],
  };
  bank.http.expect('GET', '/v1/accounts', { body }).expect('GET', '/v1/accounts', { body });
  const taken = await program('accounts list --fields iban,rating,ownerName', { ports: bank });
  expect([taken.code, taken.stderr]).toEqual([0, '']);
  expect(taken.stdout).toBe('[{"iban":"DE89370400440532013000","rating":7,"ownerName":null}]\n');
  const refused = await program('accounts list --fields iban,nonsense', { ports: bank });
  expect(refused.code).toBe(2);
  expect(refused.stderr).toContain('not \\"nonsense\\"');
});
