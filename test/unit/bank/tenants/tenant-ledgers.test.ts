import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openLedger } from '../../../../src/bank/books/ledger.ts';
import { saveSnapshot } from '../../../../src/bank/books/snapshots.ts';
import { TenantLedgers } from '../../../../src/bank/tenants/tenant-ledgers.ts';
import type { RunningBank } from '../../../../src/bank/trust/call.ts';
import { startBank } from '../../../helpers/bank.ts';
import { tenantOf } from './tenant-of.ts';

let folder: string;
let all: TenantLedgers[];
/** Tenants who still have something to tell. */
let busy: Set<string>;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'obk-ledgers-'));
  all = [];
  busy = new Set();
});
afterEach(() => {
  for (const one of all) one.close();
  rmSync(folder, { recursive: true, force: true });
});

function ledgers(limits: Partial<{ most: number; open: number; idleMs: number; graceMs: number }> = {}) {
  const open = (path: string, name: string, ending: AbortSignal): RunningBank => {
    const ledger = openLedger(path, new Date());
    const pushes = { isBusy: () => busy.has(name), close: () => undefined };
    return { ledger, ending, pushes } as unknown as RunningBank;
  };
  const made = new TenantLedgers(
    { by: 'header:X-Tenant', folder: join(folder, 'tenants'), open },
    { most: 5, open: 2, idleMs: 60_000, graceMs: 50, ...limits },
  );
  all.push(made);
  return made;
}

describe('the ledgers of tenants', () => {
  it('are open up to a limit, with those in use and those that owe notifications always open', async () => {
    const tenants = ledgers();
    const held = await tenants.takeOrMake('held');
    busy.add('talks');
    (await tenants.takeOrMake('talks')).release();
    for (const name of ['a', 'b', 'c']) (await tenants.takeOrMake(name)).release();
    expect(tenants.open).toBe(2);
    expect(held.bank.ledger.main.one('SELECT 1 AS one')).toEqual({ one: 1n });
    held.release();
    held.release();
    busy.clear();
    const again = await tenants.take('a');
    expect(again?.bank.ledger.main.one('SELECT 1 AS one')).toEqual({ one: 1n });
    again?.release();
    expect(tenants.open).toBe(2);
  });

  it('are closed when nobody has used them for a while', async () => {
    const tenants = ledgers({ idleMs: 30 });
    (await tenants.takeOrMake('a')).release();
    await expect.poll(() => tenants.open).toBe(0);
    expect(tenants.all()).toEqual([{ name: 'a', path: '/tenant/a' }]);
  });

  it('are as many as a bank may have, and no more', async () => {
    const tenants = ledgers({ most: 2 });
    for (const name of ['a', 'b', 'a']) (await tenants.takeOrMake(name)).release();
    await expect(tenants.takeOrMake('c')).rejects.toMatchObject({ most: 2 });
    expect(readdirSync(join(folder, 'tenants')).filter((file) => file.endsWith('.db'))).toHaveLength(2);
    await tenants.remove('a');
    (await tenants.takeOrMake('c')).release();
    expect(tenants.all().map(({ name }) => name)).toEqual(['b', 'c']);
  });

  it('leave nothing behind, also where a call is on its way or the file is damaged', async () => {
    const tenants = ledgers();
    const { bank } = await tenants.takeOrMake('a');
    saveSnapshot(bank.ledger, 'kept', new Date());
    const { id } = bank.ledger;
    const [, later] = await Promise.all([tenants.remove('a'), tenants.takeOrMake('a')]);
    expect(bank.ending.aborted).toBe(true);
    expect(later.bank.ledger.id).not.toBe(id);
    later.release();
    expect(readdirSync(join(folder, 'tenants')).some((file) => file.includes('snapshots'))).toBe(false);
    await tenants.remove('a');
    expect(readdirSync(join(folder, 'tenants'))).toEqual([]);
    writeFileSync(join(folder, 'tenants', 'tenant-b.db'), '');
    const next = ledgers();
    await expect(next.take('b')).rejects.toMatchObject({ code: 'SANDBOX_UNAVAILABLE' });
    await next.remove('b');
    expect(existsSync(join(folder, 'tenants', 'tenant-b.db'))).toBe(false);
  });
});

describe('a bank that is started again', () => {
  it('has the tenants that it had, each as it was', async () => {
    const database = join(folder, 'bank.db');
    const doors = { tenants: 'header:X-Tenant' };
    const first = await startBank({ name: 'again', database, doors });
    const { ask } = tenantOf(first, 'Team A');
    await ask('PUT', '/../Team%20A');
    await ask('PATCH', '/scenario', { body: { bulk: 'partial' } });
    await ask('PUT', '/snapshots/s1');
    const { json: people } = await ask('GET', '/people/redirect');
    await first.close();
    const second = await startBank({ name: 'again', database, doors });
    const later = tenantOf(second, 'Team A');
    expect((await later.ask('GET', '/people/redirect')).json).toEqual(people);
    const { switches } = (await later.ask('GET', '/scenario')).json;
    expect(switches.find(({ name }: { name: string }) => name === 'bulk').value).toBe('partial');
    expect((await later.ask('GET', '/snapshots')).json.snapshots).toMatchObject([{ name: 's1' }]);
    await second.close();
  });
});
