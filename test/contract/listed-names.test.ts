import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startExemptingBank } from '../helpers/exempting-bank.ts';
import type { ExemptingBank } from '../helpers/exempting-bank.ts';
import { grow } from '../helpers/grown-home.ts';
import { payArgs, payingHome } from '../helpers/paying-home.ts';
import type { PayingHome } from '../helpers/paying-home.ts';

let bank: ExemptingBank;
let home: PayingHome;

beforeAll(async () => {
  bank = await startExemptingBank();
  home = await payingHome(bank);
  await home.pay('1.00', 'k');
}, 60_000);
afterAll(async () => {
  home.close();
  await bank.close();
});

/** How many names a run is given of the folders that it lists. */
async function namesListed(args: readonly string[]): Promise<number> {
  const { readdirSync } = fs;
  let names = 0;
  fs.readdirSync = ((...given: Parameters<typeof readdirSync>) => {
    const found = readdirSync(...given);
    names += found.length;
    return found;
  }) as typeof readdirSync;
  syncBuiltinESMExports();
  try {
    const { code, stderr } = await home.run(args);
    expect(code, stderr).toBe(0);
  } finally {
    fs.readdirSync = readdirSync;
    syncBuiltinESMExports();
  }
  return names;
}

it(
  'a payment, its status, the newest payments and the newest runs list no folder that grows with the history',
  { timeout: 60_000 },
  async () => {
    const payments = 8000;
    grow(home, payments);
    // The first ones mark what has no marker, and note what no index has.
    await namesListed(payArgs('3.00', 'm'));
    await namesListed(['log', 'list', '--status', '2xx', '--limit', '5']);
    for (const args of [
      payArgs('4.00', 'n'),
      ['payment', 'status', '@last', '--profile', 'acme'],
      ['payment', 'status', 'payment-0001', '--profile', 'acme'],
      ['payment', 'list', '--limit', '5', '--profile', 'acme'],
      ['log', 'list', '--limit', '5'],
      ['log', 'list', '--status', '2xx', '--limit', '5'],
      ['log', 'show', '@last'],
      ['log', 'prune', '--older-than', '3650d', '--dry-run'],
    ])
      // The folders of the contents and of the ids are 256 each.
      expect(await namesListed(args), args.join(' ')).toBeLessThan(payments / 2);
  },
);
