import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { usageFiles } from '../../../../src/adapters/state/usage-files.ts';
import { Saved } from '../../../../src/cli/completion/saved.ts';
import { earlierLedger } from '../../../../src/client/resources/of-ledger.ts';
import { ledgerKey } from '../../../../src/base/profile-name.ts';

const home = mkdtempSync(join(tmpdir(), 'obk-ledgers-'));
afterEach(() => {
  rmSync(home, { recursive: true, force: true });
});

it('offers no ids of earlier ledgers of the bank inside, and all of any other bank', async () => {
  const stateDir = join(home, 'state');
  const save = (profile: string, id: string, ledger?: string) => {
    const folder = join(stateDir, 'resources', profile, 'payment');
    mkdirSync(folder, { recursive: true });
    writeFileSync(
      join(folder, `${id}.json`),
      JSON.stringify({ id, ...(ledger !== undefined && { ledger }) }),
    );
  };
  const usage = usageFiles({
    stateDir,
    clock: {
      now: () => new Date(),
      monotonic: () => 0,
      sleep: () => Promise.resolve(),
      after: () => () => undefined,
    },
  });
  for (const profile of ['sandbox', 'sandbox@shop', 'acme']) {
    save(profile, 'of-before', 'ledger-1');
    save(profile, 'of-now', 'ledger-2');
    save(profile, 'of-any');
    await usage.update(ledgerKey(profile), () => [{ at: 0, what: 'ledger-2' }]);
  }
  save('sandbox@unseen', 'of-before', 'ledger-1');
  const env = { OBK_CONFIG_DIR: join(home, 'config'), OBK_STATE_DIR: stateDir };
  const offered = (profile: string) =>
    new Saved(env)
      .resources('payment', profile)
      .map(({ value }) => value)
      .filter((value) => value !== '@last');
  expect(offered('sandbox')).toEqual(['of-now', 'of-any']);
  expect(offered('sandbox@shop')).toEqual(['of-now', 'of-any']);
  expect(offered('acme')).toEqual(['of-now', 'of-before', 'of-any']);
  expect(offered('sandbox@unseen')).toEqual(['of-before']);
  // As `payment list` judges them.
  const isEarlier = await earlierLedger({ usage }, 'sandbox');
  expect(['ledger-1', 'ledger-2'].map((ledger) => isEarlier({ ledger }))).toEqual([true, false]);
});
