// The file system below the state: what SQLite cannot keep anything safe on is refused before it writes.
import { existsSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { typeOnThisMachine } from '../../../../src/adapters/sqlite/file-systems.ts';
import { homeEngines, stateOn } from '../../../../src/adapters/sqlite/home-state.ts';
import { freshHome, intent, resource } from '../../../helpers/adapter-homes.ts';
import { fakeClock } from '../../../helpers/fakes/index.ts';
import { prepared, runRecord, write } from '../../../helpers/journal-records.ts';
import { filled, run } from './filled.ts';

/** A home on a file system of that type, with what it warns of and how often it was asked. */
function on(type: number | undefined, stateDir = freshHome().stateDir) {
  const warnings: string[] = [];
  let asked = 0;
  const engines = homeEngines(stateDir, {
    warn: (line) => void warnings.push(line),
    typeOf: () => {
      asked += 1;
      return type;
    },
  });
  const home = stateOn(engines, { run, clock: fakeClock() });
  return { home, stateDir, warnings, asked: () => asked };
}

const changes: [string, (home: ReturnType<typeof on>['home']) => Promise<unknown>][] = [
  ['a claim', (home) => home.intents.claim(intent({ run }))],
  ['a resource', (home) => home.resources.save(resource())],
  ['a record', (home) => write(home.journal, runRecord(), prepared('e1', { write: false }))],
  ['a count', (home) => home.usage.update('acme', () => [{ at: 1, what: 'x' }])],
];

describe.each([
  ['NFS', 0x6969],
  ['SMB', 0x517b],
  ['SMB', 0xfe534d42],
  ['CIFS', 0xff534d42],
  ['FUSE or virtiofs', 0x65735546],
  ['9p', 0x01021997],
])('a state on %s (%i)', (name, type) => {
  it.each(changes)('is refused for %s, and no database is made', async (_case, change) => {
    const { home, stateDir, warnings } = on(type);
    await expect(change(home)).rejects.toMatchObject({
      code: 'STATE_NOT_WRITTEN',
      exit: 3,
      title: expect.stringContaining(name) as string,
      detail: expect.stringContaining(stateDir) as string,
      hint: expect.arrayContaining([expect.stringMatching(/^export OBK_STATE_DIR=/)]) as string[],
    });
    expect(readdirSync(stateDir)).toEqual([]);
    expect(warnings).toEqual([]);
  });

  it('is read where it exists', async () => {
    const { home } = on(type, await filled());
    expect(await home.intents.find(intent().hash)).toBeDefined();
    expect(await home.journal.read(run)).toHaveLength(3);
    await expect(home.resources.save(resource())).rejects.toMatchObject({ exit: 3 });
    await home.close();
  });
});

it('a state on an unknown file system is warned of once for both files', async () => {
  const { home, stateDir, warnings, asked } = on(0x47504653);
  for (const [, change] of changes) await change(home);
  expect(warnings).toEqual([expect.stringMatching(/0x47504653/)]);
  expect(warnings[0]).toContain(stateDir);
  expect(asked()).toBe(1);
  await home.close();
});

it.each([
  ['ext4', 0xef53],
  ['XFS', 0x58465342],
  ['Btrfs', 0x9123683e],
  ['ZFS', 0x2fc12fc1],
  ['tmpfs', 0x01021994],
  ['overlayfs', 0x794c7630],
  ['F2FS', 0xf2f52010],
  ['nothing known', undefined],
])('a state on %s causes no warning, and the file system is looked up once', async (_name, type) => {
  const { home, warnings, asked } = on(type);
  for (const [, change] of changes) await change(home);
  expect(warnings).toEqual([]);
  expect(asked()).toBe(1);
  await home.close();
});

it('a state that is only read needs no file system, and nothing is made', async () => {
  const { home, stateDir, asked } = on(0x6969);
  expect(await home.resources.list('acme', 'payment')).toEqual([]);
  expect(asked()).toBe(0);
  expect(existsSync(stateDir)).toBe(false);
});

it('a file system has a type on Linux, and none elsewhere or for what does not exist', () => {
  if (process.platform === 'linux') expect(typeOnThisMachine(tmpdir())).toBeGreaterThan(0);
  else expect(typeOnThisMachine(tmpdir())).toBeUndefined();
  expect(typeOnThisMachine(join(tmpdir(), 'not', 'there'))).toBeUndefined();
});
