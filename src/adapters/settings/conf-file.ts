import { join } from 'node:path';
import type Conf from 'conf';
import type { Clock } from '../../client/ports/clock.ts';
import { settingsFile } from './settings-file.ts';
import type { SettingsFile } from './settings-file.ts';

/** `NAME.json` of the configuration directory, written by conf. */
export function confFile<T extends object>(options: {
  configDir: string;
  name: string;
  clock: Clock;
  parse: (text: string | undefined, path: string) => T;
  /** Looks at the file's mode (as of stat) after every read. */
  seen?: (path: string, mode: number) => void;
}): SettingsFile<T> {
  const { configDir, name, ...rest } = options;
  let conf: typeof Conf | undefined;
  return settingsFile({
    ...rest,
    path: join(configDir, `${name}.json`),
    prepare: async () => {
      // With it, conf would write in place instead of replacing the file.
      delete process.env['SNAP'];
      conf ??= await loadConf();
    },
    write: (_path, value) => {
      if (!conf) throw new Error('conf is not loaded');
      new conf({
        cwd: configDir,
        configName: name,
        projectSuffix: '',
        configFileMode: 0o600,
        accessPropertiesByDotNotation: false,
      }).store = value as Record<string, unknown>;
    },
  });
}

/** conf brings a package along that ends the process at a signal; how a run ends is for its edge alone to decide. */
async function loadConf(): Promise<typeof Conf> {
  const signals = ['SIGINT', 'SIGTERM'] as const;
  const before = signals.map((signal) => process.listeners(signal));
  const { default: loaded } = await import('conf');
  signals.forEach((signal, at) => {
    for (const listener of process.listeners(signal)) {
      if (before[at]?.includes(listener) !== true) process.off(signal, listener);
    }
  });
  return loaded;
}
