// The state of a home, read whole and copied.
import { existsSync, readFileSync, readdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { homeStore } from '../../../../src/adapters/sqlite/home-store.ts';
import { freshHome, intent } from '../../../helpers/adapter-homes.ts';
import { fakeClock } from '../../../helpers/fakes/index.ts';
import { stateAtHome } from '../../../helpers/file-store.ts';
import { copyOf, plantInto } from '../../../helpers/state-file.ts';
import { damages, filled, run } from './filled.ts';

const storeOf = (stateDir: string) => homeStore({ stateDir, env: {}, clock: fakeClock() });
const verifyHome = (stateDir: string) => storeOf(stateDir).verify();
const backUpHome = (stateDir: string, to: string) => storeOf(stateDir).backUp(to);

describe('a look at a whole home', () => {
  it('counts the rows, and changes nothing', async () => {
    const stateDir = await filled();
    const before = readFileSync(join(stateDir, 'state.db'));
    const found = await verifyHome(stateDir);
    expect(found.faults).toEqual([]);
    expect(found.ok).toBe(true);
    expect(found.places.map(({ there, rows }) => [there, rows])).toEqual([
      [true, 4],
      [true, 6],
    ]);
    expect(readFileSync(join(stateDir, 'state.db'))).toEqual(before);
  });

  it('makes nothing where nothing exists', async () => {
    const { stateDir } = freshHome();
    expect(await verifyHome(stateDir)).toMatchObject({
      ok: true,
      places: [{ there: false }, { there: false }],
    });
    expect(existsSync(stateDir)).toBe(false);
  });

  it.each([
    ['state', 'intent', "state = 'claimed'", intent().hash],
    ['state', 'open_write', 'at = at + 1', `${run} e1`],
    ['state', 'resource', "record = CAST('{' AS BLOB)", 'acme payment'],
    ['log', 'record', 'number = number + 7', run],
    ['log', 'usage', "record = CAST('x' AS BLOB)", ''],
  ] as const)('names a damaged row of %s.db: %s', async (file, table, set, key) => {
    const stateDir = await filled();
    plantInto(stateDir, file, `UPDATE ${table} SET ${set} WHERE rowid = (SELECT max(rowid) FROM ${table})`);
    const { ok, faults } = await verifyHome(stateDir);
    expect(ok).toBe(false);
    expect(faults).toMatchObject([{ place: join(stateDir, `${file}.db`), table }]);
    expect(faults[0]?.key).toContain(key);
    expect(faults[0]?.hint).not.toBe('');
  });

  it.each(['state', 'log'] as const)('finds an index of %s.db that does not fit its table', async (file) => {
    const stateDir = await filled();
    const bytes = readFileSync(join(copyOf(stateDir, freshHome().stateDir), `${file}.db`));
    const text = file === 'state' ? intent().hash : run;
    // The last place of a text is not the row itself.
    const at = bytes.lastIndexOf(text);
    bytes[at] = (bytes[at] ?? 0) ^ 1;
    const copy = copyOf(stateDir, freshHome().stateDir);
    writeFileSync(join(copy, `${file}.db`), bytes);
    const { ok, faults } = await verifyHome(copy);
    expect(ok).toBe(false);
    expect(faults[0]?.place).toBe(join(copy, `${file}.db`));
  });

  it.each(damages)('reports a file that is %s, and moves nothing', async (_case, damage) => {
    for (const file of ['state', 'log']) {
      const stateDir = await filled();
      damage(join(stateDir, `${file}.db`));
      const { ok, faults } = await verifyHome(stateDir);
      expect(ok).toBe(false);
      expect(faults.every((fault) => fault.place === join(stateDir, `${file}.db`))).toBe(true);
      expect(readdirSync(stateDir).filter((name) => name.includes('damaged'))).toEqual([]);
    }
  });
});

describe('a copy of the state', () => {
  it('is whole, private, and works in its place, while a run goes on', async () => {
    const stateDir = await filled();
    const going = stateAtHome({ stateDir, clock: fakeClock(), run });
    await going.intents.claim(intent({ run, hash: 'b'.repeat(64), fingerprint: 'f'.repeat(64) }));
    const { stateDir: other } = freshHome();
    await going.close();
    const to = join(dirname(stateDir), 'copy.db');
    await backUpHome(stateDir, to);
    expect(statSync(to).mode & 0o777).toBe(0o600);
    expect(readdirSync(dirname(to)).filter((name) => name.startsWith('.obk-'))).toEqual([]);
    const folder = copyOf(stateDir, other);
    writeFileSync(join(folder, 'state.db'), readFileSync(to));
    const { ok, places } = await verifyHome(folder);
    expect({ ok, rows: places[0]?.rows }).toEqual({ ok: true, rows: 5 });
    const home = stateAtHome({ stateDir: folder, clock: fakeClock(), run });
    expect(await home.intents.find('b'.repeat(64))).toBeDefined();
    expect(await home.intents.missing()).toBe(0);
    await home.close();
  });

  it('replaces nothing, whatever stands there', async () => {
    const stateDir = await filled();
    const to = join(dirname(stateDir), 'taken.db');
    writeFileSync(to, '');
    await expect(backUpHome(stateDir, to)).rejects.toMatchObject({ code: 'INPUT_INVALID', exit: 2 });
    expect(readFileSync(to, 'utf8')).toBe('');
    const link = join(dirname(stateDir), 'link.db');
    symlinkSync(join(dirname(stateDir), 'nothing'), link);
    await expect(backUpHome(stateDir, link)).rejects.toMatchObject({ code: 'INPUT_INVALID' });
  });

  it('is refused where there is no state, or no folder for it', async () => {
    const { stateDir } = freshHome();
    await expect(backUpHome(stateDir, join(stateDir, 'x'))).rejects.toMatchObject({
      code: 'STATE_UNREADABLE',
    });
    const there = await filled();
    await expect(backUpHome(there, join(there, 'no', 'x'))).rejects.toMatchObject({
      code: 'STATE_NOT_WRITTEN',
    });
  });
});
