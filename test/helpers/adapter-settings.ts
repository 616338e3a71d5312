import { join } from 'node:path';
import { freshHome, profile } from './adapter-homes.ts';
import { fakeClock } from './fakes/index.ts';
import { fileStore } from './file-store.ts';
import type { FileStore } from './file-store.ts';

/** One more profile in the settings. */
export const addProfile = (store: FileStore, name: string) =>
  store.settings.update((before) => ({ ...before, profiles: { ...before.profiles, [name]: profile } }));

/** A store whose settings were written twice, so that there is a `.bak` too. */
export async function withSettings(): Promise<{
  store: FileStore;
  file: string;
  configDir: string;
  stateDir: string;
}> {
  const home = freshHome();
  const store = fileStore({ ...home, clock: fakeClock() });
  await addProfile(store, 'one');
  await addProfile(store, 'two');
  return { store, file: join(home.configDir, 'config.json'), ...home };
}
