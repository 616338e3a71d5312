import { readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createClock } from '../../../src/adapters/system-clock.ts';
import { usageFiles } from '../../../src/adapters/usage-files.ts';
import type { Usage } from '../../../src/ports/usage.ts';
import { freshHome } from '../../helpers/adapter-homes.ts';
import { memoryUsage } from '../../helpers/fakes/index.ts';
import { failedWith } from '../../helpers/failed-with.ts';

const inFiles = (stateDir = freshHome().stateDir) => usageFiles({ stateDir, clock: createClock() });

describe.each<[string, () => Usage]>([
  ['in memory', () => memoryUsage()],
  ['in files', () => inFiles()],
])('a count of calls %s', (_, open) => {
  const use = (at: number) => ({ at, what: `call ${String(at)}` });

  it('begins empty, and keeps each key apart', async () => {
    const usage = open();
    expect(await usage.read('a')).toEqual([]);
    expect(await usage.update('a', (uses) => [...uses, use(1)])).toEqual([use(1)]);
    expect(await usage.update('a', (uses) => [...uses, use(2)])).toEqual([use(1), use(2)]);
    expect(await usage.read('A')).toEqual([]);
    expect(await usage.read('a')).toEqual([use(1), use(2)]);
  });

  it('keeps what was there when a change throws', async () => {
    const usage = open();
    await usage.update('a', () => [use(1)]);
    const change = usage.update('a', () => {
      throw new Error('no');
    });
    await expect(change).rejects.toThrow('no');
    expect(await usage.read('a')).toEqual([use(1)]);
  });

  it('loses nothing of what is counted at once', async () => {
    const usage = open();
    await Promise.all(
      Array.from({ length: 20 }, (_unused, at) => usage.update('a', (uses) => [...uses, use(at)])),
    );
    expect((await usage.read('a')).map(({ at }) => at).sort((a, b) => a - b)).toEqual(
      Array.from({ length: 20 }, (_unused, at) => at),
    );
  });
});

describe('the files', () => {
  it('are for their owner alone, hold what any path may not, and leave nothing half written', async () => {
    const { stateDir } = freshHome();
    const usage = inFiles(stateDir);
    await usage.update('../../etc/passwd', () => [{ at: 1, what: 'x' }]);
    const folder = join(stateDir, 'usage');
    const names = readdirSync(folder);
    expect(names).toEqual([expect.stringMatching(/^~[0-9a-f]{40}\.json$/)]);
    expect(statSync(join(folder, names[0]!)).mode & 0o777).toBe(0o600);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
  });

  it.each(['{', '{}', '{"schemaVersion":2,"uses":[]}', '{"schemaVersion":1,"uses":[[1]]}'])(
    'that obk has not written (%s) are told, not reset',
    async (text) => {
      const { stateDir } = freshHome();
      const usage = inFiles(stateDir);
      await usage.update('a', () => [{ at: 1, what: 'x' }]);
      writeFileSync(join(stateDir, 'usage', 'a.json'), text);
      const error = await failedWith(usage.read('a'));
      expect(error).toMatchObject({ code: 'STATE_UNREADABLE', exit: 3 });
      expect(error.detail).toContain('a.json');
      expect(await failedWith(usage.update('a', (uses) => uses))).toMatchObject({ code: 'STATE_UNREADABLE' });
    },
  );

  it('that a power loss left empty count as nothing', async () => {
    const { stateDir } = freshHome();
    const usage = inFiles(stateDir);
    await usage.update('a', () => [{ at: 1, what: 'x' }]);
    writeFileSync(join(stateDir, 'usage', 'a.json'), '');
    expect(await usage.read('a')).toEqual([]);
  });
});
