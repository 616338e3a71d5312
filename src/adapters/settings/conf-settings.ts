import type { Clock } from '../../client/ports/clock.ts';
import type { SettingsStore } from '../../client/ports/settings.ts';
import { confFile } from './conf-file.ts';
import { promised } from '../files/file-errors.ts';
import { checkNames, parseSettings } from './settings-shape.ts';

/** The settings in config.json. */
export function createSettings(options: { configDir: string; clock: Clock }): SettingsStore {
  const file = confFile({ ...options, name: 'config', parse: parseSettings });
  return {
    read: () => promised(file.read),
    update: (change) =>
      file.update((before) => {
        const after = change(before);
        checkNames(after.profiles);
        return after;
      }),
  };
}
