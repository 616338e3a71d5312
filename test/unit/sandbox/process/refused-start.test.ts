import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { startBank } from '../../../helpers/bank.ts';
import { giveKeys } from '../../../helpers/bank-keys.ts';
import { failedWith } from '../../../helpers/failed-with.ts';
import { cleanup, folder, useCleanup } from './callers.ts';

useCleanup();

describe('a start of a bank that is refused after it took its name', () => {
  let stateDir: string;
  let port: number;
  beforeEach(async () => {
    stateDir = folder();
    await giveKeys(stateDir, new Date());
    const other = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => other.once('listening', resolve));
    cleanup.push(() => other.close());
    ({ port } = other.address() as AddressInfo);
  });
  const banks = () => join(stateDir, 'sandbox', 'banks');
  const left = () => (existsSync(banks()) ? readdirSync(banks()) : []);

  it.each([{}, { database: ':memory:' }])('leaves no folder of the name (%j)', async (options) => {
    await expect(startBank({ stateDir, name: 'shop', doors: { port }, ...options })).rejects.toThrow();
    expect(left()).toEqual([]);
    const shop = await startBank({ stateDir, name: 'shop', ...options, database: ':memory:' });
    await shop.close();
    expect(left()).toEqual([]);
  });

  it('names the file of --database, and never the reset of another ledger', async () => {
    const database = join(stateDir, 'none', 'bank.db');
    const error = await failedWith(startBank({ stateDir, database, doors: { port: 0 } }));
    expect([error.title, error.detail]).toEqual([
      `--database ${database} cannot be used.`,
      `${database}: it is not there and cannot be made.`,
    ]);
    expect(error.hint.join()).not.toContain('reset');
  });

  it('leaves the folder that was there before as it was', async () => {
    const shop = join(banks(), 'shop');
    mkdirSync(shop, { recursive: true });
    writeFileSync(join(shop, 'kept.txt'), 'kept');
    await expect(
      startBank({ stateDir, name: 'shop', database: ':memory:', doors: { port } }),
    ).rejects.toThrow();
    expect(readdirSync(shop)).toEqual(['kept.txt']);
  });
});
