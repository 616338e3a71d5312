import { join } from 'node:path';
import { directories } from '../../adapters/files/directories.ts';
import { ownFolders } from '../../adapters/files/own-folders.ts';
import { policyPath, readPolicy } from '../../adapters/settings/policy-file.ts';
import { newRunId } from '../../adapters/files/safe-name.ts';
import { createScriptedPerson } from '../../adapters/terminal/scripted-person.ts';
import { createClock, createIds } from '../../adapters/system/system-clock.ts';
import { createNotices } from '../../adapters/terminal/terminal-notices.ts';
import { typedPath } from '../../adapters/files/typed-path.ts';
import { isOfAnotherPsu } from '../commands/flags/psu-variables.ts';
import type { CommandPorts, Context, Process, Globals } from '../context.ts';
import { maskWhere } from '../../client/redaction/masking.ts';
import type { Person, Question } from '../../client/ports/person.ts';
import type { Secrets } from '../../client/ports/secrets.ts';
import type { Policy } from '../../settings/records/policy.ts';
import { isOn } from '../render/style.ts';
import { fold } from '../render/wrap.ts';
import { atEndOf } from './at-end.ts';
import type { Closers } from './at-end.ts';
import { canPrompt } from './can-prompt.ts';
import { lazy } from './lazy.ts';
import { listenerPort } from './listener-port.ts';
import { isAccessible, isAnimated } from './output-choice.ts';
import type { OutputChoice } from './output-choice.ts';
import { statePorts } from './state-ports.ts';
import { createGate } from '../../client/ports/gate.ts';
import { askedBehind, behindGate } from './behind-gate.ts';

/** Options of one run for its Context. */
export interface ContextOptions {
  globals: Globals;
  /** All parsed flags by their names, for the questions that they answer. */
  options: Readonly<Record<string, unknown>>;
  choice: OutputChoice;
  signal: AbortSignal;
  helpPage: Context['helpPage'];
  entries: Context['entries'];
  commandTree: Context['commandTree'];
  whyNotValue: Context['whyNotValue'];
  runCommand: Context['runCommand'];
  openLoad: Context['openLoad'];
  load?: Context['load'];
  judge?: Context['judge'];
  command: string;
  ports?: Partial<CommandPorts>;
  /** Makes the person of this run from the one who answers from flags, variables and profile. */
  person?: (scripted: Person) => Person;
}

export function createContext(host: Process, options: ContextOptions): Context {
  const { env } = host;
  const { globals, choice, signal } = options;
  const folders = directories(env);
  const clock = options.ports?.clock ?? createClock();
  const ids = options.ports?.ids ?? createIds();
  const runId = newRunId(clock, ids);
  const { stage } = choice;
  const accessible = isAccessible(env);
  const notices =
    options.ports?.notices ??
    createNotices({
      stderr: host.stderr,
      env,
      quiet: choice.quiet,
      verbose: globals.verbose ?? (globals.print === undefined ? 0 : 1),
      watched: isAnimated(host.stderr.isTTY === true, env),
      machine: choice.machine && host.stderr.isTTY !== true,
      json: choice.machine,
      stage,
      style: choice.stderr,
      ...(choice.stderr.tty && { fold: (line) => fold(line, Math.max(40, choice.stderr.width)) }),
    });
  const warn = (line: string) => {
    notices.warn(line);
  };
  const closers: Closers = [];
  let hasHttp = false;
  const closing = <T extends { close(): Promise<void> }>(load: () => Promise<T>) =>
    lazy<T>(async () => {
      const port = await load();
      closers.push(() => port.close());
      return port;
    });

  const references = lazy(() =>
    import('../../adapters/secrets/secret-references.ts').then((adapter) =>
      adapter.createSecrets({
        env,
        // To look at stdin opens it.
        get stdin() {
          return host.stdin;
        },
        warn,
        signal,
      }),
    ),
  );
  const own = ownFolders({
    ...folders,
    env,
    warn,
    given: (reference) =>
      Object.values(options.options).includes(reference) ||
      Object.entries(env).some(([name, value]) => /^OBK_.*_FROM$/.test(name) && value === reference),
    ...(host.trustee === undefined ? {} : { who: host.trustee }),
  });
  let read: { policy: Policy | undefined } | undefined;
  const policy = () => {
    const { path, owner } = host.policy ?? { path: policyPath, owner: 0 };
    read ??= { policy: readPolicy(path, owner) };
    return read.policy;
  };
  maskWhere(() => policy()?.unmasked === false);
  const needReference = async (reference: string) => {
    if (policy()?.commandReferences !== false) return;
    const { needAllowedReference } = await import('../../client/profile/policy.ts');
    needAllowedReference(policy(), reference);
  };
  // Stdin and programs of the user may take any time; waiting for them ends with the run.
  const secrets: Secrets = {
    read: async (reference, purpose, how) => {
      own.needReference(reference);
      await needReference(reference);
      return unlessAborted(signal, references.read(reference, purpose, how));
    },
    check: (reference, purpose) => references.check(reference, purpose),
  };
  const userFiles = () =>
    import('../../adapters/files/user-files.ts').then((adapter) =>
      adapter.createFiles({ cwd: host.cwd, env, stdin: () => host.stdin }),
    );
  const files = lazy(userFiles);
  const pictures = lazy(async () => {
    own.need();
    const { pictureFiles } = await import('../../adapters/files/picture-files.ts');
    return pictureFiles(folders.stateDir, clock);
  });
  const terminal = lazy<Person>(
    () =>
      import('../../adapters/terminal/terminal-person.ts').then((adapter) =>
        adapter.createTerminalPerson({
          stdin: host.stdin,
          stderr: host.stderr,
          colour: choice.stderr.level > 0,
          accessible,
          signal,
          stage,
          fold,
        }),
      ),
    { present: true },
  );
  async function lasting<T>(work: Promise<T>): Promise<T> {
    let progress: ReturnType<typeof notices.progress> | undefined;
    const stop = clock.after(longMs, () => {
      progress = notices.progress('Waiting for the state, which another process holds');
    });
    return work.finally(() => {
      stop();
      progress?.stop();
    });
  }
  const gate = createGate(async (error, ofWrite) => {
    const { tellUnrecorded, tellUnwritable } = await import('../../client/exchange/unwritable.ts');
    if (ofWrite) tellUnrecorded(real, error);
    else tellUnwritable(real, error);
  }, lasting);
  const { place: statePlace, ...state } = statePorts({
    ...{ folders, env, own, runId, policy, warn, closers, gate, clock, signal },
    flags: options.options,
    ports: () => real,
    urlFrom: typeof options.options['urlFrom'] === 'string' ? options.options['urlFrom'] : undefined,
    profile: async (settings) => {
      const { wishedProfile } = await import('../commands/run/with-target.ts');
      return wishedProfile(context, settings);
    },
  });
  const direct: CommandPorts = {
    notices,
    clock,
    ids,
    secrets,
    files: {
      absolute: (path) => typedPath(path, { cwd: host.cwd, env }),
      read: (path) => unlessAborted(signal, files.read(path)),
      stream: (path) => streamUnlessAborted(signal, userFiles, path),
      write: (path, bytes, how) => files.write(path, bytes, how),
      listing: (path) => files.listing(path),
      remove: (path) => files.remove(path),
      beginning: (path, bytes) => files.beginning(path, bytes),
      needPlace: (path) => files.needPlace(path),
      isWithin: (folder, path) => files.isWithin(folder, path),
      isPrivate: (path) => files.isPrivate(path),
      edit: (text, suffix) => files.edit(text, suffix),
      project: () => files.project(),
      savePicture: (bytes, suffix) => pictures.savePicture(bytes, suffix),
      removePicture: (path) => pictures.removePicture(path),
    },
    settings: lazy(async () => {
      own.need();
      const { createSettings } = await import('../../adapters/settings/conf-settings.ts');
      return createSettings({ ...folders, clock });
    }),
    ...state,
    signer: lazy(async () => {
      own.needReference('cmd: of the profile');
      await needReference('cmd:');
      const { createSigner } = await import('../../adapters/secrets/external-signer.ts');
      return createSigner({ env, clock, signal });
    }),
    tlsPeers: lazy(() =>
      import('../../adapters/http/tls-peers.ts').then((adapter) => adapter.createTlsPeers({ clock, env })),
    ),
    http: closing(() => {
      hasHttp = true;
      return import('../../adapters/http/undici-http.ts').then((adapter) =>
        adapter.createHttp({ clock, env }),
      );
    }),
    browser: lazy(() =>
      import('../../adapters/browser/browser.ts').then((adapter) =>
        adapter.createBrowser({ env, clock, terminal: host.stderr.isTTY === true }),
      ),
    ),
    listener: listenerPort(closers),
    notifications: lazy(() =>
      import('../../adapters/browser/notification-listener.ts').then((adapter) =>
        adapter.createNotifications(),
      ),
    ),
    bank: closing(() =>
      import('./bank-port.ts').then(({ bankPort }) =>
        bankPort(host, {
          ...{ options: options.options, stateDir: folders.stateDir },
          ...{ clock, secrets, warn },
        }),
      ),
    ),
    person: (options.person ?? same)(
      createScriptedPerson({
        answer: (question) => given(question, options.options, env),
        agreed: ({ flag, env: variable }) =>
          options.options[optionName(flag)] === true || isOn(env[variable]),
        secrets,
        ...(canPrompt(host, globals) ? { human: askedBehind(gate, terminal) } : {}),
      }),
    ),
    ...options.ports,
  };
  const real = behindGate(gate, direct);
  const context: Context = {
    process: host,
    globals,
    ports: real,
    policy,
    statePlace,
    signal,
    style: choice.stderr,
    helpPage: options.helpPage,
    entries: options.entries,
    commandTree: options.commandTree,
    whyNotValue: options.whyNotValue,
    runCommand: options.runCommand,
    openLoad: options.openLoad,
    load: options.load,
    judge: options.judge,
    directories: {
      settings: join(folders.configDir, 'config.json'),
      credentials: join(folders.configDir, 'credentials.json'),
      state: folders.stateDir,
    },
    ...atEndOf(closers),
    kept: () => gate.pass(),
    command: options.command,
    inUse: undefined,
    // The ports of a test send by means of their own.
    maySend: () => hasHttp || options.ports?.http !== undefined,
    proved: new Map(),
    seen: undefined,
  };
  return context;
}

/** After so long somebody who watches wants to know what a run waits for. */
const longMs = 3_000;

const same = (person: Person): Person => person;

/** `--psu-password-from` is `psuPasswordFrom`. */
function optionName(flag: string): string {
  return flag.replace(/^--/, '').replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
}

function given(
  { flag, env: variable }: Question,
  options: ContextOptions['options'],
  env: Process['env'],
): string | undefined {
  const typed = options[optionName(flag)];
  if (typeof typed === 'string') return typed;
  const value = env[variable];
  if (value === undefined || value === '') return undefined;
  return isOfAnotherPsu(variable, options['psuId'], env) ? undefined : value;
}

async function unlessAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  let stop: () => void = () => undefined;
  const aborted = new Promise<never>((_, reject) => {
    stop = () => {
      reject(signal.reason as Error);
    };
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

async function* streamUnlessAborted(
  signal: AbortSignal,
  files: () => Promise<Pick<CommandPorts['files'], 'stream'>>,
  path: string,
): AsyncGenerator<Uint8Array> {
  const chunks = (await files()).stream(path)[Symbol.asyncIterator]();
  for (;;) {
    const next: IteratorResult<Uint8Array, unknown> = await unlessAborted(signal, chunks.next());
    if (next.done === true) return;
    yield next.value;
  }
}
