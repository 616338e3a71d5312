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

/**
 * The ports of what is kept, in files or in a database, as the settings say. Credentials and resources are where the profile has
 * them that a call is about; all else is where the profile of the run has it.
 */
export function statePorts(options: StateOptions): StatePorts & {
  /** Where the state of a profile is; without a name, that of this run. */
  place: (profile?: string) => Promise<StatePlace>;
} {
  const { folders, env, own, runId, policy, warn, ports, closers, gate, clock, signal } = options;
  const { stateDir } = folders;
  // Of a state in files alone: one in a database is sealed, and stands nowhere in clear.
  const notes = candidateNotes(folders, (work) => closers.push(work));
  const chosen = async (profile: string) => (await ports().settings.read()).profiles[profile]?.tokenStore;

  async function place(profile?: string): Promise<StatePlace> {
    own.need();
    const { statePlaceOf } = await import('../../client/profile/state-place.ts');
    const settings = await ports().settings.read();
    return statePlaceOf(settings, profile ?? (await options.profile(settings)), env);
  }

  let waiting: Promise<StateWaits> | undefined;
  const waits = () => (waiting ??= waitsOfRun());
  async function waitsOfRun(): Promise<StateWaits> {
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
    return {
      patienceMs: patienceOf(settings, await options.profile(settings), options.flags),
      signal: late.signal,
    };
  }

  const opened = new Map<string, Promise<SharedState>>();
  function database(at: Extract<StatePlace, { store: 'postgres' }>): Promise<SharedState> {
    const { urlFrom, keyFrom, oldKeyFrom, schema } = at;
    const key = JSON.stringify([urlFrom, keyFrom, oldKeyFrom, schema]);
    const state = opened.get(key) ?? open(at);
    opened.set(key, state);
    return state;
  }
  async function open({ urlFrom, keyFrom, oldKeyFrom, schema }: Extract<StatePlace, { store: 'postgres' }>) {
    const { secrets } = ports();
    const { sharedState } = await import('../../adapters/shared-state/shared-state.ts');
    const state = sharedState({
      schema,
      url: () => urlIn(secrets, urlFrom),
      keys: await keysIn(secrets, keyFrom, oldKeyFrom),
      clock,
      waits: await waits(),
      run: runId,
      gate,
      stateDir,
      chosen,
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

  let ofRun: Promise<SharedState | undefined> | undefined;
  const shared = () => (ofRun ??= place().then((at) => (at.store === 'files' ? undefined : database(at))));
  /** The same where a call names a profile, by itself or in the record that it saves. */
  async function sharedBy([first]: readonly unknown[]): Promise<SharedState | undefined> {
    const record = first as { profile?: string; resource?: { profile?: string } } | string | undefined;
    const named = typeof record === 'string' ? record : (record?.profile ?? record?.resource?.profile);
    if (named === undefined) return shared();
    const at = await place(named);
    return at.store === 'files' ? undefined : database(at);
  }

  async function store(): Promise<StateStore> {
    own.need();
    const { stateReferencesOf, missingReference, storeOf } =
      await import('../../client/profile/state-place.ts');
    const { secrets, settings } = ports();
    const saved = await settings.read();
    const name = await options.profile(saved);
    if (options.urlFrom === undefined && storeOf(saved, name, env) === 'files') {
      const { homeStore } = await import('../../adapters/sqlite/home-store.ts');
      return homeStore({ stateDir, env, clock, waits: await waits() });
    }
    const { stateStore } = await import('../../adapters/shared-state/state-store.ts');
    const at = stateReferencesOf(saved, name, env);
    const { schema } = at;
    const made = stateStore({
      ...{ schema, clock, waits: await waits() },
      url: () => urlIn(secrets, options.urlFrom ?? at.urlFrom ?? missingReference('urlFrom')),
      home: async (folder) => homeFiles(folder, Object.keys(saved.profiles)),
      keys: () => keysIn(secrets, at.keyFrom ?? missingReference('keyFrom'), at.oldKeyFrom),
    });
    closers.push(() => made.close());
    return made;
  }

  /** The files of this home, or of one below a folder: `config` and `state` there. */
  async function homeFiles(folder: string | undefined, profiles: readonly string[]): Promise<HomeFiles> {
    const { createCredentials } = await import('../../adapters/secrets/conf-credentials.ts');
    const at =
      folder === undefined ? folders : { configDir: join(folder, 'config'), stateDir: join(folder, 'state') };
    const credentials = createCredentials({ ...at, clock, env, warn, chosen });
    return {
      stateDir: at.stateDir,
      credentials,
      profiles: [...new Set([...profiles, builtInName, ...credentials.profiles()])],
    };
  }

  let atHome: Promise<HomeState> | undefined;
  const home = () => (atHome ??= openHome());
  async function openHome(): Promise<HomeState> {
    const [{ homeEngines, stateOn }, { earlierState }] = await Promise.all([
      import('../../adapters/sqlite/home-state.ts'),
      import('../../adapters/sqlite/earlier-state.ts'),
    ]);
    const state = stateOn(homeEngines(stateDir, { warn, env, waits: await waits() }), {
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
      resources: notes.ofResources(state.resources),
      usage: notes.ofUsage(state.usage),
    };
  }
  let inConf: Promise<CredentialStore> | undefined;
  const credentials = () => (inConf ??= openCredentials());
  async function openCredentials(): Promise<CredentialStore> {
    const { createCredentials } = await import('../../adapters/secrets/conf-credentials.ts');
    return createCredentials({ ...folders, clock, env, warn, chosen });
  }

  return {
    place,
    stateStore: lazy(store),
    credentials: lazyFor(async (args) => {
      const kept = (await sharedBy(args))?.credentials ?? (await credentials());
      return policy()?.plainTokens === false ? credentialsWithin(kept, policy) : kept;
    }),
    resources: lazyFor(async (args) => {
      const { keptWithoutSecrets } = await import('../../client/redaction/kept-without-secrets.ts');
      const { resources } = (await sharedBy(args)) ?? (await home());
      return keptWithoutSecrets(resources);
    }),
    locks: lazy(async () => {
      const state = await shared();
      if (state !== undefined) return state.locks;
      const { lockFiles } = await import('../../adapters/files/lock-files.ts');
      const { signal: late } = await waits();
      return lockFiles({ ...folders, clock, signal: late });
    }),
    journal: lazy<Journal>(async () => ((await shared()) ?? (await home())).journal, { run: runId }),
    intents: lazy(async () => ((await shared()) ?? (await home())).intents),
    usage: lazy(async () => ((await shared()) ?? (await home())).usage),
  };
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
