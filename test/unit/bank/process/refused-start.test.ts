import { existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { startBank } from '../../../helpers/bank.ts';
import { giveKeys } from '../../../helpers/bank-keys.ts';
import { failedWith } from '../../../helpers/failed-with.ts';
import { cleanup, folder, useCleanup } from './callers.ts';

useCleanup();

describe('a start that is refused after it took its name', () => {
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

  it('names the file of --database, and never suggests the reset of another ledger', async () => {
    const database = join(stateDir, 'none', 'bank.db');
    const error = await failedWith(startBank({ stateDir, database, doors: { port: 0 } }));
    expect([error.title, error.detail]).toEqual([
      `--database ${database} cannot be used.`,
      `${database}: it is not there and cannot be made.`,
    ]);
    expect(error.hint.join()).not.toContain('reset');
  });

  it('explains how a bank with the name of the ledger of the home gets another ledger', async () => {
    const database = join(stateDir, 'a bank.db');
    const { title, hint } = await failedWith(startBank({ stateDir, name: 'default', database }));
    expect([title, hint]).toEqual([
      'The bank default has its own ledger.',
      [`obk sandbox start --port 0 --database '${database}'`],
    ]);
    await (await startBank({ stateDir, database })).close();
  });

  it('explains how the ledger of another file goes on', async () => {
    const config = join(stateDir, 'bank.yaml');
    writeFileSync(config, 'people: [{ psuId: anna }]');
    const database = join(stateDir, 'bank.db');
    await (await startBank({ stateDir, database })).close();
    const { code, hint } = await failedWith(startBank({ stateDir, database, config }));
    expect([code, hint]).toEqual([
      'SANDBOX_UNAVAILABLE',
      [
        `obk sandbox start --port 0 --database ${database}   # the bank that it was, for \`obk sandbox export\``,
        'obk sandbox start --port 0 --database :memory:   # or another file',
      ],
    ]);
    await (await startBank({ stateDir, database })).close();
  });

  it('names the bank that has the ledger already, by whatever path, and leaves its doors as they are', async () => {
    const database = join(stateDir, 'one.db');
    const other = join(stateDir, 'two.db');
    const first = await startBank({ stateDir, name: 'first', database, doors: { open: true } });
    symlinkSync(database, other);
    const errors = [
      await failedWith(startBank({ stateDir, name: 'second', database: other })),
      await failedWith(startBank({ stateDir, database, doors: { open: true } })),
    ];
    for (const { code, title, hint } of errors)
      expect([code, title, hint.at(-1)]).toEqual([
        'USAGE',
        expect.stringContaining(`is that of the bank first, which runs at ${first.baseUrl}.`),
        'obk sandbox stop --at first',
      ]);
    expect(left()).toEqual(['first']);
    const answer = await fetch(`${first.baseUrl}/v1/consents/8b94bb77-4a8b-4e28-9f1c-0c0d7f1e2a3b`, {
      headers: { 'X-Request-ID': crypto.randomUUID() },
    });
    expect(answer.status).toBe(403);
    await first.close();
    await (await startBank({ stateDir, name: 'second', database: other })).close();
  });

  it.each(['is new', 'is there'])(
    'lets one of several simultaneous starts have a ledger that %s',
    async (state) => {
      const database = join(stateDir, 'one.db');
      const other = join(stateDir, 'two.db');
      if (state === 'is there') {
        await (await startBank({ stateDir, database })).close();
        symlinkSync(database, other);
      } else symlinkSync(stateDir, join(stateDir, 'folder'));
      const paths = [database, state === 'is there' ? other : join(stateDir, 'folder', 'one.db'), database];
      const starts = await Promise.allSettled(
        paths.map((path, at) => startBank({ stateDir, name: `bank-${String(at)}`, database: path })),
      );
      const began = starts.flatMap((start) => (start.status === 'fulfilled' ? [start.value] : []));
      for (const bank of began) await bank.close();
      expect(
        starts.map((start) => (start.status === 'fulfilled' ? '' : String(start.reason))).sort(),
      ).toEqual([
        '',
        expect.stringContaining('is that of the bank bank-'),
        expect.stringContaining('is that of the bank bank-'),
      ]);
      expect(left()).toHaveLength(1);
      expect(readdirSync(join(stateDir, 'sandbox')).filter((name) => name.startsWith('taking'))).toEqual([]);
    },
  );

  it.each([
    ['default', [], 'bank-2'],
    ['default', ['bank-2', 'bank-4'], 'bank-3'],
    ['bank-2', [], 'bank-3'],
  ])('suggests for the name %s beside %j a name that is free', async (name, others, free) => {
    for (const other of others) mkdirSync(join(banks(), other), { recursive: true });
    const first = await startBank({ stateDir, name });
    try {
      const { title, hint } = await failedWith(startBank({ stateDir, name }));
      expect(title).toContain(`The bank ${name} runs already`);
      expect(hint).toEqual([`obk sandbox start --port 0 --name ${free}`, `obk sandbox stop --at ${name}`]);
      await (await startBank({ stateDir, name: free })).close();
    } finally {
      await first.close();
    }
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
