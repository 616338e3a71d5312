// Whose the files of a home must be: each of the three of a database is looked at before the engine opens it.
import { chmodSync, readdirSync, renameSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { homeEngines, stateOn, needOwnFiles } from '../../../../src/adapters/sqlite/home-state.ts';
import { freshHome, intent, resource } from '../../../helpers/adapter-homes.ts';
import { fakeClock } from '../../../helpers/fakes/index.ts';
import { stateAtHome } from '../../../helpers/file-store.ts';
import { filled, run } from './filled.ts';

const open = (stateDir: string, env: NodeJS.ProcessEnv = {}) =>
  stateOn(homeEngines(stateDir, { warn: () => undefined, env }), { run, clock: fakeClock() });
const uid = process.geteuid?.() ?? 0;
const refusal = { code: 'STATE_UNREADABLE', exit: 3 };

describe.each(['state', 'log'] as const)('the state file %s.db', (file) => {
  const wish = (home: ReturnType<typeof open>) =>
    file === 'state' ? home.resources.list('acme', 'payment') : home.journal.read(run);
  const change = (home: ReturnType<typeof open>) =>
    file === 'state' ? home.resources.save(resource()) : home.usage.update('acme', () => []);

  describe.each(['', '-wal', '-shm'])('with its file %s', (end) => {
    /** The home with that file there, and its path. */
    async function scene(): Promise<[string, string]> {
      const stateDir = await filled();
      const path = join(stateDir, `${file}.db${end}`);
      if (end !== '') writeFileSync(path, '', { mode: 0o600 });
      return [stateDir, path];
    }

    it.each([0o660, 0o602, 0o666, 0o620])(
      'is refused by name where others may write to it (%o)',
      async (mode) => {
        const [stateDir, path] = await scene();
        chmodSync(path, mode);
        for (const asked of [wish, change])
          await expect(asked(open(stateDir))).rejects.toMatchObject({
            ...refusal,
            detail: expect.stringContaining(`${path}: others may write`) as string,
            hint: [`chmod 600 ${path}`, expect.stringContaining('OBK_ALLOW_SHARED_FOLDERS=1') as string],
          });
        await expect(wish(open(stateDir, { OBK_ALLOW_SHARED_FOLDERS: '1' }))).resolves.toBeDefined();
        // The engine has given the files beside it the same mode.
        for (const name of readdirSync(stateDir)) chmodSync(join(stateDir, name), 0o600);
        await expect(wish(open(stateDir))).resolves.toBeDefined();
      },
    );

    it('is refused by name where it is a link, and what it leads to stays', async () => {
      const [stateDir, path] = await scene();
      const elsewhere = join(dirname(stateDir), 'elsewhere');
      renameSync(path, elsewhere);
      const before = statSync(elsewhere);
      symlinkSync(elsewhere, path);
      for (const env of [{}, { OBK_ALLOW_SHARED_FOLDERS: '1' }])
        for (const asked of [wish, change])
          await expect(asked(open(stateDir, env))).rejects.toMatchObject({
            ...refusal,
            detail: expect.stringContaining(`${path}: it is a symbolic link`) as string,
          });
      expect(statSync(elsewhere)).toMatchObject({ size: before.size, mtimeMs: before.mtimeMs });
    });

    it('is refused by name where it belongs to another user, except to root', async () => {
      const [stateDir] = await scene();
      const asked =
        (who: number, shared = false) =>
        () => {
          needOwnFiles(join(stateDir, `${file}.db`), { uid: who, shared });
        };
      expect(asked(uid)).not.toThrow();
      expect(asked(0)).not.toThrow();
      expect(asked(uid + 1, true)).not.toThrow();
      expect(asked(uid + 1)).toThrow(expect.objectContaining({ ...refusal }) as Error);
    });
  });
});

it('files of the state are 0600 in 0700, whatever the umask, and so is what the engine makes beside them', async () => {
  const before = process.umask(0);
  const { stateDir } = freshHome();
  const home = stateAtHome({ stateDir, clock: fakeClock(), run });
  try {
    await home.intents.claim(intent({ run }));
    const modes = readdirSync(stateDir).map((name) => [name, statSync(join(stateDir, name)).mode & 0o777]);
    expect(modes.map(([, mode]) => mode)).toEqual(modes.map(() => 0o600));
    expect(modes.map(([name]) => name)).toContain('state.db-wal');
    for (let above = stateDir; above !== dirname(dirname(stateDir)); above = dirname(above))
      expect(statSync(above).mode & 0o777).toBe(0o700);
  } finally {
    process.umask(before);
    await home.close();
  }
});
