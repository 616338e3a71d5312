import type { Settings } from '../../settings/records/profile.ts';

/** The settings of all profiles. Every write is atomic and locked; failures are ObkError, exit 3. */
export interface SettingsStore {
  read(): Promise<Settings>;
  /** Locks, re-reads, applies `change`, writes, reads back and compares. */
  update(change: (settings: Settings) => Settings): Promise<Settings>;
}
