import { describe, expect, it } from 'vitest';
import { ago, grouped, prefixesOf, shortIds } from '../../../../../src/cli/commands/output/for-person.ts';
import type { SavedResource } from '../../../../../src/settings/records/resources.ts';
import { fakeClock } from '../../../../helpers/fakes/index.ts';
import { sink } from '../../../../helpers/program.ts';
import { consentOf, iban } from '../../../client/reader.ts';
import { accountBank } from '../account-bank.ts';

const shown = (ids: readonly string[]) => ids.map((id) => prefixesOf(ids)(id, {}));

describe('a short id', () => {
  it('has eight characters, and as many more as tell it from every other', () => {
    const ids = ['3f2a9c1e-77aa', '3f2a9c1e-88bb', '9b000000-0000', 'pay-1', 'pay-12'];
    expect(shown(ids)).toEqual(['3f2a9c1e-7', '3f2a9c1e-8', '9b000000', 'pay-1', 'pay-12']);
  });

  it('is whole where another id begins with it, and where it is not one of those that are looked up', () => {
    expect(shown(['payment-0001', 'payment-00012'])).toEqual(['payment-0001', 'payment-00012']);
    expect(prefixesOf([])('3f2a9c1e-77aa', {})).toBe('3f2a9c1e-77aa');
  });

  it('begins no other id, whatever the ids are', () => {
    const ids = Array.from(
      { length: 500 },
      (_, at) => `${(at * 7919).toString(36)}-${'x'.repeat(at % 9)}${String(at)}`,
    );
    for (const [at, short] of shown(ids).entries())
      expect(ids.filter((id) => id.startsWith(short) && (id === short || short !== ids[at]))).toEqual([
        ids[at],
      ]);
  });

  it('is whole where the ids of a profile cannot be told without reading them', async () => {
    const { store, ...ports } = await accountBank();
    const there = { ...ports, resources: { ...store.resources, ids: () => Promise.resolve(undefined) } };
    const terminal = { stdout: sink({ isTTY: true }) };
    expect((await shortIds({ ports: there, process: terminal } as never, 'acme'))('3f2a9c1e-77aa', {})).toBe(
      '3f2a9c1e-77aa',
    );
  });
});

it('an instant is shown by how long ago it was', () => {
  const clock = fakeClock();
  const at = (ms: number) => ago({ clock })(new Date(clock.now().getTime() - ms).toISOString(), {});
  expect([at(0), at(59_000), at(60_000), at(7_300_000), at(90_000_000)]).toEqual([
    ...['0 s ago', '59 s ago', '1 min ago', '2 h ago', '1 d ago'],
  ]);
  expect(at(40 * 86_400_000)).toMatch(/^\d{4}-\d\d-\d\d$/);
  expect(at(-7_300_000)).toBe('in 2 h');
  expect(ago({ clock })('2026-11-20', {})).toBe('2026-11-20');
});

it('an IBAN is shown in groups of four, and nothing else is', () => {
  expect(grouped(iban, {})).toBe('DE89 3704 0044 0532 0130 00');
  expect(grouped('DE89370400440532013001', {})).toBe('DE89370400440532013001');
  expect(grouped('123456', {})).toBe('123456');
});

describe('a list at a terminal', () => {
  const id = (at: number) => `3f2a9c1e-${String(at).padStart(4, '0')}-4aaa-8bbb-${'c'.repeat(12)}`;
  const payment = (at: number): SavedResource => {
    const { consent: _, ...rest } = consentOf();
    return {
      ...rest,
      noun: 'payment',
      id: id(at),
      status: 'RCVD',
      service: 'payments',
      product: 'sepa-credit-transfers',
      summary: {
        amount: '1234567.89',
        currency: 'EUR',
        creditorName: 'A very long name of a payee',
        creditorAccount: iban,
      },
    };
  };

  it.each([40, 60, 80, 120, 200])(
    'in %i columns cuts no id, and its ids work when given back',
    async (columns) => {
      const bank = await accountBank();
      for (const at of [1, 2, 1003]) await bank.store.resources.save(payment(at));
      const stdout = sink({ isTTY: true, columns });
      const { code } = await bank.run(['payment', 'list'], {}, stdout);
      expect(code).toBe(0);
      const [title = '', ...rows] = stdout.text().trimEnd().split('\n');
      expect(title).toContain('PAYMENT');
      expect(rows).toHaveLength(3);
      if (columns >= 60) for (const row of rows) expect(row.length).toBeLessThanOrEqual(columns);
      for (const row of rows) {
        expect(row).toContain('1234567.89');
        const short = row.split(' ')[0] ?? '';
        expect(short.length).toBeLessThan(20);
        bank.http.expect(
          'GET',
          `/v1/payments/sepa-credit-transfers/${id([1, 2, 1003].find((at) => id(at).startsWith(short)) ?? 0)}/status`,
          {
            body: { transactionStatus: 'RCVD' },
          },
        );
        expect((await bank.run(['payment', 'status', short])).code).toBe(0);
      }
    },
  );

  it('elsewhere is exact', async () => {
    const bank = await accountBank();
    await bank.store.resources.save(payment(1));
    for (const format of [[], ['-o', 'csv'], ['-o', 'tsv'], ['--json'], ['-o', 'name'], ['-o', 'table']]) {
      const { stdout } = await bank.run(['payment', 'list', ...format]);
      expect(stdout).toContain(id(1));
    }
    const wide = sink({ isTTY: true, columns: 80 });
    await bank.run(['payment', 'list', '-o', 'wide'], {}, wide);
    expect(wide.text()).toContain(id(1));
  });

  it.each([60, 80, 120])(
    'of accounts in %i columns has each IBAN whole, and takes it with its blanks',
    async (columns) => {
      const bank = await accountBank();
      const accounts = {
        body: {
          accounts: [
            {
              resourceId: id(1),
              iban,
              currency: 'EUR',
              name: 'Household account',
              product: 'Current account plus',
            },
          ],
        },
      };
      bank.http.expect('GET', '/v1/accounts', accounts);
      const stdout = sink({ isTTY: true, columns });
      await bank.run(['accounts', 'list'], {}, stdout);
      const row = stdout.text().trimEnd().split('\n')[1] ?? '';
      expect(row).toContain('DE89 3704 0044 0532 0130 00');
      expect(row.length).toBeLessThanOrEqual(columns);
      bank.http.expect('GET', `/v1/accounts/${id(1)}/balances`, { body: { balances: [] } });
      const read = await bank.run(['accounts', 'balances', 'DE89 3704 0044 0532 0130 00']);
      expect(read.stderr).not.toContain('INPUT');
      expect(read.code).toBe(0);
    },
  );

  it('of consents says which was used up', async () => {
    const bank = await accountBank({ consent: { recurring: false, frequency: 1 } });
    const list = async () => {
      const stdout = sink({ isTTY: true, columns: 80 });
      await bank.run(['consent', 'list'], {}, stdout);
      return stdout.text();
    };
    expect(await list()).not.toContain('used up');
    await bank.usage.update(JSON.stringify(['consent', 'acme', 'con-1']), () => [
      { at: bank.clock.now().getTime(), what: 'getAccountList: earlier-run 1' },
    ]);
    expect(await list()).toContain('valid, used up');
  });
});
