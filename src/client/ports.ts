import type { OwnBank } from './ports/own-bank.ts';
import type { Browser, Listener } from './ports/browser.ts';
import type { ExternalSigner, TlsPeers } from './ports/certificates.ts';
import type { Clock, Ids } from './ports/clock.ts';
import type { CredentialStore } from './ports/credentials.ts';
import type { Files } from './ports/files.ts';
import type { Http } from './ports/http.ts';
import type { Intents } from './ports/intents.ts';
import type { Journal } from './ports/journal.ts';
import type { Locks } from './ports/locks.ts';
import type { Notifications } from './ports/notifications.ts';
import type { Notices, Person } from './ports/person.ts';
import type { Resources } from './ports/resources.ts';
import type { Secrets } from './ports/secrets.ts';
import type { SettingsStore } from './ports/settings.ts';
import type { StateStore } from './ports/state-store.ts';
import type { Usage } from './ports/usage.ts';

/** Everything that flows may reach. */
export interface Ports {
  http: Http;
  tlsPeers: TlsPeers;
  signer: ExternalSigner;
  settings: SettingsStore;
  credentials: CredentialStore;
  resources: Resources;
  locks: Locks;
  secrets: Secrets;
  journal: Journal;
  intents: Intents;
  usage: Usage;
  stateStore: StateStore;
  person: Person;
  notices: Notices;
  browser: Browser;
  listener: Listener;
  notifications: Notifications;
  files: Files;
  bank: OwnBank;
  clock: Clock;
  ids: Ids;
}
