import { join } from 'node:path';
import { createStore } from '../../src/adapters/conf-store.ts';
import type { Store } from '../../src/ports/store.ts';
import { freshHome, profile } from './adapter-homes.ts';
import { fakeClock } from './fakes/index.ts';

/** One more profile in the settings. */
export const addProfile = (store: Store, name: string) =>
  store.updateSettings((before) => ({ ...before, profiles: { ...before.profiles, [name]: profile } }));

/** A store whose settings were written twice, so that there is a `.bak` too. */
export async function withSettings(): Promise<{
  store: Store;
  file: string;
  configDir: string;
  stateDir: string;
}> {
  const home = freshHome();
  const store = createStore({ ...home, clock: fakeClock() });
  await addProfile(store, 'one');
  await addProfile(store, 'two');
  return { store, file: join(home.configDir, 'config.json'), ...home };
}
