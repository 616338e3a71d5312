// Each setting of a bank has a bank, typed by hand, at which obk fails without it.
import { afterAll, expect, it } from 'vitest';
import { oddities } from '../../helpers/bank-settings.ts';
import { leftOut, settingsOf } from '../../helpers/setting-keys.ts';
import { part, ranTable } from '../../helpers/trials.ts';
import { oddBanks } from './banks/all.ts';

for (const [at, [what, table]] of Object.entries(oddBanks).entries())
  oddities(`a bank that ${what}`, part(table, 4, at));

afterAll(() => {
  ranTable(`${String(Object.values(oddBanks).flat().length)} settings at odd banks`);
});

it('every setting has an odd bank', () => {
  const proved = new Set(
    Object.values(oddBanks).flatMap((table) =>
      table.flatMap(({ settings }) => leftOut(settings).map(({ key }) => key)),
    ),
  );
  expect(settingsOf('tpp').filter((key) => !proved.has(key))).toEqual([]);
});
