import { join } from 'node:path';
import { candidateNotes } from '../../adapters/candidates/candidate-notes.ts';
import { credentialsWithin } from '../../adapters/secrets/credentials-within.ts';
import type { HomeState } from '../../adapters/sqlite/home-state.ts';
import type { SharedState } from '../../adapters/shared-state/shared-state.ts';
import type { OwnFolders } from '../../adapters/files/own-folders.ts';
import type { Process } from '../context.ts';
import type { Ports } from '../../client/ports.ts';
import type { HomeFiles } from '../../adapters/shared-state/state-home.ts';
import type { StateStore } from '../../client/ports/state-store.ts';
import type { Secret } from '../../base/secret.ts';
import type { CredentialStore } from '../../client/ports/credentials.ts';
import type { Clock } from '../../client/ports/clock.ts';
import type { Gate } from '../../client/ports/gate.ts';
import type { Journal } from '../../client/ports/journal.ts';
import type { StateWaits } from '../../base/waits.ts';
import type { Policy } from '../../settings/records/policy.ts';
import type { Settings, StatePlace } from '../../settings/records/profile.ts';
import type { Closers } from './at-end.ts';
import { builtInName } from '../../base/profile-name.ts';
import { lazy, lazyFor } from './lazy.ts';

/** The ports of what is kept. */
type StatePorts = Pick<
  Ports,
  'stateStore' | 'credentials' | 'resources' | 'locks' | 'journal' | 'intents' | 'usage'
>;

/** What the ports of the state are made of. */
export interface StateOptions {
  folders: { configDir: string; stateDir: string; cacheDir: string };
  env: Process['env'];
  own: OwnFolders;
  runId: string;
  policy: () => Policy | undefined;
  warn: (line: string) => void;
  /** The other ports, which may be those of a test. */
  ports: () => Ports;
  /** The profile that this run works with, as far as its command line, the project and the settings say. */
  profile: (settings: Settings) => Promise<string | undefined>;
  closers: Closers;
  gate: Gate;
  /** The clock of the process. The one of the ports waits for a commit before it sleeps, and a commit must not wait for itself. */
  clock: Clock;
  /** Ctrl-C and SIGTERM. */
  signal: AbortSignal;
  /** The flags of this run, among them --timeout: of a call, or of all waits together. */
  flags: { timeout?: unknown; waitMs?: number };
  /** The reference that --url-from gives to a command about the database itself. */
  urlFrom: string | undefined;
}

type InPostgres = Extract<StatePlace, { store: 'postgres' }>;

/**
 * The ports of what is kept, in files or in a database, as the settings say. Credentials and resources are where the profile has
 * them that a call is about; all else is where the profile of the run has it.
 */
export function statePorts(options: StateOptions): StatePorts & {
  /** Where the state of a profile is; without a name, that of this run. */
  place: (profile?: string) => Promise<StatePlace>;
} {
  const { folders, runId, policy, clock } = options;
  const state = new RunState(options);
  return {
    place: (profile) => state.place(profile),
    stateStore: lazy(() => state.store()),
    credentials: lazyFor(async (args) => {
      const kept = (await state.sharedBy(args))?.credentials ?? (await state.credentials());
      return policy()?.plainTokens === false ? credentialsWithin(kept, policy) : kept;
    }),
    resources: lazyFor(async (args) => {
      const { keptWithoutSecrets } = await import('../../client/redaction/kept-without-secrets.ts');
      const { resources } = (await state.sharedBy(args)) ?? (await state.home());
      return keptWithoutSecrets(resources);
    }),
    locks: lazy(async () => {
      const shared = await state.shared();
      if (shared !== undefined) return shared.locks;
      const { lockFiles } = await import('../../adapters/files/lock-files.ts');
      const { signal: late } = await state.waits();
      return lockFiles({ ...folders, clock, signal: late });
    }),
    journal: lazy<Journal>(async () => (await state.ofRun()).journal, { run: runId }),
    intents: lazy(async () => (await state.ofRun()).intents),
    usage: lazy(async () => (await state.ofRun()).usage),
  };
}

/** The state of one run: each part is opened at its first use, and closed at the end of the run. */
class RunState {
  readonly #options: StateOptions;
  /** Of a state in files only: one in a database is sealed, and stands nowhere in clear. */
  readonly #notes: ReturnType<typeof candidateNotes>;
  readonly #databases = new Map<string, Promise<SharedState>>();
  #waits: Promise<StateWaits> | undefined;
  #shared: Promise<SharedState | undefined> | undefined;
  #home: Promise<HomeState> | undefined;
  #credentials: Promise<CredentialStore> | undefined;

  constructor(options: StateOptions) {
    this.#options = options;
    this.#notes = candidateNotes(options.folders, (work) => options.closers.push(work));
  }

  async place(profile?: string): Promise<StatePlace> {
    const { own, env, ports, profile: profileOfRun } = this.#options;
    own.need();
    const { statePlaceOf } = await import('../../client/profile/state-place.ts');
    const settings = await ports().settings.read();
    return statePlaceOf(settings, profile ?? (await profileOfRun(settings)), env);
  }

  /** How long this run waits for its state, and what ends that. */
  waits(): Promise<StateWaits> {
    return (this.#waits ??= this.#waitsOfRun());
  }

  async #waitsOfRun(): Promise<StateWaits> {
    const { ports, clock, signal, closers, profile, flags } = this.#options;
    const { patienceOf } = await import('../../client/profile/state-place.ts');
    const settings = await ports().settings.read();
    const late = new AbortController();
    let stop: () => void = () => undefined;
    const begin = () => {
      stop = clock.after(graceMs, () => {
        late.abort(signal.reason);
      });
    };
    if (signal.aborted) begin();
    else signal.addEventListener('abort', begin, { once: true });
    closers.push(() => {
      signal.removeEventListener('abort', begin);
      stop();
      return Promise.resolve();
    });
    return { patienceMs: patienceOf(settings, await profile(settings), flags), signal: late.signal };
  }

  /** The database of the run; undefined where its state is in files. */
  shared(): Promise<SharedState | undefined> {
    return (this.#shared ??= this.place().then((at) => this.#databaseOf(at)));
  }

  /** The same where a call names a profile, by itself or in the record that it saves. */
  async sharedBy([first]: readonly unknown[]): Promise<SharedState | undefined> {
    const record = first as { profile?: string; resource?: { profile?: string } } | string | undefined;
    const named = typeof record === 'string' ? record : (record?.profile ?? record?.resource?.profile);
    return named === undefined ? this.shared() : this.#databaseOf(await this.place(named));
  }

  /** The state of the run, wherever it is. */
  async ofRun(): Promise<SharedState | HomeState> {
    return (await this.shared()) ?? (await this.home());
  }

  #databaseOf(at: StatePlace): Promise<SharedState> | undefined {
    if (at.store === 'files') return undefined;
    const { urlFrom, keyFrom, oldKeyFrom, schema } = at;
    const key = JSON.stringify([urlFrom, keyFrom, oldKeyFrom, schema]);
    const state = this.#databases.get(key) ?? this.#open(at);
    this.#databases.set(key, state);
    return state;
  }

  async #open({ urlFrom, keyFrom, oldKeyFrom, schema }: InPostgres): Promise<SharedState> {
    const { ports, clock, runId, gate, folders, warn, closers } = this.#options;
    const { secrets } = ports();
    const { sharedState } = await import('../../adapters/shared-state/shared-state.ts');
    const state = sharedState({
      schema,
      url: () => urlIn(secrets, urlFrom),
      keys: await keysIn(secrets, keyFrom, oldKeyFrom),
      clock,
      waits: await this.waits(),
      run: runId,
      gate,
      stateDir: folders.stateDir,
      chosen: this.#chosen,
      unread: (keyId, rows) => {
        const [what, are] = rows === 1 ? ['1 row', 'it is'] : [`${String(rows)} rows`, 'they are'];
        warn(
          `${what} of the shared state cannot be read: ${are} sealed with key ${keyId}, which this run does not have.`,
        );
      },
    });
    closers.push(() => state.close());
    return state;
  }

  async store(): Promise<StateStore> {
    const { own, ports, profile, urlFrom, env, folders, clock, closers } = this.#options;
    own.need();
    const { stateReferencesOf, missingReference, storeOf } =
      await import('../../client/profile/state-place.ts');
    const { secrets, settings } = ports();
    const saved = await settings.read();
    const name = await profile(saved);
    if (urlFrom === undefined && storeOf(saved, name, env) === 'files') {
      const { homeStore } = await import('../../adapters/sqlite/home-store.ts');
      return homeStore({ stateDir: folders.stateDir, env, clock, waits: await this.waits() });
    }
    const { stateStore } = await import('../../adapters/shared-state/state-store.ts');
    const at = stateReferencesOf(saved, name, env);
    const made = stateStore({
      ...{ schema: at.schema, clock, waits: await this.waits() },
      url: () => urlIn(secrets, urlFrom ?? at.urlFrom ?? missingReference('urlFrom')),
      home: async (folder) => this.#homeFiles(folder, Object.keys(saved.profiles)),
      keys: () => keysIn(secrets, at.keyFrom ?? missingReference('keyFrom'), at.oldKeyFrom),
    });
    closers.push(() => made.close());
    return made;
  }

  /** The files of this home, or of one below a folder: `config` and `state` there. */
  async #homeFiles(folder: string | undefined, profiles: readonly string[]): Promise<HomeFiles> {
    const { folders } = this.#options;
    const at =
      folder === undefined ? folders : { configDir: join(folder, 'config'), stateDir: join(folder, 'state') };
    const credentials = await this.#credentialsIn(at);
    return {
      stateDir: at.stateDir,
      credentials,
      profiles: [...new Set([...profiles, builtInName, ...credentials.profiles()])],
    };
  }

  home(): Promise<HomeState> {
    return (this.#home ??= this.#openHome());
  }

  async #openHome(): Promise<HomeState> {
    const { folders, warn, env, runId, clock, gate, closers } = this.#options;
    const { stateDir } = folders;
    const [{ homeEngines, stateOn }, { earlierState }] = await Promise.all([
      import('../../adapters/sqlite/home-state.ts'),
      import('../../adapters/sqlite/earlier-state.ts'),
    ]);
    const state = stateOn(homeEngines(stateDir, { warn, env, waits: await this.waits() }), {
      run: runId,
      clock,
      gate,
    });
    const earlier = earlierState(stateDir);
    if (earlier !== undefined) warn(earlier.warning);
    closers.push(() => state.close());
    return {
      ...state,
      ...(earlier !== undefined && { intents: earlier.guard(state.intents) }),
      resources: this.#notes.ofResources(state.resources),
      usage: this.#notes.ofUsage(state.usage),
    };
  }

  credentials(): Promise<CredentialStore> {
    return (this.#credentials ??= this.#credentialsIn(this.#options.folders));
  }

  async #credentialsIn(at: Pick<StateOptions['folders'], 'configDir' | 'stateDir'>) {
    const { clock, env, warn } = this.#options;
    const { createCredentials } = await import('../../adapters/secrets/conf-credentials.ts');
    return createCredentials({ ...at, clock, env, warn, chosen: this.#chosen });
  }

  readonly #chosen = async (profile: string) =>
    (await this.#options.ports().settings.read()).profiles[profile]?.tokenStore;
}

/** So long after it was interrupted a run may still write what has happened; then it waits for its state no more. */
const graceMs = 2_000;

function urlIn(secrets: Ports['secrets'], from: string): Promise<Secret> {
  return secrets.read(from, 'the URL of the database with the state');
}

/** The key that seals, and the one before it. */
async function keysIn(
  secrets: Ports['secrets'],
  from: string,
  old: string | undefined,
): Promise<readonly [Secret, ...Secret[]]> {
  const key = await secrets.read(from, 'the key of the shared state');
  return old === undefined ? [key] : [key, await secrets.read(old, 'the key of the shared state before')];
}
