import { readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { machineKeyFile } from '../../../../src/adapters/secrets/conf-credentials.ts';
import { freshHome } from '../../../helpers/adapter-homes.ts';

describe('the key of this machine', () => {
  it('is made once, for its owner only, and found again', async () => {
    const { stateDir } = freshHome();
    const keys = await Promise.all([1, 2, 3].map(() => machineKeyFile(stateDir).machineKey()));
    const [key] = keys.map((one) => one.reveal());
    expect(key).toMatch(/^[0-9a-f]{64}$/);
    expect(new Set(keys.map((one) => one.reveal())).size).toBe(1);
    expect(statSync(join(stateDir, 'machine.key')).mode & 0o777).toBe(0o600);
    const other = await machineKeyFile(freshHome().stateDir).machineKey();
    expect(other.reveal()).not.toBe(key);
  });

  it.each<[string, (path: string) => void]>([
    [
      'empty',
      (path) => {
        truncateSync(path);
      },
    ],
    [
      'cut',
      (path) => {
        truncateSync(path, 30);
      },
    ],
    [
      'zeroed',
      (path) => {
        writeFileSync(path, Buffer.alloc(65));
      },
    ],
    [
      'longer',
      (path) => {
        writeFileSync(path, 'a', { flag: 'a' });
      },
    ],
  ])('is never silently another one where it is %s', async (_, damage) => {
    const { stateDir } = freshHome();
    await machineKeyFile(stateDir).machineKey();
    const path = join(stateDir, 'machine.key');
    damage(path);
    const before = readFileSync(path);
    await expect(machineKeyFile(stateDir).machineKey()).rejects.toMatchObject({
      code: 'STATE_UNREADABLE',
      exit: 3,
      hint: [expect.stringContaining(`mv '${path}'`) as string],
    });
    expect(readFileSync(path).equals(before)).toBe(true);
  });
});
