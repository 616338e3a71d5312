import { join } from 'node:path';
import type Conf from 'conf';
import type { Clock } from '../ports/clock.ts';
import type { Store } from '../ports/store.ts';
import { makeDirectory } from './atomic-file.ts';
import { guard, promised } from './file-errors.ts';
import { withLock } from './file-lock.ts';
import { keptCredentials } from './kept-credentials.ts';
import { machineKeyFile } from './machine-key.ts';
import { pictureFiles } from './picture-files.ts';
import { resourceFiles } from './resource-files.ts';
import { safeName } from './safe-name.ts';
import { settingsFile } from './settings-file.ts';
import { checkNames, parseCredentials, parseSettings } from './settings-shape.ts';

/** `warn` is told once when the credentials can be read by others, and what a keyring lacks or keeps. */
export function createStore(options: {
  configDir: string;
  stateDir: string;
  clock: Clock;
  env?: Readonly<Record<string, string | undefined>>;
  /** In place of the package that asks the keyring of the system. */
  keyringModule?: string;
  warn?: (message: string) => void;
}): Store {
  const { configDir, stateDir, clock, env = {}, keyringModule, warn } = options;
  let conf: typeof Conf | undefined;
  let warned = false;

  async function prepare(): Promise<void> {
    // With it, conf would write in place instead of replacing the file.
    delete process.env['SNAP'];
    conf ??= await loadConf();
  }

  function writerOf(configName: string): (path: string, value: object) => void {
    return (_path, value) => {
      if (!conf) throw new Error('conf is not loaded');
      new conf({
        cwd: configDir,
        configName,
        projectSuffix: '',
        configFileMode: 0o600,
        accessPropertiesByDotNotation: false,
      }).store = value as Record<string, unknown>;
    };
  }

  const settings = settingsFile({
    path: join(configDir, 'config.json'),
    clock,
    parse: parseSettings,
    write: writerOf('config'),
    prepare,
  });
  const credentials = settingsFile({
    path: join(configDir, 'credentials.json'),
    clock,
    parse: parseCredentials,
    write: writerOf('credentials'),
    prepare,
    seen: (path, mode) => {
      if (warned || process.platform === 'win32' || (mode & 0o077) === 0) return;
      warned = true;
      warn?.(`Others can read ${path}, which holds tokens (chmod 600 helps).`);
    },
  });

  return {
    settings: () => promised(settings.read),
    updateSettings: (change) =>
      settings.update((before) => {
        const after = change(before);
        checkNames(after.profiles);
        return after;
      }),
    ...keptCredentials({
      file: credentials,
      keyring: { env, clock, ...(keyringModule !== undefined && { module: keyringModule }) },
      chosen: (profile) => settings.read().profiles[profile]?.tokenStore,
      warn: (message) => warn?.(message),
    }),
    exclusively: (name, patienceMs, action) => {
      const directory = join(stateDir, 'locks');
      const path = join(directory, `${safeName(name)}.lock`);
      guard('STATE_NOT_WRITTEN', 'A lock cannot be taken.', path, () => {
        makeDirectory(stateDir);
        makeDirectory(directory);
      });
      return withLock(path, clock, action, patienceMs);
    },
    ...resourceFiles(stateDir),
    ...machineKeyFile(stateDir),
    ...pictureFiles(stateDir, clock),
  };
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
