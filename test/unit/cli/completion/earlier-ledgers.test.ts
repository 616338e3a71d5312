import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { candidateNotes } from '../../../../src/adapters/candidates/candidate-notes.ts';
import { Saved } from '../../../../src/cli/completion/saved.ts';
import { earlierLedger } from '../../../../src/client/resources/of-ledger.ts';
import { fakeClock } from '../../../helpers/fakes/index.ts';
import { stateAtHome } from '../../../helpers/file-store.ts';
import { ledgerKey } from '../../../../src/base/profile-name.ts';
import type { SavedResource } from '../../../../src/settings/records/resources.ts';

const home = mkdtempSync(join(tmpdir(), 'obk-ledgers-'));
afterEach(() => {
  rmSync(home, { recursive: true, force: true });
});

it('offers no ids of earlier ledgers of the bank inside, and all of any other bank', async () => {
  const [stateDir, cacheDir, configDir] = ['state', 'cache/obk', 'config'].map((name) =>
    join(home, name),
  ) as [string, string, string];
  mkdirSync(configDir);
  writeFileSync(join(configDir, 'config.json'), '{"schemaVersion":1,"profiles":{"acme":{}}}');
  const ends: (() => Promise<void>)[] = [];
  const notes = candidateNotes({ stateDir, cacheDir }, (work) => ends.push(work));
  const state = stateAtHome({ stateDir, clock: fakeClock() });
  const resources = notes.ofResources(state.resources);
  const save = (profile: string, id: string, second: number, ledger?: string) =>
    resources.save({
      ...{ schemaVersion: 1, profile, noun: 'payment', id, environment: 'sandbox' },
      ...{ createdAt: `2026-11-21T10:00:0${String(second)}.000Z`, updatedAt: '2026-11-21T10:00:00.000Z' },
      ...(ledger !== undefined && { ledger }),
    } as SavedResource);
  const usage = notes.ofUsage(state.usage);
  for (const profile of ['sandbox', 'sandbox@shop', 'acme']) {
    await save(profile, 'of-before', 2, 'ledger-1');
    await save(profile, 'of-now', 3, 'ledger-2');
    await save(profile, 'of-any', 1);
    await usage.update(ledgerKey(profile), () => [{ at: 0, what: 'ledger-2' }]);
  }
  await save('sandbox@unseen', 'of-before', 1, 'ledger-1');
  for (const end of ends) await end();
  const isEarlier = await earlierLedger({ usage }, 'sandbox');
  // A TAB reads the cache: the state may be a database.
  rmSync(stateDir, { recursive: true });
  const env = { OBK_CONFIG_DIR: configDir, OBK_STATE_DIR: stateDir, XDG_CACHE_HOME: join(home, 'cache') };
  const offered = (profile: string) =>
    new Saved(env)
      .resources('payment', profile)
      .map(({ value }) => value)
      .filter((value) => value !== '@last');
  expect(offered('sandbox')).toEqual(['of-now', 'of-any']);
  expect(offered('sandbox@shop')).toEqual(['of-now', 'of-any']);
  expect(offered('acme')).toEqual(['of-now', 'of-before', 'of-any']);
  expect(offered('sandbox@unseen')).toEqual(['of-before']);
  expect(offered('deleted')).toEqual([]);
  // As `payment list` judges them.
  expect(['ledger-1', 'ledger-2'].map((ledger) => isEarlier({ ledger }))).toEqual([true, false]);
});
