import { afterAll, describe, expect, it } from 'vitest';
import { atBank } from '../../helpers/bank-settings.ts';
import { payShop } from '../../helpers/obk.ts';
import { typedBank } from '../../helpers/typed-bank.ts';
import type { RunningBank } from '../../helpers/typed-bank.ts';

const pay = [...payShop, '--psu-id', 'anna'];
const operators = ['config', 'set', 'requestIdSemantics', 'replay'];

/** A bank that keeps a payment by its X-Request-ID, and whose first answer nobody can use. */
async function forgetful(first = 500): Promise<RunningBank & { made: Map<string, string> }> {
  const made = new Map<string, string>();
  const bank = await typedBank(({ method, headers, body }) => {
    if (method !== 'POST') return [200, { transactionStatus: 'ACSC' }];
    const id = headers['x-request-id'] ?? '';
    const known = made.get(id);
    if (known !== undefined && known !== body)
      return [400, { tppMessages: [{ category: 'ERROR', code: 'FORMAT_ERROR' }] }];
    made.set(id, body);
    const href = 'https://login.bank.example/p';
    if (known === undefined && made.size === 1 && first !== 201) return [first, ''];
    return [201, { transactionStatus: 'RCVD', paymentId: 'p-1', _links: { scaRedirect: { href } } }];
  });
  return Object.assign(bank, { made });
}

const banks: RunningBank[] = [];
afterAll(() => Promise.all(banks.map((bank) => bank.close())));
const posts = (bank: RunningBank) => bank.asked.filter(({ method }) => method === 'POST');

describe('a request that is sent once more unchanged', () => {
  it('has the same bytes and id where the operator allows it, and makes one payment', async () => {
    const bank = await forgetful();
    banks.push(bank);
    const lost = await atBank(bank, {}, [operators, pay]);
    expect(lost.code, lost.stderr).toBe(12);
    const id = /pending show (\w+)/.exec(lost.stderr)?.[1] ?? '';
    const again = await atBank(bank, {}, [['pending', 'resolve', id, '--replay', '--yes']], {
      name: lost.name,
    });
    expect(again.code, again.stderr).toBe(0);
    expect(again.stdout).toContain('p-1');
    const [first, second, ...more] = posts(bank);
    expect(more).toEqual([]);
    for (const part of ['path', 'body'] as const) expect(second?.[part]).toBe(first?.[part]);
    for (const name of ['x-request-id', 'date', 'psu-id', 'content-type'])
      expect(second?.headers[name]).toBe(first?.headers[name]);
    expect(bank.made.size).toBe(1);
    const left = await atBank(bank, {}, [['pending', 'list', '--json']], { name: lost.name });
    expect(left.stdout).not.toContain('unknown');
  });

  it('is reported as what it is at a bank that takes every X-Request-ID as new', async () => {
    let paid = 0;
    const bank = await typedBank(({ method }) => {
      if (method !== 'POST') return [200, { transactionStatus: 'ACSC' }];
      paid += 1;
      const _links = { scaRedirect: { href: 'https://login.bank.example/p' } };
      return paid === 1 ? [500, ''] : [201, { transactionStatus: 'RCVD', paymentId: 'p-2', _links }];
    });
    banks.push(bank);
    const set = await atBank(bank, {}, [operators]);
    expect(set.stderr).toMatch(/takes a known X-Request-ID anew, pending resolve --replay pays twice/);
    const told = { name: set.name };
    const lost = await atBank(bank, {}, [pay], told);
    const id = /pending show (\w+)/.exec(lost.stderr)?.[1] ?? '';
    const line = ['pending', 'resolve', id, '--replay'];
    const unasked = await atBank(bank, {}, [line], told);
    expect({ code: unasked.code, paid }).toEqual({ code: 2, paid: 1 });
    const dry = await atBank(bank, {}, [[...line, '--yes', '--dry-run']], told);
    expect({ code: dry.code, paid }).toEqual({ code: 0, paid: 1 });
    const sent = await atBank(bank, {}, [[...line, '--yes']], told);
    expect(sent.stderr).toMatch(/does not know this X-Request-ID any more it makes a second payment/);
    expect({ code: sent.code, paid }).toEqual({ code: 0, paid: 2 });
    const again = await atBank(bank, {}, [[...line, '--yes']], told);
    expect(again.code, again.stderr).not.toBe(0);
    expect(paid).toBe(2);
  });

  it.each([
    ['by default', [] as readonly string[][], {}],
    ['on the word of a file', [], { requestIdSemantics: 'replay' }],
    [
      'where the bank refuses an id that it knows',
      [['config', 'set', 'requestIdSemantics', 'reject-duplicate']],
      {},
    ],
  ])('is not sent %s', async (_, lines, settings) => {
    const bank = await forgetful();
    banks.push(bank);
    const lost = await atBank(bank, settings, [...lines, pay]);
    const id = /pending show (\w+)/.exec(lost.stderr)?.[1] ?? '';
    const again = await atBank(bank, {}, [['pending', 'resolve', id, '--replay', '--yes']], {
      name: lost.name,
    });
    expect(again.code).toBe(3);
    expect(again.stderr).toContain('config set requestIdSemantics replay');
    expect(posts(bank)).toHaveLength(1);
  });

  it('is not sent without a yes, nor once the time is over', async () => {
    const bank = await forgetful();
    banks.push(bank);
    const lost = await atBank(bank, {}, [operators, pay]);
    const id = /pending show (\w+)/.exec(lost.stderr)?.[1] ?? '';
    const unasked = await atBank(bank, {}, [['pending', 'resolve', id, '--replay']], { name: lost.name });
    expect(unasked.code).toBe(2);
    expect(unasked.stderr).toContain('--yes');
    expect(posts(bank)).toHaveLength(1);
  });

  it('stays unknown, as one write, where the second answer is lost too', async () => {
    const bank = await typedBank(() => [500, '']);
    banks.push(bank);
    const lost = await atBank(bank, {}, [operators, pay]);
    const id = /pending show (\w+)/.exec(lost.stderr)?.[1] ?? '';
    const again = await atBank(bank, {}, [['pending', 'resolve', id, '--replay', '--yes']], {
      name: lost.name,
    });
    expect(again.code).toBe(12);
    const told = ['pending', 'resolve', id, '--not-created', '--reason', 'asked the bank'];
    const settled = await atBank(bank, {}, [told, ['pending', 'list', '--json']], { name: lost.name });
    expect(JSON.parse(settled.stdout)).toEqual([]);
    expect(posts(bank)).toHaveLength(2);
  });
});
