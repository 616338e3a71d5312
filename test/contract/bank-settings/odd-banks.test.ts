// Each setting of a bank has a bank, typed by hand, at which obk fails without it.
import { expect, it } from 'vitest';
import { oddities } from '../../helpers/bank-settings.ts';
import { leftOut, settingsOf } from '../../helpers/setting-keys.ts';
import { oddBanks } from './banks/all.ts';

for (const [what, table] of Object.entries(oddBanks)) oddities(`a bank that ${what}`, table);

it('no setting is without such a bank', () => {
  const proved = new Set(
    Object.values(oddBanks).flatMap((table) =>
      table.flatMap(({ settings }) => leftOut(settings).map(({ key }) => key)),
    ),
  );
  expect(settingsOf('tpp').filter((key) => !proved.has(key))).toEqual([]);
});
