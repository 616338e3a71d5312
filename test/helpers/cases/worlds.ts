import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runInside } from '../inside.ts';
import { offline } from './offline.ts';
import type { World, WorldKind } from './world.ts';

/** The worlds by the name that the first line of a file gives; test/README.md describes them. */
export const worlds: Readonly<Record<string, WorldKind>> = {
  home: { shared: false, open: () => Promise.resolve(home()) },
  offline: { shared: true, open: () => offline(home()) },
};

/** A fresh home without a profile; commands run in its folder `work`. */
function home(): World & { env: NodeJS.ProcessEnv } {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'obk-case-')));
  const folder = join(root, 'work');
  mkdirSync(folder);
  const env: NodeJS.ProcessEnv = {
    ...process.env,
    ...{
      HOME: root,
      OBK_CONFIG_DIR: join(root, 'config'),
      OBK_STATE_DIR: join(root, 'state'),
      LANG: 'C.UTF-8',
    },
  };
  return {
    env,
    folder,
    values: { home: root, folder },
    run: (args, { env: more, input }) => runInside(args, { env: { ...env, ...more }, cwd: folder, input }),
    close: () => {
      rmSync(root, { recursive: true, force: true, maxRetries: 3 });
      return Promise.resolve();
    },
  };
}
