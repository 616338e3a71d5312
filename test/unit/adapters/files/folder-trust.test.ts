import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { distrustOf, trustee } from '../../../../src/adapters/files/folder-trust.ts';
import type { Trustee } from '../../../../src/adapters/files/folder-trust.ts';
import { ownFolders } from '../../../../src/adapters/files/own-folders.ts';

/** A file system of folders: owner, group, mode. */
function system(
  uid: number,
  gid: number,
  entries: Readonly<Record<string, [number, number, number]>>,
): Trustee {
  return {
    uid,
    gid,
    real: (path) => path,
    stat(path) {
      const [owner, group, mode] = entries[path] ?? [];
      if (owner === undefined || group === undefined || mode === undefined) return undefined;
      return { uid: owner, gid: group, mode: mode | 0o040000, isDirectory: () => true };
    },
  };
}
const root: [number, number, number] = [0, 0, 0o755];
const config = '/home/ann/.config/obk';

describe('the folders of settings and state', () => {
  it.each<[string, Record<string, [number, number, number]>, string | undefined]>([
    [
      'a home',
      { '/': root, '/home': root, '/home/ann': [1000, 1000, 0o700], [config]: [1000, 1000, 0o700] },
      undefined,
    ],
    ['a home that is not there yet', { '/': root }, undefined],
    [
      'a private group of the user',
      { '/home/ann': [1000, 1000, 0o775], [config]: [1000, 1000, 0o770] },
      undefined,
    ],
    ['the temporary folder', { '/home': [0, 0, 0o1777], '/home/ann': [1000, 1000, 0o700] }, undefined],
    ['a folder of another user', { [config]: [1001, 1000, 0o700] }, config],
    ['a folder of another user above', { '/home/ann': [1001, 1000, 0o755] }, '/home/ann'],
    ['a folder for everybody', { [config]: [1000, 1000, 0o777] }, config],
    ['a folder for everybody above', { '/home': [0, 0, 0o777] }, '/home'],
    ['a sticky folder for everybody', { [config]: [0, 0, 0o1777] }, config],
    ['a folder of another group', { '/home/ann': [1000, 50, 0o775] }, '/home/ann'],
    ['a volume with fsGroup', { [config]: [0, 2000, 0o2775] }, config],
    ['settings of another user', { [`${config}/config.json`]: [1001, 1001, 0o644] }, `${config}/config.json`],
    ['settings for everybody', { [`${config}/config.json`]: [1000, 1000, 0o666] }, `${config}/config.json`],
  ])('are accepted or refused: %s', (_, entries, path) => {
    expect(distrustOf(config, system(1000, 1000, entries), ['config.json'])?.path).toBe(path);
  });

  const made: string[] = [];
  afterEach(() => {
    for (const path of made.splice(0)) rmSync(path, { recursive: true, force: true });
  });
  it('are checked where a link leads', () => {
    const base = mkdtempSync(join(tmpdir(), 'obk-trust-'));
    made.push(base);
    mkdirSync(join(base, 'open'));
    mkdirSync(join(base, 'open/obk'), { mode: 0o700 });
    symlinkSync(join(base, 'open/obk'), join(base, 'link'));
    const who = trustee();
    expect(who && distrustOf(join(base, 'link'), who)).toBeUndefined();
    chmodSync(join(base, 'open'), 0o777);
    expect(who && distrustOf(join(base, 'link'), who)).toMatchObject({
      path: join(base, 'open'),
      kind: 'writable',
    });
  });
});

describe('the user of a home', () => {
  const settings = (who: Trustee, env: Record<string, string> = {}) => {
    const warned: string[] = [];
    const own = ownFolders({
      configDir: config,
      stateDir: '/state/obk',
      env,
      who,
      warn: (line) => warned.push(line),
      given: (reference) => reference === 'env:GIVEN',
    });
    return { own, warned };
  };

  it('is refused with the path and the way out, and may confirm that nobody else is there', () => {
    const who = system(1000, 1000, { '/state': [0, 0, 0o777] });
    expect(() => {
      settings(who).own.need();
    }).toThrow(
      expect.objectContaining({
        exit: 3,
        detail: expect.stringMatching(/^\/state: everybody may write/) as string,
      }),
    );
    const allowed = settings(who, { OBK_ALLOW_SHARED_FOLDERS: '1' });
    allowed.own.need();
    expect(allowed.warned).toEqual([]);
  });

  it('is warned once as root in the home of another, and runs nothing from it', () => {
    const { own, warned } = settings(system(0, 0, { '/home/ann': [1000, 1000, 0o700] }));
    own.need();
    own.need();
    expect(warned).toEqual([expect.stringContaining('/home/ann')]);
    own.needReference('env:GIVEN');
    expect(() => {
      own.needReference('cmd:/home/ann/evil');
    }).toThrow(expect.objectContaining({ exit: 3, code: 'SECRET_REFERENCE' }));
  });

  it('may not use as root what everybody may write', () => {
    expect(() => {
      settings(system(0, 0, { [config]: [0, 0, 0o777] })).own.need();
    }).toThrow(expect.objectContaining({ exit: 3 }));
  });
});
